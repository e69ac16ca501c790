"""What may be asked of a night. The desk asks for most of it, a phone for what concerns its own person, and the server
for what happened at the tables.

Where a command would say no more than its event, the event itself is asked for, such as `night_events.PersonRenamed`.
"""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from web.clubs.night_events import Happening, RareThrow, Total


class NightCommand(Struct, frozen=True):
    """What is asked of a night, but is no event of it."""


Asked: TypeAlias = NightCommand | Happening


class JoinDesk(NightCommand, frozen=True):
    """The asking phone becomes one of the desk's. `token`: what the desk offered."""

    token: str


class ComeAs(NightCommand, frozen=True):
    """The asking phone belongs to this person; `person` 0: to one of this name, who may be new."""

    person: int = 0
    name: str = ""


class DrawRound(NightCommand, frozen=True):
    """Draws the next round, or draws it anew. `final`: those who lead play it."""

    final: bool = False


class Ring(NightCommand, frozen=True):
    """The drawn round begins. `tables`: the keys and codes of its tables, which the server made for these `people`."""

    tables: Sequence[tuple[str, str]]
    people: Sequence[Sequence[int]]


class WriteTotals(NightCommand, frozen=True):
    """The points of a table without a phone, in the order of its seats."""

    round: int
    table: int
    points: Sequence[int]


class TellTable(NightCommand, frozen=True):
    """The game of a table is over with these totals; none: it goes on again. `at`: the time of its last step."""

    key: str
    at: str
    totals: Sequence[Total] = ()
    throw: RareThrow | None = None


class TellThrows(NightCommand, frozen=True):
    """The front table with this key has thrown these dice by now."""

    key: str
    throws: Sequence[Sequence[int]]


class CloseThrow(NightCommand, frozen=True):
    """Nobody chooses any more for this throw of the hall. `throw`: its id."""

    throw: int
