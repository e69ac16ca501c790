"""Who comes to a table: a program with the token in its `Authorization` header, or whoever has the table's key, as the
phone of its cookie.

No token is ever part of an address, kept, or logged; only its hash is compared.
"""

import hmac
import re
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from web.common.problems import Problem
from web.pages.access import admit, known_table
from web.services import Services
from web.store.journalling import tables_of_program
from web.store.server_tokens import token_hash
from web.table.access_list import PROGRAM, ConnectedProgram, table_id
from web.table.commands import Asker

BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE | re.ASCII)
TABLE_ID = re.compile(r"[0-9a-f]{16}")
SHOWS = "show"


class Caller(NamedTuple):
    """A phone or a program at a table. `asker`: as whom it asks there; `by_key`: it came by the table's key."""

    key: str
    asker: Asker
    by_key: bool = False


class Credentials(NamedTuple):
    """What of a request says who asks. `authorization`: the header, "" without; `phone`: the id in the cookie."""

    authorization: str
    address: str
    phone: str = ""


def check_server_token(parts: Services, asked: Credentials) -> str:
    """The name of a token of the machine's owner. Raises `Problem`."""
    token = _token_of(asked)
    found = parts.find_owner_token(token)
    if found is None:
        _refuse(parts, asked, _tables_of(parts, token))
    return found.name


def check_still_owner(parts: Services, authorization: str) -> None:
    """Raises `Problem` for a token of the machine's owner that was taken back since it was let in."""
    if parts.find_owner_token(_token_of(Credentials(authorization, ""))) is None:
        raise Problem("token-unknown", 401)


def table_of_caller(parts: Services, table: str, asked: Credentials) -> Caller:
    """Who asks at the table `table`, given by its key or its id. Whether it may come there, the table says.

    Raises `Problem`: 401 for a wrong token, 403 for a right one that is not for this.
    """
    if not asked.authorization:
        if TABLE_ID.fullmatch(table):
            raise Problem("token-wanted", 401)
        known_table(parts, table, asked.address)
        return Caller(table, Asker(asked.phone), by_key=True)
    token = _token_of(asked)
    keys = _tables_of(parts, token)
    key = next((each for each in keys if table in (each, table_id(each))), None)
    if key is None:
        owner = parts.find_owner_token(token)
        if owner is None:
            _refuse(parts, asked, keys)
        key = (parts.store.find_id(table) if TABLE_ID.fullmatch(table) else None) or table
        known_table(parts, key, asked.address)
        return Caller(key, Asker("", owner.name, token_hash(token)))
    phone = PROGRAM + token_hash(token)
    program = _program_at(parts, key, phone)
    if program is None or program.may == SHOWS:
        _refuse(parts, asked, [])
    return Caller(key, Asker(phone, program.name))


def table_of_link(parts: Services, token: str, address: str) -> Caller:
    """The table that a link without a key shows. Raises `Problem`."""
    phone = PROGRAM + token_hash(token)
    for key in _tables_of(parts, token):
        program = _program_at(parts, key, phone)
        if program is not None and program.may == SHOWS:
            asker = Asker(phone, program.name)
            admit(parts, key, address, asker)
            return Caller(key, asker)
    _count_wrong(parts, address)
    raise Problem("not-found", 404)


def _program_at(parts: Services, key: str, phone: str) -> ConnectedProgram | None:
    """The program, if this token's hash is among those of the table."""
    wanted, found = phone.removeprefix(PROGRAM), None
    for known, program in parts.sessions.look(key).access.programs.items():
        if hmac.compare_digest(known, wanted):
            found = program
    return found


def _tables_of(parts: Services, token: str) -> Sequence[str]:
    wanted = token_hash(token)
    with parts.store.read() as connection:
        return tables_of_program(connection, wanted)


def _token_of(asked: Credentials) -> str:
    if not asked.authorization:
        raise Problem("token-wanted", 401)
    found = BEARER.fullmatch(asked.authorization.strip())
    if found is None:
        raise Problem("token-unknown", 401)
    return found[1]


def _refuse(parts: Services, asked: Credentials, keys: Sequence[str]) -> NoReturn:
    """Refuses a token; `keys`: of the tables that it is right for."""
    if keys:
        raise Problem("token-elsewhere", 403)
    _count_wrong(parts, asked.address)
    raise Problem("token-unknown", 401)


def _count_wrong(parts: Services, address: str) -> None:
    """Limits the work that wrong tokens cause; nobody can guess 256 random bits, so right ones are let in always."""
    parts.guesses.check("token", address)
    parts.guesses.wrong("token", address)
