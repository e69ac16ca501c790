"""What a store of before version 6 has of its tables, as the events that lead to it.

A damaged row counts as missing. In version 5 a line of a table's log has a checksum over its fields and the checksum of
the line before; the first line follows the checksum of how the table was set up. Every other important row has one over
its own fields, and a table's row the number and the checksum of its log's last line.
"""

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from msgspec import structs

import scorer
from web.journal.journal import NO_EVENT, PICTURE, SAMPLE, TRACE, Blob, NewEvent, encode
from web.store import journalling, projections
from web.store.stamps import now
from web.table import events
from web.table.access_list import AccessList, ConnectedProgram, ConnectedWebhook, Deletion, KnownPhone
from web.table.commands import Chosen
from web.table.events import Stored, TableStarted, blob_hash
from web.table.new_tables import is_imported
from web.table.photo_state import UnderReview, from_json
from web.table.stored_table import ADVICE, Entry, PlayerResult, rebuild_table

Row = Mapping[Any, Any]

logger = logging.getLogger(__name__)

# The tables that version 6 no longer has, those that refer to others first.
GONE = (
    *("deliveries", "pending", "lessons", "preferences", "dice_sets", "agreements", "pictures", "owners", "phones"),
    *("programs", "log", "setups", "results", "stale_games", "early_games", "deletions", "identity", "kept_games"),
    *("own_games", "lone_readings", "jobs", "changes"),
)
SUM_BYTES = 16
_encoded = json.JSONEncoder(separators=(",", ":"), default=repr).encode  # made once: a store has very many rows
SETUP = ("key", "game", "options", "players", "keep_corrections", "created_at")  # of a table, fixed when it starts
CHANGING = ("code", "active_at", "active_no", "finished_at", "next_key", "digest", "lines", "head", "lost")
LINE = ("seq", "request", "body", "device", "at")
# By table: the word that begins a row's checksum, and the fields that it covers.
ROWS = {
    "results": ("result", "table_id", "player", "name", "score", "place"),
    "lessons": ("lesson", "table_id", "seq", "body"),
    "pending": ("pending", "table_id", "reading", "body"),
    "preferences": ("preferences", "table_id", "advice"),
    "agreements": ("agreement", "table_id", "pictures"),
    "pictures": ("picture", "table_id", "seq", "hash"),
    "dice_sets": ("dice set", "table_id", "name"),
    "owners": ("owner", "table_id", "device", "closed", "guarded"),
    "phones": ("phone", "table_id", "device", "name", "at", "out"),
    "programs": ("program", "table_id", "hash", "name", "may", "at"),
    "webhooks": ("webhook", "table_id", "id", "name", "address", "secret", "maker", "at"),
    "deletions": ("deletion", "table_id", "device", "at", "lines", "mark"),
}


def write_journals(connection: sa.Connection) -> None:
    """Writes each table's journal, and what lists show of it. Both name its blobs, which come first."""
    journal, older = journalling.journal_of(connection), OldTables(connection)
    for number in older.numbers:
        for blob in older.blobs_of(number):
            journal.insert_blob(number, blob)
        happened = older.events_of(number)
        journal.append(number, NO_EVENT, [_encode(event) for event in happened])
        projections.rebuild(connection, number, happened)


def _encode(event: Stored) -> NewEvent:
    """The event as the journal keeps it. Its samples and pictures are there already."""
    new = encode(event, now(), _NoBodies())
    return new._replace(blobs=[blob for blob in new.blobs if blob.kind == TRACE])


class _NoBodies(dict[str, bytes]):
    def __missing__(self, name: str) -> bytes:
        return b""


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
        has_sums = "sum" in log.c
        columns = sa.select(*(log.c[name] for name in (*LINE, *(["sum"] if has_sums else []))))
        rows = self._connection.execute(columns.where(log.c.table_id == row["id"]).order_by(log.c.seq)).all()
        start = _sum_of("setup", row["id"], *(row[name] for name in SETUP))
        count, head = 0, start
        for line in rows:
            after = _line_sum(head, *line[:5])
            if line.seq != count + 1 or (has_sums and line.sum != after):
                break
            count, head = line.seq, after
        if has_sums:
            end, own = row["lines"], _sum_of(start, *(row[name] for name in CHANGING))
            whole = row["sum"] == own and (count, head) == (end, row["head"])
        else:
            end, whole = rows[-1].seq if rows else 0, count == len(rows)
        lost = row["lost"] if whole else max(0, max(end, len(rows)) - count)
        lines = [Entry(line.seq, line.request, json.loads(line.body), line.device, line.at) for line in rows[:count]]
        return lines, lost

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
        deliveries = {row["webhook"]: row for row in self._all("deliveries", table_id)}
        for row in sorted(self._rows("webhooks", table_id), key=lambda row: (row["at"], row["id"])):
            if (delivery := deliveries.get(row["id"])) is None:
                continue
            connected = ConnectedWebhook(**{name: row[name] for name in ("name", "address", "secret", "maker", "at")})
            place = delivery.get("origin", ""), delivery.get("receiver", "")  # older ones have none
            yield events.WebhookConnected(row["id"], connected, delivery["number"], *place)
            if delivery["given_up"]:
                yield events.WebhookGivenUp(row["id"], delivery["failure"])

    def blobs_of(self, table_id: int) -> Iterator[Blob]:
        """The training samples and pictures of a table, one in memory at a time."""
        for name, kind in (("lessons", SAMPLE), ("pictures", PICTURE)):
            if (table := self._tables.get(name)) is None:
                continue
            mine = table.c.table_id == table_id
            for seq in self._connection.scalars(sa.select(table.c.seq).where(mine)).all():
                row = self._connection.execute(sa.select(table).where(mine, table.c.seq == seq)).mappings().one()
                if _holds(name, row) and (kind == SAMPLE or blob_hash(row["body"]) == row["hash"]):
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
        return [row for row in self._all(name, table_id) if _holds(name, row)]

    def _all(self, name: str, table_id: int) -> Sequence[Row]:
        if (table := self._tables.get(name)) is None:  # the store is older
            return []
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


def _sum_of(*fields: Any) -> str:
    """32 hexadecimal digits for these fields: texts, numbers, bytes and None, as a store holds them."""
    plain = [int(field) if isinstance(field, bool) else field for field in fields]
    return hashlib.blake2b(_encoded(plain).encode(), digest_size=SUM_BYTES).hexdigest()


def _line_sum(before: str, seq: int, request: str, body: str, device: str, at: str) -> str:
    """The checksum of a line, given that of the line before it. For damaged fields, a text that is none."""
    try:
        text = f"{before} {seq} {len(request)} {len(body)} {len(device)} {request}{body}{device}{at}"
    except TypeError:
        return "no line"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=SUM_BYTES).hexdigest()


def _holds(table: str, row: Row) -> bool:
    """Whether a row of one of these tables (`ROWS`) is as it was written, as far as it has a checksum."""
    word, *names = ROWS[table]
    return "sum" not in row or bool(row["sum"] == _sum_of(word, *(row[name] for name in names)))
