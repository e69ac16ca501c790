"""Short turns that show what rules of whole turns do in a changed game: an opening, a penalty for busts in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, cycle, islice
from typing import Any, NamedTuple, TypeVar

from scorer.actions import FACES
from scorer.combinations import Dice
from scorer.game import Game
from scorer.refusals import IllegalAction
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand, TenThousandState
from scorer.texts import T, Text, counted_text

G = TypeVar("G", bound=Game[Any])

TRIED_THROWS = 60


class TurnWorth(NamedTuple):
    """Throws of one or more turns and what they come to: points, or why they may not be banked. `before`: the points or
    the refusal in the game before the changes; None if it had none.
    """

    title: Text
    throws: tuple[Dice, ...]
    worth: int | Text
    before: int | Text | None = None


def trial_turns(game: Game[Any], old: Game[Any] | None) -> Iterator[TurnWorth]:
    """Turns that show the rules of whole turns which a game has, or had before the changes."""
    alike = old is not None and old.dice == game.dice
    if isinstance(game, TenThousand):
        yield from _races([game, old] if alike and isinstance(old, TenThousand) else [game])
    elif isinstance(game, SheetGame):
        sheets = [game, old] if alike and isinstance(old, SheetGame) else [game]
        if any(each.rules.saved_throws for each in sheets):
            yield _turn_worth(
                T("throws of a turn after one that was written at once"),
                ((1,) * game.dice,),
                sheets,
                _throws_after_saving,
            )


def _races(games: Sequence[TenThousand]) -> Iterator[TurnWorth]:
    """`games`: the changed game, and the one before if there was one."""
    if any(game.rules.opening or game.rules.minimum for game in games):
        throw = _small_throw(games)
        if throw:
            yield _turn_worth(T("first turn"), (throw,), games, _first_turn)
    if any(game.rules.nothing_scores for game in games):
        nothing, bust = _bust(games[0], games[0].dice), _bust_turn(games[0])
        if nothing:
            yield _turn_worth(T("a first throw in which nothing scores"), (nothing,), games, _first_turn)
        if bust:
            yield _turn_worth(T("a turn that ends in a bust"), bust, games, _total_after)
    in_a_row = next((game.rules.penalty_busts for game in games if game.rules.penalty), 0)
    if in_a_row:
        busts = _bust_turn(games[0]) * in_a_row
        if busts:
            title = counted_text("{count} bust in a row", "{count} busts in a row", in_a_row)
            yield _turn_worth(title, busts, games, _total_after)


def _turn_worth(
    title: Text,
    throws: tuple[Dice, ...],
    games: Sequence[G],
    play: Callable[[G, tuple[Dice, ...]], int | Text],
) -> TurnWorth:
    """The throws in the changed game, the first of `games`, and in the one before, where they can be."""
    try:
        before = play(games[1], throws) if len(games) > 1 else None
    except IllegalAction:
        before = None
    return TurnWorth(title, throws, play(games[0], throws), before)


def _first_turn(game: TenThousand, throws: tuple[Dice, ...]) -> int | Text:
    """What a player's first turn brings that is banked after one throw, or why it may not be."""
    state = game.apply(game.start(players=1), {"do": "throw", "dice": list(throws[0])})[0]
    if state.waiting:
        best = max(game.choices_in(state, throws[0]), key=lambda choice: (choice.points, -len(choice.dice)))
        state = game.apply(state, {"do": "set-aside", "dice": list(best.dice)})[0]
    if not state.turns:
        try:
            state = game.apply(state, {"do": "bank"})[0]
        except IllegalAction as refusal:
            return refusal.text
    return game.scores(state)[0]


def _total_after(game: TenThousand, throws: tuple[Dice, ...]) -> int:
    """The total after these throws of a player who has no points yet, and who sets aside what brings least."""
    state: TenThousandState = game.start(players=1)
    for dice in throws:
        state = _after_throw(game, state, dice)
    return game.scores(state)[0]


def _after_throw(game: TenThousand, state: TenThousandState, dice: Dice) -> TenThousandState:
    """The state after a throw, in which what brings least is set aside if anything must be."""
    state = game.apply(state, {"do": "throw", "dice": list(dice)})[0]
    if not state.waiting:
        return state
    least = min(game.choices_in(state, dice), key=lambda choice: (len(choice.dice), choice.points))
    return game.apply(state, {"do": "set-aside", "dice": list(least.dice)})[0]


def _small_throw(games: Sequence[TenThousand]) -> Dice:
    """The throw that brings most and yet too little to bank in one of the games; () if none is found."""
    found: dict[Dice, int] = {}
    for dice in islice(_throws_of(games[0]), TRIED_THROWS):
        points = max((choice.points for choice in games[0].choices(dice)), default=0)
        if 0 < points < max(max(game.rules.opening, game.rules.minimum) for game in games):
            found[dice] = points
    return max(found, key=lambda dice: found[dice], default=())


def _throws_of(game: TenThousand) -> Iterator[Dice]:
    """The dice of each combination beside others."""
    for combination in game.rules.table:
        for base, _ in combination.dice[:2]:
            others = [face for face in (4, 3, 6, 2, 5, 1) if face not in base] or FACES
            yield tuple(sorted(islice(chain(base, cycle(others)), game.dice)))


def _bust_turn(game: TenThousand) -> tuple[Dice, ...]:
    """The throws of a turn that ends in a bust: with the first of them, or the second; () if none is found."""
    bust = () if game.rules.nothing_scores else _bust(game, game.dice)
    if bust:
        return (bust,)
    for dice in islice(_throws_of(game), TRIED_THROWS):
        state = _after_throw(game, game.start(players=1), dice)
        if not state.turns and state.left < game.dice and (bust := _bust(game, state.left)):
            return (dice, bust)
    return ()


def _bust(game: TenThousand, count: int) -> Dice:
    """So many dice in which no combination scores; () if there are none."""
    scoring = game.rules.combinations  # without what a throw brings in which nothing scores
    middling = sorted(FACES, key=lambda face: (bool(scoring.choices((face,))), face))
    tried = (
        tuple(sorted(islice(cycle([*middling[first:some], *middling[:first]]), count)))
        for some in (4, 3, 5, 2, 6, 1)
        for first in range(some)
    )
    return next((dice for dice in tried if not scoring.choices(dice)), ())


def _throws_after_saving(game: SheetGame, throws: tuple[Dice, ...]) -> int:
    """The throws of a player's second turn, if the first was written after this one throw."""
    state = game.apply(game.start(players=1), {"do": "throw", "dice": list(throws[0])})[0]
    entry = next(each for each in game.legal(state) if each["do"] == "score")
    written = {name: entry[name] for name in ("do", "category", "column") if name in entry}
    return game.apply(state, written)[0].hand.throws_left
