"""Access to tables: only with the table's key, with few wrong keys, and only for phones that the table lets in.

`install` checks every route with a table's key before its view is called. The exceptions are listed here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask, current_app, g, request

import scorer
from web.checking.game_checker import Payer
from web.pages import cross_site
from web.pages.devices import known_device
from web.problems import SPENT_S, Problem
from web.server.keys import OPENED
from web.server.security import origin_of
from web.server.visitor_limits import TRIES, Limit
from web.services import Services
from web.services import services as services_of
from web.session.stored_table import TableRow
from web.texts.languages import current

# Endpoints for every phone that has the table's key, even a removed one, each with its reason.
FOR_ANYBODY = {
    "pages.forget": "it changes only the phone's own list, which a removed phone may tidy up too",
    "pages.restore": "the same",
}
# Endpoints for every phone that has the key of a deleted table: the session decides who brings it back.
AT_DELETED_TABLES = {"api.delete", "pages.delete_table", "pages.bring_back"}
# Endpoints that may send something to a closed table, each with its reason.
AT_CLOSED_TABLES = {
    "api.act": "a phone that repeats a request learns that it is done; the session refuses new ones",
    "api.undo": "the same",
    "api.correct": "the same",
    "api.close": "its owner opens it again",
    "api.remove_program": "its owner still decides which programs may look at it",
    "api.disconnect_webhook": "the same",
    "api.retry_webhook": "it tells what has happened, and changes no game",
    "api.connect_program": "the session tells its owner why not",
    "api.connect_webhook": "its owner is told why not",
    "api.turn_out": "its owner still decides who may look at it",
    "api.preview": "it shows what a correction would change, and changes nothing",
    "api.would": "it shows what a throw would leave, and changes nothing",
    "api.discard": "it puts a photo away and changes no game",
    "api.delete": "its owner deletes a closed table too",
    "pages.delete_table": "the same",
    "pages.bring_back": "the same",
}


def services() -> Services:
    """The parts behind the request's application."""
    return services_of(current_app)


def phone_address() -> str:
    """The address that the request came from."""
    return request.remote_addr or "?"


def phone_origin() -> str:
    """The origin of the request, by which the server shares its time (`origin_of`)."""
    return origin_of(phone_address())


def table_of(key: str) -> TableRow:
    """The table of the request's route, as it was when `install` checked the access."""
    row: TableRow = g.table
    assert row.key == key
    return row


def game_of_table(row: TableRow) -> scorer.Game[Any]:
    """The game of a table as this phone reads it: `scorer.in_language`."""
    return scorer.in_language(scorer.game(row.game, **row.options), current())


def count(limit: Limit) -> None:
    """Counts a request of this phone. Raises `Problem` if the phone or its address has reached the limit."""
    services().limits.count(limit, phone_address(), known_device())


def payer() -> Payer:
    """Who pays for what other processes do for this request."""
    environ = request.environ

    def charge(seconds: float) -> None:
        environ[SPENT_S] = environ.get(SPENT_S, 0.0) + seconds

    return Payer(phone_origin(), charge)


def check_game(file: object, name: object) -> None:
    """Checks the file of a game that this request brought. Raises DefinitionError and `Problem`."""
    count(TRIES)  # also of those that are refused
    if isinstance(file, str) and isinstance(name, str):  # others are refused by what reads them
        services().game_checker.check(file, name.partition(".")[0], payer())


def install(app: Flask) -> None:
    """Checks the access before each view of a route with a table's key. Install it after `devices` and `errors`."""

    @app.before_request
    def check_access() -> None:
        key = (request.view_args or {}).get("key")
        if key is None:
            return
        if request.endpoint in FOR_ANYBODY or (request.endpoint in AT_DELETED_TABLES and _is_deleted(key)):
            with _count_unknown_keys(services(), phone_address()):
                g.table = services().sessions.row(key)
            return
        changes = request.method not in cross_site.SAFE_METHODS and request.endpoint not in AT_CLOSED_TABLES
        g.table = admit(services(), key, phone_address(), known_device(), changes)
        if request.method != "OPTIONS":  # which Flask answers, and no table
            request.environ[OPENED] = key


def _is_deleted(key: str) -> bool:
    with _count_unknown_keys(services(), phone_address()):
        return services().sessions.look(key, anybody=True).access.deletion is not None


def admit(parts: Services, key: str, address: str, phone: str, changes: bool = False) -> TableRow:
    """The table with this key, for the phone with this id ("": none). All requests for a table lead through here.

    `changes`: the request does what nobody may do at a closed table. Raises `Problem` for a phone that the table does
    not let in, and for an unknown key, which counts against `address`.
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

    A right key is let in all the same. Nobody can guess 144 random bits; this limits the work that guesses cause.
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
    # Links from other sites must not use up the guesses of people who type.
    guess = "linked code" if cross_site.came_by_link() else "code", phone_address(), known_device()
    # A guess may hit a short code by chance, so after too many wrong ones even a right one is refused.
    parts.guesses.check(*guess)
    wanted = "".join(code.split()).upper()[:12]
    key = parts.store.find_code(wanted)
    if key is None:
        parts.guesses.wrong(*guess)
        raise Problem("code-unknown", 404, code=wanted)
    return key
