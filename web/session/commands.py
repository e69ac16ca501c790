"""What may be asked of a table. First what phones ask, as the JSON of their requests: `web.pages.bodies` decodes these
and refuses what does not fit; keys that are not declared are passed over. Then what the server asks by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from web.session.photo_state import Box, UnderReview
from web.session.view import Action, Advice, WatchView

MOST_DICE_IN_EVIDENCE = 200
OTHERS = "others"  # in the place of one phone

Number: TypeAlias = Annotated[int, Meta(ge=0)]
# The phone's own id of a change: sent again, it is done once. The end keeps out a line break, which `$` alone allows.
RequestId: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$(?!\n)")]
Dice: TypeAlias = Annotated[Sequence[int], Meta(max_length=6)]  # which ones may be is for the rules to say
Corners: TypeAlias = Annotated[Sequence[float], Meta(min_length=8, max_length=8)]


class MarkedDie(Struct, frozen=True):
    """A die as a person confirmed or marked it in the photo."""

    value: Annotated[int, Meta(ge=1, le=6)]
    box: Box

    def __post_init__(self) -> None:
        if not all(map(isfinite, self.box)):
            raise ValueError("a box has four numbers")


class Evidence(Struct, frozen=True):
    """What the person says is in the photo `reading`; it may become training data. `dice`: those thrown; `aside`: those
    that lay beside the throw. Of each the first 200 count."""

    reading: str
    dice: Sequence[MarkedDie] = ()
    aside: Sequence[MarkedDie] = ()

    def __post_init__(self) -> None:
        for name in ("dice", "aside"):
            force_setattr(self, name, getattr(self, name)[:MOST_DICE_IN_EVIDENCE])


class Change(Struct, frozen=True, kw_only=True):
    """A change that counts once. `version`: the number of log lines that the phone had seen; `plays_for`: the number of
    the player whom it is bound to."""

    version: Number
    request: RequestId
    plays_for: int | None = None


class Act(Change, frozen=True, kw_only=True):
    """One action of the game. `keep`, `set_aside`: the dice that were kept or set aside for this throw; they are
    recorded with it. `forced`: a throw is set aside at once where it allows a single set-aside. `evidence`: of a throw
    that was read from a photo."""

    action: Action
    keep: Dice | None = None
    set_aside: Dice | None = None
    forced: bool = False
    evidence: Evidence | None = None


class Undo(Change, frozen=True, kw_only=True):
    """Takes back the last step."""


class PreviewCorrection(Struct, frozen=True, kw_only=True):
    """What correcting a step, counted from 1, would change. `said`: points for the turns that must be settled, None for
    what each was worth."""

    step: Number
    action: Action
    said: Sequence[int | None] | None = None


class Correct(Change, frozen=True, kw_only=True):
    """Replaces a step, counted from 1. `said`: as in the preview. Without, what no longer holds is refused, or goes
    with `drop_tail`."""

    step: Number
    action: Action
    said: Sequence[int | None] | None = None
    drop_tail: bool = False


class PreviewThrow(Struct, frozen=True):
    """What this throw would leave to be chosen on the sheet."""

    dice: Dice
    keep: Dice | None = None


class SetAdvice(Struct, frozen=True):
    """How much the table advises on all its phones from now on."""

    advice: Advice


class NameDice(Struct, frozen=True):
    """What the people call their dice; "" for no name."""

    name: str


class RemovePhone(Struct, frozen=True):
    """Removes a phone, or lets it in again; "others": all but the owner's. Only the owner's phone may."""

    phone: str
    out: bool = True


class CloseTable(Struct, frozen=True):
    """Whether nothing more may be done at the table. Only the owner's phone may."""

    closed: bool = True


class SendPhoto(Struct, frozen=True, kw_only=True):
    """A photo of the throw that comes now, after the dice in `keep` were kept. `request`: by which the phone may send
    it again, also in another size. `stand`: nobody took it, the phone watches."""

    version: Number
    request: RequestId | None = None
    keep: Dice | None = None
    stand: bool = False


class TakePhoto(Struct, frozen=True, kw_only=True):
    """The same with a picture of the server's camera."""

    version: Number
    keep: Dice | None = None


class SetWatching(Struct, frozen=True, kw_only=True):
    """Has the server's camera watch the table, or no longer. `by_itself`: what is sure is confirmed after some seconds.
    `region`: the four corners of what counts, x and y in turn, as fractions of the picture; None: all of it."""

    on: bool = False
    by_itself: bool = False
    region: Corners | None = None


class HoldProposal(Struct, frozen=True):
    """Somebody touched a phone: this proposal is not confirmed by itself."""

    id: str


class ChooseWay(Change, frozen=True, kw_only=True):
    """Does what the watching camera proposes under this id, or its other way."""

    id: str
    way: Number


# What a phone asks by one request: by the name of its route, the path below the table's address and the body.
Posted: TypeAlias = Act | Undo | Correct | SetAdvice | NameDice | RemovePhone | CloseTable
POSTED: Mapping[str, tuple[str, type[Posted]]] = {
    "act": ("actions", Act),
    "undo": ("undo", Undo),
    "correct": ("corrections", Correct),
    "set_advice": ("advice", SetAdvice),
    "name_dice": ("dice", NameDice),
    "turn_out": ("phones", RemovePhone),
    "close": ("closed", CloseTable),
}


@dataclass(frozen=True)
class ForgetDice:
    """Forgets how the table's dice look."""


@dataclass(frozen=True)
class Arrive:
    """Notes the phone of this id by this name. `invited`: by the short code, which lets any phone in."""

    phone: str
    name: str
    invited: bool = False


@dataclass(frozen=True)
class Discard:
    """Puts the photo of this id away, if it is still under review. `plays_for`: as in `Change`."""

    reading: str
    plays_for: int | None = None


@dataclass(frozen=True)
class ShowPhoto:
    """Has a photo under review in the place of any other, for the version of the table that it names."""

    photo: UnderReview


@dataclass(frozen=True)
class ChangePhoto:
    """Has the photo `replaces` (None: whatever is there) give way to `photo`, if it is still under review."""

    photo: UnderReview
    replaces: str | None


@dataclass(frozen=True)
class MovePhoto:
    """The photo that waits to be read has this place in the queue now, 1 for next."""

    place: int


@dataclass(frozen=True)
class AddSample:
    """Keeps what the photo of the throw in line `seq` taught of the table's dice."""

    seq: int
    body: bytes


@dataclass(frozen=True)
class ShowWatchView:
    """Shows all phones what the watching camera sees; None: nothing watches."""

    watched: WatchView | None


Command: TypeAlias = (
    Posted | ForgetDice | Arrive | Discard | ShowPhoto | ChangePhoto | MovePhoto | AddSample | ShowWatchView
)


@dataclass(frozen=True)
class Asker:
    """Who sends a command. `phone`: its id, "" for one without; None: the server itself. `name`: what the others see.
    `at`: when, as the store writes it. `code`: a short code that no table has, for a command that needs one."""

    phone: str | None = None
    name: str = ""
    at: str = ""
    code: str | None = None
