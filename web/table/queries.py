"""What phones ask that changes nothing, as JSON. `web.table.preview` answers."""

from collections.abc import Sequence

from msgspec import Struct

from web.table.commands import Dice, Number
from web.table.view import Action


class PreviewCorrection(Struct, frozen=True, kw_only=True):
    """Asks what correcting a step, counted from 1, would change. `said`: points for each turn that must be settled;
    None: what it was worth."""

    step: Number
    action: Action
    said: Sequence[int | None] | None = None


class PreviewThrow(Struct, frozen=True):
    """Asks what could be chosen on the sheet after this throw."""

    dice: Dice
    keep: Dice | None = None
