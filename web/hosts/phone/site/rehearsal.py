"""Plays a game in Pyodide while the site is built: finds what is loaded before the first throw, and what pages need.

`pack.mjs` runs it where `/app` has all modules. It is no part of the site.
"""

import json
import sys
from pathlib import Path
from typing import Any

from web.hosts.phone.phone_application import COMPILED, PhoneApplication, start
from web.pages.static import shell, text_address, text_parts
from web.texts.languages import LANGUAGES

HOST = "localhost"
FORM = [("content-type", "application/x-www-form-urlencoded")]
JSON = [("content-type", "application/json")]


class Rehearsal:
    """One browser of a phone. `files`: what it was sent that is the same for all, by the names in the site."""

    def __init__(self) -> None:
        Path("/data").mkdir(exist_ok=True)
        self.application: PhoneApplication = start("/data", HOST, _no_eye)
        self.files: dict[str, bytes] = {}
        self._asked = 0

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Any = (), language: str = "en") -> Any:
        self._asked += 1
        sent = [("accept-language", language), ("user-agent", "Android"), *headers]
        status, named, content, _ = self.application.answer(str(self._asked), method, path, sent, body, HOST, True)
        assert status < 400, (method, path, status, content[:500])
        return content, dict(named)

    def keep(self, path: str) -> None:
        self.files[path.lstrip("/")] = self.ask("GET", path)[0]

    def play(self) -> None:
        """Plays as families do, and opens what belongs to a game."""
        started = b"game=ones-and-fives&player=Ada&player=Bob"
        base = self.ask("POST", "/tables", started, FORM)[1]["Location"]
        api, version = f"/api/v1{base}", 0
        self.ask("GET", base)
        self.ask("GET", f"{api}/states", headers=[("accept", "text/event-stream")])
        actions: list[Any] = [{"do": "throw", "dice": [1, 1, 1, 5, 2, 3]}, {"do": "set-aside", "dice": [1, 1, 1, 5]}]
        for action in [*actions, {"do": "bank"}, {"do": "throw", "dice": [2, 2, 3, 3, 4, 6]}]:
            body = {"version": version, "request": f"rehearsal-{version}", "action": action}
            version = json.loads(self.ask("POST", f"{api}/actions", json.dumps(body).encode(), JSON)[0])["version"]
        self.ask("GET", f"{api}?stamp=none")
        self.application.work()


def rehearse() -> str:
    """Returns, as JSON, the files of the modules that were loaded until a throw was confirmed. Writes to `/site` what
    every phone is sent alike."""
    here = Rehearsal()
    for language in LANGUAGES:
        here.files[f"start/{language}.html"] = here.ask("GET", "/", language=language)[0]
    here.play()
    loaded = sorted(map(_file, list(sys.modules.values())))
    with here.application.app.test_request_context(base_url=f"https://{HOST}/"):
        for address in shell():
            here.keep(address)
        for language in LANGUAGES:
            for part in ("first", *dict(text_parts())):
                here.keep(text_address(language, part))
    for name, content in here.files.items():
        path = Path("/site", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    environment = here.application.app.jinja_env
    pages = environment.list_templates(filter_func=lambda name: not name.endswith(".svg"))  # charts load theirs
    environment.compile_templates(COMPILED, zip=None, ignore_errors=False, filter_func=pages.__contains__)
    here.application.close()
    return json.dumps(loaded)


async def _no_eye(name: str, given: str, file: bytes | None) -> tuple[str | None, Any]:
    raise RuntimeError("no photo is sent here")


def _file(module: Any) -> str:
    return getattr(getattr(module, "__spec__", None), "origin", None) or ""
