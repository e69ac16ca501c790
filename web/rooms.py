"""The parts of a running application, for whoever has the application."""

from dataclasses import dataclass
from typing import Protocol

from flask import Flask

from web.advising.advisor import Advising
from web.advising.solutions import Solutions
from web.photos.photo_files import PhotoFiles
from web.photos.photo_reader import PhotoReader
from web.photos.table_watcher import TableWatcher
from web.server.limits import Limits
from web.server.live import Hub
from web.server.metrics import Metrics
from web.server.security import Guesses, Hosts
from web.sessions import Sessions
from web.statistics.luck import Lucks
from web.statistics.replays import Replays
from web.store.store import Store


class Closed(Protocol):
    """What is to be closed at the end."""

    def close(self) -> None: ...


@dataclass
class Rooms:
    """The parts behind the pages, as the views use them."""

    store: Store
    sessions: Sessions
    photo_files: PhotoFiles
    photo_reader: PhotoReader
    table_watcher: TableWatcher
    hub: Hub
    guesses: Guesses
    limits: Limits
    hosts: Hosts
    solutions: Solutions
    lucks: Lucks
    advising: Advising
    follower: Closed | None = None  # of what other processes do, where there are others
    taker: Closed | None = None  # of photos that wait for any reader
    meter: Metrics | None = None  # where somebody reads them

    def __post_init__(self) -> None:
        self.replays = Replays(self.store)  # of finished games, for statistics

    def close(self) -> None:
        self.hub.close()
        self.replays.close()
        if self.taker is not None:
            self.taker.close()
        if self.follower is not None:
            self.follower.close()
        self.table_watcher.close()
        self.solutions.close()
        self.photo_reader.close()
        self.store.close()


def rooms(app: Flask) -> Rooms:
    """The parts behind `app`."""
    found: Rooms = app.extensions["rollcall"]
    return found
