"""The application as the shell's worker calls it: one request after the other, without a server."""

import functools
import io
import random
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from jinja2 import ModuleLoader

from scorer.games import all_infos
from web.app import Storage, create_app
from web.hosts.phone import all_games
from web.hosts.phone.cooperative_tasks import CooperativeTasks
from web.hosts.phone.page_streams import Streams
from web.hosts.phone.phone_photos import PhonePhotos
from web.hosts.phone.phone_store import PhoneStore
from web.hosts.phone.phones import HERE, CookieJar
from web.pages.live import STREAM
from web.photos.reading_queue import PhotoJob
from web.problems.problem import Problem, as_body
from web.services import ServerSettings, services
from web.store.server_tokens import tokens_of
from web.store.store import photos_under_review
from web.table.json_document import refusal_document
from web.texts.languages import LANGUAGES, translations

if TYPE_CHECKING:
    from web.hosts.phone.phone_eye import PhoneEye
    from web.photos.browser_eye import Ask

Headers = list[tuple[str, str]]
Answer = tuple[int, Headers, bytes, bool]  # status, headers, body, whether it goes on as a live stream

NOT_SENT_ON = {"set-cookie", "content-length"}
JARS = "phones.json"
MOST_TRIES = 2  # to read a photo at which the browser ended, the second time smaller
PHOTO_GONE = refusal_document(Problem("photo-ended"))
COMPILED = Path(__file__).parent / "templates"  # as the build of the site leaves them: modules of Python


class PhoneApplication:
    """The application of the host tab. For one thread."""

    def __init__(self, data: Path, host: str, ask: "Ask") -> None:
        """`ask`: asks the browser's eye."""
        self._streams, self._turns = Streams(), CooperativeTasks()
        self._photos, self._files, self._ask_eye = PhotoTurns(), PhonePhotos(data), ask
        self._eye: PhoneEye | None = None
        store = PhoneStore(data, self._turns.later)
        storage = Storage(
            store=store,
            hub=self._streams,
            photo_files=self._files,
            host_tokens=functools.partial(tokens_of, data),
            queue=self._photos,
        )
        self.app = create_app(data, self._turns.later, ServerSettings([host]), storage)
        all_games.install(self.app)
        for review_id, key in photos_under_review(store).items():
            if self._files.original(review_id) is None:  # it was in memory alone
                services(self.app).photos.reader.review.fail(key, review_id, PHOTO_GONE)
        if COMPILED.is_dir():
            self.app.jinja_env.loader = ModuleLoader(COMPILED)
        self._jar = CookieJar(data / JARS)

    def answer(
        self,
        id: str,
        method: str,
        path: str,
        headers: Iterable[tuple[str, str]],
        body: bytes | None,
        host: str,
        secure: bool,
        phone: str = HERE,
    ) -> Answer:
        """What the application answers to a request. `id`: the shell's own; `path`: with the query; `phone`: whose
        request it is, this phone's or a guest's."""
        environ = _environ(method, path, headers, bytes(body or b""), host, secure, phone)
        environ["HTTP_COOKIE"] = self._jar.header(phone)
        status, response_headers, content = self._ask(environ)
        self._jar.take(phone, (value for name, value in response_headers if name.lower() == "set-cookie"))
        stream = environ.get(STREAM) if status == 200 else None
        if stream is not None:
            try:
                content = self._streams.begin(id, stream)
            except Problem as problem:
                return problem.status, [("Content-Type", "application/problem+json")], as_body(problem), False
        kept = [(name, value) for name, value in response_headers if name.lower() not in NOT_SENT_ON]
        return status, kept, content, stream is not None

    def _ask(self, environ: dict[str, Any]) -> tuple[int, Headers, bytes]:
        started: list[tuple[int, Headers]] = []

        def start_response(status: str, headers: Headers, error: object = None) -> None:
            started[:] = [(int(status.split(" ", 1)[0]), headers)]

        parts = self.app.wsgi_app(environ, start_response)  # type: ignore[arg-type]
        try:
            body = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        return *started[0], body

    def close_stream(self, id: str) -> None:
        """A page has closed the live stream that its request `id` began."""
        self._streams.close(id)

    def take_events(self) -> list[tuple[str, bytes, bool]]:
        """What live streams are sent since the last call: the id of each, the events, and whether it ends."""
        return [(each.id, each.body, each.last) for each in self._streams.take()]

    def beat(self) -> None:
        """Tells all live streams that the application is there."""
        self._streams.beat()

    def work(self) -> float | None:
        """Does what is due beside requests. Returns after how many seconds more is; None: nothing is waited for."""
        return self._turns.work()

    def has_photo(self) -> bool:
        return self._photos.has_one

    async def read_photo(self) -> None:
        """Reads the photo whose turn it is, by the browser's eye."""
        review_id, parts = self._photos.take(), services(self.app)
        key = photos_under_review(parts.store).get(review_id)
        if key is None:  # it was discarded
            return
        self._files.begin_reading(review_id)
        if self._files.tries > MOST_TRIES:
            parts.photos.reader.give_up(key, review_id, "photo-ended")
            return
        try:
            eye = self.begin_eye()
        except ImportError:  # what comes after the start did not come
            parts.photos.reader.give_up(key, review_id, "reader-not-loaded")
            return
        try:
            await parts.photos.reader.read(key, review_id, eye)
        finally:
            self._files.end_reading(review_id)
            await eye.forget()

    def begin_eye(self) -> "PhoneEye":
        """What reads photos. Raises ImportError if what comes after the start did not come."""
        from web.hosts.phone.phone_eye import PhoneEye

        self._eye = self._eye or PhoneEye(self._ask_eye, self._files)
        return self._eye

    def await_eye(self, is_coming: bool) -> None:
        """Tells all phones that what reads photos is still coming, or that it has come."""
        services(self.app).photos.reader.tell_problem(Problem("eye-coming", 503) if is_coming else None)

    def close(self) -> None:
        services(self.app).close()


class PhotoTurns:
    """Photos that wait for the browser's eye: takes the place of `web.photos.reading_queue.ReadingQueue`."""

    def __init__(self) -> None:
        self._waiting: dict[int, str] = {}  # the photo of each table, in the order in which they are read

    def put(self, job: PhotoJob) -> int:
        """Raises `Problem("no-readers")` for a photo without a table: programs ask a computer."""
        if job.table_id < 0:
            raise Problem("no-readers", 503)
        if not job.is_wanted():
            return 1
        self._waiting[job.table_id] = job.reading
        return list(self._waiting).index(job.table_id) + 1

    @property
    def has_one(self) -> bool:
        return bool(self._waiting)

    def take(self) -> str:
        """The id of the photo whose turn it is."""
        return self._waiting.pop(next(iter(self._waiting)))

    def close(self) -> None:
        self._waiting.clear()


def prepare() -> None:
    """Loads what each start needs and none changes: the phone keeps the memory that has it (`shell/python.js`)."""
    all_infos()
    for language in LANGUAGES:
        translations(language)


def start(data: str, host: str, ask: "Ask") -> PhoneApplication:
    """Opens the application with its data in a folder. `host`: the name in the site's address. `ask`: asks the
    browser's eye."""
    random.seed()  # the memory may be that of an earlier start
    return PhoneApplication(Path(data), host, ask)


def _environ(
    method: str, path: str, headers: Iterable[tuple[str, str]], body: bytes, host: str, secure: bool, phone: str
) -> dict[str, Any]:
    """The request as PEP 3333 wants it. The service worker answers pages of this site alone. Limits count guests, as
    phones of a network, each with an address of its own."""
    address, _, query = path.partition("?")
    name, _, port = host.partition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(address).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_NAME": name,
        "SERVER_PORT": port or ("443" if secure else "80"),
        "REMOTE_ADDR": "127.0.0.1" if phone == HERE else f"guest {phone}",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_HOST": host,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https" if secure else "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for header, value in headers:
        known = header.lower()
        environ["CONTENT_TYPE" if known == "content-type" else "HTTP_" + known.upper().replace("-", "_")] = value
    return environ
