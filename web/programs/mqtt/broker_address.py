"""The address of an MQTT broker, as `--mqtt` names it."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

SECURE = {"mqtt": False, "mqtts": True}
PORTS = {False: 1883, True: 8883}


@dataclass(frozen=True)
class BrokerAddress:
    """Where the broker is, and who we are there. `secure`: over TLS."""

    host: str
    port: int
    secure: bool = False
    user: str | None = None
    password: str | None = None


def parse_broker(text: str, password_file: Path | None = None) -> BrokerAddress:
    """The broker of an address such as `mqtt://user:password@host:1883`.

    `password_file`: has the password instead, in its first line. Raises ValueError, which never says the password, and
    OSError.
    """
    wanted = "a broker is mqtt://HOST or mqtts://HOST, with USER:PASSWORD@ before it and :PORT behind it if needed"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(wanted) from None
    if parts.scheme not in SECURE or not host or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(wanted)
    secure = SECURE[parts.scheme]
    user = None if parts.username is None else unquote(parts.username)
    password = None if parts.password is None else unquote(parts.password)
    if password_file is not None:
        lines = password_file.read_text(encoding="utf-8").splitlines()
        password = lines[0] if lines else ""
    if password is not None and not user:
        raise ValueError("a password needs a user: mqtt://USER@HOST")
    return BrokerAddress(host, port or PORTS[secure], secure, user, password)
