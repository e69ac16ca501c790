"""The fewest turns of races that just the target wins, or some dice: each worth is the mean of what follows."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import scorer
from scorer.advice import is_solvable, solve
from scorer.advice.dice import all_throws
from scorer.advice.solution import Solution, WrongTable
from scorer.ten_thousand import TenThousand, TenThousandState

GAMES: dict[str, Any] = {
    "just the target": scorer.game("diez-mil", target=1500),
    "filled up": scorer.game("diez-mil", target=1500, five_ones_fill_up=True),
    "five alike win": scorer.game("tysiac", target=150),
    "both": scorer.game("tysiac", target=100, exact_end=True),
}


@pytest.mark.parametrize("name", GAMES)
def test_worth_is_the_mean_of_what_follows(name: str) -> None:
    game, rng = GAMES[name], random.Random(name)
    assert is_solvable(game)
    solution = solve(game)
    assert (solution.unit, solution.exact) == ("turns", True)
    for _ in range(8):
        state = game.start(1)
        while not state.over:
            follows(game, solution, state)
            entries = game.legal(state)
            entry = rng.choice(entries)
            if entry["do"] == "throw":
                dice = rng.choices(range(1, 7), k=entry["count"])
                state, _ = game.apply(state, {"do": "throw", "dice": dice})
            else:
                state, _ = game.apply(state, {name: entry[name] for name in ("do", "dice") if name in entry})
        assert solution.worth(state, 0) == -state.turns


def follows(game: TenThousand, solution: Solution[Any], state: TenThousandState) -> None:
    values = []
    for entry in game.legal(state):
        if entry["do"] == "throw":
            total = 0.0
            for dice, ways in all_throws(state.left):
                total += ways * solution.worth(game.apply(state, {"do": "throw", "dice": dice})[0], 0)
            values.append(total / 6**state.left)
        else:
            values.append(solution.worth(game.apply(state, entry)[0], 0))
    assert solution.worth(state, 0) == pytest.approx(max(values), abs=1e-5)
    choices = solution.choices(state, 0)
    if choices:
        assert sorted(choice.value for choice in choices) == pytest.approx(sorted(values), abs=1e-5)


def test_it_is_kept_in_a_file(tmp_path: Path) -> None:
    game = GAMES["both"]
    solution = solve(game)
    solution.save(tmp_path / "race.npz")
    assert type(solution).load(tmp_path / "race.npz", game).value == solution.value
    with pytest.raises(WrongTable):
        type(solution).load(tmp_path / "race.npz", scorer.game("tysiac", target=105, exact_end=True))


def test_what_more_than_the_total_decides_is_not_solved() -> None:
    assert not is_solvable(scorer.game("tysiac", take_over=True))
