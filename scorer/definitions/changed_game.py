"""A game that a person changes in a form: checked as a file is, refused in words, with what throws are worth then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice, product
from typing import Any, NamedTuple

from scorer.actions import FACES
from scorer.categories import CELL_TITLES
from scorer.combinations import Dice, subtract
from scorer.counter import CounterGame
from scorer.definitions.building import RULE_TITLES, GameFromFile, checked_kind, game_from_text, kind_of
from scorer.definitions.definition import Definition, DefinitionError, definition_of, faults_refused, join_tables
from scorer.definitions.examples import check_example
from scorer.definitions.form_fields import FAMILY_LISTS, field_title, in_words, picture
from scorer.definitions.game_file import Example, HouseOption
from scorer.definitions.patterns import Pattern
from scorer.definitions.rule_tables import Cell, ScoredDice
from scorer.definitions.shapes import WrongShape, named_twice
from scorer.definitions.toml_writer import toml_text
from scorer.definitions.trial_turns import TurnWorth, trial_turns
from scorer.definitions.value_table import Worth
from scorer.game import Game
from scorer.pad import PadGame
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand
from scorer.texts import T, Text
from scorer.turns.hand import HandGame

SHOWN = 3  # throws
TRIED_SETS = 12  # of one pattern, until a throw shows it
TELLING = 3  # dice of a combination that a throw shows before smaller ones
MOST_EXAMPLES = 60  # of a file
FORM_KEY = "tried"  # until the game is saved
NOT_YET = T("Not yet a game")


class WorthPart(NamedTuple):
    """A part of what a throw is worth: dice of a combination, or a cell with its title."""

    dice: Dice
    title: Text | None
    points: int


class ThrowWorth(NamedTuple):
    """A throw, what it is worth and why. `before`: its worth in the game before the changes; None if it had none."""

    dice: Dice
    worth: int
    parts: tuple[WorthPart, ...] = ()
    before: int | None = None


class TriedGame(NamedTuple):
    """`text`: the game as a file. `left_out`: titles of house rules that no longer fit, and are not in it. `turns` show
    its rules about whole turns. `wordings`: of all texts, by their English form, then by language.
    """

    text: str
    kind: GameFromFile
    throws: tuple[ThrowWorth, ...]
    left_out: tuple[Text, ...]
    turns: tuple[TurnWorth, ...]
    wordings: Mapping[str, Mapping[str, str]]


def try_game(tables: Mapping[str, Any], before: Definition | None = None, shown: int = -1) -> TriedGame:
    """The game in these tables, as a file has them. Raises DefinitionError, whose `at` is the path of what is wrong.

    `before`: the game that it was made from. `shown`: the place in its list of the combination, cell or line that
    the first throw shows.
    """
    with faults_refused(NOT_YET):
        return _try_game(tables, before, shown)


def _try_game(tables: Mapping[str, Any], before: Definition | None, shown: int) -> TriedGame:
    try:
        tables = join_tables(tables)
        definition = definition_of(tables, FORM_KEY)
        given = definition.file
        plain = checked_kind(definition_of({**tables, "option": [], "example": []}, FORM_KEY))
        _refuse_equal_titles(plain.definition, shown)
        options = _fitting_options(tables, given.option, before)
        fitting = {**tables, "option": [tables["option"][place] for place in options]}
        kind = checked_kind(definition_of({**fitting, "example": []}, FORM_KEY))
        throws = list(islice(_throws(kind, before, shown), SHOWN))
        kept = [tables["example"][place] for place, each in enumerate(given.example) if _holds(kind, each)]
        new = [example_tables(example, throw) for example, throw in throws if _holds(kind, example)]
        fitting["example"] = [*kept, *(each for each in new if each not in kept)][:MOST_EXAMPLES]
        text = toml_text({name: value for name, value in fitting.items() if value != []})
    except WrongShape as wrong:
        raise _refusal(wrong, tables) from None
    left_out = tuple(_title(each) for place, each in enumerate(given.option) if place not in options)
    try:
        written = game_from_text(text, FORM_KEY)
    except DefinitionError as refusal:  # such as of a file that is too long
        raise DefinitionError(refusal.reason, **{**refusal.params, "where": NOT_YET}) from None
    turns = tuple(trial_turns(kind(), None if before is None else kind_of(before)()))
    return TriedGame(text, written, tuple(throw for _, throw in throws), left_out, turns, definition.wordings)


def throw_worth(game: Game[Any], dice: Dice) -> ThrowWorth | None:
    """What any throw is worth, a sheet's in each of its cells; None for a throw that the game does not have."""
    dice = tuple(sorted(dice))
    if isinstance(game, SheetGame):
        if len(dice) != game.dice:
            return None
        cells = ((Text(each.title), each.worth(dice, throw=1)) for each in game.categories)
        parts = sorted((WorthPart((), *cell) for cell in cells if cell[1]), key=lambda part: -part.points)
        return ThrowWorth(dice, parts[0].points if parts else 0, tuple(parts))
    if not 0 < len(dice) <= game.dice:
        return None
    if isinstance(game, TenThousand):
        best = max(game.choices(dice), key=lambda choice: (choice.points, -len(choice.dice)), default=None)
        return ThrowWorth(dice, best.points, _split(game, best.dice)) if best else ThrowWorth(dice, 0)
    if isinstance(game, HandGame):
        return ThrowWorth(dice, game.rules.table[dice].points) if len(dice) == game.dice else None
    if isinstance(game, PadGame):
        return ThrowWorth(dice, sum(dice)) if len(dice) == game.dice else None
    return _count_of(game, dice) if isinstance(game, CounterGame) and len(dice) == game.dice else None


# --- what is kept of the game that was changed -----------------------------------------------------------------------


def _fitting_options(
    tables: Mapping[str, Any], options: Sequence[HouseOption], before: Definition | None
) -> tuple[int, ...]:
    """The places of the house rules that can still be, and that do not take a change back; who wrote a house rule anew
    means it so.
    """
    raw = before.raw if before is not None else tables["rules"]
    changed = {name for name in {*raw, *tables["rules"]} if raw.get(name) != tables["rules"].get(name)}
    places = tuple(
        place
        for place, option in enumerate(options)
        if (before is not None and option not in before.file.option)
        or not any(changed & each.keys() for each in (option.rules, *(v.rules for v in option.value)) if each)
    )

    def can_be(wanted: Sequence[int]) -> bool:
        chosen = {**tables, "option": [tables["option"][place] for place in wanted], "example": []}
        try:
            checked_kind(definition_of(chosen, FORM_KEY))
        except WrongShape:
            return False
        return True

    if can_be(places):
        return places
    fitting: tuple[int, ...] = ()
    for place in places:
        fitting += (place,) if can_be((*fitting, place)) else ()
    return fitting


def _title(option: HouseOption) -> Text:
    return Text(option.title.english) if option.title else RULE_TITLES.get(option.name, Text(option.name))


def _holds(kind: GameFromFile, example: Example) -> bool:
    try:
        check_example(kind, example, ())
    except WrongShape:
        return False
    return True


def _refuse_equal_titles(definition: Definition, shown: int) -> None:
    """Raises WrongShape for two cells that players of a language could not tell apart: at the one changed last."""
    met: dict[tuple[str, str], int] = {}
    cells = getattr(definition.rules_with({}), "cell", ())
    languages = {language for cell in cells if cell.title for language, _ in cell.title.texts}
    for place, language in product(range(len(cells)), languages | {"en"}):
        cell = cells[place]
        texts = dict(cell.title.texts) if cell.title else {"en": CELL_TITLES.get(cell.key, cell.key)}
        title = str(texts.get(language, texts["en"])).casefold()
        other = met.setdefault((language, title), place)
        if other != place:
            path = ("rules", "cell", shown if shown == other else place, "title")
            raise named_twice(path, f"“{title}”")


def _refusal(wrong: WrongShape, tables: Mapping[str, Any]) -> DefinitionError:
    family = str(tables.get("family"))
    path = wrong.path
    if wrong.reason == "definition-lacks" and path[-1:] != (wrong.params["field"],):
        path = (*path, wrong.params["field"])
    params = {name: in_words(value, family) for name, value in wrong.params.items()}
    if "key" in params:
        params["key"] = Text(CELL_TITLES.get(wrong.params["key"], wrong.params["key"]))
    if "field" in params and wrong.reason != "definition-together":
        params["field"] = field_title(path, family)
    return DefinitionError(wrong.reason, where=NOT_YET, **params, at=list(path))


# --- throws that show the changes ------------------------------------------------------------------------------------


def _throws(kind: GameFromFile, before: Definition | None, shown: int) -> Iterator[tuple[Example, ThrowWorth]]:
    """Throws with what they are worth: first of the wanted place, then of what has changed, then others."""
    game, old = kind(), kind_of(before)() if before is not None else None
    known = set()
    for example in _examples(game, kind.definition, before, shown):
        throw = _example_worth(game, example)
        if throw is not None and (example.dice, example.cell) not in known:
            known.add((example.dice, example.cell))
            previous = None if old is None else _example_worth(old, example)
            worth = throw._replace(before=None if previous is None else previous.worth)
            yield replace(example, worth=throw.worth), worth


def example_tables(example: Example, throw: ThrowWorth) -> dict[str, Any]:
    """An example as a file has it."""
    place = {} if example.cell is None else {"cell": str(example.cell)}
    return {"dice": list(example.dice), **place, "worth": throw.worth}


def _example_worth(game: Game[Any], example: Example) -> ThrowWorth | None:
    if not isinstance(game, SheetGame):
        return throw_worth(game, example.dice)
    cell = next((each for each in game.categories if each.key == example.cell), None)
    if cell is None or len(example.dice) != game.dice:
        return None
    points = cell.worth(example.dice, throw=1)
    return ThrowWorth(example.dice, points, (WorthPart((), Text(cell.title), points),))


def _examples(game: Game[Any], now: Definition, before: Definition | None, shown: int) -> Iterator[Example]:
    name = FAMILY_LISTS.get(now.file.family)
    if isinstance(game, PadGame) and game.dice:
        yield from (Example(worth=0, dice=(face,) * game.dice) for face in (6, 3, 1))
    if name is None:
        return
    wiped_by = getattr(game.rules, "wiped_by", ())
    if wiped_by and (before is None or getattr(before.rules_with({}), "wiped_by", ()) != wiped_by):
        yield Example(worth=0, dice=tuple(sorted(wiped_by)))
    items = list(_items(now, name))
    old = list(_items(before, name)) if before is not None else items
    wanted = items[shown : shown + 1] if shown >= 0 else []
    changed = [item for item in items if item not in old]
    gone = [item for item in old if item not in items]
    yield from (_example_of(game, item, old) for item in [*wanted, *changed, *gone])
    if isinstance(game, CounterGame):
        yield from (Example(worth=0, dice=dice) for dice in _counter_throws(game))
    items.sort(key=lambda item: len(picture(item)) < TELLING)
    yield from (_example_of(game, item, old) for item in items)


def _example_of(game: Game[Any], item: ScoredDice | Cell | Worth, old: Sequence[Any]) -> Example:
    """A throw that shows a line or a cell."""
    if isinstance(item, ScoredDice):
        return Example(worth=0, dice=_face_that_differs(item, old) or picture(item))
    return _cell_example(game, item) if isinstance(item, Cell) else Example(worth=0, dice=_hand_example(game, item))


def _hand_example(game: Game[Any], line: Worth) -> Dice:
    """A throw for which this line of the value table holds, if one is found soon, and one that brings points."""
    tried = list(islice(_full_throws(line, game.dice), 40))
    holding = ((dice, next((each for each in game.rules.worth if each.matching_dice(dice)), None)) for dice in tried)
    fitting = [dice for dice, each in holding if each == line] or tried
    return next((dice for dice in fitting if (worth := throw_worth(game, dice)) and worth.worth), fitting[0])


def _items(definition: Definition, name: str) -> Sequence[ScoredDice | Cell | Worth]:
    found: Sequence[ScoredDice | Cell | Worth] = getattr(definition.rules_with({}), name, ())
    return found


def _face_that_differs(line: ScoredDice, old: Sequence[Any]) -> Dice:
    """Dice alike of the first face whose points were other ones; none if there is no such face."""
    for other in old:
        if line.alike and other.alike == line.alike:
            points = [each.points if isinstance(each.points, tuple) else (each.points,) * 6 for each in (line, other)]
            differing = [face for face, one, two in zip(FACES, *points, strict=True) if one != two]
            return (differing[0],) * line.alike if differing else ()
    return ()


def _cell_example(game: Game[Any], cell: Cell) -> Example:
    """A throw that brings points in the cell, if one is found soon."""
    tried = [Example(worth=0, dice=dice, cell=cell.key) for dice in islice(_full_throws(cell, game.dice), 40)]
    return next((each for each in tried if (worth := _example_worth(game, each)) and worth.worth), tried[0])


def _full_throws(pattern: Pattern, count: int) -> Iterator[Dice]:
    if pattern.sum:
        low, more = divmod(pattern.sum, count)
        yield (low,) * (count - more) + (low + 1,) * more
    for base in (picture(pattern), *pattern.sets()[:TRIED_SETS]) if pattern.sets() else ((),):
        others = [base[0]] if pattern.run is not None else [face for face in FACES if face not in base] or list(FACES)
        for first in range(len(others)):
            fill = islice(cycle([*others[first:], *others[:first]]), max(0, count - len(base)))
            yield tuple(sorted((*base, *fill)))


def _counter_throws(game: CounterGame) -> Iterator[Dice]:
    count, rules = game.dice, game.rules
    wanted = rules.wanted[0] if rules.wanted and rules.wanted[0] in FACES else 6
    special = [*rules.faces_that_bust, *rules.wiped_by, *rules.leave]
    yield tuple(sorted(islice(cycle((wanted, 4, 3, 2, 5)), count)))
    for face in special[:1]:
        yield tuple(sorted(islice(cycle((face, 4, 3, 6)), count)))
    yield (wanted,) * count
    yield tuple(sorted(islice(cycle((2, 3, 4, 6)), count)))


def _count_of(game: CounterGame, dice: Dice) -> ThrowWorth:
    """What the first throw of a turn brings, whether or not the turn goes on."""
    _, events = game.apply(game.start(players=1), {"do": "throw", "dice": list(dice)})
    return ThrowWorth(dice, sum(event["points"] for event in events if event["event"] == "scored"))


def _split(game: TenThousand, dice: Dice) -> tuple[WorthPart, ...]:
    """The combinations that dice to set aside are made of, large ones rather than small ones."""
    table, worths = game.rules.table, game.rules.combinations
    parts: list[WorthPart] = []
    while dice:
        best = worths.best(dice)
        fitting = [
            WorthPart(each, combination.text, added)
            for combination in table
            for each, added in combination.dice
            if (left := subtract(dice, each)) is not None
            and (rest := worths.best(left)) is not None
            and best is not None
            and added + rest.points == best.points
        ]
        # Without one, the throw brings points because nothing in it scores.
        found = max(fitting, key=lambda part: len(part.dice), default=WorthPart(dice, None, game.rules.nothing_scores))
        parts.append(found)
        dice = subtract(dice, found.dice) or ()
    return tuple(parts)
