"""The state of one table: rebuilt from its log, and changed by events. Pure functions on values."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

import scorer
from web.session import events, proof
from web.session.access_list import LONGEST_NAME, MOST_PHONES, AccessList, KnownPhone
from web.session.events import Event
from web.session.moves import Steps, extend_steps, replay_log
from web.session.photo_state import UnderReview
from web.session.replay import Json, apply, rebuild_table
from web.session.stored_table import ADVICE, Entry, LoadedTable, TableRow
from web.session.view import ChangedStep, Move, WatchView

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
    forgotten: tuple[int, str] = (
        0,
        "",
    )  # how often samples were deleted since the server's start, and by which phone last
    keeps_pictures: bool = False  # of its throws, as proof
    pictures_by: str = ""  # the phone that chose it, since the server's start
    last_hash: str | None = None  # of the log (`proof`), once pictures were kept; None before
    advice: str = ADVICE[0]
    advised_by: str = ""  # the phone that chose it, since the server's start
    dice_set: str = ""  # the name of the table's dice
    access: AccessList = field(default_factory=AccessList)
    watched: WatchView | None = None  # what the watching camera sees and proposes
    lost: int | None = None  # how many log lines a damage took, 0 if unknown; None: none, and the game goes on

    @property
    def version(self) -> int:
        """The number of lines in the log. A change names it."""
        return len(self.entries)

    def knows(self, request: str) -> bool:
        """Whether a line of the log came from this request."""
        return any(entry.request == request for entry in reversed(self.entries))

    def name(self, player: int) -> str:
        names = self.table.players
        return names[player] if 0 <= player < len(names) else str(player)


def rebuild(loaded: LoadedTable) -> State:
    """The state after a table's log. The first illegal line and all after it count as lost: an old store without
    checksums may be damaged."""
    row, settings, lost = loaded.row, loaded.settings, loaded.lost
    entries, table = _allowed_lines(row, loaded.entries)
    if len(entries) < len(loaded.entries):
        lost = (lost or 0) + len(loaded.entries) - len(entries)
    state = State(
        row,
        table,
        entries,
        *replay_log(row, entries)[1],
        photo=settings.photo,
        samples=settings.samples,
        advice=settings.advice,
        dice_set=settings.dice_set,
        access=settings.access,
        lost=lost,
    )
    return agree_on_pictures(state, settings.keeps_pictures)


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


def evolve(state: State, happened: Iterable[Event]) -> State:
    """The state after these events."""
    for event in happened:
        state = _EVOLVE[type(event)](state, event)
    return state


def agree_on_pictures(state: State, keeps: bool, device: str = "") -> State:
    """The state of a table that keeps pictures of its throws from now on, or no longer."""
    proves = keeps or proof.has_pictures(state.entries)
    last_hash = (state.last_hash or proof.last_hash(state.row, state.entries)) if proves else None
    return replace(state, keeps_pictures=keeps, pictures_by=device, last_hash=last_hash)


def _log_lines(state: State, event: events.Logged) -> State:
    entries = (*state.entries, *event.lines)
    if any("correct" in line.body for line in event.lines):
        table, steps = replay_log(state.row, entries)
    else:
        table = state.table.copy()
        steps = extend_steps(table, state.entries, Steps(state.moves, state.changed), event.lines)
    last_hash = state.last_hash
    for line in event.lines if last_hash is not None else ():
        last_hash = proof.next_hash(last_hash or "", proof.line_of(line))
    return replace(state, table=table, entries=entries, moves=steps.moves, changed=steps.changed, last_hash=last_hash)


def _change_access(state: State, phones: Mapping[str, KnownPhone], guarded: bool, code: str | None = None) -> State:
    access = replace(state.access, guarded=guarded, phones={**state.access.phones, **phones})
    row = state.row if code is None else replace(state.row, code=code)
    return replace(state, access=access, row=row)


def _join(state: State, event: events.PhoneJoined) -> State:
    """Notes a phone. If more than MOST_PHONES are not removed, the one that came first is forgotten."""
    named = replace(event.phone, name=event.phone.name[:LONGEST_NAME])
    phones = {**state.access.phones, event.device: named}
    there = [each for each, phone in phones.items() if not phone.out and each != state.access.owner]
    if len(there) > MOST_PHONES:
        del phones[min(there, key=lambda each: (each == event.device, phones[each].at))]
    return replace(state, access=replace(state.access, phones=phones))


def _change_programs(state: State, happened: events.ProgramConnected | events.ProgramRemoved) -> State:
    programs = {hash_: each for hash_, each in state.access.programs.items() if hash_ != happened.hash}
    if isinstance(happened, events.ProgramConnected):
        programs[happened.hash] = happened.program
    return replace(state, access=replace(state.access, programs=programs))


def _forget_dice(state: State, event: events.DiceForgotten) -> State:
    return replace(state, samples=frozenset(), forgotten=(state.forgotten[0] + 1, event.device))


_EVOLVE: Mapping[type, Callable[[State, Any], State]] = {
    events.Logged: _log_lines,
    events.LinesLost: lambda state, event: replace(state, lost=event.count),
    events.PhotoUnderReview: lambda state, event: replace(state, photo=event.photo),
    events.PhotoMoved: lambda state, event: replace(state, photo=event.photo),
    events.PhotoRemoved: lambda state, event: replace(state, photo=None),
    events.PictureKept: lambda state, event: state,
    events.PicturesAgreed: lambda state, event: agree_on_pictures(state, event.keeps, event.device),
    events.SampleAdded: lambda state, event: replace(state, samples=event.samples),
    events.SamplesDropped: lambda state, event: replace(state, samples=state.samples - event.seqs),
    events.DiceForgotten: _forget_dice,
    events.AdviceSet: lambda state, event: replace(state, advice=event.advice, advised_by=event.device),
    events.DiceNamed: lambda state, event: replace(state, dice_set=event.name),
    events.PhoneJoined: _join,
    events.AccessChanged: lambda state, event: _change_access(state, event.phones, event.guarded, event.code),
    events.TableClosed: lambda state, event: replace(state, access=replace(state.access, closed=event.closed)),
    events.ProgramConnected: _change_programs,
    events.ProgramRemoved: _change_programs,
    events.TableDeleted: lambda state, event: replace(state, access=replace(state.access, deletion=event.deletion)),
    events.TableRestored: lambda state, event: replace(state, access=replace(state.access, deletion=None)),
    events.WatchChanged: lambda state, event: replace(state, watched=event.watched),
    events.NextTableSet: lambda state, event: replace(state, row=replace(state.row, next_key=event.key)),
}
