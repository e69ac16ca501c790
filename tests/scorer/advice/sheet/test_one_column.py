"""Best play of a sheet: each step against the rules themselves, small games against brute force over all plays, and
the figures that rules.md gives for the whole.
"""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scorer
from scorer.advice.dice import keeps_of
from scorer.advice.sheet.keep_values import CHANCES, after_throw
from scorer.advice.sheet.one_column import OneColumnSolution
from scorer.advice.solution import WrongTable
from scorer.games import load
from scorer.jokers import NO_JOKERS, Jokers, Writing
from scorer.sheet import SheetGame, SheetState
from tests.scorer.advice.solved import SMALL_YATZY, random_solution, shipped_solution, small
from tests.scorer.playing import keep, play, throw, ways_to_throw

pytestmark = pytest.mark.whole

Yahtzee, Kosci, KosciSingle = load("yahtzee"), load("kosci"), load("kosci-single")

GAMES: dict[str, SheetGame] = {
    "yahtzee": Yahtzee(),
    "yahtzee-free": Yahtzee(joker="free"),
    "yahtzee-original": Yahtzee(joker="original"),
    "yatzy": scorer.game("yatzy"),
    "kosci": Kosci(),
    "kosci-first": Kosci(first_general_is_joker=True, hundreds_need_first=False),
    "kosci-before": Kosci(hundreds_need_first=False),
    "kosci-first-needed": Kosci(first_general_is_joker=True, hundreds_need_first=True),
    "kosci-single": KosciSingle(),
    "kosci-single-before": KosciSingle(hundreds_need_first=False),
    "kosci-single-zero": KosciSingle(zero_only_if_nothing_fits=True),
}
STORED = ["yahtzee", "yatzy", "kosci", "kosci-single"]


def random_sheet(game: SheetGame, rng: random.Random, open_cells: int) -> SheetState:
    """A state that play could have led to, the first of a turn."""
    state = game.start(1)
    while state.open_cells > open_cells:
        dice = tuple(sorted(rng.choices(range(1, 7), k=5))) if rng.random() < 0.6 else (rng.randint(1, 6),) * 5
        state, _ = game.apply(state, {"do": "throw", "dice": list(dice)})
        state, _ = game.apply(state, rng.choice([each for each in game.legal(state) if each["do"] == "score"]))
    return state


@cache
def brute_force(game: SheetGame, state: SheetState, worth_at_end: Callable[[SheetGame, SheetState], float]) -> float:
    """The mean of what best play of a lone player ends with, from the rules' own legal actions and nothing else."""
    if state.over:
        return worth_at_end(game, state)
    if not state.hand.dice:
        fallen = ways_to_throw(5 - len(state.hand.kept or ()))
        after = [(game.apply(state, throw(*dice))[0], ways) for dice, ways in fallen.items()]
        whole = sum(ways * brute_force(game, same_for_worth(each), worth_at_end) for each, ways in after)
        return whole / sum(fallen.values())
    worth = []
    for entry in game.legal(state):
        actions = [keep(*dice) for dice in keeps_of(state.hand.dice)] if entry["do"] == "keep" else [entry]
        following = [same_for_worth(game.apply(state, action)[0]) for action in actions]
        worth += [brute_force(game, each, worth_at_end) for each in following]
    return max(worth)


def score_of(game: SheetGame, state: SheetState) -> float:
    return game.scores(state)[0]


def same_for_worth(state: SheetState) -> SheetState:
    """The state without what it remembers of its turn."""
    return state._replace(hand=state.hand._replace(throw=(), rolls=None), turns=0)


def test_a_small_game_agrees_with_brute_force_over_all_plays() -> None:
    solution, start = OneColumnSolution.solve(SMALL_YATZY), SMALL_YATZY.start(1)
    assert solution.worth(start, 0) == pytest.approx(solution.value)
    thrown, _ = SMALL_YATZY.apply(start, throw(1, 2, 6, 6, 6))
    kept, _ = SMALL_YATZY.apply(thrown, keep(6, 6, 6))
    for state in (start, thrown, kept):
        played = brute_force(SMALL_YATZY, same_for_worth(state), score_of)
        assert solution.worth(state, 0) == pytest.approx(played, abs=1e-9)


@pytest.mark.parametrize(
    ("key", "value", "states"),
    [
        ("yahtzee", 254.5877, 536_448),  # rules.md section 10
        ("yatzy", 248.4400, 1_430_528),
        ("kosci", 250.2161, 894_080),
        ("kosci-single", 254.3910, 894_080),
    ],
)
def test_values_of_the_stored_tables(key: str, value: float, states: int) -> None:
    solution = shipped_solution(key)
    assert solution.exact
    assert solution.value == pytest.approx(value, abs=5e-5)
    assert solution.worth(scorer.game(key).start(2), 1) == pytest.approx(value, abs=1e-4)
    assert solution.states == states


def free_choice(sheet: Any, column: int, category: Any, own: Any, lower_open: bool) -> Writing:
    """Any cell; as any lower pattern only when the upper cell of the face is filled; the bonus wherever written."""
    filled = sheet[column]
    return Writing(as_joker="general" in filled and own.key in filled, bonus=bool(filled.get("general")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("jokers", "value"), [(Jokers(free_choice, ()), 254.5896), (NO_JOKERS, 245.8708)], ids=["free", "none"]
)
def test_yahtzee_with_other_jokers_is_worth_what_was_published(jokers: Jokers, value: float) -> None:
    keys = [category.key for category in GAMES["yahtzee"].categories]
    assert OneColumnSolution.solve(small("yahtzee", *keys, jokers=jokers)).value == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize("key", STORED)
def test_stored_tables_are_those_of_today_s_rules(key: str) -> None:
    solution = shipped_solution(key)
    assert isinstance(solution, OneColumnSolution)
    induction, rng = solution._induction, random.Random(key)
    for filled in rng.sample(range((1 << solution.cells.count) - 1), 25):
        for memory in solution.cells.memories_of(filled):
            worth = CHANCES @ after_throw(induction.ends(filled, memory, np.arange(64)), 2)
            assert induction.to_come[memory, filled] == pytest.approx(worth, abs=3e-4)


def test_tables_are_small() -> None:
    stored = Path(scorer.__file__).parent.parent / "models" / "advice"
    assert sum(path.stat().st_size for path in stored.glob("*.npz")) < 12e6
    for key in STORED:
        solution = shipped_solution(key)
        assert isinstance(solution, OneColumnSolution)
        assert solution._induction.to_come.nbytes < 40e6


def test_a_table_survives_its_file_and_refuses_others(tmp_path: Path) -> None:
    solution, path = random_solution(SMALL_YATZY), tmp_path / "small.npz"
    solution.save(path)
    loaded = OneColumnSolution.load(path, SMALL_YATZY)
    assert loaded.value == solution.value
    assert loaded._induction.to_come == pytest.approx(solution._induction.to_come, abs=1e-4)
    with pytest.raises(WrongTable, match="not of"):
        OneColumnSolution.load(path, Yahtzee())
    with pytest.raises(WrongTable, match="sheets"):
        OneColumnSolution.load(path, small("yatzy", "twos", "pair"))
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(WrongTable, match="no solved table"):
        OneColumnSolution.load(path, SMALL_YATZY)
    with pytest.raises(FileNotFoundError):
        OneColumnSolution.load(tmp_path / "none.npz", SMALL_YATZY)


def test_cells_that_a_person_settled_by_hand_are_taken_as_they_are() -> None:
    table = scorer.Table(scorer.game("yahtzee"), ["Ada"])
    solution = shipped_solution("yahtzee")
    before = solution.worth(table.state, 0)
    play(table, {"do": "adjust", "what": "cell", "player": 0, "category": "general", "points": 30})
    assert solution.worth(table.state, 0) > before + 5  # further ones bring 100 each
    play(table, {"do": "adjust", "what": "total", "player": 0, "points": 1000})
    assert solution.worth(table.state, 0) > 1200
    play(table, {"do": "adjust", "what": "cell", "player": 0, "category": "ones", "points": 70})
    worth = solution.worth(table.state, 0)
    assert worth == pytest.approx(1000 + 70 + 35 + solution._induction.to_come[1, 1 | 1 << 11, 63])
    play(table, {"do": "adjust", "what": "game", "over": True})
    assert solution.worth(table.state, 0) == 1105


def test_progress_is_told_from_nothing_to_all() -> None:
    shares: list[float] = []
    OneColumnSolution.solve(small("yatzy", "ones", "pair"), shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
