"""Who gives way when there are too many."""

import pytest

from web.server.connections import At, Caller, Callers


class Called(Caller):
    """A connection that notes that it was ended, and is as old as a test wants."""

    def __init__(self, owner: str, age_s: float = 0.0) -> None:
        super().__init__(owner)
        self.since -= age_s
        self.is_ended = False
        self.end = self._end

    def _end(self) -> None:
        self.is_ended = True


def crowd(many: Callers, owner: str, count: int, at: At = At.BEGINNING, age_s: float = 0.0) -> list[Called]:
    found = []
    for _ in range(count):
        found.append(Called(owner))
        many.come(found[-1])
        many.now(found[-1], at)
        found[-1].since -= age_s
    return found


def test_the_address_that_has_most_gives_way_its_oldest_first() -> None:
    many = Callers(10, {})
    honest = crowd(many, "honest", 2)
    flood = crowd(many, "flood", 30)
    assert many.count == 10
    assert [caller.is_ended for caller in flood] == [True] * 22 + [False] * 8
    assert not any(caller.is_ended for caller in honest)
    assert many.ended == 22


@pytest.mark.parametrize("at", [At.RESTING, At.ANSWERED])
def test_what_was_never_a_request_gives_way_before_what_is_one(at: At) -> None:
    many = Callers(10, {})
    phones = crowd(many, "one", 3, at, age_s=100)
    crowd(many, "one", 50)
    assert not any(phone.is_ended for phone in phones)


def test_a_newcomer_stays_where_only_idle_ones_are() -> None:
    many = Callers(10, {})
    idle = crowd(many, "one", 10, At.RESTING)
    newcomer = crowd(many, "one", 1)[0]
    crowd(many, "one", 1)
    assert [caller.is_ended for caller in idle] == [True] * 2 + [False] * 8
    assert not newcomer.is_ended


def test_who_waits_for_us_is_looked_at_before_anybody_else_is_ended() -> None:
    many = Callers(10, {})
    waiting = crowd(many, "one", 5, At.WAITING, age_s=5)
    slow = crowd(many, "one", 5, At.SENDING, age_s=5)
    crowd(many, "one", 5, At.WAITING)
    assert all(caller.is_ended for caller in slow)
    assert not any(caller.is_ended for caller in waiting)


def test_newcomers_wait_outside_while_those_inside_wait_for_us() -> None:
    many = Callers(10, {})
    waiting = crowd(many, "one", 8, At.WAITING)
    assert not many.behind
    crowd(many, "one", 1)
    assert many.behind
    for caller in waiting[:5]:
        many.now(caller, At.SENDING)
    assert not many.behind


def test_who_has_a_tables_key_does_not_give_way_to_the_strangers_at_his_address() -> None:
    many = Callers(10, {At.SENDING: 4})
    phones = crowd(many, "one", 3, At.RESTING, age_s=100)
    photo = crowd(many, "one", 1, At.SENDING, age_s=100)[0]
    for phone in (*phones, photo):
        many.belong(phone, "one", "key")
    crowd(many, "one", 30)
    crowd(many, "one", 30, At.SENDING)
    assert not any(phone.is_ended for phone in (*phones, photo))
    assert many.count == 10
    for phone in phones:
        many.go(phone)
    assert many.count == 7


def test_the_address_that_has_most_gives_way_with_whatever_key() -> None:
    many = Callers(10, {})
    crowd(many, "honest", 4)
    flood = crowd(many, "flood", 6)
    for number, caller in enumerate(flood):
        many.belong(caller, "flood", f"key{number}")
    crowd(many, "honest", 1)
    assert [caller.is_ended for caller in flood].count(True) == 1


def test_what_is_no_whole_request_yet_gives_way_its_oldest_first() -> None:
    many = Callers(10, {})
    resting = crowd(many, "one", 3, At.RESTING, age_s=100)
    unfinished = crowd(many, "one", 10, At.UNFINISHED)
    assert not any(phone.is_ended for phone in resting)
    assert [caller.is_ended for caller in unfinished] == [True] * 3 + [False] * 7


def test_who_says_nothing_gives_way_before_one_whose_handshake_is_over() -> None:
    many = Callers(10, {})
    phone = crowd(many, "one", 1, At.BEGINNING, age_s=100)[0]
    crowd(many, "one", 30, At.SILENT)
    assert not phone.is_ended


def test_there_are_fewer_of_those_that_take_memory() -> None:
    many = Callers(10, {}, most_begun=4)
    silent = crowd(many, "one", 5, At.SILENT)
    resting = crowd(many, "one", 5, At.RESTING)
    assert [caller.is_ended for caller in resting] == [True, False, False, False, False]
    assert not any(caller.is_ended for caller in silent)
    assert many.count == 9


def test_the_slowest_body_gives_way_and_not_the_one_that_comes() -> None:
    many = Callers(100, {At.SENDING: 4})
    upload, *crumbs = crowd(many, "one", 4, At.SENDING, age_s=5)
    upload.received = 1_000_000
    for crumb in crumbs:
        crumb.received = 5
    young = crowd(many, "one", 3, At.SENDING)
    assert [caller.is_ended for caller in (upload, *crumbs, *young)] == [False, True, True, True, False, False, False]


def bodies(many: Callers, owner: str, tables: int, each: int = 1) -> list[Called]:
    """Bodies that come as they should, from phones at tables of one address."""
    found = []
    for number in range(tables * each):
        found += crowd(many, owner, 1, At.RESTING)
        many.belong(found[-1], owner, f"{owner} {number // each}")
        many.now(found[-1], At.SENDING)
        found[-1].received, found[-1].since = 1 << 20, found[-1].since - 1
    return found


def test_no_body_that_comes_is_ended_for_one_of_equal_standing() -> None:
    many, told = Callers(100, {At.SENDING: 10}), list[int]()
    club = bodies(many, "club", 10)
    for number in range(30):
        newcomer = crowd(many, "club", 1, At.RESTING)[0]

        def refuse(number: int = number, newcomer: Called = newcomer) -> None:
            told.append(number)
            many.now(newcomer, At.BEGINNING)  # while it hears that

        newcomer.refuse = refuse
        many.belong(newcomer, "club", f"club {number}")
        many.now(newcomer, At.SENDING)
    assert told == list(range(30)), "each is told to try again later"
    assert not any(body.is_ended for body in club)
    assert len(many.everybody(At.SENDING)) == 10


def test_a_body_of_who_has_far_more_gives_way_its_newest_first() -> None:
    many = Callers(100, {At.SENDING: 20})
    greedy = bodies(many, "club", 1, each=20)
    other = bodies(many, "other", 3)
    family = crowd(many, "club", 2, At.RESTING)
    for phone in family:
        many.belong(phone, "club", "family")
        many.now(phone, At.SENDING)
    assert not any(body.is_ended for body in (*other, *family))
    assert [body.is_ended for body in greedy] == [False] * 15 + [True] * 5


def test_a_live_stream_stays_while_connections_of_other_tables_rest() -> None:
    many = Callers(20, {})
    spectators = crowd(many, "club", 12, At.ANSWERED)
    for spectator in spectators:
        many.belong(spectator, "club", "the final")
    resting = crowd(many, "club", 8, At.RESTING)
    for number, phone in enumerate(resting):
        many.belong(phone, "club", f"table {number % 4}")
    crowd(many, "club", 5, At.ANSWERED)
    assert not any(spectator.is_ended for spectator in spectators)
    assert [phone.is_ended for phone in resting].count(True) == 5


def test_what_is_over_is_counted_once() -> None:
    many = Callers(10, {})
    caller = crowd(many, "one", 1)[0]
    many.go(caller)
    many.go(caller)
    many.now(caller, At.SENDING)
    assert many.count == 0
    assert many.everybody(*At) == []
