"""The whole server: uvicorn with the pages in a counted pool of threads and the live streams beside them."""

import asyncio
import contextlib
import functools
import gc
import logging
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, TextIO
from urllib.parse import unquote, urlsplit

import platformdirs
import segno
import uvicorn
from flask import Flask

from web import app, asking
from web.pages import access
from web.pages.access import METER
from web.pages.devices import device_of
from web.problems import Problem, disk_problem
from web.rooms import rooms as rooms_of
from web.server import addresses, heap, live, log, protocol, security
from web.server.acceptor import MOST_GREETINGS, Door
from web.server.connections import OUTSIDE, At, Caller, Callers
from web.server.headers import header
from web.server.keys import Keys
from web.server.metrics import METRICS, Metrics
from web.server.observing import Observed, Paths, Seen
from web.server.probes import HEALTH, READY, SERVER, Probes
from web.server.proxies import Proxies
from web.server.security import host_name
from web.server.wsgi_bridge import Gateway, caller_of
from web.store.maintenance import locking
from web.store.schema import DatabaseError, SchemaError
from web.store.sqlite import FILE_NAME
from web.store.store import fault, unread

logger = logging.getLogger(__name__)

ALL_ADDRESSES = "0.0.0.0"
THREADS = 16  # for pages and actions; an action takes milliseconds, and photos are read by a thread of their own
KEEP_ALIVE_S = 30
TICKS_BETWEEN_LOOKS = 50  # of a tenth of a second
CROWD = 300  # connections, which leave holes in memory when they go
END_WITHIN_S = 3  # seconds that running requests get when the server is asked to end
WARM_UP_WITHIN_S = 60
QR_BORDER = 2

# What keeps the data folder from being used, as whoever starts the server is told.
UNUSABLE = {
    "store-full": "the disk is full; make room and start again",
    "store-failed": "it cannot be written; make it writable, or name another with --data",
    "store-busy": f"another program has {FILE_NAME} locked; end that program and start again",
    "store-damaged": f"{FILE_NAME} in it is damaged or not Rollcall's; put a backup in its place",
}


class ServeError(RuntimeError):
    """The server cannot start: one sentence that says what was wrong and what would be right."""


class Application:
    """The ASGI application: live streams in the event loop, everything else in Flask's threads."""

    def __init__(self, pages: Flask, threads: int = THREADS, metrics: Metrics | None = None) -> None:
        self.keys = Keys()
        self._pages = Gateway(pages, threads, app.JSON_LIMIT, self._larger, self.keys.note)
        self._rooms = rooms_of(pages)
        self.probes = Probes(functools.partial(fault, self._rooms.store), self._rooms.store.looked_through)
        self._metrics = metrics

    @property
    def hub(self) -> live.Hub:
        return self._rooms.hub

    async def __call__(self, scope: live.Scope, receive: live.Receive, send: live.Send) -> None:
        key = _table_of(scope, "GET", "events")
        # Of an answer to HEAD the connection leaves the body out.
        asked = scope["path"] if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if asked in (HEALTH, READY):
            await self.probes.answer(asked, send)
        elif scope["type"] == "http" and (scope["method"], scope["path"]) == ("OPTIONS", SERVER):
            await self.probes.answer_ping(send)
        elif asked == METRICS and self._metrics is not None:
            page = await asyncio.to_thread(self._metrics.page) if self._metrics.allows(scope) else None
            await self._metrics.answer(page, send)
        elif key is None:
            await self._pages(scope, receive, send)
        else:
            await self._stream(key, scope, receive, send)

    async def _stream(self, key: str, scope: live.Scope, receive: live.Receive, send: live.Send) -> None:
        caller = caller_of(scope)
        try:
            security.check_host(self._rooms.hosts, header(scope, "host"))
            phone = device_of(header(scope, "cookie"))
            asking.ask_as(phone, key)  # in this request's own task
            with self._rooms.hub.listening(key, caller, phone) as listener:
                state = await asyncio.to_thread(self._first_state, key, caller, phone)
                self.keys.note(key)
                await self._rooms.hub.stream(listener, state, receive, send)
        except Problem as problem:
            await live.refuse(send, problem, header(scope, "accept"))

    def _first_state(self, key: str, caller: Caller, phone: str) -> bytes:
        access.come_in(self._rooms, key, caller.owner, phone)
        return self._rooms.playing.state(key)

    def _larger(self, scope: live.Scope) -> int:
        """How many bytes a large request may have: a photo for a table that there is, or a record.

        Raises `Problem`, before anything of the body is read, when the table is not known, when the phone may not come
        there, and when nothing may be done there.
        """
        if (scope["method"], scope["path"]) == ("POST", "/import"):
            return app.RECORD_LIMIT
        key = _table_of(scope, "POST", "photos")
        if key is None:
            return app.JSON_LIMIT
        phone = device_of(header(scope, "cookie"))
        access.come_in(self._rooms, key, caller_of(scope).owner, phone, changes=True)
        return app.BODY_LIMIT


def _nothing() -> None:
    pass


class Server(uvicorn.Server):
    """Uvicorn that counts its connections, lets go of them when it is asked to end, and ends with exit status 0.

    `ready` is called when phones can come and a signal would end it cleanly.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        hub: live.Hub | None = None,
        ready: Callable[[], None] = _nothing,
        keys: Keys | None = None,
        proxies: Proxies | None = None,
        probes: Probes | None = None,
        drain_s: float = 0.0,
    ) -> None:
        """`drain_s`: for how long a server that is asked to end serves on, while `probes` tell that it will."""
        super().__init__(config)
        self._probes = probes
        self._drain_s = drain_s
        self._ends_at: float | None = None
        self._hub = hub
        self._keys = keys or Keys()
        self._proxies = proxies or Proxies()
        self._ready = ready
        self._callers = Callers(
            protocol.most_connections(),
            {
                At.GREETING: MOST_GREETINGS,
                At.SENDING: protocol.MOST_BODIES,
                At.HEARING: protocol.MOST_HEARING,
            },
            protocol.MOST_OVER_TLS if config.is_ssl else None,
        )
        self._crowd = 0  # the most connections since memory was given back

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        for sock in sockets or []:
            door = Door(sock, self._protocol, self._callers, self._keys, self.config.ssl)
            self.servers.append(door)  # type: ignore[arg-type]
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._probes is not None:
            self._probes.ending = True
        if self._drain_s and self._ends_at is None:  # a second signal does not wait
            self._ends_at = time.monotonic() + self._drain_s
            return
        if self._hub is not None:
            self._hub.close()
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        self._look_after(counter)
        if self._ends_at is not None and time.monotonic() >= self._ends_at and not self.should_exit:
            self.handle_exit(signal.SIGTERM, None)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Who is in the middle of sending would be waited for in vain.
        for caller in self._callers.everybody(*OUTSIDE, At.BEGINNING, At.GREETING, At.SENDING):
            caller.end()
        await super().shutdown(sockets)

    def _protocol(self, caller: Caller) -> protocol.Wire:
        about = (self.config, self.server_state, self.lifespan.state)
        return protocol.Wire(*about, caller=caller, callers=self._callers, keys=self._keys, proxies=self._proxies)

    def _look_after(self, counter: int) -> None:
        """Tells how many connections had to give way, and gives memory back once a crowd has gone."""
        if counter % TICKS_BETWEEN_LOOKS:
            return
        if self._callers.ended:
            logger.warning("too many connections or bodies at once; how many had to give way: %d", self._callers.ended)
            self._callers.ended = 0
        self._crowd = max(self._crowd, self._callers.count)
        if self._crowd > CROWD and self._callers.count < self._crowd // 2:
            self._crowd = self._callers.count
            gc.collect()
            heap.give_back()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sig: signal.signal(sig, self.handle_exit) for sig in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for sig, handler in before.items():
                signal.signal(sig, handler)


def default_data() -> Path:
    """This user's data folder, where none is named."""
    return Path(platformdirs.user_data_dir("rollcall", appauthor=False))


def serve(
    data: Path | None = None,
    host: str | None = None,
    port: int = 8000,
    camera: str | None = None,
    https: bool = False,
    cert: Path | None = None,
    key: Path | None = None,
    names: Sequence[str] = (),
    behind: Sequence[str] = (),
    out: TextIO | None = None,
    database: str | None = None,
    drain_s: float = 0.0,
    metrics: str | None = None,
    lines: bool = False,
) -> int:
    """Serves until SIGTERM or SIGINT, and returns 0. Prints the addresses and a QR code when phones can come.

    `data` None: this user's data folder. `host` None: all addresses of this machine. `camera`: what `vision.Camera`
    takes. `cert` and `key`: PEM files, else with `https` a certificate of our own, kept in `data`. `names`: further
    host names that the server answers to. `behind`: addresses of reverse proxies that are believed whom they call for.
    `database`: as in `web.app.create_app`. `drain_s`: see `Server`. `metrics`: the token by
    which `/metrics` is told, None: to nobody. `lines`: one of JSON for each request and event, on standard error.
    Raises `ServeError`.
    """
    if key is not None and cert is None:
        raise ServeError("--key needs --cert: name the certificate that it belongs to, or leave both out")
    if camera is not None and database is not None:
        raise ServeError("--camera belongs to one machine, and phones may come to any with --database: leave one out")
    proxies = _proxies(behind)
    heap.share()
    protocol.raise_file_limit()
    data = data or default_data()
    host = host or ALL_ADDRESSES
    secure = https or cert is not None
    hosts = list(addresses.shown_hosts(host))
    sock = _listen(host, port)
    port = sock.getsockname()[1]
    urls = [addresses.url(name, port, secure) for name in hosts]
    journal = log.Journal(sys.stderr, _secrets(database, metrics)) if lines else None
    with contextlib.closing(sock), log.rated(journal), _alone(data) as take_store:
        files = _certificate(data, hosts, cert, key) if secure else None
        eye = _camera(camera) if camera is not None else None
        pages = _pages(data, eye, [*names, host], urls, database)
        rooms = rooms_of(pages)
        told = functools.partial(announce, urls, out or sys.stdout, all_addresses=host in addresses.ALL)
        warm_up = rooms.looking.warm_up if database is None else lambda: None  # readers of their own read photos then
        warming = threading.Thread(target=warm_up, name="detector", daemon=True)
        try:
            take_store()
            warming.start()
            meter = None if metrics is None else _metrics(pages, metrics)
            observers = [*([] if meter is None else [meter.note]), *([] if journal is None else [journal.note])]
            application = Application(pages, metrics=meter)
            _run(application, _observed(application, pages, observers), sock, files, told, proxies, drain_s)
        finally:
            rooms.close()
            # The runtime of the networks does not bear the interpreter's end while it loads them.
            warming.join(WARM_UP_WITHIN_S)
            if eye is not None and hasattr(eye, "close"):
                eye.close()
    return 0


def _secrets(database: str | None, token: str | None) -> list[str]:
    """What must stand in no line of the log, whoever writes it."""
    password = None if database is None else urlsplit(database).password
    return [each for each in (password, unquote(password or ""), token) if each]


def _metrics(pages: Flask, token: str) -> Metrics:
    rooms = rooms_of(pages)
    try:
        meter = Metrics(lambda: rooms.hub.streams, functools.partial(unread, rooms.store), token)
    except ValueError as error:
        raise ServeError(f"{error}: make ROLLCALL_METRICS_TOKEN longer") from error
    pages.extensions[METER] = meter
    return meter


def _observed(
    application: Application, pages: Flask, observers: Sequence[Callable[[Seen], None]]
) -> Application | Observed:
    """The application as it is, unless somebody wants to know of its requests."""
    if not observers:
        return application
    rules = [rule.rule for rule in pages.url_map.iter_rules()]
    return Observed(application, Paths([*rules, HEALTH, READY, METRICS, "/tables/<key>/events"]), observers)


@contextlib.contextmanager
def _alone(data: Path) -> Iterator[Callable[[], None]]:
    """Two servers on one data folder would each show its phones the tables as they were before the other's changes.

    What it gives is to be called once the store is there, which is locked as well.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as until:
            held = until.enter_context(locking.alone(data))
            locked = until.pop_all()
    except locking.InUseError as error:
        raise _in_use(data, error) from error
    except OSError as error:
        raise ServeError(f"the data folder {data} cannot be used: {_unusable(error)}") from error

    def take_store() -> None:
        try:
            held.take_store()
        except locking.InUseError as error:
            raise _in_use(data, error) from error

    with locked:
        yield take_store


def _in_use(data: Path, error: locking.InUseError) -> ServeError:
    if error.store:
        return ServeError(
            f"another Rollcall runs with the same {FILE_NAME} as is in {data}, by its name in another folder (a hard"
            " link); end that one, or name another folder with --data"
        )
    return ServeError(
        f"another Rollcall runs with the data folder {data}; end that one, or name another folder with --data"
    )


def _run(
    application: Application,
    face: Application | Observed,
    sock: socket.socket,
    files: tuple[Path, Path] | None,
    ready: Callable[[], None],
    proxies: Proxies,
    drain_s: float,
) -> None:
    config = uvicorn.Config(
        face,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=END_WITHIN_S,
        ssl_certfile=None if files is None else os.fspath(files[0]),
        ssl_keyfile=None if files is None else os.fspath(files[1]),
        proxy_headers=False,  # see `proxies`
        http=protocol.Wire,  # made by the door, which knows who calls
        ws="none",
    )
    Server(config, application.hub, ready, application.keys, proxies, application.probes, drain_s).run(sockets=[sock])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named TCP, which asyncio wants to see before it sends each piece at once: the second one would wait for the other
    # side's word that the first has come, 40 ms on a phone that asks again by the same connection.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":  # on Windows the same option lets two servers share one port
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(protocol.backlog())
    except OSError as error:
        sock.close()
        raise ServeError(
            f"cannot listen on {host} port {port}: {error.strerror}; name another with --port or --host"
        ) from error
    return sock


def _proxies(behind: Sequence[str]) -> Proxies:
    try:
        return Proxies(behind)
    except ValueError as error:
        raise ServeError(f"{error}: --behind names the address of a reverse proxy, such as 127.0.0.1") from error


def _certificate(data: Path, hosts: Sequence[str], cert: Path | None, key: Path | None) -> tuple[Path, Path]:
    if cert is not None:
        for path in (cert, key or cert):
            if not path.is_file():
                raise ServeError(f"there is no file {path}: --cert and --key name PEM files")
        try:
            # A key that wants a password is refused: nobody may be there to type it.
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
        except (OSError, ValueError) as error:
            mend = "name its private key with --key" if key is None else "--key must be its own, without a password"
            raise ServeError(f"the certificate {cert} cannot be used: {mend}") from error
        return cert, key or cert
    from web.server.certificates import own_certificate

    try:
        return own_certificate(data, hosts)
    except OSError as error:
        raise ServeError(f"the data folder {data} cannot be used: {_unusable(error)}") from error


def _pages(data: Path, camera: Any, hosts: Sequence[str], urls: Sequence[str], database: str | None) -> Flask:
    # Behind a proxy phones use its name, by which they come, and none of this machine.
    base_url, other_urls = (urls[0], urls[1:]) if database is None else (None, ())
    try:
        return app.create_app(
            data, camera=camera, hosts=hosts, base_url=base_url, other_urls=other_urls, database=database
        )
    except DatabaseError as error:
        raise ServeError(str(error)) from error
    except (OSError, Problem, SchemaError) as error:
        if database is not None and not isinstance(error, OSError):
            raise ServeError(f"the database cannot be used: {error}") from error
        raise ServeError(f"the data folder {data} cannot be used: {_unusable(error)}") from error


def _unusable(error: Exception) -> str:
    problem = disk_problem(error) if isinstance(error, OSError) else error
    if isinstance(problem, Problem):
        return UNUSABLE.get(problem.reason, str(problem))
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def _camera(source: str) -> Any:
    import vision

    try:
        return vision.Camera(source)
    except Exception as error:
        raise ServeError(f"--camera {source}: {error}") from error


def announce(urls: Sequence[str], out: TextIO, all_addresses: bool) -> None:
    """Prints where phones can come, and what to try if they cannot. `urls`: the likeliest first.

    `all_addresses`: whether the server listens on all of this machine's, so that --host may choose another.
    """
    print("Rollcall is ready. On a phone on the same Wi-Fi, open", file=out)
    print(f"\n    {urls[0]}\n", file=out)
    with contextlib.suppress(UnicodeEncodeError):  # a terminal without block characters: the address stands above
        segno.make(urls[0], error="l").terminal(out=out, border=QR_BORDER, compact=True)
    if all_addresses and host_name(urlsplit(urls[0]).netloc) in addresses.LOOPBACK:
        print("This computer is in no network that phones could be in. Connect it, then start again.", file=out)
    else:
        others = [f"try {' or '.join(urls[1:])}"] if len(urls) > 1 else []
        others += ["name the right address with --host"] if all_addresses else []
        if others:
            print(f"If it does not open: {', or '.join(others)}.", file=out)
        print("A guest Wi-Fi, a VPN here or on the phone, and this computer's firewall keep phones out.", file=out)
    print("End with Ctrl+C.", file=out, flush=True)


def _table_of(scope: live.Scope, method: str, what: str) -> str | None:
    """The key of the table of which this request wants `what`, or None for any other request."""
    if scope["type"] != "http" or scope["method"] != method:
        return None
    parts = scope["path"].split("/")
    return parts[2] if len(parts) == 4 and parts[1] == "tables" and parts[3] == what else None
