"""What happened at a table, as other programs are told: one catalogue, derived from the log alone.

Each line of the log gives the same events whenever it is read, so their numbers hold over restarts and on all servers.
Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from web.table.json_document import Document
from web.table.moves import scores_of
from web.table.photo_state import Failed, Read
from web.table.proof import hash_in
from web.table.state import State
from web.table.view import Action, GameEvent, Score

MOST_OF_A_LINE = 100  # events of one line of the log: its number times this, and its place, is an event's number

Kind: TypeAlias = Literal[
    "throw-seen",
    "throw-confirmed",
    "set-aside",
    "kept",
    "written",
    "banked",
    "taken-over",
    "passed",
    "bust",
    "best-so-far",
    "settled",
    "undone",
    "corrected",
    "turn-begins",
    "somebody-waits",
    "game-over",
]
BY_ACTION: Mapping[str, Kind] = {
    "throw": "throw-confirmed",
    "set-aside": "set-aside",
    "keep": "kept",
    "score": "written",
    "write": "written",
    "circle": "written",
    "circle-line": "written",
    "close-round": "written",
    "bank": "banked",
    "take-over": "taken-over",
    "pass": "passed",
    "skip": "passed",
    "adjust": "settled",
}
BUSTS = ("bust", "all-lost")
ENDS_OF_TURNS = ("turn", *BUSTS)


class TableEvent(Document, frozen=True, kw_only=True):
    """Something that happened at a table.

    `number`: grows from event to event, to resume after it; null for what stands in no log ("throw-seen" and
    "somebody-waits"). `version`: the number of log lines after it. `player`, `name`: whose it is, null if it concerns
    all. `dice`: thrown, kept or set aside. `points`: that it brought, or lost at a bust. `action`: of the step.
    `followed`: what the rules did by themselves. `picture`: the hash of a throw's small picture, if the table kept one.
    `device`: who did it; `at`: when. `scores`: of all players, after it.
    """

    number: int | None
    version: int
    event: Kind
    player: int | None = None
    name: str | None = None
    dice: Sequence[int] | UnsetType = UNSET
    points: int | UnsetType = UNSET
    action: Action | UnsetType = UNSET
    followed: Sequence[GameEvent] | UnsetType = UNSET
    picture: str | UnsetType = UNSET
    device: str = ""
    at: str = ""
    scores: Sequence[Score] | UnsetType = UNSET


def last_number(lines: int) -> int:
    """A number that no event of the first `lines` lines of a log exceeds, and all later ones do."""
    return (lines + 1) * MOST_OF_A_LINE - 1


def line_events(before: State, after: State) -> list[TableEvent]:
    """The events of one line of the log, between the states around it."""
    number, line = after.version * MOST_OF_A_LINE, after.entries[-1]
    events = list(_events_of(before, after))[:MOST_OF_A_LINE]
    about: dict[str, Any] = {"version": after.version, "device": line.device, "at": line.at}
    return [TableEvent(number=number + place, **about, **event) for place, event in enumerate(events)]


def _events_of(before: State, after: State) -> Iterator[dict[str, Any]]:
    body, acted, acts = after.entries[-1].body, before.table.to_act, after.table.to_act
    if "undo" in body or "correct" in body:
        changed = after.changed[after.entries[-1].seq]
        player = None if changed.player is UNSET else changed.player
        kind = "undone" if "undo" in body else "corrected"
        yield {"event": kind, **_player(after, player), "action": changed.action, "scores": scores_of(after.table)}
    else:
        yield from _step_events(before, after)
    ended = "do" in body and any(each["event"] in ENDS_OF_TURNS for each in after.moves[-1].events)
    if ended or acts != acted:
        for player in acts:
            if ended or player not in acted or len(acts) == 1:
                yield {"event": "turn-begins", **_player(after, player)}
    if acted and not acts:
        yield {"event": "game-over", "scores": scores_of(after.table)}


def _step_events(before: State, after: State) -> Iterator[dict[str, Any]]:
    move = after.moves[-1]
    about: dict[str, Any] = {**_player(after, move.player), "action": move.action, "followed": move.events}
    dice = move.action.get("dice")
    if dice is not None:
        about["dice"] = dice
    if (picture := hash_in(after.entries[-1].body)) is not None:
        about["picture"] = picture
    yield {"event": BY_ACTION.get(str(move.action.get("do")), "settled"), **about, "scores": scores_of(after.table)}
    for each in move.events:
        if each["event"] in BUSTS:
            yield {"event": "bust", **_player(after, each.get("player")), "points": int(each.get("lost", 0))}
        elif each["event"] == "turn" and _is_best(before, each):
            yield {"event": "best-so-far", **_player(after, each.get("player")), "points": int(each["points"])}


def _is_best(before: State, turn: GameEvent) -> bool:
    """Whether a turn that ended is worth more than every one before in this game."""
    earlier = [each["points"] for move in before.moves for each in move.events if each["event"] == "turn"]
    return bool(earlier) and "instead_of" not in turn and turn["points"] > max(0, *earlier)


def photo_events(before: State | None, after: State) -> Iterator[TableEvent]:
    """What the photo under review says now: events of the present alone, without a number."""
    photo, known = after.photo, None if before is None else before.photo
    if photo is None or photo == known:
        return
    player = _thrower(after)
    about: dict[str, Any] = {"number": None, "version": after.version, "device": photo.details.device}
    if isinstance(photo, Read) and photo.problem is None:
        dice = [die.value for die in photo.result.dice]
        yield TableEvent(event="throw-seen", dice=dice, **about, **_player(after, player))
    if isinstance(photo, Read | Failed):
        yield TableEvent(event="somebody-waits", **about, **_player(after, player))


def _thrower(state: State) -> int | None:
    """The player who throws now."""
    waiting = state.table.to_act
    return waiting[0] if len(waiting) == 1 else None


def _player(state: State, player: int | None) -> dict[str, Any]:
    if player is None:
        return {"player": None, "name": None}
    return {"player": player, "name": state.name(player)}
