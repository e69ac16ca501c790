"""The store in a data folder: a file of SQLite that is checked, copied and recovered beside."""

import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import func, select

from web.store import event_rows, schema
from web.store.disk import make_private
from web.store.maintenance import checking, recovery
from web.store.maintenance.caretaker import SUSPECT, Caretaker
from web.store.maintenance.copies import Copies
from web.store.maintenance.ends import JournalEnds
from web.store.maintenance.store_files import reading, version_of
from web.store.sqlite_file import SqliteFile
from web.store.store_errors import damage_as_problem, errors_as_problems
from web.tasks.background import Later, Never

logger = logging.getLogger(__name__)

FILE_NAME = "rollcall.db"


class SqliteStore(SqliteFile):
    """The store in the data folder, which is made if missing. For many threads.

    A damaged store is replaced by what is whole in it and in its newest copy. A store of an older version is copied and
    upgraded. `copies`: a folder on another disk for further copies, or where all copies are. `later`: checks and copies
    the store beside requests. Raises `SchemaError` for a store that another Rollcall wrote and this one cannot use,
    which stays as it is, and `Problem` or OSError if it cannot be used.
    """

    checked_at_once = 64 << 20  # bytes up to which a store is checked before it is served; a larger one, meanwhile
    begins_anew = True  # if no table of a damaged store can be read: its files lie beside it
    _ends: JournalEnds

    def __init__(self, folder: Path, copies: Path | Copies | None = None, later: Later = Never) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / FILE_NAME, JournalEnds(folder))
        make_private(folder)
        self._copies = copies if isinstance(copies, Copies) else Copies(self.path, copies)
        self._caretaker: Caretaker | None = None
        try:
            with damage_as_problem(), errors_as_problems():
                checked = self._check()
                self.is_whole = checked is not None
                self.was_damaged = any(folder.glob("rollcall-damaged-*"))  # what was replaced in the last week
                with self.read() as connection:
                    found = schema.version(connection)
                if found is not None and found < schema.VERSION:
                    self._copies.make_before(found)
                    checked = None  # its journals can be checked once it is newer
                self.prepare()
                self._note_ends(checked)
            make_private(folder)
            self._caretaker = Caretaker(
                self.path, self._ends, self._copies, checked is not None, self._rebuild, self.notices, later
            )
            self.check_progress = self._caretaker.progress
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._caretaker is not None:
            self._caretaker.close()
        super().close()
        self._ends.close()

    def _check(self) -> checking.Checked | None:
        """Checks the store before it is opened, and replaces a damaged one. None: it is large, and checked later."""
        suspect = self.path.with_name(SUSPECT)
        is_large = self.path.is_file() and self.path.stat().st_size > self.checked_at_once
        if is_large and not self.is_there(suspect):
            with reading(self.path) as store:
                version_of(store)
            return None
        found = checking.check(self.path, self._ends)
        if found.word == checking.DAMAGED:
            if found.version is not None and found.version < schema.VERSION:
                raise sqlite3.DatabaseError("malformed")  # steps take whole stores alone
            for complaint in found.lines():
                logger.info("%s: %s", FILE_NAME, complaint)
            copies = self._copies.find(self._ends.name)
            self.notices.append(recovery.replace_damaged(self.path, self._ends, copies, self.begins_anew))
            logger.warning("%s", self.notices[-1])
            found = checking.Checked(version=schema.VERSION)  # what was read in the damaged file no longer counts
        suspect.unlink(missing_ok=True)
        return found

    def is_there(self, suspect: Path) -> bool:
        """Whether there is the file that marks a store that was found damaged."""
        return suspect.exists()

    def _rebuild(self, numbers: Sequence[int]) -> None:
        with damage_as_problem(), self.write() as connection:
            event_rows.rebuild(connection, *numbers)

    def _note_ends(self, checked: checking.Checked | None) -> None:
        """Begins the file of ends anew; for a store that is checked later, with what it said. Raises OSError."""
        query = select(schema.events.c.table_id, func.max(schema.events.c.number)).group_by(schema.events.c.table_id)
        with self.read() as connection:
            name = connection.execute(select(schema.schema_version.c.name)).scalar_one()
            if checked is None:
                ends = self._ends.known if self._ends.name == name else {}
            else:
                ends = checked.ends or {row[0]: row[1] for row in connection.execute(query)}
        self._ends.reset(name, ends)
