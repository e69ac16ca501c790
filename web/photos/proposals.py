"""Turns what the camera watched into observations for the umpire, and its conclusions into proposals for phones."""

import secrets
from typing import TYPE_CHECKING

import scorer
from web.photos.reading_results import found_die
from web.problems import Problem
from web.session import preview, umpire
from web.session.json_document import refusal_document
from web.session.photo_state import CAMERA_NAME, WATCH, PhotoDetails, Read, ReadingResult
from web.session.replay import Json
from web.session.state import State

if TYPE_CHECKING:
    from vision.watch import WatchEvent


def observation_of(event: "WatchEvent") -> umpire.Observation:
    """A watch event as an observation for the umpire."""
    if event.event == "settled" and event.reading is not None:
        dice = zip(event.reading.dice, event.stayed, strict=True)
        return umpire.DiceAtRest(
            tuple(umpire.RestingDie(die.value, die.box, die.sure, stayed) for die, stayed in dice), event.reading.sure
        )
    return umpire.parse_observation({"event": event.event, "reason": event.reason})


def offered_ways(conclusion: umpire.Conclusion) -> tuple[tuple[umpire.Action, ...], ...]:
    """The ways that a person may choose now. A way never ends with a keep, which comes with its throw."""
    if conclusion.state not in ("throw", "clear", "put") or conclusion.refused is not None:
        return ()
    ways = (conclusion.actions, *conclusion.alternatives)
    return tuple(way for way in ways if way and way[-1]["do"] != "keep")


def before_the_throw(actions: tuple[umpire.Action, ...]) -> Json | None:
    """The set-aside or keep right before the throw that these actions end with."""
    return dict(actions[-2]) if len(actions) > 1 and actions[-2]["do"] in ("set-aside", "keep") else None


def describe_conclusion(conclusion: umpire.Conclusion) -> Json:
    return {
        "state": conclusion.state,
        "reason": conclusion.reason,
        "sure": conclusion.sure,
        "ways": [[dict(action) for action in way] for way in offered_ways(conclusion)],
        "put": [dict(action) for action in conclusion.actions] if conclusion.state == "put" else [],
        "doubtful": [die.value for die in conclusion.doubtful],
        "question": None if conclusion.question is None else refusal_document(conclusion.question),
        "refused": None if conclusion.refused is None else refusal_document(conclusion.refused),
    }


def photo_of_throw(state: State, conclusion: umpire.Conclusion, seen: "WatchEvent") -> Read | None:
    """A watched throw as a photo under review, so that a person can correct its dice.

    None if the actions are more than one throw and the keep or set-aside before it, or if no throw may come now.
    """
    before = before_the_throw(conclusion.actions)
    if seen.reading is None or seen.photo is None or len(conclusion.actions) > (1 if before is None else 2):
        return None
    try:
        expects, beside = preview.next_throw(state, before=before)
    except (Problem, scorer.IllegalAction):
        return None
    lie_aside = {die.box for die in conclusion.aside}
    taken = PhotoDetails(
        secrets.token_urlsafe(12),
        WATCH,
        CAMERA_NAME,
        state.version,
        expects,
        beside,
        keep=before["dice"] if before is not None and before["do"] == "keep" else None,
        set_aside=before["dice"] if before is not None and before["do"] == "set-aside" else None,
    )
    # The picture may be finer than the frame that was watched.
    scale = 1.0 if seen.detections is None else seen.photo.width / seen.detections.width
    dice = [found_die(die, scale) for die in seen.reading.dice if die.box not in lie_aside]
    aside = [found_die(die, scale) for die in seen.reading.dice if die.box in lie_aside]
    trace = None if seen.reading.trace is None else seen.reading.trace.to_text()
    found = ReadingResult(dice, aside, sure=conclusion.sure, trace=trace)
    return Read(taken, seen.photo.width, seen.photo.height, found)
