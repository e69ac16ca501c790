"""What may be asked of a night. The desk asks for most of it, a phone for what concerns its own person, and the server
for what happened at the tables."""

from collections.abc import Sequence

from msgspec import Struct

from web.clubs.night_events import RareThrow, Total


class NightCommand(Struct, frozen=True):
    """All that may be asked of a night."""


class JoinDesk(NightCommand, frozen=True):
    """The asking phone becomes one of the desk's. `token`: what the desk offered."""

    token: str


class OfferDesk(NightCommand, frozen=True):
    """Another phone may join the desk. `token`: the hash of what it has to bring."""

    token: str


class AddPeople(NightCommand, frozen=True):
    names: Sequence[str]


class ComeAs(NightCommand, frozen=True):
    """The asking phone belongs to this person; `person` 0: to one of this name, who may be new."""

    person: int = 0
    name: str = ""


class FreePhone(NightCommand, frozen=True):
    """A person's phone belongs to nobody any more."""

    person: int


class Rename(NightCommand, frozen=True):
    person: int
    name: str


class Leave(NightCommand, frozen=True):
    """A person leaves, or comes back (`here`)."""

    person: int
    here: bool = False


class DrawRound(NightCommand, frozen=True):
    """Draws the next round, or draws it anew. `final`: those who lead play it."""

    final: bool = False


class ChangeSeat(NightCommand, frozen=True):
    """As `night_events.SeatChanged`."""

    person: int
    table: int
    instead: int = 0


class Ring(NightCommand, frozen=True):
    """The drawn round begins. `tables`: the keys and codes of its tables, which the server made for these `people`."""

    tables: Sequence[tuple[str, str]]
    people: Sequence[Sequence[int]]


class AddTime(NightCommand, frozen=True):
    minutes: int


class WriteTotals(NightCommand, frozen=True):
    """The points of a table without a phone, in the order of its seats. `low_wins`: the lowest are the best."""

    round: int
    table: int
    points: Sequence[int]
    low_wins: bool = False


class TellTable(NightCommand, frozen=True):
    """The game of a table is over with these totals; none: it goes on again."""

    key: str
    totals: Sequence[Total] = ()
    throw: RareThrow | None = None


class EndRound(NightCommand, frozen=True):
    """Nobody waits for further results."""


class MakeTeams(NightCommand, frozen=True):
    """As `night_events.TeamsMade`; none: by lot, of all who are here without a partner."""

    teams: Sequence[tuple[int, int]] = ()


class EndNight(NightCommand, frozen=True):
    ended: bool = True


class TellThrows(NightCommand, frozen=True):
    """The front table with this key has thrown these dice by now."""

    key: str
    throws: Sequence[Sequence[int]]


class CloseThrow(NightCommand, frozen=True):
    """Nobody chooses any more for this throw of the hall. `throw`: its id."""

    throw: int


class SetThrowTime(NightCommand, frozen=True):
    seconds: int
