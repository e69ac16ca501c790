"""Getting at a table: only with its key, and only so many wrong keys."""

from typing import TYPE_CHECKING

from flask import current_app, request

from web.errors import Problem
from web.store import TableRow

if TYPE_CHECKING:
    from web.app import Rooms


def rooms() -> "Rooms":
    """The parts behind the request's application."""
    found: Rooms = current_app.extensions["rollcall"]
    return found


def phone_address() -> str:
    """Where the request came from, for counting guesses."""
    return request.remote_addr or "?"


def table_of(key: str) -> "tuple[Rooms, TableRow]":
    """The table with this key. Raises `Problem`, also when this phone has guessed too often."""
    parts = rooms()
    try:
        return parts, parts.playing.row(key)
    except Problem:
        # Only wrong keys are refused for a while: whoever has a right one is let in all the same.
        parts.guesses.check(phone_address())
        parts.guesses.wrong(phone_address())
        raise


def key_of_code(code: str) -> str:
    """The key of the running table with this short code. Raises `Problem`."""
    parts = rooms()
    parts.guesses.check(phone_address())
    wanted = code.strip().upper()[:12]
    key = parts.store.find_code(wanted)
    if key is None:
        parts.guesses.wrong(phone_address())
        raise Problem("code-unknown", 404, code=wanted)
    return key
