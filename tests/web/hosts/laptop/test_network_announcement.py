"""A server is found on the network by zeroconf's own browser, here on the interface that stays in this machine."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("zeroconf", reason="the extra `home` is not installed")

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

from tests.web.served import Served
from tests.web.waiting import wait_until
from web.hosts.laptop.network_announcement import TYPES, NetworkAnnouncement, announced_addresses
from web.limits.addresses import lan_addresses
from web.texts.release import VERSION

pytestmark = pytest.mark.whole

HERE = "127.0.0.1"
Announce = Callable[..., NetworkAnnouncement]


class Found(ServiceListener):
    """What a browser of the network has found: ports, by their full names."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        info = zc.get_service_info(type_, name)
        if info is not None:
            self.names[name] = info

    update_service = add_service

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self.names.pop(name, None)

    def ports(self) -> list[int]:
        return sorted(each.port for each in self.names.values())


@pytest.fixture
def found() -> Iterator[Found]:
    with closing(Zeroconf(interfaces=[HERE])) as zeroconf:
        listener = Found()
        ServiceBrowser(zeroconf, list(TYPES), listener)
        yield listener


@pytest.fixture
def announce() -> Iterator[Announce]:
    with ExitStack() as until:

        def start(port: int, secure: bool = False, name: str = "tests") -> NetworkAnnouncement:
            made = NetworkAnnouncement(port, secure, [HERE], f"{name}.home")
            until.callback(made.close)
            return made

        yield start


def test_a_server_is_found_and_gone_after_its_end(found: Found, announce: Announce) -> None:
    made = announce(18000, secure=True)
    wait_until(lambda: len(found.names) == 2)
    assert {f"Rollcall tests.{kind}" for kind in TYPES} == found.names.keys()
    for info in found.names.values():
        assert (info.port, info.parsed_addresses()) == (18000, [HERE])
        assert info.decoded_properties == {"version": VERSION, "https": "1", "path": "/"}
    made.close()
    wait_until(lambda: not found.names)


def test_two_servers_have_two_names(found: Found, announce: Announce) -> None:
    first = announce(18001)
    wait_until(lambda: len(found.names) == 2)
    announce(18002)
    wait_until(lambda: found.ports() == [18001, 18001, 18002, 18002])
    assert {name.partition(".")[0] for name in found.names} == {"Rollcall tests", "Rollcall tests 2"}
    first.close()
    wait_until(lambda: found.ports() == [18002, 18002])


def test_a_long_name_is_cut_between_letters(found: Found, announce: Announce) -> None:
    announce(18003, name="kostky-" + "ž" * 60)
    wait_until(lambda: len(found.names) == 2)
    assert all(len(name.partition(".")[0].encode()) <= 63 for name in found.names)


def test_only_addresses_that_others_reach_are_told() -> None:
    assert announced_addresses(["192.168.1.20", "localhost", "127.0.0.1", "fe80::1", "a.name"]) == ["192.168.1.20"]


@pytest.mark.skipif(not announced_addresses(lan_addresses()), reason="this machine is in no network")
def test_whoever_serves_a_network_is_found_there_unless_it_shall_not(tmp_path: Path) -> None:
    (address, *_), here = announced_addresses(lan_addresses()), Found()
    with closing(Zeroconf(interfaces=[address])) as zeroconf:
        ServiceBrowser(zeroconf, list(TYPES), here)
        with (
            Served(tmp_path / "silent", arguments=["--host", "0.0.0.0", "--no-announce"]),
            Served(tmp_path / "data", arguments=["--host", "0.0.0.0"]) as server,
        ):
            wait_until(lambda: len(here.names) == 2)
            assert here.ports() == [server.port] * 2
        wait_until(lambda: not here.names)
