"""How long a connection may be at what it is at, over http and over https: no time of before runs out later."""

import asyncio
import gc
import time
import weakref
from typing import IO

import pytest

from tests.web.hosts.laptop.small import ASKED, Small
from web.hosts.laptop import protocol
from web.hosts.laptop.connections import MORE, OVER_TLS, ConnectionState, Timer
from web.limits import ledger

SCHEMES = pytest.mark.parametrize("https", [False, True], ids=["http", "https"])


def test_a_timer_that_begins_anew_forgets_what_was_to_come() -> None:
    called: list[str] = []

    async def some() -> None:
        timer = Timer()
        timer.start(0.01, lambda: called.append("first"))
        timer.start(0.02, lambda: called.append("second"))
        assert timer.runs
        await asyncio.sleep(0.2)
        assert not timer.runs
        timer.start(0.01, lambda: called.append("third"))
        timer.stop()
        timer.stop()
        await asyncio.sleep(0.2)

    asyncio.run(some())
    assert called == ["second"]


def test_what_a_timer_calls_may_start_it_again() -> None:
    async def some() -> bool:
        timer = Timer()
        timer.start(0, lambda: timer.start(60, list))
        await asyncio.sleep(0.1)
        return timer.runs

    assert asyncio.run(some())


def read_answer(answers: IO[bytes]) -> None:
    """Takes one answer of `Small`."""
    lines = list(iter(answers.readline, b"\r\n"))
    assert lines[0].startswith(b"HTTP/1.1 200"), lines
    assert answers.read(2) == b"ok"


@pytest.mark.whole
@SCHEMES
def test_a_kept_connection_outlives_the_times_of_what_it_was_at(monkeypatch: pytest.MonkeyPatch, https: bool) -> None:
    """Over TLS, a connection was ended `DOWNLOADED_WITHIN_S` after its handshake, whatever it did."""
    monkeypatch.setattr(protocol, "DOWNLOADED_WITHIN_S", 0.4)
    monkeypatch.setattr(protocol, "REQUEST_WITHIN_S", 0.4)
    body = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n"
    with Small(https) as small, small.connect() as phone, phone.makefile("rb") as answers:
        for _ in range(2):
            phone.sendall(ASKED)
            read_answer(answers)
            phone.sendall(body)
            for _ in range(10):
                time.sleep(0.07)
                phone.sendall(b"a")
            read_answer(answers)


@SCHEMES
def test_who_has_only_shaken_hands_takes_no_place_of_those_that_hear(
    monkeypatch: pytest.MonkeyPatch, https: bool
) -> None:
    """TLS's own words, which come after the handshake, are no answer."""
    most = OVER_TLS + MORE[ConnectionState.HANDSHAKE]  # less than an answer on its way costs
    monkeypatch.setitem(ledger.BOUNDS, ledger.STATES, ledger.Bound(most, most, most, 0))
    with Small(https) as small, small.connect() as phone, phone.makefile("rb") as answers:
        phone.sendall(ASKED)
        read_answer(answers)


@SCHEMES
def test_who_takes_nothing_of_an_answer_is_ended(monkeypatch: pytest.MonkeyPatch, https: bool) -> None:
    monkeypatch.setattr(Small, "answer", bytes(50_000_000))  # far more than the system holds
    monkeypatch.setattr(protocol, "DOWNLOADED_WITHIN_S", 0.5)
    with Small(https) as small, small.connect(receive_buffer=1 << 16) as phone:
        phone.sendall(ASKED)
        until = time.monotonic() + 20
        while not (found := small.server._connections.in_states(ConnectionState.DOWNLOADING)):
            assert time.monotonic() < until
        while small.server._connections.count:
            assert time.monotonic() < until, "it is still there"
            phone.recv(1000)  # a little now and then prolongs nothing
            time.sleep(0.1)
        assert len(found) == 1


@SCHEMES
def test_of_a_connection_that_is_over_nothing_is_kept(https: bool) -> None:
    with Small(https) as small:
        with small.connect() as phone, phone.makefile("rb") as answers:
            phone.sendall(ASKED)
            read_answer(answers)
            connections = small.server.server_state.connections
            kept = [weakref.ref(each) for each in connections]
            assert len(kept) == 1
        until = time.monotonic() + 20
        while any(each() is not None for each in kept):
            assert time.monotonic() < until, "it is held by something"
            gc.collect()
            time.sleep(0.02)


@pytest.mark.whole
@SCHEMES
@pytest.mark.parametrize("more", [b"", b"Connection: close\r\n"], ids=["kept", "closed"])
def test_who_is_slow_to_take_an_answer_gets_all_of_it(
    monkeypatch: pytest.MonkeyPatch, https: bool, more: bytes
) -> None:
    """Neither the end of the connection nor the time that it may rest cuts off what is still on its way."""
    monkeypatch.setattr(Small, "answer", bytes(10_000_000))
    monkeypatch.setattr(protocol, "REQUEST_WITHIN_S", 0.5)
    with Small(https) as small:
        small.server.config.timeout_keep_alive = 1
        with small.connect(receive_buffer=1 << 16) as phone:
            phone.sendall(ASKED.replace(b"\r\n\r\n", b"\r\n" + more + b"\r\n"))
            time.sleep(1.5)
            taken = 0
            while taken < len(small.answer) and (piece := phone.recv(1 << 20)):
                taken += len(piece)
            assert taken >= len(small.answer)
            while piece:
                piece = phone.recv(1 << 20)  # and then it ends, since it rests too long
