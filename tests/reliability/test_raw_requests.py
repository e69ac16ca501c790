"""Raw bytes in every header and every part of a form, to the real server, by http and by https: never a 5xx."""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.reliability import watching
from tests.reliability.driving import Served, database_variable
from tests.reliability.raw_requests import RawRequest, RawRequests
from tests.reliability.test_fuzz import ANSWER_WITHIN_S, answered, assert_error, end_of_output
from tests.web.apps import create_app
from tests.web.served import UNPREPARED
from web.pages.static import version
from web.services import services

SEED = 20261125
LOOK_AFTER = 50  # requests, before the tables are looked at again
PLAY_AFTER = 10  # requests, before something is played with odd cookies
TABLES = 3
TOKEN = "a-token-of-the-metrics"
HAS_METRICS = importlib.util.find_spec("prometheus_client") is not None
# Where one reads photos, the other engine has a reader of its own, which the store tells of; without, a photo is 503.
AWAY = {"no-readers", "queue-full"}


@watching.on_linux
@pytest.mark.parametrize(
    ("database", "https", "count"),
    [
        ("sqlite", False, 500),
        ("postgresql", True, 500),
        *(pytest.param("sqlite", https, 10_000, marks=pytest.mark.slow) for https in (False, True)),
    ],
    indirect=["database"],
)
def test_raw_requests(tmp_path: Path, database: str | None, https: bool, count: int) -> None:
    """Each answer is checked; after each `LOOK_AFTER` of them, that all tables still stand."""
    application = create_app(tmp_path / "map")
    routes = application.url_map
    services(application).close()
    print(f"\nseed {SEED}")
    answers: Counter[str] = Counter()
    environment = {**database_variable(database), "ROLLCALL_METRICS_TOKEN": TOKEN}
    arguments = ("--metrics",) if HAS_METRICS else ()
    with Served(tmp_path / "data", https, arguments=arguments, environment=environment, program=UNPREPARED) as served:
        tables = [a_table(served) for _ in range(TABLES)]
        beside = [f"/api/v1{table}/states" for table in tables] + ["/health", "/ready", "/metrics", "/", "/events"]
        beside += [
            f"/static/{tag}/{name}"
            for tag in ("x", version())
            for name in ("table/table.js", "rollcall.css", "icon.svg", "icon-192.png")
        ]
        requests = RawRequests(routes, tables, beside, served.port, SEED)
        for number in range(1, count + 1):
            request = requests.next()
            told = f"request {number} of seed {SEED}: {request.what}"
            answers[answered(request, served, check, told)] += 1
            if number % LOOK_AFTER == 0 or number == count:
                assert "Traceback" not in served.output(), f"{told}\n{end_of_output(served)}"
                assert "cannot be reached" not in served.output(), f"{told}\n{end_of_output(served)}"
                for table in tables:
                    state_after(served, table, told)
            if number % PLAY_AFTER == 0:
                table = tables[number // PLAY_AFTER % TABLES]
                change = requests.action(table, state_after(served, table, told))
                status = answered(change, served, check, f"{change.what} after {told}")
                assert status == "200", f"{change.what} after {told}: {status}\n{end_of_output(served)}"
                answers["played"] += 1
        print(f"{count} requests by {'https' if https else 'http'}: {dict(sorted(answers.items()))}")
        served.process.terminate()
        assert served.process.wait(60) == 0
        assert "Traceback" not in served.output(), end_of_output(served)


def check(request: RawRequest, response: http.client.HTTPResponse, body: bytes) -> None:
    kind = response.headers.get_content_type()
    if response.status >= 500:
        # The one that is right: nobody reads photos here.
        assert kind == "application/problem+json", body[:500]
        assert response.status == 503, body[:500]
        assert json.loads(body)["reason"] in AWAY, body[:500]
    if response.status >= 400 and body and kind == "application/problem+json":
        assert_error(json.loads(body))


def state_after(served: Served, table: str, told: str) -> Any:
    """The state of a table, which must still stand after the request that was `told`."""
    with contextlib.closing(served.open(ANSWER_WITHIN_S)) as connection:
        head = f"GET /api/v1{table} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAccept: application/json\r\n\r\n"
        connection.sendall(head.encode())
        with http.client.HTTPResponse(connection) as response:
            response.begin()
            body = response.read()
    assert response.status == 200, f"{told}: after it, {table} answers {response.status}\n{end_of_output(served)}"
    return json.loads(body)


def a_table(served: Served) -> str:
    """The path of a new table, of which a phone is the owner that sends nothing more: nobody else closes it."""
    with contextlib.closing(served.open(ANSWER_WITHIN_S)) as connection:
        body = b"game=farkle&player=Ada&player=Bob"
        head = b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: device=" % served.port + b"b" * 24
        head += b"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(body)
        connection.sendall(head + body)
        with http.client.HTTPResponse(connection, method="POST") as response:
            response.begin()
            assert response.status == 303
            return str(response.headers["Location"])
