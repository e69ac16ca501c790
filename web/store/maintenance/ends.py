"""How far each table's journal goes, in a small file beside the store.

What is lost at the end of a journal leaves no trace in the store: with the write-ahead log, or with a page of the file.
So a line is added here after each commit, without a sync. After a power cut the file may tell of less than was stored,
never of more; a damaged line is passed over.
"""

import contextlib
import logging
import threading
import zlib
from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path

from web.store.disk import replace_file

logger = logging.getLogger(__name__)

FILE_NAME = "rollcall.ends"
LONGEST = 4 << 20  # bytes: then the file is written anew


class JournalEnds:
    """The file in a data folder. `name`: of the store that it tells of, "" for none; `known`: the number of the last
    event by the id of its table. For many threads."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self.name = ""
        self.known: dict[int, int] = {}
        self._file: FileIO | None = None
        self._writing = threading.Lock()
        with contextlib.suppress(OSError):
            for first, _, second in (words.partition(" ") for words in _whole_lines(self.path.read_bytes())):
                if first == "store":
                    self.name, self.known = second, {}
                elif first.isdecimal() and second.isdecimal():
                    self._remember(int(first), int(second))

    def reset(self, name: str, known: Mapping[int, int]) -> None:
        """Begins anew with what the store of this name has. Raises OSError."""
        with self._writing:
            self.name, self.known = name, dict(known)
            self._write()

    def note(self, table_id: int, number: int) -> None:
        """A table's journal goes up to this event now; 0: the table was erased."""
        with self._writing:
            if self._file is None:
                return
            self._remember(table_id, number)
            try:
                self._file.write(_line(f"{table_id} {number}"))
                if self._file.tell() > LONGEST + 40 * len(self.known):
                    self._write()
            except OSError as error:  # the games themselves are safe
                logger.debug("%s cannot be written: %s", FILE_NAME, error)

    def close(self) -> None:
        with self._writing:
            self._close()

    def _remember(self, table_id: int, number: int) -> None:
        if number:  # if some were lost, it stays so until they are told
            self.known[table_id] = max(number, self.known.get(table_id, 0))
        else:
            self.known.pop(table_id, None)

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None

    def _write(self) -> None:
        self._close()
        lines = [f"store {self.name}", *(f"{table_id} {number}" for table_id, number in self.known.items())]
        with replace_file(self.path) as part:
            part.write_bytes(b"".join(map(_line, lines)))
        self._file = FileIO(self.path, "a")


def _line(words: str) -> bytes:
    return f"{zlib.crc32(words.encode()):08x} {words}\n".encode()


def _whole_lines(data: bytes) -> Iterator[str]:
    for line in data.split(b"\n"):
        words = line[9:].decode("ascii", "replace")
        if line + b"\n" == _line(words):
            yield words
