"""What may be done with a throw that is not confirmed yet, and which dice may have stayed before it.

Pure: the rules are asked, and the table stays as it is."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import scorer
from web.table.stored_table import Json
from web.table.view import ThrowChoice


def choices_after(table: scorer.Table) -> list[ThrowChoice]:
    """What may follow the last throw at once, the sensible ones first; none if the throw ended its turn.

    Of games with points of a turn. On a sheet, the entries of `legal` are the choices.
    """
    game, state = table.game, table.state
    if any(event["event"] == "turn" for event in table.steps[-1].events):
        return []
    found = []
    for entry in table.legal:
        if entry["do"] in ("set-aside", "shut"):
            found += _after_choice(
                game, state, {name: entry[name] for name in ("do", "dice", "tiles") if name in entry}
            )
        elif entry["do"] == "bank":
            found.append(ThrowChoice(actions=[{"do": "bank"}], points=entry["points"], dice_left=0))
    return _sensible_first(found)


def _after_choice(game: scorer.Game[Any], state: Any, action: Json) -> list[ThrowChoice]:
    """What was chosen with a bank after it, if that is legal, and alone."""
    after, events = game.apply(state, action)
    if any(event["event"] == "turn" for event in events):  # it ended by itself, as after a last throw
        return [ThrowChoice(actions=[action], points=_worth_of(events), dice_left=0)]
    banks = [entry["points"] for entry in game.legal(after) if entry["do"] == "bank"]
    banked = [ThrowChoice(actions=[action, {"do": "bank"}], points=points, dice_left=0) for points in banks]
    return [*banked, _going_on(game, after, [action])]


def _worth_of(events: Sequence[Json]) -> int:
    """The points of the turn that ended with these events; of a hand, whatever it brings to the round."""
    points: dict[str, int] = {
        event["event"]: event["points"] for event in events if event["event"] in ("turn", "scored")
    }
    return points.get("scored", points["turn"])


def _going_on(game: scorer.Game[Any], state: Any, actions: Sequence[Json]) -> ThrowChoice:
    turn = game.turn(state)
    return ThrowChoice(actions=actions, points=turn["points"], dice_left=turn["dice_left"])


def _sensible_first(found: Sequence[ThrowChoice]) -> list[ThrowChoice]:
    """The most points to bank, the most to go on with, and the most dice to go on with; then all others by points."""
    by_points = sorted(found, key=lambda each: (-each.points, -each.dice_left))
    ends = [each for each in by_points if not each.dice_left]
    goes_on = [each for each in by_points if each.dice_left]
    by_dice = sorted(goes_on, key=lambda each: (-each.dice_left, -each.points))
    first: list[ThrowChoice] = []
    for each in [*ends[:1], *goes_on[:1], *by_dice[:1]]:
        if each not in first:
            first.append(each)
    return first + [each for each in by_points if each not in first]


def stayed_before(table: scorer.Table, thrown: int) -> list[list[int]]:
    """The dice that may have stayed on the table, if so many were thrown now: each choice once, more alike ones first.

    Empty if no dice may be kept, or not as many.
    """
    turn = table.turn
    dice: Sequence[int] = turn.get("dice") or ()
    count = len(dice) - thrown
    if "keep" not in {entry["do"] for entry in table.legal} or not 0 < count < len(dice):
        return []
    choices = sorted(set(combinations(sorted(dice), count)), key=lambda each: (-_alike(each), each))
    return [list(each) for each in choices if _expects_after(table, each) == thrown]


def _alike(dice: Sequence[int]) -> int:
    return max(map(dice.count, dice))


def _expects_after(table: scorer.Table, dice: Sequence[int]) -> int:
    """How many dice are thrown after this keep; 0 if the rules refuse it."""
    try:
        after, _ = table.game.apply(table.state, {"do": "keep", "dice": list(dice)})
    except scorer.IllegalAction:
        return 0
    expects: int = table.game.turn(after)["expects"]
    return expects
