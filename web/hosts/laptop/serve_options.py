"""What `rollcall serve` is told, and what is wrong with it before anything starts."""

import contextlib
import ssl
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote, urlsplit

from web.hosts.laptop.metrics import check_token
from web.hosts.laptop.proxies import Proxies
from web.programs.webhooks.outgoing import AllowedNetworks
from web.store import data_folder
from web.store.schema import DatabaseError

if TYPE_CHECKING:
    from web.programs.mqtt.broker_address import BrokerAddress

Error = TypeVar("Error", bound=Exception)

DEFAULT_PORT = 8000
ALL_ADDRESSES = "0.0.0.0"


class ServeError(RuntimeError):
    """The server cannot start: one sentence that says what was wrong and what would be right."""


class OccupiedError(ServeError):
    """Another program has the port or the data folder."""


@dataclass(frozen=True)
class ServeOptions:
    """`data` None: this user's data folder. `host` None: all addresses of this machine. `camera`: what `vision.Camera`
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
    computer's browser; if another program has `port`, one of the next is taken. `nights_need_token`: only who has a
    token of `rollcall token` may start a club's night."""

    data: Path | None = None
    host: str | None = None
    port: int = DEFAULT_PORT
    camera: str | None = None
    https: bool = False
    cert: Path | None = None
    key: Path | None = None
    names: Sequence[str] = ()
    behind: Sequence[str] = ()
    ingress: str | None = None
    database: str | None = None
    drain_s: float = 0.0
    metrics: str | None = None
    lines: bool = False
    open_page: bool = False
    games: Path | None = None
    mqtt: str | None = None
    mqtt_password: Path | None = None
    announces: bool = True
    webhooks_to: Sequence[str] = ()
    copies: Path | None = None
    nights_need_token: bool = False

    @property
    def secure(self) -> bool:
        return self.https or self.cert is not None


@dataclass(frozen=True, kw_only=True)
class ServeSetup(ServeOptions):
    """The options, and what they mean on this machine. `allowed`: where programs may be told what happens."""

    data: Path
    host: str
    proxies: Proxies
    allowed: AllowedNetworks
    broker: "BrokerAddress | None"

    def secrets(self) -> list[str]:
        """The texts that no line of the log may contain."""
        return secrets_of(self.database, self.metrics, None if self.broker is None else self.broker.password)


def check(options: ServeOptions) -> ServeSetup:
    """Raises `ServeError`, and ImportError where an option needs an extra that is not installed."""
    if options.key is not None and options.cert is None:
        raise ServeError("--key needs --cert: name the certificate that it belongs to, or leave both out")
    if options.cert is not None:
        _check_certificate(options.cert, options.key)
    if options.camera is not None and options.database is not None:
        raise ServeError("--camera belongs to one machine, and phones may come to any with --database: leave one out")
    if options.database is not None:
        from web.hosts.cluster.shared_store import parse_address

        with serve_error(DatabaseError, str):
            parse_address(options.database)
    broker = _broker_of(options.mqtt, options.mqtt_password)
    if options.metrics is not None:
        with serve_error(ValueError, lambda why: f"{why}: make ROLLCALL_METRICS_TOKEN longer"):
            check_token(options.metrics)
        import prometheus_client  # noqa: F401 - told before anything is started
    named = "--behind names the address of a reverse proxy, such as 127.0.0.1, and --ingress that of Home Assistant's"
    with serve_error(ValueError, lambda why: f"{why}: {named}"):
        proxies = Proxies(options.behind, options.ingress)
    with serve_error(ValueError, lambda why: f"{why}: --webhooks-to names a network, such as 10.0.0.0/8"):
        allowed = AllowedNetworks(not options.behind and options.database is None, options.webhooks_to)
    data = options.data or data_folder.default_data()
    with serve_error(data_folder.UnusableFolderError, str):
        data_folder.check_folder(data, writes=True)
    known = {**vars(options), "data": data, "host": options.host or ALL_ADDRESSES}
    return ServeSetup(**known, proxies=proxies, allowed=allowed, broker=broker)


def secrets_of(database: str | None, *others: str | None) -> list[str]:
    """The password in the database's address, as it is and decoded, and the `others` that there are."""
    password = None if database is None else urlsplit(database).password
    return [each for each in (password, unquote(password or ""), *others) if each]


@contextlib.contextmanager
def serve_error(kind: type[Error] | tuple[type[Error], ...], sentence: Callable[[Error], str]) -> Iterator[None]:
    """Raises errors of this kind as `ServeError` with this sentence."""
    try:
        yield
    except kind as error:
        raise ServeError(sentence(error)) from error


def _broker_of(address: str | None, password: Path | None) -> "BrokerAddress | None":
    """The broker to tell of the tables. Raises `ServeError`, and ImportError without the extra `home`."""
    if address is None:
        if password is not None:
            raise ServeError("--mqtt-password needs --mqtt: name the broker that it is for, or leave both out")
        return None
    import paho.mqtt.client  # noqa: F401 - told before anything is started

    from web.programs.mqtt.broker_address import parse_broker

    with (
        serve_error(OSError, lambda why: f"--mqtt-password {password}: {why.strerror}"),
        serve_error(ValueError, lambda why: f"--mqtt: {why}"),
    ):
        return parse_broker(address, password)


def _check_certificate(cert: Path, key: Path | None) -> None:
    for path in (cert, key or cert):
        if not path.is_file():
            raise ServeError(f"there is no file {path}: --cert and --key name PEM files")
    mend = "name its private key with --key" if key is None else "--key must be its own, without a password"
    with serve_error((OSError, ValueError), lambda _: f"the certificate {cert} cannot be used: {mend}"):
        # A key with a password is refused: nobody may be there to type it.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
