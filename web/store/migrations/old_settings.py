"""What a store of before version 6 has of a table beside its log, in other tables. A damaged row counts as missing."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from web.journal.codec import PICTURE, SAMPLE, Blob
from web.session.access_list import AccessList, ConnectedProgram, Deletion, KnownPhone
from web.session.events import blob_hash
from web.session.photo_state import UnderReview, from_json
from web.session.stored_table import ADVICE, Settings
from web.store.checksums import holds

Row = Mapping[Any, Any]

logger = logging.getLogger(__name__)

# The tables that version 6 no longer has, those that refer to others first.
GONE = (
    *("deliveries", "pending", "lessons", "preferences", "dice_sets", "agreements", "pictures", "owners", "phones"),
    "programs",
)


class OldSettings:
    """The settings of all tables of a store."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        metadata = sa.MetaData()
        names = {*GONE, "deletions"} & set(sa.inspect(connection).get_table_names())
        self._tables = {name: sa.Table(name, metadata, autoload_with=connection) for name in names}

    def read(self, table_id: int) -> Settings:
        preference, agreement = self._row("preferences", table_id), self._row("agreements", table_id)
        dice_set = self._row("dice_sets", table_id)
        return Settings(
            _photo(self._row("pending", table_id)),
            advice=preference["advice"] if preference is not None and preference["advice"] in ADVICE else ADVICE[0],
            dice_set="" if dice_set is None else dice_set["name"],
            access=self._access(table_id),
            keeps_pictures=agreement is not None and bool(agreement["pictures"]),
        )

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
        table = self._tables[name]
        rows = self._connection.execute(sa.select(table).where(table.c.table_id == table_id)).mappings()
        return [row for row in rows if holds(name, row)]


def _photo(row: Row | None) -> UnderReview | None:
    """None if another Rollcall wrote it and this one cannot read it: the throw can be photographed again."""
    if row is None:
        return None
    try:
        return from_json(json.loads(row["body"]))
    except (LookupError, TypeError, ValueError) as error:
        logger.warning("a photo under review is not understood: %s", error)
        return None
