"""What a store keeps of a table, from which its session is rebuilt: its setup, its log and its settings."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from web.table.access_list import AccessList, ConnectedWebhook
from web.table.commands import Chosen
from web.table.photo_state import UnderReview
from web.table.replay import Json

ADVICE = ("off", "odds", "best")  # how much a table advises; "off" until somebody chooses
LONGEST_DICE_SET = 40  # letters of the name of a table's dice
IMPORTED = "import-{}"  # the request of a line of the log that came with a record
MOST_SAMPLES = 100  # kept for a table, the newest: an evening's throws, at most a megabyte


@dataclass(frozen=True)
class TableRow:
    """A table's setup. `key`: the secret in its address; `code`: the short code to type."""

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
class Entry:
    """One line of a table's log. `body`: {"do": action}, {"undo": true} or {"correct": step, ...}. A throw at a table
    that keeps pictures has "picture" too (`web.table.proof`)."""

    seq: int
    request: str
    body: Json
    device: str
    at: str


@dataclass(frozen=True)
class Settings:
    """What a table has besides its setup and log."""

    photo: UnderReview | None = None  # under review
    samples: Set[int] = frozenset()  # the numbers of the training samples of its dice
    chosen: Chosen = field(default_factory=Chosen)
    access: AccessList = field(default_factory=AccessList)
    webhooks: Mapping[str, ConnectedWebhook] = field(default_factory=dict)  # by their ids


@dataclass(frozen=True)
class LoadedTable:
    """A table as a store has it. `lost`: how many log lines a damage took, 0 if the number is unknown; None: none."""

    row: TableRow
    entries: Sequence[Entry]
    lost: int | None
    settings: Settings
