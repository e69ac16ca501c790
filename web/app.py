"""The Flask application: its parts put together."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from vision.limits import MAX_BYTES
from web.advising.advisor import Advising
from web.advising.solutions import Solutions
from web.pages import access, api, devices, errors, luck_page, parsing, security, static, statistics_pages, views
from web.pages.forms import FormRequest
from web.photos.looking import Camera, Looking, Reader
from web.photos.pictures import Pictures
from web.photos.watching import Watching
from web.rooms import Rooms
from web.server.limits import Limits, OwnLimits
from web.server.live import Hub
from web.server.security import Guesses, Hosts
from web.sessions import Sessions
from web.statistics.luck import Lucks
from web.store.sqlite import SqliteStore
from web.store.store import Store
from web.texts import languages

if TYPE_CHECKING:
    from web.cluster.jobs import SharedQueue

BODY_LIMIT = MAX_BYTES + (1 << 16)  # with the form around it
JSON_LIMIT = 1 << 18  # of everything that is neither a photo nor a record
RECORD_LIMIT = parsing.RECORD_LIMIT + (1 << 16)  # of the form with an imported record


def create_app(
    data: Path,
    reader: Reader | None = None,
    camera: Camera | None = None,
    hosts: Iterable[str] = (),
    base_url: str | None = None,
    other_urls: Sequence[str] = (),
    database: str | None = None,
    reads: bool = False,
) -> Flask:
    """The application with its data in folder `data`, which is made if it is missing.

    `reader` None: `vision.Reader`, loaded when it is first needed. `hosts`: names, besides this machine's own, that
    the server answers to. `base_url`: the address that phones should use, for the QR codes; None: the one they came by.
    `other_urls`: what they may try when that one does not open. `database`: the address of a PostgreSQL database that
    has the games in the place of a file in the folder, and that other servers may share; photos are read by readers of
    their own (`web.cluster.reading`) then, and with `reads` also in this process.
    Close it with `rooms(app).close()`.
    """
    app = Flask(__name__, static_folder=None)
    app.request_class = FormRequest
    app.config.update(MAX_CONTENT_LENGTH=BODY_LIMIT, MAX_FORM_MEMORY_SIZE=JSON_LIMIT, BASE_URL=base_url, DATA=data)
    app.config["OTHER_URLS"] = list(other_urls)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}

    store: Store = SqliteStore(data) if database is None else _shared(database)
    hub = Hub()
    sessions = Sessions(store, hub) if database is None else _shared_sessions(store, hub)
    pictures = Pictures(data) if database is None else _shared_pictures(store, data)
    pictures.sweep(store.photos_under_review())
    queue = None if database is None else _shared_queue(store)
    looking = Looking(sessions, pictures, _default_reader if reader is None else lambda: reader, camera, queue)
    watching = Watching(sessions, looking, camera)
    known = Hosts(hosts)
    solutions = Solutions(data)
    lucks, advising = Lucks(solutions), Advising(sessions, solutions)
    guesses, limits = (Guesses(), OwnLimits()) if database is None else _shared_limits(store)
    parts = Rooms(store, sessions, pictures, looking, watching, hub, guesses, limits, known, solutions, lucks, advising)
    app.extensions["rollcall"] = parts
    if queue is not None:
        _follow(parts, queue, reads)

    security.install(app, known)
    languages.install(app)
    devices.install(app)
    errors.install(app)
    access.install(app)
    app.register_blueprint(static.blueprint)
    app.register_blueprint(views.blueprint)
    app.register_blueprint(statistics_pages.blueprint)
    app.register_blueprint(luck_page.blueprint)
    app.register_blueprint(api.blueprint)
    app.register_blueprint(api.texts_blueprint)
    return app


def _shared(database: str) -> Store:
    from web.cluster.store import SharedStore

    return SharedStore(database)


def _shared_sessions(store: Store, hub: Hub) -> Sessions:
    from web.cluster.sessions import SharedSessions
    from web.cluster.store import SharedStore

    assert isinstance(store, SharedStore)
    return SharedSessions(store, hub)


def _shared_pictures(store: Store, data: Path) -> Pictures:
    from web.cluster.pictures import SharedPictures
    from web.cluster.store import SharedStore

    assert isinstance(store, SharedStore)
    return SharedPictures(store, data)


def _shared_queue(store: Store) -> "SharedQueue":
    from web.cluster.jobs import SharedQueue
    from web.cluster.store import SharedStore

    assert isinstance(store, SharedStore)
    return SharedQueue(store)


def _shared_limits(store: Store) -> tuple[Guesses, Limits]:
    from web.cluster.limits import SharedGuesses, SharedLimits
    from web.cluster.store import SharedStore

    assert isinstance(store, SharedStore)
    return SharedGuesses(store), SharedLimits(store)


def _follow(parts: Rooms, queue: "SharedQueue", reads: bool) -> None:
    from web.cluster.following import Follower
    from web.cluster.limits import SharedLimits
    from web.cluster.pictures import SharedPictures
    from web.cluster.reading import Taker
    from web.cluster.sessions import SharedSessions
    from web.cluster.signals import PostgresSignals
    from web.cluster.store import SharedStore

    assert isinstance(parts.store, SharedStore)
    assert isinstance(parts.sessions, SharedSessions)
    assert isinstance(parts.pictures, SharedPictures)
    assert isinstance(parts.limits, SharedLimits)
    signals = PostgresSignals(parts.store.url)
    parts.taker = Taker(queue, parts.looking) if reads else None
    rooms = (parts.store, signals, parts.sessions, parts.hub, parts.pictures, parts.looking)
    parts.follower = Follower(*rooms, queue, parts.limits, parts.taker)


def _default_reader() -> Reader:
    import vision

    return vision.Reader()
