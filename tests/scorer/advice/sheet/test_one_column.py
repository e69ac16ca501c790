"""Best play of a sheet: each step against the rules themselves, small games against brute force over all plays, and
the figures that rules.md gives for the whole.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scorer
from scorer.advice.dice import keeps_of
from scorer.advice.sheet.keep_values import CHANCES, COMPLETE, after_throw
from scorer.advice.sheet.one_column import OneColumnSolution
from scorer.advice.solution import WrongTable
from scorer.games import load
from scorer.jokers import NO_JOKERS, Jokers, Writing
from scorer.keeping import Hand
from scorer.sheet import SheetGame, SheetState
from tests.scorer.advice.solved import SMALL_YATZY, random_solution, shipped_solution, small
from tests.scorer.playing import keep, play, score, throw, ways_to_throw

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
every_game = pytest.mark.parametrize("name", GAMES)
STORED = ["yahtzee", "yatzy", "kosci", "kosci-single"]


def random_sheet(game: SheetGame, rng: random.Random, open_cells: int) -> SheetState:
    """A state that play could have led to, the first of a turn."""
    state = game.start(1)
    while state.open_cells > open_cells:
        dice = tuple(sorted(rng.choices(range(1, 7), k=5))) if rng.random() < 0.6 else (rng.randint(1, 6),) * 5
        state, _ = game.apply(state, {"do": "throw", "dice": list(dice)})
        state, _ = game.apply(state, rng.choice([each for each in game.legal(state) if each["do"] == "score"]))
    return state


@every_game
def test_the_end_of_a_turn_is_the_best_of_what_the_rules_list(name: str) -> None:
    game, rng = GAMES[name], random.Random(name)
    solution = random_solution(game)
    for _ in range(60):
        state = random_sheet(game, rng, rng.randint(1, solution.cells.count))
        memory, filled, upper = solution._sheet(state, 0)
        ends = solution._induction.ends(filled, memory, np.array([upper]))[:, 0]
        score_now = game.scores(state)[0]
        for row in {*rng.sample(range(252), 12), *solution.cells.alike}:
            thrown = state._replace(hand=Hand(0, COMPLETE[row]))
            after = [game.apply(thrown, entry)[0] for entry in game.legal(thrown)]
            worth = [
                game.scores(each)[0] + (0 if each.over else solution._induction.to_come[solution._sheet(each, 0)])
                for each in after
            ]
            assert score_now + ends[row] == pytest.approx(max(worth)), (state, COMPLETE[row])


@every_game
def test_every_legal_action_is_a_choice_once(name: str) -> None:
    game, rng = GAMES[name], random.Random(name)
    solution = random_solution(game)
    for _ in range(20):
        state = random_sheet(game, rng, rng.randint(1, solution.cells.count))
        dice = tuple(sorted(rng.choices(range(1, 7), k=5)))
        state = state._replace(hand=Hand(rng.randint(0, 2), dice))
        choices = solution.choices(state, 0)
        assert [each.value for each in choices] == sorted((each.value for each in choices), reverse=True)
        wanted = [score(each["category"]) for each in game.legal(state) if each["do"] == "score"]
        wanted += [keep(*kept) for kept in keeps_of(dice)] if state.hand.throws_left else []
        assert sorted(map(str, wanted)) == sorted(str(each.action) for each in choices)
        for each in choices:
            after, _ = game.apply(state, each.action)
            assert solution.worth(after, 0) == pytest.approx(each.value)


@cache
def brute_force(state: SheetState) -> float:
    """What the small game is worth to a lone player, from the rules' own legal actions and nothing else."""
    game = SMALL_YATZY
    if state.over:
        return game.scores(state)[0]
    if not state.hand.dice:
        fallen = ways_to_throw(5 - len(state.hand.kept or ()))
        after = [(game.apply(state, throw(*dice))[0], ways) for dice, ways in fallen.items()]
        return sum(ways * brute_force(same_for_worth(each)) for each, ways in after) / sum(fallen.values())
    worth = []
    for entry in game.legal(state):
        actions = [keep(*dice) for dice in keeps_of(state.hand.dice)] if entry["do"] == "keep" else [entry]
        worth += [brute_force(same_for_worth(game.apply(state, action)[0])) for action in actions]
    return max(worth)


def same_for_worth(state: SheetState) -> SheetState:
    """The state without what it remembers of its turn."""
    return state._replace(hand=state.hand._replace(throw=(), rolls=None), turns=0)


def test_a_small_game_agrees_with_brute_force_over_all_plays() -> None:
    solution = OneColumnSolution.solve(SMALL_YATZY)
    start = SMALL_YATZY.start(1)
    assert solution.value == pytest.approx(brute_force(start), abs=1e-9)
    assert solution.worth(start, 0) == pytest.approx(solution.value)
    thrown, _ = SMALL_YATZY.apply(start, throw(1, 2, 6, 6, 6))
    assert solution.worth(thrown, 0) == pytest.approx(brute_force(same_for_worth(thrown)), abs=1e-9)
    kept, _ = SMALL_YATZY.apply(thrown, keep(6, 6, 6))
    assert solution.worth(kept, 0) == pytest.approx(brute_force(same_for_worth(kept)), abs=1e-9)


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


def free_choice(sheet: Any, column: int, category: Any, own: Any, lower_open: bool, general: str) -> Writing:
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
