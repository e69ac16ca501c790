"""Luck and losses add up, whatever was played; what a single throw or choice brought is what it should be."""

import random
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.advice.analysis import LEAST_LOSS, SUMS, analyse, to_json
from scorer.advice.sheet.keep_values import CHANCES, COMPLETE
from tests.scorer.advice.solved import shipped_solution
from tests.scorer.playing import keep, play, score, table_of, throw
from tests.scorer.test_every_game import any_action

SHEETS = ["yahtzee", "yatzy", "kosci", "kosci-single"]


def adjustment(rng: random.Random, table: scorer.Table) -> dict[str, Any]:
    player = rng.randrange(len(table.players))
    cell = {"what": "cell", "player": player, "category": "twos", "points": rng.choice([None, 0, 6, 40])}
    if len(table.game.columns) > 1:
        cell["column"] = rng.choice(range(1, 1 + len(table.game.columns)))
    total = {"what": "total", "player": player, "points": rng.randint(-50, 300)}
    return {"do": "adjust", **rng.choice([cell, total])}


def random_table(key: str, seed: int, actions: int = 70) -> scorer.Table:
    rng = random.Random(seed)
    table = table_of(key, rng.randint(1, 3))
    play(table, {"do": "adjust", "what": "total", "player": 0, "points": rng.randint(1, 40)})
    while not table.over and table.version < actions:
        if rng.random() < 0.05:
            play(table, adjustment(rng, table))
        else:
            play(table, any_action(table, rng))
    return table


@pytest.mark.parametrize(
    ("key", "seed"), [*product(SHEETS, range(3)), pytest.param("kosci-triple", 1, marks=pytest.mark.whole)]
)
def test_luck_and_mistakes_add_up_to_the_result(key: str, seed: int) -> None:
    table, solution = random_table(key, seed, actions=400 if seed == 0 else 70), shipped_solution(key)
    analysis = analyse(table, solution)
    document = to_json(table, solution, analysis)
    assert document["exact"] == (key in SHEETS)
    assert any(each["settled"] for each in document["players"])
    for number, player in enumerate(document["players"]):
        sums = player["luck"] - player["mistakes"] + player["others"] + player["settled"]
        assert player["mean"] + sums == pytest.approx(player["result"], abs=1e-6)
        assert player["result"] == pytest.approx(solution.worth(table.state, number), abs=1e-9)
        if table.over:
            assert player["result"] == player["score"]
    for action in document["actions"]:
        assert action.get("loss", 0) > -1e-9
        assert ("loss" in action) == (action["action"]["do"] in ("keep", "score"))
        assert ("luck" in action) == (action["action"]["do"] == "throw")
    assert set(SUMS) <= document["players"][0].keys()


def test_a_throw_has_no_luck_in_the_mean() -> None:
    solution = shipped_solution("yahtzee")
    game = scorer.game("yahtzee")
    start = game.start(1)
    thrown = [game.apply(start, throw(*dice))[0] for dice in COMPLETE]
    luck = [solution.worth(each, 0) - solution.worth(start, 0) for each in thrown]
    assert sum(CHANCES * luck) == pytest.approx(0, abs=3e-4)  # of a table that was packed


def test_what_was_thrown_and_what_it_cost() -> None:
    table = play(table_of("yahtzee"), throw(6, 6, 6, 6, 6), score("chance"), throw(1, 2, 3, 4, 6), keep(1))
    document = to_json(table, shipped_solution("yahtzee"), analyse(table, shipped_solution("yahtzee")))
    assert document["throw_of_the_evening"]["number"] == 1
    costly = document["costliest_choice"]
    assert (costly["number"], costly["best"]) == (2, score("general"))
    assert costly["loss"] > 20
    assert document["actions"][3]["best"] == score("small-straight") or document["actions"][3]["best"]["do"] == "keep"
    assert not document["over"]


def test_a_game_that_has_not_begun_has_neither() -> None:
    document = to_json(
        table := table_of("yatzy", 2), shipped_solution("yatzy"), analyse(table, shipped_solution("yatzy"))
    )
    assert document["throw_of_the_evening"] is None
    assert document["costliest_choice"] is None
    assert [player["luck"] for player in document["players"]] == [0, 0]


def test_best_play_makes_no_mistakes() -> None:
    rng, solution, table = random.Random(5), shipped_solution("kosci"), table_of("kosci")
    while table.version < 40:
        choices = solution.choices(table.state, 0)
        play(table, choices[0].action if choices else any_action(table, rng))
    document = to_json(table, solution, analyse(table, solution))
    assert document["players"][0]["mistakes"] == pytest.approx(0, abs=1e-9)
    assert document["costliest_choice"] is None
    assert LEAST_LOSS > 0
