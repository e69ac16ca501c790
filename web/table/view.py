"""The JSON documents that phones are shown, each declared once.

msgspec writes them and checks what phones send (`web.table.commands`). `docs/json_schema.py` makes the JSON schema in
`docs/schema` and the scripts' types of both. Why msgspec and not pydantic: it needs no other package, has a few hundred
kB, its types are plain classes with slots, and it writes a state about twenty times as fast as `json`.

A missing key is `UNSET`. The keys have the order of the fields.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, TypedDict

from msgspec import UNSET, Meta, UnsetType

from web.table.json_document import Document, RefusalDocument, document_of
from web.table.photo_state import Box, PhotoDocument

# The keys depend on the game: docs/interfaces.md and docs/standing.md list them.
Action: TypeAlias = Annotated[
    Mapping[str, Any], Meta(title="Action", extra_json_schema={"properties": {"do": {"type": "string"}}})
]
GameEvent: TypeAlias = Annotated[
    Mapping[str, Any], Meta(title="Happened", extra_json_schema={"properties": {"event": {"type": "string"}}})
]
Options: TypeAlias = Mapping[str, Any]
Advice: TypeAlias = Literal["off", "odds", "best"]


class TurnView(TypedDict):
    """The running turn. Games add keys."""

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
    """One player's place and score. Games add keys."""

    out: bool
    joining: bool
    adjusted: Sequence[Mapping[str, Any]]
    adjusted_by: int


class Standing(TypedDict):
    """The standing of the game (docs/standing.md). Games add keys."""

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


class ThrowChoice(Document, frozen=True, kw_only=True):
    """What may be done with a throw in the same request: `actions`, in order. `points`: those banked, or of
    the turn that goes on; `dice_left`: to be thrown then, 0 if the turn ends."""

    actions: Sequence[Action]
    points: int
    dice_left: int


class ThrowOutcome(Document, frozen=True, kw_only=True):
    """The parts of the standing after a throw is confirmed. `choices`: of games with points of a turn, the sensible
    ones first; on a sheet `legal` has them."""

    to_act: Sequence[int]
    turn: TurnView
    legal: Sequence[Action]
    events: Sequence[GameEvent]
    choices: Sequence[ThrowChoice]


class Pending(PhotoDocument, frozen=True, kw_only=True):
    """The photo under review: its state and, once it is read, its dice."""

    would: ThrowOutcome | UnsetType = UNSET


class WatchView(Document, frozen=True, kw_only=True):
    """What the watching camera sees and proposes.

    `ways`: what may be chosen now, the proposed way first; `id` names this proposal. `dice`: how many lie there.
    `done`: the version to which the camera brought the table, or -1. `region`: x and y of the corners of the part that
    counts, as fractions of the picture. `runs_s`: seconds after which the first way is done by itself. `stand`: the
    name of the phone on a stand that watches; None: the server's camera.
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
    stand: str | None


class TableSettings(Document, frozen=True, kw_only=True):
    """What any phone may set for a table; it goes along to the next one. `advice`: how much the table advises;
    `dice_set`: the name of its dice, "" for none; `keeps_pictures`: a small one of each throw, as proof."""

    advice: Advice = "off"
    dice_set: str = ""
    keeps_pictures: bool = False


class ProofView(Document, frozen=True, kw_only=True):
    """How the throws of a table are proved. `code`: of the log's last line, to be compared. `elsewhere`: how many
    pictures did not come with the record that the table began with."""

    code: str
    elsewhere: int


class RecentLine(Document, frozen=True, kw_only=True):
    """A recent line of the table's log. A phone knows its own changes by their `request`."""

    seq: int
    kind: Literal["do", "undo", "correct"]
    body: Mapping[str, Any]
    device: str
    at: str
    request: str


class Move(Document, frozen=True, kw_only=True):
    """A step of the record: the player, the phone, the time, and what followed by itself.

    `player`: None for a step that concerns all. `seq`: the number of its log line. `gained`: the points of a set-aside
    that came with its throw, as the only legal action. `corrected_by`: the phone that corrected it.
    """

    player: int | None
    action: Action
    device: str
    at: str
    seq: int
    events: Sequence[GameEvent]
    gained: int | UnsetType = UNSET
    corrected_by: str | UnsetType = UNSET


class GameMoment(Document, frozen=True, kw_only=True):
    """Something in the last step that all at the table look up for. `points`: lost by a bust, or brought by a player's
    best turn so far. `dice`: the ones that are alike."""

    kind: Literal["alike", "best-turn", "bust", "lead"]
    player: int
    points: int | UnsetType = UNSET
    dice: Sequence[int] | UnsetType = UNSET


class View(Document, frozen=True, kw_only=True):
    """The state of a table, the same for all its phones.

    `id` names the table to programs. `stamp` changes with each state and each start of the server. `version`: the
    number of log lines; `steps`: the number of steps in the record. `came_with`: the steps that an undo takes back
    with the last one, in order. `moments`: of the last step; none after an undo or a correction, or at the game's end.
    `next`: the key of the table that follows. `lost`: how many log lines a damage took, 0 if unknown; None: none.
    `learnt`: how many photos gave training samples of the dice; `forgotten`: how often these were deleted, and by which
    phone last. `set_by`: the phones that chose these settings at this table. `guarded`: new phones need the `code`.
    `proof`: missing if the table has never kept pictures of its throws.
    """

    id: str
    stamp: str
    version: int
    standing: Standing
    pending: Pending | None
    watched: WatchView | None
    recent: Sequence[RecentLine]
    last_move: Move | None
    came_with: Sequence[Move]
    moments: Sequence[GameMoment]
    steps: int
    next: str | None
    lost: int | None
    learnt: int
    forgotten: tuple[int, str]
    settings: TableSettings
    set_by: Mapping[str, str]
    closed: bool
    guarded: bool
    code: str
    reader: bool
    reader_problem: RefusalDocument | None
    camera: bool
    proof: ProofView | UnsetType = UNSET


class ChangedStep(Document, frozen=True, kw_only=True):
    """The step that an undo or a correction changed, as it was before.

    `player`: of an undone step. For a correction, `dropped`: the number of steps dropped; `settled`: the number of
    adjustments added.
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


class StepPlace(Document, frozen=True, kw_only=True):
    """Where a step is in the game. `number`: in the record, from 1. `turn`: the number of its turn among those of the
    player `turn_of`, null where all write the same throw, or in rounds. `throw`: how many throws the turn has had."""

    number: int
    turn_of: int | None
    turn: int
    throw: int


class GameHistory(Document, frozen=True, kw_only=True):
    """A page of the history, from the newest step back: the steps that still stand, and the lines of the log that made
    them, undid or corrected something. Each list has the oldest first. `places`: of each of the `moves`. `next`: names
    the page before, if there is one."""

    version: int
    moves: Sequence[Move]
    places: Sequence[StepPlace]
    log: Sequence[HistoryLine]
    next: str | None


class BestThrow(Document, frozen=True, kw_only=True):
    """The throw that brought the most points. `dice`: all on the table; `picture`: the log line with its picture."""

    player: int
    dice: Sequence[int]
    points: int
    picture: int | UnsetType = UNSET


class Decided(Document, frozen=True, kw_only=True):
    """When the winner took the lead for good: in his turn number `turn` of `turns`, which brought `points`."""

    player: int
    turn: int
    turns: int
    points: int


class Ending(Document, frozen=True, kw_only=True):
    """What is told of a game at its end. `decided`: null without a single winner, or if he never led by turns."""

    version: int
    best: BestThrow | None
    decided: Decided | None


class Score(Document, frozen=True, kw_only=True):
    name: str
    score: int
    place: int | None


class TurnPreview(Document, frozen=True, kw_only=True):
    """Who must act, and the points of the running turn."""

    to_act: Sequence[int]
    points: int


class UndoPreview(Document, frozen=True, kw_only=True):
    """What an undo of this `version` would take back. `turn`: the points of the turn before and after."""

    version: int
    move: Move
    before: Sequence[Score]
    after: Sequence[Score]
    turn: tuple[int | None, int | None]


class SettledSteps(Document, frozen=True, kw_only=True):
    """The adjustments that replace `drop` steps which no longer hold. `allowed`: the set-asides that the rules allow
    in the place of the one that no longer holds, the best first; `points`: what the turn would bring with each."""

    drop: int
    because: RefusalDocument | None
    adjustments: Sequence[Action]
    allowed: Sequence[Action]


class CorrectionPreview(Document, frozen=True, kw_only=True):
    """What a correction of this `version` would change. `was`, `seq`: the step's present action and its log line;
    `choices`: the other actions legal at that step. `dropped`: the steps of the running turn that would go. `turn`: now
    and then. `set_aside`: what is then set aside by itself; `after` and `turn` count it.
    """

    version: int
    was: Action
    seq: int
    before: Sequence[Score]
    after: Sequence[Score]
    settled: Sequence[SettledSteps]
    dropped: int
    choices: Sequence[Action]
    turn: tuple[TurnPreview, TurnPreview]
    set_aside: Action | None
    over: bool


class ThrowPreview(Document, frozen=True, kw_only=True):
    """`would`: null if the throw is not legal. `stayed`: which dice may lie there since the throw before, if fewer were
    thrown than were told; `keep`: the only choice, with which `would` is told; null: a person must say."""

    would: ThrowOutcome | None
    keep: Sequence[int] | None
    stayed: Sequence[Sequence[int]]


class SeenDie(Document, frozen=True, kw_only=True):
    """A die that lies there, for the picture on a stand's own page. `box`: x0, y0, x1, y1 in pixels of its frames."""

    value: int
    sure: bool
    box: Box


def seen_dice(dice: Sequence[Any]) -> list[SeenDie]:
    return [document_of(SeenDie, die) for die in dice]


class StandAnswer(Document, frozen=True, kw_only=True):
    """What a phone on a stand is told after a frame. `more`: nothing has come to rest yet, so the next frame is wanted
    even if nothing changes. `picture`: the id of a rest whose full picture is wanted."""

    more: bool
    picture: str | None
    dice: Sequence[SeenDie]


class TrialAnswer(Document, frozen=True, kw_only=True):
    """What a phone that is being set up on a stand is told after a frame.

    `state`: of the watch, "waiting", "moving", "resting" or "blind", then with a `reason`. `more`: as in `StandAnswer`.
    `dice`: at rest now. `throws`: how often new dice came to rest, but for the first; `thrown`: those that did last.
    """

    state: str
    reason: str
    hand: bool
    more: bool
    dice: Sequence[SeenDie]
    throws: int
    thrown: Sequence[SeenDie]


class ListedPhone(Document, frozen=True, kw_only=True):
    """A phone that has been at a table, as the owner sees it. `phone`: its tag; `at`: when it came."""

    phone: str
    name: str
    at: str
    out: bool
    owner: bool


class ListedProgram(Document, frozen=True, kw_only=True):
    """A program that a table lets in. `program`: its tag; `may`: "read", "act" or "show"; `at`: since when."""

    program: str
    name: str
    may: str
    at: str


class NewToken(Document, frozen=True, kw_only=True):
    """A token, which is shown once. `table`: the id of the table, for the addresses of `/api/v1`."""

    token: str
    table: str
