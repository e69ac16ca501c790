"""What people remember of a game: moments on the way, the best throw, and the turn that decided. Pure."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import UNSET

import scorer
from scorer.game import Step, low_total_wins
from scorer.turns.hand import HandGame
from web.table.happenings import BUSTS
from web.table.proof import hash_in
from web.table.state import State
from web.table.view import BestThrow, Decided, Ending, GameMoment

QUIET = ("keep", "set-aside")  # actions without a moment, unless something else followed from them
LEAST_ALIKE = 5  # dice
LEAST_TURNS = 2  # that a player has ended, before a better one is worth telling


def moments_of(state: State) -> list[GameMoment]:
    """The moments of the last actions, which were made at once; none at the start, after an undo or a correction."""
    moves = state.steps.moves
    quiet = not moves or (moves[-1].action["do"] in QUIET and not moves[-1].events)
    if quiet or "do" not in state.entries[-1].body or state.table.over:
        return []
    first = len(moves) - state.steps.together
    of_steps = [moment for step in range(first, len(moves)) for moment in _of_step(state, step)]
    return of_steps + _lead(state, first)


def _of_step(state: State, number: int) -> Iterator[GameMoment]:
    step, move = state.table.steps[number], state.steps.moves[number]
    if move.action["do"] == "adjust" or move.player is None:
        return
    if move.action["do"] == "throw":
        dice = _dice_after(state, number)
        if len(dice) >= LEAST_ALIKE and max(map(dice.count, dice)) >= LEAST_ALIKE:
            yield GameMoment(kind="alike", player=move.player, dice=dice)
    for event in step.events:
        if event["event"] in (*BUSTS, "overshot"):
            yield GameMoment(kind="bust", player=event["player"], points=event.get("lost", 0))
        elif (
            event["event"] == "turn"
            and "instead_of" not in event
            and not low_total_wins(state.table.game)
            and event["points"] > max(0, *_turns(state, number, event["player"]))
        ):
            yield GameMoment(kind="best-turn", player=event["player"], points=event["points"])


def _turns(state: State, before: int, player: int) -> list[float]:
    """What the turns of this player brought before a step; more than anything if he had too few."""
    found: list[float] = [
        event["points"]
        for move in state.moves[:before]
        for event in move.events
        if event["event"] == "turn" and event["player"] == player
    ]
    return found if len(found) >= LEAST_TURNS else [float("inf")]


def _dice_after(state: State, number: int) -> list[int]:
    """The dice on the table after a throw, those kept before it included."""
    step = state.table.steps[number]
    dice: list[int] = list(step.action["dice"])
    return max(dice, list(state.table.game.turn(step.after).get("dice") or []), key=len)


def _lead(state: State, first: int) -> list[GameMoment]:
    """Who took the lead, if a round ended at or after step `first` and another player led the one before."""
    ends = _round_ends(state.table)
    now = next(ends, None)
    if now is None or now < first:
        return []
    before = next(ends, None)
    leaders, had = _leaders(state.table, now), set() if before is None else _leaders(state.table, before)
    if not had or len(leaders) > 1 or leaders <= had:
        return []
    return [GameMoment(kind="lead", player=player) for player in leaders]


def _round_ends(table: scorer.Table) -> Iterator[int]:
    """The steps with which all players had had their turn, or the game was over, the last first; none for one player.

    Where all write the same throw, each throw is a round. Games that play rounds count them themselves.
    """
    game, steps = table.game, table.steps
    if not steps or len(table.players) == 1:
        return
    if game.plays_rounds:
        for number in range(len(steps) - 1, -1, -1):
            if game.turns_done(steps[number].after) > game.turns_done(steps[number].before):
                yield number
        return
    together = "circle" in game.fields
    after = _seat(table, steps[-1].after)
    for number in range(len(steps) - 1, -1, -1):
        before = _seat(table, steps[number].before)
        if together and number and steps[number].action["do"] == "throw":
            yield number - 1
        elif before is not None and (after is None or (after < before and not together)):
            yield number
        after = before


def _seat(table: scorer.Table, state: Any) -> int | None:
    """The place in the order of the player whose turn it is; None if the game is over."""
    player = table.game.player_in_turn(state)
    order = list(state.seats.playing(len(state.seats.names)))
    return order.index(player) if player in order else None


def _leaders(table: scorer.Table, number: int) -> set[int]:
    state = table.steps[number].after
    places = table.game.places(state, list(table.game.scores(state)))
    return {player for player, place in enumerate(places) if place == 1}


def ending_of(state: State, is_kept: Callable[[int], bool]) -> Ending:
    """What is told of a game at its end; of a running game, what there is so far. `is_kept`: whether the picture that a
    line of the log names is here: a record comes without."""
    return Ending(version=state.version, best=_best_throw(state, is_kept), decided=_deciding_turn(state))


def _deciding_turn(state: State) -> Decided | None:
    """The round after which the winner led to the end; None without a single winner among several players."""
    table = state.table
    winners = table.winners
    if len(winners) != 1 or len(table.players) < 2:
        return None
    (winner,) = winners
    ends = list(_round_ends(table))[::-1]
    led = [_leaders(table, number) == {winner} for number in ends]
    if not led or not led[-1]:
        return None  # settled by hand since
    turn = len(led) - led[::-1].index(False) if False in led else 0
    scores = [table.game.scores(table.steps[number].after)[winner] for number in ends]
    gained = scores[turn] - (scores[turn - 1] if turn else 0)
    return Decided(player=winner, turn=turn + 1, turns=len(ends), points=gained)


def _best_throw(state: State, is_kept: Callable[[int], bool]) -> BestThrow | None:
    """The throw that brought the most points; None before any did, where all write the same throw, and on a pad."""
    table = state.table
    standing = table.standing()
    if "lines" in standing or "pad" in standing or low_total_wins(table.game):
        return None
    if isinstance(table.game, HandGame) and (table.game.rules.low_wins or table.game.rules.ranked):
        return None
    gain = _gain(table, "round_points" in standing["players"][0])
    best: tuple[int, int] | None = None  # points, and the number of the step
    thrown: int | None = None
    gained = 0
    for number, step in enumerate(table.steps):
        if step.action["do"] == "throw":
            thrown, gained = number, 0
        elif step.action["do"] == "adjust":
            thrown = None
        if thrown is None or (player := state.moves[thrown].player) is None:
            continue
        gained += gain(step, player)
        if gained > 0 and (best is None or gained > best[0]):
            best = gained, thrown
    if best is None:
        return None
    points, number = best
    move = state.moves[number]
    assert move.player is not None
    picture = hash_in(state.entries[move.seq - 1].body) is not None and is_kept(move.seq)
    dice = _dice_after(state, number)
    return BestThrow(player=move.player, dice=dice, points=points, picture=move.seq if picture else UNSET)


def _gain(table: scorer.Table, counts_rounds: bool) -> Callable[[Step, int], int]:
    """By how much a step raised what a player has: his score, and the points of his turn where they are not in it yet.
    `counts_rounds`: the score is of rounds won and says nothing of throws, so it is what the throw scored.
    """
    game = table.game
    if counts_rounds:
        return lambda step, _: sum(event["points"] for event in step.events if event["event"] == "scored")

    def score(state: Any, player: int) -> int:
        scores = game.scores(state)
        return scores[player] if player < len(scores) else 0  # he joined later

    def points(state: Any, player: int) -> int:
        turn = game.turn(state)
        return int(turn["points"]) if turn["player"] == player else 0

    def rise(step: Step, of: Callable[[Any, int], int]) -> bool:
        player = game.player_in_turn(step.before)
        return player is not None and of(step.after, player) > of(step.before, player)

    apart = not any(rise(step, points) and rise(step, score) for step in table.steps)

    def worth(state: Any, player: int) -> int:
        return score(state, player) + (points(state, player) if apart else 0)

    return lambda step, player: worth(step.after, player) - worth(step.before, player)
