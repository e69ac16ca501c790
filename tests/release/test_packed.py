"""The packed program by itself: house rules solved beside it; a program, a home and the network that are told."""

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("zeroconf", reason="the extra `home` is not installed")


from tests.reliability.driving import Phone, ask, new_table
from tests.web.programs.mqtt.mosquitto import HomeListener, Mosquitto, missing
from tests.web.served import Served
from tests.web.waiting import wait_until
from web.hosts.laptop.network_announcement import announced_addresses
from web.limits.addresses import lan_addresses
from web.table.access_list import table_id

pytestmark = pytest.mark.slow

SOLVED_WITHIN_S = 600


@pytest.fixture(scope="module")
def program(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (archive,) = dist.glob("*-linux-*.tar.xz")
    folder = tmp_path_factory.mktemp("packed")
    subprocess.run(["tar", "--extract", "--file", archive, "--directory", folder, "--strip-components=1"], check=True)
    return folder / "rollcall"


class Packed(Served):
    """The packed program as a server, in surroundings where nothing of this checkout is known."""

    def __init__(self, program: Path, data: Path, *arguments: str) -> None:
        super().__init__(data)
        port = ("--port", str(self.port))
        self._command = [str(program), "serve", "--data", str(data), *port, *arguments]
        self._environment = {"HOME": str(data.parent), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


@pytest.fixture
def served(program: Path, tmp_path: Path) -> Iterator[Packed]:
    with Packed(program, tmp_path / "data") as server:
        yield server


def advice(served: Served, base: str) -> dict[str, Any]:
    status, told = ask(served, "GET", f"/api/v1{base}/advice")
    assert status == 200, told
    return told


def test_house_rules_are_solved_beside_the_server(served: Packed) -> None:
    base = new_table(served, "kosci", first_general_is_joker="true")
    status, told = ask(served, "POST", f"/api/v1{base}/settings", {"advice": "best"})
    assert status == 200, told
    with Phone(served.port, base) as phone:
        phone.look()
        phone.act(do="throw", dice=[1, 1, 5, 3, 2])
    wait_until(lambda: any("loss" in each for each in advice(served, base)["choices"]), SOLVED_WITHIN_S)
    assert list((served.data / "advice").glob("kosci-*.npz"))


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_a_home_is_told_by_mqtt(program: Path, tmp_path: Path) -> None:
    with (
        Mosquitto(tmp_path) as broker,
        Packed(program, tmp_path / "data", "--mqtt", broker.address) as served,
        HomeListener(broker.port) as home,
    ):
        table = table_id(new_table(served).rpartition("/")[2])
        home.wait_for(lambda: table in home.states())
        assert home.states()[table]["player"] == "Ada"


@pytest.mark.skipif(not announced_addresses(lan_addresses()), reason="this machine is in no network")
def test_the_network_is_told(program: Path, tmp_path: Path) -> None:
    from zeroconf import ServiceBrowser, Zeroconf

    from tests.web.hosts.laptop.test_network_announcement import TYPES, Found

    here = Found()
    with closing(Zeroconf(interfaces=announced_addresses(lan_addresses())[:1])) as zeroconf:
        ServiceBrowser(zeroconf, list(TYPES), here)
        with Packed(program, tmp_path / "data") as served:
            wait_until(lambda: here.ports().count(served.port) == len(TYPES))
