"""The one place where headers are made sound, before anything reads one: a page, the live updates, or a library.

HTTP lets a header hold almost any bytes. What cannot be read is left out, as RFC 9110 wants it of dates and ranges: the
request is answered as one without. It is not refused, since a phone may not know of it: its browser hands us the
cookies of every program on this machine.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from werkzeug import http
from werkzeug.datastructures import Authorization

NO_TAG = '""'  # which is of no answer: a range that was wanted of that one alone is not given
KEPT = 1000  # values that were read before; a phone sends the same ones again and again
LONGEST_KEPT = 300  # characters of one

# How the libraries below us read each header that they read at all. What fails here would fail there.
READERS: Mapping[str, Callable[[str], object]] = {
    "accept": http.parse_accept_header,
    "accept-charset": http.parse_accept_header,
    "accept-encoding": http.parse_accept_header,
    "accept-language": http.parse_accept_header,
    "authorization": Authorization.from_header,
    "cache-control": http.parse_dict_header,
    "content-type": http.parse_options_header,
    "cookie": http.parse_cookie,
    "date": http.parse_date,
    "if-match": http.parse_etags,
    "if-modified-since": http.parse_date,
    "if-none-match": http.parse_etags,
    "if-range": http.parse_if_range_header,
    "if-unmodified-since": http.parse_date,
    "range": http.parse_range_header,
}


def make_sound(environ: dict[str, Any]) -> None:
    """Leaves headers in a WSGI request that are text in UTF-8 and can be read.

    To be called by one of the pages' threads: to read 60 kB of them takes 50 ms.
    """
    for variable in [each for each in environ if each.startswith("HTTP_") or each == "CONTENT_TYPE"]:
        name = variable.removeprefix("HTTP_").replace("_", "-").lower()
        value = _sound(name, environ[variable])
        if value is None:
            del environ[variable]
        else:
            environ[variable] = value


def header(scope: Mapping[str, Any], name: str) -> str:
    """The same of one header of an ASGI request, as WSGI has it: in latin-1; "" for none that can be read."""
    wanted = name.encode()
    found = next((value.decode("latin-1") for key, value in scope["headers"] if key == wanted), "")
    return _sound(name, found) or ""


def _sound(name: str, value: str) -> str | None:
    """A header that can be read, None for one that cannot."""
    if not value.isascii():
        value = value.encode("latin-1").decode("utf-8", "replace").encode().decode("latin-1")
    if name not in READERS or (_read_before if len(value) <= LONGEST_KEPT else _can_read)(name, value):
        return value
    return NO_TAG if name == "if-range" else None


def _can_read(name: str, value: str) -> bool:
    try:
        READERS[name](value)
    except Exception:  # whatever it is: here it does no harm
        return False
    return True


_read_before = functools.lru_cache(maxsize=KEPT)(_can_read)
