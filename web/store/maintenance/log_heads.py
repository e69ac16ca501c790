"""The file of log heads beside the store: how far each table's log goes, so that missing lines are noticed.

Checksums in a store cannot show what is gone. If the write-ahead log with the newest lines is lost, or the whole file,
the rest may still be whole; the heads tell that there was more. Each table has a slot of fixed length, overwritten
after each commit, so an action needs no more room on the disk. A slot with a wrong checksum is ignored.
"""

import contextlib
import logging
import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from web.store import checksums
from web.store.disk import replace_file

logger = logging.getLogger(__name__)

FILE_NAME = "rollcall.heads"
SLOT = 96  # bytes
EMPTY = b"\n".rjust(SLOT)
NO_KEY = "0" * 32


@dataclass(frozen=True)
class LogHead:
    """The end of a table's log: its number of lines and the last one's checksum.

    `key_hash`: see there. `gone`: the whole table is lost, and that has been told.
    """

    table_id: int
    lines: int
    head: str
    key_hash: str
    gone: bool = False


def key_hash(key: str) -> str:
    """A checksum in place of a table's key, with which any reader of the file could open the table."""
    return checksums.checksum("key", key)


class LogHeads:
    """The heads of one data folder; not for several threads at once."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self.name = ""  # of the store that they belong to
        self.known: dict[int, LogHead] = {}
        self._file: int | None = None
        self._unsaved: dict[int, LogHead] = {}
        self._warned = False
        with contextlib.suppress(FileNotFoundError):
            self._read(self.path.read_bytes())

    def is_gone(self, key: str) -> bool:
        """Whether this is the key of a table that is lost as a whole."""
        looked_for = key_hash(key)
        return any(head.gone and head.key_hash == looked_for for head in list(self.known.values()))

    def reset(self, name: str, heads: Iterable[LogHead]) -> None:
        """Writes the file anew, whole or not at all. Raises OSError."""
        self.close()
        self.name = name
        self.known = {head.table_id: head for head in heads}
        slots = [_slot(0, 0, name, NO_KEY, "=")] + [EMPTY] * max(self.known, default=0)
        for head in self.known.values():
            slots[head.table_id] = _pack(head)
        with replace_file(self.path) as part:
            part.write_bytes(b"".join(slots))
        self.resume()

    def resume(self) -> None:
        """Opens the file for further heads. Raises OSError."""
        self.close()
        self._unsaved = {}
        self._file = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))

    def forget(self, table_id: int) -> None:
        """Clears the slot of a table that was deleted. If the disk refuses it, the next `reset` does."""
        self.known.pop(table_id, None)
        self._unsaved.pop(table_id, None)
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.lseek(self._file, table_id * SLOT, os.SEEK_SET)
                os.write(self._file, EMPTY)

    def note(self, head: LogHead) -> None:
        """Writes a table's new head. If the disk refuses it, it is written again with the next one."""
        self.known[head.table_id] = head
        self._unsaved[head.table_id] = head
        if self._file is None:
            return
        try:
            for each in list(self._unsaved.values()):
                os.lseek(self._file, each.table_id * SLOT, os.SEEK_SET)
                if os.write(self._file, _pack(each)) == SLOT:
                    del self._unsaved[each.table_id]
            self._warned = False
        except OSError as error:
            if not self._warned:
                logger.warning("how far a table goes could not be noted in %s: %s", self.path.name, error)
            self._warned = True

    def to_disk(self) -> None:
        """Waits until all heads are on the disk, as far as it takes them."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._file)

    def exists(self) -> bool:
        try:
            return self._file is not None and os.path.samestat(os.fstat(self._file), self.path.stat())
        except OSError:
            return False

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self, data: bytes) -> None:
        for number, start in enumerate(range(0, len(data) - SLOT + 1, SLOT)):
            fields = _fields(data[start : start + SLOT])
            if fields is None or fields[0] != number:
                continue
            if number == 0:
                self.name = fields[2]
            else:
                self.known[number] = LogHead(*fields[:4], gone=fields[4] == "!")


def _pack(head: LogHead) -> bytes:
    return _slot(head.table_id, head.lines, head.head, head.key_hash, "!" if head.gone else "=")


def _slot(table_id: int, lines: int, head: str, key_hash: str, sign: str) -> bytes:
    text = f"{table_id:010d} {lines:07d} {head:32} {key_hash:32} {sign}"
    return f"{text} {zlib.crc32(text.encode()):08x}".ljust(SLOT - 1).encode() + b"\n"


def _fields(slot: bytes) -> tuple[int, int, str, str, str] | None:
    said, _, check = slot.rstrip().rpartition(b" ")
    if b"%08x" % zlib.crc32(said) != check:
        return None
    parts = said.split(b" ")
    if len(parts) != 5:
        return None
    table_id, lines, head, key_hash, sign = parts
    return int(table_id), int(lines), head.decode(), key_hash.decode(), sign.decode()
