"""Refuses requests from other sites and for unknown host names, and sets the security headers."""

import re
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request

from web.common.problems import Problem
from web.pages.headers import make_sound
from web.pages.host_names import HEADERS, Hosts, host_name

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# A Host header by RFC 3986 and the libraries below; any other becomes a name that no server has.
SOUND_HOST = re.compile(r"([a-z0-9.-]{1,253}|\[[a-f0-9]*:[a-f0-9.:]{1,45}\])(?::([1-9][0-9]{0,4}))?", re.ASCII | re.I)
NO_HOST = "no-name.invalid"


def is_from_another_site() -> bool:
    """Whether another site's page loaded this as an image, a script or a frame, without showing a page of ours.

    Browsers say so in Sec-Fetch headers, but over https only. Otherwise images are known by their Accept header.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site in ("cross-site", "same-site"):
        return request.headers.get("Sec-Fetch-Dest") != "document"
    accepted = request.headers.get("Accept", "")
    return accepted.startswith("image/") and "text/html" not in accepted


def came_by_link() -> bool:
    """Whether a page of another site led here, by a link or by itself."""
    return request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")


def _is_own(origin: str) -> bool:
    """Whether an Origin header names this server by the request's host."""
    try:
        return urlsplit(origin).netloc == request.host != ""
    except ValueError:
        return False


def install(app: Flask, hosts: Hosts) -> None:
    """Makes `app` check hosts and origins, and send the security headers."""
    answer = app.wsgi_app

    def with_sound_headers(environ: dict[str, Any], start_response: Any) -> Any:
        make_sound(environ)
        # For an invalid host Flask has no routes, and so no page that says what is wrong.
        sound = SOUND_HOST.fullmatch(environ.get("HTTP_HOST", "localhost"))
        if sound is None or int(sound[2] or 0) > 65535:
            environ["HTTP_HOST"] = NO_HOST
        return answer(environ, start_response)

    app.wsgi_app = with_sound_headers  # type: ignore[method-assign]

    @app.before_request
    def check_site() -> None:
        if not hosts.allows(request.host):
            raise Problem("host-unknown", 421, host=host_name(request.host)[:80])
        if request.method in SAFE_METHODS:
            return
        site = request.headers.get("Sec-Fetch-Site")
        origin = request.headers.get("Origin")
        # Browsers send at least one of these with every changing request. Other programs carry no cookies of a browser.
        if (site is not None and site not in ("same-origin", "none")) or (origin is not None and not _is_own(origin)):
            raise Problem("cross-site", 403)

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response
