"""Tells programs at their own addresses what happens at a table (webhooks), in the background and from memory.

Requests are shared by who named the addresses: receivers that hang delay only those of the same device.
"""

import functools
import hashlib
import hmac
import threading
import time
from base64 import b64encode
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from msgspec import Raw
from msgspec.json import encode

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
from web.tasks.background import BackgroundTask
from web.texts.release import VERSION

PAUSES_S = (1.0, 10.0)  # between the tries
PLACES = 64  # requests at once
MOST_WAITING = 100  # lines of a log that wait for one address
MOST_BYTES = 60_000  # of the events of one request, unless one line has more
REMEMBERED = 5000  # the addresses that were told something last
GONE = "410"  # a failure after which an address is disconnected


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
    failure: str = ""
    missed: int = 0
    is_active: bool = False  # it has a place, or waits for one
    task: BackgroundTask | None = None  # while it has a place


class WebhookSender:
    """Tells all addresses of all tables; one for each server."""

    def __init__(self, parts: Services) -> None:
        self._parts = parts
        self.deliveries: Recent[str, Delivery] = Recent(REMEMBERED)
        self._lock = threading.Lock()
        self._ready: FairQueue[Delivery] = FairQueue()
        self._places = Counter[str]()  # that are used, by who named the addresses
        self._ends = False
        parts.runner.follow(self._follow, Logged)

    def close(self) -> None:
        self._ends = True  # a request that waits for its answer ends by itself

    def _follow(self, change: TableChange) -> None:
        new = range(change.before.version + 1, change.state.version + 1)
        with self._lock:
            for id_, webhook in change.state.webhooks.items():
                delivery = self.deliveries.setdefault(id_, Delivery(change.key, id_, webhook.origin))
                room = MOST_WAITING - len(delivery.lines)
                delivery.lines += new[:room]
                delivery.missed += sum(len(line_events(change.state, line)) for line in new[room:])
                self._queue(delivery)

    def _queue(self, delivery: Delivery) -> None:
        """Has it told in its turn, and all for whom there is a place; hold the lock."""
        if delivery.lines and not delivery.is_active:
            delivery.is_active = True
            self._ready.put(delivery, delivery.origin, delivery.key)
        with suppress(KeyError):  # nobody waits who may take a place
            while not self._ends:
                next_ = self._ready.take(lambda who, _: 0 if may_take(self._places, who, PLACES) else None)
                self._places[next_.origin] += 1
                next_.task = self._parts.later("webhook", functools.partial(self._tell, next_))
                next_.task.wake()

    def _tell(self, delivery: Delivery) -> float | None:
        """Tries once to send the present request. Returns the pause before the next try."""
        delivery.failure = "" if self._ends else self._try(delivery)
        if delivery.failure == GONE:
            with suppress(Problem):
                self._parts.runner.do(delivery.key, DisconnectWebhook(delivery.id))
        with self._lock:
            if delivery.failure not in ("", GONE) and delivery.tries < len(PAUSES_S):
                delivery.tries += 1
                return PAUSES_S[delivery.tries - 1]
            if not delivery.sending:  # nobody is to be told any more, or the table cannot be read
                delivery.lines.clear()
            delivery.missed += len(delivery.sending) if delivery.failure else 0
            self._places -= Counter([delivery.origin])  # without those that have none
            assert delivery.task is not None
            delivery.task.end()
            delivery.sending, delivery.tries, delivery.is_active, delivery.task = [], 0, False, None
            self._queue(delivery)
        return None

    def _try(self, delivery: Delivery) -> str:
        """Returns why it failed, "" if it did not, or if nobody is to be told."""
        try:
            state = self._parts.runner.look(delivery.key)
            webhook = state.webhooks.get(delivery.id)
            if webhook is None:
                return ""
            owners = webhook.maker and webhook.maker not in state.access.programs  # by a token of the machine's owner
            if owners and all(each.hash != webhook.maker for each in self._parts.host_tokens()):
                return GONE
            if not delivery.sending:
                while delivery.lines and sum(map(len, delivery.sending)) < MOST_BYTES:
                    delivery.sending += map(encode, line_events(state, delivery.lines.pop(0)))
            told = {"table": table_id(delivery.key), "webhook": delivery.id, "events": [*map(Raw, delivery.sending)]}
            body, at = encode(told), int(time.time())
            message = f"{delivery.id}.{hashlib.sha256(body).hexdigest()[:16]}"  # the same in each try
            signed = hmac.digest(bytes.fromhex(webhook.secret), f"{message}.{at}.".encode() + body, "sha256")
            headers = {  # as standardwebhooks.com has them
                "Content-Type": "application/json",
                "User-Agent": f"Rollcall/{VERSION}",
                "webhook-id": message,
                "webhook-timestamp": str(at),
                "webhook-signature": "v1," + b64encode(signed).decode(),
            }
            target = parse_target(webhook.address)
            status = post(target, self._parts.settings.webhooks_to.look_up(target), headers, body)
        except Unreachable as unreachable:
            return str(unreachable)
        except (Problem, OSError):  # the table, or the owner's tokens, cannot be read
            return "no-answer"
        return "" if 200 <= status < 300 else str(status)
