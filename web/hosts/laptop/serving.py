"""`rollcall serve`: the application with its data folder, certificate and camera, and the server around it."""

import contextlib
import errno
import functools
import importlib.util
import inspect
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar
from urllib.parse import unquote, urlsplit

import platformdirs
import segno
from flask import Flask

from web.app import Storage, create_app, folder_storage
from web.common import addresses, heap
from web.common.problems import Problem, disk_problem
from web.hosts.checking_process import CheckingProcess
from web.hosts.laptop import phone_site, protocol, server, server_log, this_machine, welcome
from web.hosts.laptop.application import HEALTH, READY, Application, Probes
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.metrics import METRICS, Metrics, ObservedApplication, Paths, RequestSummary, check_token
from web.hosts.laptop.proxies import Proxies
from web.hosts.laptop.this_machine import ThisMachine, opening_url
from web.hosts.laptop.wsgi_bridge import WsgiBridge
from web.hosts.threads import ThreadTask
from web.pages.host_names import LOOPBACK, host_name
from web.pages.keys import Keys
from web.pages.large_bodies import JSON_LIMIT, most_bytes
from web.programs.webhooks.outgoing import AllowedNetworks
from web.runner import TableChange
from web.services import Services
from web.services import services as services_of
from web.store.kept_games import OFFERED, OwnGame, read_folder
from web.store.maintenance import locking
from web.store.schema import DatabaseError, SchemaError
from web.store.sqlite import FILE_NAME
from web.store.store import fault, unread_photos
from web.table.events import PhotoRemoved
from web.table.evidence import confirmed_throw
from web.table.photo_state import CAMERA_NAME, Read
from web.texts.languages import system_language

if TYPE_CHECKING:
    from web.programs.mqtt.broker_address import BrokerAddress
    from web.programs.mqtt.mqtt_publisher import MqttPublisher

Error = TypeVar("Error", bound=Exception)

ALL_ADDRESSES = "0.0.0.0"
WELCOME = "welcome"  # the path of the first start's page
FURTHER_PORTS = 20  # that are tried if another program has the wanted one, and nobody may read why a start failed
DEFAULT_PORT = 8000
LAST_PORT = 65535
LOWEST_FREE_PORT = 1024  # below, a system asks for its administrator
WARM_UP_WITHIN_S = 60
ENGINES = {  # what the terminal says of each of `vision.engine`
    "ONNX Runtime": "Photos are read with ONNX Runtime.",
    "OpenCV": "Photos are read with OpenCV, which takes about one and a half times as long as ONNX Runtime would.",
}
QR_BORDER = 2
THREADS = 16  # for pages and actions; an action takes milliseconds, and photos are read by a thread of their own

# Why the data folder cannot be used, as the terminal says it.
UNUSABLE = {
    "store-full": "the disk is full; make room and start again",
    "store-failed": "it cannot be written; make it writable, or name another with --data",
    "store-busy": f"another program has {FILE_NAME} locked; end that program and start again",
    "store-damaged": f"{FILE_NAME} in it is damaged or not Rollcall's; put a backup in its place",
}


class ServeError(RuntimeError):
    """The server cannot start: one sentence that says what was wrong and what would be right."""


class OccupiedError(ServeError):
    """Another program has the port or the data folder."""


def default_data() -> Path:
    return Path(platformdirs.user_data_dir("rollcall", appauthor=False))


def serve(
    data: Path | None = None,
    host: str | None = None,
    port: int = DEFAULT_PORT,
    camera: str | None = None,
    https: bool = False,
    cert: Path | None = None,
    key: Path | None = None,
    names: Sequence[str] = (),
    behind: Sequence[str] = (),
    ingress: str | None = None,
    out: TextIO | None = None,
    database: str | None = None,
    drain_s: float = 0.0,
    metrics: str | None = None,
    lines: bool = False,
    open_page: bool = False,
    games: Path | None = None,
    mqtt: str | None = None,
    mqtt_password: Path | None = None,
    announces: bool = True,
    webhooks_to: Sequence[str] = (),
    copies: Path | None = None,
) -> int:
    """Serves until SIGTERM or SIGINT, and returns 0. Prints the addresses and a QR code when phones can come.

    `data` None: this user's data folder. `host` None: all addresses of this machine. `camera`: what `vision.Camera`
    takes. `cert` and `key`: PEM files; without them `https` makes a certificate in `data`. `names`: further host names
    that the server answers to. `behind`: addresses of reverse proxies, which are believed when they name a client.
    `ingress`: the address of Home Assistant's ingress, which is also believed when it names the path of our pages.
    `database`: the address of a PostgreSQL database that has the games instead of a file. `drain_s`: see
    `server.Server`. `metrics`: the token for `/metrics`, None: nobody reads it. `lines`: log lines of JSON, for each
    request and event, on standard error. `games`: a folder of games as files, offered to everybody; a wrong file is
    told and passed over. `mqtt`: the address of a broker that is told of the tables (see `broker_address`);
    `mqtt_password`: a file with the password for it. `announces`: tells the network by zeroconf where the server is, if
    that package is there. `copies`: a folder on another disk, where the games are copied every day. `webhooks_to`:
    networks and addresses where programs may be told what happens, besides private networks; these too only without
    `behind` and `database`, which are of servers for strangers. `open_page`: opens the page of the first start in this
    computer's browser; if another program has `port`, one of the next is taken. Raises `ServeError`.
    """
    if key is not None and cert is None:
        raise ServeError("--key needs --cert: name the certificate that it belongs to, or leave both out")
    if cert is not None:
        _check_certificate(cert, key)
    if camera is not None and database is not None:
        raise ServeError("--camera belongs to one machine, and phones may come to any with --database: leave one out")
    if database is not None:
        from web.hosts.cluster.shared_store import parse_address

        with _serve_error(DatabaseError, str):
            parse_address(database)
    broker = _broker_of(mqtt, mqtt_password)
    if metrics is not None:
        with _serve_error(ValueError, lambda why: f"{why}: make ROLLCALL_METRICS_TOKEN longer"):
            check_token(metrics)
        import prometheus_client  # noqa: F401 - told before anything is started
    named = "--behind names the address of a reverse proxy, such as 127.0.0.1, and --ingress that of Home Assistant's"
    with _serve_error(ValueError, lambda why: f"{why}: {named}"):
        proxies = Proxies(behind, ingress)
    with _serve_error(ValueError, lambda why: f"{why}: --webhooks-to names a network, such as 10.0.0.0/8"):
        allowed = AllowedNetworks(not behind and database is None, webhooks_to)
    heap.use_one_arena()
    protocol.raise_file_limit()
    data = data or default_data()
    host = host or ALL_ADDRESSES
    secure = https or cert is not None
    hosts = list(addresses.shown_hosts(host))
    offered = _games_of(games, data / OFFERED)
    with contextlib.ExitStack() as until:
        with _listening_errors(host, port):
            sock = until.enter_context(contextlib.closing(_listen(host, port, FURTHER_PORTS if open_page else 0)))
        used_port = sock.getsockname()[1]
        urls = [addresses.url(name, used_port, secure) for name in hosts]
        hidden = _secrets(database, metrics, None if broker is None else broker.password)
        journal = server_log.LineFormatter(sys.stderr, hidden) if lines else None
        until.enter_context(server_log.rated_logging(journal))
        # Two servers on one data folder would each miss the changes of the other.
        with _folder_errors(data):
            data.mkdir(parents=True, exist_ok=True)
            held = until.enter_context(locking.alone(data))
            own_url = this_machine.own_url(host, used_port, secure) + (WELCOME if open_page else "")
            machine = ThisMachine(own_url, hosts, taken_port=port if used_port != (port or used_port) else None)
            until.enter_context(this_machine.keep_address(data, own_url, machine.secret if open_page else ""))
            files = _certificate(data, hosts, cert, key) if secure else None
        hub, eye = Hub(), None
        if camera is not None:
            import vision

            with _serve_error(Exception, lambda why: f"--camera {camera}: {why}"):
                eye = until.enter_context(contextlib.closing(vision.Camera(camera)))
        # With a database there may be a proxy, so phones use the name by which they came.
        base_url, other_urls = (urls[0], urls[1:]) if database is None else (None, ())
        with _folder_errors(data, database):
            pages = create_app(
                data,
                ThreadTask,
                None,
                eye,
                [*names, host],
                base_url,
                other_urls,
                storage=_storage(data, hub, copies, database),
                games=offered,
                webhooks_to=allowed,
                checks=CheckingProcess(ThreadTask),
            )
        pages.config.update(SECURE=secure, OWN_CERTIFICATE=cert is None)
        parts = services_of(pages)
        welcome.install(pages, machine if open_page else None)
        phone_site.install(pages, data)
        meter = None
        announcement = threading.Event()  # the addresses, or that it ends
        warming = ThreadTask("detector", functools.partial(_warm_up, parts, announcement, out or sys.stdout))
        try:
            with _folder_errors(data):
                held.take_store()  # it exists now
            if database is None:  # else separate readers read photos
                warming.wake()
            if metrics is not None:
                meter = Metrics(lambda: hub.streams, functools.partial(unread_photos, parts.store), metrics)
                parts.sessions.follow(functools.partial(_count_reading, meter), PhotoRemoved)
            if broker is not None:
                parts.programs.append(_publisher(parts, broker, base_url))
            heap.collect_seldom()
            application = asgi_application(pages, hub, meter=meter)
            observers = [each.note for each in (meter, journal) if each is not None]

            def ready() -> None:
                if machine.taken_port is not None:
                    print(f"Another program has port {port}. Rollcall takes port {used_port}.", file=out or sys.stdout)
                announce(urls, out or sys.stdout, all_addresses=host in addresses.ALL, secure=secure)
                announcement.set()
                if announces and database is None and not behind:  # else phones come by another address
                    until.enter_context(_tell_network(used_port, secure, hosts))
                if open_page:
                    opened = opening_url(own_url, machine.secret), out or sys.stdout
                    ThreadTask("browser", functools.partial(this_machine.open_page, *opened)).wake()

            server.run(
                application, _with_observers(application, pages, observers), sock, files, ready, proxies, drain_s
            )
        finally:
            hub.close()
            parts.close()
            announcement.set()
            warming.end(WARM_UP_WITHIN_S)  # the networks' runtime crashes if the interpreter ends while it loads
    return 0


def open_or_serve(data: Path | None = None, out: TextIO | None = None, **settings: Any) -> int:
    """`serve` that opens its page; if a Rollcall runs with `data` already, opens that one's page instead. If no `data`
    is named, also if this computer's service has the port."""
    service = this_machine.service_address(settings.get("port", DEFAULT_PORT)) if data is None else None
    if service is not None:
        return _open_running(service, service, settings, out)
    try:
        return serve(data, out=out, open_page=True, **settings)
    except OccupiedError:
        running = this_machine.running_address(data or default_data())
        if running is None:
            raise
    return _open_running(*running, settings, out)


def _open_running(url: str, opening: str, settings: Mapping[str, Any], out: TextIO | None) -> int:
    print(f"Rollcall runs already: {url}", file=out or sys.stdout)
    if any(_is_chosen(name, value) for name, value in settings.items()):
        print("It keeps the options of its own start. To use these, end it first.", file=out or sys.stdout)
    this_machine.open_page(opening, out or sys.stdout)
    return 0


def _is_chosen(name: str, value: Any) -> bool:
    """Whether this option of `serve` says more than the address, and is not as it usually is."""
    usual = inspect.signature(serve).parameters[name].default
    return name not in ("host", "port") and (value or None) != (usual or None)


def _listen(host: str, port: int, further: int) -> socket.socket:
    """Listens at a port, or at the first that is free of so many `further` ones. Raises OSError of the wanted one."""
    try:
        return server.listen(host, port)
    except OSError as error:
        # Windows says "permission denied" of ports that it has set aside.
        taken = (errno.EADDRINUSE, errno.EACCES) if port >= LOWEST_FREE_PORT else (errno.EADDRINUSE,)
        if error.errno in taken:
            for other in range(port + 1, min(port + further, LAST_PORT) + 1):
                with contextlib.suppress(OSError):
                    return server.listen(host, other)
        raise


def asgi_application(pages: Flask, hub: Hub, threads: int = THREADS, meter: Metrics | None = None) -> Application:
    parts, keys, secure = services_of(pages), Keys(), pages.config["SECURE"]
    probes = Probes(
        functools.partial(fault, parts.store), parts.store.check_progress, lambda: parts.photo_reader.engine
    )
    bridge = WsgiBridge(pages, threads, JSON_LIMIT, functools.partial(most_bytes, pages), hub, keys.note)
    return Application(bridge, hub, keys, probes, meter, secure)


def _count_reading(meter: Metrics, happened: TableChange) -> None:
    confirmed = confirmed_throw(happened.before, happened.events)
    if confirmed is None or confirmed.line.device == CAMERA_NAME:
        return
    found = confirmed.photo.result if isinstance(confirmed.photo, Read) else None
    read = sorted(die.value for die in found.dice) if found else []
    meter.count_reading(
        sure=found is not None and found.sure, corrected=read != sorted(confirmed.line.body["do"]["dice"])
    )


def _secrets(database: str | None, *others: str | None) -> list[str]:
    """The texts that no line of the log may contain."""
    password = None if database is None else urlsplit(database).password
    return [each for each in (password, unquote(password or ""), *others) if each]


def _with_observers(
    application: Application, pages: Flask, observers: Sequence[Callable[[RequestSummary], None]]
) -> Application | ObservedApplication:
    if not observers:
        return application
    rules = [rule.rule for rule in pages.url_map.iter_rules()]
    return ObservedApplication(application, Paths([*rules, HEALTH, READY, METRICS]), observers)


def _broker_of(address: str | None, password: Path | None) -> "BrokerAddress | None":
    """The broker to tell of the tables. Raises `ServeError`, and ImportError without the extra `home`."""
    if address is None:
        if password is not None:
            raise ServeError("--mqtt-password needs --mqtt: name the broker that it is for, or leave both out")
        return None
    import paho.mqtt.client  # noqa: F401 - told before anything is started

    from web.programs.mqtt.broker_address import parse_broker

    with (
        _serve_error(OSError, lambda why: f"--mqtt-password {password}: {why.strerror}"),
        _serve_error(ValueError, lambda why: f"--mqtt: {why}"),
    ):
        return parse_broker(address, password)


def _storage(data: Path, hub: Hub, copies: Path | None, database: str | None) -> Storage:
    if database is None:
        return folder_storage(data, ThreadTask, hub, copies)
    from web.hosts.cluster.follower import shared_storage  # needs the extra `cluster`

    return shared_storage(database, data, hub)


def _publisher(parts: Services, broker: "BrokerAddress", page: str | None) -> "MqttPublisher":
    from web.programs.mqtt.mqtt_publisher import MqttPublisher

    changes_of = parts.store.last_numbers if parts.store.is_shared else None
    whom = (parts.store, parts.sessions, parts.event_feeds, broker, system_language())
    return MqttPublisher(*whom, ThreadTask, page, changes_of)


def _warm_up(parts: Services, announcement: threading.Event, out: TextIO) -> None:
    """Loads the networks. Prints what runs them, once `told` is set."""
    parts.photo_reader.warm_up()
    announcement.wait()
    if (engine := parts.photo_reader.engine) is not None:
        print(ENGINES[engine], file=out, flush=True)


@contextlib.contextmanager
def _tell_network(port: int, secure: bool, hosts: Sequence[str]) -> Iterator[None]:
    """Tells the network of this server, with the extra `home`."""
    if importlib.util.find_spec("zeroconf") is None:
        yield
        return
    from web.hosts.laptop.network_announcement import NetworkAnnouncement, announced_addresses

    reachable = announced_addresses(hosts)
    with contextlib.closing(NetworkAnnouncement(port, secure, reachable)) if reachable else contextlib.nullcontext():
        yield


def _games_of(folder: Path | None, added: Path) -> Sequence[OwnGame]:
    """The games of the folder that was named, and those that `rollcall games add` put into the data folder."""
    named = [] if folder is None else _games_in(folder)
    known = {game.digest for game in named}
    return [*named, *(game for game in (_games_in(added) if added.is_dir() else ()) if game.digest not in known)]


def _games_in(folder: Path) -> Sequence[OwnGame]:
    with _serve_error(OSError, lambda why: f"--games {folder}: {why.strerror}"):
        found, wrong = read_folder(folder)
    for line in wrong:
        print(f"rollcall: not offered: {line}", file=sys.stderr)
    return found


@contextlib.contextmanager
def _serve_error(kind: type[Error] | tuple[type[Error], ...], sentence: Callable[[Error], str]) -> Iterator[None]:
    """Raises errors of this kind as `ServeError` with this sentence."""
    try:
        yield
    except kind as error:
        raise ServeError(sentence(error)) from error


@contextlib.contextmanager
def _listening_errors(host: str, port: int) -> Iterator[None]:
    """Raises why the server cannot listen as `ServeError`."""
    try:
        yield
    except OSError as error:
        kind = OccupiedError if error.errno == errno.EADDRINUSE else ServeError
        raise kind(
            f"cannot listen on {host} port {port}: {error.strerror}; name another with --port or --host"
        ) from error


@contextlib.contextmanager
def _folder_errors(data: Path, database: str | None = None) -> Iterator[None]:
    """Raises errors of the data folder or the database as `ServeError`."""
    try:
        yield
    except locking.InUseError as error:
        raise OccupiedError(
            f"another Rollcall runs with the same {FILE_NAME} as is in {data}, by its name in another folder (a hard"
            " link); end that one, or name another folder with --data"
            if error.store
            else f"another Rollcall runs with the data folder {data}; end that one, or name another folder with --data"
        ) from error
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


def _check_certificate(cert: Path, key: Path | None) -> None:
    for path in (cert, key or cert):
        if not path.is_file():
            raise ServeError(f"there is no file {path}: --cert and --key name PEM files")
    mend = "name its private key with --key" if key is None else "--key must be its own, without a password"
    with _serve_error((OSError, ValueError), lambda _: f"the certificate {cert} cannot be used: {mend}"):
        # A key with a password is refused: nobody may be there to type it.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")


def _certificate(data: Path, hosts: Sequence[str], cert: Path | None, key: Path | None) -> tuple[Path, Path]:
    if cert is not None:
        return cert, key or cert
    from web.hosts.laptop.certificates import own_certificate

    return own_certificate(data, hosts)


def announce(urls: Sequence[str], out: TextIO, all_addresses: bool, secure: bool = False) -> None:
    """Prints the addresses for phones, the likeliest first, and what to try if none opens.

    `all_addresses`: whether the server listens on all addresses, so that --host may choose one. `secure`: whether it
    is https, over which a phone can be the camera.
    """
    print("Rollcall is ready. On a phone on the same Wi-Fi, open", file=out)
    print(f"\n    {urls[0]}\n", file=out)
    with contextlib.suppress(UnicodeEncodeError):  # a terminal without block characters has the address above
        segno.make(urls[0], error="l").terminal(out=out, border=QR_BORDER, compact=True)
    if all_addresses and host_name(urlsplit(urls[0]).netloc) in LOOPBACK:
        print("This computer is in no network that phones could be in. Connect it, then start again.", file=out)
    else:
        others = [f"try {' or '.join(urls[1:])}"] if len(urls) > 1 else []
        others += ["name the right address with --host"] if all_addresses else []
        if others:
            print(f"If it does not open: {', or '.join(others)}.", file=out)
        print("A guest Wi-Fi, a VPN here or on the phone, and this computer's firewall keep phones out.", file=out)
    if secure:
        print("A phone as the camera: a table's menu, 'Use this phone as the camera'.", file=out)
    print("End with Ctrl+C.", file=out, flush=True)
