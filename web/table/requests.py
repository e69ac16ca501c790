"""What phones ask of the server, as JSON, which then asks their table by a command."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from web.table.commands import Corners, Dice, Number, RequestId
from web.table.view import Action


class PreviewCorrection(Struct, frozen=True, kw_only=True):
    """Asks what correcting a step, counted from 1, would change. `said`: points for each turn that must be settled;
    None: what it was worth."""

    step: Number
    action: Action
    said: Sequence[int | None] | None = None


class PreviewThrow(Struct, frozen=True):
    """Asks what this throw would allow. `keep`: the dice that stayed; if it does not fit, the answer has those that may
    have."""

    dice: Dice
    keep: Dice | None = None


class NewProgram(Struct, frozen=True):
    """Makes a token for a program. Only the owner's phone may; at a table without an owner any phone. `may`: only read,
    or act as well; or show the table on a page without controls."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    may: Literal["read", "act", "show"] = "read"


class SendPhoto(Struct, frozen=True, kw_only=True):
    """Sends a photo of the throw that comes now, after the dice in `keep` were kept. `request`: the photo's id, if the
    phone sends it again, also in another size. `replaces`: the id of the photo under review that this one may replace,
    "" for none; None: any. `by_phone`: the phone looks into it itself, see `EyeAnswer`; the server reads it
    if it does not."""

    version: Number
    request: RequestId | None = None
    replaces: str | None = None
    keep: Dice | None = None
    by_phone: bool = False


class EyeAnswer(Struct, frozen=True, kw_only=True):
    """What a phone saw in its photo, as JSON: `seen`, to the question of this `number`. Number 0 asks for the first
    one; None: it gives up."""

    number: Number = 0
    seen: str | None = None


class TakePhoto(Struct, frozen=True, kw_only=True):
    """Takes such a photo with the server's camera."""

    version: Number
    keep: Dice | None = None


class SetWatching(Struct, frozen=True, kw_only=True):
    """Starts or stops watching the table with the server's camera, or sets how it is watched. `by_itself`: a sure throw
    is confirmed after some seconds. `region`: x and y of the four corners of the part that counts, as fractions of the
    picture; None: all of it. `stand`: the sending phone, on a stand, watches under this id, which it chose."""

    on: bool = False
    stand: RequestId | None = None
    by_itself: bool = False
    region: Corners | None = None
