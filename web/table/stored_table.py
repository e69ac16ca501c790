"""What a store keeps of a table: its setup and its log."""

from dataclasses import dataclass, field

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
