"""Getting at a table: only with its key, only so many wrong keys, and only for a phone that may come.

Every route with a table's key is asked for that before its view is called (`install`). What is not is listed here.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, current_app, g, request

from web.pages import cross_site
from web.pages.devices import known_device
from web.problems import Problem
from web.server.keys import OPENED
from web.server.security import origin_of
from web.server.visitor_limits import Limit
from web.services import Services
from web.services import services as services_of
from web.session.stored_table import TableRow

# The endpoints that any phone with a table's key may ask for, each with its reason.
FOR_ANYBODY = {
    "pages.forget": "it changes the phone's own list alone, which a removed phone may tidy up too",
    "pages.restore": "the same",
}
# The endpoints by which something may be sent to a closed table, each with its reason.
AT_CLOSED_TABLES = {
    "api.act": "a phone that sends again what it did before is told that it is done; a session refuses what is new",
    "api.undo": "the same",
    "api.correct": "the same",
    "api.close": "its owner opens it again",
    "api.turn_out": "its owner decides who may look at it",
    "api.preview": "it shows what a correction would change, and changes nothing",
    "api.would": "it shows what a throw would leave, and changes nothing",
    "api.discard": "it puts a photo away, and plays nothing",
}


def services() -> Services:
    """The parts behind the request's application."""
    return services_of(current_app)


def phone_address() -> str:
    """Where the request came from, for counting guesses."""
    return request.remote_addr or "?"


def phone_origin() -> str:
    """The same, as one of those that take turns."""
    return origin_of(phone_address())


def table_of(key: str) -> "tuple[Services, TableRow]":
    """The table with this key, that of the request's address, as it was when `install` asked who comes."""
    row: TableRow = g.table
    assert row.key == key
    return services(), row


def count(limit: Limit) -> None:
    """Counts what this phone asks for. Raises `Problem` where it, or its address, has had enough of it for a while."""
    services().limits.count(limit, phone_address(), known_device())


def install(app: Flask) -> None:
    """Has `app` ask who comes, before it calls the view of any route with a table's key. For after what tells which
    phone it is, and what answers problems."""

    @app.before_request
    def ask_who_comes() -> None:
        key = (request.view_args or {}).get("key")
        if key is None:
            return
        if request.endpoint in FOR_ANYBODY:
            with _count_unknown_keys(services(), phone_address()):
                g.table = services().sessions.row(key)
            return
        changes = request.method not in cross_site.SAFE_METHODS and request.endpoint not in AT_CLOSED_TABLES
        g.table = admit(services(), key, phone_address(), known_device(), changes)
        if request.method != "OPTIONS":  # which Flask answers, and no table
            request.environ[OPENED] = key


def admit(parts: Services, key: str, address: str, phone: str, changes: bool = False) -> TableRow:
    """The table with this key, as it is now, for the `phone` of this id ("": one without). All ways to a table lead
    through here.

    `changes`: it asks for what nobody may do at a closed table. Raises `Problem` for a phone that may not come, and for
    an unknown key, which is counted against `address`.
    """
    with _count_unknown_keys(parts, address):
        access = parts.sessions.look(key).access
    access.check(phone)
    if changes:
        access.check_open()
    return parts.sessions.row(key)


@contextmanager
def _count_unknown_keys(parts: Services, address: str) -> Iterator[None]:
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
    if cross_site.is_from_another_site():
        raise Problem("cross-site", 403)
    parts = services()
    # What other sites have people follow must not use up what they may type.
    guess = "linked code" if cross_site.came_by_link() else "code", phone_address(), known_device()
    # A code is short enough to be hit by chance: after too many wrong ones not even a right one is told.
    parts.guesses.check(*guess)
    wanted = "".join(code.split()).upper()[:12]
    key = parts.store.find_code(wanted)
    if key is None:
        parts.guesses.wrong(*guess)
        raise Problem("code-unknown", 404, code=wanted)
    return key
