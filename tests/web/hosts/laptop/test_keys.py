"""Which keys count as known: those with which a table itself let a phone in, and no others."""

import asyncio
import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
import uvicorn
from flask import Flask

from tests.web.asgi import ask_in_loop
from tests.web.pages.test_owners import guest, turn_out
from tests.web.phones import Phone, device_of, start
from web.hosts.laptop import protocol
from web.hosts.laptop.application import Application
from web.hosts.laptop.server import Server, listen
from web.hosts.laptop.serving import asgi_application
from web.pages.keys import Keys
from web.services import services

FORGED = "a-key-that-no-table-has"
# What no table answers, though some of it is no refusal. In each of them "{}" is a key.
FORGERIES = (
    "OPTIONS /tables/{}",
    "OPTIONS /api/v1/tables/{}",
    "OPTIONS /api/v1/tables/{}/states",
    "GET /tables/{}//board",
    "GET /tables//{}/board",
    "GET //tables/{}",
    "GET /tables/{}/",
    "GET /tables/{}",
    "GET /api/v1/tables/{}",
    "GET /api/v1/tables/{}?stamp=1",
    "GET /api/v1/tables/{}/states",
    "GET /tables/{}/nothing-here",
    "GET /tables/{}/../../help",
    "HEAD /tables/{}",
    "HEAD /tables/{}//board",
    "HEAD /api/v1/tables/{}/states",
    "PUT /tables/{}",
    "PUT /api/v1/tables/{}",
    "POST /api/v1/tables/{}",
    "POST /api/v1/tables/{}/actions",
    "POST /api/v1/tables/{}/photos",
    "DELETE /api/v1/tables/{}/samples",
    "POST /history/forget/{}",
    "GET http://127.0.0.1/tables/{}//board",
)
# Of these, what a right key opens: the table itself answers. Actions without a body are refused before.
OPENED = (
    "GET //tables/{}",
    "GET /tables/{}",
    "GET /api/v1/tables/{}",
    "GET /api/v1/tables/{}?stamp=1",
    "GET /api/v1/tables/{}/states",
    "HEAD /tables/{}",
    "HEAD /api/v1/tables/{}/states",
    "DELETE /api/v1/tables/{}/samples",
)


@contextmanager
def serving(application: Application) -> Iterator[int]:
    """The real server before this application, in a thread. Gives its port."""
    began = threading.Event()
    options = {"log_config": None, "log_level": "warning", "lifespan": "off", "http": protocol.Protocol, "ws": "none"}
    config = uvicorn.Config(application, proxy_headers=False, **options)  # type: ignore[arg-type]
    with closing(listen("127.0.0.1", 0)) as sock:
        server = Server(config, application, began.set)
        thread = threading.Thread(target=server.run, args=([sock],))
        thread.start()
        try:
            assert began.wait(60)
            yield sock.getsockname()[1]
        finally:
            application.hub.close()
            server.should_exit = True
            thread.join(60)


def status_of(port: int, request: str, device: str = "") -> int:
    """The status of the answer to a request, such as "GET /help", over a connection of its own."""
    cookie = f"Cookie: device={device}\r\n" if device else ""
    head = f"{request} HTTP/1.1\r\nHost: 127.0.0.1\r\n{cookie}Content-Length: 0\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(head.encode())
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.status


@pytest.fixture
def served(app: Flask) -> Iterator[tuple[Application, int]]:
    application = asgi_application(app, services(app).hub)
    with serving(application) as port:
        yield application, port


def is_known(application: Application, key: str) -> bool:
    return application.keys.of_path(f"/api/v1/tables/{key}") == key


def test_a_key_that_no_table_has_is_known_by_nothing_that_is_answered(served: tuple[Application, int]) -> None:
    application, port = served
    statuses = set()
    for request in FORGERIES:
        statuses.add(status_of(port, request.format(FORGED)))
        assert not is_known(application, FORGED), request
    assert {200, 204, 308, 404, 405} & statuses, statuses


def test_a_right_key_is_known_once_the_table_answered(app: Flask, served: tuple[Application, int]) -> None:
    application, port = served
    for request in FORGERIES:
        key, other = (start(app.test_client()).rpartition("/")[2] for _ in range(2))
        status_of(port, request.format(key))
        assert is_known(application, key) is (request in OPENED), request
        assert not is_known(application, other), request


def test_a_key_that_is_written_otherwise_is_the_same(app: Flask, served: tuple[Application, int]) -> None:
    application, port = served
    key = start(app.test_client()).rpartition("/")[2]
    assert status_of(port, f"GET /api/v1/tables/%{ord(key[0]):02x}{key[1:]}") == 200
    assert is_known(application, key)


def test_a_key_is_not_known_by_a_phone_that_may_not_come(app: Flask, served: tuple[Application, int]) -> None:
    application, port = served
    client = app.test_client()
    client.get(base := start(client))
    owner, bob = Phone(client, base), guest(app, base)
    turn_out(owner, "Bob")
    for device in (device_of(bob.client), "a-phone-that-was-never-there", ""):
        for request in OPENED:
            assert status_of(port, request.format(owner.key), device) == 403, request
            assert not is_known(application, owner.key), request
    assert status_of(port, f"GET /api/v1{base}", device_of(client)) == 200
    assert is_known(application, owner.key)


def test_forged_keys_push_no_right_one_out(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.pages.keys.MOST_KEYS", 50)
    application = asgi_application(app, services(app).hub)
    key = start(app.test_client()).rpartition("/")[2]
    forgeries = (("OPTIONS", "/tables/forged-{}"), ("GET", "/tables/forged-{}//board"))

    async def forge() -> None:
        assert (await ask_in_loop(application, "GET", f"/api/v1/tables/{key}")).status == 200
        for number in range(60):
            method, path = forgeries[number % 2]
            await ask_in_loop(application, method, path.format(number))

    asyncio.run(forge())
    assert is_known(application, key)


@pytest.mark.parametrize(
    ("head", "names"),
    [
        (b"GET /tables/KEY HTTP/1.1\r\n", True),
        (b"OPTIONS /tables/KEY/state HTTP/1.1\r\n", True),
        (b"GET http://dice.example.org:8000/tables/KEY?x HTTP/1.1\r\n", True),
        (b"GET https://dice.example.org/tables/KEY/state HTTP/1.1\r\n", True),
        (b"GET //tables/KEY HTTP/1.1\r\n", False),
        (b"GET http:///tables/KEY HTTP/1.1\r\n", False),
        (b"GET /x/tables/KEY HTTP/1.1\r\n", False),
        (b"GET http://a/x/tables/KEY HTTP/1.1\r\n", False),
        (b"GET /tables/KEY-and-more HTTP/1.1\r\n", False),
        (b"GET /tables/%4bEY HTTP/1.1\r\n", False),  # known once its head is read
        (b"GET /help HTTP/1.1\r\nReferer: /tables/KEY\r\n", False),
    ],
)
def test_the_first_bytes_of_a_request_name_a_key(head: bytes, names: bool) -> None:
    keys = Keys()
    keys.note("KEY")
    assert keys.of_head(head) == ("KEY" if names else "")
