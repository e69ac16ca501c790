"""What a throw that waits to be confirmed would allow, so that one confirmation settles it and what is done with it."""

import scorer
from web.tables.store import Json

CHOICES = ("score", "write", "circle")  # what is chosen on the sheet; one set-aside of several takes one tap anyway


def after_throw(table: scorer.Table, pending: Json | None) -> scorer.Table | None:
    """The game as it would be after the photo's throw, if that is read surely and leaves something to be chosen on the
    sheet; else None. `table` stays as it is."""
    if pending is None or pending["status"] != "read" or pending.get("source") == "watch" or not pending.get("sure"):
        return None
    trial = table.copy()
    try:
        if pending.get("keep") is not None:
            trial.do({"do": "keep", "dice": pending["keep"]})
        trial.do({"do": "throw", "dice": [die["value"] for die in pending["dice"]]})
    except scorer.Refusal:  # not as many dice as were to be thrown
        return None
    return trial if any(entry["do"] in CHOICES for entry in trial.legal) else None
