"""Fair turns, rates and quotas."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from web.hosts.threads import FairScheduler
from web.limits import quotas
from web.limits.ledger import Ledger, Share
from web.limits.quotas import (
    Backoff,
    FairQueue,
    FixedWindow,
    Quota,
    SlidingWindow,
    TokenBuckets,
    gives_way,
    place_in_turn,
)

OWNERS = some.sampled_from("abcd")


# --- who gives way ---


@given(some.lists(some.tuples(some.integers(0, 9), some.integers(0, 5), OWNERS, OWNERS, some.booleans())))
def test_a_quota_adds_up_whatever_comes_and_goes(steps: list[tuple[int, int, str, str, bool]]) -> None:
    quota: Quota[int] = Quota()
    held: dict[int, tuple[int, str, str]] = {}  # in the order in which they came
    for thing, size, address, group, comes in steps:
        if comes:
            quota.put(thing, size, address, group)
            held[thing] = (size, *held.get(thing, (size, address, group))[1:])
        else:
            quota.take(thing)
            held.pop(thing, None)
        assert list(quota.things) == list(held)
        assert quota.size == sum(size for size, _, _ in held.values())
        for each in "abcd":
            own = {thing: (size, inner) for thing, (size, outer, inner) in held.items() if outer == each}
            assert list(quota.part_of(each).things) == list(own)
            assert quota.size_of(each) == quota.part_of(each).size == sum(size for size, _ in own.values())
            assert (each in quota.parts) == (each in quota.sizes) == bool(own), "nothing is kept of who is gone"
            for inner in "abcd":
                assert quota.part_of(each).size_of(inner) == sum(size for size, group in own.values() if group == inner)
        if held:
            assert quota.size_of(quota.biggest()) == max(quota.sizes.values())


@given(OWNERS, some.dictionaries(OWNERS, some.integers(1, 9)), some.integers(0, 4))
def test_only_who_has_most_gives_way_and_only_once(address: str, sizes: dict[str, int], equals: int) -> None:
    other = gives_way(address, sizes, equals)
    most = max(sizes.values(), default=0)
    assert (other is None) == (most <= sizes.get(address, 0) + equals)
    if other is not None:
        assert sizes[other] == most
        assert (
            equals == 0
            or gives_way(other, {**sizes, other: most - 1, address: sizes.get(address, 0) + 1}, equals) != address
        )


# --- who comes next ---


@given(some.lists(OWNERS))
def test_each_address_has_one_before_any_has_its_next(addresses: list[str]) -> None:
    waiting: list[str] = []
    for address in addresses:
        waiting.insert(place_in_turn(address, waiting), address)
    rounds = [waiting[:place].count(address) for place, address in enumerate(waiting)]
    assert rounds == sorted(rounds)
    first = [address for address, number in zip(waiting, rounds, strict=True) if number == 0]
    assert first == list(dict.fromkeys(addresses)), "those of equal standing stay as they came"


@given(some.lists(some.one_of(some.tuples(OWNERS, OWNERS), some.none())), some.booleans())
def test_owners_and_their_groups_take_turns(steps: list[tuple[str, str] | None], newest_first: bool) -> None:
    queue: FairQueue[tuple[str, str, int]] = FairQueue(newest_first)
    waiting: list[tuple[str, str, int]] = []
    passed_over: Counter[tuple[str, ...]] = Counter()  # how often each address and group that waits was not the next
    for number, step in enumerate(steps):
        if step is not None:
            waiting.append((*step, number))
            queue.put((*step, number), *step)
            continue
        assert bool(queue) == bool(waiting)
        if not waiting:
            with pytest.raises(KeyError):
                queue.take()
            continue
        taken = queue.take()
        address, group, _ = taken
        own = [thing for thing in waiting if thing[:2] == (address, group)]
        assert taken == (own[-1] if newest_first else own[0])
        waiting.remove(taken)
        passed_over.update({(other,) for other, _, _ in waiting if other != address})
        passed_over.update({thing[:2] for thing in waiting if thing[0] == address and thing[1] != group})
        del passed_over[(address,)], passed_over[address, group]
        assert max(passed_over.values(), default=0) <= 3, "the three others have had their turn each"


SHARE = Share(at_once_s=10.0, a_second=0.5, places_over=1, others_within_s=10.0)


def test_addresses_take_turns() -> None:
    """Ten requests of one address, then one of another and one with a key: they wait for one or two of the ten."""
    order: list[str] = []

    async def ask(turns: FairScheduler, address: str, group: str = "") -> None:
        async with turns.place(address, group):
            order.append(group or address)
            await asyncio.sleep(0)

    async def everybody() -> None:
        turns = FairScheduler(1, Ledger(share=SHARE))
        asked = [asyncio.create_task(ask(turns, "greedy")) for _ in range(10)]
        await asyncio.sleep(0)
        gone = asyncio.create_task(ask(turns, "gone"))
        asked.append(asyncio.create_task(ask(turns, "honest")))
        asked.append(asyncio.create_task(ask(turns, "greedy", "key")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(*asked)
        async with turns.place("whoever"):
            order.append("free again")

    asyncio.run(asyncio.wait_for(everybody(), 30))
    assert order.index("honest") <= 3
    assert order.index("key") <= 5
    assert len(order) == 13
    assert order[-1] == "free again"


class Doing:
    """Requests that hold their places until they are told to end, by a clock that stands."""

    def __init__(self, places: int, share: Share = SHARE) -> None:
        self.now = 100.0
        self.scheduler = FairScheduler(places, Ledger(share=share), lambda: self.now)
        self.order: list[str] = []
        self._ends: dict[str, list[asyncio.Event]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def ask(self, address: str, group: str = "", costs: float = 0.0) -> None:
        end = asyncio.Event()

        async def hold() -> None:
            async with self.scheduler.place(address, group) as spend:
                self.order.append(group or address)
                self._ends.setdefault(address, []).append(end)
                await end.wait()
                spend(costs)

        self._tasks.append(asyncio.create_task(hold()))
        await self.settle()

    async def end_one(self, address: str) -> None:
        self._ends[address].pop(0).set()
        await self.settle()

    async def end(self) -> None:
        while any(self._ends.values()):
            for address in [address for address, ends in self._ends.items() if ends]:
                await self.end_one(address)
        await asyncio.gather(*self._tasks)

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


def test_no_owner_holds_more_than_half_of_the_places() -> None:
    async def everybody() -> list[str]:
        doing = Doing(8)
        for _ in range(20):
            await doing.ask("greedy")
        assert doing.order == ["greedy"] * 4
        await doing.ask("honest")
        order = [*doing.order]
        await doing.end()
        assert len(doing.order) == 21
        return order

    assert asyncio.run(asyncio.wait_for(everybody(), 30))[-1] == "honest"


def test_who_is_over_its_share_has_one_place_while_others_ask() -> None:
    async def everybody() -> None:
        doing = Doing(8)
        await doing.ask("greedy", costs=30.0)
        await doing.end()
        doing.order.clear()
        for _ in range(6):
            await doing.ask("greedy")
        assert doing.order == ["greedy"] * 4, "nobody else wants a place"
        await doing.ask("honest")
        await doing.end_one("greedy")
        await doing.end_one("greedy")
        assert doing.order == [*["greedy"] * 4, "honest"], "it waits until it holds less than one"
        await doing.end_one("greedy")
        await doing.end_one("greedy")
        assert doing.order[5:] == ["greedy"]
        await doing.end()
        doing.now += 100  # by which its share has come back
        doing.order.clear()
        await doing.ask("honest")
        for _ in range(6):
            await doing.ask("greedy")
        assert doing.order == ["honest", *["greedy"] * 4]
        await doing.end()

    asyncio.run(asyncio.wait_for(everybody(), 30))


def test_phones_of_one_address_that_spend_little_come_before_one_that_spends_much() -> None:
    async def everybody() -> None:
        doing = Doing(2)
        await doing.ask("club", "greedy", costs=11.0)
        await doing.end()
        doing.order.clear()
        await doing.ask("club", "greedy")
        for group in ("greedy", "greedy", "ada", "greedy", "bob"):
            await doing.ask("club", group)
        for _ in range(3):
            await doing.end_one("club")
        assert doing.order == ["greedy", "ada", "bob", "greedy"]
        await doing.end()

    asyncio.run(asyncio.wait_for(everybody(), 30))


def test_what_is_owed_ends_soon() -> None:
    buckets: TokenBuckets[str] = TokenBuckets(10.0, 0.5)
    buckets.spend("one", 1e9, now=0.0)
    assert not buckets.has_some("one", now=59.0)
    assert buckets.has_some("one", now=61.0)


# --- rates ---


def test_a_fixed_window_begins_anew() -> None:
    window = FixedWindow(10)
    window.counts(21.0)["ada"] += 1
    window.counts(29.9).update(["ada", "bob"])
    assert window.counts(29.9) == {"ada": 2, "bob": 1}
    assert window.counts(30.0) == {}


@given(some.lists(some.tuples(OWNERS, some.floats(0, 3)), max_size=60), some.integers(1, 9))
def test_a_sliding_window_knows_the_last_times(steps: list[tuple[str, float]], most: int) -> None:
    window: SlidingWindow[str] = SlidingWindow(most, remembered=4)
    now, noted = 0.0, list[tuple[str, float]]()
    for who, passed in steps:
        now += passed
        window.note(who, now)
        noted.append((who, now))
    for who in "abcd":
        for moment in (-1.0, now / 2, now):
            assert window.count_since(who, moment) == min(most, sum(at > moment for other, at in noted if other == who))


def test_a_sliding_window_remembers_the_latest() -> None:
    window: SlidingWindow[str] = SlidingWindow(9, remembered=2)
    for now, who in enumerate(["ada", "bob", "ada", "cid"]):
        window.note(who, now)
    assert [window.count_since(who, -1) for who in ("ada", "bob", "cid")] == [2, 0, 1]


def test_what_was_spent_comes_back_by_and_by() -> None:
    buckets: TokenBuckets[str] = TokenBuckets(10.0, 0.5, remembered=2)
    buckets.spend("one", 12.0, now=0.0)
    assert not buckets.has_some("one", now=3.9)
    assert buckets.has_some("one", now=4.1)
    assert buckets.has_some("two", now=0.0)
    buckets.spend("one", 1.0, now=1000.0)
    assert buckets.has_some("one", now=1000.0), "what was not used does not pile up, and nothing is owed for ever"
    buckets.spend("two", 11.0, now=1000.0)
    buckets.spend("three", 1.0, now=1000.0)
    assert len(buckets._spent) == 2


def test_who_is_refused_again_waits_longer_and_not_as_long_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "REMEMBERED", 10)
    backoff: Backoff[int] = Backoff()
    told = [backoff.next_of(0) for _ in range(20)]
    assert quotas.FIRST_S <= told[0] < told[1] < told[2]
    assert told == sorted(told)
    assert told[-1] == quotas.LONGEST_S
    backoff.forget(0)
    assert backoff.next_of(0) < 2 * quotas.FIRST_S
    assert len({backoff.next_of(number) for number in range(100)}) > 1
    assert len(backoff._times) == 10
