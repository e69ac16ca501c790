"""What a store of before version 6 has of its tables, as the events that lead to it.

A damaged row counts as missing.
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec import structs

import scorer
from web.journal.codec import PICTURE, SAMPLE, Blob
from web.store.migrations.old_checksums import LINE, follow, holds, setup_sum, table_sum
from web.table import events
from web.table.access_list import AccessList, ConnectedProgram, ConnectedWebhook, Deletion, KnownPhone
from web.table.commands import Chosen
from web.table.events import Stored, TableStarted, blob_hash
from web.table.imported_log import is_imported
from web.table.photo_state import UnderReview, from_json
from web.table.replay import PlayerResult, rebuild_table
from web.table.stored_table import ADVICE, Entry

Row = Mapping[Any, Any]

logger = logging.getLogger(__name__)

# The tables that version 6 no longer has, those that refer to others first.
GONE = (
    *("deliveries", "pending", "lessons", "preferences", "dice_sets", "agreements", "pictures", "owners", "phones"),
    *(
        "programs",
        "log",
        "setups",
        "results",
        "stale_games",
        "early_games",
        "deletions",
        "identity",
        "kept_games",
        "own_games",
    ),
)


class OldTables:
    """All tables of a store."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        metadata = sa.MetaData()
        names = {*GONE, "tables", "webhooks"} & set(sa.inspect(connection).get_table_names())
        self._tables = {name: sa.Table(name, metadata, autoload_with=connection) for name in names}
        tables = self._tables["tables"]
        self.numbers = connection.scalars(sa.select(tables.c.id).order_by(tables.c.id)).all()

    def events_of(self, table_id: int) -> list[Stored]:
        """The events that lead to what the store has of a table. They name its blobs."""
        tables = self._tables["tables"]
        row = self._connection.execute(sa.select(tables).where(tables.c.id == table_id)).mappings().one()
        entries, lost = self._log(row)
        results = self._results(table_id) if row["finished_at"] is not None else None
        ended = {"results": results, "digest": row["digest"], "early": results is not None and _is_early(row, entries)}
        count = next((place for place, entry in enumerate(entries) if not is_imported(entry)), len(entries))
        lines = entries[count:]
        access, photo, blobs = self._access(table_id), _photo(self._row("pending", table_id)), self._hashes(table_id)
        started = TableStarted(
            key=row["key"],
            code=row["code"],
            at=row["created_at"] if lines else row["active_at"],
            created_at=row["created_at"],
            game=row["game"],
            options=scorer.options_of_table(row["game"], json.loads(row["options"])),
            players=json.loads(row["players"]),
            keep_corrections=bool(row["keep_corrections"]),
            chosen=self._choices_of(table_id),
            owner=access.owner,
            samples={seq: name for (kind, seq), name in blobs.items() if kind == SAMPLE},
            lines=entries[:count],
        )
        happened: list[Stored] = [started, *(events.Logged([line]) for line in lines)]
        happened[-1] = structs.replace(happened[-1], **ended)
        if lost is not None:
            happened.append(events.LinesLost(lost))
        if photo is not None:
            happened.append(events.PhotoUnderReview(photo))
        happened += _access_events(access)
        if row["next_key"] is not None:
            happened.append(events.NextTableSet(row["next_key"]))
        happened += self._webhook_events(table_id)
        return happened + [events.PictureKept(seq, name) for (kind, seq), name in blobs.items() if kind == PICTURE]

    def _log(self, row: Row) -> tuple[list[Entry], int | None]:
        """The whole part of a table's log, and how many lines after it are lost; None: none."""
        log = self._tables["log"]
        columns = sa.select(*(log.c[name] for name in (*LINE, "sum")))
        rows = self._connection.execute(columns.where(log.c.table_id == row["id"]).order_by(log.c.seq)).all()
        chain = follow(setup_sum(row["id"], row), rows)
        whole = row["sum"] == table_sum(row) and (chain.lines, chain.head) == (row["lines"], row["head"])
        lost = row["lost"] if whole else max(0, max(row["lines"], len(rows)) - chain.lines)
        return [
            Entry(line.seq, line.request, json.loads(line.body), line.device, line.at) for line in rows[: chain.lines]
        ], lost

    def _results(self, table_id: int) -> list[PlayerResult]:
        rows = sorted(self._rows("results", table_id), key=lambda row: int(row["player"]))
        return [PlayerResult(row["player"], row["name"], row["score"], row["place"]) for row in rows]

    def _choices_of(self, table_id: int) -> Chosen:
        preference, agreement = self._row("preferences", table_id), self._row("agreements", table_id)
        dice_set = self._row("dice_sets", table_id)
        return Chosen(
            preference["advice"] if preference is not None and preference["advice"] in ADVICE else "off",
            "" if dice_set is None else dice_set["name"],
            agreement is not None and bool(agreement["pictures"]),
        )

    def _hashes(self, table_id: int) -> dict[tuple[str, int], str]:
        return {(blob.kind, blob.seq): blob_hash(blob.body) for blob in self.blobs_of(table_id)}

    def _webhook_events(self, table_id: int) -> Iterator[Stored]:
        """The addresses where programs are told what happens, as far as each was told."""
        told = {row["webhook"]: row for row in self._all("deliveries", table_id)}
        for row in sorted(self._rows("webhooks", table_id), key=lambda row: (row["at"], row["id"])):
            if (delivery := told.get(row["id"])) is None:
                continue
            connected = ConnectedWebhook(**{name: row[name] for name in ("name", "address", "secret", "maker", "at")})
            place = delivery["origin"], delivery["receiver"]
            yield events.WebhookConnected(row["id"], connected, delivery["number"], *place)
            if delivery["given_up"]:
                yield events.WebhookGivenUp(row["id"], delivery["failure"])

    def blobs_of(self, table_id: int) -> Iterator[Blob]:
        """The training samples and pictures of a table, one in memory at a time."""
        for name, kind in (("lessons", SAMPLE), ("pictures", PICTURE)):
            table = self._tables[name]
            mine = table.c.table_id == table_id
            for seq in self._connection.scalars(sa.select(table.c.seq).where(mine)).all():
                row = self._connection.execute(sa.select(table).where(mine, table.c.seq == seq)).mappings().one()
                if holds(name, row) and (kind == SAMPLE or blob_hash(row["body"]) == row["hash"]):
                    yield Blob(kind, seq, bytes(row["body"]))

    def _access(self, table_id: int) -> AccessList:
        programs = sorted(self._rows("programs", table_id), key=lambda row: str(row["at"]))
        by_hash = {row["hash"]: ConnectedProgram(row["name"], row["may"], row["at"]) for row in programs}
        deleted, owner = self._row("deletions", table_id), self._row("owners", table_id)
        deletion = None
        if deleted is not None and deleted["at"]:
            deletion = Deletion(deleted["device"], deleted["at"], deleted["lines"])
        if owner is None:
            return AccessList(deletion=deletion, programs=by_hash)
        phones = sorted(self._rows("phones", table_id), key=lambda row: (row["at"], row["device"]))
        known = {row["device"]: KnownPhone(row["name"], row["at"], bool(row["out"])) for row in phones}
        return AccessList(owner["device"], bool(owner["closed"]), bool(owner["guarded"]), known, deletion, by_hash)

    def _row(self, name: str, table_id: int) -> Row | None:
        return next(iter(self._rows(name, table_id)), None)

    def _rows(self, name: str, table_id: int) -> Sequence[Row]:
        return [row for row in self._all(name, table_id) if holds(name, row)]

    def _all(self, name: str, table_id: int) -> Sequence[Row]:
        table = self._tables[name]
        return self._connection.execute(sa.select(table).where(table.c.table_id == table_id)).mappings().all()


def _is_early(row: Row, entries: Sequence[Entry]) -> bool:
    """Whether people ended a finished game by hand before its rules did."""
    bodies = [entry.body for entry in entries]
    if not any('"game"' in json.dumps(body) for body in bodies):
        return False
    options = scorer.options_of_table(row["game"], json.loads(row["options"]))
    try:
        return rebuild_table(row["game"], options, json.loads(row["players"]), bodies).ended_early
    except (scorer.Refusal, LookupError, TypeError, ValueError) as error:
        logger.warning("the log of table %d cannot be replayed: %s", row["id"], error)
        return False


def _access_events(access: AccessList) -> Iterator[Stored]:
    for device, phone in access.phones.items():
        yield events.PhoneJoined(device, phone)
    if access.guarded:
        yield events.AccessChanged({}, True, None)
    if access.closed:
        yield events.TableClosed(True)
    for hash_, program in access.programs.items():
        yield events.ProgramConnected(hash_, program)
    if access.deletion is not None:
        yield events.TableDeleted(access.deletion)


def _photo(row: Row | None) -> UnderReview | None:
    """None if another Rollcall wrote it and this one cannot read it: the throw can be photographed again."""
    if row is None:
        return None
    try:
        return from_json(json.loads(row["body"]))
    except (LookupError, TypeError, ValueError) as error:
        logger.warning("a photo under review is not understood: %s", error)
        return None
