"""The cookies of this browser's pages, which a service worker can neither read nor set."""

import contextlib
import json
import os
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

Cookies = dict[str, str]  # values by names
HERE = ""  # the phone that the application runs on
MOST_PHONES = 200  # whose cookies are kept; those that came first go first


class CookieJar:
    """The cookies of each phone in one file. `phone`: the shell's name for who asks, `HERE` or a guest's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._phones: dict[str, dict[str, Cookies]] = {}  # by phone, and there by the paths of the cookies
        with contextlib.suppress(OSError, ValueError):  # none yet, or torn off by a flat battery
            self._phones = json.loads(path.read_text(encoding="utf-8"))

    def header(self, phone: str, path: str) -> str:
        places = self._phones.get(phone, {})
        fitting = sorted((each for each in places if _covers(each, path)), key=len, reverse=True)
        found: Cookies = {}
        for place in fitting:
            found.update((name, value) for name, value in places[place].items() if name not in found)
        return "; ".join(f"{name}={value}" for name, value in found.items())

    def take(self, phone: str, set_cookies: Iterable[str]) -> None:
        """Keeps what the `Set-Cookie` headers of an answer say. Raises OSError."""
        places = self._phones.setdefault(phone, {})
        for guest in [each for each in self._phones if each != HERE][: max(0, len(self._phones) - MOST_PHONES)]:
            del self._phones[guest]
        before = json.dumps(places)
        for header in set_cookies:
            try:
                parsed = SimpleCookie(header)
            except CookieError:  # a browser would ignore it too
                continue
            for name, morsel in parsed.items():
                kept = places.setdefault(morsel["path"] or "/", {})
                if morsel["max-age"] == "0" or not morsel.value:
                    kept.pop(name, None)
                else:
                    kept[name] = morsel.coded_value
        if json.dumps(places) != before:
            self._write()

    def _write(self) -> None:
        with self._path.open("w", encoding="utf-8") as file:
            file.write(json.dumps(self._phones))
            file.flush()
            os.fsync(file.fileno())


def _covers(place: str, path: str) -> bool:
    """Whether a cookie of the path `place` is sent with requests for `path` (RFC 6265, section 5.1.4)."""
    return path == place or path.startswith(place if place.endswith("/") else place + "/")
