"""What a request holds by the ledger, from its first byte to the last that is taken, and how long answers are sent."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from tests.web.asgi import scope_of
from tests.web.hosts.laptop.small import ASKED, Small
from web.hosts.laptop.connections import Connection
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.wsgi_bridge import IN_MEMORY, LARGE, PIECE, WsgiBridge
from web.limits.ledger import DISK, MEMORY, Bound, Ledger
from web.problems.problem import GONE, SPENT_S

Pages = Callable[[dict[str, Any], Any], Iterable[bytes]]


def answering(*pieces: bytes) -> Pages:
    def pages(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("X-Asked", "yes")])
        return iter(pieces)

    return pages


class Asked:
    """One request whose phone sends and takes when the test lets it: `with` notes what its connection holds."""

    def __init__(self, pages: Pages, *body: bytes, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger()
        self.bridge = WsgiBridge(pages, 1, 1 << 30, lambda environ: 1 << 30, Hub(self.ledger))
        self.connection = Connection("club")
        self.scope = scope_of("POST", "/")
        self.scope["state"]["connection"] = self.connection
        self.sent: list[dict[str, Any]] = []
        self.held: list[tuple[int, int]] = []  # in memory and on the disk, at each step
        self._body = iter([*body] or [b""])
        self._last = len(body) - 1
        self._taken = 0

    def holds(self) -> tuple[int, int]:
        return self.ledger.accounts[MEMORY].size, self.ledger.accounts[DISK].size

    async def receive(self) -> dict[str, Any]:
        self.held.append(self.holds())
        self._taken += 1
        return {"type": "http.request", "body": next(self._body), "more_body": self._taken <= self._last}

    async def send(self, message: Any) -> None:
        self.held.append(self.holds())
        self.sent.append(message)

    def go(self) -> bytes:
        """The body of the answer, once all is over; nothing is held then."""
        asyncio.run(asyncio.wait_for(self.bridge(self.scope, self.receive, self.send), 60))
        assert self.holds() == (0, 0)
        return b"".join(message.get("body", b"") for message in self.sent)


def test_a_body_is_counted_as_it_comes_in_memory_and_then_on_the_disk() -> None:
    piece = bytes(IN_MEMORY // 2)
    asked = Asked(answering(b"ok"), piece, piece, piece, piece)
    assert asked.go() == b"ok"
    half = len(piece)
    assert asked.held[:4] == [(0, 0), (half, 0), (2 * half, 0), (0, 3 * half)]
    assert asked.held[-1] == (2, 4 * half), "until its answer is received"


def test_an_answer_is_held_until_it_is_received() -> None:
    asked = Asked(answering(bytes(LARGE)))
    assert asked.go() == bytes(LARGE)
    assert set(asked.held[1:]) == {(LARGE, 0)}


def test_a_long_answer_waits_on_the_disk() -> None:
    asked = Asked(answering(b"x" * LARGE + b"yz"))
    assert asked.go() == b"x" * LARGE + b"yz"
    assert set(asked.held[1:]) == {(0, LARGE + 2)}
    assert max(len(message.get("body", b"")) for message in asked.sent) == PIECE


def test_a_file_is_read_no_further_than_it_is_taken() -> None:
    read: list[int] = []
    closed: list[bool] = []

    class File:
        def __iter__(self) -> Iterator[bytes]:
            for number in range(100):
                read.append(number)
                yield bytes(PIECE)

        def close(self) -> None:
            closed.append(True)

    def pages(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        return File()

    asked = Asked(pages)
    pieces: list[int] = []
    take = asked.send

    async def slowly(message: Any) -> None:
        await take(message)
        pieces.append(len(message.get("body", b"")))
        assert len(read) <= 2 + sum(map(bool, pieces)), "two are looked at to see whether it is long"
        if sum(pieces) == 50 * PIECE:
            asked.connection.lost = True  # its phone goes

    asked.send = slowly  # type: ignore[method-assign]
    asked.go()
    assert len(read) < 55, "nothing is read for who is gone"
    assert closed == [True]
    assert set(asked.held) == {(0, 0)}


@pytest.mark.parametrize(("what", "size"), [(MEMORY, 1000), (DISK, LARGE + 1)])
def test_who_has_no_room_for_an_answer_is_told_to_come_again(what: str, size: int) -> None:
    asked = Asked(answering(bytes(size)), ledger=Ledger({what: Bound(999, 999, 999, 0)}))
    turned: list[bool] = []
    asked.connection.refuse = lambda: turned.append(True)
    assert asked.go() == b""
    assert turned == [True]


def test_a_body_that_finds_no_room_is_turned_away_and_asks_for_nothing() -> None:
    asked: list[bool] = []

    def pages(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked.append(True)
        return answering(b"ok")(environ, start_response)

    request = Asked(pages, bytes(500), bytes(500), ledger=Ledger({MEMORY: Bound(999, 999, 999, 0)}))
    turned: list[bool] = []
    request.connection.refuse = lambda: turned.append(True)
    request.go()
    assert (turned, asked) == ([True], [])


def test_what_other_processes_spend_for_a_request_is_charged_to_it() -> None:
    def pages(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ[SPENT_S] = 1000.0
        return answering(b"ok")(environ, start_response)

    asked = Asked(pages)
    asked.go()
    assert not asked.ledger.within_share("club", None, time.monotonic())


def test_what_a_page_raises_is_an_answer_and_given_back() -> None:
    def pages(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        raise RuntimeError("of a page")

    asked = Asked(pages, b"body")
    assert b'"internal"' in asked.go()
    assert asked.sent[0]["status"] == 500


class SmallPages(Small):
    """A small server whose page is answered once its phone has gone."""

    def __init__(self, https: bool) -> None:
        super().__init__(https)
        self.begun, self.noticed = threading.Event(), threading.Event()
        self._bridge = WsgiBridge(self._page, 1, IN_MEMORY, lambda environ: IN_MEMORY, Hub())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._bridge(scope, receive, send)

    def _page(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if not environ[GONE]():
            self.begun.set()
        while not environ[GONE]():
            time.sleep(0.01)
        self.noticed.set()
        start_response("200 OK", [])
        return []


@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_a_page_learns_that_its_phone_has_gone(https: bool) -> None:
    with SmallPages(https) as small:
        phone = small.connect()
        phone.sendall(ASKED)
        assert small.begun.wait(30)
        phone.close()
        assert small.noticed.wait(30)
