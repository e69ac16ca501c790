"""What happened at a table, as other programs are told: one catalogue, derived from the log alone.

Each line of the log gives the same events whenever it is read, so their numbers hold over restarts and on all servers.
Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from scorer.game import low_total_wins
from web.table.json_document import Document
from web.table.moves import LineOutcome, scores_of
from web.table.photo_state import Failed, Read, UnderReview
from web.table.proof import hash_in
from web.table.state import State, name_in
from web.table.stored_table import Entry
from web.table.view import Action, GameEvent, Move, Score

MOST_OF_A_LINE = 100  # events of one line of the log: its number times this, and its place, is an event's number

Kind: TypeAlias = Literal[
    "throw-seen",
    "throw-confirmed",
    "set-aside",
    "kept",
    "shut",
    "written",
    "banked",
    "taken-over",
    "dice-chosen",
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
    "shut": "shut",
    "score": "written",
    "write": "written",
    "circle": "written",
    "circle-line": "written",
    "close-round": "written",
    "bank": "banked",
    "take-over": "taken-over",
    "choose": "dice-chosen",
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


def events_after(state: State, number: int) -> Iterator[TableEvent]:
    """The events of a table with greater numbers than this, the oldest first. Each line is looked at only when its
    events are wanted."""
    for line in range(max(1, number // MOST_OF_A_LINE), state.version + 1):
        for event in line_events(state, line):
            if (event.number or 0) > number:
                yield event


def line_events(state: State, line: int) -> list[TableEvent]:
    entry = state.entries[line - 1]
    about: dict[str, Any] = {"version": line, "device": entry.device, "at": entry.at}
    found = islice(_events_of(state, entry, state.steps.outcomes[line - 1]), MOST_OF_A_LINE)
    return [TableEvent(number=line * MOST_OF_A_LINE + place, **about, **event) for place, event in enumerate(found)]


def _events_of(state: State, entry: Entry, outcome: LineOutcome) -> Iterator[dict[str, Any]]:
    game, after, move = state.table.game, outcome.after, outcome.move
    acted, acts = list(game.to_act(outcome.before)), list(game.to_act(after))
    scores = scores_of(game, after)
    if move is None:
        changed = state.steps.changed[entry.seq]
        player = None if changed.player is UNSET else changed.player
        kind = "undone" if "undo" in entry.body else "corrected"
        yield {"event": kind, **_player(after, player), "action": changed.action, "scores": scores}
    else:
        yield from _step_events(entry, outcome, move, scores, low_total_wins(game))
    ended = move is not None and any(each["event"] in ENDS_OF_TURNS for each in move.events)
    if ended or acts != acted:
        for player in acts:
            if ended or player not in acted or len(acts) == 1:
                yield {"event": "turn-begins", **_player(after, player)}
    if acted and not acts:
        yield {"event": "game-over", "scores": scores}


def _step_events(
    entry: Entry, outcome: LineOutcome, move: Move, scores: Sequence[Score], low_wins: bool
) -> Iterator[dict[str, Any]]:
    after = outcome.after
    about: dict[str, Any] = {**_player(after, move.player), "action": move.action, "followed": move.events}
    dice = move.action.get("dice")
    if dice is not None:
        about["dice"] = dice
    if (picture := hash_in(entry.body)) is not None:
        about["picture"] = picture
    yield {"event": BY_ACTION.get(str(move.action.get("do")), "settled"), **about, "scores": scores}
    for each in move.events:
        if each["event"] in BUSTS:
            yield {"event": "bust", **_player(after, each.get("player")), "points": int(each.get("lost", 0))}
        elif each["event"] == "turn" and not low_wins and _is_best(outcome.best, each):
            yield {"event": "best-so-far", **_player(after, each.get("player")), "points": int(each["points"])}


def _is_best(best: float | None, turn: GameEvent) -> bool:
    """Whether a turn that ended is worth more than every one before in this game, of which the best had `best`."""
    return best is not None and "instead_of" not in turn and bool(turn["points"] > max(0, best))


def photo_events(known: UnderReview | None, after: State) -> Iterator[TableEvent]:
    """What the photo under review says now: events of the present alone, without a number. `known`: the one before."""
    photo = after.photo
    if photo is None or photo == known:
        return
    player = _thrower(after)
    about: dict[str, Any] = {"number": None, "version": after.version, "device": photo.details.device}
    if isinstance(photo, Read) and photo.problem is None:
        dice = [die.value for die in photo.result.dice]
        yield TableEvent(event="throw-seen", dice=dice, **about, **_player(after.table.state, player))
    if isinstance(photo, Read | Failed):
        yield TableEvent(event="somebody-waits", **about, **_player(after.table.state, player))


def _thrower(state: State) -> int | None:
    """The player who throws now."""
    waiting = state.table.to_act
    return waiting[0] if len(waiting) == 1 else None


def _player(game_state: Any, player: int | None) -> dict[str, Any]:
    if player is None:
        return {"player": None, "name": None}
    return {"player": player, "name": name_in(game_state.seats.names, player)}
