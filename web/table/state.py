"""The state of one table: rebuilt from its log, and changed by events. Pure functions on values."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import structs

import scorer
from web.problems.problem import Problem
from web.table import events, proof
from web.table.access_list import AccessList, ConnectedWebhook, KnownPhone
from web.table.events import Event, TableStarted
from web.table.moves import NO_STEPS, Pace, PlayedGame, StepLog, Steps, Turn, game_of, no_limit, replay_log, turns_of
from web.table.photo_state import UnderReview, Waiting
from web.table.stored_table import Entry, TableRow
from web.table.view import Move, TableSettings
from web.table.watching import TableWatch


@dataclass(frozen=True)
class State:
    """Everything known of a running table. `table` is never changed: try an action on a copy."""

    row: TableRow
    table: scorer.Table
    entries: tuple[Entry, ...] = ()
    steps: Steps = NO_STEPS
    photo: UnderReview | None = None  # under review
    samples: Set[int] = frozenset()  # the log lines whose photos gave training samples
    forgotten: tuple[int, str] = (0, "")  # how often samples were deleted, and by which phone last
    settings: TableSettings = field(default_factory=TableSettings)
    set_by: Mapping[str, str] = field(default_factory=dict)  # the phones that chose these settings at this table
    hash_of_log: str | None = None  # as in `proof`, once pictures were kept; None before
    access: AccessList = field(default_factory=AccessList)
    webhooks: Mapping[str, ConnectedWebhook] = field(default_factory=dict)  # by their ids
    watched: TableWatch | None = None  # what the watching camera saw and proposes, if one watches
    lost: int | None = None  # how many log lines a damage took, 0 if unknown; None: none, and the game goes on
    night: str = ""  # the key of the club's night that it belongs to
    changes: Sequence[Mapping[str, Any]] = ()  # what happened at the club's night that this is, for `web.clubs`

    @property
    def version(self) -> int:
        """The number of lines in the log. A change names it."""
        return len(self.entries)

    @property
    def moves(self) -> tuple[Move, ...]:
        """One for each action of the record: who acted, by which phone, when."""
        return self.steps.moves

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """See `turns_of`; kept for all who look at the history of this state."""
        game = self.table.game
        return turns_of(self.moves, game.plays_rounds, "circle" in game.fields)

    @cached_property
    def steps_of_lines(self) -> Mapping[int, Sequence[int]]:
        """The numbers of the steps that each line of the log made, if they still stand, by the line's number."""
        found: dict[int, list[int]] = {}
        for number, move in enumerate(self.moves, 1):
            found.setdefault(move.seq, []).append(number)
        return found

    def knows(self, request: str) -> bool:
        """Whether a line of the log came from this request."""
        for entry in reversed(self.entries):  # noqa: SIM110 - `any` costs a call for each line
            if entry.request == request:
                return True
        return False

    def check_whole(self) -> None:
        """Raises `Problem` if a damaged store lost lines of this table."""
        if self.lost is not None:
            raise Problem("table-damaged", 409)

    def check_version(self, version: int | None) -> None:
        """Raises `Problem` if `version` is not the table's present one."""
        if version is not None and version != len(self.entries):
            raise Problem("stale", 409)

    def name(self, player: int) -> str:
        return name_in(self.table.players, player)


def name_in(names: Sequence[str], player: int) -> str:
    return names[player] if 0 <= player < len(names) else str(player)


class LoadedTable(NamedTuple):
    """A table as a store has it, before the rules are asked. `begun`: all but its game, which has only begun;
    `entries`: its log."""

    begun: State
    entries: Sequence[Entry]


def empty_state(row: TableRow) -> State:
    return State(row, scorer.Table(game_of(row), row.players))


def rebuild(loaded: LoadedTable, pace: Pace = no_limit) -> State:
    """The state after a table's log. The first illegal line and all after it count as lost: an old store without
    checksums may be damaged. `pace`: as in `replay_log`."""
    begun, entries, lost = loaded.begun, tuple(loaded.entries), loaded.begun.lost
    table, steps = replay_log(begun.row, entries, pace)
    if (gone := len(entries) - len(steps.outcomes)) > 0:
        entries, lost = entries[: len(steps.outcomes)], (lost or 0) + gone
    state = replace(begun, table=table, entries=entries, steps=steps, lost=lost)
    proved = proof.hash_of_log(begun.row, entries) if proof.has_pictures(entries) else None
    return _set(replace(state, hash_of_log=proved), begun.settings)


def begin(table_id: int, started: events.TableStarted) -> State:
    """The state of a table that has just begun. `table_id`: its number in the store."""
    row = TableRow(
        table_id,
        started.key,
        started.code,
        started.game,
        dict(started.options),
        tuple(started.players),
        started.keep_corrections,
        started.created_at,
        active_at=started.at,
        finished_at=None if started.results is None else started.at,
        digest=started.digest,
    )
    begun = replace(empty_state(row), samples=frozenset(started.samples), access=AccessList(started.owner))
    return rebuild(LoadedTable(replace(begun, settings=started.settings, night=started.night), started.lines))


def evolve(state: State, happened: Iterable[Event], played: PlayedGame | None = None) -> State:
    """The state after these events. `played`: the game as `decide` played it for their lines, if it did: then the rules
    are not asked again."""
    for event in happened:
        if isinstance(event, events.Logged):
            state = _log_lines(state, event, played)
        else:
            state = _EVOLVE[type(event)](state, event)
    return state


def _set(state: State, settings: TableSettings) -> State:
    """The state with these settings. A table that keeps pictures has a hash of its log from then on, unless it kept
    none."""
    hash_of_log = state.hash_of_log
    if settings.keeps_pictures:
        hash_of_log = hash_of_log or proof.hash_of_log(state.row, state.entries)
    elif hash_of_log is not None and not proof.has_pictures(state.entries):
        hash_of_log = None
    return replace(state, settings=settings, hash_of_log=hash_of_log)


def _change_settings(state: State, event: events.SettingsChanged) -> State:
    set_by = {**state.set_by, **dict.fromkeys(event.settings, event.device)}
    return _set(replace(state, set_by=set_by), structs.replace(state.settings, **event.settings))


def _log_lines(state: State, event: events.Logged, played: PlayedGame | None) -> State:
    entries = (*state.entries, *event.lines)
    log = StepLog(entries, state.steps)
    if played is not None:
        played.note(log, event.lines)
        table = played.table
    else:
        table = state.table.copy()
        for line in event.lines:
            log.play(table, line)
    hash_of_log = state.hash_of_log
    for line in event.lines if hash_of_log is not None else ():
        hash_of_log = proof.next_hash(hash_of_log or "", proof.line_of(line))
    at = event.lines[-1].at
    ended_at = None if event.results is None else at
    return replace(
        state,
        row=replace(state.row, active_at=at, finished_at=ended_at, digest=event.digest),
        table=table,
        entries=entries,
        steps=log.steps(),
        hash_of_log=hash_of_log,
    )


def _join(state: State, event: events.PhoneJoined) -> State:
    phones = {name: each for name, each in state.access.phones.items() if name != event.forgotten}
    access = replace(state.access, phones={**phones, event.device: event.phone})
    return replace(state, access=access)


def _move_photo(state: State, event: events.PhotoMoved) -> State:
    if not isinstance(state.photo, Waiting):
        return state
    return replace(state, photo=structs.replace(state.photo, place=event.place))


def _change_access(state: State, phones: Mapping[str, KnownPhone], guarded: bool, code: str | None = None) -> State:
    access = replace(state.access, guarded=guarded, phones={**state.access.phones, **phones})
    row = state.row if code is None else replace(state.row, code=code)
    return replace(state, access=access, row=row)


def _put(known: Mapping[str, Any], key: str, value: Any) -> Mapping[str, Any]:
    """With this value for the key; None: without the key."""
    others = {each: held for each, held in known.items() if each != key}
    return others if value is None else {**others, key: value}


def _connect_program(state: State, event: events.ProgramConnected) -> State:
    programs = _put(state.access.programs, event.hash, event.program)
    return replace(state, access=replace(state.access, programs=programs))


def _forget_dice(state: State, event: events.DiceForgotten) -> State:
    return replace(state, samples=frozenset(), forgotten=(state.forgotten[0] + 1, event.device))


_EVOLVE: Mapping[type, Callable[[State, Any], State]] = {
    events.LinesLost: lambda state, event: replace(state, lost=event.count),
    events.PhotoUnderReview: lambda state, event: replace(state, photo=event.photo),
    events.PhotoRead: lambda state, event: replace(state, photo=event.photo),
    events.PhotoMoved: _move_photo,
    events.PhotoRemoved: lambda state, event: replace(state, photo=None),
    events.SettingsChanged: _change_settings,
    events.SampleAdded: lambda state, event: replace(state, samples=(state.samples | {event.seq}) - event.dropped),
    events.SamplesDropped: lambda state, event: replace(state, samples=state.samples - event.seqs),
    events.DiceForgotten: _forget_dice,
    events.PhoneJoined: _join,
    events.AccessChanged: lambda state, event: _change_access(state, event.phones, event.guarded, event.code),
    events.TableClosed: lambda state, event: replace(state, access=replace(state.access, closed=event.closed)),
    events.ProgramConnected: _connect_program,
    events.WebhookConnected: lambda state, event: replace(
        state, webhooks=_put(state.webhooks, event.id, event.webhook)
    ),
    events.TableDeleted: lambda state, event: replace(state, access=replace(state.access, deletion=event.deletion)),
    events.TableErased: lambda state, event: state,
    events.WatchChanged: lambda state, event: replace(state, watched=event.watched),
    events.NextTableSet: lambda state, event: replace(state, row=replace(state.row, next_key=event.key)),
    events.NamesErased: lambda state, event: state,
    events.NightChanged: lambda state, event: replace(state, changes=(*state.changes, event.change)),
}


class Decision(NamedTuple):
    """What happens. `blobs`: the pictures and samples that the events name, by their hashes. `played`: the game after
    the lines of the events, for `evolve`. `starts`: the table that begins at the same moment."""

    events: Sequence[Event] = ()
    blobs: Mapping[str, bytes] = MappingProxyType({})
    played: PlayedGame | None = None
    starts: TableStarted | None = None
