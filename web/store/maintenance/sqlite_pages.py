"""Reads rows from the bytes of a SQLite file and its write-ahead log, whatever else in them is damaged.

SQLite gives up at a malformed page on the way to a row. This module reads every page by itself and finds each readable
row, also old versions and rows that never existed. The caller must recognize the right ones by their checksums. File
format: https://www.sqlite.org/fileformat2.html
"""

from collections.abc import Iterator
from typing import Any

PAGE = 4096  # bytes, as every store has it
FIRST = 100  # bytes of the file's header, before the first page's own
INDEX = (b"\x02", b"\x0a")  # kinds of pages without rows; more than one bit away from the kind with rows
LEAF = 8  # bytes of the header of a page with rows
MOST_LOCAL = PAGE - 35  # most bytes of a row within its page
LEAST_LOCAL = (PAGE - 12) * 32 // 255 - 23
LONGEST = 1 << 22  # bytes of a row
WAL_HEADER, FRAME_HEADER = 32, 24
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial types and their bytes

Values = list[Any]  # of one row: int, float, str, bytes or None


class _NoRowError(Exception):
    """These bytes are no row."""


def rows(store: bytes, log: bytes) -> Iterator[tuple[int, Values]]:
    """Every possible row, with its number, in `store` (a database file) and `log` (its write-ahead log).

    Rows of the log come last, in the order of writing. An integer key is None in the row itself.
    """
    pages = [store[start : start + PAGE] for start in range(0, len(store), PAGE)]
    newest = dict(enumerate(pages, start=1))
    later = list(_frames(log))
    newest.update(later)
    seen: set[tuple[int, bytes]] = set()
    for number, page in [*enumerate(pages, start=1), *later]:
        start = FIRST if number == 1 else 0
        if page[start : start + 1] not in INDEX:
            yield from _rows_of(page, start, newest, seen)


def _frames(log: bytes) -> Iterator[tuple[int, bytes]]:
    step = FRAME_HEADER + PAGE
    for start in range(WAL_HEADER, len(log) - step + 1, step):
        yield int.from_bytes(log[start : start + 4], "big"), log[start + FRAME_HEADER : start + step]


def _rows_of(
    page: bytes, start: int, pages: dict[int, bytes], seen: set[tuple[int, bytes]]
) -> Iterator[tuple[int, Values]]:
    """The rows of one page that are not in `seen`. The page's own count may be damaged, so the list of their places
    ends where the first row begins."""
    at, ends = start + LEAF, len(page)
    while at + 2 <= ends:
        place = int.from_bytes(page[at : at + 2], "big")
        at += 2
        if not at <= place < len(page):
            continue
        try:
            row = _row(page, place, pages)
            values = None if row in seen else _values(row[1])
        except _NoRowError:
            continue
        ends = min(ends, place)
        if values is not None:
            seen.add(row)
            yield row[0], values


def _row(page: bytes, place: int, pages: dict[int, bytes]) -> tuple[int, bytes]:
    size, place = _varint(page, place)
    number, place = _varint(page, place)
    if not 0 < size <= LONGEST:
        raise _NoRowError
    return number, _payload(page, place, size, pages)


def _payload(page: bytes, place: int, size: int, pages: dict[int, bytes]) -> bytes:
    local = size
    if size > MOST_LOCAL:
        local = LEAST_LOCAL + (size - LEAST_LOCAL) % (PAGE - 4)
        local = local if local <= MOST_LOCAL else LEAST_LOCAL
    parts, got = [page[place : place + local]], local
    following = page[place + local : place + local + 4]
    while got < size:
        overflow = pages.get(int.from_bytes(following, "big"))
        if overflow is None:
            raise _NoRowError
        parts.append(overflow[4 : 4 + size - got])
        got += PAGE - 4
        following = overflow[:4]
    payload = b"".join(parts)
    if len(payload) != size:
        raise _NoRowError
    return payload


def _values(payload: bytes) -> Values:
    ends, place = _varint(payload, 0)
    kinds = []
    while place < ends:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    if place != ends or not kinds:
        raise _NoRowError
    values = []
    for kind in kinds:
        value, place = _value(payload, place, kind)
        values.append(value)
    if place != len(payload):
        raise _NoRowError
    return values


def _value(payload: bytes, place: int, kind: int) -> tuple[Any, int]:
    if kind in (0, 8, 9):
        return (None if kind == 0 else kind - 8), place
    if kind in INTEGERS:
        ends = place + INTEGERS[kind]
        return int.from_bytes(payload[place:ends], "big", signed=True), ends
    if kind < 12:
        raise _NoRowError  # no store holds a fraction
    ends = place + (kind - 12) // 2
    if ends > len(payload):
        raise _NoRowError
    if kind % 2 == 0:
        return payload[place:ends], ends
    try:
        return payload[place:ends].decode("utf-8"), ends
    except UnicodeDecodeError as error:
        raise _NoRowError from error


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for count in range(9):
        if place >= len(data):
            raise _NoRowError
        byte = data[place]
        place += 1
        if count == 8:
            return (value << 8) | byte, place
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            break
    return value, place
