"""Which address of this machine the phones at the table can reach.

There is no portable list of network interfaces in the standard library; the addresses of this machine's name and the
ones that the system would use towards other networks are those that matter.
"""

import contextlib
import ipaddress
import socket
from collections.abc import Iterable, Sequence

# Asked which local address would be used towards them; nothing is sent. Documentation addresses and common home nets.
TOWARDS = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1", "198.51.100.1")
# Networks in which containers, virtual machines and VPNs usually live: a phone is rarely there.
UNLIKELY = tuple(
    ipaddress.ip_network(net) for net in ("172.17.0.0/16", "172.18.0.0/15", "192.168.122.0/24", "100.64.0.0/10")
)
HOME = ipaddress.ip_network("192.168.0.0/16")
PRIVATE = ipaddress.ip_network("10.0.0.0/8")


def lan_addresses() -> list[str]:
    """IPv4 addresses of this machine, the one that phones most likely reach first; without loopback."""
    return ranked(_local_addresses(), _preferred())


def ranked(addresses: Iterable[str], preferred: str | None = None) -> list[str]:
    """`addresses` in the order in which a phone should try them: Wi-Fi and Ethernet before VPN and containers."""

    def rank(address: str) -> tuple[int, int, str]:
        ip = ipaddress.ip_address(address)
        if any(ip in net for net in UNLIKELY):
            kind = 3
        elif ip.is_link_local:
            kind = 4
        elif ip in HOME:
            kind = 0
        elif ip in PRIVATE or ip.is_private:
            kind = 1
        else:
            kind = 2
        return kind, 0 if address == preferred else 1, address

    kept = {address for address in addresses if not ipaddress.ip_address(address).is_loopback}
    return sorted(kept, key=rank)


def shown_hosts(host: str) -> Sequence[str]:
    """The hosts to print for a server that listens on `host`: that one, or this machine's addresses where it is all."""
    if host not in ("", "0.0.0.0", "::"):
        return [host]
    return lan_addresses() or ["localhost"]


def url(host: str, port: int, secure: bool) -> str:
    """`http://host:port/`, without the port where it is the scheme's own."""
    scheme = "https" if secure else "http"
    name = f"[{host}]" if ":" in host else host
    own_port = 443 if secure else 80
    return f"{scheme}://{name}/" if port == own_port else f"{scheme}://{name}:{port}/"


def _preferred() -> str | None:
    """The address that this machine uses towards the internet, if it has a way there."""
    return _towards(TOWARDS[0])


def _local_addresses() -> set[str]:
    found = {address for target in TOWARDS if (address := _towards(target))}
    with contextlib.suppress(OSError):  # a name that does not resolve: the routes above are enough
        found |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    return found


def _towards(target: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address == "0.0.0.0" else address
