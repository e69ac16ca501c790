"""The commands of a table. Phones send the first ones as JSON; the server sends the others by itself.

`web.pages.operations` decodes the JSON. It ignores undeclared keys and refuses wrong values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.structs import fields, force_setattr

from web.table.access_list import AccessList, Deletion
from web.table.json_document import RefusalDocument
from web.table.photo_state import Box, Read, UnderReview
from web.table.umpire import Observation
from web.table.view import Action, TableSettings
from web.table.watching import Look, TableWatch

MOST_DICE_IN_EVIDENCE = 200
MOST_THEN = 4  # actions after the first of a request
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


class Command(Struct, frozen=True):
    """All that may be asked of a table."""


class Change(Command, frozen=True, kw_only=True):
    """A change that is done once. `version`: the number of log lines that the phone has seen; `plays_for`: the number
    of the player for whom the phone plays."""

    version: Number
    request: RequestId
    plays_for: int | None = None


class Act(Change, frozen=True, kw_only=True):
    """Actions of the game, all of them or none; one undo takes all back. `keep`, `set_aside`: the dice kept or set
    aside before this throw; `then`: what follows it, in order. `forced`: if nothing does, a set-aside that is the only
    legal action is done at once. `evidence`: the dice in the photo of the throw."""

    action: Action
    keep: Dice | None = None
    set_aside: Dice | None = None
    then: Annotated[Sequence[Action], Meta(max_length=MOST_THEN)] = ()
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


# Made of the settings, so that a further one is one line there.
ChangeSettings: Any = defstruct(
    "ChangeSettings",
    [(each.name, each.type | UnsetType, UNSET) for each in fields(TableSettings)],
    bases=(Command,),
    namespace={"__doc__": "Sets what it names of the `TableSettings`. What it leaves out stays."},
    module=__name__,
    frozen=True,
    kw_only=True,
)


class RemovePhone(Command, frozen=True):
    """Removes a phone, or lets it in again. "others": all phones but the owner's. Only the owner's phone may."""

    phone: str
    out: bool = True


class CloseTable(Command, frozen=True):
    """Closes the table for changes, or opens it again. Only the owner's phone may."""

    closed: bool = True


class DeleteTable(Command, frozen=True):
    """Deletes the table, or brings it back within a minute. Only the owner's phone may delete it, at a table without an
    owner any phone; only the phone that deleted it brings it back."""

    deleted: bool = True


class RemoveProgram(Command, frozen=True):
    """Takes the token of this program back."""

    program: str


class DisconnectWebhook(Command, frozen=True):
    """Tells nothing more at this address."""

    webhook: str


class HoldProposal(Command, frozen=True):
    """Stops the countdown of this proposal, since somebody touched a phone."""

    id: str


class ChooseWay(Change, frozen=True, kw_only=True):
    """Does one way of the watching camera's proposal `id`."""

    id: str
    way: Number


# The commands of one request each. By the route's name: the path below the table's address, and the body.
POSTED: Mapping[str, tuple[str, type[Command]]] = {
    "act": ("actions", Act),
    "undo": ("undo", Undo),
    "correct": ("corrections", Correct),
    "change_settings": ("settings", ChangeSettings),
    "turn_out": ("phones", RemovePhone),
    "close": ("closed", CloseTable),
    "delete": ("deleted", DeleteTable),
    "remove_program": ("programs/removed", RemoveProgram),
    "disconnect_webhook": ("webhooks/removed", DisconnectWebhook),
    "watch_hold": ("watch/hold", HoldProposal),
    "watch_choose": ("watch/choose", ChooseWay),
}


class ForgetDice(Command, frozen=True):
    """Deletes all training samples of the table's dice."""


class ConnectProgram(Command, frozen=True):
    """Lets a program in whose token has this hash. `may`: as in `NewProgram`."""

    hash: str
    name: str
    may: str


class AddWebhook(Command, frozen=True):
    """Has a program told what happens from now on, at this address. `id`, `secret`: new random ones; `origin`: as in
    `ConnectedWebhook`."""

    id: str
    name: str
    address: str
    secret: str
    origin: str


class Arrive(Command, frozen=True):
    """Notes the asking phone at the table. `invited`: it came by the short code, which admits any phone."""

    invited: bool = False


class Discard(Command, frozen=True):
    """Discards the photo of this id, if it is still under review. `plays_for`: as in `Change`."""

    reading: str
    plays_for: int | None = None


class ShowPhoto(Command, frozen=True):
    """Puts a photo under review. It names the table's version that it is for. `replaces`: as in `SendPhoto`."""

    photo: UnderReview
    replaces: str | None = None


class ChangePhoto(Command, frozen=True):
    """Replaces the photo of id `replaces`, if it is still under review; None: any photo, or none."""

    photo: UnderReview
    replaces: str | None


class MovePhoto(Command, frozen=True):
    """Sets the place in the queue of the waiting photo, 1 for next."""

    place: int


class AddSample(Command, frozen=True):
    """Keeps the training sample `body` of the throw in log line `seq`."""

    seq: int
    body: bytes


class WatchTable(Command, frozen=True):
    """Begins to watch the table so. The same watching goes on with what it saw, and changes how it watches; its
    countdown stops unless `watching` has that too."""

    watching: TableWatch


class StopWatching(Command, frozen=True):
    """Ends the watching of this id; None: whichever there is."""

    watching: str | None = None


class LookAgain(Command, frozen=True):
    """Has the umpire forget what the camera saw."""


class Observe(Command, frozen=True):
    """Has the umpire conclude from what the camera saw. `look`: as the camera knew it (`TableWatch.look`). `picture`:
    of dice at rest, in the order observed; it comes under review if they are a throw."""

    look: Look
    observation: Observation
    picture: Read | None = None


class FollowTable(Command, frozen=True):
    """Notices what phones did, and how the picture is between two observations. `rests`: nothing moves there, and
    nothing is to be observed yet."""

    look: Look
    rests: bool
    hand: bool


class TellTrouble(Command, frozen=True):
    """Shows why the camera of this watching gives no picture."""

    watching: str
    problem: RefusalDocument


class Start(Struct, frozen=True):
    """Starts a table, of which the asking phone becomes the owner. `record`: it goes on where this game record ends,
    with its game, options and players."""

    game: str = ""
    options: Mapping[str, Any] = {}
    players: Sequence[str] = ()
    keep_corrections: bool = False
    record: dict[str, Any] | None = None
    settings: TableSettings = TableSettings()


class StartNext(Command, frozen=True):
    """Starts the next table, with the same game, house rules and players, once for all phones. `begins`: the number of
    the player who begins there; the order stays."""

    begins: int = 0


class ContinueDamaged(Command, frozen=True):
    """Starts a table that goes on from the last good state of a damaged one, once for all phones."""


class ChangeNight(Command, frozen=True):
    """Adds what happens at a club's night, which was decided after so many of its changes; None: whichever there are.
    The server alone may."""

    after: int | None
    changes: Sequence[Mapping[str, Any]]


class EraseTable(Command, frozen=True):
    """Erases a deleted table for good, if this is still its deletion. The server alone may."""

    deletion: Deletion


# These are done though the store is locked: nearly all that they change passes.
PASSING = (MovePhoto, WatchTable, StopWatching, HoldProposal, Observe, FollowTable, TellTrouble)


@dataclass(frozen=True)
class Asker:
    """Who sends a command. `phone`: the phone's id, "" without one, or a program (`access_list.PROGRAM`); None: the
    server itself. `name`: as others see it. `token`: the hash of its token, if it is one of the machine's owner.
    `kind`: of a phone without a name of its own, which gets a number at each table."""

    phone: str | None = None
    name: str = ""
    token: str = ""
    kind: str = ""

    def with_name(self, access: AccessList) -> "Asker":
        """As others at a table see it."""
        return replace(self, name=access.name_of(self.phone or "", self.kind), kind="") if self.kind else self


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
