"""Puts the Flask application together."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from web.advising.advisor import Advisor
from web.advising.solutions import Solutions
from web.checking.game_checker import Answers, AnswersHere, GameChecker
from web.common.background import Later
from web.limits.guesses import Guesses
from web.limits.visitor_limits import Limits
from web.pages import (
    errors,
    gate,
    linked_games,
    luck_page,
    moved,
    openapi,
    operations,
    own_games,
    static,
    statistics_pages,
    streams,
    views,
)
from web.pages.host_names import Hosts
from web.pages.large_bodies import BODY_LIMIT, JSON_LIMIT, FormRequest
from web.pages.live import NoPhones
from web.photos.photo_files import PhotoFiles
from web.photos.photo_reader import PhotoReader
from web.photos.reading_queue import LoneReadings, Queue
from web.photos.stand_trials import StandTrials
from web.photos.watched_tables import WatchedTables
from web.programs.event_feeds import EventFeeds
from web.programs.installed import PROGRAMS
from web.programs.webhooks.outgoing import AllowedNetworks
from web.runner import PhoneHub, Sessions
from web.services import Closable, Services
from web.statistics.luck import LuckAnalyzer
from web.statistics.replays import Replays
from web.store.kept_games import OwnGame
from web.store.server_tokens import ServerToken, tokens_of
from web.store.sqlite import SqliteStore
from web.store.store import Store, photos_under_review
from web.texts import languages
from web.upkeep.deletion_timer import DeletionTimer

if TYPE_CHECKING:
    import vision

POLLED_S = 20.0  # between two looks for what other servers deleted, or have left to be told


@dataclass
class Storage:
    """Where the games and photos are, and what counts visitors: a folder's (`folder_storage`), or what a host gives."""

    store: Store
    hub: PhoneHub
    sessions: Sessions
    photo_files: PhotoFiles
    guesses: Guesses
    limits: Limits
    host_tokens: Callable[[], Sequence[ServerToken]]
    queue: Queue | None = None  # of photos that any server reads
    lone: LoneReadings | None = None
    watches: bool = True  # whether frames of cameras and of phones on stands can be watched
    follow: Callable[[PhotoReader], Sequence[Closable]] = lambda photo_reader: ()  # starts to follow other servers


def create_app(
    data: Path,
    later: Later,
    reader: "vision.Reader | None" = None,
    camera: "vision.Camera | None" = None,
    hosts: Iterable[str] = (),
    base_url: str | None = None,
    other_urls: Sequence[str] = (),
    storage: Storage | None = None,
    games: Sequence[OwnGame] = (),
    webhooks_to: AllowedNetworks | None = None,
    checks: Answers | None = None,
) -> Flask:
    """The application with its data in folder `data`, which is made if it is missing.

    `later`: how the host does work beside requests; such as `web.hosts.threads.ThreadTask`.
    `reader` None: `vision.Reader`, loaded when it is first needed. `hosts`: further names that the server answers to.
    `base_url`: the address in QR codes; None: the one that a phone came by. `other_urls`: what phones may try if it
    does not open. `storage`: where the games are; None: in `data`. `games`: offered to everybody. `webhooks_to`: where
    programs may be told what happens; None: in private networks, and nowhere if servers share the games. `checks`:
    checks games from outside; None: in this process. Close it with `services(app).close()`.
    """
    app = Flask(__name__, static_folder=None)
    app.request_class = FormRequest
    app.config.update(MAX_CONTENT_LENGTH=BODY_LIMIT, MAX_FORM_MEMORY_SIZE=JSON_LIMIT, BASE_URL=base_url, DATA=data)
    # Whether it is served over https, and then whether with a certificate of our own, of which phones warn.
    app.config.update(WEBHOOKS_TO=webhooks_to, OTHER_URLS=list(other_urls), SECURE=False, OWN_CERTIFICATE=True)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}

    base = storage or folder_storage(data, later)
    sessions = base.sessions
    base.photo_files.sweep(photos_under_review(base.store))
    loaded = _default_reader if reader is None else lambda: reader
    photo_reader = PhotoReader(sessions, base.photo_files, loaded, camera, later, base.queue, base.lone)
    watched_tables = WatchedTables(sessions, photo_reader, camera, later, stands=base.watches)
    solutions = Solutions(data, later)
    polls_s = POLLED_S if base.store.is_shared else None
    app.extensions["rollcall"] = Services(
        store=base.store,
        sessions=sessions,
        photo_files=base.photo_files,
        photo_reader=photo_reader,
        watched_tables=watched_tables,
        stand_trials=StandTrials(sessions, photo_reader, watched_tables, later),
        hub=base.hub,
        guesses=base.guesses,
        limits=base.limits,
        solutions=solutions,
        luck_analyzer=LuckAnalyzer(solutions),
        advisor=Advisor(sessions, solutions),
        replays=Replays(base.store, later),
        event_feeds=EventFeeds(sessions),
        game_checker=GameChecker(checks or AnswersHere()),
        deletions=DeletionTimer(base.store, sessions, base.photo_files.delete_kept, later, polls_s),
        house_games=games,
        host_tokens=base.host_tokens,
        followers=base.follow(photo_reader),
        later=later,
        polls_s=polls_s,
    )

    gate.install(app, Hosts(hosts))
    languages.install(app)
    errors.install(app)
    for program in PROGRAMS:
        program.install(app)
    app.register_blueprint(static.blueprint)
    app.register_blueprint(views.blueprint)
    app.register_blueprint(own_games.blueprint)
    app.register_blueprint(linked_games.blueprint)
    app.register_blueprint(statistics_pages.blueprint)
    app.register_blueprint(luck_page.blueprint)
    app.register_blueprint(static.texts_blueprint)
    app.register_blueprint(operations.blueprint)
    app.register_blueprint(moved.blueprint)
    app.register_blueprint(openapi.blueprint)
    app.register_blueprint(streams.blueprint)
    return app


def folder_storage(data: Path, later: Later, hub: PhoneHub | None = None, copies: Path | None = None) -> Storage:
    """The games and photos in a folder of this machine. `hub` None: nobody is shown anything live.

    `copies`: as in `SqliteStore`.
    """
    hub, store = hub or NoPhones(), SqliteStore(data, copies, later)
    return Storage(
        store=store,
        hub=hub,
        sessions=Sessions(store, hub),
        photo_files=PhotoFiles(data),
        guesses=Guesses(),
        limits=Limits(),
        host_tokens=functools.partial(tokens_of, data),
    )


def _default_reader() -> "vision.Reader":
    import vision

    return vision.Reader()
