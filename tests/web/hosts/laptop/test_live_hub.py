"""Live streams inside the process, where a test can choose what happens first."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.asgi import ask_in_loop, listening, scope_of
from tests.web.phones import Phone, start
from tests.web.postgres import both_engines
from web.hosts.laptop import live_hub
from web.hosts.laptop.connections import Connection
from web.hosts.laptop.serving import asgi_application
from web.limits import ledger, quotas
from web.limits.ledger import STREAMS
from web.problems.problem import Problem
from web.services import services

STREAM = live_hub.Stream("table", "", lambda: live_hub.state_event(b"{}"))


@both_engines
def test_what_changes_while_a_stream_begins_is_heard(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = Phone(client, start(client))
    runner, hub = services(app).runner, services(app).hub
    look_up, looks = runner.snapshot, itertools.count()

    def looked_up_just_before_a_throw(key: str, *asker: Any) -> Any:
        shown = look_up(key, *asker)
        if not next(looks):  # whether the phone may come is looked up first
            return shown
        monkeypatch.undo()
        assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
        return shown

    monkeypatch.setattr(runner, "snapshot", looked_up_just_before_a_throw)
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


def lower(
    monkeypatch: pytest.MonkeyPatch, bound: str, most: int, bounds: dict[str, ledger.Bound] = ledger.BOUNDS
) -> None:
    """Lowers a bound of streams: of ledgers that are made later, or of one."""
    monkeypatch.setitem(bounds, STREAMS, bounds[STREAMS]._replace(**{bound: most}))


def crowd(
    hub: live_hub.Hub, stack: contextlib.ExitStack, address: str, tables: int, each: int, called: str = ""
) -> list[live_hub.Listener]:
    """Streams of one address that have their places, at tables of its own. `called`: how these begin."""
    found = []
    for number in range(tables * each):
        table = f"{called or address} {number // each}"
        listening = hub.listening(table, Connection(address), f"phone {number}")
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
        assert not hub.ledger.accounts[STREAMS].parts

    asyncio.run(run())


def ended_count(listeners: list[live_hub.Listener]) -> int:
    return sum(listener.ended for listener in listeners)


CLUB: Any = [("club", 5, 4)], 0, [("club", "club 0"), ("club", "club 7")], []
FAMILY: Any = [("club", 1, 20, "greedy"), ("club", 1, 4, "family")], 4, [("club", "greedy 0")], []


@pytest.mark.parametrize(
    ("bound", "most", "crowds", "ended", "refused", "taken"),
    [
        ("most", 20, *CLUB),  # equals
        ("of_address", 20, *CLUB),
        ("most", 20, *FAMILY),  # a table that has far more than another of its address
        ("of_address", 20, *FAMILY),
        ("most", 40, [("greedy", 20, 2), ("honest", 2, 4)], 8, [("greedy", "another")], []),
        ("of_group", 10, [("club", 1, 10)], 0, [("club", "club 0")], [("club", "club 1"), ("another", "club 0")]),
    ],
)
def test_who_has_far_more_gives_places_back_and_no_stream_is_ended_for_an_equal(
    monkeypatch: pytest.MonkeyPatch,
    bound: str,
    most: int,
    crowds: Sequence[Any],
    ended: int,
    refused: Sequence[tuple[str, str]],
    taken: Sequence[tuple[str, str]],
) -> None:
    """`ended`: how many streams of the first crowd; `refused`, `taken`: newcomers, by address and table."""
    lower(monkeypatch, bound, most)

    def work(hub: live_hub.Hub, stack: contextlib.ExitStack) -> None:
        first, *others = [crowd(hub, stack, *each) for each in crowds]
        for number in range(30):
            assert all(refused_for_s(hub, *each, f"newcomer {number}") for each in refused)
            assert not any(refused_for_s(hub, *each) for each in taken)
        assert ended_count(first) == ended
        assert crowds[0][1] > 1 or ended_count(first[len(first) - ended :]) == ended, "of a table, the newest"
        assert sum(map(ended_count, others)) == 0

    in_a_loop(work)


def test_who_is_refused_waits_longer_each_time_until_there_is_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, "of_address", 4)

    def work(hub: live_hub.Hub, stack: contextlib.ExitStack) -> None:
        with contextlib.ExitStack() as first:
            crowd(hub, first, "club", 1, 4)
            told = [refused_for_s(hub, "club", "club 1", "phone") for _ in range(4)]
            assert quotas.FIRST_S <= told[0] < told[1] < told[2] < told[3]
            assert refused_for_s(hub, "club", "club 1", "another") < 2 * quotas.FIRST_S, "each has its own pause"
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
    lower(monkeypatch, "of_address", 0, services(app).hub.ledger.bounds)
    status, headers, body = ask_for_stream(app, events)
    assert (status, json.loads(body)["reason"]) == (503, "streams-full")
    assert int(headers[b"retry-after"]) >= quotas.FIRST_S
    status, headers, body = ask_for_stream(app, events, (b"accept", b"text/event-stream"))
    wait = int(headers[b"retry-after"])
    assert (status, headers[b"content-type"]) == (200, b"text/event-stream")
    assert body == b"retry: %d\nevent: wait\ndata: %d\n\n" % (1000 * wait, wait)


def test_who_names_no_table_ends_no_stream(app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    lower(monkeypatch, "of_address", 10, services(app).hub.ledger.bounds)
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
