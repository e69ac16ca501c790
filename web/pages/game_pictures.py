"""Small pictures of games: the dice of a throw, and how the game is played. Drawn from the rules, also of games that
people made.

Left: as many dice as are thrown, in the throw that is worth most; those that cost the turn are crossed out. Right, by
the kind of game: steps that rise throw by throw, and the fall (bank); a sheet with its cells and columns (sheet);
strokes, one for each round, or a way to a flag (count). Without dice there is a page of numbers on the left. Measures
are in units of the view box, 72 x 48.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil, log
from typing import Any

from markupsafe import Markup

import scorer
from scorer.counter import CounterGame
from scorer.definitions.game_file import TenThousandRules
from scorer.game import Game
from scorer.games.shut_the_box import ShutTheBox
from scorer.pad import PadGame
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand
from scorer.turns.hand import HandGame
from web.limits.recent import Recent
from web.problems.problem import Problem

WIDTH, HEIGHT = 72, 48
DICE_WIDTH, GAP, LARGEST_DIE = 32, 2, 26
LEFT, RIGHT, TOP, BASE = 38, 71, 3, 45  # of the right part
MOST_STROKES = 30
SMALLEST_STEP, LOWEST_POINTS = 5, 50  # of the steps
ANY_STEPS = (50, 75, 110, 170, 250)  # of turns in which every throw may bring as much
# A face's pips in a box of 20 units, by columns and rows.
PIPS = {1: "5", 2: "37", 3: "357", 4: "1379", 5: "13579", 6: "134679"}

_drawn: Recent[str, Markup] = Recent(500)


def picture(key: str, find_file: Callable[[], str | None] = lambda: None) -> Markup:
    """The picture of the game with this key; a sheet of paper if nobody keeps its file any more. `find_file` returns
    the file of a game that people made, None for others. The page that shows it has `faces()` once."""
    if (known := _drawn.get(key)) is not None:
        return known
    try:
        file = find_file()
    except Problem:
        return _svg(_page())
    return _drawn.setdefault(key, _draw(scorer.game(key, **({} if file is None else {"file": file}))))


def faces() -> Markup:
    """The six faces that pictures refer to, for the beginning of a page."""
    drawn = "".join(
        f'<symbol id="face-{value}" viewBox="0 0 20 20"><rect x=".75" y=".75" width="18.5" height="18.5" rx="4.5"/>'
        f'<path class="pips" d="{_pips(places)}"/></symbol>'
        for value, places in PIPS.items()
    )
    return Markup(f'<svg class="hidden" aria-hidden="true">{drawn}</svg>')


def _pips(places: str) -> str:
    spots = ((int(place) - 1) for place in places)
    return "".join(f"M{5.5 + 4.5 * (spot % 3):g} {5.5 + 4.5 * (spot // 3):g}h0" for spot in spots)


def _draw(game: Game[Any]) -> Markup:
    return _svg([*(_dice(*_throw_of(game)) if game.dice else _page()), *_way_of(game)])


def _svg(parts: Iterable[str]) -> Markup:
    attributes = f'class="game-picture" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false"'
    return Markup(f"<svg {attributes}>{''.join(parts)}</svg>")


# --- dice -------------------------------------------------------------------------------------------------------------


def _throw_of(game: Game[Any]) -> tuple[list[int], set[int]]:
    """The dice to show, and the faces among them that are crossed out."""
    count = game.dice
    if isinstance(game, TenThousand):
        return _fill_up(_dearest(game), count), set()
    if isinstance(game, CounterGame):
        rules = game.rules
        lost = {*rules.faces_that_bust, *rules.wiped_by, *rules.leave}
        if game.key == "forbidden-numbers":
            return [1, 2, 3, 4, 5, 6], {2, 5}
        if whole := next((line.sum for line in rules.worth if line.busts and line.sum), 0):
            low, more = divmod(whole, count)
            return [low + (place < more) for place in range(count)], {low, low + (more > 0)}
        if sets := next((line.sets() for line in rules.worth if not line.busts), ()):
            return _fill_up(list(sets[-1]), count), set()
        return ([*sorted(lost), 6, 5, 4, 3, 6, 5, 4, 3, 6])[:count], lost
    if isinstance(game, HandGame):
        table = game.rules.table
        return list(sorted(table, key=lambda dice: table[dice].worth)[0 if game.rules.low_wins else -1]), set()
    if isinstance(game, SheetGame) and game.rules.low_wins:
        return [1] * count, set()
    if isinstance(game, SheetGame):
        keys = [category.key for category in game.categories]
        return _fill_up([6] * count if len(keys) < count * 2 or not game.rules.upper else [], count), set()
    return [1, 2, 3, 4, 5, 6][:count], {1} if game.key == "skunk" else set()


def _dearest(game: TenThousand) -> list[int]:
    """The dice of the line of the scoring table that is worth most, of unlike ones where that has any."""
    lines = [each for line in game.rules.table for each in line.dice]
    unlike = [each for each in lines if len(set(each[0])) > 1]
    return list(max(unlike or lines, key=lambda each: (each[1], len(each[0])))[0])


def _fill_up(dice: list[int], count: int) -> list[int]:
    """So many dice: these, and others of faces that they do not show."""
    others = [face for face in (6, 4, 3, 2, 5, 1) if face not in dice] or [6]
    return (dice + [others[place % len(others)] for place in range(count)])[:count]


def _dice(values: list[int], crossed: set[int]) -> Iterator[str]:
    columns = 1 if len(values) == 1 else 2 if len(values) <= 6 else ceil(len(values) / 4)
    rows = ceil(len(values) / columns)
    side = min(LARGEST_DIE, (DICE_WIDTH - GAP * (columns - 1)) / columns, (HEIGHT - GAP * (rows - 1)) / rows)
    top = (HEIGHT - rows * side - (rows - 1) * GAP) / 2
    for place, value in enumerate(values):
        row, column = divmod(place, columns)
        in_row = min(columns, len(values) - row * columns)
        x = (DICE_WIDTH - in_row * side - (in_row - 1) * GAP) / 2 + column * (side + GAP)
        y = top + row * (side + GAP)
        yield f'<use href="#face-{value}" x="{x:.4g}" y="{y:.4g}" width="{side:.4g}" height="{side:.4g}"/>'
        if value in crossed:
            yield f'<path class="off" d="M{x - 0.5:.4g} {y + side + 0.5:.4g}l{side + 1:.4g} {-side - 1:.4g}"/>'


def _page() -> Iterator[str]:
    """The page of a pad: two columns of numbers, and the line above their sums."""
    yield '<rect class="line" x="4" y="3" width="25" height="42" rx="3"/><path class="no" d="M7 36h8m3 0h8"/>'
    rows = "".join(f"M8 {10 + 6 * row}h{5 - row % 2 * 2}m{6 + row % 2 * 2} 0h{4 - row % 3}" for row in range(4))
    yield f'<path class="cells" stroke-width="2.4" d="{rows}M8 41h6m5 0h6"/>'


# --- how it is played -------------------------------------------------------------------------------------------------


def _way_of(game: Game[Any]) -> Iterable[str]:
    if isinstance(game, TenThousand):
        return (*_steps(_worth_of_sizes(game), game.rules.target), *_conditions(game.rules))
    if isinstance(game, SheetGame):
        return _sheet(game)
    if isinstance(game, CounterGame) and game.rules.turn == "bank":
        throws = ceil(game.rules.limit / (6 * game.dice)) or len(ANY_STEPS)
        return (*_steps(ANY_STEPS[:throws], 2 * ANY_STEPS[-1]), *_wall(game.rules.limit > 0))
    if isinstance(game, HandGame) and not game.rules.rounds:
        return _strokes(min(game.rules.lives or game.rules.target, MOST_STROKES))
    if isinstance(game, ShutTheBox):
        return _strokes(game.rules.tiles)
    if isinstance(game, PadGame) and not (game.rules.rounds or game.rules.target):
        return _sum()
    if game.key == "knaster":
        return _grid(5)
    if game.key == "drapky":
        return _grid(4, 3)
    if game.key == "skunk":
        return _grid(3, game.rules.rounds)
    rounds = getattr(game.rules, "rounds", 0)
    return _strokes(min(rounds, MOST_STROKES)) if rounds > 1 else _sum() if rounds else _way()


def _worth_of_sizes(game: TenThousand) -> list[int]:
    """The most points that one line of the scoring table gives for one die, for two and so on; 0 for none."""
    best = [0] * game.dice
    for line in game.rules.table:
        for dice, points in line.dice:
            if len(dice) <= game.dice:
                best[len(dice) - 1] = max(best[len(dice) - 1], points)
    return best


def _height(points: int, target: int) -> float:
    """How high a step for so many points is. Logarithmic: one for 50 points is to be seen too."""
    share = log(2 * max(points, LOWEST_POINTS) / LOWEST_POINTS) / log(2 * max(target, LOWEST_POINTS) / LOWEST_POINTS)
    return max(SMALLEST_STEP, min(1.0, share) * (BASE - TOP))


def _steps(values: Sequence[int], target: int) -> Iterator[str]:
    wide = (RIGHT - 4 - LEFT) / len(values)
    drawn, high = "", float(SMALLEST_STEP)
    for place, value in enumerate(values):
        high = _height(value, target) if value else high
        drawn += f"M{LEFT + place * wide:.4g} {BASE}v{-high:.4g}h{wide - 1:.4g}v{high:.4g}z"
    yield f'<path class="full" d="{drawn}"/><path class="fall" d="M{RIGHT - 4} {BASE - high:.4g}q3 1 3 {high:.4g}"/>'


def _conditions(rules: TenThousandRules) -> Iterator[str]:
    """What the first banked turn needs, as a line over the steps; a wall at an exact target; crosses for busts in a row
    that cost points."""
    if rules.opening:
        yield f'<path class="gate" d="M{LEFT - 1} {BASE - _height(rules.opening, rules.target):.4g}H{RIGHT}"/>'
    yield from _wall(rules.end == "exact")
    if rules.penalty:
        crosses = "".join(f"M{LEFT + each * 6} {TOP}l4 4m0-4l-4 4" for each in range(min(rules.penalty_busts, 4)))
        yield f'<path class="no" d="{crosses}"/>'


def _wall(stands: bool) -> Iterator[str]:
    """The line over the steps that no turn passes, where there is one."""
    if stands:
        yield f'<path class="line" d="M{LEFT} {TOP - 1}H{RIGHT}"/>'


def _sheet(game: SheetGame) -> Iterator[str]:
    rules, categories = game.rules, game.categories
    columns, rows = len(rules.factors), len(categories)
    wide = RIGHT - LEFT
    yield f'<rect class="line" x="{LEFT}" y="1" width="{wide}" height="{HEIGHT - 2}" rx="3"/>'
    gap = 2.5 if any(each.face for each in categories) and not all(each.face for each in categories) else 0.0
    high = (BASE - 1 - TOP - gap - 1) / rows
    inner = (wide - 6 - 3 * (columns - 1)) / columns
    thick = min(2.6, high * 0.58)
    drawn, y, upper = "", TOP + 1 + high / 2, bool(categories[0].face)
    for category in categories:
        if upper and not category.face:
            y, upper = y + gap, False
        for column in range(columns):
            x, each = LEFT + 3 + column * (inner + 3), inner / category.stands
            long = each * _share_of(category, game.dice) if category.stands == 1 else each - 2
            drawn += "".join(f"M{x + time * each:.4g} {y:.4g}h{long:.4g}" for time in range(category.stands))
        y += high
    yield f'<path class="cells" stroke-width="{thick:.3g}" d="{drawn}"/>'
    if rules.upper_bonus:
        steps = "".join(f"M{RIGHT - 8} {8 + 8 * step}h6m-3-3v6" for step in range(min(3, len(rules.upper_bonus))))
        yield f'<path class="no" d="{steps}"/>'
    if any(each.may_win for each in categories):
        yield f'<path class="full" d="M{RIGHT - 9} 4l9 4.5-9 4.5z"/>'
    if rules.joker != "none":
        kind = "line" if rules.joker == "further-generals" else "full"
        jokers = 2 if rules.joker in ("free", "free-later", "of-choice") else 1
        drawn = "".join(f"M{RIGHT - 5} {HEIGHT - 11 - 8 * each}l2 3.5-2 3.5-2-3.5z" for each in range(jokers))
        yield f'<path class="{kind}" d="{drawn}"/>'


def _share_of(category: Any, count: int) -> float:
    """The length of a cell's line, as a part of its column: it grows with the most points that the cell can bring."""
    throws = [[face] * count for face in (1, 6)]
    throws += [[1, 2, 3, 4, 5, 6][:count], [2, 3, 4, 5, 6, 6][:count], [5, 5, *[6] * (count - 2)][:count]]
    most: int = max(category.worth(tuple(sorted(dice)), 0) for dice in throws)
    return 0.25 + 0.5 * min(1.0, most / 50)


def _grid(columns: int, rows: int = 0) -> Iterator[str]:
    rows = rows or columns
    side = min((RIGHT - 1 - LEFT) / columns, (HEIGHT - 4) / rows)
    left, top = LEFT + (RIGHT - LEFT - columns * side) / 2, (HEIGHT - rows * side) / 2
    lines = "".join(f"M{left:.4g} {top + each * side:.4g}h{columns * side:.4g}" for each in range(rows + 1))
    lines += "".join(f"M{left + each * side:.4g} {top:.4g}v{rows * side:.4g}" for each in range(columns + 1))
    yield f'<path class="line" d="{lines}"/>'


def _strokes(count: int) -> Iterator[str]:
    """Strokes as people count rounds: every fifth crosses the four before it."""
    rows = ceil(count / 10)
    high = min(16, (HEIGHT - 8 - 4 * (rows - 1)) / rows)
    top = (HEIGHT - rows * high - 4 * (rows - 1)) / 2
    drawn = ""
    for each in range(count):
        row, place = divmod(each, 10)
        group, within = divmod(place, 5)
        x, y = LEFT + 1 + group * 17, top + row * (high + 4)
        drawn += (
            f"M{x - 1} {y + high * 0.75:.4g}l14 {-high * 0.5:.4g}"
            if within == 4
            else f"M{x + within * 3.6:.4g} {y:.4g}v{high:.4g}"
        )
    yield f'<path class="strokes" d="{drawn}"/>'


def _sum() -> Iterator[str]:
    """A plus: one turn each, and what it brings is added up."""
    yield f'<path class="strokes" d="M{LEFT + 4} 24h24m-12-12v24"/>'


def _way() -> Iterator[str]:
    """A way to a flag: the first to reach the target wins."""
    yield f'<path class="way" d="M{LEFT + 1} 43c14 0 18-4 11-11s0-10 10-10"/>'
    yield f'<path class="strokes" d="M{RIGHT - 9} 24v-20"/><path class="full" d="M{RIGHT - 9} 4l9 4.5-9 4.5z"/>'
