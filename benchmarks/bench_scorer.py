"""Speed of the scorer: `make bench ARGS=benchmarks/bench_scorer.py`. Figures are in docs/benchmarks.md."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import cycle
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import scorer

NINE = (
    "ones-and-fives",
    "six-dice",
    "drapky",
    "sequence",
    "forbidden-numbers",
    "kosci-single",
    "kosci-triple",
    "kosci",
    "knaster",
)
PLAYERS = ["Ada", "Bob", "Cid"]
MOST_ACTIONS = 2_000  # random drapky games would hardly end


@pytest.mark.parametrize("key", NINE)
def test_random_play(benchmark: BenchmarkFixture, key: str) -> None:
    """Whole games: legal, choose, do, and the standing at the end of each turn."""
    actions = benchmark.pedantic(play_games, args=(key, 2_000), rounds=5, warmup_rounds=1)
    benchmark.extra_info["actions"] = actions
    benchmark.extra_info["actions_per_second"] = round(actions / benchmark.stats.stats.median)


def test_random_play_of_the_nine_games_mixed(benchmark: BenchmarkFixture) -> None:
    """As many actions in each of the nine games; the target is 20,000 actions a second."""
    actions = benchmark.pedantic(lambda: sum(play_games(key, 2_000) for key in NINE), rounds=5, warmup_rounds=1)
    benchmark.extra_info["actions"] = actions
    benchmark.extra_info["actions_per_second"] = round(actions / benchmark.stats.stats.median)


@pytest.mark.parametrize("key", ["ones-and-fives", "farkle", "zilch", "drapky"])
def test_legal_after_a_throw_of_six_dice(benchmark: BenchmarkFixture, key: str) -> None:
    """The target is 50 microseconds."""
    rng = random.Random(1)
    tables = []
    while len(tables) < 500:
        table = scorer.Table(scorer.game(key), PLAYERS)
        table.do({"do": "throw", "dice": [rng.randint(1, 6) for _ in range(6)]})
        if table.standing()["turn"]["throw"]:
            tables.append(table)
    following = cycle(tables)
    benchmark(lambda: list(next(following).legal))


@pytest.mark.parametrize("actions", [1_500, 15_000])
def test_replay_of_a_drapky_record(benchmark: BenchmarkFixture, actions: int) -> None:
    """The target is 50 ms for 1,500 actions, and time in proportion to the record's length."""
    record = random_game("drapky", random.Random(1), actions).record()
    assert len(record["actions"]) == actions
    benchmark.pedantic(scorer.Table.from_record, args=(record,), rounds=10, warmup_rounds=1)


def test_rollcall_score(benchmark: BenchmarkFixture) -> None:
    """A whole process, imports included; the target is 150 ms."""
    command = [sys.executable, "-m", "rollcall", "score", "ones-and-fives", "1", "1", "6", "6", "3", "4"]
    benchmark.pedantic(subprocess.run, args=(command,), kwargs={"check": True, "capture_output": True}, rounds=10)


def play_games(key: str, least_actions: int) -> int:
    """Random games one after the other; returns how many actions were done."""
    rng = random.Random(key)
    actions = 0
    while actions < least_actions:
        actions += random_game(key, rng, MOST_ACTIONS).version
    return actions


def random_game(key: str, rng: random.Random, most_actions: int) -> scorer.Table:
    table = scorer.Table(scorer.game(key), PLAYERS)
    while not table.over and table.version < most_actions:
        entries = list(table.legal)
        if entries[0].get("count") == table.game.dice:
            # All dice are to be thrown: a turn has ended (and once in a while it only goes on).
            table.standing()
        table.do(made_whole(rng.choice(entries), rng))
    return table


def made_whole(entry: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """An entry of `legal` as an action: a throw gets dice, a keep some of those that it may choose from, and what is
    written by hand gets points.
    """
    if "low" in entry:
        return {**entry, "points": rng.randint(entry["low"], entry["high"])}
    if entry["do"] == "throw":
        return {"do": "throw", "dice": [rng.randint(1, 6) for _ in range(entry["count"])]}
    if entry["do"] == "keep":
        return {"do": "keep", "dice": rng.sample(entry["from"], rng.randrange(len(entry["from"])))}
    return entry
