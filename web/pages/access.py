"""Who comes to a table: whoever has its key, as the phone of the cookie, or a program with a token of its own.

No token is ever part of an address, kept, or logged; only its hash is compared. Pages ask here by the key of their
route (`check_page`). Who may ask for an operation of `/api/v1` stands at the operation (`web.pages.operations`).
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from flask import current_app, g, request

import scorer
from web.limits.origins import origin_of
from web.limits.visitor_limits import Limit
from web.own_games import process
from web.own_games.checker import Payer
from web.pages.devices import acting_phone, asking_phone, device_id, known_device
from web.pages.keys import OPENED
from web.problems.problem import GONE, SPENT_S, Problem
from web.runner.runner import Snapshot
from web.services import Services
from web.store.event_rows import tables_of_program
from web.store.server_tokens import token_hash
from web.table.access_list import PROGRAM, ConnectedProgram, table_id
from web.table.commands import Asker, Command
from web.table.moves import game_of
from web.table.state import State
from web.table.stored_table import TableRow
from web.texts.languages import current

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE | re.ASCII)
TABLE_ID = re.compile(r"[0-9a-f]{16}")
SHOWS = "show"
# Endpoints that need only the key of a table that is there, each with its reason.
FOR_ANYBODY = {
    "pages.forget": "it changes only the phone's own list, which a removed phone may tidy up too",
    "pages.restore": "the same",
}
# Endpoints that ask the table by a command, which says who may (`web.table.deciding.decide`).
DECIDED = {"pages.again", "pages.go_on", "pages.delete_table", "pages.bring_back"}


def services() -> Services:
    found: Services = current_app.extensions["rollcall"]
    return found


def phone_address() -> str:
    return request.remote_addr or "?"


def phone_origin() -> str:
    """The origin of the request, by which the server shares its time (`origin_of`)."""
    return origin_of(phone_address())


def count(limit: Limit) -> None:
    """Counts a request of this phone. Raises `Problem` if the phone or its address has reached the limit."""
    services().limits.count(limit, phone_address(), known_device())


def payer() -> Payer:
    """Who pays for what other processes do for this request."""
    environ = request.environ

    def charge(seconds: float) -> None:
        environ[SPENT_S] = environ.get(SPENT_S, 0.0) + seconds

    return Payer(phone_origin(), charge, environ.get(GONE, lambda: False))


def check_game(file: object, name: object) -> None:
    """Checks the file of a game that this request brought, once it was counted (`TRIES`). Raises DefinitionError and
    `Problem`."""
    if isinstance(file, str) and isinstance(name, str):  # others are refused by what reads them
        services().checker.ask(payer(), process.check, file, name.partition(".")[0])


# --- pages ------------------------------------------------------------------------------------------------------------


def check_page(key: str) -> None:
    """Checks the access to a page of the table with this key, before its view. Raises `Problem`."""
    parts, is_asked = services(), request.method != "OPTIONS"  # which Flask answers, and no table
    if (request.endpoint in DECIDED and is_asked) or request.endpoint in FOR_ANYBODY:
        g.table = known_table(parts, key)
        return
    g.table = admit(parts, key, asking_phone(), request.method not in SAFE_METHODS)
    if is_asked:
        request.environ[OPENED] = key


def arrive(key: str, invited: bool = False) -> None:
    """Notes the phone that opens a page at its table. `invited`, and what is raised: as in `Runner.arrive`."""
    services().runner.arrive(key, acting_phone(device_id()), invited)


def table_of(key: str) -> TableRow:
    """The table of the request's route, as it was when `check_page` checked the access."""
    row: TableRow = g.table
    assert row.key == key
    return row


def game_of_table(row: TableRow) -> scorer.Game[Any]:
    """The game of a table as this phone reads it: `scorer.in_language`."""
    return scorer.in_language(game_of(row), current())


@contextmanager
def before_asking(key: str) -> Iterator[None]:
    """Reads a request before its table decides: what is wrong with it learns only who may come there."""
    try:
        yield
    except Exception:
        services().runner.look(key, asking_phone())
        raise


def is_from_another_site() -> bool:
    """Whether another site's page loaded this as an image, a script or a frame, without showing a page of ours.

    Browsers say so in Sec-Fetch headers, but over https only. Otherwise images are known by their Accept header.
    """
    if came_by_link():
        return request.headers.get("Sec-Fetch-Dest") != "document"
    accepted = request.headers.get("Accept", "")
    return accepted.startswith("image/") and "text/html" not in accepted


def came_by_link() -> bool:
    """Whether a page of another site led here, by a link or by itself."""
    return request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")


def key_of_code(code: str) -> str:
    """The key of the running table with this short code. Raises `Problem`."""
    if is_from_another_site():
        raise Problem("cross-site", 403)
    parts = services()
    # Links from other sites must not use up the guesses of people who type.
    guess = "linked code" if came_by_link() else "code", phone_address(), known_device()
    # A guess may hit a short code by chance, so after too many wrong ones even a right one is refused.
    parts.guesses.check(*guess)
    wanted = "".join(code.split()).upper()[:12]
    key = parts.store.find_code(wanted)
    if key is None:
        parts.guesses.wrong(*guess)
        raise Problem("code-unknown", 404, code=wanted)
    return key


# --- tables -----------------------------------------------------------------------------------------------------------


def known_table(parts: Services, key: str) -> TableRow:
    """The table with this key. Raises `Problem` for an unknown one, which counts against the request's address."""
    try:
        return parts.runner.row(key)
    except Problem as problem:
        _refuse_key(parts, problem)


def admit(parts: Services, key: str, asker: Asker, changes: bool = False) -> TableRow:
    """The table with this key, for whoever asks. `changes`: the request does what nobody may do at a closed table.

    Raises `Problem` for somebody whom the table does not let in, and as `known_table`.
    """
    try:
        state = parts.runner.look(key, asker)
    except Problem as problem:
        _refuse_key(parts, problem)
    if changes:
        state.access.check_open()
    return state.row


def _refuse_key(parts: Services, problem: Problem) -> NoReturn:
    """Raises `problem`. Counts an unknown key, and refuses further unknown ones for a while.

    A right key is let in all the same. Nobody can guess 144 random bits; this limits the work that guesses cause.
    """
    if problem.reason == "table-unknown":
        _count_wrong(parts, "key")
    raise problem


def _count_wrong(parts: Services, what: str) -> None:
    parts.guesses.check(what, phone_address())
    parts.guesses.wrong(what, phone_address())


@dataclass(frozen=True)
class Caller:
    """A phone or a program at a table. `asker`: as whom it asks there; `by_key`: it came by the table's key."""

    parts: Services
    key: str
    asker: Asker
    by_key: bool = False

    def look(self) -> State:
        """The state of the table. Raises `Problem` for whoever may not come there."""
        return self.parts.runner.look(self.key, self.asker)

    def do(self, command: Command) -> Snapshot:
        """Asks the table by a command; returns what it shows then. Raises as `Runner.do`."""
        shown = self.parts.runner.do(self.key, command, self.acting_asker())
        request.environ[OPENED] = self.key
        return shown

    def acting_asker(self) -> Asker:
        """Who asks, as others see it."""
        return acting_phone(self.asker.phone or "") if self.by_key else self.asker

    def count(self, limit: Limit) -> None:
        """Counts a request of this phone or program; those of one address without either count as one."""
        self.parts.limits.count(limit, request.remote_addr or "?", self.asker.phone or "")


# --- tokens -----------------------------------------------------------------------------------------------------------


def server_caller() -> Caller:
    """A program with a token of the machine's owner. Raises `Problem`."""
    parts = services()
    token = _token_in(request.headers.get("Authorization", ""))
    found = parts.find_host_token(token)
    if found is None:
        _refuse_token(parts, _tables_of(parts, token))
    return Caller(parts, "", Asker("", found.name))


def check_owner(token: str) -> None:
    """Raises `Problem` unless this is a token of the machine's owner."""
    if services().find_host_token(token) is None:
        _count_wrong(services(), "token")
        raise Problem("night-token", 403)


def check_host_token(parts: Services, authorization: str) -> None:
    """Raises `Problem` for a token of the machine's owner that was taken back since it was let in."""
    if parts.find_host_token(_token_in(authorization)) is None:
        raise Problem("token-unknown", 401)


def table_caller(table: str, phone_needed: bool = False) -> Caller:
    """Who asks at the table `table`, given by its key or its id. Whether it may come there, and whether there is one,
    the table says. `phone_needed`: the key alone is not enough.

    Raises `Problem`: 401 for a wrong token, 403 for a right one that is not for this.
    """
    parts = services()
    authorization = request.headers.get("Authorization", "")
    if not authorization:
        phone = known_device()
        if TABLE_ID.fullmatch(table) or (phone_needed and not phone):
            raise Problem("token-wanted", 401)
        return Caller(parts, table, Asker(phone), by_key=True)
    token = _token_in(authorization)
    keys = _tables_of(parts, token)
    key = next((each for each in keys if table in (each, table_id(each))), None)
    if key is None:
        found = parts.find_host_token(token)
        if found is None:
            _refuse_token(parts, keys)
        key = (parts.store.find_id(table) if TABLE_ID.fullmatch(table) else None) or table
        return Caller(parts, key, Asker("", found.name, token_hash(token)))
    phone = PROGRAM + token_hash(token)
    program = _program_at(parts, key, phone)
    if program is None or program.may == SHOWS:
        _refuse_token(parts, [])
    return Caller(parts, key, Asker(phone, program.name))


def admitted_caller(table: str, changes: bool = False) -> Caller:
    """Who comes to this table, which lets them in. `changes`: to one that is not closed. Raises `Problem`."""
    caller = table_caller(table)
    admit(caller.parts, caller.key, caller.asker, changes)
    request.environ[OPENED] = caller.key
    return caller


def link_caller(token: str) -> Caller:
    """Who looks at the table that a link without a key shows. Raises `Problem`."""
    parts, phone = services(), PROGRAM + token_hash(token)
    for key in _tables_of(parts, token):
        program = _program_at(parts, key, phone)
        if program is not None and program.may == SHOWS:
            caller = Caller(parts, key, Asker(phone, program.name))
            admit(parts, key, caller.asker)
            return caller
    _count_wrong(parts, "token")
    raise Problem("not-found", 404)


def _program_at(parts: Services, key: str, phone: str) -> ConnectedProgram | None:
    return parts.runner.look(key).access.programs.get(phone.removeprefix(PROGRAM))


def _tables_of(parts: Services, token: str) -> Sequence[str]:
    wanted = token_hash(token)
    with parts.store.read() as connection:
        return tables_of_program(connection, wanted)


def _token_in(authorization: str) -> str:
    if not authorization:
        raise Problem("token-wanted", 401)
    found = BEARER.fullmatch(authorization.strip())
    if found is None:
        raise Problem("token-unknown", 401)
    return found[1]


def _refuse_token(parts: Services, keys: Sequence[str]) -> NoReturn:
    """Refuses a token; `keys`: of the tables that it is right for. Nobody can guess 256 random bits, so right ones are
    let in always."""
    if keys:
        raise Problem("token-elsewhere", 403)
    _count_wrong(parts, "token")
    raise Problem("token-unknown", 401)
