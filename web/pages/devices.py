"""Phones: each has a random id in a cookie, and a name that others see when it does something."""

import re
import secrets
from typing import Any
from urllib.parse import unquote

from flask import Flask, Response, current_app, g, request

from web.common.recent import Recent
from web.table.commands import Asker
from web.table.names import clean_name

COOKIE = "device"
NAME_COOKIE = "device-name"
NUMBER_COOKIE = "device-number"  # at one table: the cookie has the paths of its page and its interface
LONGEST_NAME = 40
YEAR_S = 365 * 24 * 3600
DEVICE_ID = re.compile(r"[A-Za-z0-9_-]{20,64}")
# The name of a phone until its owner gives it one, by the browser's User-Agent.
KINDS = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac", "Mac"))
OTHER_KIND = "Computer"
UNNAMED = "Program"  # who has a table's key alone, in the list of steps
NUMBER = re.compile(r"[1-9][0-9]?")
NUMBERED_TABLES = 1000  # whose phones' numbers are in memory
NUMBERED_PHONES = 99  # of one table


class PhoneNumbers:
    """Numbers the phones of a table that have no names, so that no two are called the same. Thread-safe.

    A phone keeps its number in a cookie, also over a restart of the server.
    """

    def __init__(self) -> None:
        self._tables: Recent[str, dict[tuple[str, int], str]] = Recent(NUMBERED_TABLES)

    def number(self, table: str, kind: str, device: str, wanted: int | None) -> int:
        """The number, from 1, of a phone among those of its kind: `wanted` if it is free."""
        taken = self._tables.setdefault(table, {})
        phones = list(taken.items())
        for (other, known), owner in phones:
            if (other, owner) == (kind, device):
                return known
        if len(phones) >= NUMBERED_PHONES:
            taken.pop(phones[0][0], None)
        numbers = [*([] if wanted is None else [wanted]), *range(1, NUMBERED_PHONES)]
        # Who asks for a number first gets it.
        return next((each for each in numbers if taken.setdefault((kind, each), device) == device), NUMBERED_PHONES)


def device_id() -> str:
    """The random id of the requesting phone; a new one if it has none."""
    if "device" not in g:
        known = known_device()
        g.device = known or secrets.token_urlsafe(18)
        g.device_is_new = g.device != known
    found: str = g.device
    return found


def known_device() -> str:
    """The id in the request's cookie; "" if the phone has none yet."""
    known = request.cookies.get(COOKIE, "")
    return known if DEVICE_ID.fullmatch(known) else ""


def device_label() -> str:
    """The phone's name as others see it, such as "Ada's phone", "Android" or "Android 2"."""
    kind = _kind()
    return _own_name(kind) or _kind_with_number(kind, _kept_number() or 1)


def asking_phone() -> Asker:
    """The phone that sends this request to a table."""
    return Asker(known_device())


def acting_phone(table: str) -> Asker:
    """The phone that changes something at the table with this key, as others see it: without a name of its own it gets
    a number."""
    device, kind = known_device(), _kind()
    own = _own_name(kind)
    if own or not device:
        return Asker(device, own or (UNNAMED if kind == OTHER_KIND else kind))
    phones: PhoneNumbers = current_app.extensions["rollcall.phone_numbers"]
    kept = _kept_number()
    number = phones.number(table, kind, device, kept)
    if number != kept:
        g.device_number = (table, number)
    return Asker(device, _kind_with_number(kind, number))


def arriving_phone() -> Asker:
    """The phone that opens a page; it gets an id if it has none."""
    return Asker(device_id(), device_label())


def _own_name(kind: str) -> str:
    """The owner's name for the phone; empty if it goes by its kind.

    An odd name is cleaned and not refused, so that the phone can play on.
    """
    given = request.cookies.get(NAME_COOKIE)
    named = clean_name(unquote(given), LONGEST_NAME) if given else ""
    return "" if named == kind else named


def _kind() -> str:
    agent = request.headers.get("User-Agent", "")
    return next((name for sign, name in KINDS if sign in agent), OTHER_KIND)


def _kept_number() -> int | None:
    kept = request.cookies.get(NUMBER_COOKIE, "")
    return int(kept) if NUMBER.fullmatch(kept) else None


def _kind_with_number(kind: str, number: int) -> str:
    return kind if number == 1 else f"{kind} {number}"


def install(app: Flask) -> None:
    """Sets the cookies with the id of each phone and with its number at a table."""
    app.extensions["rollcall.phone_numbers"] = PhoneNumbers()

    @app.after_request
    def remember(response: Response) -> Response:
        settings: dict[str, Any] = {"max_age": YEAR_S, "httponly": True, "samesite": "Lax", "secure": request.is_secure}
        # Each page sets the cookie again, so it never expires on a phone that comes often.
        if g.get("device_is_new") or ("device" in g and response.mimetype == "text/html"):
            response.set_cookie(COOKIE, g.device, **settings)
        key = (request.view_args or {}).get("key")
        if key and response.mimetype == "text/html" and (kept := _kept_number()):
            g.device_number = (key, kept)  # a cookie of Rollcall 0.4.0 has the path of the page alone
        if g.get("device_number"):
            table, number = g.device_number
            for path in (f"/tables/{table}", f"/api/v1/tables/{table}"):
                response.set_cookie(NUMBER_COOKIE, str(number), path=path, **settings)
        return response
