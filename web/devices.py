"""The phones: each has a random id in a cookie, and a name that others see when it did something."""

import re
import secrets
from urllib.parse import unquote

from flask import Flask, Response, g, request

COOKIE = "device"
NAME_COOKIE = "device-name"
LONGEST_NAME = 40
YEAR_S = 365 * 24 * 3600
DEVICE_ID = re.compile(r"[A-Za-z0-9_-]{20,64}")
# What a phone is called until its owner names it, by what its browser says of itself.
KINDS = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac", "Mac"))


def device_id() -> str:
    """The random id of the phone that asks; a new one for a phone without."""
    if "device" not in g:
        known = request.cookies.get(COOKIE, "")
        g.device = known if DEVICE_ID.fullmatch(known) else secrets.token_urlsafe(18)
        g.device_is_new = g.device != known
    found: str = g.device
    return found


def device_label() -> str:
    """The phone's name as others see it, such as "Ada's phone" or "Android"."""
    named = " ".join(unquote(request.cookies.get(NAME_COOKIE, "")).split())[:LONGEST_NAME]
    if named:
        return named
    agent = request.headers.get("User-Agent", "")
    return next((name for sign, name in KINDS if sign in agent), "Computer")


def install(app: Flask) -> None:
    """Gives every phone that needs one its id."""

    @app.after_request
    def remember(response: Response) -> Response:
        if g.get("device_is_new"):
            response.set_cookie(
                COOKIE, g.device, max_age=YEAR_S, httponly=True, samesite="Lax", secure=request.is_secure
            )
        return response
