"""What keeps other sites and other names out of the pages."""

import re
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request

from web.problems import Problem
from web.server.headers import make_sound
from web.server.security import HEADERS, Hosts, check_host

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# A Host header as RFC 3986 and the libraries below us have it; whatever else is sent becomes a name that nobody has.
SOUND_HOST = re.compile(r"([a-z0-9.-]{1,253}|\[[a-f0-9]*:[a-f0-9.:]{1,45}\])(?::([1-9][0-9]{0,4}))?", re.ASCII | re.I)
NO_HOST = "no-name.invalid"


def is_from_another_site() -> bool:
    """Whether another site's page had this loaded: an image, a script, a frame; no person saw a page of ours.

    Browsers tell it by Sec-Fetch headers, but over https only. Else an image is known by what it accepts.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site in ("cross-site", "same-site"):
        return request.headers.get("Sec-Fetch-Dest") != "document"
    accepted = request.headers.get("Accept", "")
    return accepted.startswith("image/") and "text/html" not in accepted


def came_by_link() -> bool:
    """Whether a page of another site led here, by a link that a person followed or by itself."""
    return request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")


def _is_own(origin: str) -> bool:
    """Whether an Origin header names this server as the request did."""
    try:
        return urlsplit(origin).netloc == request.host != ""
    except ValueError:
        return False


def install(app: Flask, hosts: Hosts) -> None:
    """Makes `app` refuse foreign names and foreign sites, and send the headers that keep its pages to themselves."""
    answer = app.wsgi_app

    def with_sound_headers(environ: dict[str, Any], start_response: Any) -> Any:
        make_sound(environ)
        # Flask has no addresses, and so no page to say what is wrong, for a request whose host is no host.
        sound = SOUND_HOST.fullmatch(environ.get("HTTP_HOST", "localhost"))
        if sound is None or int(sound[2] or 0) > 65535:
            environ["HTTP_HOST"] = NO_HOST
        return answer(environ, start_response)

    app.wsgi_app = with_sound_headers  # type: ignore[method-assign]

    @app.before_request
    def known_host() -> None:
        check_host(hosts, request.host)

    @app.before_request
    def same_origin() -> None:
        if request.method in SAFE_METHODS:
            return
        site = request.headers.get("Sec-Fetch-Site")
        origin = request.headers.get("Origin")
        # Browsers always send at least one of these with a changing request; other programs are no one's browser.
        if (site is not None and site not in ("same-origin", "none")) or (origin is not None and not _is_own(origin)):
            raise Problem("cross-site", 403)

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response
