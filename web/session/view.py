"""What phones are shown: every document that a table tells, declared once.

msgspec writes these, and checks what phones send (`web.session.commands`). From both `docs/json_schema.py` makes the
JSON schema in `docs/schema` and the scripts' types. msgspec rather than pydantic: it needs no other package, is a few
hundred kB, its types are plain classes with slots, and it writes a state some twenty times as fast as `json` does.

A key that is not always there is `UNSET` where it is missing. The order of the fields is the order of the keys.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

from msgspec import UNSET, Meta, UnsetType

from web.session.json_document import Document, RefusalDocument
from web.session.photo_state import PhotoDocument, UnderReview, photo_fields

# What the rules say of one game alone; docs/interfaces.md and docs/standing.md have the keys.
Action: TypeAlias = Annotated[
    Mapping[str, Any], Meta(title="Action", extra_json_schema={"properties": {"do": {"type": "string"}}})
]
GameEvent: TypeAlias = Annotated[
    Mapping[str, Any], Meta(title="Happened", extra_json_schema={"properties": {"event": {"type": "string"}}})
]
Options: TypeAlias = Mapping[str, Any]
Advice: TypeAlias = Literal["off", "odds", "best"]


class TurnView(TypedDict):
    """What is on the table. Games add keys."""

    player: int | None
    points: int
    dice_left: int
    expects: int
    throw: Sequence[int]


class _Player(TypedDict):
    name: str
    score: int
    place: int | None


class Player(_Player, total=False):
    """Where one player stands. Games add keys."""

    out: bool
    joining: bool
    adjusted: Sequence[Mapping[str, Any]]
    adjusted_by: int


class Standing(TypedDict):
    """Where the game stands: docs/standing.md. Games add keys."""

    game: str
    options: Options
    version: int
    over: bool
    winners: Sequence[int]
    to_act: Sequence[int]
    players: Sequence[Player]
    order: Sequence[int]
    turn: TurnView
    legal: Sequence[Action]
    events: Sequence[GameEvent]


class ThrowOutcome(Document, frozen=True, kw_only=True):
    """What stands once a throw is confirmed, where something is to be chosen on the sheet then."""

    to_act: Sequence[int]
    turn: TurnView
    legal: Sequence[Action]


class Pending(PhotoDocument, frozen=True, kw_only=True):
    """The photo under review: how far it is, and once it is read what was found in it."""

    would: ThrowOutcome | UnsetType = UNSET


class WatchView(Document, frozen=True, kw_only=True):
    """What the watching camera sees and proposes.

    `ways`: what may be chosen now, the first proposed; `id` names them. `dice`: how many lie there. `done`: the version
    to which the camera brought the table, or -1. `region`: the corners of what counts, x and y in turn, as fractions of
    the picture. `runs_s`: seconds after which the first way is done by itself.
    """

    hand: bool
    state: Literal["looking", "moving", "resting", "throw", "put", "clear", "blind", "over", "trouble"]
    reason: str | UnsetType = UNSET
    sure: bool | UnsetType = UNSET
    problem: RefusalDocument | UnsetType = UNSET
    ways: Sequence[Sequence[Action]] | UnsetType = UNSET
    put: Sequence[Action] | UnsetType = UNSET
    doubtful: Sequence[int] | UnsetType = UNSET
    question: RefusalDocument | UnsetType | None = UNSET
    refused: RefusalDocument | UnsetType | None = UNSET
    id: str | UnsetType = UNSET
    dice: int
    done: int
    by_itself: bool
    region: Sequence[float] | None
    runs_s: float | None


class RecentLine(Document, frozen=True, kw_only=True):
    """A line of the table's log. A phone knows its own changes by their `request`."""

    seq: int
    kind: Literal["do", "undo", "correct"]
    body: Mapping[str, Any]
    device: str
    at: str
    request: str


class Move(Document, frozen=True, kw_only=True):
    """A step of the record: who did it, by which phone, when, and what followed by itself.

    `player`: None for what concerns all. `seq`: the number of the log line that made it. `gained`: the points of a
    set-aside that came with its throw. `corrected_by`: the phone that corrected it.
    """

    player: int | None
    action: Action
    device: str
    at: str
    seq: int
    events: Sequence[GameEvent]
    gained: int | UnsetType = UNSET
    corrected_by: str | UnsetType = UNSET


class View(Document, frozen=True, kw_only=True):
    """The state of a table, as all its phones are told it.

    `stamp` changes with each state and each start of the server; `version`: lines in the log; `steps`: in the record.
    `came_with`: the step that an undo takes back beside the last one. `next`: the key of the table that follows.
    `lost`: how many lines a damage of the store took, 0 for some; None: none. `learnt`: how many photos taught what
    the dice look like; `forgotten`: how often that was forgotten, and by which phone last. `guarded`: new phones need
    the `code`.
    """

    stamp: str
    version: int
    standing: Standing
    pending: Pending | None
    watched: WatchView | None
    recent: Sequence[RecentLine]
    last_move: Move | None
    came_with: Move | None
    steps: int
    next: str | None
    lost: int | None
    learnt: int
    forgotten: tuple[int, str]
    advice: Advice
    advised_by: str
    dice_set: str
    closed: bool
    guarded: bool
    code: str
    reader: bool
    reader_problem: RefusalDocument | None
    camera: bool


class ChangedStep(Document, frozen=True, kw_only=True):
    """The step that an undo or a correction changed, as it was.

    `player`: of an undo. Of a correction `dropped`: how many steps went; `settled`: how many adjustments came.
    """

    player: int | UnsetType | None = UNSET
    action: Action
    dropped: int | UnsetType = UNSET
    settled: int | UnsetType = UNSET


class HistoryLine(Document, frozen=True, kw_only=True):
    seq: int
    body: Mapping[str, Any]
    device: str
    at: str
    changed: ChangedStep | None


class GameHistory(Document, frozen=True, kw_only=True):
    """All steps of the game, and the log's lines: also the undone ones and the corrections."""

    version: int
    moves: Sequence[Move]
    log: Sequence[HistoryLine]


class Score(Document, frozen=True, kw_only=True):
    name: str
    score: int


class UndoPreview(Document, frozen=True, kw_only=True):
    """What an undo would take back. `version`: what it is to name; `turn`: the points of the turn before and after."""

    version: int
    move: Move
    before: Sequence[Score]
    after: Sequence[Score]
    turn: tuple[int | None, int | None]


class SettledSteps(Document, frozen=True, kw_only=True):
    """What takes the place of `drop` steps that no longer hold."""

    drop: int
    because: RefusalDocument | None
    adjustments: Sequence[Action]


class CorrectionPreview(Document, frozen=True, kw_only=True):
    """What a correction would bring. `version`: what it is to name. `was`, `seq`: the step's action now, and its line;
    `choices`: what else was legal then. `dropped`: steps of the running turn that would go."""

    version: int
    was: Action
    seq: int
    before: Sequence[Score]
    after: Sequence[Score]
    settled: Sequence[SettledSteps]
    dropped: int
    choices: Sequence[Action]
    over: bool


class ThrowPreview(Document, frozen=True, kw_only=True):
    would: ThrowOutcome | None


class ListedPhone(Document, frozen=True, kw_only=True):
    """A phone that has been at a table, for its owner. `phone` names it there, `at`: when it came."""

    phone: str
    name: str
    at: str
    out: bool
    owner: bool


def pending_photo(photo: UnderReview, would: ThrowOutcome | UnsetType = UNSET) -> Pending:
    """The photo under review as phones see it: without the numbers that a training sample is made of."""
    return Pending(**photo_fields(photo), would=would)
