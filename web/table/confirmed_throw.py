"""The throw that one request confirmed from the photo under review."""

from collections.abc import Sequence
from typing import NamedTuple

from web.table.commands import Evidence
from web.table.events import Event, Logged, PhotoRemoved
from web.table.photo_state import UnderReview
from web.table.state import State
from web.table.stored_table import Entry


class ConfirmedThrow(NamedTuple):
    """`line`: the log line of that throw."""

    photo: UnderReview
    line: Entry
    evidence: Evidence


def confirmed_throw(before: State, happened: Sequence[Event]) -> ConfirmedThrow | None:
    """The throw that these events of one request confirmed; None if they have none. `before`: the state then."""
    logged = next((each for each in happened if isinstance(each, Logged)), None)
    left = next((each for each in happened if isinstance(each, PhotoRemoved)), None)
    if logged is None or left is None or left.evidence is None or before.photo is None:
        return None
    return ConfirmedThrow(before.photo, logged.lines[logged.own], left.evidence)
