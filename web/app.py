"""Puts the Flask application together."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from vision.reasons import MAX_BYTES
from web.advising.advisor import Advisor
from web.advising.solutions import Solutions
from web.deletion_timer import DeletionTimer
from web.pages import (
    access,
    bodies,
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
    views,
    welcome,
)
from web.pages.forms import FormRequest
from web.photos.lone_readings import LoneReadings
from web.photos.photo_files import PhotoFiles
from web.photos.photo_reader import PhotoReader
from web.photos.stand_trials import StandTrials
from web.photos.watched_tables import WatchedTables
from web.server.live import Hub
from web.server.outgoing import AllowedNetworks
from web.server.security import Guesses, Hosts
from web.server.visitor_limits import Limits
from web.services import Services
from web.sessions import Sessions
from web.statistics.luck import LuckAnalyzer
from web.store.kept_games import OwnGame
from web.store.server_tokens import ServerToken, tokens_of
from web.store.sqlite import SqliteStore
from web.store.store import Store, photos_under_review
from web.texts import languages
from web.webhook_sender import WebhookSender

if TYPE_CHECKING:
    import vision
    from web.cluster.jobs import SharedQueue

BODY_LIMIT = MAX_BYTES + (1 << 16)  # with the form around it
JSON_LIMIT = 1 << 18  # of requests without a photo or a record
POLLED_S = 20.0  # between two looks for what other servers deleted, or have left to be told
RECORD_LIMIT = bodies.RECORD_LIMIT + (1 << 16)  # of the form with an imported record


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
    follow: Callable[[Services], None] = lambda parts: None  # starts to follow other servers


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
) -> Flask:
    """The application with its data in folder `data`, which is made if it is missing.

    `reader` None: `vision.Reader`, loaded when it is first needed. `hosts`: further names that the server answers to.
    `base_url`: the address in QR codes; None: the one that a phone came by. `other_urls`: what phones may try if it
    does not open. `database`: the address of a PostgreSQL database that has the games instead of a file, and that other
    servers may share. Then separate readers read the photos (`web.cluster.photo_worker`), and with `reads` this process
    too. `games`: offered to everybody. `webhooks_to`: where programs may be told what happens; None: in private
    networks, and nowhere if servers share the games. `copies`: as in
    `SqliteStore`. Close it with `services(app).close()`.
    """
    app = Flask(__name__, static_folder=None)
    app.request_class = FormRequest
    app.config.update(MAX_CONTENT_LENGTH=BODY_LIMIT, MAX_FORM_MEMORY_SIZE=JSON_LIMIT, BASE_URL=base_url, DATA=data)
    # Whether it is served over https, and then whether with a certificate of our own, of which phones warn.
    app.config.update(OTHER_URLS=list(other_urls), SECURE=False, OWN_CERTIFICATE=True)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}

    hub = Hub()
    base = _in_folder(data, hub, copies) if database is None else _in_database(database, data, hub, reads)
    sessions = base.sessions
    base.photo_files.sweep(photos_under_review(base.store))
    loaded = _default_reader if reader is None else lambda: reader
    photo_reader = PhotoReader(sessions, base.photo_files, loaded, camera, base.queue, base.lone)
    watched_tables = WatchedTables(sessions, photo_reader, camera, stands=database is None)
    known = Hosts(hosts)
    solutions = Solutions(data)
    analyses = solutions, LuckAnalyzer(solutions), Advisor(sessions, solutions)
    eyes = (photo_reader, watched_tables, StandTrials(sessions, photo_reader, watched_tables))
    counted = (base.guesses, base.limits, known)
    parts = Services(base.store, sessions, base.photo_files, *eyes, hub, *counted, *analyses)
    parts.house_games = games
    parts.owner_tokens = base.owner_tokens
    app.extensions["rollcall"] = parts
    base.follow(parts)
    polls_s = None if database is None else POLLED_S
    parts.deletions = DeletionTimer(base.store, sessions, base.photo_files.delete_kept, polls_s)
    allowed = AllowedNetworks(private=database is None) if webhooks_to is None else webhooks_to
    told = base.store, sessions, parts.event_feeds, allowed
    parts.webhook_sender = WebhookSender(*told, polls_s, base.owner_tokens)

    cross_site.install(app, known)
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
    return app


def _in_folder(data: Path, hub: Hub, copies: Path | None) -> _Storage:
    store = SqliteStore(data, copies)
    parts = Sessions(store, hub), PhotoFiles(data), Guesses(), Limits()
    return _Storage(store, *parts, owner_tokens=functools.partial(tokens_of, data))


def _in_database(database: str, data: Path, hub: Hub, reads: bool) -> _Storage:
    from web.cluster.follower import Follower
    from web.cluster.jobs import SharedQueue
    from web.cluster.photo_worker import PhotoWorker
    from web.cluster.shared_limits import SharedGuesses, SharedLimits
    from web.cluster.shared_pictures import SharedPictures
    from web.cluster.shared_readings import SharedReadings
    from web.cluster.shared_sessions import SharedSessions
    from web.cluster.shared_store import SharedStore
    from web.cluster.shared_tokens import SharedTokens
    from web.cluster.signals import Signals

    store = SharedStore(database)
    sessions = SharedSessions(store, hub)
    pictures, queue, limits = SharedPictures(store, data), SharedQueue(store), SharedLimits(store)
    lone = SharedReadings(store)

    def follow(parts: Services) -> None:
        parts.worker = PhotoWorker(queue, lone, parts.photo_reader) if reads else None
        followed = (store, Signals(store.url), sessions, hub, pictures, parts.photo_reader)
        parts.follower = Follower(*followed, queue, lone, limits, parts.worker)

    tokens = SharedTokens(store)

    def owner_tokens() -> Sequence[ServerToken]:
        return [*tokens.read(), *tokens_of(data)]  # older ones are each server's own

    return _Storage(store, sessions, pictures, SharedGuesses(store), limits, queue, lone, owner_tokens, follow)


def _default_reader() -> "vision.Reader":
    import vision

    return vision.Reader()
