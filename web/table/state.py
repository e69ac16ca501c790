"""The state of one table: rebuilt from its log, and changed by events. Pure functions on values."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import structs

import scorer
from web.table import events, proof
from web.table.access_list import AccessList, ConnectedWebhook, KnownPhone
from web.table.commands import Chosen
from web.table.events import Event, TableStarted
from web.table.moves import PlayedGame, Steps, replay_log
from web.table.photo_state import UnderReview, Waiting
from web.table.stored_table import Entry, Json, TableRow, apply, rebuild_table
from web.table.view import ChangedStep, Move
from web.table.watching import TableWatch

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class State:
    """Everything known of a running table. `table` is never changed: try an action on a copy."""

    row: TableRow
    table: scorer.Table
    entries: tuple[Entry, ...] = ()
    moves: tuple[Move, ...] = ()  # one per action of the record: who acted, by which phone, when
    changed: Mapping[int, ChangedStep] = field(default_factory=dict)  # by the number of an undo's or correction's line
    photo: UnderReview | None = None  # under review
    samples: Set[int] = frozenset()  # the log lines whose photos gave training samples
    forgotten: tuple[int, str] = (0, "")  # how often samples were deleted since the start, and by which phone last
    chosen: Chosen = field(default_factory=Chosen)
    chosen_by: Mapping[str, str] = field(default_factory=dict)  # the phones that chose these fields, as far as known
    last_hash: str | None = None  # of the log (`proof`), once pictures were kept; None before
    access: AccessList = field(default_factory=AccessList)
    webhooks: Mapping[str, ConnectedWebhook] = field(default_factory=dict)  # by their ids
    watched: TableWatch | None = None  # what the watching camera saw and proposes, if one watches
    lost: int | None = None  # how many log lines a damage took, 0 if unknown; None: none, and the game goes on

    @property
    def version(self) -> int:
        """The number of lines in the log. A change names it."""
        return len(self.entries)

    def knows(self, request: str) -> bool:
        """Whether a line of the log came from this request."""
        for entry in reversed(self.entries):  # noqa: SIM110 - `any` costs a call for each line
            if entry.request == request:
                return True
        return False

    def name(self, player: int) -> str:
        names = self.table.players
        return names[player] if 0 <= player < len(names) else str(player)


class LoadedTable(NamedTuple):
    """A table as a store has it, before the rules are asked. `settings`: all but its game, which has only begun;
    `entries`: its log."""

    settings: State
    entries: Sequence[Entry]


def empty_state(row: TableRow) -> State:
    """The state of a table before the first line of its log."""
    return State(row, scorer.Table(scorer.game(row.game, **row.options), row.players))


def rebuild(loaded: LoadedTable) -> State:
    """The state after a table's log. The first illegal line and all after it count as lost: an old store without
    checksums may be damaged."""
    settings, entries, lost = loaded.settings, tuple(loaded.entries), loaded.settings.lost
    try:
        table, steps = replay_log(settings.row, entries)
    except (scorer.Refusal, LookupError, TypeError, ValueError):
        entries, _ = _allowed_lines(settings.row, entries)
        lost = (lost or 0) + len(loaded.entries) - len(entries)
        table, steps = replay_log(settings.row, entries)
    state = replace(settings, table=table, entries=entries, moves=steps.moves, changed=steps.changed, lost=lost)
    return choose(replace(state, last_hash=None), settings.chosen)


def record_of(row: TableRow, entries: Sequence[Entry]) -> Json:
    """The game record of a stored log, up to its first illegal line."""
    record: Json = _allowed_lines(row, entries)[1].record()
    return record


def _allowed_lines(row: TableRow, entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], scorer.Table]:
    """The lines before the first illegal one, and the table after them."""
    table = scorer.Table(scorer.game(row.game, **row.options), row.players)
    for number, entry in enumerate(entries):
        try:
            apply(table, entry.body)
        except (scorer.Refusal, LookupError, TypeError, ValueError) as error:
            logger.warning("line %d of the log of table %d does not follow: %s", entry.seq, row.id, error)
            bodies = (each.body for each in entries[:number])
            return tuple(entries[:number]), rebuild_table(row.game, row.options, row.players, bodies)
    return tuple(entries), table


def begin(table_id: int, started: events.TableStarted) -> State:
    """The state of a table that has just begun. `table_id`: its number in the store."""
    row = TableRow(
        table_id,
        started.key,
        started.code,
        started.game,
        scorer.options_of_table(started.game, started.options),
        tuple(started.players),
        started.keep_corrections,
        started.created_at,
        active_at=started.at,
        finished_at=None if started.results is None else started.at,
        digest=started.digest,
    )
    begun = replace(empty_state(row), samples=frozenset(started.samples), access=AccessList(started.owner))
    return rebuild(LoadedTable(replace(begun, chosen=started.chosen), started.lines))


def evolve(state: State, happened: Iterable[Event], played: PlayedGame | None = None) -> State:
    """The state after these events. `played`: the game as `decide` played it for their lines, if it did: then the rules
    are not asked again."""
    for event in happened:
        if isinstance(event, events.Logged):
            state = _log_lines(state, event, played)
        else:
            state = _EVOLVE[type(event)](state, event)
    return state


def choose(state: State, chosen: Chosen, by: Mapping[str, str] = MappingProxyType({})) -> State:
    """The state of a table with these settings. `by`: the phones that chose, by the names of the fields. A table that
    keeps pictures has a hash of its log from then on."""
    proves = chosen.keeps_pictures or proof.has_pictures(state.entries)
    last_hash = (state.last_hash or proof.last_hash(state.row, state.entries)) if proves else None
    return replace(state, chosen=chosen, chosen_by={**state.chosen_by, **by}, last_hash=last_hash)


def _change_setting(name: str) -> Callable[[State, Any], State]:
    """Sets a field of `Chosen` to what an event of `events.SETTINGS` says."""

    def change(state: State, event: Any) -> State:
        value, device = structs.astuple(event)
        return choose(state, replace(state.chosen, **{name: value}), {name: device})

    return change


def _log_lines(state: State, event: events.Logged, played: PlayedGame | None) -> State:
    entries = (*state.entries, *event.lines)
    if played is None and any("correct" in line.body for line in event.lines):
        table, steps = replay_log(state.row, entries)
    else:
        if played is None:
            played = PlayedGame(state.table)
            for line in event.lines:
                played.apply(line.body)
        steps = played.steps(state.entries, Steps(state.moves, state.changed), event.lines)
        table = played.table
    last_hash = state.last_hash
    for line in event.lines if last_hash is not None else ():
        last_hash = proof.next_hash(last_hash or "", proof.line_of(line))
    at = event.lines[-1].at
    ended_at = None if event.results is None else at
    return replace(
        state,
        row=replace(state.row, active_at=at, finished_at=ended_at, digest=event.digest),
        table=table,
        entries=entries,
        moves=steps.moves,
        changed=steps.changed,
        last_hash=last_hash,
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


def _change_programs(state: State, happened: events.ProgramConnected | events.ProgramRemoved) -> State:
    programs = {hash_: each for hash_, each in state.access.programs.items() if hash_ != happened.hash}
    if isinstance(happened, events.ProgramConnected):
        programs[happened.hash] = happened.program
    return replace(state, access=replace(state.access, programs=programs))


def _disconnect(state: State, event: events.WebhookDisconnected) -> State:
    return replace(state, webhooks={id_: each for id_, each in state.webhooks.items() if id_ != event.id})


def _give_up(state: State, id_: str, given_up: bool) -> State:
    return replace(state, webhooks={**state.webhooks, id_: replace(state.webhooks[id_], given_up=given_up)})


def _forget_dice(state: State, event: events.DiceForgotten) -> State:
    return replace(state, samples=frozenset(), forgotten=(state.forgotten[0] + 1, event.device))


_EVOLVE: Mapping[type, Callable[[State, Any], State]] = {
    events.LinesLost: lambda state, event: replace(state, lost=event.count),
    events.PhotoUnderReview: lambda state, event: replace(state, photo=event.photo),
    events.PhotoMoved: _move_photo,
    events.PhotoRemoved: lambda state, event: replace(state, photo=None),
    events.PictureKept: lambda state, event: state,
    **{event: _change_setting(name) for name, event in events.SETTINGS.values()},
    events.SampleAdded: lambda state, event: replace(state, samples=(state.samples | {event.seq}) - event.dropped),
    events.SamplesDropped: lambda state, event: replace(state, samples=state.samples - event.seqs),
    events.DiceForgotten: _forget_dice,
    events.DiceNamed: lambda state, event: choose(state, replace(state.chosen, dice_set=event.name)),
    events.PhoneJoined: _join,
    events.AccessChanged: lambda state, event: _change_access(state, event.phones, event.guarded, event.code),
    events.TableClosed: lambda state, event: replace(state, access=replace(state.access, closed=event.closed)),
    events.ProgramConnected: _change_programs,
    events.ProgramRemoved: _change_programs,
    events.WebhookConnected: lambda state, event: replace(state, webhooks={**state.webhooks, event.id: event.webhook}),
    events.WebhookDisconnected: _disconnect,
    events.WebhookGivenUp: lambda state, event: _give_up(state, event.id, given_up=True),
    events.WebhookRetried: lambda state, event: _give_up(state, event.id, given_up=False),
    events.TableDeleted: lambda state, event: replace(state, access=replace(state.access, deletion=event.deletion)),
    events.TableErased: lambda state, event: state,
    events.TableRestored: lambda state, event: replace(state, access=replace(state.access, deletion=None)),
    events.WatchChanged: lambda state, event: replace(state, watched=event.watched),
    events.NextTableSet: lambda state, event: replace(state, row=replace(state.row, next_key=event.key)),
}


class Decision(NamedTuple):
    """What happens. `blobs`: the pictures and samples that the events name, by their hashes. `played`: the game after
    the lines of the events, for `evolve`. `starts`: the table that begins at the same moment."""

    events: Sequence[Event] = ()
    blobs: Mapping[str, bytes] = MappingProxyType({})
    played: PlayedGame | None = None
    starts: TableStarted | None = None
