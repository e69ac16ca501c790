"""The throw under review that may be confirmed without looking at its photo."""

import scorer
from web.common.problems import Problem
from web.table.commands import SERVER, Act
from web.table.deciding import decide
from web.table.evidence import evidence_of
from web.table.photo_state import Read
from web.table.state import State


def sure_throw(state: State) -> Act | None:
    """The command that confirms the photo under review, if the reader is sure of it and the rules allow the throw.

    The same photo gives the same request: it is confirmed once, however often somebody asks.
    """
    photo = state.photo
    if not isinstance(photo, Read) or photo.problem is not None or not photo.result.sure:
        return None
    taken, dice = photo.details, [die.value for die in photo.result.dice]
    if taken.version != state.version or len(dice) != taken.expects:
        return None
    act = Act(
        version=state.version,
        request=f"home-{taken.id}",
        action={"do": "throw", "dice": dice},
        keep=taken.keep,
        set_aside=taken.set_aside,
        forced=True,
        evidence=evidence_of(photo),
    )
    try:
        decide(state, act, SERVER)
    except (Problem, scorer.Refusal):
        return None
    return act
