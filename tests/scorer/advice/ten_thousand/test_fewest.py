"""The fewest turns of races: each worth is the mean of what follows, by the game's own rules."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import scorer
from scorer.advice import is_race, is_solvable, solve
from scorer.advice.solution import Solution
from scorer.ten_thousand import TenThousand

LAST_TURNS = ("one-more-turn", "finish-round", "round-then-one-more-turn")


def race(key: str, **rules: Any) -> TenThousand:
    """A game with other rules."""
    game: Any = scorer.game(key)
    return TenThousand(game.kind, replace(game.rules, **rules), game.settings)


def proved(game: TenThousand, points: int) -> TenThousand:
    """The game if so many points must follow after three dice alike or more."""
    lines = tuple(replace(each, confirm=points if (each.alike or 0) > 2 else 0) for each in game.rules.combination)
    return TenThousand(game.kind, replace(game.rules, combination=lines), game.settings)


GAMES: dict[str, TenThousand] = {
    "just the target": race("diez-mil", target=1000),
    "filled up": scorer.game("diez-mil", target=1500, five_ones_fill_up=True),  # type: ignore[dict-item]
    "five alike win": race("tysiac", target=150),
    "both": race("tysiac", target=100, end="exact"),
    "multiplied": race("farkle", target=1500, opening=200, hot_dice="multiply", end="at-once"),
    "triples confirmed": proved(race("tysiac", target=150, hot_dice="must"), 20),
    "triples confirmed after an opening": proved(race("tysiac", target=150, opening=30), 20),
    "much confirmed": proved(race("tysiac", target=100, minimum=20, bank_with_at_most=2), 55),
    "all points lost": race("tysiac", target=100, wiped_by=(6, 6), opening=20),
    "passed": race("tysiac", target=100, end="exact", overshoot_to=45, forced=True, hot_dice="must"),
    "passed, nothing left": race("tysiac", target=100, end="exact", overshoot_to=0),
}


@cache
def solved(name: str) -> Solution[Any]:
    return solve(GAMES[name])


@pytest.mark.parametrize("end", LAST_TURNS)
def test_a_last_turn_is_played_for_more_than_the_others_have(end: str) -> None:
    game = race("farkle", target=1000, opening=0, hot_dice="multiply", end=end)
    assert not is_race(game, 2)
    solution = solve(game, players=2)
    assert not solution.exact
    state = game.start(2)._replace(scores=(1000, 700), last=0, player=1, turns=5, banked=(True, True))
    if end == "round-then-one-more-turn":
        state = state._replace(extra=True)
    thrown, _ = game.apply(state, {"do": "throw", "dice": [1, 1, 2, 3, 4, 6]})
    best = solution.choices(thrown, 1)[0]
    assert best.action["do"] == "set-aside"
    after, _ = game.apply(thrown, best.action)
    assert solution.choices(after, 1)[0].action == {"do": "throw", "count": after.left}
    enough = after._replace(points=350)
    assert solution.choices(enough, 1)[0].action == {"do": "bank"}
    assert solution.worth(enough, 1) == -solution.turns_had(enough, 1) - 1  # type: ignore[attr-defined]


def test_what_is_too_large_or_leads_below_nothing_is_not_solved() -> None:
    assert not is_solvable(proved(race("farkle", hot_dice="multiply"), 50))
    assert not is_solvable(race("farkle", hot_dice="multiply", penalty=(3, 1000)))
