"""Work beside requests, and requests in their turns, as a computer does it: in threads."""

import asyncio
import contextlib
import math
import threading
import time
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from web.limits.ledger import Ledger
from web.limits.quotas import FairQueue
from web.tasks.background import ENDS_WITHIN_S, Step, attempt

Result = TypeVar("Result")
Asked = tuple[Callable[[], Any], "Future[Any]", list[float]]


class ThreadTask:
    """A task in a thread of its own, from the first step to the end: libraries keep memory for each thread."""

    def __init__(self, name: str, step: Step) -> None:
        self._name, self._step = name, step
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._ended = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        with self._lock:
            self._woken.set()
            if self._thread is None and not self._ended:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def end(self, within_s: float = ENDS_WITHIN_S) -> None:
        with self._lock:
            self._ended = True
            self._woken.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(within_s)

    def _run(self) -> None:
        while True:
            self._woken.clear()
            if self._ended:  # asked after that, or the end could go unnoticed
                return
            self._woken.wait(attempt(self._name, self._step))


class Workers:
    """So many threads that work for an event loop. At the end nobody waits for them, whatever they are at."""

    def __init__(self, name: str, count: int) -> None:
        self._name, self._wanted = name, count
        self._waiting: SimpleQueue[Asked | None] = SimpleQueue()
        weakref.finalize(self, _end_workers, self._waiting, count)

    async def run(self, work: Callable[[], Result], spend: Callable[[float], None]) -> Result:
        """What `work()` returns in one of the threads. `spend` is told the processor seconds that it took."""
        if self._wanted:
            self._wanted -= 1
            threading.Thread(target=_work, args=(self._waiting,), name=self._name, daemon=True).start()
        future: Future[Result] = Future()
        spent: list[float] = []
        self._waiting.put((work, future, spent))
        try:
            return await asyncio.wrap_future(future)
        finally:
            spend(sum(spent))


def _work(waiting: "SimpleQueue[Asked | None]") -> None:
    while (asked := waiting.get()) is not None:
        work, future, spent = asked
        if future.set_running_or_notify_cancel():
            began = time.thread_time()
            try:
                found = work()
            except BaseException as error:
                spent.append(time.thread_time() - began)
                future.set_exception(error)
            else:
                spent.append(time.thread_time() - began)
                future.set_result(found)
                del found
        del asked, work, future, spent  # or the last answer would stay in memory


def _end_workers(waiting: "SimpleQueue[Asked | None]", count: int) -> None:
    for _ in range(count):
        waiting.put(None)


class FairScheduler:
    """Places that addresses and their groups get in turn: an address of many requests delays only itself.

    No address holds more than half of them. One that has spent more than its share comes behind the others, and so do
    groups within an address. For one event loop.
    """

    def __init__(self, places: int, ledger: Ledger, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = places
        self._half = max(1, places // 2)
        self._ledger = ledger
        self._clock = clock
        self._waiting: FairQueue[tuple[str, asyncio.Future[None]]] = FairQueue()
        self._held: Counter[str] = Counter()
        self._latest = ("", -math.inf)  # who asked last, and when
        self._before = -math.inf  # when somebody else asked last

    @contextlib.asynccontextmanager
    async def place(self, address: str, group: str = "") -> AsyncIterator[Callable[[float], None]]:
        """Waits for a place and holds it until it is left. Yields what takes the seconds that were spent."""
        self._note(address)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.put((address, turn), address, group)
        self._give()
        try:
            await turn
            yield lambda seconds: self._ledger.spend(address, group, seconds, self._clock())
        finally:
            if not turn.cancelled():
                self._free += 1
                self._held[address] -= 1
                if not self._held[address]:
                    del self._held[address]
                self._give()

    def _give(self) -> None:
        while self._free and self._waiting:
            try:
                address, turn = self._waiting.take(self._rank)
            except KeyError:  # whoever waits has as many places as it may have
                return
            if not turn.cancelled():  # otherwise nobody waits for it any more
                turn.set_result(None)
                self._free -= 1
                self._held[address] += 1

    def _rank(self, address: str, group: str | None) -> int | None:
        within = self._ledger.within_share(address, group, self._clock())
        if group is None:
            most = self._half if within or not self._others_ask(address) else self._ledger.share.places_over
            if self._held[address] >= most:
                return None
        return 0 if within else 1

    def _note(self, address: str) -> None:
        if self._latest[0] != address:
            self._before = self._latest[1]
        self._latest = address, self._clock()

    def _others_ask(self, address: str) -> bool:
        at = self._before if self._latest[0] == address else self._latest[1]
        return self._clock() - at < self._ledger.share.others_within_s
