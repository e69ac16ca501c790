"""Which address the phones at the table should use."""

import io
import ipaddress
import sys
from pathlib import Path

import pytest

from web.hosts.laptop.serving import announce
from web.limits import addresses
from web.limits.addresses import Local

ROUTES = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
PLAIN, POINT_TO_POINT = "0x1003", "0x10d1"


class System:
    """What a Linux says of its interfaces, as files below `root`; `addresses` as the kernel would answer."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.addresses: dict[str, str] = {}
        self.routes = ROUTES
        self.add("lo", "127.0.0.1", state="unknown", flags="0x9")

    def add(
        self, name: str, address: str, *parts: str, state: str = "up", flags: str = PLAIN, metric: int | None = None
    ) -> "System":
        """An interface. `parts`: what else its folder has. `metric`: of its default route, if it has one."""
        self.addresses[name] = address
        folder = self.root / "sys/class/net" / name
        folder.mkdir(parents=True)
        (folder / "operstate").write_text(f"{state}\n")
        (folder / "flags").write_text(f"{flags}\n")
        for part in parts:
            (folder / part).mkdir()
        if metric is not None:
            self.routes += f"{name}\t00000000\t0101A8C0\t0003\t0\t0\t{metric}\t00000000\t0\t0\t0\n"
        return self

    def put_under(self, name: str, lower: str) -> None:
        """Has one interface stand on another, as a bridge on its ports."""
        folders = self.root / "sys/class/net"
        (folders / name / f"lower_{lower}").symlink_to(folders / lower)

    def rank(self, *probed: str) -> list[str]:
        """The order of all addresses; `probed` were found without the interfaces, the first towards the internet."""
        path = self.root / "proc/net/route"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.routes)
        others = [Local(address, way_out=number == 0) for number, address in enumerate(probed)]
        return addresses.rank([*addresses.interfaces(self.addresses, self.root), *others])


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_a_raspberry_pi_with_docker_shows_its_lan_alone(system: System) -> None:
    system.add("eth0", "192.168.178.40", "device", metric=202)
    system.add("docker0", "172.17.0.1", "bridge", state="down")
    system.add("br-0123456789ab", "172.28.0.1", "bridge")
    system.add("veth12ab34c", "169.254.7.7")
    assert system.rank("192.168.178.40", "127.0.1.1")[0] == "192.168.178.40"
    assert "172.28.0.1" not in system.rank()
    assert "127.0.1.1" not in system.rank("127.0.1.1")


def test_a_laptop_whose_vpn_takes_everything_shows_its_wifi(system: System) -> None:
    """WireGuard under a name of its own; every probe answers with the VPN's address."""
    system.add("wlp3s0", "10.0.0.5", "device", "wireless", metric=600)
    system.add("office", "10.8.0.2", state="unknown", flags=POINT_TO_POINT)
    assert system.rank("10.8.0.2") == ["10.0.0.5", "10.8.0.2"]


def test_openvpn_is_known_by_its_folder_and_its_routes_are_not_the_default_one(system: System) -> None:
    system.add("enp2s0", "192.168.178.23", "device", metric=100)
    system.add("enx00e04c680001", "192.168.1.9", "device", metric=101)
    system.add("corp0", "192.168.0.2", "tun_flags", state="unknown")
    system.routes += "corp0\t00000000\t01000AC0\t0003\t0\t0\t0\t00000080\t0\t0\t0\n"
    assert system.rank("192.168.0.2") == ["192.168.178.23", "192.168.1.9", "192.168.0.2"]


def test_tailscale_comes_after_the_lan(system: System) -> None:
    system.add("tailscale0", "100.101.102.103", state="unknown", flags=POINT_TO_POINT)
    system.add("wlan0", "172.20.10.3", "device", "wireless", metric=600)
    assert system.rank("172.20.10.3", "100.101.102.103") == ["172.20.10.3", "100.101.102.103"]


def test_a_home_servers_bridge_is_its_lan_and_libvirts_is_not(system: System) -> None:
    system.add("enp3s0", "169.254.3.3", "device")
    system.add("vnet0", "169.254.4.4")
    system.add("virbr0", "192.168.122.1", "bridge")
    system.put_under("virbr0", "vnet0")
    system.add("br0", "172.16.4.2", "bridge", metric=425)
    system.put_under("br0", "enp3s0")
    assert system.rank("172.16.4.2", "192.168.122.1") == ["172.16.4.2", "169.254.3.3"]


def test_of_two_lans_the_one_with_the_way_out_comes_first(system: System) -> None:
    system.add("eth0", "192.168.1.5", "device", metric=100)
    system.add("wlan0", "192.168.2.5", "device", "wireless", metric=50)
    assert system.rank() == ["192.168.2.5", "192.168.1.5"]


def test_a_cable_that_is_pulled_out_comes_after_the_wifi(system: System) -> None:
    system.add("eth0", "192.168.1.5", "device", state="down", metric=100)
    system.add("wlan0", "192.168.2.5", "device", "wireless", metric=600)
    assert system.rank() == ["192.168.2.5", "192.168.1.5"]


def test_in_a_container_the_only_address_is_shown(system: System) -> None:
    system.add("eth0", "172.18.0.3", metric=0)
    assert system.rank("172.18.0.3") == ["172.18.0.3"]


def test_a_mobile_network_is_no_lan(system: System) -> None:
    system.add("wwan0", "10.64.1.2", "device", metric=10)
    system.add("wlan0", "10.42.0.1", "device", "wireless")
    assert system.rank("10.64.1.2") == ["10.42.0.1", "10.64.1.2"]


def test_with_nothing_but_loopback_there_is_none(system: System) -> None:
    assert system.rank("127.0.1.1") == []


def test_where_the_system_tells_no_interfaces_the_address_decides() -> None:
    """macOS and Windows."""
    found = ["172.28.0.1", "100.101.102.103", "169.254.1.1", "10.0.0.5", "192.168.1.23", "127.0.0.1"]
    order = addresses.rank([Local(address) for address in found])
    assert order == ["192.168.1.23", "10.0.0.5", "100.101.102.103", "169.254.1.1"]
    outward = [Local("192.168.1.5"), Local("192.168.2.5", way_out=True)]
    assert addresses.rank(outward) == ["192.168.2.5", "192.168.1.5"]
    assert addresses.rank([Local("172.18.0.1")]) == ["172.18.0.1"], "rather than none"


def test_this_machines_addresses_can_be_found() -> None:
    for address in addresses.lan_addresses():
        assert not ipaddress.ip_address(address).is_loopback
    assert addresses.shown_hosts("192.168.1.5") == ["192.168.1.5"]
    assert addresses.shown_hosts("0.0.0.0")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is asked for its interfaces")
def test_linux_tells_its_interfaces() -> None:
    found = addresses._interface_addresses()
    assert found["lo"] == "127.0.0.1"
    assert {local.address for local in addresses.interfaces(found)} == set(found.values())


def test_urls() -> None:
    assert addresses.url("192.168.1.5", 8000, False) == "http://192.168.1.5:8000/"
    assert addresses.url("192.168.1.5", 80, False) == "http://192.168.1.5/"
    assert addresses.url("fe80::1", 443, True) == "https://[fe80::1]/"


def announcement(*urls: str, all_addresses: bool = True) -> str:
    out = io.StringIO()
    announce(urls, out, all_addresses=all_addresses)
    return out.getvalue()


def test_a_computer_in_no_network_is_told() -> None:
    assert "in no network" in announcement("http://localhost:8000/")
