"""Advice at a table while it is played: the odds of each choice, and its cost against best play.

Phones request it apart from the state, so that no page waits for it. Playing comes first: the server computes one
answer at a time, keeps it, and makes origins wait that have used much of its time lately.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from scorer.advice import covers, odds
from scorer.advice.reports import choices_of
from web.advising.solutions import Solutions, Unsolved
from web.limits.quotas import TokenBuckets
from web.limits.recent import Recent
from web.runner.runner import Runner
from web.table.json_document import Document
from web.table.state import State
from web.table.stored_table import ADVICE
from web.table.view import Action, Advice
from web.tasks.exclusive import Exclusive

OFF, ODDS, BEST = ADVICE

KEPT = 400  # answers in memory, up to 50 kB each
MOST_LEGAL = 2_000  # actions in one answer; a line of knaster has some hundred
AGAIN_S = 0.4  # a phone asks again after it while the server computes another answer
AGAIN_LATER_S = 10.0  # the same while a game is being solved
SPENT_AGAIN_S = 3.0  # the same for an origin that asked for too much
DIGITS = 5  # of odds, losses and values


Odds = Mapping[str, float]  # chances by name

# Processor time. A browser's Python has one thread, and no clock of threads.
_work_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)


class AdvisedChoice(Document, frozen=True, kw_only=True):
    """A legal action with its odds. `loss`: its cost against best play, in the unit of the advice."""

    action: Action
    odds: Odds
    loss: float | UnsetType = UNSET


class TableAdvice(Document, frozen=True, kw_only=True):
    """The advice of a table (docs/interfaces.md). `again`: after so many seconds the phone asks for the rest.

    `odds`: of the next throw, if there is nothing to choose. `without`: why there is no best play; "computer": numpy is
    missing.
    """

    version: int
    mode: Advice
    player: int | None
    again: float | None
    unit: Literal["points", "win", "turns"] | None
    exact: bool | None
    value: float | None
    odds: Odds
    choices: Sequence[AdvisedChoice]
    without: Literal["players", "solving", "failed", "memory", "computer"] | None


class Advisor:
    """Computes the advice of all tables. Thread-safe."""

    def __init__(self, runner: Runner, solutions: Solutions) -> None:
        self._runner = runner
        self._solutions = solutions
        self._kept: Recent[tuple[Any, ...], bytes] = Recent(KEPT)
        self._work = Exclusive()
        self._own: TokenBuckets[str] = TokenBuckets(10.0, 0.2)  # seconds of work for each origin
        self._all: TokenBuckets[str] = TokenBuckets(20.0, 0.5)  # and for all

    def advice_of(self, key: str, origin: str, player: int | None = None) -> bytes:
        """A `TableAdvice` as JSON for the table's state, for `player` if he acts now, else for the first who does."""
        state = self._runner.look(key)
        acting = state.table.game.to_act(state.table.state)
        if state.settings.advice == OFF or not acting:
            return msgspec.json.encode(_head(state, None))
        who: int = player if player is not None and player in acting else acting[0]
        name = (key, state.version, state.settings.advice, who)
        if (known := self._kept.get(name)) is not None:
            return known
        with self._work.enter() as is_in:
            if not is_in:
                return msgspec.json.encode(replace(_head(state, who), again=AGAIN_S))
            return self._work_out(name, origin, state, who)

    def _work_out(self, name: tuple[Any, ...], origin: str, state: State, player: int) -> bytes:
        now = time.monotonic()
        if not (self._own.has_some(origin, now) and self._all.has_some("", now)):
            return msgspec.json.encode(replace(_head(state, player), again=SPENT_AGAIN_S))
        begun = _work_time()  # an origin does not pay for waiting
        try:
            found = self._advise(state, player)
        finally:
            seconds = _work_time() - begun
            self._own.spend(origin, seconds, now)
            self._all.spend("", seconds, now)
        body = msgspec.json.encode(found)
        if found.again is None:
            self._kept[name] = body
        return body

    def _advise(self, state: State, player: int) -> TableAdvice:
        found = _with_odds(_head(state, player), state, player)
        # A lone player who wants odds alone still learns after a choice what it cost.
        wants_best = state.settings.advice == BEST or len(state.table.players) == 1
        return self._with_best(found, state, player) if wants_best else found

    def _with_best(self, found: TableAdvice, state: State, player: int) -> TableAdvice:
        """Adds the worth of best play and the loss of each choice, or the reason why there is no best play."""
        if not covers(state.table.actions):
            return replace(found, without="players")
        solution = self._solutions.solution_of(state.table.game, len(state.table.players))
        if isinstance(solution, Unsolved):
            again = None if solution is Unsolved.FAILED else AGAIN_LATER_S
            return replace(found, without=solution.name.lower(), again=again)
        valued = {_sorted_json(each.action): each.value for each in solution.choices(state.table.state, player)}
        most = max(valued.values(), default=0.0)
        choices = []
        for choice in found.choices:
            value = valued.get(_sorted_json(choice.action))
            loss = UNSET if value is None else round(max(0.0, most - value), DIGITS)
            choices.append(replace(choice, loss=loss))
        better = self._solutions.better_soon(state.table.game, len(state.table.players), solution)
        return replace(
            found,
            again=AGAIN_LATER_S if better else None,
            unit=solution.unit,
            exact=solution.exact,
            value=_value(state, solution, player),
            choices=choices,
        )


def _value(state: State, solution: Any, player: int) -> float | None:
    """The worth of the game to a player; in turns, the turns still to come.

    None if it says nothing to people: a lone player's chance to win, and points counted against the mean of all turns.
    """
    if len(state.table.players) == 1 and solution.unit == "win":
        return None
    if solution.against_mean:
        return None
    worth: float = solution.sign * solution.worth(state.table.state, player)
    if solution.unit == "turns":
        worth += solution.turns_had(state.table.state, player)
    return round(worth, DIGITS)


def _head(state: State, player: int | None) -> TableAdvice:
    unknown: dict[str, Any] = dict.fromkeys(("again", "unit", "exact", "value", "without"))
    mode = state.settings.advice
    return TableAdvice(version=state.version, mode=mode, player=player, odds={}, choices=[], **unknown)


def _with_odds(found: TableAdvice, state: State, player: int) -> TableAdvice:
    """Adds the odds of each choice, or of the next throw if there is nothing to choose."""

    def chances(action: Action) -> Odds:
        likely = odds(state.table.game, state.table.state, player, action)
        return {name: round(float(chance), DIGITS) for name, chance in likely.items()}

    choices = [AdvisedChoice(action=action, odds=chances(action)) for action in _choices(state, player)]
    if choices:
        return replace(found, choices=choices)
    only = next((entry for entry in state.table.game.legal(state.table.state) if entry["do"] == "throw"), None)
    return found if only is None else replace(found, odds=chances(only))


def _choices(state: State, player: int) -> Iterator[Action]:
    for number, (action, _) in enumerate(choices_of(state.table.game, state.table.state)):
        if number >= MOST_LEGAL:
            return
        if action.get("player", player) == player:
            yield dict(action)


def _sorted_json(action: Action) -> str:
    return json.dumps(action, sort_keys=True)
