"""Puts the Flask application together."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from web.advising.advisor import Advisor
from web.advising.solutions import Solutions
from web.background import Later, ThreadTask
from web.checking.game_checker import GameChecker
from web.deletion_timer import DeletionTimer
from web.event_feeds import EventFeeds
from web.pages import (
    access,
    cross_site,
    devices,
    errors,
    game_editor,
    luck_page,
    moved,
    openapi,
    operations,
    overlay,
    own_games,
    plain_http,
    static,
    statistics_pages,
    streams,
    views,
    welcome,
)
from web.pages.forms import FormRequest
from web.pages.large_bodies import BODY_LIMIT, JSON_LIMIT
from web.photos.lone_readings import LoneReadings
from web.photos.photo_files import PhotoFiles
from web.photos.photo_reader import PhotoReader
from web.photos.stand_trials import StandTrials
from web.photos.watched_tables import WatchedTables
from web.server.live import Hub
from web.server.outgoing import AllowedNetworks
from web.server.security import Guesses, Hosts
from web.server.visitor_limits import Limits
from web.services import Closable, Services
from web.sessions import Sessions
from web.statistics.luck import LuckAnalyzer
from web.statistics.replays import Replays
from web.store.kept_games import OwnGame
from web.store.server_tokens import ServerToken, tokens_of
from web.store.sqlite import SqliteStore
from web.store.store import Store, photos_under_review
from web.texts import languages
from web.webhook_sender import WebhookSender

if TYPE_CHECKING:
    import vision
    from web.cluster.jobs import SharedQueue

POLLED_S = 20.0  # between two looks for what other servers deleted, or have left to be told


@dataclass
class _Storage:
    """The stores of games and photos, and the counters of visitors: in a folder or a database."""

    store: Store
    sessions: Sessions
    photo_files: PhotoFiles
    guesses: Guesses
    limits: Limits
    queue: "SharedQueue | None" = None
    lone: LoneReadings | None = None
    owner_tokens: Callable[[], Sequence[ServerToken]] = lambda: ()
    follow: Callable[[PhotoReader], Sequence[Closable]] = lambda photo_reader: ()  # starts to follow other servers


def create_app(
    data: Path,
    reader: "vision.Reader | None" = None,
    camera: "vision.Camera | None" = None,
    hosts: Iterable[str] = (),
    base_url: str | None = None,
    other_urls: Sequence[str] = (),
    database: str | None = None,
    reads: bool = False,
    games: Sequence[OwnGame] = (),
    webhooks_to: AllowedNetworks | None = None,
    copies: Path | None = None,
    later: Later = ThreadTask,
) -> Flask:
    """The application with its data in folder `data`, which is made if it is missing.

    `reader` None: `vision.Reader`, loaded when it is first needed. `hosts`: further names that the server answers to.
    `base_url`: the address in QR codes; None: the one that a phone came by. `other_urls`: what phones may try if it
    does not open. `database`: the address of a PostgreSQL database that has the games instead of a file, and that other
    servers may share. Then separate readers read the photos (`web.cluster.photo_worker`), and with `reads` this process
    too. `games`: offered to everybody. `webhooks_to`: where programs may be told what happens; None: in private
    networks, and nowhere if servers share the games. `copies`: as in `SqliteStore`. `later`: how work beside requests
    is done. Close it with `services(app).close()`.
    """
    app = Flask(__name__, static_folder=None)
    app.request_class = FormRequest
    app.config.update(MAX_CONTENT_LENGTH=BODY_LIMIT, MAX_FORM_MEMORY_SIZE=JSON_LIMIT, BASE_URL=base_url, DATA=data)
    # Whether it is served over https, and then whether with a certificate of our own, of which phones warn.
    app.config.update(OTHER_URLS=list(other_urls), SECURE=False, OWN_CERTIFICATE=True)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}

    hub = Hub()
    base = _in_folder(data, hub, copies, later) if database is None else _in_database(database, data, hub, reads)
    sessions = base.sessions
    base.photo_files.sweep(photos_under_review(base.store))
    loaded = _default_reader if reader is None else lambda: reader
    photo_reader = PhotoReader(sessions, base.photo_files, loaded, camera, base.queue, base.lone, later)
    watched_tables = WatchedTables(sessions, photo_reader, camera, later, stands=database is None)
    solutions = Solutions(data, later)
    polls_s = None if database is None else POLLED_S
    allowed = AllowedNetworks(private=database is None) if webhooks_to is None else webhooks_to
    feeds = EventFeeds(sessions)
    app.extensions["rollcall"] = Services(
        store=base.store,
        sessions=sessions,
        photo_files=base.photo_files,
        photo_reader=photo_reader,
        watched_tables=watched_tables,
        stand_trials=StandTrials(sessions, photo_reader, watched_tables, later),
        hub=hub,
        guesses=base.guesses,
        limits=base.limits,
        solutions=solutions,
        luck_analyzer=LuckAnalyzer(solutions),
        advisor=Advisor(sessions, solutions),
        replays=Replays(base.store, later),
        event_feeds=feeds,
        game_checker=GameChecker(),
        deletions=DeletionTimer(base.store, sessions, base.photo_files.delete_kept, later, polls_s),
        webhooks=WebhookSender(base.store, sessions, feeds, allowed, polls_s, base.owner_tokens, later),
        house_games=games,
        owner_tokens=base.owner_tokens,
        followers=base.follow(photo_reader),
    )

    cross_site.install(app, Hosts(hosts))
    languages.install(app)
    welcome.install(app)
    plain_http.install(app)
    devices.install(app)
    errors.install(app)
    access.install(app)
    app.register_blueprint(static.blueprint)
    app.register_blueprint(views.blueprint)
    app.register_blueprint(game_editor.blueprint)
    app.register_blueprint(own_games.blueprint)
    app.register_blueprint(welcome.blueprint)
    app.register_blueprint(statistics_pages.blueprint)
    app.register_blueprint(luck_page.blueprint)
    app.register_blueprint(static.texts_blueprint)
    app.register_blueprint(operations.blueprint)
    app.register_blueprint(moved.blueprint)
    app.register_blueprint(openapi.blueprint)
    app.register_blueprint(overlay.blueprint)
    app.register_blueprint(streams.blueprint)
    return app


def _in_folder(data: Path, hub: Hub, copies: Path | None, later: Later) -> _Storage:
    store = SqliteStore(data, copies, later)
    parts = Sessions(store, hub), PhotoFiles(data), Guesses(), Limits()
    return _Storage(store, *parts, owner_tokens=functools.partial(tokens_of, data))


def _in_database(database: str, data: Path, hub: Hub, reads: bool) -> _Storage:
    from web.cluster.follower import Follower
    from web.cluster.jobs import SharedQueue
    from web.cluster.photo_worker import PhotoWorker
    from web.cluster.shared_limits import SharedGuesses, SharedLimits
    from web.cluster.shared_pictures import SharedPictures
    from web.cluster.shared_readings import SharedReadings
    from web.cluster.shared_store import SharedStore
    from web.cluster.shared_tokens import SharedTokens
    from web.cluster.signals import Signals

    store = SharedStore(database)
    sessions = Sessions(store, hub)
    pictures, queue, limits = SharedPictures(store, data), SharedQueue(store), SharedLimits(store)
    lone = SharedReadings(store)

    def follow(photo_reader: PhotoReader) -> Sequence[Closable]:
        worker = PhotoWorker(queue, lone, photo_reader) if reads else None
        signals = Signals(store.url)
        follower = Follower(store, signals, sessions, hub, pictures, photo_reader, queue, lone, limits, worker)
        return [follower] if worker is None else [worker, follower]

    tokens = SharedTokens(store)

    def owner_tokens() -> Sequence[ServerToken]:
        return [*tokens.read(), *tokens_of(data)]  # older ones are each server's own

    return _Storage(store, sessions, pictures, SharedGuesses(store), limits, queue, lone, owner_tokens, follow)


def _default_reader() -> "vision.Reader":
    import vision

    return vision.Reader()
