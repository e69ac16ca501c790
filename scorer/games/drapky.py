"""Figures (Drápky): docs/rules.md section 3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from scorer import keeping
from scorer.actions import FACES, MOST_POINTS, Action, Entry, read_number
from scorer.categories import FACE_TITLES, SUM
from scorer.game import ADJUSTMENTS, NO_EVENTS, GameType, Outcome, Step, TurnGame
from scorer.keeping import Hand
from scorer.options import Flag
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import KEEP, LEFT_OUT, SCORE, THROW, WRITTEN, Titles, Verb, phrase
from scorer.texts import N_, ShortRules, T, Text, printable
from scorer.tuples import replace_at

THROWS = 3

Dice = tuple[int, ...]  # six, ascending


class Figure(NamedTuple):
    """`points`: the worth of six dice, 0 if they do not show the figure."""

    key: str
    title: str
    points: Callable[[Dice], int]
    what: Text
    gives: Text = SUM


class DrapkyState(NamedTuple):
    """Per player: the `figures` written, with their points, and the throws `saved` in earlier turns."""

    figures: tuple[Mapping[str, int], ...]
    saved: tuple[int, ...]
    player: int = 0
    hand: Hand = Hand(THROWS)
    over: bool = False
    turns: int = 0  # that have ended
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()


@dataclass(frozen=True)
class DrapkyRules:
    """The options of the same names."""

    exact_two_plus_three: bool
    exact_poker: bool

    @cached_property
    def exact(self) -> frozenset[str]:
        """The figures that more dice alike than they name do not show."""
        wanted = {"two-plus-three": self.exact_two_plus_three, "poker": self.exact_poker}
        return frozenset(key for key, exact in wanted.items() if exact)


class Drapky(TurnGame[DrapkyState]):
    dice = 6
    actions: Mapping[str, Verb] = {
        "throw": THROW,
        "keep": KEEP,
        "score": SCORE,
        "pass": Verb((), phrase("passed"), phrase("pass")),
    }
    adjustments: Mapping[str, Verb] = {
        **ADJUSTMENTS,
        "turn": Verb(("player", "category", "points", "saved"), WRITTEN, stays=LEFT_OUT),
        "cell": Verb(("player", "category", "points"), WRITTEN),
    }

    rules: DrapkyRules

    def start(self, players: int) -> DrapkyState:
        return DrapkyState(({},) * players, (0,) * players)

    def scores(self, state: DrapkyState) -> list[int]:
        return self.with_adjusted(state, [sum(figures.values()) for figures in state.figures])

    def merits(self, state: DrapkyState, scores: list[int]) -> Sequence[tuple[int, int]]:
        return [(len(figures), score) for figures, score in zip(state.figures, scores, strict=True)]

    # --- actions ---

    def do_throw(self, state: DrapkyState, action: Action) -> Outcome[DrapkyState]:
        hand = keeping.throw(state.hand, action["dice"], self.dice)
        thrown = state._replace(hand=hand)
        if hand.throws_left or self._writable(thrown):
            return thrown, NO_EVENTS
        event = {"event": "no-figure", "player": state.player, "dice": list(hand.dice)}
        return self._end_turn(thrown), (event,)

    def do_keep(self, state: DrapkyState, action: Action) -> Outcome[DrapkyState]:
        return state._replace(hand=keeping.keep(state.hand, action["dice"])), NO_EVENTS

    def do_score(self, state: DrapkyState, action: Action) -> Outcome[DrapkyState]:
        key = action["category"]
        figure = self._figure(key)
        dice = state.hand.dice
        if not dice:
            raise IllegalAction("nothing-to-score")
        held = state.figures[state.player]
        if key in held:
            raise IllegalAction("figure-held", figure=Text(figure.title))
        points = self._figures_shown(dice).get(key)
        if points is None:
            raise IllegalAction("not-this-figure", dice=list(dice), figure=Text(figure.title))
        figures = replace_at(state.figures, state.player, {**held, key: points})
        return self._end_if_complete(self._end_turn(state._replace(figures=figures)), state.player)

    def _end_if_complete(self, state: DrapkyState, player: int) -> Outcome[DrapkyState]:
        if len(state.figures[player]) < len(FIGURES):
            return state, NO_EVENTS
        over = state._replace(over=True)
        return over, (self.game_over(over),)

    def do_pass(self, state: DrapkyState, action: Action) -> Outcome[DrapkyState]:
        if state.hand.kept is not None:
            raise IllegalAction("pass-after-keep")
        return self._end_turn(state), NO_EVENTS

    def _end_turn(self, state: DrapkyState) -> DrapkyState:
        """Saves the unused throws and starts the next player's turn."""
        saved = replace_at(state.saved, state.player, state.hand.throws_left)
        return self._next(state._replace(saved=saved, turns=state.turns + 1))

    def _next(self, state: DrapkyState, other: bool = False) -> DrapkyState:
        following, seats, _ = state.seats.following(len(state.saved), state.player, other=other)
        return state._replace(player=following, hand=Hand(THROWS + state.saved[following]), seats=seats)

    def _writable(self, state: DrapkyState) -> dict[str, int]:
        """The figures that the dice show and the player still lacks, with their points."""
        held = state.figures[state.player]
        return {key: points for key, points in self._figures_shown(state.hand.dice).items() if key not in held}

    def _figures_shown(self, dice: Dice) -> Mapping[str, int]:
        return figures_of(dice, self.rules.exact)

    # --- who plays, and when ---

    def with_player(self, state: DrapkyState) -> DrapkyState:
        return state._replace(figures=(*state.figures, {}), saved=(*state.saved, 0))

    def pass_turn(self, state: DrapkyState, player: int) -> Outcome[DrapkyState] | None:
        """Throws saved before this turn stay saved."""
        if len(state.seats.playing(len(state.saved))) == 1:
            return None
        return self._next(state._replace(turns=state.turns + (state.hand.rolls is not None)), other=True), NO_EVENTS

    # --- what a person settles by hand ---

    def adjust_turn(self, state: DrapkyState, action: Action) -> Outcome[DrapkyState]:
        """Ends the running turn with this figure for these points (null: no figure) and so many throws saved."""
        self.check_turn_of(state, action["player"])
        key, player = action["category"], state.player
        figures = state.figures[player]
        if key is not None:
            if self._figure(key).key in figures:
                raise IllegalAction("figure-held", figure=Text(self._figure(key).title))
            figures = {**figures, key: read_number(action["points"], "points", 0, MOST_POINTS)}
        saved = read_number(action["saved"], "saved", 0, MOST_POINTS)
        hand = state.hand._replace(throws_left=saved)
        return self._end_if_complete(
            self._end_turn(state._replace(figures=replace_at(state.figures, player, figures), hand=hand)), player
        )

    def adjust_cell(self, state: DrapkyState, action: Action) -> Outcome[DrapkyState]:
        """Gives a player this figure for these points; null takes it away."""
        player, figure = action["player"], self._figure(action["category"])
        held = {key: points for key, points in state.figures[player].items() if key != figure.key}
        if action["points"] is not None:
            held[figure.key] = read_number(action["points"], "points", 0, MOST_POINTS)
        figures = replace_at(state.figures, player, held)
        complete = any(len(figures[each]) == len(FIGURES) for each in state.seats.playing(len(figures)))
        changed = (len(held) == len(FIGURES)) != (len(state.figures[player]) == len(FIGURES))
        return state._replace(figures=figures, over=complete if changed else state.over), NO_EVENTS

    def _figure(self, key: Any) -> Figure:
        figure = _BY_KEY.get(key) if isinstance(key, str) else None
        if figure is None:
            raise IllegalAction("unknown-figure", figure=printable(key), known=list(_BY_KEY))
        return figure

    def settlement(self, state: DrapkyState, was: Step, running: bool) -> list[Action]:
        """Writes the same figure, unless the player has it, and saves the same throws."""
        player = was.before.player
        held = state.figures[player]
        new = [key for key in was.after.figures[player] if key not in was.before.figures[player] and key not in held]
        key = new[0] if new else None
        points = was.after.figures[player][key] if key is not None else 0
        if running:
            saved = was.after.saved[player]
            wanted = {"player": player, "category": key, "points": points, "saved": saved}
            return [{"do": "adjust", "what": "turn", **wanted}]
        if key is None:
            return []
        return [{"do": "adjust", "what": "cell", "player": player, "category": key, "points": points}]

    # --- what is shown ---

    def legal(self, state: DrapkyState) -> list[Entry]:
        hand = state.hand
        entries: list[Entry] = []
        if hand.dice:
            entries += [
                {"do": "score", "category": key, "points": points, "bonus": 0}
                for key, points in self._writable(state).items()
            ]
        entries += keeping.throws_and_keeps(hand, self.dice)
        if hand.kept is None:
            entries.append({"do": "pass"})
        return entries

    def turn(self, state: DrapkyState) -> dict[str, Any]:
        if state.over:
            return keeping.turn_view(Hand(0), None, 0)
        return keeping.turn_view(state.hand, state.player, self.dice)

    def player(self, state: DrapkyState, player: int) -> dict[str, Any]:
        return {"figures": dict(state.figures[player]), "saved": state.saved[player]}

    def extras(self, state: DrapkyState) -> dict[str, Any]:
        return {"figures_list": list(_BY_KEY), "titles": {figure.key: figure.title for figure in FIGURES}}

    def field_titles(self) -> Titles:
        return {"category": {figure.key: Text(figure.title) for figure in FIGURES}}

    @staticmethod
    def rating(results: Iterable[tuple[int, int]]) -> float:
        """Mean points / mean place."""
        points, places = zip(*results, strict=True)
        return float(sum(points) / sum(places))

    def family_rules(self) -> ShortRules:
        goal = (
            T("Collect all {count} figures, each once; the game ends at once.", count=len(FIGURES)),
            T("Places go by the figures held, then by points."),
        )
        turn = (
            T("You have {throws} throws, and those that your earlier turns saved.", throws=THROWS),
            T("Throw all six dice first; before a further throw keep any dice and throw the others."),
            T("Kept dice may be thrown again later."),
            T("Whenever six dice are on the table, you may write a figure that they show, or pass."),
            T("You may pass before the first throw too. Throws that you did not use are saved."),
            T("Out of throws with nothing written, the turn ends."),
        )
        rows = [
            (T("{title}: {what}", title=Text(figure.title), what=figure.what), figure.gives)
            for figure in _figures(self.rules.exact)
        ]
        return ShortRules.in_sections(self.title, goal, turn, rows=rows)


@cache  # bounded: six dice, and sets of figures that must be exact
def figures_of(dice: Dice, exact: frozenset[str] = frozenset()) -> Mapping[str, int]:
    """The figures that six dice (ascending) show, with their points; `exact`: as `DrapkyRules.exact`."""
    return {figure.key: points for figure in _figures(exact) if (points := figure.points(dice))}


def _figures(exact: frozenset[str]) -> list[Figure]:
    return [_EXACT[figure.key] if figure.key in exact else figure for figure in FIGURES]


def _counts(dice: Dice) -> list[int]:
    """How often each value occurs, most first."""
    return sorted((dice.count(face) for face in set(dice)), reverse=True)


def _number(face: int) -> Callable[[Dice], int]:
    return lambda dice: face * dice.count(face) if dice.count(face) >= 3 else 0


def _two_plus_three(counts: tuple[int, ...]) -> Callable[[Dice], int]:
    """The best sum of two of one face and three of another, which occurs as often as one of `counts`."""

    def points(dice: Dice) -> int:
        pairs = [face for face in FACES if dice.count(face) >= 2]
        triples = [face for face in FACES if dice.count(face) in counts]
        return max((3 * triple + 2 * pair for triple in triples for pair in pairs if pair != triple), default=0)

    return points


def _sum_if(counts: list[int]) -> Callable[[Dice], int]:
    return lambda dice: sum(dice) if _counts(dice) == counts else 0


def _pyramid(dice: Dice) -> int:
    if _counts(dice) != [3, 2, 1]:
        return 0
    three, two, one = sorted(set(dice), key=dice.count, reverse=True)
    return sum(dice) if three > two > one else 0


def _poker(counts: tuple[int, ...]) -> Callable[[Dice], int]:
    return lambda dice: max((4 * face for face in FACES if dice.count(face) in counts), default=0)


FIGURES = (
    *(
        Figure(
            key,
            title,
            _number(face),
            T("at least three dice that show {face}", face=face),
            T("the sum of the dice that show {face}", face=face),
        )
        for face, (key, title) in enumerate(FACE_TITLES, start=1)
    ),
    Figure(
        "two-plus-three",
        N_("Two plus three"),
        _two_plus_three((3, 4)),
        T("two of one and three of another"),
        T("the sum of those five"),
    ),
    Figure("pairs", N_("Pairs"), _sum_if([2, 2, 2]), T("three different pairs")),
    Figure("triples", N_("Triples"), _sum_if([3, 3]), T("two different triples")),
    Figure("pyramid", N_("Pyramid"), _pyramid, T("three of one, two of a lower and one of a still lower value")),
    Figure("poker", N_("Poker"), _poker((4, 5, 6)), T("at least four alike"), T("the sum of those four")),
    Figure(
        "hiroshima", N_("Hiroshima"), lambda dice: 11 * (dice == (1, 1, 1, 1, 1, 6)), T("one 6, five 1s"), Text("11")
    ),
    Figure("general", N_("General"), _sum_if([6]), T("six alike")),
    Figure("straight", N_("Straight"), lambda dice: 21 * (dice == FACES), T("1 to 6"), Text("21")),
)

_BY_KEY = {figure.key: figure for figure in FIGURES}

_EXACT = {
    "two-plus-three": _BY_KEY["two-plus-three"]._replace(
        points=_two_plus_three((3,)), what=T("two of one and exactly three of another")
    ),
    "poker": _BY_KEY["poker"]._replace(points=_poker((4,)), what=T("exactly {count} alike", count=4)),
}


GAME = GameType(
    key="drapky",
    title=N_("Figures"),
    summary=N_("Collect every figure once; unused throws are saved."),
    order=3,
    family=Drapky,
    rules_with=lambda settings: DrapkyRules(**settings),
    options=(
        Flag(
            "exact_two_plus_three",
            False,
            T("two plus three needs exactly three of one and two of another, or two triples"),
        ),
        Flag("exact_poker", False, T("poker needs exactly four alike")),
    ),
)
