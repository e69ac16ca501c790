"""Thousands of requests that go wrong, over sockets, to the real server: it says what was wrong with each."""

import contextlib
import http.client
import importlib.util
import json
import re
import socket
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scorer
from tests.reliability import watching
from tests.reliability.driving import Phone, Served, ask, new_table, with_a_reader
from tests.reliability.fuzzing import Fuzzer, Place, Request
from tests.reliability.test_evening import warm_up
from tests.web.apps import create_app
from tests.web.served import UNPREPARED
from web.pages.static import version
from web.services import services
from web.texts.script_texts import all_reasons

SEED = 20261121
TOKEN = "a-token-of-the-metrics"
HAS_METRICS = importlib.util.find_spec("prometheus_client") is not None
PROBES = ("/health", "/ready", "/metrics")
ANSWER_WITHIN_S = 30
ABANDONED_AFTER_S = 0.15  # for an answer to a request of which the server may rightly wait for more
LOOK_AFTER = 20  # requests, before the fuzzer learns again where the tables stand
# Resident memory that requests may add once the first three in ten have filled what is kept (pages, texts, games) and
# each thread's heap; after about 2,500 of them nothing more is added.
GROWTH_MB = 20
PEAK_MB = 400
GAMES = ("ones-and-fives", "knaster", "kosci-triple", "drapky", "sequence", "yahtzee")
PHOTO_FAILURES = {"reader-failed", "no-reader", "internal"}


@watching.on_linux
@pytest.mark.parametrize(
    ("database", "https", "count"),
    [
        ("sqlite", False, 600),
        ("postgresql", True, 600),
        pytest.param("sqlite", False, 10_000, marks=pytest.mark.slow),
        pytest.param("postgresql", False, 10_000, marks=pytest.mark.slow),
        pytest.param("sqlite", True, 10_000, marks=pytest.mark.slow),
    ],
    indirect=["database"],
)
def test_fuzzed_requests(tmp_path: Path, database: str | None, https: bool, count: int) -> None:
    application = create_app(tmp_path / "map")
    routes = application.url_map
    services(application).close()
    answers: Counter[str] = Counter()
    metrics = ["--metrics"] if HAS_METRICS else []
    with with_a_reader(tmp_path / "data", database, https, metrics, {"ROLLCALL_METRICS_TOKEN": TOKEN}) as served:
        warm_up(served)
        place = a_place(served)
        for table in place.tables:  # solved games stay in memory, and are no growth
            ask(served, "GET", f"{table}/luck")
        fuzzer = Fuzzer(routes, place, beside(place), SEED)
        early = watching.use(served.process.pid)
        for number in range(1, count + 1):
            request = fuzzer.next()
            told = f"request {number} of seed {SEED}: {request.what}"
            answers[answered(request, served, told)] += 1
            if number % LOOK_AFTER == 0:
                note_states(served, place, told)
                assert "Traceback" not in served.output(), f"{told}\n{end_of_output(served)}"
                assert "cannot be reached" not in served.output(), f"{told}\n{end_of_output(served)}"
                change = fuzzer.action(place.tables[number // LOOK_AFTER % len(place.tables)])
                assert answered(change, served, f"{change.what} after {told}") == "200", (change.what, told)
                answers["played"] += 1
            if number == max(200, count * 3 // 10):
                early = watching.use(served.process.pid)
        late = watching.use(served.process.pid)
        print(f"\n{count} requests: {dict(sorted(answers.items()))}\nearly: {early}\nlate: {late}")
        assert late.rss - early.rss < GROWTH_MB, (early, late)
        assert late.peak < PEAK_MB, late
        assert late.files < early.files + 20, (early, late)
        assert_the_server_is_well(served)
        served.process.terminate()
        assert served.process.wait(60) == 0
        assert "Traceback" not in served.output(), end_of_output(served)


def beside(place: Place) -> list[str]:
    """Paths that are on no map, and files."""
    files = ("table/table.js", "rollcall.css", "icon.svg", "icon-192.png")
    static = [f"/static/{tag}/{name}" for tag in ("x", version()) for name in files]
    return [*(f"/api/v1{table}/states" for table in place.tables), *PROBES, "/", "/events", *static]


def answered(request: Request, served: Served, told: str) -> str:
    """As `answer_to`; what is wrong is said of the request that was `told`."""
    try:
        status = answer_to(request, served)
    except (AssertionError, OSError, http.client.HTTPException) as error:
        raise AssertionError(f"{told}: {error!r}\n{request.data[:3000]!r}\n{end_of_output(served)}") from None
    assert served.process.poll() is None, f"{told}: the server ended\n{end_of_output(served)}"
    return status


def end_of_output(served: Served) -> str:
    """The end of what the server has printed, without what it says of every request that is no HTTP."""
    lines = [line for line in served.output().splitlines() if "Invalid HTTP request" not in line and "█" not in line]
    return "\n".join(lines[-60:])


def a_place(served: Served) -> Place:
    tables = [new_table(served, game, "Ada", "Bob") for game in GAMES]
    codes = []
    for table in tables:
        with Phone(served.port, table, https=served.https) as phone:
            _, page = phone.ask("GET", table)
        found = re.search(rb'"code":"([A-Z]{6})"', page)
        codes.append(found[1].decode())
    return Place(tables, codes, [info.key for info in scorer.games()], served.port)


def note_states(served: Served, place: Place, told: str) -> None:
    """Learns where the tables stand: also whether each still does."""
    for table in place.tables:
        status, state = ask(served, "GET", f"/api/v1{table}")
        assert status == 200, f"{told}: after it, {table} is lost: {status} {state}\n{end_of_output(served)}"
        pending = state["pending"]
        if pending is not None and pending["problem"] is not None:
            assert pending["problem"]["reason"] not in PHOTO_FAILURES, f"{told}: after it, {pending}"
        place.states[table] = state


def answer_to(request: Request, served: Served) -> str:
    """Sends a request and checks its answer: returns its status, for the counting."""
    with contextlib.closing(served.open(ANSWER_WITHIN_S)) as connection:
        if not request.waits:
            return read_answer(connection, request)
        connection.settimeout(ABANDONED_AFTER_S)
        # No answer is right where the server may wait for more, or was sent what is no HTTP at all.
        with contextlib.suppress(OSError, http.client.HTTPException):
            return read_answer(connection, request)
    return "none"


def read_answer(connection: socket.socket, request: Request) -> str:
    connection.sendall(request.data)
    with http.client.HTTPResponse(connection, method=request.method) as response:
        response.begin()
        if response.headers.get_content_type() == "text/event-stream" and request.method != "HEAD":
            assert response.readline().startswith((b"retry: ", b"event: gone"))
            return "stream"
        body = response.read()
        assert b"Traceback" not in body
        assert b'File "' not in body
        check(request, response, body)
        return str(response.status)


def check(request: Request, response: http.client.HTTPResponse, body: bytes) -> None:
    status, kind = response.status, response.headers.get_content_type()
    assert status < 500, body[:500]
    if status < 400 or request.method == "HEAD" or not body:
        spoke = body or status < 400 or request.method == "HEAD" or "/metrics" in request.what
        assert spoke, "an error without a word"
        return
    if kind == "application/problem+json":
        assert_error(json.loads(body))
    elif status != 412:  # a file whose conditions do not hold comes as it is
        assert not request.is_api
        assert not request.wants_json
        assert kind == "text/html", kind
        assert_page(body.decode(), request.language)


def assert_error(document: Any) -> None:
    """The one shape of an error (RFC 9457)."""
    assert sorted(document) == ["detail", "params", "reason", "status", "title", "type"]
    assert document["reason"] in all_reasons()
    assert isinstance(document["params"], dict)
    assert isinstance(document["detail"], str)
    assert document["detail"]


def assert_page(page: str, language: str | None) -> None:
    """The one page for people, or the page with the form that was not accepted; in their language."""
    assert '<h1 class="big-message">' in page or 'role="alert"' in page
    said = re.search(r'<html lang="([a-z]+)">', page)
    assert language is None or said[1] == language


def assert_the_server_is_well(served: Served) -> None:
    with Phone(served.port, new_table(served), https=served.https) as phone:
        phone.look()
        assert phone.throw(1, 1, 6, 6, 3, 4).status == 200


@pytest.mark.parametrize(
    "data",
    [
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: " + b"b" * 200_000 + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    ],
)
def test_what_is_no_http_is_told_in_the_one_shape(served: Served, data: bytes) -> None:
    with contextlib.closing(served.open(ANSWER_WITHIN_S)) as connection:
        connection.sendall(data)
        with http.client.HTTPResponse(connection) as response:
            response.begin()
            assert response.status in (400, 501)
            assert_error(json.loads(response.read()))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("server") / "data", program=UNPREPARED) as server:
        yield server
