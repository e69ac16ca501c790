"""A table as it was set up, and the lines of its log: what a store keeps, and a session is rebuilt from."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from web.session.access_list import AccessList
from web.session.photo_state import UnderReview
from web.session.replay import Json, PlayerResult

ADVICE = ("off", "odds", "best")  # how much a table advises; the first one where nobody chose
LONGEST_DICE_SET = 40  # letters of what the dice of a table are called
MOST_SAMPLES = 100  # of a table, the newest: an evening's throws, at most a megabyte


@dataclass(frozen=True)
class TableRow:
    """A table as it was set up. `key` is the secret in its address, `code` the short one to type."""

    id: int
    key: str
    code: str
    game: str
    options: Json
    players: tuple[str, ...]
    keep_corrections: bool
    created_at: str
    active_at: str
    finished_at: str | None
    next_key: str | None = None  # of the table that the players went on to
    digest: str | None = None  # of the record of a game that is over
    lost: int | None = None  # how many lines of its log a damage took, 0 for some; None: none
    active_no: int = field(default=0, compare=False)  # when it was read: it grows with every change of any table


@dataclass(frozen=True)
class NewTable:
    """A table that is to be stored. `actions`: those of an imported record; `owner`: the phone that starts it, "" for
    nobody.

    `results`, `digest`: as in `Logged`, of a game that is over already. `follows`: the table whose next one this is:
    it hands on the samples and the name of its dice, how much it advised, and its owner. `goes_on`: the lines of
    `follows`, a damaged table, that this one goes on from, set up as that one is stored; None: it begins anew.
    """

    game: str
    options: Json
    players: Sequence[str]
    keep_corrections: bool = False
    actions: Sequence[Json] = ()
    results: Sequence[PlayerResult] | None = None
    digest: str | None = None
    follows: TableRow | None = None
    goes_on: "Sequence[Entry] | None" = None
    advice: str = ADVICE[0]
    owner: str = ""


@dataclass(frozen=True)
class Entry:
    """One line of a table's log. `body`: {"do": action}, {"undo": true} or {"correct": step, ...}."""

    seq: int
    request: str
    body: Json
    device: str
    at: str


@dataclass(frozen=True)
class Settings:
    """What a table has besides its log."""

    photo: UnderReview | None = None  # under review
    samples: Set[int] = frozenset()  # the numbers of the training samples of its dice
    advice: str = ADVICE[0]
    dice_set: str = ""  # what the people call their dice
    access: AccessList = field(default_factory=AccessList)


@dataclass(frozen=True)
class LoadedTable:
    """A table as a store has it. `lost`: how many lines of its log a damage took, 0 for some; None: none."""

    row: TableRow
    entries: Sequence[Entry]
    lost: int | None
    settings: Settings
