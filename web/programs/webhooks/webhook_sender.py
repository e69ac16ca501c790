"""Tells programs at their own addresses what happens at a table (webhooks).

A thread looks for addresses that are not told all yet, and each is told in a thread of its own. How far, stands in the
store: so nothing is lost when a server ends, and of several servers one sends. An action wakes the thread and waits for
nothing.
"""

import base64
import functools
import hashlib
import hmac
import logging
import math
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from web.common.background import BackgroundTask, Later
from web.common.problems import Problem
from web.common.recent import Recent
from web.common.release import VERSION
from web.limits.origins import has_any_address
from web.limits.quotas import FairQueue
from web.programs.event_feeds import EventFeeds
from web.programs.webhooks import webhook_store as webhooks
from web.programs.webhooks.outgoing import AllowedNetworks, PostRequest, Target, Unreachable, parse_target
from web.programs.webhooks.webhook_store import DueWebhook, Webhook
from web.runner import Sessions, TableChange
from web.store.server_tokens import ServerToken
from web.store.store import Store
from web.store.webhook_rows import PAUSE_S, Place
from web.table.access_list import AccessList, table_id
from web.table.commands import AddWebhook, Asker, DisconnectWebhook, GiveUpWebhook
from web.table.events import Logged, WebhookRetried
from web.table.happenings import TableEvent, last_number
from web.table.json_document import Document
from web.table.requests import ConnectWebhook
from web.table.state import State
from web.table.view import ListedWebhook, NewWebhook

logger = logging.getLogger(__name__)

PAUSES_S = (PAUSE_S, 30.0, 120.0, 600.0, 3600.0, 10_800.0)  # before the next try; after the last one it is given up
MOST_AT_ONCE, SHARE = 32, 4  # requests; of them for one origin, and to one receiver
KEPT_FOR_QUICK = 4  # of these: each fourth is for receivers that answered within QUICK_S the last time
QUICK_S = 1.0
MOST_BYTES = 60_000  # of a body
UNSTORED_S = 30.0  # without a try, if the store cannot keep what became of one
LOOKS_AGAIN_S = 3600.0  # for what is too old
ENDS_WITHIN_S = 5.0  # the thread that looks
ABORTED_WITHIN_S = 0.3  # requests; one that still knocks at an address is left alone
LINK_LOCAL = "fe80::"  # the origin of all of them, since a device may take any of them
GONE = 410  # whoever answers so wants no more
FULL = "webhooks-full"  # how the reasons end why there is no place for one more
GONE_TABLES = ("table-unknown", "table-lost", "table-deleted")


class WebhookBody(Document, frozen=True, kw_only=True):
    """What an address is told: the events of one table, each in the order of its number."""

    table: str
    webhook: str
    events: Sequence[TableEvent]


@dataclass
class _Delivery:
    """What is being told just now. `machine`: the address of its receiver; `is_quick`: as it was the last time."""

    origin: str
    machine: str
    is_quick: bool
    request: PostRequest | None = None
    task: BackgroundTask | None = None


class WebhookSender:
    """`polls_s`: how often to look for what other servers left; None: there are none. `owner_tokens`: of the machine's
    owner."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        feeds: EventFeeds,
        allowed: AllowedNetworks,
        polls_s: float | None,
        owner_tokens: Callable[[], Sequence[ServerToken]],
        later: Later,
    ) -> None:
        self.allowed = allowed
        self._store, self._sessions, self._feeds, self._polls_s = store, sessions, feeds, polls_s
        self._owner_tokens = owner_tokens
        self._own = secrets.token_hex(16)  # the name of this server, as a sender
        self._tables: set[int] = set()  # those with addresses
        # What is sent just now, by its id. `_step` alone adds, and each delivery takes itself away.
        self._busy: dict[str, _Delivery] = {}
        self._due_since: dict[str, float] = {}  # when it was first seen that something is to be told now
        # What the latest receivers' names meant, and whether they answered within QUICK_S.
        self._receivers: Recent[str, tuple[str, bool]] = Recent(1000)
        self._unstored: dict[str, float] = {}  # when what could not be noted may be tried again
        self._told: dict[str, int] = {}  # up to which number they were told, if the store could not keep it yet
        self._said: set[str] = set()  # what goes wrong now, of "read" and "write"
        self._forgot_at = -LOOKS_AGAIN_S
        self._looked_at: float | None = None
        self._ends = False
        self._later, self._task = later, later("webhooks", self._step)
        sessions.follow(self._follow, Logged, WebhookRetried)
        self._task.wake()

    def connect(self, key: str, wanted: ConnectWebhook, asker: Asker, origin: str) -> NewWebhook:
        """An address that is told from now on what happens at a table. `origin`: of the device that asks (`origin_of`).
        Raises `Problem`."""
        receiver = self.allowed.check(wanted.address).receiver
        place = Place(LINK_LOCAL if has_any_address(origin) else origin, receiver)
        secret = secrets.token_hex(32)
        add = AddWebhook(secrets.token_hex(8), wanted.name, wanted.address, secret, *place)
        row = self._sessions.row(key)
        try:
            self._sessions.do(key, add, asker)
        except Problem as problem:
            if not problem.reason.endswith(FULL):
                raise
            tokens = [each.hash for each in self._owner_tokens()]
            self._remove(webhooks.leaving(self._store, row, place, tokens))
            self._sessions.do(key, add, asker)
        self._tables = {*self._tables, row.id}
        return NewWebhook(webhook=add.id, secret=_secret_of(secret))

    def _remove(self, gone: Iterable[tuple[str, str]]) -> None:
        """Disconnects these addresses, each with the key of its table."""
        for key, webhook in gone:
            try:
                self._sessions.do(key, DisconnectWebhook(webhook))
            except Problem as problem:
                if problem.reason not in GONE_TABLES:
                    raise

    def list_of(self, key: str) -> list[ListedWebhook]:
        """The addresses of a table."""
        state = self._sessions.look(key)
        return [
            ListedWebhook(
                webhook=webhook.id,
                name=webhook.name,
                address=webhook.address,
                at=webhook.at,
                failure=progress.failure,
                next_try_s=math.ceil(progress.wait_s),
                given_up=progress.given_up,
            )
            for webhook, progress in webhooks.of_table(self._store, state.row.id)
            if self._is_wanted(webhook, state.access)
        ]

    def close(self) -> None:
        self._ends = True
        self._task.end(ENDS_WITHIN_S)
        until = time.monotonic() + ABORTED_WITHIN_S
        while self._busy and time.monotonic() < until:
            for each in list(self._busy.values()):
                if each.request is not None:
                    each.request.abort()
            time.sleep(0.01)

    def _follow(self, change: TableChange) -> None:
        if change.state.row.id in self._tables:
            self._task.wake()

    def _step(self) -> float | None:
        wait_s: float | None = UNSTORED_S
        try:
            now, seen_at = time.monotonic(), self._looked_at
            if seen_at is None or (self._polls_s is not None and now - seen_at >= self._polls_s):
                self._tables = webhooks.tables_told(self._store)
                self._looked_at = now
            wait_s = self._send_due() if self._tables else None
            self._said.discard("read")
        except Problem as problem:
            self._say_once("read", problem)
        return min((each for each in (wait_s, self._polls_s) if each is not None), default=None)

    def _send_due(self) -> float | None:
        """Begins to tell who is to be told now. Returns the seconds until the next is due; None: nobody waits."""
        now = time.monotonic()
        if now - self._forgot_at >= LOOKS_AGAIN_S:
            self._remove(webhooks.too_old(self._store))
            self._forgot_at = now
        found, wait_s = webhooks.due(self._store, list(self._busy))
        free = {each: self._unstored.get(each.webhook.id, 0.0) - now for each in found}
        waits = [each for each in (wait_s, *free.values()) if each is not None and each > 0]
        ready = [each for each, wait_s in free.items() if wait_s <= 0]
        self._due_since = {each.webhook.id: self._due_since.get(each.webhook.id, now) for each in ready}
        if ready:
            self._begin_in_turn(ready)
        return min(waits, default=None)

    def _begin_in_turn(self, ready: Sequence[DueWebhook]) -> None:
        """Begins to tell those for whom there is room; the end of another request wakes this thread for the others.

        Origins take turns, first who has least told just now, and the receivers of each. Of one receiver, what is due
        longest comes first.
        """
        queue = FairQueue[tuple[DueWebhook, _Delivery]]()
        told = Counter(each.origin for each in list(self._busy.values()))
        for each in sorted(ready, key=lambda each: (told[each.place.origin], self._due_since[each.webhook.id])):
            receiver = each.place.receiver
            delivery = _Delivery(each.place.origin, *(self._receivers.get(receiver) or (receiver, False)))
            queue.put((each, delivery), delivery.origin, delivery.machine)
        while queue and len(self._busy) < MOST_AT_ONCE and not self._ends:
            due, delivery = queue.take()
            if self._has_room(delivery):
                self._busy[due.webhook.id] = delivery
                delivery.task = self._later("webhook", functools.partial(self._tell, due, delivery))
                delivery.task.wake()

    def _has_room(self, wanted: _Delivery) -> bool:
        busy = list(self._busy.values())
        own = [each for each in busy if each.origin == wanted.origin]
        there = sum(each.machine == wanted.machine for each in busy)
        if len(own) >= SHARE or there >= SHARE:
            return False
        slow, own_slow = (sum(not each.is_quick for each in part) for part in (busy, own))
        rest = 1 - 1 / KEPT_FOR_QUICK
        return wanted.is_quick or (slow < MOST_AT_ONCE * rest and own_slow < SHARE * rest)

    def _tell(self, due: DueWebhook, delivery: _Delivery) -> None:
        webhook = due.webhook
        try:
            self._unstored.pop(webhook.id, None)
            self._tell_one(due)
        except Exception as error:  # nobody hears of it, so it is tried again
            self._unstored[webhook.id] = time.monotonic() + UNSTORED_S
            if isinstance(error, Problem):
                self._say_once("write", error)
            elif not self._ends:
                logger.warning("a program could not be told: %r", error)
        finally:
            del self._busy[webhook.id]
            assert delivery.task is not None
            delivery.task.end()
            self._task.wake()

    def _say_once(self, what: str, problem: Problem) -> None:
        if what not in self._said and not self._ends:
            self._said.add(what)
            logger.warning("programs at addresses are told later what happens: %s", problem)

    def _tell_one(self, due: DueWebhook) -> None:
        """Raises `Problem`."""
        webhook, progress = due.webhook, due.progress
        if webhook.id in self._told:
            self._note_told(webhook)
            return
        state = self._sessions.look(due.key)
        if not self._is_wanted(webhook, state.access):
            self._remove([(due.key, webhook.id)])
            return
        if state.access.deletion is not None:  # for the minute in which that can be undone
            self._unstored[webhook.id] = time.monotonic() + UNSTORED_S
            return
        # A server alone is told by `_busy` what it sends.
        if self._polls_s is not None and not webhooks.claim(self._store, webhook, self._own, progress.number):
            return
        events, number = self._events_of(state, progress.number)
        failure = self._post(webhook, due.key, events, number) if events else ""
        if not failure:
            self._told[webhook.id] = number
            self._note_told(webhook)
        elif not self._ends:
            pauses = PAUSES_S[progress.tries :] if failure != str(GONE) else ()
            webhooks.note_failure(self._store, webhook, progress.tries + 1, failure, pauses[0] if pauses else 0.0)
            if not pauses:
                self._sessions.do(due.key, GiveUpWebhook(webhook.id, failure))

    def _note_told(self, webhook: Webhook) -> None:
        webhooks.note_told(self._store, webhook, self._told[webhook.id])
        del self._told[webhook.id]
        self._said.discard("write")

    def _is_wanted(self, webhook: Webhook, access: AccessList) -> bool:
        """Whether the token is still there that wanted it, if it was one."""
        maker = webhook.maker
        return not maker or maker in access.programs or any(each.hash == maker for each in self._owner_tokens())

    def _events_of(self, state: State, number: int) -> tuple[list[TableEvent], int]:
        """What is to be told after event `number`, at most MOST_BYTES, and the number up to which it is all."""
        told: list[TableEvent] = []
        size, version = 0, state.version
        for event in self._feeds.events_after(state, number):
            size += len(msgspec.json.encode(event)) + 1
            if told and size > MOST_BYTES:
                return told, told[-1].number or 0
            told.append(event)
            version = event.version
        return told, last_number(version)

    def _post(self, webhook: Webhook, key: str, events: Sequence[TableEvent], number: int) -> str:
        """Returns why it failed: the status of the answer, or a reason of `Unreachable`; "" if it did not."""
        body = msgspec.json.encode(WebhookBody(table=table_id(key), webhook=webhook.id, events=events))
        try:
            target = parse_target(webhook.address)
            headers = signed_headers(webhook, f"{webhook.id}.{number}", int(time.time()), body)
            status = self._send(webhook.id, target, headers, body)
        except Problem:
            return "not-allowed"
        except Unreachable as unreachable:
            return unreachable.why
        return "" if 200 <= status < 300 else str(status)

    def _send(self, id_: str, target: Target, headers: Mapping[str, str], body: bytes) -> int:
        """Returns the status of the answer, and notes how quick it was. Raises `Unreachable`."""
        began, receiver = time.monotonic(), target.receiver
        ip = receiver
        try:
            ip = self.allowed.look_up(target)
            request = self._busy[id_].request = PostRequest(target, ip, headers, body)
            if self._ends:  # asked after that, so that `close` aborts any that is sent
                raise Unreachable("no-answer")
            return request.send()
        finally:
            self._receivers[receiver] = ip, time.monotonic() - began <= QUICK_S


def _secret_of(secret: str) -> str:
    """The secret of an address as a program is told it, this once."""
    return "whsec_" + base64.b64encode(bytes.fromhex(secret)).decode()


def signed_headers(webhook: Webhook, message: str, at: int, body: bytes) -> Mapping[str, str]:
    """The headers of a request, signed as standardwebhooks.com has it. `message`: names what is sent, the same in each
    try; `at`: seconds since 1970."""
    signed = f"{message}.{at}.".encode() + body
    signature = hmac.digest(bytes.fromhex(webhook.secret), signed, hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Rollcall/{VERSION}",
        "webhook-id": message,
        "webhook-timestamp": str(at),
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }
