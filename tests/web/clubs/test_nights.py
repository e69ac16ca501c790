"""A night in a store: who may what, results of tables and what comes after them, and what a power cut leaves."""

import random
import shutil
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select, text

from tests.web.clubs.simulated_nights import DESK, PAD, Server, SimulatedNight
from tests.web.random_tables import compare
from web.clubs import night_commands as club
from web.clubs import night_events
from web.clubs.night import Night, begin, evolve
from web.clubs.night_decisions import token_hash
from web.clubs.night_document import document
from web.clubs.night_events import Plan, RoundPlan, as_change, from_change
from web.clubs.rare_throws import odds
from web.clubs.standings import standings
from web.problems.problem import Problem
from web.store import schema
from web.store.maintenance import checking
from web.table import commands
from web.table.access_list import Deletion
from web.table.commands import SERVER, Asker

GUEST, OTHER = Asker("a-guests-phone"), Asker("another-phone")
NAMES = ["Ada", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal"]


class Evening:
    """A night of eight people, at tables that write one round of points."""

    def __init__(self, host: Server, names: list[str] = NAMES, **more: Any) -> None:
        self.server = host
        plan = {"name": "An evening", "rounds": [PAD, PAD], "seats": 4, **more}
        self.key = host.nights.start(Plan(**plan), DESK).key
        self.do(night_events.PeopleCame(names))

    @property
    def night(self) -> Night:
        return self.server.nights.look(self.key)

    def do(self, command: club.Asked, asker: Asker = DESK) -> Night:
        return self.server.nights.do(self.key, command, asker)

    def ring(self) -> None:
        self.server.nights.ring(self.key, DESK, lambda: None)

    def write(self, table: int, *points: int) -> None:
        """Everybody at this table of the last round writes points; then its game is over."""
        key = self.night.rounds[-1].tables[table - 1].key
        for player, each in enumerate(points):
            self.act(key, {"do": "write", "player": player, "points": each})

    def act(self, key: str, action: Any) -> None:
        state = self.server.runner.look(key)
        request = f"request-{state.version:04}"
        self.server.runner.do(key, commands.Act(version=state.version, request=request, action=action), GUEST)

    def totals(self) -> dict[str, int]:
        return {line.name: line.total for line in standings(self.night)}

    def seat_of(self, name: str) -> int:
        """The table where this person sits in the last round, 0 for none."""
        number = next(each.number for each in self.night.people.values() if each.name == name)
        table = self.night.table_of(number)
        return 0 if table is None else table.number


@pytest.fixture
def evening(host: Server) -> Evening:
    return Evening(host)


def reason(ask: Callable[[], object]) -> str:
    with pytest.raises(Problem) as caught:
        ask()
    return caught.value.reason


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.whole) for seed in range(3, 8))])
def test_a_simulated_night_is_what_an_adder_says(host: Server, seed: int) -> None:
    night = SimulatedNight(host, random.Random(seed))
    night.play()
    night.check()
    assert night.told


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_a_thousand_nights_are_what_an_adder_says(host: Server, seed: int) -> None:
    night = SimulatedNight(host, random.Random(seed))
    night.play()
    night.check()


@pytest.mark.parametrize(
    "command",
    [
        night_events.PeopleCame(["Zed"]),
        club.DrawRound(),
        night_events.NightEnded(),
        night_events.RoundEnded(),
        night_events.TimeAdded(5),
        night_events.PersonLeft(1),
        night_events.PersonRenamed(1, "Zed"),
        night_events.PhoneTaken(1),
        night_events.SeatChanged(1, 2),
        club.WriteTotals(1, 1, [1, 2, 3, 4]),
        club.Ring([("a", "b"), ("c", "d")], [[1, 2, 3, 4], [5, 6, 7, 8]]),
        night_events.DeskOffered("hash"),
        night_events.TeamsMade(),
        club.JoinDesk("not the token"),
        club.TellTable("key", ""),
    ],
)
def test_only_the_desk_changes_a_night(evening: Evening, command: club.Asked) -> None:
    evening.do(club.DrawRound())
    before = evening.night
    for stranger in (GUEST, Asker(""), Asker("program:hash")):
        assert reason(lambda stranger=stranger: evening.do(command, stranger)) in ("desk-only", "token-unknown")
    assert evening.night == before


def test_the_desk_lets_one_more_device_in_once(evening: Evening) -> None:
    token = evening.server.nights.offer_desk(evening.key, DESK)
    assert reason(lambda: evening.do(club.JoinDesk(token + "x"), GUEST)) == "desk-only"
    evening.do(club.JoinDesk(token), GUEST)
    evening.do(club.DrawRound(), GUEST)
    assert reason(lambda: evening.do(club.JoinDesk(token), OTHER)) == "desk-only"
    assert token not in str(evening.server.runner.look(evening.key).changes)
    assert token_hash(token) in str(evening.server.runner.look(evening.key).changes)


def test_a_phone_belongs_to_one_person_and_nobody_takes_it_away(evening: Evening) -> None:
    evening.do(club.ComeAs(1), GUEST)
    assert reason(lambda: evening.do(club.ComeAs(1), OTHER)) == "person-has-phone"
    assert reason(lambda: evening.do(club.ComeAs(name="aDA"), OTHER)) == "person-has-phone"
    evening.do(club.ComeAs(2), GUEST)
    assert [each.name for each in evening.night.people.values() if each.phone] == ["Bob"]
    evening.do(club.ComeAs(name=" Ivo "), OTHER)
    assert evening.night.people[9].name == "Ivo"
    assert evening.night.person_of("another-phone") is not None
    evening.do(night_events.PhoneTaken(2))
    evening.do(club.ComeAs(2), OTHER)
    assert evening.night.people[9].phone == ""
    for name in ("", " ", "x" * 41, "A\u202eb"):
        reason(lambda name=name: evening.do(club.ComeAs(name=name), GUEST))


def test_seats_are_changed_before_the_bell_only(evening: Evening) -> None:
    evening.do(club.DrawRound())
    one, other = evening.night.rounds[0].tables
    evening.do(night_events.SeatChanged(one.people[0], 2, other.people[3]))
    assert evening.night.rounds[0].tables[0].people[0] == other.people[3]
    assert evening.night.rounds[0].tables[1].people[3] == one.people[0]
    for person in other.people[:3]:
        evening.do(night_events.SeatChanged(person, 1))
    evening.do(night_events.SeatChanged(one.people[0], 0))
    (table,) = evening.night.rounds[0].tables
    assert len(table.people) == 7
    assert evening.night.rounds[0].out == (one.people[0],)
    evening.ring()
    assert reason(lambda: evening.do(night_events.SeatChanged(one.people[0], 1))) == "stale"


@pytest.mark.parametrize("moved", [False, True])
def test_a_desk_that_rings_too_late_leaves_no_tables(evening: Evening, moved: bool) -> None:
    evening.do(club.DrawRound())
    first = evening.night.rounds[0].tables[0].people[0]

    def be_quicker() -> None:
        if len(evening.night.people) == 8:
            evening.do(night_events.PeopleCame(["Late"]))
            _ = evening.do(night_events.SeatChanged(first, 2)) if moved else evening.ring()

    evening.server.nights.ring(evening.key, DESK, be_quicker)
    last = evening.night.rounds[0]
    assert bool(last.began) is not moved, "who was moved is not made to play at the old table"
    with evening.server.store.read() as connection:
        tables = connection.execute(select(func.count()).select_from(schema.tables)).scalar_one()
    assert tables == (1 if moved else 3)


def test_a_table_without_a_phone_is_written_at_the_desk(evening: Evening) -> None:
    evening.do(club.DrawRound())
    evening.ring()
    assert reason(lambda: evening.do(club.DrawRound())) == "round-runs"
    evening.do(club.WriteTotals(1, 2, [5, -3, 5, 0]))
    totals = evening.night.rounds[0].tables[1].totals
    assert totals is not None
    assert [each.place for each in totals] == [1, 4, 1, 3]
    for wrong in ([1, 2, 3], [1, 2, 3, 10**7]):
        assert reason(lambda wrong=wrong: evening.do(club.WriteTotals(1, 2, wrong))) == "night-totals"
    evening.act(evening.night.rounds[0].tables[1].key, {"do": "write", "player": 0, "points": 3})
    assert evening.night.rounds[0].tables[1].totals == totals, "a phone that only began changes nothing"


def test_statistics_and_the_night_have_an_end_once_or_not_wherever_it_is_cut_off(evening: Evening) -> None:
    """The files as they lie there before each statement are what a kill leaves."""
    host, cuts, known = evening.server, list[Server](), set[tuple[bool, int]]()

    def cut(statement: str) -> None:
        folder = host.folder / f"cut-{len(cuts)}"
        shutil.copytree(host.data, folder / "0")
        cuts.append(Server(folder))

    evening.do(club.DrawRound())
    evening.ring()
    evening.write(1, 9, 7, 5)
    key = evening.night.rounds[0].tables[0].key
    host.store._commits._driver.set_trace_callback(cut)
    evening.act(key, {"do": "write", "player": 3, "points": 3})
    host.runner.do(key, commands.Undo(version=4, request="taken-back"), GUEST)
    host.store._commits._driver.set_trace_callback(None)
    for each in cuts:
        state, totals = each.runner.look(key), each.nights.settle(evening.key).rounds[0].tables[0].totals
        assert (totals is not None) == state.table.over
        compare(each.store, each.runner)  # the rows of statistics too
        known.add((state.table.over, state.version))
        each.store.close()
    assert known == {(False, 3), (True, 4), (False, 5)}


def test_a_power_cut_or_a_full_disk_between_a_table_and_its_night_loses_nothing(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = evening.server
    evening.do(club.DrawRound())
    evening.ring()
    host.runner._followers.clear()  # the table's journal has the end, the night's has not
    evening.write(1, 9, 7, 5, 3)
    host.kill()
    host.store._commits._driver.execute("PRAGMA query_only = ON")
    assert host.nights.settle(evening.key) == evening.night, "shown as it is known"
    assert set(evening.totals().values()) == {0}
    host.nights.settle(evening.key)
    assert sorted(evening.totals().values()) == [0, 0, 0, 0, 3, 5, 7, 9]
    evening.do(night_events.RoundEnded())
    evening.do(club.DrawRound())
    evening.ring()
    host.runner._followers.clear()
    monkeypatch.setattr("web.runner.runner.now", lambda: "2020-01-01T00:00:00Z")  # a clock that stood still meanwhile
    undo = commands.Undo(version=4, request="taken-back")
    host.runner.do(evening.night.rounds[0].tables[0].key, undo, GUEST)
    host.kill()
    host.nights.season_of(evening.key)
    assert set(evening.totals().values()) == {0}


def test_a_night_keeps_the_results_that_damage_took_from_a_table(evening: Evening) -> None:
    evening.do(club.DrawRound())
    evening.ring()
    evening.write(1, 9, 7, 5, 3)
    host, table = evening.server, evening.night.rounds[0].tables[0]
    with host.store.write() as connection:
        connection.execute(text("UPDATE events SET by = 'x' WHERE request = 'request-0003'"))
    host.kill()
    assert (host.nights.settle(evening.key).rounds[0].tables[0], host.runner.look(table.key).lost) == (table, 1)


def test_a_night_is_kept_checked_and_erased_as_tables_are(evening: Evening) -> None:
    evening.do(club.DrawRound())
    evening.ring()
    evening.write(1, 9, 7, 5, 3)
    store = evening.server.store
    compare(store, evening.server.runner)
    assert checking.check(evening.server.data / "rollcall.db", None).word != checking.DAMAGED
    evening.server.runner.do(evening.key, commands.DeleteTable(), DESK)
    deletion = evening.server.runner.look(evening.key).access.deletion
    assert isinstance(deletion, Deletion)
    assert evening.server.runner.erase(evening.key, deletion)
    assert reason(lambda: evening.night) == "table-deleted"


def test_two_servers_of_one_night_agree(evening: Evening) -> None:
    """Another process took its turn: the change is decided again, from the night as it is then."""
    nights = evening.server.nights
    known = nights._known_after(evening.server.runner.look(evening.key))
    change = as_change(night_events.PeopleCame(["Quick"]))
    evening.server.runner.do(evening.key, commands.ChangeNight(len(known.changes), [change]), SERVER)
    stale = commands.ChangeNight(len(known.changes), [change])
    assert reason(lambda: evening.server.runner.do(evening.key, stale, SERVER)) == "stale"
    evening.do(night_events.PeopleCame(["Slow"]))
    assert [each.name for each in evening.night.people.values()][8:] == ["Quick", "Slow"]


def test_a_table_that_is_no_night_is_none(host: Server) -> None:
    row = host.runner.start(commands.Start("score-pad", {}, ["Ada"]), DESK)
    assert reason(lambda: host.nights.look(row.key)) == "table-unknown"


def test_plans_that_cannot_be_played_are_refused(host: Server) -> None:
    threes = RoundPlan("threes")
    assert reason(lambda: host.nights.start(Plan(name="N", rounds=[threes]), DESK)) == "night-low-wins"
    evening = Evening(host, rounds=[threes], adds="places")
    evening.do(club.DrawRound())
    evening.ring()
    evening.do(club.WriteTotals(1, 1, [3, 1, 2, 4]))
    totals = evening.night.rounds[0].tables[0].totals
    assert totals is not None
    assert [each.place for each in totals] == [3, 1, 2, 4]


def test_every_event_is_read_back_as_it_was(evening: Evening) -> None:
    evening.do(club.ComeAs(1), GUEST)
    evening.server.nights.offer_desk(evening.key, DESK)
    evening.do(club.DrawRound())
    evening.do(night_events.SeatChanged(1, 0))
    evening.do(night_events.TeamsMade([(1, 2)]))
    evening.ring()
    evening.do(night_events.TimeAdded(5))
    evening.do(night_events.PersonLeft(2))
    evening.do(night_events.PersonRenamed(3, "Cydney"))
    evening.do(club.WriteTotals(1, 1, [1] * len(evening.night.rounds[0].tables[0].people)))
    evening.do(night_events.NightEnded())
    first, *others = map(from_change, evening.server.runner.look(evening.key).changes)
    assert isinstance(first, night_events.NightBegun)
    for each in (first, *others):
        assert from_change(msgspec.json.decode(msgspec.json.encode(as_change(each)))) == each
    assert evolve(begin(first), others) == evening.night
    seen = {type(each) for each in (first, *others)}
    elsewhere = {each for each in night_events.Happening.__subclasses__() if each.__name__.startswith("Hall")}
    assert set(night_events.Happening.__subclasses__()) - seen - elsewhere == {night_events.DeskJoined}


def test_a_team_has_one_line_and_its_partners_do_not_meet(host: Server) -> None:
    evening = Evening(host, [*NAMES, "Ivo"])
    evening.do(night_events.TeamsMade([(1, 2), (3, 4)]))
    evening.do(night_events.TeamsMade([(2, 3)]))
    assert [each.partner for each in evening.night.people.values()] == [0, 3, 2, *[0] * 6]
    evening.do(night_events.TeamsMade([(2, 0)]))
    evening.do(night_events.TeamsMade())
    alone = [each.name for each in evening.night.people.values() if not each.partner]
    assert len(alone) == 1
    evening.do(club.DrawRound())
    evening.ring()
    for table in evening.night.rounds[0].tables:
        assert not any(evening.night.people[person].partner in table.people for person in table.people)
        evening.write(table.number, *range(1, len(table.people) + 1))
    lines = standings(evening.night)
    assert sum(line.total for line in lines) == 25
    assert sorted(map(len, (line.people for line in lines))) == [1, 2, 2, 2, 2]
    first = lines[0]
    assert first.name == " & ".join(evening.night.people[each].name for each in first.people)


def test_winners_move_up_a_table_and_partners_change(host: Server) -> None:
    evening = Evening(host, [f"Person {number}" for number in range(1, 13)], draw="rotation", adds="wins")
    evening.do(club.DrawRound())
    evening.ring()
    head, middle, low = (table.people for table in evening.night.rounds[0].tables)
    for table, points in ((1, (9, 0, 2, 10)), (2, (1, 2, 3, 1)), (3, (5, 5, 5, 6))):
        evening.write(table, *points)  # seats 1 and 3 win, 1 and 3, 2 and 4
    assert {line.person for line in standings(evening.night) if line.wins} == {*head[::2], *middle[::2], *low[1::2]}
    evening.do(club.DrawRound())
    new = [table.people for table in evening.night.rounds[1].tables]
    assert list(map(set, new)) == [{*head[::2], *middle[::2]}, {*middle[1::2], *low[1::2]}, {*low[::2], *head[1::2]}]
    before = {frozenset(people[seat::2]) for people in (head, middle, low) for seat in (0, 1)}
    assert not before & {frozenset(people[seat::2]) for people in new for seat in (0, 1)}
    evening.do(night_events.PersonLeft(head[0]))
    evening.do(night_events.PeopleCame(["Late"]))
    evening.do(club.DrawRound())
    assert [len(table.people) for table in evening.night.rounds[1].tables] == [4, 4, 4]
    assert 13 in evening.night.rounds[1].tables[2].people, "who comes late begins at the last table"


def test_the_last_of_each_table_is_out_until_one_table_is_left(host: Server) -> None:
    evening = Evening(host, draw="last-table", rounds=[PAD])
    evening.do(club.DrawRound())
    evening.ring()
    one, other = (table.people for table in evening.night.rounds[0].tables)
    evening.write(1, 9, 7, 5, 5)  # two share the last place
    evening.write(2, 8, 8, 8, 8)  # nobody is last
    evening.do(club.DrawRound())
    drawn = evening.night.rounds[1]
    assert {person for table in drawn.tables for person in table.people} == {*one[:2], *other}
    evening.ring()
    for table in drawn.tables:
        evening.write(table.number, 3, 2, 1)
    assert document(evening.night, evening.server.nights.game_of, 0).next == "final"
    evening.do(club.DrawRound())
    final = evening.night.rounds[2]
    assert final.final
    evening.ring()
    evening.write(1, 1, 4, 2, 3)
    order = [line.person for line in standings(evening.night)]
    assert order[:4] == [final.tables[0].people[seat] for seat in (1, 3, 2, 0)]
    assert set(order[6:]) == set(one[2:]), "who was out first is last"
    assert document(evening.night, evening.server.nights.game_of, 0).next == "end"


@pytest.mark.parametrize("count", range(1, 6))
def test_a_throw_is_as_rare_as_all_throws_of_its_dice_say(count: int) -> None:
    def orders(dice: tuple[int, ...]) -> int:
        return len(set(permutations(dice)))

    throws = list(product(range(1, 7), repeat=count))
    of_each = {dice: orders(dice) for dice in {tuple(sorted(each)) for each in throws}}
    for dice, ways in of_each.items():
        as_rare = sum(of_each[tuple(sorted(each))] <= ways for each in throws)
        assert odds(dice) == round(6**count / as_rare)


def test_the_rarest_throw_of_all_tables_is_that_of_the_night(host: Server) -> None:
    evening = Evening(host, rounds=[RoundPlan("yahtzee")])
    evening.do(club.DrawRound())
    evening.ring()
    one, other = evening.night.rounds[0].tables
    shown = [document(evening.night, host.nights.game_of, 0).throw]
    for table, dice in ((one, [1, 2, 3, 4, 6]), (other, [4, 4, 4, 4, 2]), (one, [6, 6, 6, 1, 1])):
        evening.act(table.key, {"do": "throw", "dice": dice})
        evening.act(table.key, {"do": "score", "category": "chance"})
        shown.append(document(evening.night, host.nights.game_of, 0).throw)
    assert shown[:2] == [None, None]
    assert shown[2] == shown[3]
    assert (shown[2].table, shown[2].odds, shown[2].line) == (2, 50, 0)
    assert shown[2].name == evening.night.people[other.people[0]].name
    evening.act(other.key, {"do": "adjust", "what": "game", "over": True})
    assert evening.night.rounds[0].tables[1].throw is not None, "the night keeps it when the table is over"
