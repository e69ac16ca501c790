"""The running tables: each one's state in memory, rebuilt from its log, and every way to change it.

All methods are safe to call from several threads. What they return is the table's state as JSON-ready data, the
same for every phone and in no language: texts are made by the page.
"""

import contextlib
import functools
import hashlib
import itertools
import json
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar, cast

import scorer
from web.asking import asking
from web.problems import Problem
from web.session.access_list import AccessList, KnownPhone, tag
from web.session.log import ADVICE, LONGEST_DICE_SET, Entry, TableRow
from web.session.names import alike, check_shown
from web.session.photo import UnderReview, to_json
from web.session.preview import after_photo, after_throw
from web.session.replay import Json, apply, rebuilt, results
from web.store.previous import Ledger, Overtaken
from web.store.stamps import now

Seen = TypeVar("Seen")
Change = TypeVar("Change", bound=Callable[..., object])

logger = logging.getLogger(__name__)

# How much is kept in memory, in lines of logs, each of 2 to 3 kB; other tables are rebuilt when somebody looks at them.
CACHED_LINES = 60_000
LINES_OF_A_TABLE = 20  # what a table takes besides its lines
CACHED_FINISHED = 10  # games that are over: people look at the result and start the next one
RECENT_LINES = 4
# Begins the request of a line that another line's request brought: a keep with its throw, a throw's only set-aside, and
# their undo.
WITH = "with-"
LONGEST_REQUEST = 64  # letters
# How often a change is tried that another process was quicker than: in knaster all players write at once.
TRIES = 20
ASKS_EVERY_S = 0.05  # whether a table is free, or why not
SHOWN_AFTER_S = 0.25  # without a change that is still on its way to the disk; most are there sooner
SHARED = "shared"  # in the stamps of a store that several processes change
LOCAL_CHANGES = 1000  # what phones are told between two changes of the store, at most: it counts on from there
# What every phone may do whoever's turn it is, and whomever it plays for: everybody at the table sees it.
FOR_ALL = ("player-renamed", "player-added", "player-removed", "turn-skipped", "order", "game")


@dataclass(frozen=True)
class Asked:
    """Who asks for a change, and at which state: `version` is the number of log lines that the phone had seen."""

    version: int
    request: str
    device: str
    plays_for: int | None = None


@dataclass
class Running:
    """A table in memory. Hold `lock` while looking at more than one field or changing any (`Playing._held`).

    `dropped`: it is no longer the one that phones are shown, since it may not be as the disk is.
    """

    row: TableRow
    table: scorer.Table
    entries: list[Entry]
    moves: list[Json]  # one per action of the record: who acted, by which phone, when
    changed: dict[int, Json]  # by the number of an undo's or a correction's line: the step that it changed, as it was
    pending: Json | None
    stamp: str
    lock: threading.RLock = field(default_factory=threading.RLock)
    state: bytes | None = None
    requests: set[str] = field(default_factory=set)  # of all entries
    taught: set[int] = field(default_factory=set)  # the lines whose photos taught how the dice look (`schema.lessons`)
    forgotten: tuple[int, str] = (0, "")  # how often these dice were forgotten since the start, and by which phone last
    lost: int | None = None  # how many lines a damage of the store took, 0 for some; None: none, and the game goes on
    dropped: bool = False
    watched: Json | None = None
    change: int = 0  # the number of the table's last change that is known here (`Ledger.change`)
    advice: str = ADVICE[0]
    dice_set: str = ""  # what the people call their dice
    door: AccessList = field(default_factory=AccessList)  # who may come
    advised_by: str = ""  # the phone that chose how much the table advises, since the server's start
    holder: int | None = None  # the thread that holds `lock` to change it
    shown: "tuple[object, Running] | None" = None  # a copy to look at while this change (`Ledger.change_of`) is made

    def __post_init__(self) -> None:
        self.requests.update(entry.request for entry in self.entries)

    @property
    def version(self) -> int:
        return len(self.entries)


def _till_seen(change: Change) -> Change:
    """Tries a change again that another process was quicker than, now with what that one did: whether both may stand,
    or were the same request, is to be seen there."""

    @functools.wraps(change)
    def tried(*arguments: object, **named: object) -> object:
        for _ in range(TRIES - 1):
            with contextlib.suppress(Overtaken):
                return change(*arguments, **named)
        return change(*arguments, **named)

    return cast(Change, tried)


class SentBefore(Exception):  # noqa: N818 - nothing is wrong
    """A phone sent a photo again that has arrived already."""


class Moment(NamedTuple):
    """A game at one moment; nothing of it changes any more. `version`: the number of lines in the table's log."""

    version: int
    advice: str
    game: Any
    state: Any
    players: int
    actions: list[Json]


def _nobody_listens(key: str, door: AccessList) -> None:
    pass


class Playing:
    """All tables of a store. `changed(key, state)` is called after every change, with the state as JSON bytes.

    `turned(key, door)` is called before that, where fewer phones may come than before. Every method but `row` refuses a
    phone that may not come to the table (`web.asking.ask_as`).
    """

    def __init__(
        self,
        store: Ledger,
        changed: Callable[[str, bytes], None],
        turned: Callable[[str, AccessList], None] = _nobody_listens,
    ) -> None:
        self.store = store
        store.on_mended = self.read_again
        self._changed = changed
        self._turned = turned
        self._running: OrderedDict[str, Running] = OrderedDict()
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self._ticks = itertools.count(1)
        self._boot = secrets.token_hex(4)
        # What the server can do besides the rules; the page leaves out what it cannot.
        # `reader_problem`: why it cannot read photos, as a refusal.
        self.abilities: Json = {"reader": True, "reader_problem": None, "camera": False}

    def start(
        self,
        game: str,
        options: Json,
        players: Sequence[str],
        keep_corrections: bool = False,
        record: Json | None = None,
        advice: str = ADVICE[0],
        owner: str = "",
    ) -> TableRow:
        """A new table; with `record` one that goes on where the record ends. Raises what `scorer` raises, and
        `Problem` for a name that holds what nobody sees. `advice`: of ADVICE. `owner`: the phone that starts it."""
        table = scorer.Table.from_record(record) if record else scorer.Table(scorer.game(game, **options), players)
        kept = table.record()
        check_shown(*kept["players"], *_names_given(kept.get("actions", [])))
        return self.store.new_table(
            kept["game"],
            kept["options"],
            kept["players"],
            keep_corrections,
            kept.get("actions", []),
            results(table),
            _digest(table),
            advice=advice,
            owner=owner,
        )

    def again(self, key: str, begins: int = 0) -> TableRow:
        """The table that follows this one, with its game, house rules and players: one, whichever phone asks first.

        `begins`: the number of the player who begins there; the order in which they sit stays. Raises `Problem` where
        nobody of that number plays any more, and while the game still runs, unless its next table is there already.
        """
        with self._held(key) as running:
            _check_open(running)
            if running.row.next_key is None and not running.table.over:
                _check_whole(running)
                raise Problem("game-not-over", 409)
            row, order = running.row, running.table.standing()["order"]
            if begins not in order:
                raise Problem("bad-request", 400, detail="begins must be a player's number")
            first = order.index(begins)
            players = [running.table.players[number] for number in order[first:] + order[:first]]
            fresh = self.store.new_table(row.game, row.options, players, row.keep_corrections, follows=row)
            if row.next_key is None:
                running.row = replace(row, next_key=fresh.key)
                self._announce(running)
            return fresh

    def go_on(self, key: str) -> TableRow:
        """The table that goes on from the last good state of a damaged one: one, whichever phone asks first."""
        with self._held(key) as running:
            if running.lost is None:
                raise Problem("bad-request", 400, detail="this table is not damaged")
            _check_open(running)
            fresh = self.store.branch(running.row, running.entries, results(running.table), _digest(running.table))
            if running.row.next_key is None:
                running.row = replace(running.row, next_key=fresh.key)
                self._announce(running)
            return fresh

    def row(self, key: str) -> TableRow:
        """The table with this key. Raises `Problem("table-unknown")`."""
        with self._lock:
            running = self._running.get(key)
        return running.row if running is not None else self._found(key)

    def _found(self, key: str) -> TableRow:
        row = self.store.find(key)
        if row is None:
            raise Problem("table-lost", 410) if self.store.is_gone(key) else Problem("table-unknown", 404)
        return row

    def state(self, key: str) -> bytes:
        """The state of the table, as JSON."""
        with self._seen(key) as running:
            return self._serialized(running)

    def stamp(self, key: str) -> str:
        """Changes with every change of the table's state, and with every start of the server."""
        return self._get(key).stamp

    def record(self, key: str) -> Json:
        """The game record, as `docs/interfaces.md` has it."""
        with self._seen(key) as running:
            record: Json = running.table.record()
            return record

    def record_of(self, row: TableRow, entries: Sequence[Entry] | None = None) -> Json:
        """The same of a table that nobody may be looking at: it is rebuilt from its log and not kept in memory.

        `entries`: its log, where that was read already.
        """
        held = self.store.entries(row.id) if entries is None else entries
        record: Json = _replayable(row, held)[1].record()
        return record

    def standing(self, key: str) -> Json:
        with self._seen(key) as running:
            standing: Json = running.table.standing()
            return standing

    def history(self, key: str) -> Json:
        """All steps of the game with who made them, and the log's lines: also the undone ones and the corrections."""
        with self._seen(key) as running:
            return {
                "version": running.version,
                "moves": [dict(move) for move in running.moves],
                "log": [
                    {
                        "seq": entry.seq,
                        "body": entry.body,
                        "device": entry.device,
                        "at": entry.at,
                        "changed": running.changed.get(entry.seq),
                    }
                    for entry in running.entries
                ],
            }

    @_till_seen
    def act(
        self,
        key: str,
        asked: Asked,
        action: Json,
        evidence: Json | None = None,
        before: Json | None = None,
        lesson: Callable[[Json], bytes | None] | None = None,
        forced: bool = False,
    ) -> tuple[bytes, Json | None]:
        """Does one action of the game. Returns the state, and the photo under review that the action settled.

        `evidence`: {"reading": id, ...} when the action is a throw read from a photo. `before`: the keep or the
        set-aside that comes before this throw: both are done, or neither. `lesson`: what that photo teaches of the
        table's dice, asked for once the throw is in the log. `forced`: a throw that allows a single set-aside is set
        aside with it, unless something came before it. Raises `Problem` when the phone's state is stale (and the action
        is not one that other players' actions leave alone), and `scorer.IllegalAction`.
        """
        with self._held(key) as running:
            if asked.request in running.requests:
                return self._serialized(running), None
            _check_whole(running)
            _check_open(running)
            if _is_stale(running, asked.version, action):
                raise Problem("stale", 409)
            player = _actor(running.table.standing(), action)
            if asked.plays_for not in (None, player) and not _is_for_all(action):
                raise Problem("other-players-turn", 403, name=_name(running.table, asked.plays_for))
            check_shown(*_names_given([action]))
            _check_twins(running.table, action)
            # One reading tells one throw: whatever is logged takes the photo under review away (`_log`).
            if evidence and (running.pending is None or running.pending["id"] != evidence["reading"]):
                raise Problem("no-reading", 409)
            if running.table.version + (before is not None) >= scorer.MOST_ACTIONS:
                raise Problem("game-too-long", most=scorer.MOST_ACTIONS)
            steps = _do(running.table, action, before, forced)
            with self._dropped_on_failure(running):
                settled, own = running.pending, int(before is not None)
                self._log(running, asked, [{"do": step.action} for step in steps], own)
                lines = running.entries[-len(steps) :]
                for step, line in zip(steps, lines, strict=True):
                    running.moves.append(_move_of(line, player, step.action, step.events, step.gained))
                if evidence and settled is not None and lesson is not None:
                    self._learn(running, lines[own].seq, lesson(settled))
                return self._announce(running), settled

    @_till_seen
    def undo(self, key: str, asked: Asked) -> tuple[bytes, Json | None]:
        """Takes back the last action, with what came with it: a throw's keep or set-aside. Returns as `act` does."""
        with self._held(key) as running:
            if asked.request in running.requests:
                return self._serialized(running), None
            _check_current(running, asked.version)
            count = _last_step(running)
            for _ in range(count):
                running.table.undo()
            with self._dropped_on_failure(running):
                settled, first = running.pending, running.version + 1
                self._log(running, asked, [{"undo": True}] * count, count - 1)
                for seq in range(first, first + count):
                    gone = running.moves.pop()
                    running.changed[seq] = {"player": gone["player"], "action": gone["action"]}
                self._unlearn(running)
                return self._announce(running), settled

    def preview_undo(self, key: str) -> Json:
        """What an undo would take back now. Nothing is changed. Raises `scorer.NothingToUndo`.

        Returns {"version": what the undo is to name, "move": the last step, "before": scores, "after": scores,
        "turn": the points of the turn before and after, None in games whose turns gather none}.
        """
        with self._seen(key) as running:
            before = running.table.standing()
            if not running.moves:
                running.table.undo()  # which says so
            move, version, count = dict(running.moves[-1]), running.version, _last_step(running)
            record = running.table.record()
        trial = scorer.Table.from_record({**record, "actions": record["actions"][:-count]})
        after = trial.standing()
        turn = [(standing["turn"] or {}).get("points") for standing in (before, after)]
        return {"version": version, "move": move, "before": _scores(before), "after": _scores(after), "turn": turn}

    def preview_correction(self, key: str, index: int, action: Json, said: Sequence[int | None] = ()) -> Json:
        """What correcting step `index` (from 1) would bring: scores before and after, and what would be settled.

        `said`: points for the turns that must be settled, as in `correct`. Nothing is changed. Returns {"version": what
        the correction is to name, "before": [...], "after": [...], "settled": [{"drop": n, "because": refusal or None,
        "adjustments": [actions]}], "dropped": steps of the running turn that would go, "was": the step's action now,
        "seq": the number of its log line, "choices": what else was legal then}.
        """
        with self._seen(key) as running:
            version = running.version
            record = running.table.record()
            before = running.table.standing()
            moves = list(running.moves)
        _check_step(index, len(record["actions"]))
        trial = scorer.Table.from_record(record)
        corrected, settled = trial.proposed(index, action, said)
        after = corrected.standing()
        return {
            "version": version,
            "was": moves[index - 1]["action"],
            "seq": moves[index - 1]["seq"],
            "before": _scores(before),
            "after": _scores(after),
            "settled": [{"drop": each.drop, "because": each.because, "adjustments": each.actions} for each in settled],
            "dropped": sum(each.drop for each in settled if not each.actions),
            "choices": [entry for entry in trial.legal_before(index) if entry["do"] != "throw"],
            "over": after["over"],
        }

    @_till_seen
    def correct(
        self,
        key: str,
        asked: Asked,
        index: int,
        action: Json,
        drop_tail: bool = False,
        said: Sequence[int | None] | None = None,
    ) -> tuple[bytes, Json | None]:
        """Replaces step `index` (from 1). Returns as `act` does.

        `said`: everything after it stands, a turn that no longer holds is settled: worth the points that are said for
        it, in order, None for what it was worth. Without: what no longer holds is refused, or goes with `drop_tail`.
        """
        with self._held(key) as running:
            if asked.request in running.requests:
                return self._serialized(running), None
            _check_current(running, asked.version)
            _check_step(index, running.table.version)
            check_shown(*_names_given([action]))
            edits = [] if said is None else [each.to_json() for each in running.table.proposed(index, action, said)[1]]
            if running.table.version + sum(len(each["actions"]) - each["drop"] for each in edits) > scorer.MOST_ACTIONS:
                raise Problem("game-too-long", most=scorer.MOST_ACTIONS)
            running.table.correct(index, action, drop_tail=drop_tail, settled=edits)
            with self._dropped_on_failure(running):
                settled = running.pending
                done = running.table.actions[index - 1]  # without what the phone added to it
                body = {"correct": index, "action": done, "drop_tail": drop_tail}
                self._log(running, asked, [{**body, "settled": edits} if edits else body])
                running.moves, running.changed = _replayed_moves(running.row, running.entries)
                self._unlearn(running)
                return self._announce(running), settled

    def due(
        self, key: str, version: int | None = None, keep: Sequence[int] | None = None, before: Json | None = None
    ) -> tuple[int, list[int]]:
        """How many dice the next throw has, once `keep` is told before it, and the values of those that lie beside it:
        set aside or kept before. `before`: the same for any action. Nothing is changed.

        Raises `Problem` when none may come now, or when `version` is stale; `scorer.IllegalAction` for a wrong `keep`.
        """
        if keep is not None:
            before = {"do": "keep", "dice": list(keep)}
        with self._seen(key) as running:
            _check_current(running, version)
            if before is not None:
                running.table.do(before)
            try:
                turn = running.table.standing()["turn"]
            finally:
                if before is not None:
                    running.table.undo()
            if not turn["expects"]:
                raise Problem("no-throw-now", 409)
            return turn["expects"], _beside(turn, running.table.game.info.dice)

    def would(self, key: str, dice: Sequence[int], keep: Sequence[int] | None) -> Json | None:
        """What would stand once this throw is told, with the dice kept for it: "to_act", "turn" and "legal" of the
        standing, where something is to be chosen on the sheet then, else None. Nothing is changed."""
        with self._seen(key) as running:
            ahead = after_throw(running.table, dice, keep)
            return None if ahead is None else _would(ahead)

    def look_at(self, key: str, what: Callable[[scorer.Table], Seen]) -> Seen:
        """`what` of the game, which it must not change, while nobody else changes it."""
        with self._seen(key) as running:
            return what(running.table)

    def version(self, key: str) -> int:
        """The number of lines in the table's log: what a change is to name."""
        with self._seen(key) as running:
            return running.version

    def moment(self, key: str) -> Moment:
        """Where a game stands now, for whoever reckons with it beside the players."""
        with self._seen(key) as running:
            table = running.table
            return Moment(running.version, running.advice, table.game, table.state, len(table.players), table.actions)

    def set_advice(self, key: str, advice: str, device: str) -> bytes:
        """Has a table advise so much, one of ADVICE, on all its phones. Returns the state."""
        with self._held(key) as running:
            _check_open(running)
            if running.advice != advice:
                self._note_change(running, self.store.set_advice(running.row.id, advice))
                running.advice, running.advised_by = advice, device
                self._announce(running)
            return self._serialized(running)

    def set_dice_set(self, key: str, name: str) -> bytes:
        """Notes what the people at a table call their dice; "" for no name. Returns the state.

        Raises `Problem` for a name that is too long or holds what nobody sees.
        """
        name = " ".join(name.split())
        if len(name) > LONGEST_DICE_SET:
            raise Problem("dice-set-long", 422, most=LONGEST_DICE_SET)
        if name:
            check_shown(name)
        with self._held(key) as running:
            _check_open(running)
            if running.dice_set != name:
                self._note_change(running, self.store.set_dice_set(running.row.id, name))
                running.dice_set = name
                self._announce(running)
            return self._serialized(running)

    def set_watched(self, key: str, watched: Json | None) -> None:
        """Tells all phones what the watching camera sees at this table; None: nothing watches."""
        with self._held(key, writes=False) as running:
            running.watched = watched
            self._announce(running)

    def taught(self, key: str) -> list[int]:
        """The numbers of the lessons on how this table's dice look, oldest first; `store.lessons` has them."""
        with self._seen(key) as running:
            return sorted(running.taught)

    def forget_dice(self, key: str, device: str) -> bytes:
        """Forgets how this table's dice look, and tells all phones which one wanted that. Returns the state."""
        with self._held(key) as running:
            _check_open(running)
            if running.taught:
                self.store.drop_lessons(running.row.id)
                running.taught = set()
                running.forgotten = (running.forgotten[0] + 1, device)
            return self._announce(running)

    def pending(self, key: str) -> Json | None:
        """The photo under review, or None."""
        with self._seen(key) as running:
            return running.pending

    def set_pending(
        self, key: str, pending: Json | None, replaces: str | None = None, version: int | None = None
    ) -> bool:
        """Sets the photo under review, if the present one is still `replaces` (None: whatever it is).

        It is no part of the game: where the disk does not take it, it is held in memory alone, unless others must know
        of it: then `Problem` is raised. `version`: the state
        that the photo belongs to. Raises `Problem("stale")` when the table has moved on from there, and `SentBefore`
        for a photo that a phone sent again and that is there already.
        """
        with self._held(key) as running:
            if version is not None and version != running.version:
                raise Problem("stale", 409)
            if replaces is None and _sent_before(running.pending, pending):
                raise SentBefore
            if replaces is not None and (running.pending is None or running.pending["id"] != replaces):
                return False
            try:
                self._note_change(running, self.store.set_pending(running.row.id, pending, replaces, version))
            except Overtaken:
                if replaces is None:
                    raise
                return False
            except Problem as problem:
                if self.store.shared:  # others would not know of it
                    raise
                logger.warning("the photo under review could not be noted: %s", problem)
            running.pending = pending
            self._announce(running)
            return True

    def check_discard(self, key: str, reading: str, plays_for: int | None) -> None:
        """Raises `Problem` when a phone bound to a player may not discard this photo, since it is another's throw."""
        with self._seen(key) as running:
            if plays_for is None or running.pending is None or running.pending["id"] != reading:
                return
            if _actor(running.table.standing(), {"do": "throw"}) != plays_for:
                raise Problem("other-players-turn", 403, name=_name(running.table, plays_for))

    def retell_pending(self, key: str, change: Callable[[Json], Json | None]) -> None:
        """Tells the phones what `change` makes of the photo under review, if anything; the disk is not told."""
        with self._held(key, writes=False) as running:
            changed = None if running.pending is None else change(running.pending)
            if changed is not None:
                running.pending = changed
                self._announce(running)

    def door(self, key: str) -> AccessList:
        """Who may come to a table, and who has been there."""
        with self._seen(key) as running:
            return running.door

    @_till_seen
    def arrive(self, key: str, device: str, name: str, invited: bool = False) -> None:
        """Notes a phone that comes to a table with an owner. `invited`: by the short code, which lets any phone in.

        Where that cannot be written, a phone that may come is let in all the same.
        """
        with self._seen(key, anybody=invited) as running:
            door = running.door
        if not _is_new(door, device, name):
            return
        try:
            self._seat(key, device, name, invited)
        except Problem as problem:
            if isinstance(problem, Overtaken) or not door.lets_in(device):
                raise
            logger.warning("a phone could not be noted: %s", problem)

    def _seat(self, key: str, device: str, name: str, invited: bool) -> None:
        with self._held(key, anybody=invited) as running:
            door = running.door
            if not _is_new(door, device, name):
                return
            known = door.phones.get(device)
            seen = KnownPhone(name, now() if known is None else known.at)
            self._note_change(running, self.store.seat(running.row.id, device, seen, running.change))
            running.door = door.with_phone(device, seen)

    @_till_seen
    def turn_out(self, key: str, wanted: str | None, out: bool = True) -> bytes:
        """Removes the phone of this tag (`doors.tag`) from a table, or lets it in again; None: all but the owner's.

        From the first one on new phones need the short code, which is another one after each. Returns the state. Raises
        `Problem` where not the owner asks.
        """
        with self._held(key) as running:
            running.door.check_owner(asking(key))
            others = {each: seen for each, seen in running.door.phones.items() if each != running.door.owner}
            meant = {each: seen for each, seen in others.items() if wanted is None or tag(key, each) == wanted}
            if not meant and wanted is not None:
                raise Problem("no-such-phone", 404)
            code = self.store.free_code() if out else None
            door = running.door.turned(meant, out)
            self._note_change(running, self.store.turn(running.row, door, meant, code, running.change))
            running.row = running.row if code is None else replace(running.row, code=code)
            self._let_in(running, door)
            return self._announce(running)

    @_till_seen
    def close_table(self, key: str, closed: bool) -> bytes:
        """Has nothing more be done at a table, or again what may be done. Returns the state. Raises `Problem` where not
        the owner asks."""
        with self._held(key) as running:
            running.door.check_owner(asking(key))
            door = replace(running.door, closed=closed)
            if door != running.door:
                self._note_change(running, self.store.set_closed(running.row.id, door, running.change))
                running.door = door
                self._announce(running)
            return self._serialized(running)

    def _let_in(self, running: Running, door: AccessList) -> None:
        """Has fewer phones, or more, come to a table: those that may not any more hear nothing of it from now on."""
        running.door = door
        if door.guarded:
            self._turned(running.row.key, door)

    def refresh(self) -> None:
        """Tells all phones their table again, after the server's abilities changed."""
        with self._lock:
            everyone = list(self._running.values())
        for running in everyone:
            with running.lock:
                if not running.dropped:
                    self._announce(running)

    def read_again(self) -> None:
        """Drops all tables in memory, since the store was made whole from what a damage left, and tells phones what
        holds of theirs."""
        with self._lock:
            everyone = list(self._running.values())
            self._running.clear()
        for running in everyone:
            running.dropped = True

        def tell() -> None:
            for running in everyone:
                with contextlib.suppress(Problem), self._held(running.row.key, anybody=True) as again:
                    self._announce(again)

        threading.Thread(target=tell, name="mended", daemon=True).start()

    @contextmanager
    def _held(self, key: str, anybody: bool = False, writes: bool = True) -> Iterator[Running]:
        """The table with its lock held. Raises `Problem("table-unknown")`, and for a phone that may not come to the
        table, unless `anybody` may; with `writes` also while another phone waits for a store that is locked."""
        asked_at = time.monotonic()
        while True:
            running = self._get(key)
            while not running.lock.acquire(timeout=ASKS_EVERY_S):
                if writes:
                    self.store.check(asked_at)
            try:
                # It may be dropped by another thread, while this one waited for the lock.
                if not running.dropped and self._is_newest(running):
                    if writes:
                        self.store.check(asked_at, waits=False)
                    if not anybody:
                        running.door.check(asking(key))
                    before, running.holder = running.holder, threading.get_ident()
                    try:
                        yield running
                    finally:
                        running.holder = before
                    return
            finally:
                running.lock.release()

    @contextmanager
    def _seen(self, key: str, anybody: bool = False) -> Iterator[Running]:
        """The table, to be looked at: it must not be changed. Raises as `_held` does. A change that is on its way to
        the disk is not waited for: the table is then shown as it was before."""
        while True:
            running = self._get(key)
            if running.lock.acquire(timeout=SHOWN_AFTER_S):
                try:
                    with self._held(key, anybody, writes=False) as held:
                        yield held
                finally:
                    running.lock.release()
                return
            shown = self._as_it_was(running)
            if shown is not None:
                if not anybody:
                    shown.door.check(asking(key))
                with shown.lock:
                    yield shown
                return

    def _as_it_was(self, running: Running) -> Running | None:
        """A copy of a table without the change that its holder has on the way to the disk, of which only the game
        itself knows yet. None where that is not what he does."""
        holder = running.holder
        change = None if holder is None else self.store.change_of(holder)
        if holder is None or change is None or running.dropped:
            return None
        shown = running.shown
        if shown is None or shown[0] is not change:
            entries = list(running.entries)
            copy = replace(
                running,
                table=_replayable(running.row, entries)[1],
                entries=entries,
                moves=[dict(move) for move in running.moves],
                changed=dict(running.changed),
                taught=set(running.taught),
                requests=set(),
                lock=threading.RLock(),
                shown=None,
            )
            shown = change, copy
        if running.holder != holder or self.store.change_of(holder) is not change or running.dropped:
            return None  # it went on meanwhile
        running.shown = shown
        return shown[1]

    def _is_newest(self, running: Running) -> bool:
        """Brings a table up to what other processes did meanwhile, and tells its phones. False: it is to be rebuilt."""
        change = self.store.change(running.row.id)
        if change == running.change:
            return True
        with self._dropped_on_failure(running), self.store.one_moment():
            found = self.store.since(running.row, running.entries[-1] if running.entries else None)
            if running.lost is not None or found is None or any("correct" in line.body for line in found[1]):
                self._drop(running)
                return False
            running.row, lines = found
            beside = self.store.beside(running.row.id)
            for line in lines:
                _append(running, line)
            running.pending = _in_its_place(_json_of(beside.photo), running.pending)
            running.taught = set(beside.samples)
            if beside.advice != running.advice:
                running.advice, running.advised_by = beside.advice, ""
            running.dice_set = beside.dice_set
            running.change = change
            if beside.access != running.door:
                self._let_in(running, beside.access)
            self._announce(running)
        return True

    def look_again(self, key: str) -> None:
        """Tells a table's phones what another process did there, if one did."""
        with self._held(key, writes=False):
            pass

    def known_changes(self) -> dict[str, int]:
        """The number of the last change that is known here, of all tables in memory, by their keys."""
        with self._lock:
            return {key: running.change for key, running in self._running.items()}

    def _note_change(self, running: Running, change: int) -> None:
        """After a change by this process: with no other in between, this is the newest."""
        if change == running.change + 1:
            running.change = change

    @contextmanager
    def _dropped_on_failure(self, running: Running) -> Iterator[None]:
        """A change that fails half-way leaves nothing in memory: the next look rebuilds the table from the disk."""
        try:
            yield
        except BaseException:
            self._drop(running)
            raise

    def _drop(self, running: Running) -> None:
        running.dropped = True
        with self._lock:
            if self._running.get(running.row.key) is running:
                del self._running[running.row.key]

    def _get(self, key: str) -> Running:
        with self._lock:
            running = self._running.get(key)
            if running is not None:
                self._running.move_to_end(key)
                return running
        row = self._found(key)
        with self._loading:
            with self._lock:
                running = self._running.get(key)
            if running is not None:
                return running
            change = self.store.change(row.id)  # first: what comes after it is seen by the next look
            with self.store.one_moment():
                held, lost = self.store.log_of(row.id)
                beside = self.store.beside(row.id)
            entries, table = _replayable(row, held)
            if len(entries) < len(held):
                lost = (lost or 0) + len(held) - len(entries)
            moves, changed = _replayed_moves(row, entries)
            fresh = Running(row, table, entries, moves, changed, _json_of(beside.photo), "", taught=set(beside.samples))
            fresh.lost, fresh.change, fresh.advice, fresh.dice_set = lost, change, beside.advice, beside.dice_set
            self._let_in(fresh, beside.access)
            fresh.stamp = self._next_stamp(fresh)
            self._unlearn(fresh)
            with self._lock:
                self._running[key] = fresh
                self._make_room()
            if self.store.shared:  # phones that hang here may know an older state, which another process changed
                self._changed(key, self._serialized(fresh))
            return fresh

    def _make_room(self) -> None:
        """Forgets the tables that were looked at longest ago, but none that somebody holds now. Hold `_lock`."""
        finished = [running for running in self._running.values() if running.table.over]
        for running in finished[:-CACHED_FINISHED]:
            self._forget(running)
        lines = sum(running.version + LINES_OF_A_TABLE for running in self._running.values())
        for running in list(self._running.values())[:-1]:  # but not the one that is just wanted
            if lines <= CACHED_LINES:
                return
            lines -= running.version + LINES_OF_A_TABLE
            self._forget(running)

    def _forget(self, running: Running) -> None:
        if running.lock.acquire(blocking=False):
            running.dropped = True
            del self._running[running.row.key]
            running.lock.release()

    def _next_stamp(self, running: Running) -> str:
        """All processes of one store give the same change the same stamp: a phone may ask any of them."""
        if not self.store.shared:
            return f"{running.version}.{next(self._ticks)}.{self._boot}"
        local = running.stamp.split(".")
        before, boot = (int(local[1]), local[2]) if len(local) == 3 else (0, SHARED)
        return f"{running.version}.{max(running.change * LOCAL_CHANGES, before + 1)}.{boot}"

    def _log(self, running: Running, asked: Asked, bodies: Sequence[Json], own: int = 0) -> None:
        """Writes what was just done for one request, in one or two lines; that numbered `own` (from 0) has its id."""
        lines = []
        for number, body in enumerate(bodies):
            request = asked.request if number == own else _with(asked.request)
            lines.append(Entry(running.version + 1 + number, request, body, asked.device, now()))
        before = lines[0] if len(lines) > 1 else None
        outcome = results(running.table), _digest(running.table)
        reviewed = running.pending is not None or not self.store.shared  # whose disk may not have taken that it went
        change = self.store.append_entry(running.row, lines[-1], *outcome, before, running.change, reviewed)
        self._note_change(running, change)
        running.entries.extend(lines)
        running.requests.update(line.request for line in lines)
        running.pending = None
        self._note_name(running, asked.device)

    def _note_name(self, running: Running, name: str) -> None:
        """Has a phone that acted stand in the owner's list by the name that the others see."""
        device = asking(running.row.key) or ""
        seen = running.door.phones.get(device)
        if seen is None or seen.name == name:
            return
        seen = replace(seen, name=name)
        try:
            change = self.store.seat(running.row.id, device, seen, running.change)
        except Problem as problem:  # what it did counts all the same
            logger.warning("a phone's name could not be noted: %s", problem)
            return
        self._note_change(running, change)
        running.door = running.door.with_phone(device, seen)

    def _learn(self, running: Running, seq: int, body: bytes | None) -> None:
        """Keeps what the photo of the throw of line `seq` taught. If that fails, the throw counts all the same."""
        if body is None:
            return
        try:
            running.taught = self.store.add_lesson(running.row.id, seq, body)
        except Problem as problem:
            logger.warning("what a photo taught could not be kept: %s", problem)

    def _unlearn(self, running: Running) -> None:
        """Drops the lessons of throws that were undone or corrected since: what was confirmed there was wrong."""
        stand = {move["seq"] for move in running.moves if "corrected_by" not in move}
        gone = {seq for seq in running.taught if seq > 0 and seq not in stand}
        if not gone:
            return
        running.taught -= gone
        try:
            self.store.drop_lessons(running.row.id, gone)
        except Problem as problem:  # the next start tries again
            logger.warning("what an undone throw taught could not be deleted: %s", problem)

    def _announce(self, running: Running) -> bytes:
        running.stamp = self._next_stamp(running)
        running.state = None
        state = self._serialized(running)
        self._changed(running.row.key, state)
        return state

    def _serialized(self, running: Running) -> bytes:
        if running.state is None:
            state = {
                "stamp": running.stamp,
                "version": running.version,
                "standing": _standing(running.table),
                "pending": _told(running),
                "watched": running.watched,
                "recent": [_line(entry) for entry in running.entries[-RECENT_LINES:]],
                "last_move": running.moves[-1] if running.moves else None,
                "came_with": running.moves[-2] if _last_step(running) > 1 else None,  # what an undo takes back too
                "steps": len(running.moves),
                "next": running.row.next_key,
                "lost": running.lost,
                "learnt": len(running.taught),
                "forgotten": running.forgotten,
                "advice": running.advice,
                "advised_by": running.advised_by,
                "dice_set": running.dice_set,
                "closed": running.door.closed,
                "guarded": running.door.guarded,
                "code": running.row.code,
                **self.abilities,
            }
            running.state = json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode()
        return running.state


def _is_new(door: AccessList, device: str, name: str) -> bool:
    """Whether a table with an owner is to note that this phone is there by this name."""
    known = door.phones.get(device)
    return bool(door.owner and device) and (known is None or known.name != name or known.out)


def _json_of(photo: UnderReview | None) -> Json | None:
    return None if photo is None else to_json(photo)


def _in_its_place(pending: Json | None, known: Json | None) -> Json | None:
    """The photo under review as the store has it, which does not know its place in the queue."""
    if pending is None or known is None or pending["id"] != known["id"] or pending["status"] != "waiting":
        return pending
    return {**pending, "place": known["place"]}


def _sent_before(known: Json | None, pending: Json | None) -> bool:
    """Whether a photo comes from the same request as the one that is there, and is not the same reading."""
    if known is None or pending is None or known["id"] == pending["id"]:
        return False
    return "request" in pending and known.get("request") == pending["request"]


def _told(running: Running) -> Json | None:
    """The photo under review as phones see it: without the numbers that a lesson is made of.

    `would`: what stands once a sure reading is confirmed, where something is to be chosen on the sheet then.
    """
    if running.pending is None:
        return None
    told = {name: value for name, value in running.pending.items() if name != "trace"}
    ahead = after_photo(running.table, running.pending)
    if ahead is not None:
        told["would"] = _would(ahead)
    return told


def _would(ahead: scorer.Table) -> Json:
    """What a phone must know of a game as it would be, to show what may be chosen then."""
    standing = _standing(ahead)
    return {name: standing[name] for name in ("to_act", "turn", "legal")}


def _beside(turn: Json, dice: int) -> list[int]:
    """The values of the dice that lie beside the throw that comes now, as many as are not thrown of all `dice`.

    Of what was set aside only the last: when all dice scored, all are thrown again.
    """
    values = turn.get("kept") or [value for group in turn.get("set_aside") or [] for value in group]
    count = max(0, dice - turn["expects"])
    return values[len(values) - count :] if count < len(values) else values


def _standing(table: scorer.Table) -> Json:
    """The standing, each legal action with what it leads to."""
    standing: Json = table.standing()
    for entry in standing["legal"]:
        entry.update(table.game.leads_to(table.state, entry))
    return standing


class _Did(NamedTuple):
    """A step that a request did. `gained`: the points of a set-aside that came with its throw."""

    action: Json  # as the record has it
    events: list[Json]
    gained: int | None = None


def _do(table: scorer.Table, action: Json, before: Json | None, forced: bool) -> list[_Did]:
    """Does an action, a keep or set-aside `before` it if there is one, and else with `forced` the only set-aside that a
    throw allows: all or nothing."""
    steps = []
    if before is not None:
        table.do(before)
        steps.append(_Did(table.actions[-1], []))
    try:
        table.do(action)
    except BaseException:
        if steps:
            table.undo()
        raise
    thrown: Json = table.standing()
    steps.append(_Did(table.actions[-1], thrown["events"]))
    only = _only_set_aside(thrown) if forced and before is None and steps[-1].action["do"] == "throw" else None
    if only is not None and table.version < scorer.MOST_ACTIONS:
        table.do(only)
        steps.append(_Did(table.actions[-1], table.standing()["events"], only["points"]))
    return steps


def _only_set_aside(standing: Json) -> Json | None:
    """The set-aside that a throw leaves, if it leaves no other and nothing else to do."""
    legal: list[Json] = standing["legal"]
    return legal[0] if len(legal) == 1 and legal[0]["do"] == "set-aside" else None


def _with(request: str) -> str:
    """The request of a line that comes with the line of this request."""
    return (WITH + request)[:LONGEST_REQUEST]


def _last_step(running: Running) -> int:
    """How many actions an undo takes back: two where one request told a keep and its throw, or a throw and what it left
    to set aside."""
    if len(running.moves) < 2:
        return 1
    before, last = (running.entries[move["seq"] - 1].request for move in running.moves[-2:])
    return 2 if before == _with(last) or last == _with(before) else 1


def _replayable(row: TableRow, entries: Sequence[Entry]) -> tuple[list[Entry], scorer.Table]:
    """The lines that the rules allow, up to the first that they do not, and the table after them.

    All, in a store that is whole; a store of before there were checksums may be damaged unnoticed.
    """
    table = scorer.Table(scorer.game(row.game, **row.options), row.players)
    for number, entry in enumerate(entries):
        try:
            apply(table, entry.body)
        except (scorer.Refusal, LookupError, TypeError, ValueError) as error:
            logger.warning("line %d of the log of table %d does not follow: %s", entry.seq, row.id, error)
            return list(entries[:number]), rebuilt(
                row.game, row.options, row.players, (entry.body for entry in entries[:number])
            )
    return list(entries), table


def _replayed_moves(row: TableRow, entries: Sequence[Entry]) -> tuple[list[Json], dict[int, Json]]:
    """The steps of the record with who made them, and what each undo and correction changed, by its line's number.

    The log says which phone, the rules say which player.
    """
    lines: list[tuple[Entry, str | None]] = []  # of each step, and the phone that corrected it
    changed: dict[int, Json] = {}
    table = scorer.Table(scorer.game(row.game, **row.options), row.players)
    for entry in entries:
        if "do" in entry.body:
            apply(table, entry.body)
            lines.append((entry, None))
        elif "undo" in entry.body:
            action = table.actions[-1]
            apply(table, entry.body)
            lines.pop()
            changed[entry.seq] = {"player": _actor(table.moment(), action), "action": action}
        else:
            index = entry.body["correct"]
            action = table.actions[index - 1]
            apply(table, entry.body)
            settled = entry.body.get("settled", [])
            for edit in reversed(settled):
                # An adjustment is a step of whoever corrected, when he did.
                lines[edit["at"] - 1 : edit["at"] - 1 + edit["drop"]] = [(entry, None)] * len(edit["actions"])
            dropped = sum(edit["drop"] for edit in settled if not edit["actions"]) + len(lines) - table.version
            changed[entry.seq] = {"action": action, "dropped": dropped}
            if settled:
                changed[entry.seq]["settled"] = sum(len(edit["actions"]) for edit in settled)
            lines[index - 1] = (lines[index - 1][0], entry.device)
            del lines[table.version :]
    again = scorer.Table(scorer.game(row.game, **row.options), row.players)
    moves: list[Json] = []
    request = ""  # of the line before
    for action, (entry, corrected_by) in zip(table.record()["actions"], lines, strict=True):
        before = again.moment()
        again.do(action)
        after = again.moment()
        gained = _gained(before, after) if action["do"] == "set-aside" and entry.request == _with(request) else None
        request = entry.request
        moves.append(_move_of(entry, _actor(before, action), action, after["events"], gained))
        if corrected_by is not None:
            moves[-1]["corrected_by"] = corrected_by
    return moves, changed


def _append(running: Running, line: Entry) -> None:
    """Does what a line says that another process logged, an action or an undo, as `_replayed_moves` does."""
    if "undo" in line.body:
        apply(running.table, line.body)
        gone = running.moves.pop()
        running.changed[line.seq] = {"player": gone["player"], "action": gone["action"]}
        running.entries.append(line)
        running.requests.add(line.request)
        return
    table, before = running.table, running.entries[-1].request if running.entries else ""
    action, standing = line.body["do"], running.table.standing()
    apply(table, line.body)
    after = table.standing()
    done = table.actions[-1]
    came_with = done["do"] == "set-aside" and line.request == _with(before)
    gained = _gained(standing, after) if came_with else None
    running.moves.append(_move_of(line, _actor(standing, action), done, after["events"], gained))
    running.entries.append(line)
    running.requests.add(line.request)


def _gained(before: Json, after: Json) -> int:
    gained: int = after["turn"]["points"] - before["turn"]["points"]
    return gained


def _move_of(entry: Entry, player: int | None, action: Json, events: list[Json], gained: int | None = None) -> Json:
    """A step: `seq` is the number of the log line that made it. `gained`: of a set-aside that came with its throw."""
    move = {
        "player": player,
        "action": action,
        "device": entry.device,
        "at": entry.at,
        "seq": entry.seq,
        "events": events,
    }
    return move if gained is None else {**move, "gained": gained}


def _line(entry: Entry) -> Json:
    kind = next(kind for kind in ("do", "undo", "correct") if kind in entry.body)
    # `request`: a phone knows its own changes by it.
    line = {"seq": entry.seq, "kind": kind, "body": entry.body, "device": entry.device, "at": entry.at}
    return {**line, "request": entry.request}


def _is_stale(running: Running, version: int, action: Json) -> bool:
    """Whether the table moved on since the phone looked, in a way that concerns this action."""
    if version == running.version:
        return False
    since = running.entries[version:]
    concerns = running.table.game.concerns
    return not since or any("do" not in entry.body or concerns(action, entry.body["do"]) for entry in since)


def _actor(standing: Json, action: Json) -> int | None:
    """The player whose action this is."""
    named = action.get("player")
    if isinstance(named, int):
        return named
    if _is_for_all(action):
        return None
    player = standing["turn"].get("player") if standing["turn"] else None
    if player is None and standing["to_act"]:
        player = standing["to_act"][0]
    return player


def _is_for_all(action: Json) -> bool:
    return action.get("do") == "adjust" and action.get("what") in FOR_ALL


def _names_given(actions: Iterable[Json]) -> list[str]:
    """The names that players get by these actions; what is none is for the rules to refuse."""
    names = (action.get("name") for action in actions if action.get("do") == "adjust")
    return [name.strip() for name in names if isinstance(name, str) and name.strip()]


def _check_twins(table: scorer.Table, action: Json) -> None:
    """Refuses a name that people take for another one at the table, though it is written differently."""
    name = action.get("name")
    if not _is_for_all(action) or not isinstance(name, str):
        return
    others = [each for number, each in enumerate(table.players) if number != action.get("player") and each != name]
    for other in others:
        if twins := alike([other, name.strip()]):
            raise Problem("names-alike", 422, name=twins[0], other=twins[1])


def _name(table: scorer.Table, player: int | None) -> str:
    return table.players[player] if player is not None and 0 <= player < len(table.players) else str(player)


def _scores(standing: Json) -> list[Json]:
    return [{"name": player["name"], "score": player["score"]} for player in standing["players"]]


def _check_whole(running: Running) -> None:
    if running.lost is not None:
        raise Problem("table-damaged", 409)


def _check_open(running: Running) -> None:
    running.door.check_open()


def _check_current(running: Running, version: int | None) -> None:
    """Refuses a change of a table that is not whole or closed, or of a state that is no longer the present one."""
    _check_whole(running)
    _check_open(running)
    if version is not None and version != running.version:
        raise Problem("stale", 409)


def _check_step(index: int, steps: int) -> None:
    if not 1 <= index <= steps:
        raise Problem("no-such-step", 404, number=index)


def _digest(table: scorer.Table) -> str | None:
    """What the record of a game that is over shares with its copies alone: game, house rules, players, every action."""
    if not table.over:
        return None
    record = json.dumps(table.record(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(record.encode()).hexdigest()
