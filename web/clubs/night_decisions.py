"""Decides what a command does to a night. Pure: a refused command changes nothing."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from msgspec import structs

import scorer
from scorer.shared_throws import may_share
from web.clubs import draw, night_commands, night_events, rotation
from web.clubs.night import Night, Round, seconds_of
from web.clubs.night_commands import Asked
from web.clubs.night_events import Happening, RoundPlan, Total
from web.clubs.standings import finalists, last_of_tables, standings
from web.problems.problem import Problem
from web.table.commands import Asker
from web.table.names import check_shown, name_key

MOST_PEOPLE = 200
LONGEST_NAME = 40
MOST_ROUNDS = 50
MOST_DESKS = 5
MOST_POINTS = 1_000_000
MOST_MINUTES = 240
PARTNERS_MET = 10  # as often as if they had met: who plays for one line of the standings does not share a table
MOST_SECONDS = 600


@dataclass(frozen=True)
class NightGiven:
    """What a server gives for a command. `at`: the time; `seed`: by chance, for a draw."""

    at: str = ""
    seed: int = 0


def decide(night: Night, command: Asked, asker: Asker, given: NightGiven) -> list[Happening]:
    """What happens; nothing if it was done before. Here alone is decided who may. Raises `Problem`."""
    by_server = night_commands.TellTable | night_commands.TellThrows
    if not isinstance(command, night_commands.JoinDesk | night_commands.ComeAs | by_server):
        check_desk(night, asker)
    if isinstance(command, by_server) and asker.phone is not None:
        raise Problem("desk-only", 403)
    if night.ended and not isinstance(command, AT_THE_END):
        raise Problem("night-over", 409)
    return _RULES[type(command)](night, command, asker, given)


AT_THE_END = (
    night_commands.JoinDesk
    | night_events.DeskOffered
    | night_commands.TellTable
    | night_commands.TellThrows
    | night_commands.WriteTotals
    | night_events.NightEnded
    | night_events.PhoneTaken
    | night_events.PersonLeft
)


def check_desk(night: Night, asker: Asker) -> None:
    """Raises `Problem` unless a phone of the desk asks."""
    if not asker.phone or asker.phone not in night.devices:
        raise Problem("desk-only", 403)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def game_of(plan: RoundPlan) -> scorer.Game[Any]:
    """The game of a round. Raises what `scorer.game` raises."""
    return scorer.game(plan.game, **plan.options)


def low_wins(plan: RoundPlan) -> bool:
    return bool(getattr(game_of(plan).rules, "low_wins", False))


def check_plan(plan: night_events.Plan) -> None:
    """Raises `Problem` for a plan that cannot be played, and what `scorer` raises."""
    check_shown(plan.name, *([plan.season] if plan.season else []))
    for each in plan.rounds:
        if low_wins(each) and plan.adds == "points":
            raise Problem("night-low-wins", game=game_of(each).info.title)
        if each.hall and not may_share(game_of(each)):
            raise Problem("night-hall-game", game=game_of(each).info.title)


# --- people -----------------------------------------------------------------------------------------------------------


def _join_desk(night: Night, command: night_commands.JoinDesk, asker: Asker, given: NightGiven) -> list[Happening]:
    if asker.phone in night.devices:
        return []
    if not asker.phone or not night.token or not hmac.compare_digest(token_hash(command.token), night.token):
        raise Problem("desk-only", 403)
    return [night_events.DeskJoined(asker.phone)]


def _offer_desk(night: Night, command: night_events.DeskOffered, asker: Asker, given: NightGiven) -> list[Happening]:
    if len(night.devices) >= MOST_DESKS:
        raise Problem("night-desks-full", 409, most=MOST_DESKS)
    return [command]


def _add_people(night: Night, command: night_events.PeopleCame, asker: Asker, given: NightGiven) -> list[Happening]:
    """Who is here already is passed over; who had left is back."""
    known = {name_key(each.name): each for each in night.people.values()}
    back: list[Happening] = []
    new: dict[str, str] = {}
    for text in command.names:
        name = _clean(text)
        person = known.get(name_key(name))
        if person is None:
            new.setdefault(name_key(name), name)
        elif not person.here:
            back.append(night_events.PersonLeft(person.number, here=True))
    _check_room(night, len(new))
    return [*back, *([night_events.PeopleCame(tuple(new.values()))] if new else [])]


def _come_as(night: Night, command: night_commands.ComeAs, asker: Asker, given: NightGiven) -> list[Happening]:
    if not asker.phone:
        raise Problem("desk-only", 403)
    if command.person:
        person = _person(night, command.person)
    else:
        name = _clean(command.name)
        found = next((each for each in night.people.values() if name_key(each.name) == name_key(name)), None)
        if found is None:
            _check_room(night, 1)
            return [night_events.PeopleCame((name,)), night_events.PhoneTaken(len(night.people) + 1, asker.phone)]
        person = found
    if person.phone == asker.phone:
        return [] if person.here else [night_events.PersonLeft(person.number, here=True)]
    if person.phone:
        raise Problem("person-has-phone", 409, name=person.name)
    back = [] if person.here else [night_events.PersonLeft(person.number, here=True)]
    return [*back, night_events.PhoneTaken(person.number, asker.phone)]


def _free_phone(night: Night, command: night_events.PhoneTaken, asker: Asker, given: NightGiven) -> list[Happening]:
    return [command] if _person(night, command.person).phone else []


def _rename(night: Night, command: night_events.PersonRenamed, asker: Asker, given: NightGiven) -> list[Happening]:
    person, name = _person(night, command.person), _clean(command.name)
    others = (each for each in night.people.values() if each is not person)
    if any(name_key(each.name) == name_key(name) for each in others):
        raise Problem("name-taken", 409, name=name)
    return [] if person.name == name else [night_events.PersonRenamed(person.number, name)]


def _make_teams(night: Night, command: night_events.TeamsMade, asker: Asker, given: NightGiven) -> list[Happening]:
    for one, other in command.teams:
        _person(night, one)
        if other and (_person(night, other).number == one):
            raise Problem("not-found", 404)
    alone = [each for each in night.here if not night.people[each].partner]
    teams = command.teams or rotation.teams_by_lot(alone, given.seed)
    return [night_events.TeamsMade(tuple(teams))] if teams else []


def _leave(night: Night, command: night_events.PersonLeft, asker: Asker, given: NightGiven) -> list[Happening]:
    person = _person(night, command.person)
    return [] if person.here == command.here else [command]


def _person(night: Night, number: int) -> Any:
    if number not in night.people:
        raise Problem("not-found", 404)
    return night.people[number]


def _clean(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise Problem("no-players")
    if len(name) > LONGEST_NAME:
        raise Problem("person-name-long", most=LONGEST_NAME)
    check_shown(name)
    return name


def _check_room(night: Night, more: int) -> None:
    if len(night.people) + more > MOST_PEOPLE:
        raise Problem("night-full", 409, most=MOST_PEOPLE)


# --- rounds -----------------------------------------------------------------------------------------------------------


def _draw(night: Night, command: night_commands.DrawRound, asker: Asker, given: NightGiven) -> list[Happening]:
    if night.running is not None and not night.running.is_told:
        raise Problem("round-runs", 409)
    if len(night.played) >= MOST_ROUNDS:
        raise Problem("night-over", 409)
    planned = _final if command.final and night.plan.draw != "last-table" else _tables
    drawn = planned(night, given.seed)
    return [*([night_events.RoundEnded()] if night.running is not None else []), drawn]


def _tables(night: Night, seed: int) -> night_events.RoundDrawn:
    plan, here, rounds = night.plan, still_in(night), night.played
    if here and night.plan_of(len(rounds) + 1).hall:
        return night_events.RoundDrawn((tuple(here),), (), seed)
    fewest, _ = game_of(night.plan_of(len(rounds) + 1)).info.players
    if len(here) < max(2, fewest):
        raise Problem("too-few-people", 409)
    wanted = table_sizes(night)
    sat_out = Counter(person for each in rounds for person in each.out)
    by_places = plan.draw == "places" and bool(rounds)
    placed = (person for line in standings(night) for person in line.people if night.people[person].here)
    order = list(placed) if by_places else sorted(here)
    players = draw.who_plays(order, sum(wanted), sat_out, seed)
    met = draw.meetings(table.people for each in rounds for table in each.tables)
    met.update({(each.number, each.partner): PARTNERS_MET for each in night.people.values()})
    if plan.draw == "rotation":
        tables = rotation.seat(rounds, players, wanted, seed)
    else:
        tables = draw.seat(players, wanted, met, seed, by_places)
    out = tuple(person for person in here if person not in set(players))
    final = plan.draw == "last-table" and len(tables) == 1
    return night_events.RoundDrawn(tuple(map(tuple, tables)), out, seed, final)


def still_in(night: Night) -> list[int]:
    """Who is here, and not out as the last of a table."""
    rounds = night.played if night.plan.draw == "last-table" else ()
    out = {person for each in rounds for person in last_of_tables(each)}
    return [person for person in night.here if person not in out]


def table_sizes(night: Night) -> list[int]:
    """How many sit at each table of the next round; of partners who face each other as many on both sides."""
    fewest, most = game_of(night.plan_of(len(night.played) + 1)).info.players
    exactly = night.plan.exactly or night.plan.draw == "rotation"
    return draw.sizes(len(still_in(night)), night.plan.seats, exactly, max(2, fewest), most)


def _final(night: Night, seed: int) -> night_events.RoundDrawn:
    _, most = game_of(night.plan_of(len(night.played) + 1)).info.players
    found = finalists(night, seed)[:most]
    if len(found) < 2:
        raise Problem("too-few-people", 409)
    return night_events.RoundDrawn(
        (tuple(found),), tuple(each for each in night.here if each not in found), seed, final=True
    )


def _change_seat(night: Night, command: night_events.SeatChanged, asker: Asker, given: NightGiven) -> list[Happening]:
    drawn = _drawn_round(night)
    _person(night, command.person)
    seats = {person: table.number for table in drawn.tables for person in table.people} | dict.fromkeys(drawn.out, 0)
    most = game_of(drawn.plan).info.players[1]
    if command.instead:
        if command.instead not in seats or command.person not in seats:
            raise Problem("not-found", 404)
        if seats[command.person] == seats[command.instead]:
            return []
        return [night_events.SeatChanged(command.person, seats[command.instead], command.instead)]
    if not 0 <= command.table <= len(drawn.tables):
        raise Problem("not-found", 404)
    if seats.get(command.person) == command.table:
        return []
    if command.table and len(drawn.tables[command.table - 1].people) >= most:
        raise Problem("night-table-full", 409, most=most)
    if len(drawn.tables) == 1 and command.table == 0 and len(drawn.tables[0].people) == 1:
        raise Problem("too-few-people", 409)
    return [night_events.SeatChanged(command.person, command.table)]


def _ring(night: Night, command: night_commands.Ring, asker: Asker, given: NightGiven) -> list[Happening]:
    if [list(each) for each in command.people] != [list(table.people) for table in _drawn_round(night).tables]:
        raise Problem("stale", 409)  # another desk drew again, or moved somebody
    return [night_events.RoundBegun(tuple(command.tables), given.at)]


def _drawn_round(night: Night) -> Round:
    if night.drawn is None:
        raise Problem("stale", 409)
    return night.drawn


def _add_time(night: Night, command: night_events.TimeAdded, asker: Asker, given: NightGiven) -> list[Happening]:
    if night.running is None:
        raise Problem("stale", 409)
    if not 0 < command.minutes <= MOST_MINUTES or night.running.minutes + command.minutes > 4 * MOST_MINUTES:
        raise Problem("bad-request", 400, detail=f"minutes are 1 to {MOST_MINUTES}")
    return [command]


def _end_round(night: Night, command: night_events.RoundEnded, asker: Asker, given: NightGiven) -> list[Happening]:
    return [] if night.running is None else [command]


def _end_night(night: Night, command: night_events.NightEnded, asker: Asker, given: NightGiven) -> list[Happening]:
    if bool(night.ended) == command.ended:
        return []
    still: list[Happening] = [night_events.RoundEnded()] if command.ended and night.running is not None else []
    return [*still, structs.replace(command, at=given.at)]


# --- results ----------------------------------------------------------------------------------------------------------


def _write_totals(
    night: Night, command: night_commands.WriteTotals, asker: Asker, given: NightGiven
) -> list[Happening]:
    played = next((each for each in night.played if each.number == command.round), None)
    table = next((each for each in played.tables if each.number == command.table), None) if played else None
    if played is None or table is None:
        raise Problem("not-found", 404)
    if len(command.points) != len(table.people) or any(abs(each) > MOST_POINTS for each in command.points):
        raise Problem("night-totals", table=table.number)
    best_first = sorted(command.points, reverse=not low_wins(played.plan))
    totals = tuple(
        Total(person, points, 1 + best_first.index(points))
        for person, points in zip(table.people, command.points, strict=True)
    )
    return _tell(night, night_events.TableTold(command.round, command.table, totals, given.at, True, table.throw))


def _tell_table(night: Night, command: night_commands.TellTable, asker: Asker, given: NightGiven) -> list[Happening]:
    found = night.place_of(command.key)
    if found is None:
        return []
    played, table = found
    if table.by_desk and not command.totals:
        return []  # a phone took part after all, and has not finished
    throw = command.throw if command.totals else None
    return _tell(night, night_events.TableTold(played.number, table.number, command.totals, command.at, throw=throw))


def _tell(night: Night, result: night_events.TableTold) -> list[Happening]:
    known = night.rounds[result.round - 1].tables[result.table - 1]
    is_known = tuple(known.totals or ()) == tuple(result.totals) and known.throw == result.throw
    return [] if is_known else [result]


# --- one throw for all ------------------------------------------------------------------------------------------------


def _tell_throws(night: Night, command: night_commands.TellThrows, asker: Asker, given: NightGiven) -> list[Happening]:
    """A throw takes the place of the one before it. Corrected while people choose, it is shown anew; later everybody
    keeps the chosen cell, with what the corrected dice are worth there."""
    found = night.place_of(command.key)
    if found is None:
        return []
    played, happened = found[0], list[Happening]()
    known, open_throw = [each.dice for each in played.throws], played.open_throw(seconds_of(given.at))
    told = [tuple(dice) for dice in command.throws[: len(known) if played.ended or played.is_told else None]]
    for number, (was, dice) in enumerate(zip_longest(known, told, fillvalue=()), 1):
        if was != dice:
            anew = not was or (open_throw is not None and number == len(known))
            happened.append(night_events.HallThrown(played.number, number, dice, given.at, anew))
            if not dice:
                break
    return happened


def _close_throw(night: Night, command: night_commands.CloseThrow, asker: Asker, given: NightGiven) -> list[Happening]:
    last = night.running.throws[-1:] if night.running is not None else ()
    return [night_events.HallClosed() for each in last if each.id == command.throw and not each.closed]


def _set_throw_time(night: Night, command: night_events.HallTimed, asker: Asker, given: NightGiven) -> list[Happening]:
    if night.running is None or not 0 <= command.seconds <= MOST_SECONDS:
        raise Problem("bad-request", 400, detail=f"seconds are 0 to {MOST_SECONDS}")
    return [] if night.running.seconds == command.seconds else [command]


_RULES: Mapping[type[Asked], Callable[[Night, Any, Asker, NightGiven], list[Happening]]] = {
    night_commands.JoinDesk: _join_desk,
    night_events.DeskOffered: _offer_desk,
    night_events.PeopleCame: _add_people,
    night_commands.ComeAs: _come_as,
    night_events.PhoneTaken: _free_phone,
    night_events.PersonRenamed: _rename,
    night_events.PersonLeft: _leave,
    night_commands.DrawRound: _draw,
    night_events.SeatChanged: _change_seat,
    night_commands.Ring: _ring,
    night_events.TimeAdded: _add_time,
    night_commands.WriteTotals: _write_totals,
    night_commands.TellTable: _tell_table,
    night_events.RoundEnded: _end_round,
    night_events.NightEnded: _end_night,
    night_events.TeamsMade: _make_teams,
    night_commands.TellThrows: _tell_throws,
    night_commands.CloseThrow: _close_throw,
    night_events.HallTimed: _set_throw_time,
}
