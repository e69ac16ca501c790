"""One ledger: what each address holds, in bytes and places, and what it spends, in seconds of the processor.

Every door draws from it before it works: connections, bodies, answers that are not received yet, live streams. Who has
no room waits in turns (`web.hosts.threads`), or is refused. A club's phones may come from one router, so no address is
refused for itself: the one with most gives way, and an equal never does.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from web.limits.quotas import Quota, TokenBuckets


class Bound(NamedTuple):
    """How much there is in all, for one address, and for one group of it. Nothing is taken from one for another that
    has at most `equals` less: it would come back, and so on."""

    most: int
    of_address: int
    of_group: int
    equals: int


class Share(NamedTuple):
    """What an address may spend before it comes behind all others: `at_once_s`, and `a_second` more each second. Then
    it has `places_over` places, if somebody else has asked within `others_within_s`."""

    at_once_s: float
    a_second: float
    places_over: int
    others_within_s: float


MB = 1 << 20
# What is held: connections, and bytes of memory that they cost by their state; bytes of bodies and answers, in memory
# and on the disk, from the first byte that comes to the last that is received; live streams.
CONNECTIONS, STATES, MEMORY, DISK, STREAMS = "connections", "states", "memory", "disk", "streams"
BOUNDS: dict[str, Bound] = {
    CONNECTIONS: Bound(4000, 4000, 4000, 4),
    STATES: Bound(200 * MB, 200 * MB, 200 * MB, 0),
    MEMORY: Bound(64 * MB, 64 * MB, 64 * MB, MB),
    DISK: Bound(512 * MB, 512 * MB, 512 * MB, 40 * MB),
    STREAMS: Bound(2000, 1000, 100, 4),
}
# What is spent, by all phones of one address, and by each phone or table within it: a club's evening takes a third.
PROCESSOR = Share(at_once_s=20.0, a_second=0.5, places_over=1, others_within_s=10.0)


def may_take(used: Counter[str], who: str, most: int) -> bool:
    """Whether one of many may use more of `most` things: while it has less than a sixteenth of what is free."""
    return 16 * used[who] < most - used.total()


class Ledger:
    """For one thread, and without a clock: who calls tells the time. Things are connections, or streams."""

    def __init__(self, bounds: Mapping[str, Bound] | None = None, share: Share = PROCESSOR) -> None:
        """`bounds`: instead of those in `BOUNDS`."""
        self.bounds, self.share = {**BOUNDS, **(bounds or {})}, share
        self.accounts: dict[str, Quota[Any]] = {what: Quota() for what in self.bounds}
        self._of_addresses: TokenBuckets[str] = TokenBuckets(share.at_once_s, share.a_second)
        self._of_groups: TokenBuckets[tuple[str, str]] = TokenBuckets(share.at_once_s, share.a_second)

    def draw(
        self,
        what: str,
        thing: Any,
        amount: int,
        address: str,
        group: str,
        choose: Callable[[Quota[Any]], Any] = Quota.newest,
    ) -> list[Any]:
        """Notes that a thing holds so much now, in all. Returns those that must give way and have nothing of it any
        more; the last one is the thing itself, if there is no room for it.

        `choose`: which one, of a group that has too much; by default the newest, of which the least is lost.
        """
        account = self.accounts[what]
        account.put(thing, amount, address, group)
        gone: list[Any] = []
        while (crowd := self._too_many(what, address, group)) is not None:
            gone.append(choose(crowd))
            account.take(gone[-1])
            if gone[-1] is thing:
                break
        return gone

    def _too_many(self, what: str, address: str, group: str) -> Quota[Any] | None:
        """The things of which one gives way to one of this group; None if there is room."""
        account, bound = self.accounts[what], self.bounds[what]
        own = account.part_of(address)
        if own.size_of(group) > bound.of_group:
            return own.part_of(group)
        if own.size > bound.of_address:
            return own.crowd_for(bound.equals, group) or own
        if account.size > bound.most:
            return account.crowd_for(bound.equals, address, group) or own
        return None

    def give_back(self, thing: Any, *what: str) -> None:
        for each in what:
            self.accounts[each].take(thing)

    def spend(self, address: str, group: str, seconds: float, now: float) -> None:
        """Charges seconds of a processor, also if less is left."""
        self._of_addresses.spend(address, seconds, now)
        self._of_groups.spend((address, group), seconds, now)

    def within_share(self, address: str, group: str | None, now: float) -> bool:
        """Whether an address, or a group of it, has spent less than its share."""
        if group is None:
            return self._of_addresses.has_some(address, now)
        return self._of_groups.has_some((address, group), now)
