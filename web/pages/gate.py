"""What every request passes before its view, and every answer after it.

A header may hold almost any bytes. A request with an unreadable one is answered as if it had none, as RFC 9110 wants it
for dates and ranges. It is not refused: a browser also sends us the cookies of other programs on this machine.

At a server with a certificate, one page over plain http says what the phone will warn of, and leads to https. Which
browser a phone has decides how the warning looks. Of a certificate that phones trust nothing is said."""

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from flask import Flask, Response, g, redirect, render_template, request
from werkzeug import http
from werkzeug.datastructures import Authorization
from werkzeug.wrappers import Response as BaseResponse

from web.pages import access, devices
from web.pages.errors import wants_json
from web.pages.host_names import HEADERS, WITHIN, Hosts, host_name
from web.problems.problem import BODY_LOST, Problem

NO_TAG = '""'  # no answer has this tag, so a range that is wanted of it alone is not given
KEPT = 1000  # values that were checked before; a phone sends the same ones again and again
LONGEST_KEPT = 300  # characters of one
# A Host header by RFC 3986 and the libraries below; any other becomes a name that no server has.
SOUND_HOST = re.compile(r"([a-z0-9.-]{1,253}|\[[a-f0-9]*:[a-f0-9.:]{1,45}\])(?::([1-9][0-9]{0,4}))?", re.ASCII | re.I)
NO_HOST = "no-name.invalid"

# How the libraries below us read each header, by its variable. What fails here would fail there.
READERS: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("HTTP_ACCEPT", "HTTP_ACCEPT_CHARSET", "HTTP_ACCEPT_ENCODING"), http.parse_accept_header),
    "HTTP_ACCEPT_LANGUAGE": http.parse_accept_header,
    **dict.fromkeys(("HTTP_DATE", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE"), http.parse_date),
    **dict.fromkeys(("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"), http.parse_etags),
    "HTTP_AUTHORIZATION": Authorization.from_header,
    "HTTP_CACHE_CONTROL": http.parse_dict_header,
    "CONTENT_TYPE": http.parse_options_header,
    "HTTP_COOKIE": http.parse_cookie,
    "HTTP_IF_RANGE": http.parse_if_range_header,
    "HTTP_RANGE": http.parse_range_header,
}

# What may be asked for over plain http too: nothing of any table.
OPEN = {"static.file", "pages.settings", "pages.manifest"}
# The browsers whose warnings look different, by a key; and what stands in their User-Agent, the first that fits.
BROWSERS = {
    "chrome": "Chrome",
    "samsung": "Samsung Internet",
    "firefox": "Firefox",
    "safari": "Safari (iPhone, iPad)",
}
SIGNS = (
    ("SamsungBrowser", "samsung"),
    ("Firefox", "firefox"),
    ("FxiOS", "firefox"),
    ("Chrome", "chrome"),
    ("CriOS", "chrome"),
    ("Edg", "chrome"),
    ("Safari", "safari"),
)


def make_sound(environ: dict[str, Any]) -> None:
    """Keeps only the headers of a WSGI request that are UTF-8 and can be read, and a host that can be one.

    Call it in one of the pages' threads: 60 kB of headers take 50 ms.
    """
    for name, value in list(environ.items()):
        if not name.startswith("HTTP_") and name != "CONTENT_TYPE":
            continue
        if not value.isascii():
            value = environ[name] = value.encode("latin-1").decode("utf-8", "replace").encode().decode("latin-1")
        if name in READERS and not (_read_before if len(value) <= LONGEST_KEPT else _can_read)(name, value):
            del environ[name]
            if name == "HTTP_IF_RANGE":
                environ[name] = NO_TAG
    # For an invalid host Flask has no routes, and so no page that says what is wrong.
    sound = SOUND_HOST.fullmatch(environ.get("HTTP_HOST", "localhost"))
    if sound is None or int(sound[2] or 0) > 65535:
        environ["HTTP_HOST"] = NO_HOST


def _can_read(name: str, value: str) -> bool:
    try:
        READERS[name](value)
    except Exception:  # whatever it is: here it does no harm
        return False
    return True


_read_before = functools.lru_cache(maxsize=KEPT)(_can_read)


def _is_own(origin: str) -> bool:
    try:
        return urlsplit(origin).netloc == request.host != ""
    except ValueError:
        return False


def install(app: Flask, hosts: Hosts) -> None:
    """Makes `app` check hosts, origins, https and access, and send cookies and the security headers."""
    answer = app.wsgi_app
    app.jinja_env.globals.update(browsers=BROWSERS, browser=_shown_browser)

    def with_sound_headers(environ: dict[str, Any], start_response: Any) -> Any:
        make_sound(environ)
        return answer(environ, start_response)

    app.wsgi_app = with_sound_headers  # type: ignore[method-assign]

    @app.before_request
    def let_in() -> Any:
        """Raises `Problem` for a request that no view may see, or answers it."""
        # Below a proxy's path (`Proxies.root`) the host is the proxy's, which asks for its own cookie first.
        if not request.root_path and not hosts.allows(request.host):
            raise Problem("host-unknown", 421, host=host_name(request.host)[:80])
        if request.method not in access.SAFE_METHODS:
            site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
            # Browsers send at least one of these with every changing request. Other programs carry no cookies of a
            # browser.
            if site not in (None, "same-origin", "none") or (origin is not None and not _is_own(origin)):
                raise Problem("cross-site", 403)
        if access.services().settings.secure and (led := lead_to_https()) is not None:
            return led
        lost: OSError | Problem | None = request.environ.get(BODY_LOST)
        if lost is not None:
            raise lost
        if request.view_args and "key" in request.view_args:
            access.check_page(request.view_args["key"])
        return None

    @app.after_request
    def finish(response: Response) -> Response:
        if "device" in g or response.mimetype == "text/html":
            devices.remember(response)
        for name, value in (WITHIN if request.root_path else HEADERS).items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def browser_of(agent: str) -> str:
    return next((browser for sign, browser in SIGNS if sign in agent), "chrome")


def _shown_browser() -> str:
    """The browser of this request, or another one that a person chose to be shown."""
    chosen = request.args.get("browser", "")
    return chosen if chosen in BROWSERS else browser_of(request.headers.get("User-Agent", ""))


def lead_to_https() -> str | BaseResponse | None:
    """What a server with a certificate answers over http. Raises `Problem` for a script or a program."""
    if request.is_secure or request.endpoint in OPEN:
        return None
    if request.method not in ("GET", "HEAD") or wants_json():
        raise Problem("https-wanted", 403, host=request.host)
    others = [(name, value) for name, value in request.args.items(multi=True) if name != "browser"]
    address = f"https://{request.host}{quote(request.path)}" + (f"?{urlencode(others)}" if others else "")
    if not access.services().settings.own_certificate:
        return redirect(address)
    for_camera = request.endpoint == "pages.camera_setup"
    return render_template("plain-http.html", address=address, others=others, for_camera=for_camera)
