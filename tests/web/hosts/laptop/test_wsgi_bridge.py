"""Bodies that wait on the disk: whose is given up when there is no more room for them."""

import pytest

from web.hosts.laptop import wsgi_bridge
from web.hosts.laptop.connections import Connection
from web.hosts.laptop.wsgi_bridge import IN_MEMORY, RequestBody
from web.limits.quotas import Quota

PIECE = IN_MEMORY + 1


class Sent:
    """Bodies of phones, and which of them had to give way."""

    def __init__(self) -> None:
        self.gone: list[str] = []
        self._on_disk: Quota[RequestBody] = Quota()

    def body(self, name: str, address: str, group: str) -> RequestBody:
        connection = Connection(address)
        connection.group = group
        connection.refuse = lambda: self.gone.append(name)
        return RequestBody(connection, self._on_disk)

    def bring(self, body: RequestBody, size: int) -> None:
        body.length += size
        body._keep(b"x" * size)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    monkeypatch.setattr(wsgi_bridge, "ON_DISK", 4 * PIECE)
    monkeypatch.setattr(wsgi_bridge, "EQUAL_BYTES", PIECE)
    return Sent()


def test_of_equals_the_newest_gives_way_of_which_least_is_lost(sent: Sent) -> None:
    bodies = [sent.body(f"{number}", "club", f"table {number}") for number in range(4)]
    for body in bodies:
        sent.bring(body, PIECE)
    assert sent.gone == []
    sent.bring(bodies[1], PIECE)
    assert sent.gone == ["3"]
    sent.bring(bodies[0], PIECE)
    assert sent.gone == ["3", "2"]
    for body in bodies:
        body.close()


def test_a_table_that_sends_far_more_gives_way_to_the_others_of_its_address(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wsgi_bridge, "ON_DISK", 6 * PIECE)
    greedy = [sent.body(f"greedy {number}", "club", "greedy") for number in range(6)]
    for body in greedy:
        sent.bring(body, PIECE)
    honest = sent.body("honest", "club", "table")
    sent.bring(honest, PIECE)
    sent.bring(honest, PIECE)
    assert sent.gone == ["greedy 5", "greedy 4"]
    for body in (*greedy, honest):
        body.close()


def test_an_address_that_sends_more_gives_way_to_one_that_sends_less(sent: Sent) -> None:
    greedy = [sent.body(f"greedy {number}", "greedy", f"table {number}") for number in range(4)]
    for body in greedy:
        sent.bring(body, PIECE)
    honest = sent.body("honest", "honest", "table")
    sent.bring(honest, PIECE)
    assert sent.gone == ["greedy 3"]
    for body in (*greedy, honest):
        body.close()
