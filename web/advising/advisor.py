"""What a table advises while it is played: the chances of each choice, and what each costs against best play.

It is asked for apart from the state, so that no page waits for it. Whatever people ask for, one answer is worked out at
a time, each is kept, and who has had too much of the server's time lately waits: playing comes first.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from cachetools import FIFOCache

from scorer.advice import covers
from web.advising.solutions import Solutions, Unsolved
from web.quotas import TokenBuckets
from web.session.playing import Moment, Playing
from web.store.store import ADVICE, Json

OFF, ODDS, BEST = ADVICE

KEPT = 400  # answers, of up to 50 kB each
MOST_LEGAL = 2_000  # actions that are looked at: a knaster line has some hundred
AGAIN_S = 0.4  # when a phone asks again while another answer is worked out
AGAIN_LATER_S = 10.0  # while a game is being solved
SPENT_AGAIN_S = 3.0  # where too much was asked for lately
DIGITS = 5  # of chances


class Advising:
    """The advice of all tables. For many threads."""

    def __init__(self, playing: Playing, solutions: Solutions, clock: Callable[[], float] = time.monotonic) -> None:
        self._playing = playing
        self._solutions = solutions
        self._clock = clock
        self._kept: FIFOCache[tuple[Any, ...], bytes] = FIFOCache(KEPT)  # filled under `_work`, read without it
        self._work = threading.Lock()
        self._own: TokenBuckets[str] = TokenBuckets(10.0, 0.2)  # seconds of work, of each origin
        self._all: TokenBuckets[str] = TokenBuckets(20.0, 0.5)  # of the server

    def of(self, key: str, origin: str, player: int | None = None) -> bytes:
        """The advice for a table as it stands, as JSON; `player`: for whom of those who act now, else for the first.

        {"version", "mode", "player", "again": seconds or null}, where `again` tells when to ask again for what is not
        there yet; and {"unit", "exact", "value", "odds", "choices", "without"} where there is advice: see
        docs/interfaces.md.
        """
        moment = self._playing.moment(key)
        acting = moment.game.to_act(moment.state)
        if moment.advice == OFF or not acting:
            return _json(_head(moment, None))
        who: int = player if player is not None and player in acting else acting[0]
        name = (key, moment.version, moment.advice, who)
        with suppress(KeyError):
            return self._kept[name]
        # Others do not wait here: that would take all the threads which actions need.
        if not self._work.acquire(blocking=False):
            return _json({**_head(moment, who), "again": AGAIN_S})
        try:
            return self._worked_out(name, origin, moment, who)
        finally:
            self._work.release()

    def _worked_out(self, name: tuple[Any, ...], origin: str, moment: Moment, player: int) -> bytes:
        now = self._clock()
        if not (self._own.has_some(origin, now) and self._all.has_some("", now)):
            return _json({**_head(moment, player), "again": SPENT_AGAIN_S})
        begun = time.thread_time()  # of the processor: what others keep it from doing is not this one's doing
        try:
            found = self._told(moment, player)
        finally:
            seconds = time.thread_time() - begun
            self._own.spend(origin, seconds, now)
            self._all.spend("", seconds, now)
        body = _json(found)
        if found["again"] is None:
            self._kept[name] = body
        return body

    def _told(self, moment: Moment, player: int) -> Json:
        found = {**_head(moment, player), **_odds(moment, player)}
        # A lone player with odds is told after a choice what it cost.
        if moment.advice == BEST or moment.players == 1:
            found |= self._best(moment, player, found["choices"])
        return found

    def _best(self, moment: Moment, player: int, choices: list[Json]) -> Json:
        """What best play is worth, and in each choice what it costs against that; or `without`: why not."""
        if not covers(moment.actions):
            return {"without": "players"}
        solution = self._solutions.of(moment.game, moment.players)
        if isinstance(solution, Unsolved):
            again = None if solution is Unsolved.FAILED else AGAIN_LATER_S
            return {"without": solution.name.lower(), "again": again}
        valued = {_name(each.action): each.value for each in solution.choices(moment.state, player)}
        most = max(valued.values(), default=0.0)
        for choice in choices:
            value = valued.get(_name(choice["action"]))
            if value is not None:
                choice["loss"] = round(max(0.0, most - value), DIGITS)
        told = {"unit": solution.unit, "exact": solution.exact, "value": _value(moment, solution, player)}
        better = self._solutions.better_soon(moment.game, moment.players, solution)
        return {**told, "again": AGAIN_LATER_S if better else None}


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


def _head(moment: Moment, player: int | None) -> Json:
    return {
        "version": moment.version,
        "mode": moment.advice,
        "player": player,
        "again": None,
        "unit": None,
        "exact": None,
        "value": None,
        "odds": {},
        "choices": [],
        "without": None,
    }


def _odds(moment: Moment, player: int) -> Json:
    """The chances of each choice, and of the next throw where there is nothing to choose."""
    from scorer.advice.odds import odds  # with numpy

    def chances(action: Json) -> dict[str, float]:
        found = odds(moment.game, moment.state, player, action)
        return {name: round(float(chance), DIGITS) for name, chance in found.items()}

    choices = [{"action": action, "odds": chances(action)} for action in _choices(moment, player)]
    if choices:
        return {"choices": choices}
    only = next((entry for entry in moment.game.legal(moment.state) if entry["do"] == "throw"), None)
    return {"odds": {} if only is None else chances(only), "choices": []}


def _choices(moment: Moment, player: int) -> Iterator[Json]:
    from scorer.advice.documents import choices_of  # with numpy

    for number, (action, _) in enumerate(choices_of(moment.game, moment.state)):
        if number >= MOST_LEGAL:
            return
        if action.get("player", player) == player:
            yield dict(action)


def _name(action: Json) -> str:
    return json.dumps(action, sort_keys=True)


def _json(found: Json) -> bytes:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
