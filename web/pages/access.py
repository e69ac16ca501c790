"""Getting at a table: only with its key, and only so many wrong keys."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from flask import current_app, request

from web.errors import Problem
from web.pages.devices import known_device
from web.rooms import Rooms
from web.rooms import rooms as rooms_of
from web.tables.store import Json, TableRow
from web.transport import security
from web.transport.limits import Limit
from web.transport.metrics import Metrics

METER = "rollcall.meter"  # of the application's extensions: `web.transport.metrics.Metrics`, where they are wanted


def note_reading(settled: Json, values: Sequence[int]) -> None:
    """Counts a reading that a person confirmed as these values, where that is wanted."""
    meter: Metrics | None = current_app.extensions.get(METER)
    if meter is not None:
        read = sorted(die["value"] for die in settled.get("dice", []))
        meter.read(sure=bool(settled.get("sure")), corrected=read != sorted(values))


def rooms() -> Rooms:
    """The parts behind the request's application."""
    return rooms_of(current_app)


def phone_address() -> str:
    """Where the request came from, for counting guesses."""
    return request.remote_addr or "?"


def phone_origin() -> str:
    """The same, as one of those that take turns."""
    return security.origin_of(phone_address())


def shown_table(key: str) -> "tuple[Rooms, TableRow]":
    """The table with this key, as it is now, for a page of it. Raises `Problem`, also for a phone that was removed."""
    parts, _ = table_of(key)
    parts.playing.door(key)
    return parts, parts.playing.row(key)


def count(limit: Limit) -> None:
    """Counts what this phone asks for. Raises `Problem` where it, or its address, has had enough of it for a while."""
    rooms().limits.count(limit, phone_address(), known_device())


def table_of(key: str) -> "tuple[Rooms, TableRow]":
    """The table with this key, for whoever asks it for more: then it refuses a phone that was removed. Raises
    `Problem`, also when this phone has guessed too often."""
    parts = rooms()
    with counted(parts, phone_address()):
        return parts, parts.playing.row(key)


@contextmanager
def counted(parts: Rooms, address: str) -> Iterator[None]:
    """Counts an unknown key against `address`, and refuses further unknown ones for a while.

    Only those: whoever has a right key is let in all the same. A key has 144 random bits; what this keeps small is
    the work that guessing makes.
    """
    try:
        yield
    except Problem as problem:
        if problem.reason == "table-unknown":
            parts.guesses.check("key", address)
            parts.guesses.wrong("key", address)
        raise


def key_of_code(code: str) -> str:
    """The key of the running table with this short code. Raises `Problem`."""
    if security.is_from_another_site():
        raise Problem("cross-site", 403)
    parts = rooms()
    # What other sites have people follow must not use up what they may type.
    guess = "linked code" if security.came_by_link() else "code", phone_address(), known_device()
    # A code is short enough to be hit by chance: after too many wrong ones not even a right one is told.
    parts.guesses.check(*guess)
    wanted = "".join(code.split()).upper()[:12]
    key = parts.store.find_code(wanted)
    if key is None:
        parts.guesses.wrong(*guess)
        raise Problem("code-unknown", 404, code=wanted)
    return key
