"""What a table advises while it is played: the chances of each choice, and what each costs against best play.

It is asked for apart from the state, so that no page waits for it. Whatever people ask for, one answer is worked out at
a time, each is kept, and who has had too much of the server's time lately waits: playing comes first.
"""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from scorer.advice import covers
from web.advising.solutions import Solutions, Unsolved
from web.quotas import TokenBuckets
from web.session.log import ADVICE
from web.session.playing import Moment, Playing
from web.session.view import Action, Advice, Document

OFF, ODDS, BEST = ADVICE

KEPT = 400  # answers, of up to 50 kB each
MOST_LEGAL = 2_000  # actions that are looked at: a knaster line has some hundred
AGAIN_S = 0.4  # when a phone asks again while another answer is worked out
AGAIN_LATER_S = 10.0  # while a game is being solved
SPENT_AGAIN_S = 3.0  # where too much was asked for lately
DIGITS = 5  # of chances


Odds = Mapping[str, float]  # chances by name


class Choice(Document, frozen=True, kw_only=True):
    """A legal action. `loss`: what it costs against best play, in the unit of the advice."""

    action: Action
    odds: Odds
    loss: float | UnsetType = UNSET


class TableAdvice(Document, frozen=True, kw_only=True):
    """What a table advises now: docs/interfaces.md. `again`: seconds after which to ask again for what is not there
    yet. `odds`: the chances of the throw where there is nothing to choose. `without`: why there is no best play.
    """

    version: int
    mode: Advice
    player: int | None
    again: float | None
    unit: Literal["points", "win", "turns"] | None
    exact: bool | None
    value: float | None
    odds: Odds
    choices: Sequence[Choice]
    without: Literal["players", "solving", "failed", "memory"] | None


class Advising:
    """The advice of all tables. For many threads."""

    def __init__(self, playing: Playing, solutions: Solutions, clock: Callable[[], float] = time.monotonic) -> None:
        self._playing = playing
        self._solutions = solutions
        self._clock = clock
        self._kept: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self._work = threading.Lock()
        self._own: TokenBuckets[str] = TokenBuckets(10.0, 0.2)  # seconds of work, of each origin
        self._all: TokenBuckets[str] = TokenBuckets(20.0, 0.5)  # of the server

    def of(self, key: str, origin: str, player: int | None = None) -> bytes:
        """The advice for a table as it stands, a `TableAdvice` as JSON; `player`: for whom of those who act now, else
        for the first."""
        moment = self._playing.moment(key)
        acting = moment.game.to_act(moment.state)
        if moment.advice == OFF or not acting:
            return msgspec.json.encode(_head(moment, None))
        who: int = player if player is not None and player in acting else acting[0]
        name = (key, moment.version, moment.advice, who)
        kept = self._kept.get(name)
        if kept is not None:
            return kept
        # Others do not wait here: that would take all the threads which actions need.
        if not self._work.acquire(blocking=False):
            return msgspec.json.encode(replace(_head(moment, who), again=AGAIN_S))
        try:
            return self._worked_out(name, origin, moment, who)
        finally:
            self._work.release()

    def _worked_out(self, name: tuple[Any, ...], origin: str, moment: Moment, player: int) -> bytes:
        now = self._clock()
        if not (self._own.has_some(origin, now) and self._all.has_some("", now)):
            return msgspec.json.encode(replace(_head(moment, player), again=SPENT_AGAIN_S))
        begun = time.thread_time()  # of the processor: what others keep it from doing is not this one's doing
        try:
            found = self._told(moment, player)
        finally:
            seconds = time.thread_time() - begun
            self._own.spend(origin, seconds, now)
            self._all.spend("", seconds, now)
        body = msgspec.json.encode(found)
        if found.again is None:
            self._kept[name] = body
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return body

    def _told(self, moment: Moment, player: int) -> TableAdvice:
        found = _with_odds(_head(moment, player), moment, player)
        # A lone player with odds is told after a choice what it cost.
        return self._with_best(found, moment, player) if moment.advice == BEST or moment.players == 1 else found

    def _with_best(self, found: TableAdvice, moment: Moment, player: int) -> TableAdvice:
        """With what best play is worth, and for each choice what it costs against that; or why there is none."""
        if not covers(moment.actions):
            return replace(found, without="players")
        solution = self._solutions.of(moment.game, moment.players)
        if isinstance(solution, Unsolved):
            again = None if solution is Unsolved.FAILED else AGAIN_LATER_S
            return replace(found, without=solution.name.lower(), again=again)
        valued = {_name(each.action): each.value for each in solution.choices(moment.state, player)}
        most = max(valued.values(), default=0.0)
        choices = []
        for choice in found.choices:
            value = valued.get(_name(choice.action))
            loss = UNSET if value is None else round(max(0.0, most - value), DIGITS)
            choices.append(replace(choice, loss=loss))
        better = self._solutions.better_soon(moment.game, moment.players, solution)
        return replace(
            found,
            again=AGAIN_LATER_S if better else None,
            unit=solution.unit,
            exact=solution.exact,
            value=_value(moment, solution, player),
            choices=choices,
        )


def _value(moment: Moment, solution: Any, player: int) -> float | None:
    """What the game is worth to a player, of turns those still to come; None where that would tell people nothing: the
    chance of a lone player to win, and points that are counted against the mean of all turns."""
    if moment.players == 1 and solution.unit == "win":
        return None
    if solution.unit == "points" and "bank" in moment.game.fields:
        return None
    worth: float = solution.worth(moment.state, player)
    if solution.unit == "turns":
        worth += solution.turns_had(moment.state, player)
    return round(worth, DIGITS)


def _head(moment: Moment, player: int | None) -> TableAdvice:
    return TableAdvice(
        version=moment.version,
        mode=cast(Advice, moment.advice),
        player=player,
        again=None,
        unit=None,
        exact=None,
        value=None,
        odds={},
        choices=[],
        without=None,
    )


def _with_odds(found: TableAdvice, moment: Moment, player: int) -> TableAdvice:
    """With the chances of each choice, or of the next throw where there is nothing to choose."""
    from scorer.advice.odds import odds  # with numpy

    def chances(action: Action) -> Odds:
        likely = odds(moment.game, moment.state, player, action)
        return {name: round(float(chance), DIGITS) for name, chance in likely.items()}

    choices = [Choice(action=action, odds=chances(action)) for action in _choices(moment, player)]
    if choices:
        return replace(found, choices=choices)
    only = next((entry for entry in moment.game.legal(moment.state) if entry["do"] == "throw"), None)
    return found if only is None else replace(found, odds=chances(only))


def _choices(moment: Moment, player: int) -> Iterator[Action]:
    from scorer.advice.documents import choices_of  # with numpy

    for number, (action, _) in enumerate(choices_of(moment.game, moment.state)):
        if number >= MOST_LEGAL:
            return
        if action.get("player", player) == player:
            yield dict(action)


def _name(action: Action) -> str:
    return json.dumps(action, sort_keys=True)
