"""A WebSocket tells a program what a stream tells it, and refuses whom a stream refuses."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import struct
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.web.api.test_api_v1 import bearer
from tests.web.api.test_events import Program
from tests.web.phones import any_legal
from tests.web.served import UNCHECKED_IN_THREADS, UNPREPARED, Served
from web.session.access_list import table_id
from web.store.server_tokens import create_token

pytestmark = pytest.mark.whole

WITHIN_S = 60


@pytest.fixture(scope="module", params=[False, True], ids=["http", "https"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("data") / "data"
    with Served(data, https=request.param, program=UNPREPARED) as made:
        yield made


@pytest.fixture
def program(server: Served) -> Iterator[Program]:
    made = Program(server)
    yield made
    made.close()


def open_socket(server: Served, table: str, query: str = "", **more: Any) -> ClientConnection:
    """`query`: such as "?after=5"."""
    address = f"{'wss' if server.https else 'ws'}://127.0.0.1:{server.port}/api/v1/tables/{table}/events{query}"
    checks = {"ssl": UNCHECKED_IN_THREADS} if server.https else {}
    return connect(address, open_timeout=WITHIN_S, compression=None, **checks, **more)


def hear(line: ClientConnection) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(line.recv(WITHIN_S))
    return found


def how_closed(line: ClientConnection) -> tuple[int, str]:
    """With which code and reason the server closes a socket, whatever it tells before."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            line.recv(WITHIN_S)
    assert line.close_code is not None
    return line.close_code, line.close_reason or ""


def make_token(program: Program, key: str, **more: str) -> str:
    _, made = program.ask("POST", f"/tables/{key}/programs", {"name": "lamp", **more}, Cookie=program.cookie)
    return str(made["token"])


def refusal_of(server: Served, table: str, **more: Any) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as refused, open_socket(server, table, **more):
        pass
    answer = refused.value.response
    assert answer.headers["Content-Type"] == "application/problem+json"
    told = json.loads(answer.body)
    assert told["status"] == answer.status_code
    return answer.status_code, told["reason"]


def test_a_token_of_the_machine_listens_to_a_table_by_its_id(program: Program) -> None:
    """By a WebSocket and by a stream; its photos too are let in by the id."""
    server, key = program.server, program.start()
    owner = bearer(create_token(server.data, "owner"))
    program.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    with open_socket(server, table_id(key), "?after=0", additional_headers=owner) as line:
        assert hear(line)["version"] == 1
    stream = program.listen(f"/api/v1/tables/{table_id(key)}/events?after=0", **owner)
    assert stream.status == 200
    photo = f"/api/v1/tables/{table_id(key)}/photos?version=1"
    status, told = program.ask("POST", photo, "no photo", **owner, **{"Content-Type": "image/jpeg"})
    assert (status, told["reason"]) != (404, "table-unknown")
    assert refusal_of(server, "0" * 16, additional_headers=owner) == (404, "table-unknown")


def test_a_whole_game_is_seen_by_a_listener(program: Program) -> None:
    key, dice = program.start(), random.Random(2)
    heard: list[dict[str, Any]] = []
    with open_socket(program.server, key, "?after=0") as line:
        for number in range(61):
            state = program.ask("GET", f"/api/v1/tables/{key}")[1]
            over = {"do": "adjust", "what": "game", "over": True}
            action = any_legal(state["standing"], dice) if number < 60 else over
            program.throw(key, number, state["version"], action)
            last = heard[-1]["number"] if heard else 0
            page = program.ask("GET", f"/api/v1/tables/{key}/events?after={last}")[1]
            assert [hear(line) for _ in page["items"]] == page["items"]
            heard += page["items"]
    assert {"throw-confirmed", "set-aside", "turn-begins", "game-over"} <= {each["event"] for each in heard}
    assert heard[-1]["event"] == "game-over"


def test_a_listener_goes_on_from_its_last_number(program: Program) -> None:
    key = program.start()
    with open_socket(program.server, key) as line:
        program.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
        first = hear(line)
    program.throw(key, 2, 1, {"do": "set-aside", "dice": [1, 1, 1]})
    program.throw(key, 3, 2, {"do": "throw", "dice": [2, 3, 4]})
    for query, headers in ((f"?after={first['number']}", {}), ("", {"Last-Event-ID": str(first["number"])})):
        with open_socket(program.server, key, query, additional_headers=headers) as line:
            assert [hear(line)["event"] for _ in range(4)] == ["set-aside", "throw-confirmed", "bust", "turn-begins"]


def test_who_may_not_listen_is_refused(program: Program) -> None:
    server, key, other = program.server, program.start(), program.start()
    named = table_id(key)
    elsewhere = bearer(make_token(program, other))
    assert refusal_of(server, named) == (401, "token-wanted")
    assert refusal_of(server, named, additional_headers=bearer("rollcall_wrong")) == (401, "token-unknown")
    assert refusal_of(server, named, additional_headers=elsewhere) == (403, "token-elsewhere")
    assert refusal_of(server, "nobody-has-this-key") == (404, "table-unknown")
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{server.port + 1}"):
        assert refusal_of(server, key, origin=origin) == (403, "cross-site")
    with open_socket(server, key, origin=server.base) as line:  # a page of our own
        line.ping().wait(WITHIN_S)


def test_plain_http_at_a_server_with_a_certificate_is_refused(program: Program) -> None:
    if not program.server.https:
        pytest.skip("it has none")
    key = program.start()
    with pytest.raises(InvalidStatus) as refused:
        connect(f"ws://127.0.0.1:{program.server.port}/api/v1/tables/{key}/events", open_timeout=WITHIN_S)
    assert json.loads(refused.value.response.body)["reason"] == "https-wanted"


def test_a_token_that_is_taken_back_closes_its_socket(program: Program) -> None:
    key = program.start()
    right = bearer(make_token(program, key))
    with open_socket(program.server, table_id(key), additional_headers=right) as line:
        line.ping().wait(WITHIN_S)
        cookie = {"Cookie": program.cookie}
        listed = program.ask("GET", f"/tables/{key}/programs", **cookie)[1]
        program.ask("POST", f"/tables/{key}/programs/removed", {"program": listed[0]["program"]}, **cookie)
        program.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
        assert how_closed(line) == (4401, "token-unknown")
    assert refusal_of(program.server, table_id(key), additional_headers=right) == (401, "token-unknown")


def test_a_deleted_table_closes_its_sockets(program: Program) -> None:
    key = program.start()
    with open_socket(program.server, key) as line:
        line.ping().wait(WITHIN_S)
        program.ask("POST", f"/tables/{key}/deleted", {"deleted": True}, Cookie=program.cookie)
        assert how_closed(line) == (4410, "table-deleted")


def test_who_talks_is_told_that_nobody_listens(program: Program) -> None:
    key = program.start()
    with open_socket(program.server, key) as line:
        line.send("hello")
        assert how_closed(line) == (1003, "nothing is read here: act by POST")
    with open_socket(program.server, key) as line:
        line.send("x" * 3000)
        assert how_closed(line)[0] == 1009
    with open_socket(program.server, key) as line:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(1500):  # pings cost time too
                line.ping()
        assert how_closed(line) == (1008, "too much was sent")


def raw(server: Served, key: str, *lines: str, host: str = "127.0.0.1") -> socket.socket:
    """A connection whose handshake was sent, but for its answer."""
    sock = server.open(WITHIN_S)
    head = [f"GET /api/v1/tables/{key}/events?after=0 HTTP/1.1", f"Host: {host}:{server.port}", *lines]
    sock.sendall("\r\n".join([*head, "", ""]).encode())
    return sock


UPGRADE = ("Connection: Upgrade", "Upgrade: websocket")
NAMED = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
WHOLE = (*UPGRADE, NAMED, "Sec-WebSocket-Version: 13")


def test_a_handshake_that_is_none_is_refused(program: Program) -> None:
    key = program.start()
    with raw(program.server, key, *WHOLE, host="evil.example") as sock:
        assert sock.recv(100).split()[1] == b"421"
    for lines, status in (
        ((*UPGRADE, "Sec-WebSocket-Version: 13"), b"400"),
        ((*UPGRADE, NAMED, "Sec-WebSocket-Version: 8"), b"426"),
    ):
        with raw(program.server, key, *lines) as sock:
            assert sock.recv(100).split()[1] == status
    # Elsewhere an upgrade is a wish that is not granted (RFC 9110, section 7.8).
    line = program.connection()
    line.request("GET", "/help", headers={"Connection": "Upgrade", "Upgrade": "websocket"})
    assert line.getresponse().status == 200
    line.close()


def test_a_frame_that_is_none_ends_the_socket_alone(program: Program) -> None:
    key = program.start()
    for frame in (b"\xff\xff\xff", struct.pack("!BBQ", 0x82, 127, 1 << 62), b"\x81\x01a"):
        with raw(program.server, key, *WHOLE) as sock:
            assert sock.recv(1000).startswith(b"HTTP/1.1 101 ")
            sock.sendall(frame)
            while sock.recv(1000):
                pass
    assert program.ask("GET", f"/api/v1/tables/{key}")[0] == 200


def test_a_stream_and_a_socket_tell_the_same(program: Program) -> None:
    key = program.start()
    stream = program.listen(f"/api/v1/tables/{key}/events")
    stream.readline()
    with open_socket(program.server, key) as line:
        program.throw(key, 1, 0, {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
        while not (told := stream.readline()).startswith(b"data: {"):
            pass
        assert line.recv(WITHIN_S).encode() == told.removeprefix(b"data: ").rstrip()


def test_a_server_that_ends_says_so(tmp_path: Any) -> None:
    with Served(tmp_path / "data", program=UNPREPARED) as server, open_socket(server, Program(server).start()) as line:
        line.ping().wait(WITHIN_S)
        server.process.terminate()
        assert how_closed(line) == (1012, "the server ends")
