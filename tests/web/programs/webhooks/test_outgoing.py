"""Requests go to networks that are allowed, however their address is written or looked up."""

from __future__ import annotations

import contextlib
import functools
import ipaddress
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from web.limits import addresses
from web.limits.addresses import own_interfaces
from web.problems.problem import Problem
from web.programs.webhooks import outgoing
from web.programs.webhooks.outgoing import AllowedNetworks, Unreachable, parse_target, post


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "0", "[::]", "[::1]"])
def test_no_name_leads_to_this_machine(host: str) -> None:
    allowed = AllowedNetworks(also=["0.0.0.0/0", "::/0"])
    with pytest.raises((Problem, Unreachable), match=r"own network|not-allowed|unknown-host"):
        allowed.look_up(allowed.check(f"http://{host}/"))


def test_a_name_is_allowed_only_if_all_that_it_means_is(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"lamp": ["192.168.77.7"], "both": ["192.168.77.7", "127.0.0.1"], "far": ["8.8.8.8"], "none": []}

    def look_up(host: str, port: int, **_: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    allowed = AllowedNetworks(also=["192.168.77.0/24"])
    assert allowed.look_up(allowed.check("http://lamp:8123/x")) == "192.168.77.7"
    for host in ("both", "far", "none"):
        with pytest.raises(Unreachable, match="not-allowed"):
            allowed.look_up(allowed.check(f"http://{host}/"))


def test_this_machine_is_told_only_if_it_is_named_alone() -> None:
    found = [each.ip for _, each in own_interfaces()]
    own = next(ip for ip in found if ip.version == 4)
    assert ipaddress.ip_address("127.0.0.1") in found
    for also in ([], ["0.0.0.0/0"], ["127.0.0.0/8"]):
        for address in ("127.0.0.1", str(own), "169.254.169.254"):
            with pytest.raises(Problem, match="own network"):
                AllowedNetworks(also=also).check(f"http://{address}/")
    for address in ("127.0.0.1", str(own)):
        assert AllowedNetworks(also=[address]).check(f"http://{address}:8123/").port == 8123
    with pytest.raises(ValueError, match="nonsense"):
        AllowedNetworks(also=["nonsense"])


# What a home server has: its cable, and what containers, virtual machines and tunnels add.
INTERFACES = {
    "lo": "127.0.0.1/8",
    "enp3s0": "192.168.1.5/24",
    "wlan0": "10.20.0.5/16",
    "docker0": "172.17.0.1/16",
    "br-0123456789ab": "172.28.0.1/16",
    "veth12ab34c": "10.21.0.1/24",
    "virbr0": "192.168.122.1/24",
    "cni0": "10.42.0.1/24",
    "flannel.1": "10.42.1.0/16",
    "vmbridge": "192.168.50.1/24",
    "tun0": "10.8.0.2/24",
    "tap0": "10.9.0.2/24",
    "wg0": "10.10.0.2/24",
    "office": "10.11.0.2/24",
    "tailscale0": "100.101.102.103/32",
    "zt5u4y6ejv": "10.147.17.5/24",
}
HARDWARE = ("enp3s0", "wlan0", "flannel.1")  # the last stands on the cable


def interfaces_of(names: dict[str, str], root: Path, contained: bool = False) -> Callable[[], list[Any]]:
    for name in names:
        folder = root / "sys/class/net" / name
        folder.mkdir(parents=True)
        (folder / "flags").write_text("0x10d1" if name == "office" else "0x1003")
        (folder / "operstate").write_text("up")
        if name in HARDWARE:
            (folder / "device").mkdir()
    if contained:
        (root / ".dockerenv").touch()
    return lambda: [(name, ipaddress.ip_interface(address)) for name, address in names.items()]


def told(allowed: AllowedNetworks, ip: str) -> bool:
    try:
        allowed.check(f"http://[{ip}]/" if ":" in ip else f"http://{ip}/")
    except Problem:
        return False
    return True


def put(monkeypatch: pytest.MonkeyPatch, root: Path, names: dict[str, str], contained: bool = False) -> None:
    monkeypatch.setattr(outgoing, "own_interfaces", interfaces_of(names, root, contained))
    monkeypatch.setattr(outgoing, "lan_networks", functools.partial(addresses.lan_networks, root=root))


def test_only_networks_of_cable_and_wireless_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, tmp_path, INTERFACES)
    allowed = AllowedNetworks()
    reached = {name: told(allowed, str(ipaddress.ip_interface(each).ip + 1)) for name, each in INTERFACES.items()}
    assert {name for name, is_told in reached.items() if is_told} == {"enp3s0", "wlan0"}
    for foreign in ("192.168.2.7", "10.0.0.7", "172.16.0.7", "fd12:3456::1"):
        assert not told(allowed, foreign), foreign
    assert told(AllowedNetworks(also=["172.17.0.0/16"]), "172.17.0.9")
    assert not told(AllowedNetworks(private=False), "192.168.1.7")


def test_networks_that_are_not_private_are_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    six = {"enp3s0": "2a01:4f8:1:2::5/64", "wlan0": "fd12:3456::5/64"}
    put(monkeypatch, tmp_path, six)
    allowed = AllowedNetworks()
    assert told(allowed, "fd12:3456::7")
    for other in (
        "2a01:4f8:1:2::7",
        "fd12:3456::5",
        "fd12:3456::5%wlan0",
        "fe80::7",
        "fd12:3456:0:1::7",
        "fd00:ec2::254",
    ):
        assert not told(allowed, other), other


def test_an_address_is_judged_as_what_it_stands_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, tmp_path, INTERFACES)
    for allowed in (AllowedNetworks(), AllowedNetworks(also=["0.0.0.0/0", "::/0"])):
        assert told(allowed, "::ffff:192.168.1.7")
        for other in ("::ffff:192.168.1.5", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1"):
            assert not told(allowed, other), other


@pytest.mark.parametrize("address", ["172.18.0.3/16", "10.42.0.5/24"])
def test_in_a_container_its_own_network_is_that_of_containers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    put(monkeypatch, tmp_path, {"eth0": address}, contained=True)
    for host in (str(ipaddress.ip_interface(address).ip + 1), "lamp"):
        with pytest.raises(Problem, match="own network"):
            AllowedNetworks().check(f"http://{host}/")


def test_a_container_that_is_a_machine_at_the_lan_tells_the_lan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As LXC makes one: its end of a cable to the host's bridge has no hardware either."""
    put(monkeypatch, tmp_path, {"eth0": "192.168.1.9/24"})
    assert told(AllowedNetworks(), "192.168.1.7")


@pytest.mark.parametrize(
    ("name", "is_lan"),
    [
        ("Intel(R) Ethernet Connection Ethernet", True),
        ("Hyper-V Virtual Ethernet Adapter vEthernet (WSL)", False),
        ("VMware Virtual Ethernet Adapter for VMnet8 VMware Network Adapter", False),
        ("WireGuard Tunnel office", False),
        ("TAP-Windows Adapter V9 Ethernet 3", False),
        ("en0", True),
        ("utun3", False),
        ("bridge100", False),
    ],
)
def test_other_systems_are_judged_by_the_name(tmp_path: Path, name: str, is_lan: bool) -> None:
    found = [(name, ipaddress.ip_interface("192.168.1.5/24"))]
    assert addresses.lan_networks(found, tmp_path) == ([found[0][1]] if is_lan else [])


def test_a_name_that_changes_its_meaning_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: what was checked is what is connected to."""
    meanings = iter(["127.0.0.1", "127.0.0.2"])
    really = socket.getaddrinfo

    def look_up(host: str, *about: Any, **more: Any) -> list[Any]:
        return really(next(meanings) if host == "lamp" else host, *about, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    allowed = AllowedNetworks(also=["127.0.0.1"])
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            line, _ = listening.accept()
            with line:
                line.recv(1000)
                line.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        target = allowed.check(f"http://lamp:{listening.getsockname()[1]}/")
        assert post(target, allowed.look_up(target), {}, b"{}") == 204
    assert next(meanings) == "127.0.0.2"


def test_a_handshake_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "WITHIN_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        target = parse_target(f"https://127.0.0.1:{listening.getsockname()[1]}/")
        with pytest.raises(Unreachable, match="no-answer"):
            post(target, "127.0.0.1", {}, b"{}")


@pytest.mark.parametrize("answer", [b"SMTP ready\r\n", b"HTTP/1.1 2\r\n", b"H" * 5000, b""])
def test_what_is_no_answer_of_http_is_none(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def speak() -> None:
            line, _ = listening.accept()
            with line:
                line.recv(1000)
                line.sendall(answer)

        threading.Thread(target=speak, daemon=True).start()
        target = parse_target(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        with pytest.raises(Unreachable, match="no-answer"):
            post(target, "127.0.0.1", {}, b"{}")


def test_an_answer_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "WITHIN_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            line, _ = listening.accept()
            with line, contextlib.suppress(OSError):
                while True:
                    line.sendall(b"H")
                    time.sleep(0.05)

        threading.Thread(target=drip, daemon=True).start()
        target = parse_target(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        with pytest.raises(Unreachable, match="no-answer"):
            post(target, "127.0.0.1", {}, b"{}")
