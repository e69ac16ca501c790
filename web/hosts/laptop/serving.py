"""`rollcall serve`: the application with its data folder, certificate and camera, and the server around it."""

import contextlib
import errno
import functools
import importlib.util
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

import segno
from flask import Flask

from scorer.games import installed_games
from web.app import Seeing, create_app, folder_storage
from web.hosts.checking_process import CheckingProcess
from web.hosts.laptop import phone_site, protocol, server, server_log, this_machine, welcome
from web.hosts.laptop.application import HEALTH, READY, Application, Probes
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.metrics import METRICS, Metrics, ObservedApplication, Paths, RequestSummary
from web.hosts.laptop.serve_options import OccupiedError, ServeError, ServeOptions, ServeSetup, check, serve_error
from web.hosts.laptop.this_machine import ThisMachine, opening_url
from web.hosts.laptop.wsgi_bridge import WsgiBridge
from web.hosts.threads import ThreadTask
from web.limits import addresses
from web.own_games.kept_games import OwnGame, read_folder
from web.pages.host_names import LOOPBACK, host_name
from web.pages.keys import Keys
from web.pages.large_bodies import SMALL_LIMIT, most_bytes
from web.problems.problem import Problem
from web.runner.runner import TableChange
from web.services import ServerSettings, Services
from web.services import services as services_of
from web.store import data_folder
from web.store.data_folder import OFFERED
from web.store.maintenance import locking
from web.store.schema import DatabaseError, SchemaError
from web.store.sqlite import FILE_NAME
from web.store.store import fault
from web.table.events import PhotoRemoved
from web.table.evidence import confirmed_throw
from web.table.photo_state import CAMERA_NAME, Read
from web.tasks import heap
from web.texts.languages import system_language

WELCOME = "welcome"  # the path of the first start's page
FURTHER_PORTS = 20  # that are tried if another program has the wanted one, and nobody may read why a start failed
LAST_PORT = 65535
LOWEST_FREE_PORT = 1024  # below, a system asks for its administrator
WARM_UP_WITHIN_S = 60
ENGINES = {  # what the terminal says of each of `vision.engine`
    "ONNX Runtime": "Photos are read with ONNX Runtime.",
    "OpenCV": "Photos are read with OpenCV, which takes about one and a half times as long as ONNX Runtime would.",
}
QR_BORDER = 2
THREADS = 16  # for pages and actions; an action takes milliseconds, and photos are read by a thread of their own


def serve(options: ServeOptions, out: TextIO | None = None) -> int:
    """Serves until SIGTERM or SIGINT, and returns 0. Prints the addresses and a QR code when phones can come.

    Raises `ServeError`, before anything has started where the options say enough.
    """
    setup = check(options)
    heap.use_one_arena()
    protocol.raise_file_limit()
    offered, out = _games_of(setup.games, setup.data / OFFERED), out or sys.stdout
    with contextlib.ExitStack() as until:
        door = _open_door(setup, until)
        journal = server_log.LineFormatter(sys.stderr, setup.secrets()) if setup.lines else None
        until.enter_context(server_log.rated_logging(journal))
        machine, held = _take_folder(setup, door, until)
        files = _certificate(setup, door)
        hub = Hub()
        pages = _make_pages(setup, door, hub, offered, until)
        welcome.install(pages, machine if setup.open_page else None)
        phone_site.install(pages, setup.data)
        parts = services_of(pages)
        warming = ThreadTask("detector", functools.partial(_warm_up, parts, out))
        try:
            with _folder_errors(setup.data):
                held.take_store()  # it exists now
            meter = _count(parts, hub, setup)
            _tell_broker(parts, setup, door)
            heap.collect_seldom()
            application = asgi_application(pages, hub, meter=meter)
            observed = _with_observers(application, pages, [each.note for each in (meter, journal) if each is not None])

            def ready() -> None:
                _welcome_people(setup, door, machine, out, until)
                if setup.database is None:  # else separate readers read photos
                    warming.wake()

            server.run(application, observed, door.sock, files, ready, setup.proxies, setup.drain_s)
        finally:
            hub.close()
            parts.close()
            warming.end(WARM_UP_WITHIN_S)  # the networks' runtime crashes if the interpreter ends while it loads
    return 0


@dataclass(frozen=True)
class Listening:
    """The socket that listens, and how phones name it."""

    sock: socket.socket
    port: int
    hosts: Sequence[str]
    urls: Sequence[str]
    own_url: str  # of this machine's own browser


def _open_door(setup: ServeSetup, until: contextlib.ExitStack) -> Listening:
    try:
        listening = _listen(setup.host, setup.port, FURTHER_PORTS if setup.open_page else 0)
    except OSError as error:
        kind = OccupiedError if error.errno == errno.EADDRINUSE else ServeError
        raise kind(
            f"cannot listen on {setup.host} port {setup.port}: {error.strerror}; name another with --port or --host"
        ) from error
    sock = until.enter_context(contextlib.closing(listening))
    port, hosts = sock.getsockname()[1], list(addresses.shown_hosts(setup.host))
    urls = [addresses.url(name, port, setup.secure) for name in hosts]
    own_url = this_machine.own_url(setup.host, port, setup.secure) + (WELCOME if setup.open_page else "")
    return Listening(sock, port, hosts, urls, own_url)


def _take_folder(
    setup: ServeSetup, door: Listening, until: contextlib.ExitStack
) -> tuple[ThisMachine, locking.FolderLock]:
    """Takes the data folder: two servers on one would each miss the changes of the other."""
    with _folder_errors(setup.data):
        setup.data.mkdir(parents=True, exist_ok=True)
        held = until.enter_context(locking.alone(setup.data))
        taken = setup.port if door.port != (setup.port or door.port) else None
        machine = ThisMachine(door.own_url, taken_port=taken)
        secret = machine.secret if setup.open_page else ""
        until.enter_context(this_machine.keep_address(setup.data, door.own_url, secret))
    return machine, held


def _make_pages(
    setup: ServeSetup,
    door: Listening,
    hub: Hub,
    offered: Sequence[OwnGame],
    until: contextlib.ExitStack,
) -> Flask:
    eye = None
    if setup.camera is not None:
        import vision

        with serve_error(Exception, lambda why: f"--camera {setup.camera}: {why}"):
            eye = until.enter_context(contextlib.closing(vision.Camera(setup.camera)))
    names, urls = [*setup.names, setup.host], _base_urls(setup, door)
    settings = ServerSettings(
        names, *urls, offered, setup.allowed, setup.secure, setup.cert is None, setup.nights_need_token
    )
    with _folder_errors(setup.data, setup.database):
        shared = None
        if setup.database is not None:
            from web.hosts.cluster.shared_server import SharedServer  # needs the extra `cluster`

            shared = SharedServer(setup.database, setup.data, hub)
        storage = folder_storage(setup.data, ThreadTask, hub, setup.copies) if shared is None else shared.storage
        pages = create_app(setup.data, ThreadTask, settings, storage, Seeing(camera=eye), CheckingProcess(ThreadTask))
        if shared is not None:
            shared.follow(services_of(pages))
    return pages


def _base_urls(options: ServeOptions, door: Listening) -> tuple[str | None, Sequence[str]]:
    """The address in QR codes, and others. With a database there may be a proxy: phones use the name they came by."""
    return (door.urls[0], door.urls[1:]) if options.database is None else (None, ())


def _count(parts: Services, hub: Hub, options: ServeOptions) -> Metrics | None:
    if options.metrics is None:
        return None
    meter = Metrics(lambda: hub.streams, parts.photos.reader.unread, options.metrics)
    parts.runner.follow(functools.partial(_count_reading, meter), PhotoRemoved)
    return meter


def _tell_broker(parts: Services, setup: ServeSetup, door: Listening) -> None:
    if setup.broker is None:
        return
    from web.programs.mqtt.mqtt_publisher import MqttPublisher

    whom = (parts.store, parts.runner, setup.broker, system_language())
    parts.programs.append(MqttPublisher(*whom, ThreadTask, _base_urls(setup, door)[0]))


def _welcome_people(
    setup: ServeSetup,
    door: Listening,
    machine: ThisMachine,
    out: TextIO,
    until: contextlib.ExitStack,
) -> None:
    """Tells people, the network and this computer's browser where the server is."""
    if machine.taken_port is not None:
        print(f"Another program has port {setup.port}. Rollcall takes port {door.port}.", file=out)
    announce(door.urls, out, all_addresses=setup.host in addresses.ALL, secure=setup.secure)
    wanted = setup.announces and setup.database is None and not setup.behind  # else phones come by another address
    if wanted and importlib.util.find_spec("zeroconf") is not None:  # with the extra `home`
        from web.hosts.laptop.network_announcement import NetworkAnnouncement, announced_addresses

        if reachable := announced_addresses(door.hosts):
            until.enter_context(contextlib.closing(NetworkAnnouncement(door.port, setup.secure, reachable)))
    if setup.open_page:
        opened = opening_url(door.own_url, machine.secret), out
        ThreadTask("browser", functools.partial(this_machine.open_page, *opened)).wake()


def open_or_serve(options: ServeOptions, out: TextIO | None = None) -> int:
    """`serve` that opens its page; if a Rollcall runs with `data` already, opens that one's page instead. If no `data`
    is named, also if this computer's service has the port."""
    service = this_machine.service_address(options.port) if options.data is None else None
    if service is not None:
        return _open_running(service, service, options, out)
    try:
        return serve(replace(options, open_page=True), out)
    except OccupiedError:
        running = this_machine.running_address(options.data or data_folder.default_data())
        if running is None:
            raise
    return _open_running(*running, options, out)


def _open_running(url: str, opening: str, options: ServeOptions, out: TextIO | None) -> int:
    print(f"Rollcall runs already: {url}", file=out or sys.stdout)
    chosen = {each.name for each in fields(options) if (getattr(options, each.name) or None) != (each.default or None)}
    if chosen - {"data", "host", "port", "open_page"}:
        print("It keeps the options of its own start. To use these, end it first.", file=out or sys.stdout)
    this_machine.open_page(opening, out or sys.stdout)
    return 0


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
    parts, keys = services_of(pages), Keys()
    probes = Probes(
        functools.partial(fault, parts.store), parts.store.check_progress, lambda: parts.photos.reader.engine
    )
    bridge = WsgiBridge(pages, threads, SMALL_LIMIT, functools.partial(most_bytes, pages), hub, keys.note)
    return Application(bridge, hub, keys, probes, meter, parts.settings.secure, parts.end_waits)


def _count_reading(meter: Metrics, happened: TableChange) -> None:
    confirmed = confirmed_throw(happened.before, happened.events)
    if confirmed is None or confirmed.line.device == CAMERA_NAME:
        return
    found = confirmed.photo.result if isinstance(confirmed.photo, Read) else None
    read = sorted(die.value for die in found.dice) if found else []
    meter.count_reading(
        sure=found is not None and found.sure, corrected=read != sorted(confirmed.line.body["do"]["dice"])
    )


def _with_observers(
    application: Application, pages: Flask, observers: Sequence[Callable[[RequestSummary], None]]
) -> Application | ObservedApplication:
    if not observers:
        return application
    rules = [rule.rule for rule in pages.url_map.iter_rules()]
    return ObservedApplication(application, Paths([*rules, HEALTH, READY, METRICS]), observers)


def _warm_up(parts: Services, out: TextIO) -> None:
    """Loads the networks, and prints what runs them."""
    parts.photos.reader.warm_up()
    if (engine := parts.photos.reader.engine) is not None:
        print(ENGINES[engine], file=out, flush=True)


def _games_of(folder: Path | None, added: Path) -> Sequence[OwnGame]:
    """The games of the folder that was named, and those that `rollcall games add` put into the data folder."""
    for why in installed_games().faults:
        print(f"rollcall: {why}", file=sys.stderr)
    named = [] if folder is None else _games_in(folder)
    known = {game.digest for game in named}
    return [*named, *(game for game in (_games_in(added) if added.is_dir() else ()) if game.digest not in known)]


def _games_in(folder: Path) -> Sequence[OwnGame]:
    with serve_error(OSError, lambda why: f"--games {folder}: {why.strerror}"):
        found, wrong = read_folder(folder)
    for line in wrong:
        print(f"rollcall: not offered: {line}", file=sys.stderr)
    return found


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
        raise ServeError(f"the data folder {data} cannot be used: {data_folder.why(error)}") from error


def _certificate(setup: ServeSetup, door: Listening) -> tuple[Path, Path] | None:
    if not setup.secure:
        return None
    if setup.cert is not None:
        return setup.cert, setup.key or setup.cert
    from web.hosts.laptop.certificates import own_certificate

    with _folder_errors(setup.data):
        return own_certificate(setup.data, door.hosts)


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
