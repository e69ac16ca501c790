"""Finds the addresses of this machine that phones at the table can reach.

Linux says which interfaces there are, what each is and where the way out begins. Elsewhere the module judges by the
address alone: those of this machine's name, and those that the system would use towards other networks.
"""

import contextlib
import ipaddress
import re
import socket
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TypeAlias

import ifaddr

Interface: TypeAlias = ipaddress.IPv4Interface | ipaddress.IPv6Interface

ALL = ("", "0.0.0.0", "::")  # a server that listens on these listens on all addresses

# Documentation addresses and common home nets: the system says which local address it would use towards each. Nothing
# is sent.
TOWARDS = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1", "198.51.100.1")

# Names of interfaces, as systemd, the kernel, VPNs, containers and virtual machines give them.
LAN_NAMES = re.compile(r"wl|en|eth|ap\d|usb\d")
TUNNEL_NAMES = re.compile(r"tun|tap|wg|utun|ppp|ww|tailscale|zt|nordlynx|proton|mullvad|ipsec|vti")
CONTAINER_NAMES = re.compile(r"docker|br-|bridge\d|veth|virbr|vmnet|vboxnet|vnet|podman|cni|lxc|lxd|incus|nerdctl")
OVERLAY_NAMES = re.compile(r"flannel|cali|cilium|weave|kube|vxlan|geneve")  # of containers, also upon hardware
# On Windows.
VIRTUAL = re.compile(r"virtual|vmware|hyper-v|vethernet|wsl|tap-|tunnel|wireguard|vpn|tailscale|zerotier", re.I)
# If nothing is known of the interface: networks of VPNs, of containers and of virtual machines.
TUNNEL_NETS = (ipaddress.ip_network("100.64.0.0/10"),)
CONTAINER_NETS = tuple(
    ipaddress.ip_network(net) for net in ("172.16.0.0/12", "192.168.122.0/24", "192.168.56.0/24", "192.168.99.0/24")
)
HOME = ipaddress.ip_network("192.168.0.0/16")

# Files of a container, as Docker, Podman and Kubernetes make them.
CONTAINED = (".dockerenv", "run/.containerenv", "var/run/secrets/kubernetes.io")

POINT_TO_POINT = 0x10  # IFF_POINTOPOINT
DOWN = ("down", "lowerlayerdown", "notpresent")


class Reach(IntEnum):
    """How likely a phone in the same room reaches an address; smaller is likelier."""

    LAN = 0
    UNPLUGGED = 1
    TUNNEL = 2
    LINK_LOCAL = 3
    CONTAINER = 4  # never, from another machine


@dataclass(frozen=True)
class Local:
    """An IPv4 address of this machine, and what the system says of its interface.

    `name` is "" and `hardware` None if it says nothing. `way_out`: the route to the internet begins here, also if a VPN
    takes it over later.
    """

    address: str
    name: str = ""
    hardware: bool | None = None
    tunnel: bool = False
    up: bool = True
    way_out: bool = False

    @property
    def reach(self) -> Reach:
        ip = ipaddress.ip_address(self.address)
        if OVERLAY_NAMES.match(self.name) or (CONTAINER_NAMES.match(self.name) and not self.hardware):
            return Reach.CONTAINER
        if ip.is_link_local:
            return Reach.LINK_LOCAL
        if self.tunnel or TUNNEL_NAMES.match(self.name):
            return Reach.TUNNEL
        if not self.up:
            return Reach.UNPLUGGED
        if self.hardware or LAN_NAMES.match(self.name):
            return Reach.LAN
        if any(ip in net for net in CONTAINER_NETS):
            return Reach.CONTAINER
        return Reach.TUNNEL if any(ip in net for net in TUNNEL_NETS) else Reach.LAN

    def is_lan(self, contained: bool) -> bool:
        """Whether other machines are at its network for certain. `contained`: this server runs in a container, whose
        own interface looks like one to a LAN."""
        if self.reach != Reach.LAN or self.hardware:
            return self.reach == Reach.LAN
        if contained:
            return False
        if LAN_NAMES.match(self.name):
            return self.hardware is None or not any(ipaddress.ip_address(self.address) in net for net in CONTAINER_NETS)
        return self.hardware is None


def lan_addresses() -> list[str]:
    """IPv4 addresses of this machine that phones may reach, the likeliest first; without loopback."""
    return rank([*interfaces(_interface_addresses()), *_probe_addresses()])


def rank(found: Iterable[Local]) -> list[str]:
    """The addresses in the order in which a phone should try them: Wi-Fi and Ethernet before VPNs.

    If an address is found twice, the first one counts. Addresses of containers and virtual machines are left out,
    unless there are no others.
    """
    known: dict[str, Local] = {}
    for local in found:
        if not ipaddress.ip_address(local.address).is_loopback:
            known.setdefault(local.address, local)
    order = sorted(known.values(), key=_order)
    reachable = [local.address for local in order if local.reach != Reach.CONTAINER]
    return reachable or [local.address for local in order]


def interfaces(addresses: Mapping[str, str], root: Path = Path("/")) -> list[Local]:
    """What Linux says of the interfaces with these `addresses` by name, in the files below `root`."""
    ways_out = _ways_out(root / "proc/net/route")
    return [_interface(root / "sys/class/net", name, address, name in ways_out) for name, address in addresses.items()]


def own_interfaces() -> Iterator[tuple[str, Interface]]:
    """What the system calls the interfaces of this machine, and each address with its network."""
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0].partition("%")[0]
            same = adapter.name == adapter.nice_name  # as everywhere but on Windows
            name = adapter.name.partition(":")[0] if same else f"{adapter.nice_name} {ip.nice_name}"
            yield name, ipaddress.ip_interface(f"{address}/{ip.network_prefix}")


def lan_networks(found: Iterable[tuple[str, Interface]], root: Path = Path("/")) -> list[Interface]:
    """Those interfaces that lead to a LAN: not those of containers, virtual machines and tunnels."""
    contained = any((root / mark).exists() for mark in CONTAINED)
    return [
        interface
        for name, interface in found
        if not VIRTUAL.search(name)
        and _interface(root / "sys/class/net", name, str(interface.ip), way_out=False).is_lan(contained)
    ]


def shown_hosts(host: str) -> Sequence[str]:
    """The hosts to print for a server that listens on `host`: `host`, or all addresses of this machine."""
    if host not in ALL:
        return [host]
    return lan_addresses() or ["localhost"]


def url(host: str, port: int, secure: bool) -> str:
    """`http://host:port/`, without the port where it is the scheme's own."""
    scheme = "https" if secure else "http"
    name = f"[{host}]" if ":" in host else host
    own_port = 443 if secure else 80
    return f"{scheme}://{name}/" if port == own_port else f"{scheme}://{name}:{port}/"


def _order(local: Local) -> tuple[Reach, bool, bool, bool, bool, ipaddress.IPv4Address]:
    ip = ipaddress.IPv4Address(local.address)
    return local.reach, local.hardware is False, not local.way_out, ip not in HOME, not ip.is_private, ip


def _interface(folder: Path, name: str, address: str, way_out: bool) -> Local:
    place = folder / name
    flags = int(_text(place / "flags") or "0", 16)
    return Local(
        address,
        name,
        hardware=_is_hardware(place) if place.exists() else None,
        tunnel=bool(flags & POINT_TO_POINT) or (place / "tun_flags").exists(),
        up=_text(place / "operstate") not in DOWN,
        way_out=way_out,
    )


def _is_hardware(place: Path) -> bool:
    """Whether a device is behind an interface, or behind one below it: a home server's bridge, a bond."""
    if (place / "device").exists():
        return True
    # Below a bridge of virtual machines are their virtual ends alone, with nothing below these.
    return any(_is_hardware(lower) for lower in place.glob("lower_*"))


def _ways_out(path: Path) -> set[str]:
    """The interfaces with the least metric among the default routes of the main table.

    A VPN that takes all traffic has its own table, or two routes that are longer than the default one.
    """
    metrics = {}
    for line in (_text(path) or "").splitlines()[1:]:
        name, destination, _, _, _, _, metric, mask, *_ = line.split()
        if destination == mask == "00000000":
            metrics[name] = int(metric)
    return {name for name, metric in metrics.items() if metric == min(metrics.values())}


def _text(path: Path) -> str | None:
    try:
        return path.read_text().strip()
    except OSError:  # a container or an older system may not show it
        return None


def _interface_addresses() -> dict[str, str]:
    """The first IPv4 address of each interface, on Linux; nothing elsewhere."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            adapters = [(each.name, [ip.ip for ip in each.ips if ip.is_IPv4]) for each in ifaddr.get_adapters()]
            return {name: str(own[0]) for name, own in adapters if own}
    return {}


def _probe_addresses() -> list[Local]:
    """The addresses that the system would use towards other networks, and those of its name."""
    towards = [address for target in TOWARDS if (address := _towards(target))]
    with contextlib.suppress(OSError):  # a name that does not resolve: the routes are enough
        towards += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    outward = _towards(TOWARDS[0])
    return [Local(address, way_out=address == outward) for address in dict.fromkeys(towards)]


def _towards(target: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address == "0.0.0.0" else address
