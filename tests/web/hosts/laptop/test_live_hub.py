"""Live streams inside the process, where a test can choose what happens first."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.asgi import ask_in_loop, listening, scope_of
from tests.web.phones import Phone, start
from tests.web.postgres import both_engines
from web.common.problems import Problem
from web.hosts.laptop import live_hub
from web.hosts.laptop.connections import Connection
from web.hosts.laptop.serving import asgi_application
from web.limits import quotas
from web.services import services

STREAM = live_hub.Stream("table", "", lambda: live_hub.state_event(b"{}"))


@both_engines
def test_what_changes_while_a_stream_begins_is_heard(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = Phone(client, start(client))
    sessions, hub = services(app).sessions, services(app).hub
    look_up, looks = sessions.snapshot, itertools.count()

    def looked_up_just_before_a_throw(key: str, *asker: Any) -> Any:
        shown = look_up(key, *asker)
        if not next(looks):  # whether the phone may come is looked up first
            return shown
        monkeypatch.undo()
        assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
        return shown

    monkeypatch.setattr(sessions, "snapshot", looked_up_just_before_a_throw)
    versions: list[int] = []

    async def send(message: Any) -> None:
        for line in message.get("body", b"").splitlines():
            if line.startswith(b"data: {"):
                versions.append(json.loads(line[6:])["version"])
        if len(versions) == 2:
            hub.close()

    served = asgi_application(app, hub)

    async def listen() -> None:
        await asyncio.wait_for(served(scope_of("GET", f"/api/v1{phone.base}/states"), listening(), send), 60)

    asyncio.run(listen())
    assert versions == [0, 1]


def crowd(
    hub: live_hub.Hub, stack: contextlib.ExitStack, address: str, tables: int, each: int
) -> list[live_hub.Listener]:
    """Streams of one address that have their places, at tables of its own."""
    found = []
    for number in range(tables * each):
        listening = hub.listening(f"{address} {number // each}", Connection(address), f"phone {number}")
        listener = stack.enter_context(listening)
        hub.admit(listener)
        found.append(listener)
    return found


def refused_for_s(hub: live_hub.Hub, address: str, table: str, phone: str = "") -> int:
    """For how long a newcomer is told to wait; 0 where there is a place."""
    with hub.listening(table, Connection(address), phone) as listener:
        try:
            hub.admit(listener)
        except Problem as problem:
            return problem.again_s
    return 0


def in_a_loop(work: Callable[[live_hub.Hub, contextlib.ExitStack], None]) -> None:
    async def run() -> None:
        hub = live_hub.Hub()
        with contextlib.ExitStack() as stack:
            work(hub, stack)
        assert hub.streams == 0
        assert not hub._streams.parts

    asyncio.run(run())


def ended_count(listeners: list[live_hub.Listener]) -> int:
    return sum(listener.ended for listener in listeners)


@pytest.mark.parametrize("bound", ["MOST_STREAMS", "MOST_OF_ADDRESS"])
def test_no_stream_is_ended_for_one_of_equal_standing(monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(live_hub, bound, 20)

    def work(hub: live_hub.Hub, stack: contextlib.ExitStack) -> None:
        club = crowd(hub, stack, "club", 5, 4)
        for number in range(30):  # phones of further tables, of this one and of those that are there
            assert refused_for_s(hub, "club", f"club {number % 10}", f"newcomer {number}")
        assert ended_count(club) == 0

    in_a_loop(work)


@pytest.mark.parametrize("bound", ["MOST_STREAMS", "MOST_OF_ADDRESS"])
def test_a_table_that_has_far_more_than_others_of_its_address_gives_places_back(
    monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(live_hub, bound, 20)

    def work(hub: live_hub.Hub, stack: contextlib.ExitStack) -> None:
        greedy = crowd(hub, stack, "club", 1, 20)
        family = [stack.enter_context(hub.listening("family", Connection("club"), f"{each}")) for each in range(4)]
        for listener in family:
            hub.admit(listener)
        assert [listener.ended for listener in greedy] == [False] * 16 + [True] * 4
        assert ended_count(family) == 0
        for number in range(30):  # who had to give way comes back, and ends nobody's stream
            assert refused_for_s(hub, "club", "club 0", f"phone {16 + number % 4}")
        assert (ended_count(greedy), ended_count(family)) == (4, 0)

    in_a_loop(work)


def test_an_address_that_has_more_gives_way_to_one_that_has_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "MOST_STREAMS", 40)

    def work(hub: live_hub.Hub, stack: contextlib.ExitStack) -> None:
        greedy = crowd(hub, stack, "greedy", 20, 2)
        honest = crowd(hub, stack, "honest", 2, 4)
        assert (ended_count(greedy), ended_count(honest), hub.streams) == (8, 0, 40)
        assert refused_for_s(hub, "greedy", "another")
        assert ended_count(honest) == 0

    in_a_loop(work)


def test_a_table_is_bounded_and_none_of_it_is_ended_for_another_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "MOST_OF_ADDRESS_AT_TABLE", 10)

    def work(hub: live_hub.Hub, stack: contextlib.ExitStack) -> None:
        table = crowd(hub, stack, "club", 1, 10)
        assert refused_for_s(hub, "club", "club 0")
        assert not refused_for_s(hub, "club", "club 1")
        assert not refused_for_s(hub, "another", "club 0")
        assert ended_count(table) == 0

    in_a_loop(work)


def test_who_is_refused_waits_longer_each_time_until_there_is_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "MOST_OF_ADDRESS", 4)

    def work(hub: live_hub.Hub, stack: contextlib.ExitStack) -> None:
        with contextlib.ExitStack() as first:
            crowd(hub, first, "club", 1, 4)
            told = [refused_for_s(hub, "club", "club 1", "phone") for _ in range(8)]
            assert told == sorted(told)
            assert quotas.FIRST_S <= told[0] < told[1] < told[2] < told[3]
            assert told[-1] == quotas.LONGEST_S
            others = [refused_for_s(hub, "club", "club 1", f"phone {number}") for number in range(40)]
            assert max(others) < 2 * quotas.FIRST_S, "each has its own pause"
            assert len(set(others)) > 1, "not all are to come back at once"
        assert not refused_for_s(hub, "club", "club 1", "phone")
        crowd(hub, stack, "club", 1, 4)
        assert refused_for_s(hub, "club", "club 1", "phone") < 2 * quotas.FIRST_S

    in_a_loop(work)


def ask_for_stream(app: Flask, path: str, *headers: tuple[bytes, bytes]) -> tuple[int, dict[bytes, bytes], bytes]:
    """What the server answers to one that wants a stream and is refused."""
    told: list[Any] = []

    async def send(message: Any) -> None:
        told.append(message)

    asyncio.run(
        asyncio.wait_for(
            asgi_application(app, services(app).hub)(scope_of("GET", path, *headers), listening(), send), 60
        )
    )
    return told[0]["status"], dict(told[0]["headers"]), b"".join(message["body"] for message in told[1:])


def test_a_program_that_is_refused_gets_503_and_a_page_an_event(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = f"/api/v1{start(client)}/states"
    monkeypatch.setattr(live_hub, "MOST_OF_ADDRESS", 0)
    status, headers, body = ask_for_stream(app, events)
    assert (status, json.loads(body)["reason"]) == (503, "streams-full")
    assert int(headers[b"retry-after"]) >= quotas.FIRST_S
    status, headers, body = ask_for_stream(app, events, (b"accept", b"text/event-stream"))
    wait = int(headers[b"retry-after"])
    assert (status, headers[b"content-type"]) == (200, b"text/event-stream")
    assert body == b"retry: %d\nevent: wait\ndata: %d\n\n" % (1000 * wait, wait)


def test_who_names_no_table_ends_no_stream(app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "MOST_OF_ADDRESS", 10)
    hub, application = services(app).hub, asgi_application(app, services(app).hub)

    async def flood() -> None:
        with contextlib.ExitStack() as stack:
            table = crowd(hub, stack, "?", 1, 10)
            for number in range(20):
                answered = await ask_in_loop(application, "GET", f"/api/v1/tables/{number:024}/states")
                assert answered.status in (204, 429)
            assert ended_count(table) == 0

    asyncio.run(flood())


def test_who_has_to_give_way_is_told_for_how_long(app: Flask, client: FlaskClient) -> None:
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    async def listen() -> None:
        hub = live_hub.Hub()
        with hub.listening("table", Connection("club")) as listener:
            asyncio.get_running_loop().call_later(0.05, listener.part, Problem("streams-full", 503, again_s=7))
            await asyncio.wait_for(hub.stream(listener, STREAM, [], listening(), send), 60)

    asyncio.run(listen())
    assert sent[-1] == b"retry: 7000\nevent: wait\ndata: 7\n\n"


def test_a_deleted_table_is_the_last_event_of_its_streams() -> None:
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    async def listen() -> None:
        hub = live_hub.Hub()
        with hub.listening("table", Connection("club")) as listener:
            hub.announce("table", b'{"secret": 1}')
            asyncio.get_running_loop().call_soon(hub.end_table, "table", Problem("table-deleted", 410))
            await asyncio.wait_for(hub.stream(listener, STREAM, [], listening(), send), 60)
        assert hub.streams == 0

    asyncio.run(listen())
    assert sent[-1].startswith(b'event: gone\ndata: {"type": "/api#table-deleted"')


def test_who_takes_nothing_any_more_is_ended_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_hub, "PARTING_S", 0.05)

    async def listen() -> None:
        hub, aborted = live_hub.Hub(), asyncio.Event()
        connection = Connection("club")
        connection.end = aborted.set
        with hub.listening("table", connection) as listener:
            listener.part(Problem("streams-full", 503, again_s=5))
            await asyncio.wait_for(aborted.wait(), 60)
        aborted.clear()
        with hub.listening("table", connection) as listener:
            listener.part(Problem("streams-full", 503, again_s=5))
        await asyncio.sleep(0.2)
        assert not aborted.is_set(), "the connection may serve another request"

    asyncio.run(listen())
