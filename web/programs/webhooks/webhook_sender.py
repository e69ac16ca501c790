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
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from web.common.background import BackgroundTask
from web.common.problems import Problem
from web.common.recent import Recent
from web.common.release import VERSION
from web.limits.origins import has_any_address
from web.limits.quotas import FairQueue
from web.programs.webhooks import webhook_store as webhooks
from web.programs.webhooks.outgoing import AllowedNetworks, PostRequest, Unreachable, parse_target
from web.programs.webhooks.webhook_store import Webhook
from web.runner import TableChange
from web.services import Services
from web.store.webhook_rows import PAUSE_S, Place
from web.table.access_list import AccessList, table_id
from web.table.commands import AddWebhook, Asker, DisconnectWebhook, GiveUpWebhook
from web.table.events import Logged, WebhookRetried
from web.table.happenings import TableEvent, last_number
from web.table.json_document import Document
from web.table.state import State

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


class ConnectWebhook(Struct, frozen=True):
    """Has a program told what happens, at this address. Who may: as with `NewProgram`."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    address: Annotated[str, Meta(min_length=1, max_length=300)]


class NewWebhook(Document, frozen=True, kw_only=True):
    """A new address. `secret`: what is told there is signed with it; it is shown this once."""

    webhook: str
    secret: str


@dataclass
class _Delivery:
    """What is being told just now. `machine`: the address of its receiver; `is_quick`: as it was the last time."""

    origin: str
    machine: str
    is_quick: bool
    request: PostRequest | None = None
    task: BackgroundTask | None = None


class WebhookSender:
    """`allowed`: None: private networks, and none if servers share the games."""

    def __init__(self, parts: Services, allowed: AllowedNetworks | None) -> None:
        self.allowed = allowed or AllowedNetworks(private=not parts.store.is_shared)
        self._store, self._sessions, self._feeds = parts.store, parts.sessions, parts.event_feeds
        self._polls_s, self._host_tokens = parts.polls_s, parts.host_tokens
        self._own = secrets.token_hex(16)  # the name of this server, as a sender
        self._tables: set[int] = set()  # those with addresses
        # What is sent just now, by its id. `_step` alone adds, and each delivery takes itself away.
        self._busy: dict[str, _Delivery] = {}
        self._due_since: dict[str, float] = {}  # when it was first seen that something is to be told now
        # What the latest receivers' names meant, and whether they answered within QUICK_S.
        self._receivers: Recent[str, tuple[str, bool]] = Recent(1000)
        self._unstored: dict[str, float] = {}  # when what could not be noted may be tried again
        self._unsaved: dict[str, int] = {}  # up to which number they were told, if the store could not keep it yet
        self._said: set[str] = set()  # what goes wrong now, of "read" and "write"
        self._forgot_at = -LOOKS_AGAIN_S
        self._looked_at: float | None = None
        self._ends = False
        self._later, self._task = parts.later, parts.later("webhooks", self._step)
        parts.sessions.follow(self._follow, Logged, WebhookRetried)
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
            tokens = [each.hash for each in self._host_tokens()]
            self._remove(webhooks.leaving(self._store, row.id, place, tokens))
            self._sessions.do(key, add, asker)
        self._tables = {*self._tables, row.id}
        # What a program is told, this once.
        return NewWebhook(webhook=add.id, secret="whsec_" + base64.b64encode(bytes.fromhex(secret)).decode())

    def _remove(self, gone: Iterable[tuple[str, str]]) -> None:
        """Disconnects these addresses, each with the key of its table."""
        for key, webhook in gone:
            try:
                self._sessions.do(key, DisconnectWebhook(webhook))
            except Problem as problem:
                if problem.reason not in GONE_TABLES:
                    raise

    def list_of(self, key: str) -> list[Webhook]:
        """The addresses of a table."""
        state = self._sessions.look(key)
        found = webhooks.of_table(self._store, state.row.id)
        return [webhook for webhook in found if self._is_wanted(webhook, state.access)]

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
                self._tables = webhooks.tables_with_webhooks(self._store)
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
        free = {each: self._unstored.get(each.id, 0.0) - now for each in found}
        ready = [each for each, wait_s in free.items() if wait_s <= 0]
        self._due_since = {each.id: self._due_since.get(each.id, now) for each in ready}
        self._begin_in_turn(ready)
        return min((each for each in (wait_s, *free.values()) if each is not None and each > 0), default=None)

    def _begin_in_turn(self, ready: Sequence[Webhook]) -> None:
        """Begins to tell those for whom there is room; the end of another request wakes this thread for the others.

        Origins take turns, first who has least told just now, and the receivers of each. Of one receiver, what is due
        longest comes first.
        """
        queue = FairQueue[tuple[Webhook, _Delivery]]()
        busy_origins = Counter(each.origin for each in list(self._busy.values()))
        for each in sorted(ready, key=lambda each: (busy_origins[each.origin], self._due_since[each.id])):
            delivery = _Delivery(each.origin, *(self._receivers.get(each.receiver) or (each.receiver, False)))
            queue.put((each, delivery), delivery.origin, delivery.machine)
        while queue and len(self._busy) < MOST_AT_ONCE and not self._ends:
            webhook, delivery = queue.take()
            if self._has_room(delivery):
                self._busy[webhook.id] = delivery
                delivery.task = self._later("webhook", functools.partial(self._tell, webhook, delivery))
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

    def _tell(self, webhook: Webhook, delivery: _Delivery) -> None:
        try:
            self._unstored.pop(webhook.id, None)
            self._tell_one(webhook)
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

    def _tell_one(self, webhook: Webhook) -> None:
        """Raises `Problem`."""
        if webhook.id not in self._unsaved:
            state = self._sessions.look(webhook.key)
            if not self._is_wanted(webhook, state.access):
                self._remove([(webhook.key, webhook.id)])
                return
            if state.access.deletion is not None:  # for the minute in which that can be undone
                self._unstored[webhook.id] = time.monotonic() + UNSTORED_S
                return
            # A server alone is told by `_busy` what it sends.
            if self._polls_s is not None and not webhooks.claim(self._store, webhook, self._own):
                return
            events, number = self._events_of(state, webhook.number)
            failure = self._post(webhook, events, number) if events else ""
            if failure:
                self._note_failure(webhook, failure)
                return
            self._unsaved[webhook.id] = number
        webhooks.note_number(self._store, webhook, self._unsaved[webhook.id])
        del self._unsaved[webhook.id]
        self._said.discard("write")

    def _note_failure(self, webhook: Webhook, failure: str) -> None:
        if self._ends:
            return
        pauses = PAUSES_S[webhook.tries :] if failure != str(GONE) else ()
        webhooks.note_failure(self._store, webhook, failure, pauses[0] if pauses else 0.0)
        if not pauses:
            self._sessions.do(webhook.key, GiveUpWebhook(webhook.id, failure))

    def _is_wanted(self, webhook: Webhook, access: AccessList) -> bool:
        """Whether the token is still there that wanted it, if it was one."""
        maker = webhook.maker
        return not maker or maker in access.programs or any(each.hash == maker for each in self._host_tokens())

    def _events_of(self, state: State, number: int) -> tuple[list[TableEvent], int]:
        """What is to be told after event `number`, at most MOST_BYTES, and the number up to which it is all."""
        events: list[TableEvent] = []
        size, version = 0, state.version
        for event in self._feeds.events_after(state, number):
            size += len(msgspec.json.encode(event)) + 1
            if events and size > MOST_BYTES:
                return events, events[-1].number or 0
            events.append(event)
            version = event.version
        return events, last_number(version)

    def _post(self, webhook: Webhook, events: Sequence[TableEvent], number: int) -> str:
        """Returns why it failed: the status of the answer, or a reason of `Unreachable`; "" if it did not."""
        body = msgspec.json.encode(WebhookBody(table=table_id(webhook.key), webhook=webhook.id, events=events))
        began, machine = time.monotonic(), webhook.receiver
        try:
            target = parse_target(webhook.address)
            machine = self.allowed.look_up(target)
            headers = signed_headers(webhook, f"{webhook.id}.{number}", int(time.time()), body)
            request = self._busy[webhook.id].request = PostRequest(target, machine, headers, body)
            if self._ends:  # asked after that, so that `close` aborts any that is sent
                raise Unreachable("no-answer")
            status = request.send()
        except Problem:
            return "not-allowed"
        except Unreachable as unreachable:
            return unreachable.why
        finally:
            self._receivers[webhook.receiver] = machine, time.monotonic() - began <= QUICK_S
        return "" if 200 <= status < 300 else str(status)


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
