"""Checksums by which a store of before version 6 noticed what a damaged disk changed.

A line of a table's log has a checksum over its fields and the checksum of the line before. The first line follows the
checksum of how the table was set up. Every other important row has a checksum over its own fields, and a table's row
has the number and the checksum of its log's last line. Checksums are BLAKE2b with 128 bits: they protect against
chance, not against somebody who computes them anew.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[Any, Any]

BYTES = 16
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
    "own_games": ("own game", "digest", "name", "file"),
    "early_games": ("early game", "table_id", "ended_no"),
}
PLAYER_GAME = (
    *("table_id", "player", "person", "game", "ended_no", "name", "score", "place", "imported", "digest"),
    *("replayed", "best", "busts", "turns", "fell"),
)


_encoded = json.JSONEncoder(separators=(",", ":"), default=repr).encode  # made once: a store has very many rows


def checksum(*fields: Any) -> str:
    """32 hexadecimal digits for these fields: texts, numbers, bytes and None, as a store holds them."""
    plain = [int(field) if isinstance(field, bool) else field for field in fields]
    text = _encoded(plain)
    return hashlib.blake2b(text.encode(), digest_size=BYTES).hexdigest()


def setup_sum(table_id: int, setup: Row) -> str:
    """The checksum of how a table was set up, which its log's first line follows."""
    return checksum("setup", table_id, *(setup[name] for name in SETUP))


def table_sum(row: Row, born: str | None = None) -> str:
    """The checksum of a table's row. `born`: its `setup_sum`, if known already."""
    return checksum(setup_sum(row["id"], row) if born is None else born, *(row[name] for name in CHANGING))


def line_sum(before: str, line: Row) -> str:
    """The checksum of a line, given that of the line before it (before the first line: `setup_sum`)."""
    seq, request, body, device, at = (line[name] for name in LINE)
    return chain_sum(before, seq, request, body, device, at)


def chain_sum(before: str, seq: int, request: str, body: str, device: str, at: str) -> str:
    """`line_sum` of these fields, quickly, since a start may check many. For damaged fields, a text that is none."""
    try:
        text = f"{before} {seq} {len(request)} {len(body)} {len(device)} {request}{body}{device}{at}"
    except TypeError:
        return "no line"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=BYTES).hexdigest()


def row_sum(table: str, row: Row) -> str:
    """The checksum of a row of one of these tables (`ROWS`)."""
    word, *names = ROWS[table]
    return checksum(word, *(row[name] for name in names))


def holds(table: str, row: Row) -> bool:
    """Whether a row of one of these tables (`ROWS`) is as it was written."""
    return bool(row["sum"] == row_sum(table, row))


def player_game_sum(fields: Iterable[Any]) -> str:
    """The checksum of the fields of PLAYER_GAME, in their order; quick, since pages read thousands of rows."""
    return hashlib.blake2b(repr([*fields]).encode("utf-8", "surrogatepass"), digest_size=BYTES).hexdigest()


@dataclass(frozen=True)
class LogChain:
    """How far a log is whole: the number and the checksum of the last whole line. `broken`: a damaged line follows."""

    lines: int
    head: str
    broken: bool = False


def follow(start: str, lines: Iterable[Sequence[Any]]) -> LogChain:
    """Follows a log, oldest line first, as long as each line is the next one and its checksum fits.

    `lines`: the fields of LINE and the checksum of each. `start`: the table's `setup_sum`.
    """
    count, head = 0, start
    for seq, request, body, device, at, held in lines:
        if seq != count + 1 or held != chain_sum(head, seq, request, body, device, at):
            return LogChain(count, head, broken=True)
        count, head = seq, held
    return LogChain(count, head)
