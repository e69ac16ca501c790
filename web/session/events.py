"""The events of a table. A store keeps all `Stored` events of a list, or none of them."""

from collections.abc import Mapping, Sequence, Set
from typing import TypeAlias

from msgspec import Struct

from web.session.access_list import ConnectedProgram, Deletion, KnownPhone
from web.session.commands import Evidence
from web.session.photo_state import UnderReview
from web.session.replay import Json, PlayerResult
from web.session.stored_table import ADVICE, Entry
from web.session.view import WatchView


class TableStarted(Struct, frozen=True):
    """The table's first event. `key`, `code`, `players`: as in `TableRow`; `at`: when.

    `owner`: the phone that started it, "" for none. `samples`: the numbers of the training samples that the table
    before it handed on. `entries`: the lines with which its log begins: an imported record, or those of the damaged
    table that it goes on from. `results`, `digest`: as in `Logged`, if the game is over already.
    """

    key: str
    code: str
    game: str
    options: Json
    players: Sequence[str]
    keep_corrections: bool
    at: str
    owner: str = ""
    advice: str = ADVICE[0]
    dice_set: str = ""
    keeps_pictures: bool = False
    samples: Set[int] = frozenset()
    entries: Sequence[Entry] = ()
    results: Sequence[PlayerResult] | None = None
    digest: str | None = None


class Logged(Struct, frozen=True):
    """One request's lines of the log. `own`: the number, from 0, of the line that the request asked for.

    `results`: the results of a game that is now over, else None; `digest`: the digest of its record.
    """

    lines: Sequence[Entry]
    results: Sequence[PlayerResult] | None = None
    digest: str | None = None
    own: int = 0


class LinesLost(Struct, frozen=True):
    """Damage took `count` lines at the end of the table's log, 0 if the number is unknown. The game does not go on."""

    count: int


class PhotoUnderReview(Struct, frozen=True):
    """A photo is under review, or its state changed. `replaced`: the photo, or state, before it."""

    photo: UnderReview
    replaced: UnderReview | None


class PhotoRemoved(Struct, frozen=True):
    """The photo left the table: its throw was confirmed, or the photo was discarded.

    `evidence`: what the person who confirmed the throw says is in the photo.
    """

    photo: UnderReview
    evidence: Evidence | None = None


class ConfirmedThrow(Struct, frozen=True):
    """A throw was confirmed from the photo under review. `line`: the log line of that throw."""

    photo: UnderReview
    line: Entry
    evidence: Evidence


class PictureKept(Struct, frozen=True):
    """The small picture of the throw in line `seq` is kept; the line has its hash."""

    seq: int
    hash: str
    body: bytes


class PicturesAgreed(Struct, frozen=True):
    """Whether the table keeps pictures of its throws from now on. `device`: the phone that chose it."""

    keeps: bool
    device: str


class SampleAdded(Struct, frozen=True):
    """The photo confirmed in line `seq` gave a training sample. `samples`: the numbers of all samples now kept."""

    seq: int
    body: bytes
    samples: Set[int]


class SamplesDropped(Struct, frozen=True):
    """These training samples are gone."""

    seqs: Set[int]


class DiceForgotten(Struct, frozen=True):
    """All training samples are gone, as somebody at this phone wanted."""

    device: str


class AdviceSet(Struct, frozen=True):
    """How much the table advises now. `device`: the phone that chose it."""

    advice: str
    device: str


class DiceNamed(Struct, frozen=True):
    """The new name of the table's dice; "" for none."""

    name: str


class PhoneJoined(Struct, frozen=True):
    """A phone came to the table, or changed its name."""

    device: str
    phone: KnownPhone


class AccessChanged(Struct, frozen=True):
    """Phones were removed, or let in again. `guarded`: new phones need the short code. `code`: a new one; None: it
    stays."""

    phones: Mapping[str, KnownPhone]
    guarded: bool
    code: str | None


class TableClosed(Struct, frozen=True):
    """The table was closed for changes, or opened again."""

    closed: bool


class ProgramConnected(Struct, frozen=True):
    """A program got a token. `hash`: of the token."""

    hash: str
    program: ConnectedProgram


class ProgramRemoved(Struct, frozen=True):
    """The token with this hash was taken back."""

    hash: str


class TableDeleted(Struct, frozen=True):
    """The table was deleted. Until the minute is over, it is only hidden."""

    deletion: Deletion


class TableRestored(Struct, frozen=True):
    """The deletion was undone."""


class TableErased(Struct, frozen=True):
    """The minute is over: nothing of the table is stored any more."""


class PhotoMoved(Struct, frozen=True):
    """A waiting photo has another place in the queue."""

    photo: UnderReview


class WatchChanged(Struct, frozen=True):
    """What the watching camera sees and proposes; None: no camera watches."""

    watched: WatchView | None


class NextTableSet(Struct, frozen=True):
    """The players went on to the table with this key, which is stored with it; None: that one was deleted."""

    key: str | None


Stored: TypeAlias = (
    TableStarted
    | NextTableSet
    | Logged
    | LinesLost
    | PhotoUnderReview
    | PhotoRemoved
    | PictureKept
    | PicturesAgreed
    | SampleAdded
    | SamplesDropped
    | DiceForgotten
    | AdviceSet
    | DiceNamed
    | PhoneJoined
    | AccessChanged
    | TableClosed
    | ProgramConnected
    | ProgramRemoved
    | TableDeleted
    | TableRestored
)
Event: TypeAlias = Stored | TableErased | PhotoMoved | WatchChanged


def confirmed_photo(happened: Sequence[Event]) -> ConfirmedThrow | None:
    """The throw that one request confirmed from a photo; None if these events have none."""
    logged = next((each for each in happened if isinstance(each, Logged)), None)
    left = next((each for each in happened if isinstance(each, PhotoRemoved)), None)
    if logged is None or left is None or left.evidence is None:
        return None
    return ConfirmedThrow(left.photo, logged.lines[logged.own], left.evidence)
