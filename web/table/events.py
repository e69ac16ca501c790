"""The events of a table: all that can happen there. A store keeps all `Stored` events of a list, or none of them.

Each event is stored as JSON with its stable `kind`, and read back to an equal value (`from_body`). A kind
that was stored once stays readable for ever: new fields have defaults, and no kind is used again for something else.
Pictures and training samples are blobs: an event names one by its hash (`blob_hash`), the bytes are kept beside it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Union

import msgspec
from msgspec import Struct

from web.table.access_list import ConnectedProgram, ConnectedWebhook, Deletion, KnownPhone
from web.table.commands import Evidence
from web.table.photo_state import UnderReview
from web.table.stored_table import Entry, PlayerResult
from web.table.view import TableSettings
from web.table.watching import TableWatch


class Event(Struct, frozen=True, tag_field="kind"):
    """What may happen at a table. Events that are not `Stored` tell of the present alone, and are gone with the process
    that knows it."""


class Stored(Event, frozen=True):
    """An event that a store keeps."""


class TableStarted(Stored, frozen=True, kw_only=True, tag="table-started"):
    """A table begins. It is the first event of a table, and says all that the table begins with.

    `key`: the secret in its address; `code`: the short code to type; `at`: when. `created_at`: the same, or when the
    damaged table began that this one continues. `owner`: the phone that started it, "" for none. `follows`: the key of
    the table before; `samples`: the hashes of the training samples that came from there, by their numbers here, none
    above 0. `lines`: the log that it begins with, of an imported record or a damaged table; the pictures that these
    lines name come along from the table before. `results`, `digest`, `early`: as in `Logged`, if that game is over.
    `night`: the key of the club's night that it belongs to, "" for none.
    """

    key: str
    code: str
    at: str
    created_at: str
    game: str
    options: Mapping[str, Any]
    players: Sequence[str]
    keep_corrections: bool = False
    owner: str = ""
    settings: TableSettings = TableSettings()
    follows: str | None = None
    samples: Mapping[int, str] = {}
    lines: Sequence[Entry] = []
    results: Sequence[PlayerResult] | None = None
    digest: str | None = None
    early: bool = False
    night: str = ""


class Logged(Stored, frozen=True, tag="logged"):
    """One request's lines of the log, which name the pictures of their throws by their hashes. `own`: the number, from
    0, of the line that the request asked for.

    `results`: the results of a game that is now over, else None; `digest`: the digest of its record; `early`: people
    ended it by hand.
    """

    lines: Sequence[Entry]
    results: Sequence[PlayerResult] | None = None
    digest: str | None = None
    own: int = 0
    early: bool = False


class LinesLost(Stored, frozen=True, tag="lines-lost"):
    """Damage took `count` lines from the end of the table's log, 0 if the number is unknown. The game cannot go on."""

    count: int


class PhotoUnderReview(Stored, frozen=True, tag="photo-under-review"):
    """A photo is under review, or its state changed. It takes the place of the photo, or state, before it."""

    photo: UnderReview


class PhotoRead(Stored, frozen=True, tag="photo-read"):
    """The photo under review was read, or cannot be shown. A file does not keep it: the photo would be read again."""

    photo: UnderReview


class PhotoRemoved(Stored, frozen=True, tag="photo-removed"):
    """The photo left the table: its throw was confirmed, or the photo was discarded.

    `evidence`: what the person who confirmed the throw says is in the photo.
    """

    reading: str
    evidence: Evidence | None = None


class SampleAdded(Stored, frozen=True, tag="sample-added"):
    """The photo confirmed in line `seq` gave a training sample, the blob of this hash. `dropped`: the numbers of the
    samples that made room for it."""

    seq: int
    hash: str
    dropped: frozenset[int] = frozenset()


class SamplesDropped(Stored, frozen=True, tag="samples-dropped"):
    """These training samples are gone."""

    seqs: frozenset[int]


class DiceForgotten(Stored, frozen=True, tag="dice-forgotten"):
    """All training samples are gone, as somebody at this phone wanted."""

    device: str


class SettingsChanged(Stored, frozen=True, tag="settings-changed"):
    """The new values of some of the table's settings. `device`: the phone that chose them."""

    settings: Mapping[str, Any]
    device: str

    def __post_init__(self) -> None:
        msgspec.convert(self.settings, TableSettings)  # others are no event of this version


class PhoneJoined(Stored, frozen=True, tag="phone-joined"):
    """A phone came to the table, or changed its name. `forgotten`: the phone that made room for it in the list."""

    device: str
    phone: KnownPhone
    forgotten: str | None = None


class AccessChanged(Stored, frozen=True, tag="access-changed"):
    """Phones were removed, or let in again. `guarded`: new phones need the short code. `code`: a new one; None: it
    stays."""

    phones: Mapping[str, KnownPhone]
    guarded: bool
    code: str | None


class TableClosed(Stored, frozen=True, tag="table-closed"):
    """The table was closed for changes, or opened again."""

    closed: bool


class ProgramConnected(Stored, frozen=True, tag="program-connected"):
    """A program got a token. `hash`: of the token; `program` None: it was taken back."""

    hash: str
    program: ConnectedProgram | None = None


class WebhookConnected(Stored, frozen=True, tag="webhook-connected"):
    """A program is told what happens, at an address; `webhook` None: no longer."""

    id: str
    webhook: ConnectedWebhook | None = None


class TableDeleted(Stored, frozen=True, tag="table-deleted"):
    """The table was deleted. Until the minute is over, it is only hidden. `deletion` None: that was undone."""

    deletion: Deletion | None = None


class TableErased(Stored, frozen=True, tag="table-erased"):
    """The minute is over: nothing of the table is stored any more."""


class NextTableSet(Stored, frozen=True, tag="next-table-set"):
    """The players went on to the table with this key, which began at the same moment; None: that one was erased."""

    key: str | None


class NightChanged(Stored, frozen=True, tag="night-changed"):
    """What happened at a club's night, in the journal of the night: an event of `web.clubs.night_events` as JSON."""

    change: Mapping[str, Any]


class NamesErased(Stored, frozen=True, tag="names-erased"):
    """A name was taken out of all events before this one, at the wish of who had it: they are not as they were
    written. Whoever knows them has to read them again."""


class PhotoMoved(Event, frozen=True, tag="photo-moved"):
    """A waiting photo has another place in the queue, 1 for next."""

    place: int


class WatchChanged(Event, frozen=True, tag="watch-changed"):
    """What the watching camera saw and proposes; None: no camera watches."""

    watched: TableWatch | None


_DECODER: msgspec.json.Decoder[Stored] = msgspec.json.Decoder(Union[tuple(Stored.__subclasses__())])  # noqa: UP007


def from_body(body: bytes) -> Stored:
    """The event with this JSON. Raises `msgspec.MsgspecError`."""
    return _DECODER.decode(body)


def blob_hash(body: bytes) -> str:
    """The name of a blob in events."""
    return hashlib.sha256(body).hexdigest()
