"""Puts the Flask application together."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.routing import Rule

from web.advising.advisor import Advisor
from web.advising.solutions import Solutions
from web.clubs.nights import Nights
from web.limits.guesses import Guesses
from web.limits.visitor_limits import Limits
from web.own_games.checker import Answers, AnswersHere, Checker
from web.pages import (
    club_seasons,
    clubs,
    errors,
    gate,
    linked_games,
    luck_page,
    openapi,
    operations,
    own_games,
    source,
    static,
    statistics_pages,
    streams,
    views,
)
from web.pages.host_names import Hosts
from web.pages.large_bodies import BODY_LIMIT, SMALL_LIMIT, FormRequest
from web.pages.live import NoPhones
from web.photos.photo_files import PhotoFiles
from web.photos.photo_reader import PhotoReader
from web.photos.reading_queue import LoneReadings, Queue
from web.photos.stand_trials import StandTrials
from web.photos.watched_tables import WatchedTables
from web.programs.installed import PROGRAMS
from web.runner.deletion_timer import DeletionTimer
from web.runner.runner import PhoneHub, Runner
from web.services import PhotoServices, ServerSettings, Services
from web.statistics.luck import LuckAnalyzer
from web.store.server_tokens import ServerToken, tokens_of
from web.store.sqlite import SqliteStore
from web.store.store import Store, photos_under_review
from web.tasks.background import Later
from web.texts import languages

if TYPE_CHECKING:
    import vision

PAGES = (
    static.blueprint,
    views.blueprint,
    own_games.blueprint,
    source.blueprint,
    linked_games.blueprint,
    clubs.blueprint,
    club_seasons.blueprint,
    statistics_pages.blueprint,
    luck_page.blueprint,
    static.texts_blueprint,
    operations.blueprint,
    openapi.blueprint,
    streams.blueprint,
)


@dataclass
class Storage:
    """Where the games and photos are, and what counts visitors: a folder's (`folder_storage`), or what a host gives.
    `hub`: shows tables live. `queue`, `lone`: photos that others read; None: this process reads them."""

    store: Store
    photo_files: PhotoFiles
    host_tokens: Callable[[], Sequence[ServerToken]]
    hub: PhoneHub = field(default_factory=NoPhones)
    guesses: Guesses = field(default_factory=Guesses)
    queue: Queue | None = None
    lone: LoneReadings | None = None


@dataclass(frozen=True)
class Seeing:
    """What sees dice. `reader` None: `vision.Reader`, loaded when it is first needed; `camera`: of the server."""

    reader: "vision.Reader | None" = None
    camera: "vision.Camera | None" = None

    def load(self) -> "vision.Reader":
        import vision

        return self.reader or vision.Reader()


def create_app(
    data: Path,
    later: Later,
    settings: ServerSettings | None = None,
    storage: Storage | None = None,
    seeing: Seeing | None = None,
    checks: Answers | None = None,
) -> Flask:
    """The application with its data in folder `data`, which is made if it is missing.

    `later`: how the host does work beside requests; such as `web.hosts.threads.ThreadTask`. `storage`: where the games
    are; None: in `data`. `checks`: checks games and records from outside; None: in this process. Close it with
    `services(app).close()`.
    """
    settings = settings or ServerSettings()
    app = _empty_app(data)
    parts = _make_services(data, later, settings, storage or folder_storage(data, later), seeing or Seeing(), checks)
    app.extensions["rollcall"] = parts
    gate.install(app, Hosts(settings.hosts))
    languages.install(app)
    errors.install(app)
    for program in PROGRAMS:
        program.install(app)
    for page in PAGES:
        app.register_blueprint(page)
    return app


class RouteRule(Rule):
    """A route that compiles what builds its addresses when one is first built: all of them take 0.1 s of a start."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        builder = functools.cache(super()._compile_builder)  # bounded: a yes or no
        return lambda rule, **values: builder(append_unknown)(rule, **values)


def _empty_app(data: Path) -> Flask:
    app = Flask(__name__, static_folder=None)
    app.request_class = FormRequest
    app.url_rule_class = RouteRule
    app.config.update(MAX_CONTENT_LENGTH=BODY_LIMIT, MAX_FORM_MEMORY_SIZE=SMALL_LIMIT, DATA=data)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    return app


def _make_services(
    data: Path, later: Later, settings: ServerSettings, base: Storage, seeing: Seeing, checks: Answers | None
) -> Services:
    base.photo_files.sweep(photos_under_review(base.store))
    runner, solutions = Runner(base.store, base.hub), Solutions(data, later)
    return Services(
        store=base.store,
        runner=runner,
        nights=Nights(runner),
        hub=base.hub,
        photos=_photo_services(runner, base, seeing, later),
        solutions=solutions,
        advisor=Advisor(runner, solutions),
        luck=LuckAnalyzer(solutions),
        guesses=base.guesses,
        limits=Limits(),
        host_tokens=base.host_tokens,
        checker=Checker(checks or AnswersHere()),
        deletions=DeletionTimer(base.store, runner, base.photo_files.delete_kept, later),
        settings=settings,
        later=later,
    )


def _photo_services(runner: Runner, base: Storage, seeing: Seeing, later: Later) -> PhotoServices:
    reader = PhotoReader(runner, base.photo_files, seeing.load, seeing.camera, later, base.queue, base.lone)
    # A phone's requests may come to several servers: who hands photos to others watches none.
    watched = WatchedTables(runner, reader, seeing.camera, later, stands=base.queue is None)
    return PhotoServices(base.photo_files, reader, watched, StandTrials(runner, reader, watched, later))


def folder_storage(data: Path, later: Later, hub: PhoneHub | None = None, copies: Path | None = None) -> Storage:
    """The games and photos in a folder of this machine. `hub` None: nobody is shown anything live.

    `copies`: as in `SqliteStore`.
    """
    store = SqliteStore(data, copies, later)
    return Storage(store, PhotoFiles(data), functools.partial(tokens_of, data), hub or NoPhones())
