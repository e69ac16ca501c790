"""Access to tables: only with the table's key, with few wrong keys, and only for phones that the table lets in.

`install` checks every page with a table's key before its view is called. The exceptions are listed here. Who may ask
for an operation of `/api/v1` stands at the operation (`web.pages.operations`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from flask import Flask, current_app, g, request

import scorer
from web.checking.game_checker import Payer
from web.common.problems import SPENT_S, Problem
from web.limits.origins import origin_of
from web.limits.visitor_limits import TRIES, Limit
from web.pages import cross_site
from web.pages.devices import asking_phone, known_device
from web.pages.keys import OPENED
from web.services import Services
from web.services import services as services_of
from web.table.commands import Asker, Command
from web.table.stored_table import TableRow
from web.texts.languages import current

# Endpoints that need only the key of a table that is there, each with its reason.
FOR_ANYBODY = {
    "pages.forget": "it changes only the phone's own list, which a removed phone may tidy up too",
    "pages.restore": "the same",
}
# Endpoints that ask the table by a command, which says who may (`web.table.deciding.decide`).
DECIDED = {"pages.again", "pages.go_on", "pages.delete_table", "pages.bring_back"}


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
    parts = services_of(app)

    @app.before_request
    def check_access() -> None:
        key = (request.view_args or {}).get("key")
        if key is None:
            return
        asks = request.endpoint in DECIDED and request.method != "OPTIONS"
        if asks or request.endpoint in FOR_ANYBODY:
            g.table = known_table(parts, key, phone_address())
            return
        changes = request.method not in cross_site.SAFE_METHODS
        g.table = admit(parts, key, phone_address(), asking_phone(), changes)
        if request.method != "OPTIONS":  # which Flask answers, and no table
            request.environ[OPENED] = key


def known_table(parts: Services, key: str, address: str) -> TableRow:
    """The table with this key. Raises `Problem` for an unknown one, which counts against `address`."""
    try:
        return parts.sessions.row(key)
    except Problem as problem:
        _refuse_key(parts, address, problem)


def admit(parts: Services, key: str, address: str, asker: Asker, changes: bool = False) -> TableRow:
    """The table with this key, for whoever asks. `changes`: the request does what nobody may do at a closed table.

    Raises `Problem` for somebody whom the table does not let in, and as `known_table`.
    """
    try:
        state = parts.sessions.look(key, asker)
    except Problem as problem:
        _refuse_key(parts, address, problem)
    if changes:
        state.access.check_open()
    return state.row


@contextmanager
def before_asking(key: str) -> Iterator[None]:
    """Reads a request before its table decides: what is wrong with it learns only who may come there."""
    try:
        yield
    except Exception:
        services().sessions.look(key, asking_phone())
        raise


def do(key: str, command: Command, asker: Asker) -> bytes:
    """Asks the request's table by a command; returns its view. Raises as `Sessions.do`."""
    shown = services().sessions.do(key, command, asker)
    request.environ[OPENED] = key
    return shown


def _refuse_key(parts: Services, address: str, problem: Problem) -> NoReturn:
    """Raises `problem`. Counts an unknown key against `address`, and refuses further unknown ones for a while.

    A right key is let in all the same. Nobody can guess 144 random bits; this limits the work that guesses cause.
    """
    if problem.reason == "table-unknown":
        parts.guesses.check("key", address)
        parts.guesses.wrong("key", address)
    raise problem


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
