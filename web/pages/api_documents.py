"""The JSON documents of `/api/v1` that only programs are told and send; all others are those of `web.table`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from web.table.happenings import TableEvent
from web.table.json_document import Document, RefusalDocument
from web.table.photo_state import FoundDie
from web.table.view import Advice, ListedWebhook, Move, Score, Standing

MOST_OF_A_PAGE = 200
# Of games that are sold, and so listed at BoardGameGeek.
BGG_IDS = {"yahtzee": 2243, "farkle": 3181}


class ErrorDocument(Document, frozen=True, kw_only=True):
    """Any refusal (RFC 9457, `application/problem+json`). `type`: where it is explained; `title`: the status in words;
    `detail`: a sentence in the language of Accept-Language. `reason`: the key of the refusal, with its `params`."""

    type: str
    title: str
    status: int
    detail: str
    reason: str
    params: Mapping[str, Any]


class GameSummary(Document, frozen=True, kw_only=True):
    """A game. `players`: fewest and most; `dice`: in a turn's first throw; `bgg_id`: of the game at BoardGameGeek, null
    if it has none there."""

    key: str
    title: str
    summary: str
    dice: int
    players: tuple[int, int]
    bgg_id: int | None


class GameDefinition(GameSummary, frozen=True, kw_only=True):
    """A game with its house rules: `name`, `title`, `default`, `allowed` and `kind` of each. `actions`: what may be
    done in it, but for what people settle by hand, each with its keys besides `do`."""

    options: Sequence[Mapping[str, Any]]
    actions: Mapping[str, Sequence[str]]


class GamePage(Document, frozen=True, kw_only=True):
    items: Sequence[GameSummary]
    next: str | None


Name = Annotated[str, Meta(min_length=1, max_length=40)]


class StartTable(Struct, frozen=True, kw_only=True):
    """Starts a table. `options`: house rules that are not the usual ones; `keep_pictures`: of its throws, as proof."""

    game: str
    players: Annotated[Sequence[Name], Meta(min_length=1, max_length=24)]
    options: Mapping[str, Any] = {}
    advice: Advice = "off"
    keep_pictures: bool = False


class StartedTable(Document, frozen=True, kw_only=True):
    """A table that was started. `key`: the secret in its address; `id`: names it without being a right to it; `code`:
    the six letters by which phones join; `address`: of its page."""

    key: str
    id: str
    code: str
    address: str


class PendingPhoto(Document, frozen=True, kw_only=True):
    """The photo under review: `status` is "waiting", "read" or "failed"."""

    id: str
    status: str
    place: int
    device: str
    expects: int
    version: int
    dice: Sequence[FoundDie]
    aside: Sequence[FoundDie]
    asks: Sequence[RefusalDocument]
    sure: bool
    problem: RefusalDocument | None


class TableState(Document, frozen=True, kw_only=True):
    """A table: a part of what phones are shown. `stamp` changes with every change; `version`: the number of log lines,
    which a change names; `steps`: in the record. `pending`: the id and state of the photo under review. `next`: names
    the table that follows, by its key for whoever came by the key, else by its id."""

    id: str
    stamp: str
    version: int
    standing: Standing
    pending: PendingPhoto | None
    last_move: Move | None
    steps: int
    next: str | None
    closed: bool


class GameRecord(Document, frozen=True, kw_only=True):
    """A game record (docs/interfaces.md): what it takes to replay the game. `proof`: the log and its hashes, if the
    table kept pictures of its throws."""

    format: int
    game: str
    options: Mapping[str, Any]
    players: Sequence[str]
    actions: Sequence[Mapping[str, Any]]
    file: str = ""
    proof: Mapping[str, Any] | UnsetType = UNSET


class PhotoReading(Document, frozen=True, kw_only=True):
    """What was read in a photo that belongs to no table. `status`: "waiting", "read" or "failed", then with a
    `problem`. `width`, `height`: of the upright photo in pixels."""

    id: str
    status: str
    dice: Sequence[FoundDie] = ()
    aside: Sequence[FoundDie] = ()
    asks: Sequence[RefusalDocument] = ()
    sure: bool = False
    width: int = 0
    height: int = 0
    problem: RefusalDocument | None = None


class FinishedGame(Document, frozen=True, kw_only=True):
    """A finished game. `number`: grows with every game that ends; `early`: people ended it before the rules did;
    `digest`: of the record."""

    number: int
    table: str
    game: str
    title: str
    bgg_id: int | None
    started_at: str
    finished_at: str
    early: bool
    digest: str | None
    players: Sequence[Score]


class FinishedGamePage(Document, frozen=True, kw_only=True):
    items: Sequence[FinishedGame]
    next: str | None


class WebhookPage(Document, frozen=True, kw_only=True):
    """The addresses where programs are told what happens at a table."""

    items: Sequence[ListedWebhook]
    next: str | None


class EventPage(Document, frozen=True, kw_only=True):
    """Events of a table, the oldest first. `next`: the number of the last one if more follow."""

    items: Sequence[TableEvent]
    next: str | None
