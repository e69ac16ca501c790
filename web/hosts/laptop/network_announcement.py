"""Tells the network by zeroconf (multicast DNS) where this server is, so that programs find it without an address."""

import contextlib
import ipaddress
import logging
import secrets
import socket
import threading
from collections.abc import Sequence

from zeroconf import Error, NonUniqueNameException, ServiceInfo, Zeroconf

from web.hosts.threads import ThreadTask
from web.pages.host_names import LOOPBACK
from web.texts.release import VERSION

logger = logging.getLogger(__name__)

TYPES = ("_rollcall._tcp.local.", "_http._tcp.local.")
LONGEST_NAME = 63  # bytes of a name on the network, with the number of a further server
MOST_NAMES = 20  # that are tried: as many servers with one name on one network
ENDS_WITHIN_S = 5.0


class NetworkAnnouncement:
    """Says the server's name, port and version until it is closed. It starts beside requests: asking whether others
    have the name takes a second.

    `addresses`: this machine's IPv4 addresses that phones may reach; it speaks on their interfaces alone. `name`: of
    this machine.
    """

    def __init__(self, port: int, secure: bool, addresses: Sequence[str], name: str | None = None) -> None:
        self._port, self._secure, self._addresses = port, secure, list(addresses)
        self._name = f"Rollcall {(name or socket.gethostname()).partition('.')[0]}"
        self._host = f"rollcall-{secrets.token_hex(4)}.local."  # a name for the addresses that no other machine has
        self._zeroconf: Zeroconf | None = None
        self._ends = threading.Event()
        self._starting = ThreadTask("zeroconf", self._start)
        self._starting.wake()

    def close(self) -> None:
        self._ends.set()
        self._starting.end(ENDS_WITHIN_S)
        if self._zeroconf is not None:
            with contextlib.suppress(Error, OSError):
                self._zeroconf.close()  # which unregisters all of its services

    def _start(self) -> None:
        try:
            self._zeroconf = Zeroconf(interfaces=self._addresses)
            self._register(self._zeroconf)
        except (Error, OSError, ValueError) as error:
            logger.warning("the network could not be told of this server: %s", str(error) or type(error).__name__)

    def _register(self, zeroconf: Zeroconf) -> None:
        """Takes the first name that no other server has, the same for all types."""
        for number in range(1, MOST_NAMES + 1):
            further = "" if number == 1 else f" {number}"
            name = self._name.encode()[: LONGEST_NAME - len(further)].decode(errors="ignore") + further
            taken: list[ServiceInfo] = []
            try:
                for kind in TYPES:
                    if self._ends.is_set():
                        return
                    service = self._service(kind, name)
                    zeroconf.register_service(service)
                    taken.append(service)
                return
            except NonUniqueNameException:
                for service in taken:
                    zeroconf.unregister_service(service)
        logger.warning("the network could not be told of this server: %d others are called so", MOST_NAMES)

    def _service(self, kind: str, name: str) -> ServiceInfo:
        return ServiceInfo(
            kind,
            f"{name}.{kind}",
            port=self._port,
            parsed_addresses=self._addresses,
            server=self._host,
            properties={"version": VERSION, "https": "1" if self._secure else "0", "path": "/"},
        )


def announced_addresses(hosts: Sequence[str]) -> list[str]:
    """The IPv4 addresses among the hosts that are shown to people, without those of this machine alone."""

    def is_reachable(host: str) -> bool:
        try:
            return isinstance(ipaddress.ip_address(host), ipaddress.IPv4Address) and host not in LOOPBACK
        except ValueError:
            return False

    return [host for host in hosts if is_reachable(host)]
