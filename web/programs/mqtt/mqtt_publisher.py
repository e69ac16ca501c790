"""Tells an MQTT broker of the running tables, so that Home Assistant and other programs of a home see them.

Whoever changes a table only notes its key here; a task beside requests tells the broker, so a dead broker costs no
action anything. While there is no connection nothing is queued: after it all tables are told anew, as they stand then.
"""

import contextlib
import hashlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from paho.mqtt.client import MQTTMessage
from sqlalchemy import func, select

import scorer
from web.problems.problem import Problem
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
from web.runner.runner import Runner, TableChange
from web.store import schema
from web.store.stamps import stamp
from web.store.store import Store
from web.table.access_list import table_id
from web.table.commands import Asker
from web.table.events import Logged
from web.table.happenings import TableEvent, events_after, last_number, photo_events
from web.table.photo_state import UnderReview
from web.table.state import State
from web.tasks.background import Later

logger = logging.getLogger(__name__)

Taken = TypeVar("Taken")

NAME = "MQTT"  # of whoever confirms a throw here, in the list of steps
MOST_TABLES = 50  # that are told, those used last
IDLE_S = 7 * 24 * 3600  # after the last step, a game that is not over is no longer told
OVER_S = 24 * 3600  # after its end, a game is no longer told
POLL_S = 5.0  # between two looks at the tables: new ones, deleted ones, and what other servers did
MOST_RECEIVED = 1000  # presses of the button that wait for the thread here
GONE = ("table-unknown", "table-deleted", "table-lost")  # why there is no such table any more


@dataclass
class _Publication:
    """What was told of one table. `after`: the number of its last event; None: its events begin with the next one.
    `photo`: under review; `change`: the number of its last event in the journal."""

    key: str = ""
    after: int | None = None
    photo: UnderReview | None = None
    change: int = 0
    components: Collection[str] = ()


class MqttPublisher:
    """Connects by itself, also again. Close it before the store. Of several servers that share a store one has it.

    `language`: of all names. `page`: the address of this server for people, if it is known.
    """

    def __init__(
        self,
        store: Store,
        runner: Runner,
        broker: BrokerAddress,
        language: str,
        later: Later,
        page: str | None = None,
    ) -> None:
        self._store, self._runner, self._page = store, runner, page
        self._language = language
        self._said = False  # that it goes wrong now
        self.topics = Topics(home_id(store))
        self._changed: dict[str, int] = {}  # keys of tables, each with the number of its last event before the change
        self._pressed: deque[str] = deque(maxlen=MOST_RECEIVED)  # the ids of the photos to confirm
        self._is_new = threading.Event()  # the connection
        self._known: set[str] = set()  # the tables whose devices the broker keeps, also from an earlier start
        self._tables: dict[str, _Publication] = {}  # by their ids
        self._latest = _Publication()
        self._cleared: list[str] = []  # topics that the broker need not keep any more
        self._sent: dict[str, bytes] = {}  # what the broker keeps, by topic
        self._looked_at = 0.0
        # The broker ends an earlier connection of the same name.
        name, will = f"rollcall-{self.topics.home}", (self.topics.status, OFFLINE)
        self._connection = BrokerConnection(broker, name, will, self._note_connection, self._note_message)
        self._task = later("mqtt", self._step)
        runner.follow(self._follow)
        self._connection.start()

    def close(self) -> None:
        """Tells the broker that nobody tells any more, and ends."""
        self._task.end(ENDS_WITHIN_S)
        self._connection.close()

    # --- called by other threads: they only note something, each time in one atomic step ------------------------------

    def _follow(self, change: TableChange) -> None:
        lines = sum(len(each.lines) for each in change.events if isinstance(each, Logged))
        self._changed.setdefault(change.key, last_number(change.state.version - lines))
        self._task.wake()

    def _note_connection(self) -> None:
        self._is_new.set()
        self._task.wake()

    def _note_message(self, message: MQTTMessage) -> None:
        if message.topic.startswith(DISCOVERY):
            table = self.topics.table_of(message.topic)
            if table is not None and message.payload:
                self._known.add(table)
        elif not message.retain:
            self._pressed.append(message.payload.decode("ascii", "replace"))
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
        return POLL_S

    def _attend(self) -> None:
        is_there, changed = self._connection.is_there, dict(_taken_from(self._changed.popitem))
        if not is_there:
            return
        if self._is_new.is_set():
            self._begin()
        for photo in _taken_from(self._pressed.popleft):
            self._confirm(photo)
        if changed or time.monotonic() - self._looked_at >= POLL_S:
            try:
                self._look(changed)
            except (Problem, BusyError):
                self._changed.update(changed)  # all is tried again
                raise

    def _begin(self) -> None:
        """Begins anew after a connection: all is told again, but for events, since nobody wants to hear what happened
        before."""
        self._connection.publish(self.topics.status, ONLINE)
        self._is_new.clear()
        self._looked_at, self._sent = 0.0, {}
        for publication in self._tables.values():
            publication.after = None
        self._connection.subscribe(self.topics.confirm("+"))
        # What an earlier server told of tables that are gone comes now, and is taken away.
        self._connection.subscribe(f"{DISCOVERY}/device/+/config")

    # --- the tables ---------------------------------------------------------------------------------------------------

    def _look(self, changed: dict[str, int]) -> None:
        """Tells of the tables that are new or were changed, and no longer of those that are gone or long over."""
        numbers = dict(self._tables_to_tell())
        wanted = {table_id(key): key for key in numbers}
        while self._cleared:
            self._connection.publish(self._cleared[-1], b"")
            self._cleared.pop()
        for table in {*self._tables, *_taken_from(self._known.pop)} - wanted.keys() - {LATEST}:
            self._remove(table)
        first = next(iter(wanted), None)
        for table, key in wanted.items():
            publication = self._tables.setdefault(table, _Publication(key, changed.get(key)))
            is_first, number = table == first, numbers[key]
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
            self._tell(table, publication, self._runner.look(publication.key), is_first)
        except (Problem, BusyError) as error:
            if isinstance(error, Problem) and error.reason in GONE:
                self._remove(table)
                return
            raise
        except Exception:  # the other tables are told nevertheless
            logger.exception("the MQTT broker could not be told of a table")

    def _tables_to_tell(self) -> Iterator[tuple[str, int]]:
        """The keys of the tables to tell of, each with the number of its last event. The one that was used last is
        first."""
        tables, events, now = schema.tables.c, schema.events.c, time.time()
        last = select(func.max(events.number)).where(events.table_id == tables.id).scalar_subquery().label("last")
        query = (
            select(tables.key, tables.active_at, tables.finished_at, last)
            .where(tables.deleted_at.is_(None))
            .order_by(tables.active_no.desc())
            .limit(MOST_TABLES)
        )
        with self._store.read() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            since = now - (OVER_S if row.finished_at else IDLE_S)
            if (row.finished_at or row.active_at) >= stamp(since):
                yield row.key, row.last or 0

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
            happened += events_after(state, publication.after)
            happened += photo_events(None, state) if state.photo != publication.photo else ()
        for event in happened:
            for place, _ in places:
                self._connection.publish(self.topics.event(place), event_message(event), retain=False)
            # So that a broker that takes no more hears none twice.
            publication.after = event.number or publication.after
        publication.photo = state.photo

    def _send(self, table: str, publication: _Publication, known: HomeTable) -> None:
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
            state = self._runner.look(publication.key)
            act = sure_throw(state)
            if act is not None and state.photo is not None and state.photo.details.id == photo:
                self._runner.do(publication.key, act, Asker(name=NAME))
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
