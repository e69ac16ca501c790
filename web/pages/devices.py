"""Phones: each has a random id in a cookie, and a name that others see when it does something."""

import re
import secrets
from typing import Any
from urllib.parse import unquote

from flask import Response, g, request

from web.table.commands import Asker
from web.table.names import clean_name

COOKIE = "device"
NAME_COOKIE = "device-name"
LONGEST_NAME = 40
YEAR_S = 365 * 24 * 3600
DEVICE_ID = re.compile(r"[A-Za-z0-9_-]{20,64}")
# The name of a phone until its owner gives it one, by the browser's User-Agent.
KINDS = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac", "Mac"))
OTHER_KIND = "Computer"
UNNAMED = "Program"  # who has a table's key alone, in the list of steps
LONGEST_GIVEN = 600  # letters of a cookie: a name of 40 has up to 480


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


def asking_phone() -> Asker:
    """The phone that sends this request to a table."""
    return Asker(known_device())


def acting_phone(device: str) -> Asker:
    """The phone `device` as others see it."""
    own, kind = _names()
    if own or not device:
        return Asker(device, own or (UNNAMED if kind == OTHER_KIND else kind))
    return Asker(device, kind=kind)


def arriving_phone() -> Asker:
    """The phone that starts something; it gets an id if it has none."""
    return Asker(device_id())


def _names() -> tuple[str, str]:
    """The owner's name for a phone, "" if it goes by its kind; and its kind.

    An odd name is cleaned and not refused, so that the phone can play on.
    """
    agent, given = request.headers.get("User-Agent", ""), request.cookies.get(NAME_COOKIE, "")[:LONGEST_GIVEN]
    kind = next((name for sign, name in KINDS if sign in agent), OTHER_KIND)
    named = clean_name(unquote(given), LONGEST_NAME) if given else ""
    return "" if named == kind else named, kind


def remember(response: Response) -> None:
    """Sets the cookie with the id of the phone."""
    root = request.root_path
    settings: dict[str, Any] = {"max_age": YEAR_S, "httponly": True, "samesite": "Lax", "secure": request.is_secure}
    is_page = response.mimetype == "text/html"
    # Each page sets the cookie again, so it never expires on a phone that comes often.
    if "device" in g and (is_page or g.device != known_device()):
        response.set_cookie(COOKIE, g.device, path=f"{root}/", **settings)
