"""Luck and mistakes: what each throw and each choice of a game brought or cost, in the unit of its solution.

Each action changes each player's worth. The change goes into one of four sums: `luck` (from dice), `mistakes` (cost of
his choices against the best), `others` (from other players' choices) or `settled` (from adjustments by hand). So the
result is exactly worth at the start + luck - mistakes + others + settled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scorer.actions import ADJUST, Action
from scorer.advice.solution import WIN, Choice, Solution
from scorer.game import Game
from scorer.table import Table

SUMS = ("luck", "mistakes", "others", "settled")
LEAST_LOSS = 1e-3  # a smaller loss is no mistake


class JudgedAction(NamedTuple):
    """One action. `player`: who threw or chose, None for an adjustment and a throw for all. `sums`: by player, its part
    of his four sums. `worth`: by player, after the action. `best`: the best choice, if there was a choice.
    """

    action: Action
    player: int | None
    sums: list[dict[str, float]]
    worth: list[float]
    best: Choice | None = None


class Analysis(NamedTuple):
    """`start`: the worth of the game to each player before its first action."""

    start: list[float]
    judged: list[JudgedAction]

    @property
    def result(self) -> list[float]:
        return self.judged[-1].worth if self.judged else self.start

    def total(self, player: int, name: str) -> float:
        return sum(each.sums[player].get(name, 0.0) for each in self.judged)


def analyse(table: Table, solution: Solution[Any], look_up: Callable[[], None] = lambda: None) -> Analysis:
    """`look_up`: called before each action; what it raises ends the analysis."""
    game, players = table.game, range(len(table.players))
    state = game.start(len(players))
    start = worth = [solution.worth(state, player) for player in players]
    judged = []
    for action in table.actions:
        look_up()
        after, _ = game.apply(state, action)
        then = [solution.worth(after, player) for player in players]
        judged.append(_judge(game, solution, state, action, worth, then))
        state, worth = after, then
    return Analysis(start, judged)


def _judge(
    game: Game[Any], solution: Solution[Any], state: Any, action: Action, before: list[float], after: list[float]
) -> JudgedAction:
    change = [then - now for now, then in zip(before, after, strict=True)]
    if action["do"] == ADJUST:
        return JudgedAction(action, None, [{"settled": each} for each in change], after)
    player: int = action.get("player", game.to_act(state)[0])
    choices = solution.choices(state, player)
    if game.player_in_turn(state) is None and action["do"] == "throw":
        return JudgedAction(action, None, _shared_throw(solution, state, before, after, game.to_act(state)), after)
    if action["do"] != "throw":
        sums = [{"others": each} for each in change]
        sums[player] = {"mistakes": -change[player]}
        return JudgedAction(action, player, sums, after, choices[0])
    sums = [{"luck": each} for each in change]
    throws = [choice for choice in choices if choice.action["do"] == "throw"]
    thrown = next((each for each in throws if len(throws) == 1 or each.action["count"] == len(action["dice"])), None)
    if thrown is None:  # the dice had to be thrown
        return JudgedAction(action, player, sums, after)
    loss = before[player] - thrown.value
    sums[player] = {"luck": after[player] - thrown.value, "mistakes": loss}
    if solution.unit == WIN and len(change) == 2:
        sums[1 - player] = {"luck": change[1 - player] - loss, "others": loss}
    return JudgedAction(action, player, sums, after, choices[0])


def _shared_throw(
    solution: Solution[Any], state: Any, before: list[float], after: list[float], acting: list[int]
) -> list[dict[str, float]]:
    """The sums of a throw for all: whoever acts chose it, and has its luck."""
    sums = []
    for player, (was, now) in enumerate(zip(before, after, strict=True)):
        choices = solution.choices(state, player) if player in acting else []
        chosen = next((each.value for each in choices if each.action["do"] == "throw"), was)
        sums.append({"luck": now - chosen, "mistakes": was - chosen})
    return sums


def to_json(table: Table, solution: Solution[Any], analysis: Analysis) -> dict[str, Any]:
    """What `rollcall analyse --json` prints: docs/interfaces.md."""
    scores = table.game.scores(table.state)
    players = [
        {
            "name": name,
            "score": scores[player],
            "mean": analysis.start[player],
            "result": analysis.result[player],
            **{total: analysis.total(player, total) for total in SUMS},
        }
        for player, name in enumerate(table.players)
    ]
    actions = [_action_to_json(number, each) for number, each in enumerate(analysis.judged, start=1)]
    return {
        "game": table.game.key,
        "unit": solution.unit,
        "exact": solution.exact,
        "over": table.over,
        "players": players,
        "actions": actions,
        "throw_of_the_evening": _greatest(actions, "luck", 0.0),
        "costliest_choice": _greatest(actions, "loss", LEAST_LOSS),
    }


def _action_to_json(number: int, judged: JudgedAction) -> dict[str, Any]:
    found: dict[str, Any] = {"number": number, "action": dict(judged.action), "player": judged.player}
    if judged.player is not None:
        own = judged.sums[judged.player]
        found |= {name: own[sums] for name, sums in (("luck", "luck"), ("loss", "mistakes")) if sums in own}
    if judged.best is not None:
        found["best"] = judged.best.action
    return {**found, "worth": judged.worth}


def _greatest(actions: list[dict[str, Any]], name: str, least: float) -> Mapping[str, Any] | None:
    """The action with the most luck or loss, if that is more than `least`; else None."""
    found = [action for action in actions if action.get(name, least) > least]
    return max(found, key=lambda action: float(action[name]), default=None)
