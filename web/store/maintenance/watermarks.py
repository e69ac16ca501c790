"""The file `rollcall.checked`: what of a store was found whole and when, so that a start checks only changes.

It replaces no check: each table is checked as it is read, and the whole store again in the background. It has the last
checked line of the logs, and the device, number, size and time of last change of the store's file after the last
checkpoint. A file with others, such as a copy or a restored backup, is checked as a whole before it is opened.
"""

import contextlib
import json
import logging
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from web.store.disk import identity

logger = logging.getLogger(__name__)

FILE_NAME = "rollcall.checked"


@dataclass(frozen=True)
class Mark:
    """`name`: of the store. `line`: the id of the last line of any log; all lines up to it were checked.

    `whole_at`: when the whole store was last found whole, UTC; None: not yet. `file`: its `disk.identity`. `log`: bytes
    of the write-ahead log then. `folding`: a checkpoint runs.
    """

    name: str
    line: int
    whole_at: str | None
    file: tuple[int, ...] = ()
    log: int = 0
    folding: bool = False


class Watermark:
    """The mark of the store in file `path`. If it cannot be written, the next start checks the whole store."""

    def __init__(self, path: Path) -> None:
        self._store = path
        self._path = path.with_name(FILE_NAME)
        self._changing = threading.Lock()
        self.mark = self._load()

    def is_known(self) -> bool:
        """Whether the file is as it was when the last server ended or was killed."""
        mark = self.mark
        found = identity(self._store)
        if mark is None or mark.whole_at is None or not found or found[:2] != mark.file[:2]:
            return False
        log = _size(self._store.with_name(self._store.name + "-wal"))
        if mark.folding:  # killed during a checkpoint: the log has everything
            return log > 0
        return found == mark.file and log >= mark.log

    def update(self, name: str, line: int, whole_at: str | None) -> None:
        """Notes what was found; it counts from the next checkpoint on."""
        with self._changing:
            before = self.mark or Mark(name, line, whole_at)
            self._write(replace(before, name=name, line=line, whole_at=whole_at))

    def forget(self) -> None:
        """Deletes the mark: nothing is known to be whole."""
        with self._changing, contextlib.suppress(OSError):
            self.mark = None
            self._path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def folding(self) -> Iterator[None]:
        """Surrounds a checkpoint: the write-ahead log is written into the store's file."""
        with self._changing:
            if self.mark is not None:
                self._write(replace(self.mark, folding=True))
        yield
        with self._changing:
            if self.mark is not None:
                log = _size(self._store.with_name(self._store.name + "-wal"))
                self._write(replace(self.mark, file=identity(self._store), log=log, folding=False))

    def _load(self) -> Mark | None:
        try:
            fields = json.loads(self._path.read_bytes())
            return Mark(
                name=str(fields["name"]),
                line=int(fields["line"]),
                whole_at=None if fields["whole_at"] is None else str(fields["whole_at"]),
                file=tuple(int(each) for each in fields["file"]),
                log=int(fields["log"]),
                folding=bool(fields["folding"]),
            )
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def _write(self, mark: Mark) -> None:
        self.mark = mark
        try:
            opened = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "wb") as file:
                file.write(json.dumps(asdict(mark)).encode() + b"\n")
        except OSError as error:
            logger.debug("what was found whole cannot be noted: %s", error)


def _size(path: Path) -> int:
    found = identity(path)
    return found[2] if found else 0
