"""Proof of a game's throws: small pictures, named in the log by their hashes, and a chain of hashes over its lines.

A line's hash covers the line and the hash before it, so that no line can be changed, moved or dropped while the last
hash stays as it is. People compare a short code of it. docs/interfaces.md has the form, and what it proves.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import scorer
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
    """The name of a picture in a file with pictures."""
    return f"pictures/{seq:05}.jpg"


def hash_in(body: Mapping[str, Any]) -> str | None:
    """The hash of the picture that a line of the log names; None if it names none."""
    named = body.get(PICTURE)
    return named if isinstance(named, str) and len(named) == HASH_LETTERS else None


def setup_of(row: TableRow) -> Json:
    """How a table was set up, as its first hash covers it: without options that have the value of before they were
    there, so that a newer Rollcall finds the same."""
    game = scorer.game(row.game, **row.options)
    before = {option.name: option.before for option in game.options}
    options = {name: value for name, value in row.options.items() if name not in before or before[name] != value}
    return {"game": row.game, "options": options, "players": list(row.players), "at": row.created_at}


def start_of(setup: Json) -> str:
    """The hash that the first line follows."""
    return _hash("", setup)


def line_of(entry: Entry) -> Json:
    """A line of the log as its hash covers it."""
    return {"line": entry.seq, "body": entry.body, "device": entry.device, "at": entry.at}


def next_hash(before: str, line: Mapping[str, Any]) -> str:
    """The hash of a line, given the hash before it."""
    return _hash(before, {name: line.get(name) for name in ("line", "body", "device", "at")})


def last_hash(row: TableRow, entries: Iterable[Entry]) -> str:
    """The hash of the last line of a table's log."""
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


def proof_document(row: TableRow, entries: Iterable[Entry]) -> Json:
    """What the record of a table has besides the game: its setup, and each line of its log with its hash."""
    setup = setup_of(row)
    found, lines = start_of(setup), []
    for entry in entries:
        line = line_of(entry)
        found = next_hash(found, line)
        lines.append({**line, "hash": found})
    return {"format": FORMAT, "setup": setup, "log": lines, "code": code_of(found)}


def _hash(before: str, document: Json) -> str:
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{before}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
