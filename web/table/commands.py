"""The commands of a table. Phones send the first ones as JSON; the server sends the others by itself.

`web.pages.bodies` decodes the JSON. It ignores undeclared keys and refuses wrong values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from web.table.access_list import Deletion
from web.table.json_document import RefusalDocument
from web.table.photo_state import Box, Read, UnderReview
from web.table.umpire import LookAgain as LookAgain
from web.table.umpire import Observation
from web.table.view import Action, Advice
from web.table.watching import Look, TableWatch

MOST_DICE_IN_EVIDENCE = 200
OTHERS = "others"  # in the place of one phone

Number: TypeAlias = Annotated[int, Meta(ge=0)]
# The phone's id of a change: a change that is sent again is done once. `$` alone would allow a final line break.
RequestId: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$(?!\n)")]
Dice: TypeAlias = Annotated[Sequence[int], Meta(max_length=6)]  # the rules check the values
Corners: TypeAlias = Annotated[Sequence[float], Meta(min_length=8, max_length=8)]


class MarkedDie(Struct, frozen=True):
    """A die that a person confirmed or marked in the photo."""

    value: Annotated[int, Meta(ge=1, le=6)]
    box: Box

    def __post_init__(self) -> None:
        if not all(map(isfinite, self.box)):
            raise ValueError("a box has four numbers")


class Evidence(Struct, frozen=True):
    """What a person says is in the photo `reading`; it may become training data. `dice`: the dice thrown; `aside`: the
    dice beside the throw. The first 200 of each count."""

    reading: str
    dice: Sequence[MarkedDie] = ()
    aside: Sequence[MarkedDie] = ()

    def __post_init__(self) -> None:
        for name in ("dice", "aside"):
            force_setattr(self, name, tuple(getattr(self, name)[:MOST_DICE_IN_EVIDENCE]))


class Change(Struct, frozen=True, kw_only=True):
    """A change that is done once. `version`: the number of log lines that the phone has seen; `plays_for`: the number
    of the player for whom the phone plays."""

    version: Number
    request: RequestId
    plays_for: int | None = None


class Act(Change, frozen=True, kw_only=True):
    """One action of the game. `keep`, `set_aside`: the dice kept or set aside before this throw, recorded with it.
    `forced`: after the throw, a set-aside that is the only legal action is done at once. `evidence`: the dice in the
    photo of the throw."""

    action: Action
    keep: Dice | None = None
    set_aside: Dice | None = None
    forced: bool = False
    evidence: Evidence | None = None


class Undo(Change, frozen=True, kw_only=True):
    """Takes back the last step."""


class Correct(Change, frozen=True, kw_only=True):
    """Replaces a step, counted from 1. `said`: as in the preview. Without `said`, later steps that no longer hold are
    dropped with `drop_tail`, else the correction is refused. `forced`: as in `Act`, after a corrected last throw."""

    step: Number
    action: Action
    said: Sequence[int | None] | None = None
    drop_tail: bool = False
    forced: bool = False


@dataclass(frozen=True)
class Chosen:
    """What people chose for a table and the one after it. `advice`: how much it advises; `dice_set`: the name of its
    dice, "" for none; `keeps_pictures`: of its throws, as proof."""

    advice: Advice = "off"
    dice_set: str = ""
    keeps_pictures: bool = False


class SetAdvice(Struct, frozen=True):
    """Sets how much the table advises, on all its phones."""

    advice: Advice


class KeepPictures(Struct, frozen=True):
    """Has the table keep a small picture of each throw from now on, or no longer; all its phones say so."""

    keep: bool


class NameDice(Struct, frozen=True):
    """Names the table's dice; "": no name."""

    name: str


class RemovePhone(Struct, frozen=True):
    """Removes a phone, or lets it in again. "others": all phones but the owner's. Only the owner's phone may."""

    phone: str
    out: bool = True


class CloseTable(Struct, frozen=True):
    """Closes the table for changes, or opens it again. Only the owner's phone may."""

    closed: bool = True


class DeleteTable(Struct, frozen=True):
    """Deletes the table, or brings it back within a minute. Only the owner's phone may delete it, at a table without an
    owner any phone; only the phone that deleted it brings it back."""

    deleted: bool = True


class RemoveProgram(Struct, frozen=True):
    """Takes the token of this program back."""

    program: str


class DisconnectWebhook(Struct, frozen=True):
    """Tells nothing more at this address."""

    webhook: str


class RetryWebhook(Struct, frozen=True):
    """Tells this address again if it was given up, not before the first pause is over."""

    webhook: str


class HoldProposal(Struct, frozen=True):
    """Stops the countdown of this proposal, since somebody touched a phone."""

    id: str


class ChooseWay(Change, frozen=True, kw_only=True):
    """Does one way of the watching camera's proposal `id`."""

    id: str
    way: Number


# The commands of one request each. By the route's name: the path below the table's address, and the body.
Posted: TypeAlias = (
    Act
    | Undo
    | Correct
    | SetAdvice
    | KeepPictures
    | NameDice
    | RemovePhone
    | RemoveProgram
    | DisconnectWebhook
    | RetryWebhook
    | CloseTable
    | DeleteTable
    | HoldProposal
    | ChooseWay
)
POSTED: Mapping[str, tuple[str, type[Posted]]] = {
    "act": ("actions", Act),
    "undo": ("undo", Undo),
    "correct": ("corrections", Correct),
    "set_advice": ("advice", SetAdvice),
    "keep_pictures": ("pictures", KeepPictures),
    "name_dice": ("dice", NameDice),
    "turn_out": ("phones", RemovePhone),
    "remove_program": ("programs/removed", RemoveProgram),
    "disconnect_webhook": ("webhooks/removed", DisconnectWebhook),
    "retry_webhook": ("webhooks/again", RetryWebhook),
    "close": ("closed", CloseTable),
    "delete": ("deleted", DeleteTable),
    "watch_hold": ("watch/hold", HoldProposal),
    "watch_choose": ("watch/choose", ChooseWay),
}


@dataclass(frozen=True)
class ForgetDice:
    """Deletes all training samples of the table's dice."""


@dataclass(frozen=True)
class ConnectProgram:
    """Lets a program in whose token has this hash. `may`: as in `NewProgram`."""

    hash: str
    name: str
    may: str


@dataclass(frozen=True)
class AddWebhook:
    """Has a program told what happens from now on, at this address. `id`, `secret`: new random ones. `origin`,
    `receiver`: as in `events.WebhookConnected`."""

    id: str
    name: str
    address: str
    secret: str
    origin: str
    receiver: str


@dataclass(frozen=True)
class GiveUpWebhook:
    """Tries this address no more by itself, for this reason."""

    webhook: str
    failure: str


@dataclass(frozen=True)
class Arrive:
    """Notes the asking phone at the table. `invited`: it came by the short code, which admits any phone."""

    invited: bool = False


@dataclass(frozen=True)
class Discard:
    """Discards the photo of this id, if it is still under review. `plays_for`: as in `Change`."""

    reading: str
    plays_for: int | None = None


@dataclass(frozen=True)
class ShowPhoto:
    """Puts a photo under review. It names the table's version that it is for. `replaces`: as in `SendPhoto`."""

    photo: UnderReview
    replaces: str | None = None


@dataclass(frozen=True)
class ChangePhoto:
    """Replaces the photo of id `replaces`, if it is still under review; None: any photo, or none."""

    photo: UnderReview
    replaces: str | None


@dataclass(frozen=True)
class MovePhoto:
    """Sets the place in the queue of the waiting photo, 1 for next."""

    place: int


@dataclass(frozen=True)
class AddSample:
    """Keeps the training sample `body` of the throw in log line `seq`."""

    seq: int
    body: bytes


@dataclass(frozen=True)
class WatchTable:
    """Begins to watch the table so. The same watching goes on with what it saw, and changes how it watches; its
    countdown stops unless `watching` has that too."""

    watching: TableWatch


@dataclass(frozen=True)
class StopWatching:
    """Ends the watching of this id; None: whichever there is."""

    watching: str | None = None


@dataclass(frozen=True)
class Observe:
    """Has the umpire conclude from what the camera saw. `look`: as the camera knew it (`TableWatch.look`). `picture`:
    of dice at rest, in the order observed; it comes under review if they are a throw."""

    look: Look
    observation: Observation
    picture: Read | None = None


@dataclass(frozen=True)
class FollowTable:
    """Notices what phones did, and how the picture is between two observations. `rests`: nothing moves there, and
    nothing is to be observed yet."""

    look: Look
    rests: bool
    hand: bool


@dataclass(frozen=True)
class TellTrouble:
    """Shows why the camera of this watching gives no picture."""

    watching: str
    problem: RefusalDocument


@dataclass(frozen=True)
class Start:
    """Starts a table, of which the asking phone becomes the owner. `record`: it goes on where this game record ends,
    with its game, options and players."""

    game: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    players: Sequence[str] = ()
    keep_corrections: bool = False
    record: dict[str, Any] | None = None
    chosen: Chosen = field(default_factory=Chosen)


@dataclass(frozen=True)
class StartNext:
    """Starts the next table, with the same game, house rules and players, once for all phones. `begins`: the number of
    the player who begins there; the order stays."""

    begins: int = 0


@dataclass(frozen=True)
class ContinueDamaged:
    """Starts a table that goes on from the last good state of a damaged one, once for all phones."""


@dataclass(frozen=True)
class EraseTable:
    """Erases a deleted table for good, if this is still its deletion. The server alone may."""

    deletion: Deletion


Command: TypeAlias = (
    Posted
    | ConnectProgram
    | AddWebhook
    | GiveUpWebhook
    | HoldProposal
    | ChooseWay
    | ForgetDice
    | Arrive
    | Discard
    | ShowPhoto
    | ChangePhoto
    | MovePhoto
    | AddSample
    | WatchTable
    | StopWatching
    | LookAgain
    | Observe
    | FollowTable
    | TellTrouble
    | StartNext
    | ContinueDamaged
    | EraseTable
)


# These are done though the store is locked: nearly all that they change passes.
PASSING = (MovePhoto, WatchTable, StopWatching, HoldProposal, Observe, FollowTable, TellTrouble)


@dataclass(frozen=True)
class Asker:
    """Who sends a command. `phone`: the phone's id, "" without one, or a program (`access_list.PROGRAM`); None: the
    server itself. `name`: as others see it. `token`: the hash of its token, if it is one of the machine's owner."""

    phone: str | None = None
    name: str = ""
    token: str = ""


SERVER = Asker()


@dataclass(frozen=True)
class Given:
    """What a server gives for a command, since no pure function can make it.

    `at`: the time, as the store writes it. `key`, `code`: unused ones, for a command that needs them. `picture`: the
    small picture of the throw that the command confirms, if the table keeps them and there is one. `samples`: the
    table's training samples, by number, for a next table.
    """

    at: str = ""
    key: str = ""
    code: str = ""
    picture: bytes | None = None
    samples: Mapping[int, bytes] = field(default_factory=dict)


NOTHING_GIVEN = Given()
