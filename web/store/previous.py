"""What stores did before they appended events: until all callers have moved."""

import contextlib
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Connection, select

from web.problems import Problem
from web.session.access_list import AccessList, KnownPhone
from web.session.events import (
    AdviceSet,
    Closed,
    DiceForgotten,
    DiceNamed,
    Event,
    Logged,
    PhoneSeated,
    PhonesTurned,
    PhotoCame,
    PhotoLeft,
    SampleAdded,
    SamplesDropped,
)
from web.session.log import ADVICE, Entry, NewTable, Settings, TableRow
from web.session.photo import from_json, to_json
from web.session.replay import Json, Standing
from web.store import loading, schema
from web.store.store import Store, fault, unread

MOST_LESSONS = 100


class Overtaken(Problem):
    """Another process changed the table first; with a look at what it did the same may be tried again."""

    def __init__(self) -> None:
        super().__init__("stale", 409)


class Ledger(Store):
    shared = False

    def change(self, table_id: int) -> int:
        return 0

    def change_of(self, thread: int) -> object | None:
        return None

    def is_gone(self, key: str) -> bool:
        return False

    def seen_whole(self) -> AbstractContextManager[Connection]:
        return self.read()

    def filled(self) -> AbstractContextManager[Connection]:
        return self.write()

    def derived(self) -> AbstractContextManager[Connection]:
        return self.write()

    def one_moment(self) -> AbstractContextManager[object]:
        return contextlib.nullcontext()

    def fault(self) -> str | None:
        return fault(self)

    def unread(self) -> int:
        return unread(self)

    def new_table(
        self,
        game: str,
        options: Json,
        players: Sequence[str],
        keep_corrections: bool,
        actions: Sequence[Json] = (),
        standings: Sequence[Standing] | None = None,
        digest: str | None = None,
        follows: TableRow | None = None,
        advice: str = ADVICE[0],
        owner: str = "",
    ) -> TableRow:
        setup = (game, options, players, keep_corrections, actions, standings, digest, follows, None)
        return self.create(NewTable(*setup, advice, owner))

    def branch(
        self,
        row: TableRow,
        lines: Sequence[Entry],
        standings: Sequence[Standing] | None = None,
        digest: str | None = None,
    ) -> TableRow:
        setup = (row.game, row.options, row.players, row.keep_corrections)
        return self.create(NewTable(*setup, standings=standings, digest=digest, follows=row, goes_on=lines))

    def _row_of(self, table_id: int) -> Any:
        query = select(schema.tables).where(schema.tables.c.id == table_id)
        return self.checked(lambda connection: connection.execute(query).one_or_none())

    def _append(self, table_id: int, events: Sequence[Event], known: int | None = None) -> int:
        known = self.change(table_id) if known is None else known
        return self.append(loading.table_row(self._row_of(table_id)), events, known)

    def entries(self, table_id: int) -> list[Entry]:
        return self.log_of(table_id)[0]

    def log_of(self, table_id: int) -> tuple[list[Entry], int | None]:
        row = self._row_of(table_id)
        if row is None:
            return [], None
        loaded = self.load(loading.table_row(row))
        return list(loaded.entries), loaded.lost

    def since(self, row: TableRow, last: Entry | None) -> tuple[TableRow, list[Entry]] | None:
        return None

    def beside(self, table_id: int) -> Settings:
        return self.checked(lambda connection: self._settings(connection, table_id))

    def append_entry(
        self,
        row: TableRow,
        entry: Entry,
        standings: Sequence[Standing] | None = None,
        digest: str | None = None,
        before: Entry | None = None,
        known: int | None = None,
        reviewed: bool = True,
    ) -> int:
        lines = [entry] if before is None else [before, entry]
        events: list[Event] = [Logged(lines, standings, digest)]
        photo = from_json({"id": "", "status": "waiting"})
        if reviewed:
            events.append(PhotoLeft(photo))
        return self.append(row, events, self.change(row.id) if known is None else known)

    def advice(self, table_id: int) -> str:
        return self.beside(table_id).advice

    def set_advice(self, table_id: int, advice: str) -> int:
        return self._append(table_id, [AdviceSet(advice, "")])

    def dice_set(self, table_id: int) -> str:
        return self.beside(table_id).dice_set

    def set_dice_set(self, table_id: int, name: str) -> int:
        return self._append(table_id, [DiceNamed(name)])

    def door(self, table_id: int) -> AccessList:
        return self.beside(table_id).access

    def seat(self, table_id: int, device: str, seen: KnownPhone, known: int) -> int:
        return self._append(table_id, [PhoneSeated(device, seen)], known)

    def turn(self, row: TableRow, door: AccessList, devices: Collection[str], code: str | None, known: int) -> int:
        turned = PhonesTurned({device: door.phones[device] for device in devices}, door.guarded, code)
        return self._append(row.id, [turned], known)

    def set_closed(self, table_id: int, door: AccessList, known: int) -> int:
        return self._append(table_id, [Closed(door.closed)], known)

    def pending(self, table_id: int) -> Json | None:
        photo = self.beside(table_id).photo
        return None if photo is None else to_json(photo)

    def set_pending(
        self, table_id: int, body: Json | None, replaces: str | None = None, version: int | None = None
    ) -> int:
        known = self.change(table_id)
        if self.shared:
            there = self.beside(table_id).photo
            if version is not None and self._row_of(table_id).lines != version:
                raise Overtaken
            if replaces is not None and (there is None or there.taken.id != replaces):
                raise Overtaken
        photo = from_json(body or {"id": "", "status": "waiting"})
        event = PhotoLeft(photo) if body is None else PhotoCame(photo, None)
        return self._append(table_id, [event], known)

    def taught(self, table_id: int) -> set[int]:
        return set(self.beside(table_id).samples)

    def lessons(self, table_id: int, seqs: Collection[int]) -> dict[int, bytes]:
        return self.samples(table_id, seqs)

    def add_lesson(self, table_id: int, seq: int, body: bytes) -> set[int]:
        kept = set(sorted({*self.taught(table_id), seq})[-MOST_LESSONS:])
        self._append(table_id, [SampleAdded(seq, body, kept)])
        return kept

    def drop_lessons(self, table_id: int, seqs: Collection[int] | None = None) -> None:
        self._append(table_id, [DiceForgotten("") if seqs is None else SamplesDropped(frozenset(seqs))])

    def pending_ids(self) -> set[str]:
        return set(self.photos_under_review())

    def waiting(self) -> dict[str, str]:
        return self.photos_under_review()
