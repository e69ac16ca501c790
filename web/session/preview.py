"""What a throw that waits to be confirmed would allow, so that one confirmation settles it and what is done with it."""

from collections.abc import Sequence

import scorer
from web.session.replay import Json

CHOICES = ("score", "write", "circle")  # what is chosen on the sheet; one set-aside of several takes one tap anyway


def after_photo(table: scorer.Table, pending: Json | None) -> scorer.Table | None:
    """The game as it would be after the photo's throw, if that is read surely; None as `after_throw`, too."""
    if pending is None or pending["status"] != "read" or pending.get("source") == "watch" or not pending.get("sure"):
        return None
    return after_throw(table, [die["value"] for die in pending["dice"]], pending.get("keep"))


def after_throw(table: scorer.Table, dice: Sequence[int], keep: Sequence[int] | None) -> scorer.Table | None:
    """The game as it would be after this throw, with the dice kept for it, if that leaves something to be chosen on the
    sheet; None if not, or if the throw may not come now. `table` stays as it is."""
    trial = table.copy()
    try:
        if keep is not None:
            trial.do({"do": "keep", "dice": list(keep)})
        trial.do({"do": "throw", "dice": list(dice)})
    except scorer.Refusal:  # not as many dice as were to be thrown
        return None
    return trial if any(entry["do"] in CHOICES for entry in trial.legal) else None
