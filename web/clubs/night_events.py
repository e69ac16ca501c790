"""The events of a club's night: all that can happen there. Its journal is that of a table whose game nobody plays
(`web.table.events.NightChanged`), so each store keeps, copies, checks and erases it as it does tables.

People have numbers from 1, in the order in which they came; rounds and their tables too.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, Union

import msgspec
from msgspec import Meta, Struct

Adds: TypeAlias = Literal["points", "places", "wins"]
Draw: TypeAlias = Literal["new-people", "places", "rotation", "last-table"]


class RoundPlan(Struct, frozen=True):
    """What is played in a round. `options`: the rules, as `scorer.game` takes them. `hall`: everybody writes the throws
    of one front table (`web.clubs.hall_throws`)."""

    game: str
    options: Mapping[str, Any] = {}
    hall: bool = False


class Plan(Struct, frozen=True, kw_only=True):
    """What a night is about.

    `rounds`: those that are planned; further ones are played as the last. `seats`: at a table, as far as the people
    allow; `exactly`: who is too many for full tables sits out. `adds`: what a round brings (`web.clubs.standings`).
    `finalists`: who play the final, 0: there is none. `minutes`: for a round, 0: no limit. `pictures`: tables keep
    small pictures of throws, and the rarest is shown to the hall. `seconds`: to write a throw of the hall, 0: no limit.
    `season`: the name of the season that the night adds to, "": that of its year; `left_out`: how many nights of a
    person do not count there.

    `draw`: who meets from the second round on: new people; those of like places; who moved there as in Bunco
    (`web.clubs.rotation`); or who never was the last of a table, until one table is left for the final.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    rounds: Annotated[Sequence[RoundPlan], Meta(min_length=1, max_length=12)]
    seats: Annotated[int, Meta(ge=2, le=8)] = 4
    exactly: bool = False
    adds: Adds = "points"
    finalists: Annotated[int, Meta(ge=0, le=8)] = 0
    minutes: Annotated[int, Meta(ge=0, le=240)] = 0
    draw: Draw = "new-people"
    pictures: bool = False
    seconds: Annotated[int, Meta(ge=0, le=600)] = 0
    season: Annotated[str, Meta(max_length=40)] = ""
    left_out: Annotated[int, Meta(ge=0, le=20)] = 0


class Total(Struct, frozen=True):
    """What a person brought home from a table. `place`: there, from 1; equal for equals."""

    person: int
    points: int
    place: int


class RareThrow(Struct, frozen=True):
    """The rarest throw of a table. `odds`: one throw of as many dice in so many is as rare; `seat`: whose it was, from
    0, -1 of nobody alone; `line`: of the table's log, which has its picture, 0 without one."""

    dice: Sequence[int]
    odds: int
    seat: int
    at: str
    line: int = 0


class Happening(Struct, frozen=True, tag_field="kind"):
    """What may happen at a night."""


class NightBegun(Happening, frozen=True, tag="night-begun"):
    """`device`: the phone that started the night, the first of the desk."""

    plan: Plan
    device: str
    at: str


class DeskOffered(Happening, frozen=True, tag="desk-offered"):
    """Whoever brings the token with this hash may do what the desk does, once. No older token counts any more."""

    token: str


class DeskJoined(Happening, frozen=True, tag="desk-joined"):
    """A further phone may do what the desk does: it brought the token."""

    device: str


class PeopleCame(Happening, frozen=True, tag="people-came"):
    """People with these names came. They get the next numbers."""

    names: Sequence[str]


class PersonRenamed(Happening, frozen=True, tag="person-renamed"):
    person: int
    name: str


class PersonLeft(Happening, frozen=True, tag="person-left"):
    """A person left, or came back (`here`)."""

    person: int
    here: bool = False


class PhoneTaken(Happening, frozen=True, tag="phone-taken"):
    """A phone belongs to a person from now on, and to nobody else; "": the person has none any more."""

    person: int
    device: str = ""


class RoundDrawn(Happening, frozen=True, tag="round-drawn"):
    """The next round: who sits at which table, and who sits out. It takes the place of a draw whose bell has not rung.

    `seed`: with it `web.clubs.draw` makes the same draw again.
    """

    tables: Sequence[Sequence[int]]
    out: Sequence[int]
    seed: int
    final: bool = False


class SeatChanged(Happening, frozen=True, tag="seat-changed"):
    """Before the bell a person goes to another table of the draw, 0 for none. `instead`: who takes the old place."""

    person: int
    table: int
    instead: int = 0


class RoundBegun(Happening, frozen=True, tag="round-begun"):
    """The bell of the drawn round. `tables`: the keys and short codes of its tables, in their order."""

    tables: Sequence[tuple[str, str]]
    at: str


class TimeAdded(Happening, frozen=True, tag="time-added"):
    """The running round lasts so many minutes longer."""

    minutes: int


class TableTold(Happening, frozen=True, tag="table-told"):
    """A table's results: the first, or corrected ones. `totals` empty: its game goes on. `at`: the time of its last
    step, or when the desk wrote them (`by_desk`)."""

    round: int
    table: int
    totals: Sequence[Total]
    at: str
    by_desk: bool = False
    throw: RareThrow | None = None


class RoundEnded(Happening, frozen=True, tag="round-ended"):
    """Nobody waits for further results of the running round. Those that come all the same count."""


class TeamsMade(Happening, frozen=True, tag="teams-made"):
    """These two are a team for the evening, and leave the teams that they were in; a second 0: nobody's partner.

    Asked for without teams: by lot, of all who are here without a partner.
    """

    teams: Sequence[tuple[int, int]] = ()


class NightEnded(Happening, frozen=True, tag="night-ended"):
    """The night is over, or goes on (`ended` False). Corrections count all the same."""

    ended: bool = True
    at: str = ""


class HallThrown(Happening, frozen=True, tag="hall-thrown"):
    """The front table threw these dice as this throw of a round, from 1. No dice: it and all after it were taken back.
    `anew`: everybody chooses for it; else it was over, and is corrected."""

    round: int
    number: int
    dice: Sequence[int]
    at: str
    anew: bool = True


class HallClosed(Happening, frozen=True, tag="hall-closed"):
    """Nobody may choose any more for the last throw of the running round."""


class HallTimed(Happening, frozen=True, tag="hall-timed"):
    """So many seconds are there to choose for each throw, the last one included; 0: no limit."""

    seconds: int


class Written(Struct, frozen=True):
    """What a person does with a throw of the hall, in the journal of the front table; the last one counts. `throw`: the
    id of the throw."""

    person: int
    throw: int
    actions: Sequence[Mapping[str, Any]]


def from_change(change: Mapping[str, Any]) -> Happening:
    """The event with this JSON. Raises `msgspec.ValidationError`."""
    kinds: Any = Union[tuple(Happening.__subclasses__())]  # noqa: UP007
    found: Happening = msgspec.convert(change, kinds)
    return found


def as_change(event: Happening) -> Mapping[str, Any]:
    change: Mapping[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return change
