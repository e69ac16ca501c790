"""Tells programs at their own addresses what happens at a table (webhooks), in the background and from memory.

Requests are shared by who named the addresses: receivers that hang delay only those of the same device.
"""

import base64
import functools
import hashlib
import hmac
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from web.limits.ledger import may_take
from web.limits.quotas import FairQueue
from web.limits.recent import Recent
from web.problems.problem import Problem
from web.programs.webhooks.outgoing import Unreachable, parse_target, post
from web.runner.runner import TableChange
from web.services import Services
from web.table.access_list import table_id
from web.table.commands import DisconnectWebhook
from web.table.events import Logged
from web.table.happenings import line_events
from web.table.state import State
from web.tasks.background import BackgroundTask
from web.texts.release import VERSION

PAUSES_S = (1.0, 10.0)  # between the tries
PLACES = 64  # requests at once
MOST_WAITING = 100  # lines of a log that wait for one address
MOST_BYTES = 60_000  # of the events of one request, unless one line has more
REMEMBERED = 5000  # the addresses that were told something last
GONE, REVOKED = "410", "revoked"  # failures after which an address is disconnected


@dataclass
class Delivery:
    """What one address is told. `origin`: of who named it; `lines`: of the log, done here and not sent yet; `sending`:
    events as JSON, of the present request; `failure`, `missed`: as in `ListedWebhook`."""

    key: str
    id: str
    origin: str
    lines: list[int] = field(default_factory=list)
    sending: list[bytes] = field(default_factory=list)
    tries: int = 0  # of the present request
    is_active: bool = False  # it has a place, or waits for one
    failure: str = ""
    missed: int = 0
    task: BackgroundTask | None = None


class WebhookSender:
    """Tells all addresses of all tables; one for each server."""

    def __init__(self, parts: Services) -> None:
        self.allowed = parts.settings.webhooks_to
        self._deliveries: Recent[str, Delivery] = Recent(REMEMBERED)
        self._runner, self._host_tokens, self._later = parts.runner, parts.host_tokens, parts.later
        self._lock = threading.Lock()
        self._ready: FairQueue[Delivery] = FairQueue()
        self._places = Counter[str]()  # that are used, by who named the addresses
        self._ends = False
        parts.runner.follow(self._follow, Logged)

    def outcome(self, webhook: str) -> tuple[str, int]:
        """How it went to tell an address: `failure` and `missed` of a `ListedWebhook`."""
        found = self._deliveries.get(webhook)
        return (found.failure, found.missed) if found else ("", 0)

    def close(self) -> None:
        self._ends = True  # a request that waits for its answer ends by itself

    def _follow(self, change: TableChange) -> None:
        new = range(change.before.version + 1, change.state.version + 1)
        with self._lock:
            for id_, webhook in change.state.webhooks.items():
                delivery = self._deliveries.setdefault(id_, Delivery(change.key, id_, webhook.origin))
                room = MOST_WAITING - len(delivery.lines)
                delivery.lines += new[:room]
                delivery.missed += sum(len(line_events(change.state, line)) for line in new[room:])
                self._queue(delivery)
            self._begin()

    def _queue(self, delivery: Delivery) -> None:
        if delivery.lines and not delivery.is_active:
            delivery.is_active = True
            self._ready.put(delivery, delivery.origin, delivery.key)

    def _begin(self) -> None:
        """Has those told for whom there is a place; hold the lock."""
        with suppress(KeyError):  # nobody waits who may take one
            while not self._ends:
                delivery = self._ready.take(lambda who, _: 0 if may_take(self._places, who, PLACES) else None)
                self._places[delivery.origin] += 1
                delivery.task = self._later("webhook", functools.partial(self._step, delivery))
                delivery.task.wake()

    def _step(self, delivery: Delivery) -> float | None:
        """Tries once. Returns the pause before the next try."""
        failure = "" if self._ends else self._try(delivery)
        if failure in (GONE, REVOKED):
            with suppress(Problem):
                self._runner.do(delivery.key, DisconnectWebhook(delivery.id))
        with self._lock:
            delivery.failure = failure
            if failure and delivery.tries < len(PAUSES_S):
                delivery.tries += 1
                return PAUSES_S[delivery.tries - 1]
            if failure and not delivery.sending:  # the table cannot be read
                delivery.lines.clear()
            delivery.missed += len(delivery.sending) if failure else 0
            delivery.sending, delivery.tries, delivery.is_active = [], 0, False
            self._places[delivery.origin] -= 1
            self._places = +self._places  # without those that have none
            assert delivery.task is not None
            delivery.task.end()
            self._queue(delivery)
            self._begin()
        return None

    def _try(self, delivery: Delivery) -> str:
        """Returns why it failed, "" if it did not, or if nobody is to be told."""
        try:
            state = self._runner.look(delivery.key)
            webhook = state.webhooks.get(delivery.id)
            if webhook is None:
                delivery.lines.clear()
                return ""
            owners = webhook.maker and webhook.maker not in state.access.programs  # by a token of the machine's owner
            if owners and all(each.hash != webhook.maker for each in self._host_tokens()):
                return REVOKED
            body = _body_of(delivery, state)
            target, at = parse_target(webhook.address), int(time.time())
            message = f"{delivery.id}.{hashlib.sha256(body).hexdigest()[:16]}"  # the same in each try
            signed = hmac.digest(bytes.fromhex(webhook.secret), f"{message}.{at}.".encode() + body, hashlib.sha256)
            headers = {  # as standardwebhooks.com has them
                "Content-Type": "application/json",
                "User-Agent": f"Rollcall/{VERSION}",
                "webhook-id": message,
                "webhook-timestamp": str(at),
                "webhook-signature": "v1," + base64.b64encode(signed).decode(),
            }
            status = post(target, self.allowed.look_up(target), headers, body)
        except Unreachable as unreachable:
            return str(unreachable)
        except (Problem, OSError):  # the table, or the owner's tokens, cannot be read
            return "no-answer"
        return "" if 200 <= status < 300 else str(status)


def _body_of(delivery: Delivery, state: State) -> bytes:
    """The present request, or the next one with the events of the lines that wait."""
    if not delivery.sending:
        while delivery.lines and sum(map(len, delivery.sending)) < MOST_BYTES:
            delivery.sending += map(msgspec.json.encode, line_events(state, delivery.lines[0]))
            del delivery.lines[0]
    events = [msgspec.Raw(each) for each in delivery.sending]
    return msgspec.json.encode({"table": table_id(delivery.key), "webhook": delivery.id, "events": events})
