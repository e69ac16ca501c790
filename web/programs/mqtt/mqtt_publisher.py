"""Tells an MQTT broker of the running tables, so that Home Assistant and other programs of a home see them.

Whoever changes a table only notes its key here; a task beside requests tells the broker, so a dead broker costs no
action anything. While there is no connection nothing is queued: after it all tables are told anew, as they stand then.

Of several servers that share a database one publishes. A retained message names it, and it says so again and again; if
it is silent or its last will comes, the others put their names there, and whose name comes last publishes.
"""

import contextlib
import hashlib
import json
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import msgspec
from paho.mqtt.client import MQTTMessage
from sqlalchemy import select

import scorer
from web.common.background import Later
from web.common.problems import Problem
from web.programs.event_feeds import EventFeeds
from web.programs.mqtt.broker_address import BrokerAddress
from web.programs.mqtt.broker_connection import ENDS_WITHIN_S, BrokerConnection, BusyError
from web.programs.mqtt.home_entities import (
    DISCOVERY,
    LATEST,
    OFFLINE,
    ONLINE,
    HomeTable,
    Topics,
    discovery_message,
    event_message,
    home_table,
    no_table,
    sure_throw,
)
from web.runner import Sessions, TableChange
from web.store import schema
from web.store.stamps import stamp
from web.store.store import Store
from web.table.access_list import table_id
from web.table.commands import Asker
from web.table.events import Logged
from web.table.happenings import TableEvent, last_number, photo_events
from web.table.photo_state import UnderReview
from web.table.state import State

logger = logging.getLogger(__name__)

Taken = TypeVar("Taken")

NAME = "MQTT"  # of whoever confirms a throw here, in the list of steps
MOST_TABLES = 50  # that are told, those used last
IDLE_S = 7 * 24 * 3600  # after the last step, a game that is not over is no longer told
OVER_S = 24 * 3600  # after its end, a game is no longer told
POLL_S = 5.0  # between two looks at the tables: new ones, deleted ones, and what other servers did
CLAIM_EVERY_S = 30.0  # the publishing server says that it is there
SILENT_AFTER_S = 100.0  # another server takes over from one that says nothing
LISTENS_S = 2.0  # before a server among several takes over: what the broker keeps comes within that
MOST_RECEIVED = 1000  # messages that wait for the thread here
GONE = ("table-unknown", "table-deleted", "table-lost")  # why there is no such table any more


class _Received(NamedTuple):
    """A message of the broker. `retained`: it was kept there."""

    topic: str
    payload: bytes
    retained: bool


@dataclass
class _Publication:
    """What was told of one table. `after`: the number of its last event; None: its events begin with the next one.
    `photo`: under review; `change`: the number of the store's last change of it."""

    key: str = ""
    after: int | None = None
    photo: UnderReview | None = None
    change: int = 0
    components: Collection[str] = ()


class MqttPublisher:
    """Connects by itself, also again. Close it before the store.

    `language`: of all names. `page`: the address of this server for people, if it is known. `changes_of`: the numbers
    of the last changes of tables by their keys, if other servers have the same store; None: there are none.
    """

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        feeds: EventFeeds,
        broker: BrokerAddress,
        language: str,
        later: Later,
        page: str | None = None,
        changes_of: Callable[[Sequence[str]], Mapping[str, int]] | None = None,
    ) -> None:
        self._store, self._sessions, self._feeds, self._page = store, sessions, feeds, page
        self._changes_of = changes_of
        self._language = language
        self._said = False  # that it goes wrong now
        self.topics = Topics(home_id(store))
        # One server alone keeps its name, so that it need not wait for the one that it was before.
        self._name = "server" if changes_of is None else secrets.token_hex(6)
        self._changed: dict[str, int] = {}  # keys of tables, each with the number of its last event before the change
        self._received: deque[_Received] = deque(maxlen=MOST_RECEIVED)
        self._is_new = threading.Event()  # the connection
        self._known: set[str] = set()  # the tables whose devices the broker keeps, also from an earlier start
        self._tables: dict[str, _Publication] = {}  # by their ids
        self._latest = _Publication()
        self._cleared: list[str] = []  # topics that the broker need not keep any more
        self._sent: dict[str, bytes] = {}  # what the broker keeps, by topic
        self._publishes = False
        self._claimed_by, self._claimed_at, self._claims_at = "", 0.0, 0.0
        self._looked_at = 0.0
        name, will = f"rollcall-{self.topics.home}-{self._name}", (self.topics.status, _status(OFFLINE, ""))
        self._connection = BrokerConnection(broker, name, will, self._note_connection, self._note_message)
        self._task = later("mqtt", self._step)
        sessions.follow(self._follow)
        self._connection.start()

    def close(self) -> None:
        """Tells the broker that nobody tells any more, and ends."""
        self._task.end(ENDS_WITHIN_S)
        self._connection.close(says_will=self._publishes)

    # --- called by other threads: they only note something, each time in one atomic step ------------------------------

    def _follow(self, change: TableChange) -> None:
        lines = sum(len(each.lines) for each in change.events if isinstance(each, Logged))
        self._changed.setdefault(change.key, last_number(change.state.version - lines))
        self._task.wake()

    def _note_connection(self) -> None:
        self._received.clear()
        self._is_new.set()
        self._task.wake()

    def _note_message(self, message: MQTTMessage) -> None:
        if message.topic.startswith(DISCOVERY):
            table = self.topics.table_of(message.topic)
            if table is not None and message.payload:
                self._known.add(table)
            return
        self._received.append(_Received(message.topic, bytes(message.payload), message.retain))
        self._task.wake()

    # --- the task that tells ------------------------------------------------------------------------------------------

    def _step(self) -> float:
        try:
            self._attend()
            self._said = False
        except BusyError:
            pass  # the next step goes on
        except Problem as problem:
            if not self._said:
                logger.warning("the MQTT broker is told later of the tables: %s", problem)
            self._said = True
        return POLL_S if self._publishes else LISTENS_S

    def _attend(self) -> None:
        is_there, changed = self._connection.is_there, dict(_taken_from(self._changed.popitem))
        if not is_there:
            return
        if self._is_new.is_set():
            self._is_new.clear()
            self._begin()
        for each in _taken_from(self._received.popleft):
            self._take(each)
        self._claim()
        if self._publishes and (changed or time.monotonic() - self._looked_at >= POLL_S):
            try:
                self._look(changed)
            except (Problem, BusyError):
                self._changed.update(changed)  # all is tried again
                raise

    def _begin(self) -> None:
        """Begins anew after a connection."""
        self._publishes, self._claimed_by = False, ""
        self._claims_at = time.monotonic() + (0.0 if self._changes_of is None else LISTENS_S)
        for each in (self.topics.status, self.topics.confirm("+")):
            self._connection.subscribe(each)

    def _take(self, received: _Received) -> None:
        if received.topic == self.topics.status:
            self._take_status(received.payload)
        elif self._publishes and not received.retained:
            self._confirm(received.payload.decode("ascii", "replace"))

    # --- which of several servers -------------------------------------------------------------------------------------

    def _take_status(self, payload: bytes) -> None:
        try:
            said = json.loads(payload)
            by = str(said["by"]) if said["state"] == ONLINE else ""
        except (ValueError, LookupError, TypeError):
            by = ""
        self._claimed_by, self._claimed_at = by, time.monotonic()
        if by == self._name and not self._publishes:
            self._start_to_publish()
        elif by != self._name:
            self._publishes = self._publishes and not by
            self._claims_at = time.monotonic()

    def _start_to_publish(self) -> None:
        """All is told anew, but for events: nobody wants to hear what happened before."""
        self._publishes, self._looked_at, self._sent = True, 0.0, {}
        for publication in self._tables.values():
            publication.after = None
        # What an earlier server told of tables that are gone comes now, and is taken away.
        self._connection.subscribe(f"{DISCOVERY}/device/+/config")

    def _claim(self) -> None:
        now = time.monotonic()
        mine, silent = self._claimed_by == self._name, now - self._claimed_at > SILENT_AFTER_S
        if now >= self._claims_at and (mine or silent or not self._claimed_by):
            self._connection.publish(self.topics.status, _status(ONLINE, self._name))
            self._claims_at = now + CLAIM_EVERY_S

    # --- the tables ---------------------------------------------------------------------------------------------------

    def _look(self, changed: dict[str, int]) -> None:
        """Tells of the tables that are new or were changed, and no longer of those that are gone or long over."""
        wanted = {table_id(key): key for key in self._keys_to_tell()}
        numbers = {} if self._changes_of is None else self._changes_of(list(wanted.values()))
        while self._cleared:
            self._connection.publish(self._cleared[-1], b"")
            self._cleared.pop()
        for table in {*self._tables, *_taken_from(self._known.pop)} - wanted.keys() - {LATEST}:
            self._remove(table)
        first = next(iter(wanted), None)
        for table, key in wanted.items():
            publication = self._tables.setdefault(table, _Publication(key, changed.get(key)))
            is_first, number = table == first, numbers.get(key, 0)
            if (
                key in changed
                or number != publication.change
                or self.topics.state(table) not in self._sent
                or (is_first and self._latest.key != key)
            ):
                self._try_to_tell(table, publication, is_first)
                publication.change = number
        if first is None:
            self._latest.key = ""
            self._send(LATEST, self._latest, no_table(self._language))
        self._looked_at = time.monotonic()

    def _try_to_tell(self, table: str, publication: _Publication, is_first: bool) -> None:
        try:
            self._tell(table, publication, self._sessions.look(publication.key), is_first)
        except (Problem, BusyError) as error:
            if isinstance(error, Problem) and error.reason in GONE:
                self._remove(table)
                return
            raise
        except Exception:  # the other tables are told nevertheless
            logger.exception("the MQTT broker could not be told of a table")

    def _keys_to_tell(self) -> Iterator[str]:
        """The keys of the tables to tell of, the one that was used last first."""
        tables, now = schema.tables.c, time.time()
        columns = tables.key, tables.active_at, tables.finished_at
        query = select(*columns).where(tables.deleted_at.is_(None)).order_by(tables.active_no.desc()).limit(MOST_TABLES)
        with self._store.read() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            since = now - (OVER_S if row.finished_at else IDLE_S)
            if (row.finished_at or row.active_at) >= stamp(since):
                yield row.key

    def _tell(self, table: str, publication: _Publication, state: State, is_first: bool) -> None:
        known, places = home_table(state, self._language), [(table, publication)]
        if is_first:
            self._latest.key = publication.key
            places.append((LATEST, self._latest))
        for place, shown in places:
            self._send(place, shown, known)
        happened: list[TableEvent] = []
        if publication.after is None:
            publication.after = last_number(state.version)
        else:
            happened += self._feeds.events_after(state, publication.after)
            happened += photo_events(None, state) if state.photo != publication.photo else ()
        for event in happened:
            for place, _ in places:
                self._connection.publish(self.topics.event(place), event_message(event), retain=False)
            # So that a broker that takes no more hears none twice.
            publication.after = event.number or publication.after
        publication.photo = state.photo

    def _send(self, table: str, publication: _Publication, known: HomeTable) -> None:
        """Has the broker keep what is known of a table, and how it is shown."""
        found = discovery_message(self.topics, table, known, self._language, self._page, publication.components)
        self._keep(self.topics.config(table), msgspec.json.encode(found))
        publication.components = [name for name, each in found["components"].items() if len(each) > 1]
        self._keep(self.topics.state(table), msgspec.json.encode(known))

    def _remove(self, table: str) -> None:
        """Takes a table's device away. Its state follows later: Home Assistant still reads it for a moment."""
        config, state = self.topics.config(table), self.topics.state(table)
        self._connection.publish(config, b"")
        self._cleared.append(state)
        for topic in (config, state):
            self._sent.pop(topic, None)
        self._tables.pop(table, None)

    def _keep(self, topic: str, payload: bytes) -> None:
        if self._sent.get(topic) != payload:
            self._connection.publish(topic, payload)
            self._sent[topic] = payload

    # --- the button ---------------------------------------------------------------------------------------------------

    def _confirm(self, photo: str) -> None:
        """Confirms the throw in the photo of this id, if it still waits and may be confirmed without looking."""
        open_photos = (each for each in self._tables.values() if each.photo and each.photo.details.id == photo)
        publication = next(open_photos, None)
        if publication is None:
            return
        try:
            state = self._sessions.look(publication.key)
            act = sure_throw(state)
            if act is not None and state.photo is not None and state.photo.details.id == photo:
                self._sessions.do(publication.key, act, Asker(name=NAME))
        except (Problem, scorer.Refusal) as refused:
            logger.info("a throw could not be confirmed by MQTT: %s", refused)


def home_id(store: Store) -> str:
    """The id of a store in topics: the same after every start and on all its servers, and no right to anything."""
    with store.read() as connection:
        name = connection.execute(select(schema.schema_version.c.name)).scalar_one()
    return hashlib.blake2b(name.encode(), digest_size=6, person=b"home").hexdigest()


def _taken_from(take: Callable[[], Taken]) -> Iterator[Taken]:
    """All that is there, one by one: other threads add meanwhile. `take`: raises LookupError when nothing is left."""
    with contextlib.suppress(LookupError):
        while True:
            yield take()


def _status(state: str, by: str) -> str:
    return json.dumps({"state": state, "by": by})
