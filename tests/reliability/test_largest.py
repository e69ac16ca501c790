"""Every route with its largest input, and what costs most: the ledger's sums hold, and an honest phone plays on.

The short form walks over all routes and looks at no times, one way; the other way is slow. The long form (`make soak`)
sends each attack for a minute over http and https, and holds the honest phone's waits and the memory to
docs/reliability.md.
"""

import json
from pathlib import Path

import pytest
from flask import Flask

from tests.reliability.driving import Served
from tests.reliability.holding import CONNECTIONS
from tests.reliability.largest import DOCUMENTS, FORMS, largest_requests, whole_application
from tests.reliability.test_floods import LEFT_MB, MOST_MB, SLOWEST_S, Honest, attack, settled_mb
from tests.web import accounted
from tests.web.served import UNPREPARED, new_table
from web.hosts.laptop import phone_site
from web.limits.ledger import BOUNDS
from web.services import services

ACCOUNTED = ("-m", "tests.web.accounted")
FILE_BYTES = 14_000_000
ATTACK_S = 60
GROWS_MB = 60  # while 200 connections take nothing of a file
LOADS_MB = 200  # for all that the routes need, and the process that checks games
ENDS_WITHIN_S = 30


def with_site(data: Path) -> Path:
    """A data folder with a site for a phone alone, of one large file."""
    folder = data / phone_site.FOLDER
    folder.mkdir(parents=True)
    (folder / "index.html").touch()
    (folder / "large.gz").write_bytes(bytes(FILE_BYTES))
    return data


def test_what_is_listed_as_a_routes_input_is_one_of_a_route(tmp_path: Path) -> None:
    app: Flask = whole_application(tmp_path)
    asked = {endpoint for endpoint, _ in largest_requests(app, ("key", "other", "night"), 1000)}
    assert {*DOCUMENTS, *FORMS} <= asked
    services(app).close()


@pytest.mark.alone
@pytest.mark.parametrize("https", [pytest.param(False, marks=pytest.mark.slow), True], ids=["http", "https"])
def test_the_sums_hold_while_a_device_asks_for_all_there_is(tmp_path: Path, https: bool) -> None:
    told = tmp_path / "accounts.json"
    environment = {accounted.VARIABLE: str(told)}
    data = with_site(tmp_path / "data")
    with Served(data, https, environment=environment, program=ACCOUNTED) as served:
        with Honest(served, new_table(served)) as phone:
            found = attack(served, phone, phone.play, "largest", "--lines", "300")
        served.process.terminate()
        assert served.process.wait(ENDS_WITHIN_S) == 0
    accounts = json.loads(told.read_text(encoding="utf-8"))
    assert found.requests > 4, found
    assert found.told.get("unfinished") == 0, found.told
    assert found.told.get("200", 0) > 100, found.told
    assert "500" not in found.told
    assert found.peak < found.before + LOADS_MB, found
    assert all(accounts["most"][what] <= BOUNDS[what].most for what in BOUNDS), accounts
    assert not any(accounts["left"].values()), accounts
    assert sum(accounts["spent"].values()) > accounts["processor_s"] / 3, "most of it is charged to somebody"


@pytest.mark.alone
@pytest.mark.parametrize("https", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["http", "https"])
def test_a_file_is_held_in_pieces_by_those_who_do_not_take_it(tmp_path: Path, https: bool) -> None:
    """200 copies of this file would be three gigabytes."""
    with (
        Served(with_site(tmp_path / "data"), https, program=UNPREPARED) as served,
        Honest(served, new_table(served)) as phone,
    ):
        found = attack(served, phone, phone.play, "holding", "files", "--seconds", "3")
    assert found.told.get("200", 0) > 100, found.told
    assert found.peak < found.before + GROWS_MB, found


@pytest.mark.alone
@pytest.mark.slow
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
@pytest.mark.parametrize("kind", [*CONNECTIONS, "all routes"])
def test_the_figures_of_what_is_held(tmp_path: Path, kind: str, https: bool) -> None:
    device = ["holding", kind, "--seconds", str(ATTACK_S)] if kind in CONNECTIONS else ["largest", "--each", "120"]
    with Served(with_site(tmp_path / "data"), https, program=UNPREPARED) as served:
        with Honest(served, new_table(served)) as phone:
            found = attack(served, phone, phone.play, *device)
            found.after = settled_mb(served, found.before)
        served.process.terminate()
        assert served.process.wait(ENDS_WITHIN_S) == 0
    print(f"\n{kind}{' https' if https else ''}: {found}")
    assert found.own < SLOWEST_S, found
    assert found.peak < MOST_MB, found
    assert found.after < found.before + LEFT_MB, found
