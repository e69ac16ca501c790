"""A device whose programs hang, or that has many of them, keeps nobody else's program from being told."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from tests.web.phones import Phone, start
from tests.web.programs.webhooks.test_webhooks import Receiver, hook, opened, receiver
from tests.web.waiting import wait_until
from web.limits.ledger import may_take
from web.programs.webhooks import outgoing
from web.programs.webhooks.outgoing import AllowedNetworks
from web.services import services

pytestmark = pytest.mark.whole

__all__ = ["opened", "receiver"]  # fixtures

SLOW = [f"127.0.1.{number}" for number in range(1, 26)]
ALLOWED = AllowedNetworks(also=["127.0.0.1", *SLOW])
HONEST = "192.168.77.7"


class Hanging:
    """Programs that take every connection and say nothing, at each address of this machine."""

    def __init__(self, listening: socket.socket) -> None:
        self.port, self.lines = int(listening.getsockname()[1]), list[socket.socket]()
        self._listening = listening
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.lines.append(self._listening.accept()[0])

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        for line in self.lines:
            line.close()


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    with socket.create_server(("0.0.0.0", 0), backlog=500) as listening, contextlib.closing(Hanging(listening)) as made:
        yield made


def host_at(app: Flask, address: str) -> Phone:
    """A phone at this address, with a table of its own and no cookie from before."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return Phone(client, start(client, "zilch"))


def hang(app: Flask, hanging: Hanging, source: str, machines: list[str]) -> None:
    """A device at `source` has programs told that hang, at five tables with five each."""
    for first in range(0, 25, 5):
        phone = host_at(app, source)
        for number in range(first, first + 5):
            hook(phone, f"http://{machines[number % len(machines)]}:{hanging.port}/")
        phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])


@pytest.mark.parametrize("machines", [["127.0.0.1"], SLOW], ids=["one machine", "many"])
def test_hanging_programs_of_others_delay_nobody(
    opened: Callable[..., Flask],
    receiver: Receiver,
    hanging: Hanging,
    machines: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those at one machine are at that of the honest program, at another port. None of them ends before it is told."""
    monkeypatch.setattr(outgoing, "WITHIN_S", 600.0)
    app = opened(ALLOWED)
    honest = host_at(app, HONEST)
    hook(honest, receiver.address)
    for number in range(4):
        hang(app, hanging, f"192.168.77.{100 + number}", machines)
    wait_until(lambda: len(hanging.lines) == 4 * 4)
    honest.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)


def test_addresses_that_a_device_may_choose_share_as_one(opened: Callable[..., Flask]) -> None:
    app = opened(ALLOWED)
    hosts = [host_at(app, f"fe80::{number}:1") for number in range(2)]
    for each in hosts:
        hook(each, "http://127.0.0.1/")
    tables = [services(app).runner.look(each.key) for each in hosts]
    assert [each.origin for table in tables for each in table.webhooks.values()] == ["fe80::"] * 2


def test_there_is_room_for_one_more_until_very_many_take_what_they_may() -> None:
    used, many = Counter[str](), 0
    while may_take(used, f"device {many}", 64):
        while may_take(used, f"device {many}", 64):
            used[f"device {many}"] += 1
        many += 1
    assert (used["device 0"], many) == (4, 34)
    assert used.total() <= 64
