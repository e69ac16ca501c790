"""What happens at a table. A store keeps a list of `Stored` events whole or not at all."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from web.session.access_list import KnownPhone
from web.session.commands import Evidence
from web.session.photo_state import UnderReview
from web.session.replay import PlayerResult
from web.session.stored_table import Entry
from web.session.view import WatchView


@dataclass(frozen=True)
class Logged:
    """One request's lines of the log. `own`: the one of them that the request itself asked for, from 0.

    `results`: those of all who play when the game is over then, else None; `digest`: that of its record then.
    """

    lines: Sequence[Entry]
    results: Sequence[PlayerResult] | None = None
    digest: str | None = None
    own: int = 0


@dataclass(frozen=True)
class PhotoUnderReview:
    """A photo is under review from now on, or is another one of its states. `replaced`: what was there before."""

    photo: UnderReview
    replaced: UnderReview | None


@dataclass(frozen=True)
class PhotoRemoved:
    """The photo under review is none any more: its throw was confirmed, or it was put away.

    `evidence`: what the person who confirmed it says is in the picture.
    """

    photo: UnderReview
    evidence: Evidence | None = None


@dataclass(frozen=True)
class ConfirmedThrow:
    """A throw was confirmed from the photo under review. `line`: of the log, that throw."""

    photo: UnderReview
    line: Entry
    evidence: Evidence


@dataclass(frozen=True)
class SampleAdded:
    """The photo confirmed in line `seq` taught how the table's dice look. `samples`: the numbers of all kept then."""

    seq: int
    body: bytes
    samples: Set[int]


@dataclass(frozen=True)
class SamplesDropped:
    """These training samples are gone."""

    seqs: Set[int]


@dataclass(frozen=True)
class DiceForgotten:
    """All training samples are gone, since somebody at this phone wanted it."""

    device: str


@dataclass(frozen=True)
class AdviceSet:
    """The table advises so much from now on. `device`: the phone that chose it."""

    advice: str
    device: str


@dataclass(frozen=True)
class DiceNamed:
    """The people call their dice so; "" for no name."""

    name: str


@dataclass(frozen=True)
class PhoneJoined:
    """A phone has come to the table, or has another name now."""

    device: str
    phone: KnownPhone


@dataclass(frozen=True)
class AccessChanged:
    """Phones were removed, or let in again. `code`: the new short code that others need; None: it stays.

    `guarded`: whether new phones need the code from now on.
    """

    phones: Mapping[str, KnownPhone]
    guarded: bool
    code: str | None


@dataclass(frozen=True)
class TableClosed:
    """Nothing more may be done at the table, or again what may be done."""

    closed: bool


@dataclass(frozen=True)
class PhotoMoved:
    """A photo that waits to be read has another place in the queue."""

    photo: UnderReview


@dataclass(frozen=True)
class WatchChanged:
    """What the watching camera sees and proposes; None: nothing watches."""

    watched: WatchView | None


@dataclass(frozen=True)
class NextTableSet:
    """The players went on to the table with this key, which is stored with it."""

    key: str


Stored: TypeAlias = (
    Logged
    | PhotoUnderReview
    | PhotoRemoved
    | SampleAdded
    | SamplesDropped
    | DiceForgotten
    | AdviceSet
    | DiceNamed
    | PhoneJoined
    | AccessChanged
    | TableClosed
)
Event: TypeAlias = Stored | PhotoMoved | WatchChanged | NextTableSet


def confirmed_photo(happened: Sequence[Event]) -> ConfirmedThrow | None:
    """The photo whose throw one request logged; None where these events say of none."""
    logged = next((each for each in happened if isinstance(each, Logged)), None)
    left = next((each for each in happened if isinstance(each, PhotoRemoved)), None)
    if logged is None or left is None or left.evidence is None:
        return None
    return ConfirmedThrow(left.photo, logged.lines[logged.own], left.evidence)
