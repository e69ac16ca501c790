"""Nights of one desk add up to a season, and a person's name is taken out of all of them."""

import importlib.util
from typing import Any

import pytest

from tests.web.clubs.simulated_nights import DESK, PAD, Server
from tests.web.clubs.test_nights import GUEST, Evening, reason
from tests.web.random_tables import compare
from web.clubs import night_commands as club
from web.clubs import night_events, seasons
from web.store import visits
from web.store.maintenance import checking
from web.table import commands
from web.table.commands import Asker

FOUR = ["Ada", "Bob", "Cyd", "Dan"]


def evening(host: Server, points: dict[str, int], **more: Any) -> Evening:
    """A night of one table at which everybody brought these points."""
    found = Evening(host, list(points), **{"rounds": [PAD], **more})
    visits.visit(host.store, DESK.phone or "", host.runner.row(found.key))
    found.do(club.DrawRound())
    found.ring()
    people = found.night.rounds[0].tables[0].people
    found.write(1, *(points[found.night.people[person].name] for person in people))
    return found


def lines(host: Server, key: str) -> dict[str, seasons.LineOfSeason]:
    return {line.name: line for line in host.nights.season_of(key)[1].standings}


def test_the_best_nights_of_each_person_add_up(host: Server) -> None:
    evening(host, {"Ada": 9, "Bob": 7, "Cyd": 5, "Dan": 1})
    evening(host, {"Ada": 1, "Bob": 8, "Cyd": 5}, season="Another")
    evening(host, {"ada": 2, "Bob": 4, "Eve": 6})
    last = evening(host, {"Ada": 3, "Bob": 5, "Cyd": 5, "Eve": 4}, left_out=1)
    found = lines(host, last.key)
    assert {name: (line.place, line.total, line.left_out) for name, line in found.items()} == {
        "Ada": (1, 12, (2,)),
        "Bob": (2, 12, (2,)),
        "Eve": (3, 10, ()),
        "Cyd": (4, 10, ()),
        "Dan": (5, 1, ()),
    }
    assert found["Cyd"].by_night == (5, None, 5)
    assert found["Bob"].wins == 1
    evening(host, {"Ada": 2, "Bob": 1, "Cyd": 0}, adds="wins")
    document = host.nights.season_of(last.key)[1]
    assert document.adds == "placings"
    assert lines(host, last.key)["Ada"].by_night == (6, 0, 0, 4)


@pytest.mark.skipif(importlib.util.find_spec("openskill") is None, reason="the extra `club` is not installed")
def test_who_wins_often_is_rated_higher(host: Server) -> None:
    for _ in range(3):
        last = evening(host, {"Ada": 9, "Bob": 7, "Cyd": 5, "Dan": 1})
    found = lines(host, last.key)
    ratings = [found[name].ratings[-1] or 0 for name in FOUR]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings[0] > found["Ada"].ratings[0] > seasons.BEGINS


def test_without_the_package_a_season_has_no_ratings(host: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    document = host.nights.season_of(evening(host, {"Ada": 9, "Bob": 7}).key)[1]
    assert not document.rated
    assert [line.ratings for line in document.standings] == [(), ()]


NAME, LABEL, NICKNAME = "Zdeňka Nováková", "Zdeňka Nováková's phone", "Zdenička"


def test_a_name_is_taken_out_of_all_nights_and_tables(host: Server) -> None:
    phone = Asker("a-phone-of-twenty-letters", LABEL)
    first = evening(host, {NAME: 9, "Zdeňka": 7, "Cyd": 5, "Dan": 1})
    night = Evening(host, ["Somebody", "Bob", "Cyd", "Zdeňka"])
    visits.visit(host.store, DESK.phone or "", host.runner.row(night.key))
    night.do(night_events.PersonRenamed(1, NAME))
    night.do(club.ComeAs(1), phone)
    night.do(club.DrawRound())
    night.ring()
    (table,) = night.night.rounds[0].tables
    seat = table.people.index(1)
    host.runner.arrive(table.key, phone)
    night.act(table.key, {"do": "adjust", "what": "player-renamed", "player": seat, "name": NICKNAME})
    night.write(1, 1, 2, 3, 4)
    again = host.runner.go_on(table.key, commands.StartNext(), phone)
    before = {line.total for line in lines(host, first.key).values()}
    assert reason(lambda: host.nights.erase_name(night.key, 1, GUEST)) == "desk-only"
    host.nights.erase_name(night.key, 1, DESK)
    data = b"".join(path.read_bytes() for path in host.data.rglob("*") if path.is_file())
    for name in (NAME, LABEL, NICKNAME, "Somebody", NAME.casefold()):
        assert name.encode() not in data, name
        assert name.encode("unicode-escape").replace(b"\\x", b"\\u00") not in data
    assert "Zdeňka".encode() in data, "whose name is like it keeps it"
    (instead,) = {each.name for each in night.night.people.values()} - {"Bob", "Cyd", "Zdeňka"}
    assert instead in host.runner.row(again.key).players
    assert instead in lines(host, first.key)
    assert {line.total for line in lines(host, first.key).values()} == before
    assert not night.night.people[1].here
    assert night.night.person_of(phone.phone or "") is None
    compare(host.store, host.runner)
    assert checking.check(host.data / "rollcall.db", None).word == checking.WHOLE
    version = host.runner.look(table.key).version
    host.runner.do(table.key, commands.Undo(version=version, request="taken-back"), GUEST)
    host.kill()
    assert instead in host.runner.look(table.key).table.players
    assert host.nights.look(night.key) == night.night
