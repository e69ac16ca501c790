"""Who gives way when there are too many."""

import pytest

from web.hosts.laptop.connections import MORE, PLAIN, Connection, Connections, ConnectionState, hold
from web.limits.ledger import MB, MEMORY, STATES, Bound, Ledger


class Called(Connection):
    """A connection that notes that it was ended, and is as old as a test wants."""

    def __init__(self, address: str, age_s: float = 0.0) -> None:
        super().__init__(address)
        self.since -= age_s
        self.is_ended = False
        self.end = self._end

    def _end(self) -> None:
        self.is_ended = True


def of(most: int, most_bytes: int = 100 * MB) -> Connections:
    return Connections(Ledger({STATES: Bound(most_bytes, most_bytes, most_bytes, 0)}), most)


def crowd(
    many: Connections, address: str, count: int, at: ConnectionState = ConnectionState.STARTED, age_s: float = 0.0
) -> list[Called]:
    found = []
    for _ in range(count):
        found.append(Called(address))
        many.add(found[-1])
        many.set_state(found[-1], at)
        found[-1].since -= age_s
    return found


def test_the_address_that_has_most_gives_way_its_oldest_first() -> None:
    many = of(10)
    honest = crowd(many, "honest", 2)
    flood = crowd(many, "flood", 30)
    assert many.count == 10
    assert [connection.is_ended for connection in flood] == [True] * 22 + [False] * 8
    assert not any(connection.is_ended for connection in honest)
    assert many.ended == 22


@pytest.mark.parametrize("at", [ConnectionState.IDLE, ConnectionState.ANSWERING])
def test_what_was_never_a_request_gives_way_before_what_is_one(at: ConnectionState) -> None:
    many = of(10)
    phones = crowd(many, "one", 3, at, age_s=100)
    crowd(many, "one", 50)
    assert not any(phone.is_ended for phone in phones)


def test_a_newcomer_stays_where_only_idle_ones_are() -> None:
    many = of(10)
    idle = crowd(many, "one", 10, ConnectionState.IDLE)
    newcomer = crowd(many, "one", 1)[0]
    crowd(many, "one", 1)
    assert [connection.is_ended for connection in idle] == [True] * 2 + [False] * 8
    assert not newcomer.is_ended


def test_who_waits_for_us_is_looked_at_before_anybody_else_is_ended() -> None:
    many = of(10)
    waiting = crowd(many, "one", 5, ConnectionState.WAITING, age_s=5)
    slow = crowd(many, "one", 5, ConnectionState.UPLOADING, age_s=5)
    crowd(many, "one", 5, ConnectionState.WAITING)
    assert all(connection.is_ended for connection in slow)
    assert not any(connection.is_ended for connection in waiting)


def test_newcomers_wait_outside_while_those_inside_wait_for_us() -> None:
    many = of(10)
    waiting = crowd(many, "one", 8, ConnectionState.WAITING)
    assert not many.behind
    crowd(many, "one", 1)
    assert many.behind
    for connection in waiting[:5]:
        many.set_state(connection, ConnectionState.UPLOADING)
    assert not many.behind


def test_who_has_a_tables_key_does_not_give_way_to_the_strangers_at_his_address() -> None:
    many = of(10)
    phones = crowd(many, "one", 3, ConnectionState.IDLE, age_s=100)
    photo = crowd(many, "one", 1, ConnectionState.UPLOADING, age_s=100)[0]
    for phone in (*phones, photo):
        many.assign(phone, "one", "key")
    crowd(many, "one", 30)
    crowd(many, "one", 30, ConnectionState.UPLOADING)
    assert not any(phone.is_ended for phone in (*phones, photo))
    assert many.count == 10
    for phone in phones:
        many.remove(phone)
    assert many.count == 7


def test_the_address_that_has_most_gives_way_with_whatever_key() -> None:
    many = of(10)
    crowd(many, "honest", 4)
    flood = crowd(many, "flood", 6)
    for number, connection in enumerate(flood):
        many.assign(connection, "flood", f"key{number}")
    crowd(many, "honest", 1)
    assert [connection.is_ended for connection in flood].count(True) == 1


def test_what_is_no_whole_request_yet_gives_way_its_oldest_first() -> None:
    many = of(10)
    resting = crowd(many, "one", 3, ConnectionState.IDLE, age_s=100)
    unfinished = crowd(many, "one", 10, ConnectionState.UNFINISHED)
    assert not any(phone.is_ended for phone in resting)
    assert [connection.is_ended for connection in unfinished] == [True] * 3 + [False] * 7


def test_who_says_nothing_gives_way_before_one_whose_handshake_is_over() -> None:
    many = of(10)
    phone = crowd(many, "one", 1, ConnectionState.STARTED, age_s=100)[0]
    crowd(many, "one", 30, ConnectionState.SILENT)
    assert not phone.is_ended


def test_there_are_fewer_of_those_that_take_memory() -> None:
    many = of(10, 4 * PLAIN)
    silent = crowd(many, "one", 5, ConnectionState.SILENT)
    resting = crowd(many, "one", 5, ConnectionState.IDLE)
    assert [connection.is_ended for connection in resting] == [True, False, False, False, False]
    assert not any(connection.is_ended for connection in silent)
    assert many.count == 9


def test_the_slowest_body_gives_way_and_not_the_one_that_comes() -> None:
    many = of(100, 4 * (PLAIN + MORE[ConnectionState.UPLOADING]))
    upload, *slow_bodies = crowd(many, "one", 4, ConnectionState.UPLOADING, age_s=5)
    upload.received = 1_000_000
    for body in slow_bodies:
        body.received = 5
    young = crowd(many, "one", 3, ConnectionState.UPLOADING)
    assert [connection.is_ended for connection in (upload, *slow_bodies, *young)] == [
        False,
        True,
        True,
        True,
        False,
        False,
        False,
    ]


class Held:
    """Connections that hold bytes, by a clock that stands."""

    def __init__(self, most: int, equals: int = 1) -> None:
        self.ledger = Ledger({MEMORY: Bound(most, most, most, equals)})
        self.gone: list[str] = []

    def one(self, name: str, address: str, group: str = "", at: ConnectionState = ConnectionState.UPLOADING) -> Called:
        found = Called(address)
        found.group, found.state, found.received = group, at, 1 << 20
        found.refuse = lambda: self.gone.append(name)
        return found

    def bring(self, connection: Called, amount: int, name: str = "") -> None:
        if not hold(self.ledger, MEMORY, connection, amount):
            self.gone.append(name)


def test_of_equals_the_newest_gives_way_of_which_least_is_lost() -> None:
    held = Held(10)
    bodies = [held.one(f"{number}", "club", f"table {number}") for number in range(5)]
    for body in bodies:
        held.bring(body, 2)
    held.bring(bodies[1], 3)
    held.bring(bodies[1], 4)
    assert held.gone == ["4"]


def test_who_holds_far_more_gives_way_to_another_address_and_to_another_table() -> None:
    held = Held(20)
    for number in range(20):
        held.bring(held.one(f"greedy {number}", "club", "greedy"), 1)
    held.bring(held.one("other", "other"), 3)
    held.bring(held.one("family", "club", "family"), 2)
    assert held.gone == [f"greedy {number}" for number in (19, 18, 17, 16, 15)]


def test_what_hardly_moves_gives_way_before_what_moves() -> None:
    held = Held(4)
    moves, stuck, untaken = held.one("moves", "one"), held.one("stuck", "one"), held.one("untaken", "one")
    stuck.received, untaken.state = 5, ConnectionState.DOWNLOADING
    for each in (moves, stuck, untaken):
        each.since -= 100
        held.bring(each, 1)
    for number in range(3):
        held.bring(held.one(f"new {number}", "one"), 1, f"new {number}")
    assert held.gone == ["stuck", "untaken"]
    held.bring(held.one("late", "one"), 1, "late")
    assert held.gone == ["stuck", "untaken", "late"]


def test_a_live_stream_stays_while_connections_of_other_tables_rest() -> None:
    many = of(20)
    spectators = crowd(many, "club", 12, ConnectionState.ANSWERING)
    for spectator in spectators:
        many.assign(spectator, "club", "the final")
    resting = crowd(many, "club", 8, ConnectionState.IDLE)
    for number, phone in enumerate(resting):
        many.assign(phone, "club", f"table {number % 4}")
    crowd(many, "club", 5, ConnectionState.ANSWERING)
    assert not any(spectator.is_ended for spectator in spectators)
    assert [phone.is_ended for phone in resting].count(True) == 5


def test_what_is_over_is_counted_once() -> None:
    many = of(10)
    connection = crowd(many, "one", 1)[0]
    many.remove(connection)
    many.remove(connection)
    many.set_state(connection, ConnectionState.UPLOADING)
    assert many.count == 0
    assert many.in_states(*ConnectionState) == []
