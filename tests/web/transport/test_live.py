"""Live streams inside the process, where a test can choose what happens first."""

import asyncio
import contextlib
import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, start
from web.rooms import rooms
from web.transport import live
from web.transport.callers import Caller
from web.transport.server import Application


def test_what_changes_while_a_stream_begins_is_heard(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = Phone(client, start(client))
    playing, hub = rooms(app).playing, rooms(app).hub
    look_up = playing.state

    def looked_up_just_before_a_throw(key: str) -> bytes:
        state = look_up(key)
        monkeypatch.undo()
        assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
        return state

    monkeypatch.setattr(playing, "state", looked_up_just_before_a_throw)
    versions: list[int] = []

    async def send(message: Any) -> None:
        for line in message.get("body", b"").splitlines():
            if line.startswith(b"data: {"):
                versions.append(json.loads(line[6:])["version"])
        if len(versions) == 2:
            hub.close()

    async def receive() -> Any:
        return await asyncio.Event().wait()

    async def listen() -> None:
        scope = {"type": "http", "method": "GET", "path": f"{phone.base}/events", "headers": [(b"host", b"localhost")]}
        await asyncio.wait_for(Application(app)(scope, receive, send), 60)

    asyncio.run(listen())
    assert versions == [0, 1]


@pytest.mark.parametrize("bound", ["MOST_STREAMS", "MOST_OF_ADDRESS", "MOST_OF_ADDRESS_AT_TABLE"])
def test_streams_are_bounded_and_who_has_most_gives_way(monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(live, bound, 3)

    async def listen() -> list[bool]:
        hub, listeners = live.Hub(), []
        with contextlib.ExitStack() as stack:
            for owner in ("honest", "greedy", "greedy", "greedy", "greedy"):
                listeners.append(stack.enter_context(hub.listening("table", Caller(owner))))
            assert hub.streams == (3 if bound == "MOST_STREAMS" else 4)
            ended = [listener.ended for listener in listeners]
        assert hub.streams == 0
        return ended

    assert asyncio.run(listen()) == [False, True, bound == "MOST_STREAMS", False, False]
