"""Phones: each has a random id in a cookie, and a name that others see when it does something."""

import functools
import re
import secrets
from typing import Any
from urllib.parse import unquote

from flask import Response, current_app, g, request

from web.limits.recent import Recent
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
KEPT, LONGEST_KEPT = 1000, 600  # headers that were read before, and letters of one: a name of 40 has up to 480
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
        for (other, known), phone in phones:
            if (other, phone) == (kind, device):
                return known
        if len(phones) >= NUMBERED_PHONES:
            taken.pop(phones[0][0], None)
        numbers = [*([] if wanted is None else [wanted]), *range(1, NUMBERED_PHONES)]
        # Who asks for a number first gets it.
        return next((each for each in numbers if taken.setdefault((kind, each), device) == device), NUMBERED_PHONES)


def device_id() -> str:
    """The random id of the requesting phone; a new one if it has none."""
    if "device" not in g:
        g.device = known_device() or secrets.token_urlsafe(18)
    found: str = g.device
    return found


def known_device() -> str:
    """The id in the request's cookie; "" if the phone has none yet."""
    known = request.cookies.get(COOKIE, "")
    return known if DEVICE_ID.fullmatch(known) else ""


def device_label() -> str:
    """The phone's name as others see it, such as "Ada's phone", "Android" or "Android 2"."""
    own, kind = _names()
    number = _kept_number() or 1
    return own or (kind if number == 1 else f"{kind} {number}")


def asking_phone() -> Asker:
    """The phone that sends this request to a table."""
    return Asker(known_device())


def acting_phone(table: str, device: str) -> Asker:
    """The phone `device` that changes something at the table with this key, as others see it: without a name of its own
    it gets a number."""
    own, kind = _names()
    if own or not device:
        return Asker(device, own or (UNNAMED if kind == OTHER_KIND else kind))
    phones: PhoneNumbers = current_app.extensions["rollcall.phone_numbers"]
    kept = _kept_number()
    number = phones.number(table, kind, device, kept)
    if number != kept:
        g.device_number = (table, number)
    return Asker(device, kind if number == 1 else f"{kind} {number}")


def arriving_phone() -> Asker:
    """The phone that opens a page; it gets an id if it has none."""
    return Asker(device_id(), device_label())


def _names() -> tuple[str, str]:
    agent, given = request.headers.get("User-Agent", ""), request.cookies.get(NAME_COOKIE, "")
    return _names_of(agent[:LONGEST_KEPT], given[:LONGEST_KEPT])


@functools.lru_cache(maxsize=KEPT)
def _names_of(agent: str, given: str) -> tuple[str, str]:
    """The owner's name for a phone, "" if it goes by its kind; and its kind.

    An odd name is cleaned and not refused, so that the phone can play on.
    """
    kind = next((name for sign, name in KINDS if sign in agent), OTHER_KIND)
    named = clean_name(unquote(given), LONGEST_NAME) if given else ""
    return "" if named == kind else named, kind


def _kept_number() -> int | None:
    kept = request.cookies.get(NUMBER_COOKIE, "")
    return int(kept) if NUMBER.fullmatch(kept) else None


def remember(response: Response) -> None:
    """Sets the cookies with the id of the phone and with its number at a table."""
    root = request.root_path
    settings: dict[str, Any] = {"max_age": YEAR_S, "httponly": True, "samesite": "Lax", "secure": request.is_secure}
    is_page = response.mimetype == "text/html"
    # Each page sets the cookie again, so it never expires on a phone that comes often.
    if "device" in g and (is_page or g.device != known_device()):
        response.set_cookie(COOKIE, g.device, path=f"{root}/", **settings)
    if "device_number" in g:
        table, number = g.device_number
        for path in (f"{root}/tables/{table}", f"{root}/api/v1/tables/{table}"):
            response.set_cookie(NUMBER_COOKIE, str(number), path=path, **settings)
