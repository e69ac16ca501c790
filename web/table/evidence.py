"""The photo of a throw: what a person or the watching camera says is in it, its small picture, and the throw confirmed
from it. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from web.table.commands import Act, ChooseWay, Command, Evidence, MarkedDie
from web.table.events import Event, Logged, PhotoRemoved
from web.table.photo_state import WATCH, Read, UnderReview
from web.table.state import State
from web.table.stored_table import Entry, Json


def split_steps(actions: Sequence[Mapping[str, Any]]) -> list[tuple[Json | None, Json]]:
    """The actions in order, each with the set-aside or keep that is logged together with it."""
    steps: list[tuple[Json | None, Json]] = []
    for action in actions:
        if action["do"] == "throw" and steps and steps[-1][1]["do"] in ("set-aside", "keep"):
            steps[-1] = (steps[-1][1], dict(action))
        else:
            steps.append((None, dict(action)))
    return steps


def evidence_of(photo: UnderReview | None) -> Evidence | None:
    if not isinstance(photo, Read):
        return None
    dice, aside = ([MarkedDie(die.value, die.box) for die in of] for of in (photo.result.dice, photo.result.aside))
    return Evidence(photo.details.id, dice, aside)


def evidence_of_proposal(photo: UnderReview | None, way: int) -> Evidence | None:
    """What is in the photo of a proposed throw, if it is under review: without dice for another way than the first, in
    which other dice were seen."""
    evidence = evidence_of(photo) if photo is not None and photo.details.source == WATCH else None
    return Evidence(evidence.reading) if evidence is not None and way else evidence


def shown_throw(state: State, command: Command) -> str | None:
    """The id of the photo under review whose throw this command confirms, if the table keeps its picture."""
    evidence = None
    if isinstance(command, ChooseWay):
        evidence = evidence_of_proposal(state.photo, command.way)
    elif isinstance(command, Act) and command.action.get("do") == "throw":
        evidence = command.evidence
    if evidence is None or state.photo is None or not state.settings.keeps_pictures:
        return None
    return evidence.reading if evidence.reading == state.photo.details.id else None


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
