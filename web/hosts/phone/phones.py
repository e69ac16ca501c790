"""The cookies of this browser's pages, which a service worker can neither read nor set. All have the path "/"."""

import contextlib
import json
import os
from collections.abc import Iterable
from http.cookies import SimpleCookie
from pathlib import Path

HERE = ""  # the phone that the application runs on
MOST_PHONES = 200  # whose cookies are kept; those that came first go first


class CookieJar:
    """The cookies of each phone in one file. `phone`: the shell's name for who asks, `HERE` or a guest's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._phones: dict[str, dict[str, str]] = {}  # by phone, and there by their names
        with contextlib.suppress(OSError, ValueError):  # none yet, or torn off by a flat battery
            self._phones = json.loads(path.read_text(encoding="utf-8"))

    def header(self, phone: str) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._phones.get(phone, {}).items())

    def take(self, phone: str, set_cookies: Iterable[str]) -> None:
        """Keeps what the `Set-Cookie` headers of an answer say. Raises OSError."""
        kept = self._phones.setdefault(phone, {})
        for guest in [each for each in self._phones if each != HERE][: max(0, len(self._phones) - MOST_PHONES)]:
            del self._phones[guest]
        before = dict(kept)
        for name, morsel in (each for header in set_cookies for each in SimpleCookie(header).items()):
            if morsel.value:
                kept[name] = morsel.coded_value
            else:
                kept.pop(name, None)
        if kept != before:
            self._write()

    def _write(self) -> None:
        with self._path.open("w", encoding="utf-8") as file:
            file.write(json.dumps(self._phones))
            file.flush()
            os.fsync(file.fileno())
