"""What may be done with a throw that is not confirmed yet, and which dice may have stayed before it.

Pure: the rules are asked, and the table stays as it is."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import scorer
from web.table.stored_table import Json
from web.table.view import ThrowChoice


def choices_after(game: scorer.Game[Any], state: Any, points: int, legal: Sequence[Json]) -> list[ThrowChoice]:
    """What may follow a throw in its turn at once, the sensible ones first. `state`: after it; `points`: of the turn;
    `legal`: as in a table's view then.

    Of games with points of a turn. On a sheet, the entries of `legal` are the choices.
    """
    found = []
    for entry in legal:
        if entry["do"] == "bank":
            found.append(ThrowChoice(actions=[{"do": "bank"}], points=entry["points"], dice_left=0))
        elif entry["do"] in ("set-aside", "shut"):
            action: Json = {name: entry[name] for name in ("do", "dice", "tiles") if name in entry}
            if entry.get("points") and "may_bank" in entry:  # of a race: all that follows stands in the entry
                worth = points + entry["points"]
                banks = [worth] if entry["may_bank"] else []
                found += _bank_or_go_on([action], banks, worth, entry["dice_left"])
            else:
                found += _after_choice(game, state, action)
    return _sensible_first(found)


def _bank_or_go_on(actions: list[Json], banks: Sequence[int], points: int, dice_left: int) -> list[ThrowChoice]:
    """What was chosen with a bank of each of these points after it, and alone."""
    banked = [ThrowChoice(actions=[*actions, {"do": "bank"}], points=worth, dice_left=0) for worth in banks]
    return [*banked, ThrowChoice(actions=actions, points=points, dice_left=dice_left)]


def _after_choice(game: scorer.Game[Any], state: Any, action: Json) -> list[ThrowChoice]:
    """What was chosen with a bank after it, if that is legal, and alone."""
    after, events = game.apply(state, action)
    if any(event["event"] == "turn" for event in events):  # it ended by itself, as after a last throw
        return [ThrowChoice(actions=[action], points=_worth_of(events), dice_left=0)]
    turn, banks = game.turn(after), [entry["points"] for entry in game.legal(after) if entry["do"] == "bank"]
    return _bank_or_go_on([action], banks, turn["points"], turn["dice_left"])


def _worth_of(events: Sequence[Json]) -> int:
    """The points of the turn that ended with these events; of a hand, whatever it brings to the round."""
    points: dict[str, int] = {
        event["event"]: event["points"] for event in events if event["event"] in ("turn", "scored")
    }
    return points.get("scored", points["turn"])


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
