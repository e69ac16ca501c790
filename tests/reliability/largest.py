"""The largest legal input of every route, found by the application's own map: one that is not known here is told.

Run as a program beside the server, as `floods.py` is: many connections of one address walk over all of them, and every
other one takes nothing of its answers.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from werkzeug.routing import Rule

from scorer import MOST_ACTIONS
from scorer.definitions.definition import read_tables
from tests.reliability.costs import costly_game
from tests.reliability.fuzzing import _pieces
from tests.reliability.holding import HoldingDevice, asked, form_of
from web.app import create_app
from web.hosts.laptop import phone_site, welcome
from web.hosts.laptop.protocol import raise_file_limit
from web.pages.large_bodies import FORM_AROUND, LARGER
from web.pages.operations import JSON_LIMIT, OPERATIONS
from web.services import services
from web.tasks.background import Never

MOST_SECONDS = 120
HOLDS_S = 2.0  # for which a connection takes nothing more of an answer, or listens
STREAM = "Accept: text/event-stream"
SAID = {"version": 0, "request": "the-largest-input"}
# What stands in a path, by its name there; the keys of the device's own tables and night come to it.
ARGUMENTS = {
    "game": "farkle", "tag": "0", "name": "table/table.js", "code": "en", "part": "later", "digest": "0" * 64,
    "token": "x" * 43, "line": "1", "reading": "x", "photo": "x", "what": "people",
}  # fmt: skip
QUERIES = {"limit": "200", "after": "0", "version": "0", "keep": "", "request": "the-largest-input", "replaces": "x"}
# Documents of commands without an example of their own; each is sent with spaces up to the bound.
DOCUMENTS: dict[str, dict[str, Any]] = {
    "api.close": {"closed": True},
    "api.set_watching": {"on": True},
    "api.watch_hold": {"id": "x"},
    "api.watch_choose": {**SAID, "id": "x", "way": 0},
    "api.delete": {},
    "api.take_photo": {"version": 0},
    "api.preview_throw": {"dice": [1] * 6},
    "api.change_settings": {"dice_set": "x" * 40},
    "api.turn_out": {"phone": "x" * 24},
    "api.remove_program": {"program": "x" * 24},
    "api.connect_program": {"name": "x" * 40},
    "own_games.save": {"name": "costly", "toml": costly_game(1, ways=4)},
    "own_games.try_changes": {
        "definition": read_tables(costly_game(2, wrong=False, ways=4), "costly.toml"),
        "before": "farkle",
    },
    "linked_games.look": {"link": "x" * 4000},
}
ENDING = ("api.close", "api.delete", "api.turn_out", "pages.delete_table")  # asked of another table
# Routes of pages that take a form, with its longest field: as long as a form may be.
FORMS = {
    "pages.new_table": "player", "pages.again": "begins", "pages.go_on": "x", "pages.join": "code",
    "pages.forget": "x", "pages.restore": "x", "pages.delete_table": "x", "pages.bring_back": "x",
    "pages.settings": "name", "own_games.import_file": "file", "own_games.keep": "x", "own_games.forget": "x",
    "linked_games.open_link": "link", "linked_games.keep": "link", "welcome.copy": "x", "welcome.bring": "x",
    "welcome.end": "x", "clubs.start": "name", "clubs.come": "name",
    "clubs.offer_desk": "x", "clubs.join_desk": "token", "clubs.ring": "x", "clubs.do": "names",
    "clubs.write": "actions", "clubs.forget": "person",
}  # fmt: skip


def whole_application(folder: Path) -> Flask:
    """With the routes that only the laptop's server adds."""
    app = create_app(folder, Never)
    welcome.install(app, None)
    (folder / phone_site.FOLDER).mkdir()
    (folder / phone_site.FOLDER / "index.html").touch()
    phone_site.install(app, folder)
    return app


def largest_requests(app: Flask, keys: tuple[str, str, str], most: int) -> Iterator[tuple[str, bytes]]:
    """Each route with each of its methods: its endpoint, and its largest request. `keys`: of a table, of one that may
    be ended, and of a night. `most`: bytes of a body.

    Raises AssertionError for a route that is not known here.
    """
    operations = {f"api.{each.name}": each for each in OPERATIONS}
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            endpoint = rule.endpoint
            path = path_of(rule, keys[endpoint in ENDING], keys[2])
            operation = operations.get(endpoint)
            if operation is not None and operation.query and method == "GET":
                for name in operation.query:
                    assert name in QUERIES, f"{endpoint}: add the longest value of its query's {name} to QUERIES"
                path += "?" + urlencode({name: QUERIES[name] for name in operation.query})
            body, kind = (b"", "") if method == "GET" else body_of(endpoint, method, operation, most)
            head = (f"Content-Type: {kind}",) if kind else ()
            yield endpoint, asked(method, path, body, *head)
            if method == "GET" and rule.rule.endswith(("/events", "/states")):
                yield endpoint, asked(method, path, b"", STREAM)


def path_of(rule: Rule, key: str, night: str) -> str:
    known = {**ARGUMENTS, "key": key, "table": key, "night": night}
    if rule.endpoint == "phone_site.file":
        known["name"] = "large.gz"
    parts = []
    for is_argument, text in _pieces(rule):
        assert not is_argument or text in known, f"{rule.rule}: add an argument {text} that leads there to ARGUMENTS"
        parts.append(known[text] if is_argument else text)
    return "".join(parts)


def body_of(endpoint: str, method: str, operation: Any, most: int) -> tuple[bytes, str]:
    """The largest body of a route, and its type."""
    if endpoint in LARGER:
        return form_of(brackets(min(LARGER[endpoint] - FORM_AROUND, most))), ""
    if method == "DELETE" or (operation is not None and operation.takes is None):
        return b"x" * min(JSON_LIMIT, most), "text/plain"
    if operation is not None and operation.takes is bytes:
        return bytes(min(JSON_LIMIT, most)), "image/jpeg"
    document = DOCUMENTS.get(endpoint, operation and operation.example)
    if document is not None:
        text = json.dumps(document).encode()
        return text + b" " * (JSON_LIMIT - len(text)), "application/json"
    assert endpoint in FORMS, (
        f"{endpoint}: add its largest document to DOCUMENTS, or the longest field of its form to FORMS"
    )
    return FORMS[endpoint].encode() + b"=" + b"x" * (JSON_LIMIT - 100), "application/x-www-form-urlencoded"


def brackets(size: int) -> bytes:
    """JSON that costs most for its length."""
    return b"[" + b",".join([b"[]"] * ((size - 2) // 3)) + b"]"


class WalkingDevice(HoldingDevice):
    """Every connection begins elsewhere in the walk; every other one takes nothing of what it asked for last."""

    async def walk(self, requests: Sequence[bytes], connections: int, each: int) -> None:
        step = max(1, len(requests) // connections)
        tasks = []
        for number in range(connections):
            own = [requests[(number * step + more) % len(requests)] for more in range(each)]
            tasks.append(asyncio.ensure_future(self._walk(own, takes=number % 2 == 0)))
        await asyncio.wait(tasks, timeout=MOST_SECONDS)
        self.told["unfinished"] += sum(not task.done() for task in tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _walk(self, requests: Sequence[bytes], takes: bool) -> None:
        for request in requests:
            endless = STREAM.encode() in request or b"/states " in request
            await self.ask_once(request, None if takes and not endless else HOLDS_S)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="a device that asks a server on this machine for all there is")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--each", type=int, default=5, help="requests of one connection")
    parser.add_argument("--most", type=int, default=1 << 20, help="bytes of a body")
    parser.add_argument("--lines", type=int, default=MOST_ACTIONS, help="of the table's game")
    parser.add_argument("--https", action="store_true")
    args = parser.parse_args(arguments)
    raise_file_limit()
    device = WalkingDevice(args.port, args.https, "127.0.0.2", args.lines, 0, "")
    with tempfile.TemporaryDirectory() as folder:
        app = whole_application(Path(folder))
        keys = (device.import_game().rsplit("/", 1)[1], device.import_game().rsplit("/", 1)[1], device.start_night())
        requests = [request for _, request in largest_requests(app, keys, args.most)]
        services(app).close()
    asyncio.run(device.walk(requests, args.connections, args.each))
    print(json.dumps(device.told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
