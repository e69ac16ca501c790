"""One throw for all: at a front table somebody throws, and everybody in the hall writes the throw on the own sheet.

The front table is an ordinary one, of a game that only throws. What it threw are events of the night; what people do
with it stands in the front table's own journal, so a choice wakes no phone in the hall. A person's sheet is what the
rules make of both (`scorer.shared_throws`): nothing else is stored of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import convert, json

import scorer
from scorer import shared_throws
from scorer.registry import own_key
from web.clubs.night import HallThrow, Round, seconds_of
from web.clubs.night_decisions import game_of
from web.clubs.night_events import RoundPlan, Total, Written
from web.limits.recent import Recent
from web.problems.problem import Problem
from web.table.json_document import Document
from web.table.state import State

Answers: TypeAlias = Mapping[int, Mapping[int, str]]  # the actions as JSON, by the throw's id and the person

FRONT = "front-table"
FILE = (Path(__file__).parent / "front-table.toml").read_text(encoding="utf-8")
MOST_THROWS = 60  # of a grid: 25 numbers, 25 circles, and some that nobody could use
MOST_ACTIONS = 5  # of one person with one throw: a number, and the lines that it completes
_known: Recent[str, tuple[Sequence[Any], Answers]] = Recent(50)  # after so many of a front table's changes


class HallOfNight(Document, frozen=True, kw_only=True):
    """The hall's throw. `number`: of the last throw; `throws`: of the round, 0 if that is not fixed; `id`: 0 without
    one; `open`: people may choose; `told`: the round is over; `left_s`: as of a round; `answered`: of `people`; `best`:
    the most points that these throws could have brought to who knew all of them, None while it is played or not
    known."""

    number: int
    throws: int
    id: int
    dice: Sequence[int]
    open: bool
    told: bool
    left_s: int | None
    answered: int
    people: int
    best: int | None


class HallChoice(Document, frozen=True, kw_only=True):
    """`points`: what the action brings on a sheet, with its bonus."""

    action: Mapping[str, Any]
    points: int | None


class HallSheet(Document, frozen=True, kw_only=True):
    """A person's part of a round. `choices`: for the open throw; `chosen`: what was chosen of them; `further`: what has
    still to be chosen after it. `sheet`: as a standing has it, with what was chosen; `corrected`: the numbers of the
    throws that were corrected later."""

    round: int
    hall: HallOfNight
    choices: Sequence[HallChoice]
    chosen: Sequence[Mapping[str, Any]]
    further: Sequence[HallChoice]
    total: int
    sheet: Mapping[str, Any]
    corrected: Sequence[int]


def front_table(plan: RoundPlan) -> tuple[str, Mapping[str, Any]]:
    game = game_of(plan)
    throws = shared_throws.throws_of(game) or MOST_THROWS
    file = FILE.replace("DICE", str(game.dice)).replace("THROWS", str(throws))
    return own_key(file, FRONT), {"file": file}


def thrown_at(state: State) -> list[tuple[int, ...]]:
    return [tuple(step.action["dice"]) for step in state.table.steps if step.action["do"] == "throw"]


@lru_cache(maxsize=64)  # bounded: rules of rounds
def _game(plan: bytes) -> scorer.Game[Any]:
    return game_of(json.decode(plan, type=RoundPlan))


def _answers(state: State) -> Answers:
    changes = state.changes
    known, answers = _known.get(state.row.key) or ((), {})
    if known and (len(known) > len(changes) or known[-1] is not changes[len(known) - 1]):
        known, answers = (), {}
    for change in changes[len(known) :]:
        written = convert(change, Written)
        of_throw = {**answers.get(written.throw, {}), written.person: json.encode(written.actions).decode()}
        answers = {**answers, written.throw: of_throw}
    _known[state.row.key] = changes, answers
    return answers


def _choices(game: scorer.Game[Any], state: Any, player: int) -> list[HallChoice]:
    found = shared_throws.choices(game, state, player)
    return [
        HallChoice(action=action, points=each["points"] + each.get("bonus", 0) if "points" in each else None)
        for action, each in found
    ]


@dataclass(frozen=True)
class Hall:
    """A round of the hall at a moment: `now`, in seconds since 1970. `open_throw`: for which people may choose."""

    played: Round
    game: scorer.Game[Any]
    answers: Answers
    now: float
    open_throw: HallThrow | None

    @property
    def people(self) -> Sequence[int]:
        return self.played.tables[0].people

    def _group(self, person: int) -> Sequence[int]:
        """With whom a person shares a state of the game."""
        return self.people if shared_throws.ends_together(self.game) else (person,)

    def _state(self, person: int) -> tuple[Any, int]:
        """The state after the throws that are over, and which of its players the person is."""
        group, over = self._group(person), [each for each in self.played.throws if each is not self.open_throw]
        turns = tuple((each.dice, tuple(self._answer(each, one) for one in group)) for each in over)
        return shared_throws.state_after(self.game, len(group), turns), group.index(person)

    def _answer(self, throw: HallThrow, person: int) -> str:
        return self.answers.get(throw.id, {}).get(person, "")

    def check(self, person: int, throw: int, actions: Sequence[Any]) -> Written:
        """What a person chooses for this throw. Raises `Problem` if that may not be."""
        if person not in self.people or self.open_throw is None or self.open_throw.id != throw:
            raise Problem("throw-closed", 409)
        state, player = self._state(person)
        state = state if state.over else shared_throws.with_dice(self.game, state, self.open_throw.dice)
        for action in actions[:MOST_ACTIONS]:
            if action not in [each for each, _ in shared_throws.choices(self.game, state, player)]:
                raise Problem("stale", 409)
            state = shared_throws.play(self.game, state, [action])
        return Written(person, throw, actions[:MOST_ACTIONS])

    def document(self) -> HallOfNight:
        played, is_open = self.played, self.open_throw is not None
        last = played.throws[-1] if played.throws else HallThrow(0, (), played.began)
        throws = tuple(each.dice for each in played.throws)
        return HallOfNight(
            number=len(throws),
            throws=shared_throws.throws_of(self.game),
            id=last.id,
            dice=last.dice,
            open=is_open,
            told=played.is_told or played.ended,
            left_s=round(seconds_of(last.at) + played.seconds - self.now) if is_open and played.seconds else None,
            answered=sum(each != "[]" for each in self.answers.get(last.id, {}).values()),
            people=len(self.people),
            best=shared_throws.best_sheet(self.game, throws) if played.is_told else None,
        )

    def sheet(self, person: int) -> HallSheet:
        state, player = self._state(person)
        choices, further, chosen = list[HallChoice](), list[HallChoice](), list[Any]()
        if self.open_throw is not None and not state.over:
            state = shared_throws.with_dice(self.game, state, self.open_throw.dice)
            choices = _choices(self.game, state, player)
            chosen = json.decode(self._answer(self.open_throw, person) or "[]")
            if chosen:
                state = shared_throws.play(self.game, state, chosen)
                further = _choices(self.game, state, player)
        return HallSheet(
            round=self.played.number,
            hall=self.document(),
            choices=choices,
            chosen=chosen,
            further=further,
            total=self.game.scores(state)[player],
            sheet=self.game.player(state, player),
            corrected=[number for number, each in enumerate(self.played.throws, 1) if each.corrected],
        )

    def totals(self) -> list[Total]:
        """What everybody has at the end; nothing before it."""
        states = [self._state(person) for person in self.people]
        if not self.played.throws or not (self.played.ended or all(state.over for state, _ in states)):
            return []
        points = [self.game.scores(state)[player] for state, player in states]
        order = sorted(points, reverse=True)
        return [Total(person, own, 1 + order.index(own)) for person, own in zip(self.people, points, strict=True)]


def hall_of(played: Round, state: State | None, now: float) -> Hall | None:
    """A round of the hall. `state`: of its front table, None before the bell. `now`: seconds since 1970."""
    if state is None or not played.plan.hall:
        return None
    open_throw = None if played.is_told else played.open_throw(now)
    return Hall(played, _game(json.encode(played.plan)), _answers(state), now, open_throw)
