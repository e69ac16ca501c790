"""What the watching camera proposes, as commands: the steps of a way, and what is in the photo of its throw. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from web.table.commands import Evidence, MarkedDie
from web.table.photo_state import WATCH, Read, UnderReview
from web.table.replay import Json


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
    """The dice of a photo under review that was read, as evidence."""
    if not isinstance(photo, Read):
        return None
    dice, aside = ([MarkedDie(die.value, die.box) for die in of] for of in (photo.result.dice, photo.result.aside))
    return Evidence(photo.details.id, dice, aside)


def evidence_of_proposal(photo: UnderReview | None, way: int) -> Evidence | None:
    """What is in the photo of a proposed throw, if it is under review: without dice for another way than the first, in
    which other dice were seen."""
    evidence = evidence_of(photo) if photo is not None and photo.details.source == WATCH else None
    return Evidence(evidence.reading) if evidence is not None and way else evidence
