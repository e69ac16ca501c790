"""In which order those are begun with who come all at once."""

import asyncio
import contextlib
import socket

import pytest

from web.hosts.laptop.acceptor import Acceptor, is_whole
from web.hosts.laptop.connections import Connections
from web.hosts.laptop.server import listen
from web.limits.ledger import Ledger
from web.pages.keys import MOST_KEYS, Keys

WHOLE = b"GET /help HTTP/1.1\r\nHost: a\r\n\r\n"
UNFINISHED = b"POST /join HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\ncode="


def order_of_beginning(said: list[bytes], known: str = "key") -> list[bytes]:
    """What is said by connections that come in this order, in the order in which a acceptor begins with them."""
    order: list[bytes] = []

    class Noting(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            order.append(data)

    async def everybody() -> None:
        keys = Keys()
        keys.note(known)
        with contextlib.ExitStack() as stack:
            listening = stack.enter_context(contextlib.closing(socket.create_server(("127.0.0.1", 0), backlog=100)))
            for each in said:
                phone = stack.enter_context(socket.create_connection(listening.getsockname()))
                phone.sendall(each)
            acceptor = Acceptor(listening, lambda _: Noting(), Connections(Ledger(), 1000), keys, None)
            while len(order) < len(said):
                await asyncio.sleep(0)
            acceptor.close()
            await acceptor.wait_closed()

    asyncio.run(asyncio.wait_for(everybody(), 30))
    return order


def test_a_whole_request_does_not_wait_for_those_that_are_none() -> None:
    assert order_of_beginning([UNFINISHED] * 50 + [WHOLE])[0] == WHOLE


def test_who_has_a_tables_key_does_not_wait_for_the_strangers_at_his_address() -> None:
    phone = b"GET /api/v1/tables/key HTTP/1.1\r\nHost: a\r\n\r\n"
    stranger = b"GET /api/v1/tables/guessed HTTP/1.1\r\nHost: a\r\n\r\n"
    assert phone in order_of_beginning([WHOLE] * 25 + [stranger] * 25 + [phone])[:3]


def test_a_photo_for_a_known_table_does_not_wait_either() -> None:
    photo = b"POST /api/v1/tables/key/photos HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc"
    assert photo in order_of_beginning([UNFINISHED] * 50 + [photo])[:2]


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        (WHOLE, True),
        (WHOLE[:-1], False),
        (UNFINISHED, False),
        (b"POST /join HTTP/1.1\r\ncontent-LENGTH:5\r\n\r\ncode=", True),
        (b"POST /join HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", False),
        (b"\r\n\r\n", True),
    ],
)
def test_what_is_whole(said: bytes, whole: bool) -> None:
    assert is_whole(said) == whole


def test_keys_are_known_by_path_and_by_the_first_bytes_the_latest_of_them() -> None:
    keys = Keys()
    keys.note("first")
    assert keys.of_path("/api/v1/tables/first") == keys.of_path("/tables/first") == "first"
    assert (
        keys.of_head(b"GET /tables/first HTTP/1.1\r\n") == keys.of_head(b"GET /tables/first?x HTTP/1.1\r\n") == "first"
    )
    assert keys.of_head(b"GET http://127.0.0.1:8000/tables/first/state HTTP/1.1\r\n") == "first"
    assert keys.of_path("/tables/other") == keys.of_path("/tables/") == keys.of_head(b"GET / HTTP/1.1\r\n") == ""
    for number in range(MOST_KEYS):
        keys.note(f"key{number}")
    assert keys.of_path("/tables/first") == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_answers_second_piece_does_not_wait_for_word_of_the_first(host: str) -> None:
    if host == "::1" and not socket.has_ipv6:
        pytest.skip("this machine knows no IPv6")
    at_once: list[int] = []

    class Looking(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            connection = transport.get_extra_info("socket")
            at_once.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            transport.close()

    async def one() -> None:
        with contextlib.closing(listen(host, 0)) as listening:
            acceptor = Acceptor(listening, lambda _: Looking(), Connections(Ledger(), 10), Keys(), None)
            with socket.create_connection(listening.getsockname()[:2]) as phone:
                phone.sendall(WHOLE)
                while not at_once:
                    await asyncio.sleep(0)
            acceptor.close()
            await acceptor.wait_closed()

    asyncio.run(asyncio.wait_for(one(), 30))
    assert at_once[0]
