"""Proof of a game's throws: small pictures, named in the log by their hashes, and a code of the log that people note.

The code is of a hash over how the table was set up and all lines so far: no line can be changed, moved or dropped while
it stays as it is. docs/interfaces.md has the form, and what it proves.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from web.table.stored_table import Entry, Json, TableRow

FORMAT = 1
LONGEST_SIDE = 640  # pixels of a picture
MOST_BYTES = 48 << 10  # of a picture
MOST_OF_TABLE, MOST_OF_SERVER = 500, 5000  # pictures: some 40 games on a server
PICTURE = "picture"  # the key of a line's body: a hash, or why there is none
BY_HAND, NOT_KEPT = "by-hand", "not-kept"
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # of a code: without those that people misread
CODE_LETTERS = 12  # 60 bits: nobody finds another log with the same code by trying
HASH_LETTERS = 64
RECORD_NAME = "record.json"  # in a file with pictures


def picture_name(seq: int) -> str:
    return f"pictures/{seq:05}.jpg"


def hash_in(body: Mapping[str, Any]) -> str | None:
    """The hash of the picture that a line of the log names; None if it names none."""
    named = body.get(PICTURE)
    return named if isinstance(named, str) and len(named) == HASH_LETTERS else None


def setup_of(row: TableRow) -> Json:
    """How a table was set up, as the hash covers it."""
    return {"game": row.game, "options": row.options, "players": list(row.players), "at": row.created_at}


def start_of(setup: Json) -> str:
    """The hash of a log without lines."""
    return _hash("", setup)


def line_of(entry: Entry) -> Json:
    """A line of the log as the hash covers it."""
    return {"line": entry.seq, "body": entry.body, "device": entry.device, "at": entry.at}


def next_hash(before: str, line: Mapping[str, Any]) -> str:
    """The hash of a log up to this line, given the hash up to the line before."""
    return _hash(before, {name: line.get(name) for name in ("line", "body", "device", "at")})


def hash_of_log(row: TableRow, entries: Iterable[Entry]) -> str:
    found = start_of(setup_of(row))
    for entry in entries:
        found = next_hash(found, line_of(entry))
    return found


def has_pictures(entries: Iterable[Entry]) -> bool:
    """Whether a table kept pictures when one of these lines was written."""
    return any(PICTURE in entry.body for entry in entries)


def code_of(hash_: str) -> str:
    """The short code of a hash that people compare: three groups of four letters."""
    number = int(hash_, 16) >> (4 * HASH_LETTERS - 5 * CODE_LETTERS)
    letters = "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(CODE_LETTERS)))
    return "-".join(letters[place : place + 4] for place in range(0, CODE_LETTERS, 4))


def proof_document(row: TableRow, entries: Iterable[Entry], hash_: str) -> Json:
    """What the record of a table has besides the game. `hash_`: of its log."""
    return {"format": FORMAT, "setup": setup_of(row), "log": [*map(line_of, entries)], "code": code_of(hash_)}


def _hash(before: str, document: Json) -> str:
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{before}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
