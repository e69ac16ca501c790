"""What the camera that watches a table saw, and what it proposes. `watch_decisions` alone changes it. Pure values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from web.table import umpire
from web.table.json_document import RefusalDocument, refusal_document
from web.table.view import WatchView

BY_ITSELF_S = 3.0  # that a sure throw lies before it is confirmed by itself

Look = tuple[str, int]


@dataclass(frozen=True)
class Proposal:
    """What phones are shown of a conclusion about this `version` of the table; -1: there is none yet.

    `state`: as in `WatchView`; other than the conclusion's own while something passes over a throw, or the camera has a
    `problem`. `hand`: one moves in the picture.
    """

    id: str = ""
    version: int = -1
    state: str = "looking"
    reason: str = ""
    conclusion: umpire.Conclusion | None = None
    hand: bool = False
    problem: RefusalDocument | None = None

    @property
    def stands(self) -> bool:
        """Whether a throw waits for its person."""
        return self.conclusion is not None and self.conclusion.state == "throw"

    @property
    def ways(self) -> Sequence[Sequence[umpire.Action]]:
        """What a person may choose now, the proposed way first. No way ends with a keep, which comes with its throw."""
        found = None if self.problem else self.conclusion
        if found is None or found.state not in ("throw", "clear", "put") or found.refused is not None:
            return ()
        return [way for way in (found.actions, *found.alternatives) if way and way[-1]["do"] != "keep"]


@dataclass(frozen=True)
class TableWatch:
    """How a table is watched, and what was seen. `id`: names it; `looks`: how often somebody asked to look again.

    `stand`, `by_itself`, `region`, `done`: as in `WatchView`. `memory`: the umpire's. `dice`: those at the last rest.
    `before_motion`: the proposal to show again if the motion changes nothing. `held`: the id of the proposal that
    somebody wants to check first. `number`: of the last proposal; `countdown`: that number while the first way will be
    done by itself, another one each time that the time runs anew.
    """

    id: str
    stand: str | None = None
    by_itself: bool = False
    region: Sequence[float] | None = None
    memory: umpire.UmpireMemory = field(default_factory=umpire.UmpireMemory)
    proposal: Proposal = Proposal()
    before_motion: Proposal | None = None
    dice: tuple[umpire.RestingDie, ...] = ()
    held: str | None = None
    number: int = 0
    countdown: int | None = None
    done: int = -1
    looks: int = 0

    @property
    def look(self) -> Look:
        """Names what is looked at: what was seen before somebody asked to look again counts no more."""
        return self.id, self.looks

    @property
    def lying(self) -> tuple[umpire.RestingDie, ...]:
        return self.dice if self.proposal.state in ("throw", "put", "resting") else ()


def watch_view(watching: TableWatch) -> WatchView:
    proposal, found = watching.proposal, watching.proposal.conclusion
    shown: dict[str, Any] = {"state": proposal.state, "hand": proposal.hand}
    if proposal.problem is not None:
        shown |= {"problem": proposal.problem, "ways": []}
    elif found is not None:
        shown |= {"id": proposal.id, "reason": proposal.reason, "sure": found.sure, "ways": proposal.ways}
        shown |= {
            "put": found.actions if found.state == "put" else [],
            "doubtful": [die.value for die in found.doubtful],
            "question": None if found.question is None else refusal_document(found.question),
            "refused": None if found.refused is None else refusal_document(found.refused),
        }
    runs_s = None if watching.countdown is None else BY_ITSELF_S
    shown |= {name: getattr(watching, name) for name in ("done", "by_itself", "region", "stand")}
    return WatchView(dice=len(watching.dice), runs_s=runs_s, **shown)
