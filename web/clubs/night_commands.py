"""What may be asked of a night. The desk asks for most of it, a phone for what concerns its own person, and the server
for what happened at the tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from web.clubs.night_events import RareThrow, Total


class NightCommand:
    """All that may be asked of a night."""


@dataclass(frozen=True)
class JoinDesk(NightCommand):
    """The asking phone becomes one of the desk's. `token`: what the desk offered."""

    token: str


@dataclass(frozen=True)
class OfferDesk(NightCommand):
    """Another phone may join the desk. `token`: the hash of what it has to bring."""

    token: str


@dataclass(frozen=True)
class AddPeople(NightCommand):
    names: Sequence[str]


@dataclass(frozen=True)
class ComeAs(NightCommand):
    """The asking phone belongs to this person; `person` 0: to one of this name, who may be new."""

    person: int = 0
    name: str = ""


@dataclass(frozen=True)
class FreePhone(NightCommand):
    """A person's phone belongs to nobody any more."""

    person: int


@dataclass(frozen=True)
class Rename(NightCommand):
    person: int
    name: str


@dataclass(frozen=True)
class Leave(NightCommand):
    """A person leaves, or comes back (`here`)."""

    person: int
    here: bool = False


@dataclass(frozen=True)
class DrawRound(NightCommand):
    """Draws the next round, or draws it anew. `final`: those who lead play it."""

    final: bool = False


@dataclass(frozen=True)
class ChangeSeat(NightCommand):
    """As `night_events.SeatChanged`."""

    person: int
    table: int
    instead: int = 0


@dataclass(frozen=True)
class Ring(NightCommand):
    """The drawn round begins. `tables`: the keys and codes of its tables, which the server made for these `people`."""

    tables: Sequence[tuple[str, str]]
    people: Sequence[Sequence[int]]


@dataclass(frozen=True)
class AddTime(NightCommand):
    minutes: int


@dataclass(frozen=True)
class WriteTotals(NightCommand):
    """The points of a table without a phone, in the order of its seats. `low_wins`: the lowest are the best."""

    round: int
    table: int
    points: Sequence[int]
    low_wins: bool = False


@dataclass(frozen=True)
class TellTable(NightCommand):
    """The game of a table is over with these totals; none: it goes on again."""

    key: str
    totals: Sequence[Total] = ()
    throw: RareThrow | None = None


@dataclass(frozen=True)
class EndRound(NightCommand):
    """Nobody waits for further results."""


@dataclass(frozen=True)
class MakeTeams(NightCommand):
    """As `night_events.TeamsMade`; none: by lot, of all who are here without a partner."""

    teams: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True)
class EndNight(NightCommand):
    ended: bool = True


@dataclass(frozen=True)
class TellThrows(NightCommand):
    """The front table with this key has thrown these dice by now."""

    key: str
    throws: Sequence[Sequence[int]]


@dataclass(frozen=True)
class CloseThrow(NightCommand):
    """Nobody chooses any more for this throw of the hall. `throw`: its id."""

    throw: int


@dataclass(frozen=True)
class SetThrowTime(NightCommand):
    seconds: int
