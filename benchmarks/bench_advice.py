"""Processor time of advice for a choice: `python -m benchmarks.bench_advice [--games N] [--players N] [GAME...]`.

Plays games as best play says, with a choice at random now and then, and times the server's answer in every state of
them, for the first time that each is asked for. Figures are in docs/advice.md.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import scorer
from scorer.advice.reports import choices_of
from web.advising.advisor import Advisor
from web.advising.solutions import Solutions
from web.hosts.threads import ThreadTask
from web.table.state import State
from web.table.stored_table import TableRow

MOST_ACTIONS = 600  # of a game
_ROW = TableRow(1, "key", "code", "", {}, (), False, "", "", None)
AT_RANDOM = 0.2  # share of choices


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--games", dest="count", type=int, default=3, metavar="N")
    parser.add_argument("--players", type=int, default=2, metavar="N")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        solutions = Solutions(Path(folder), ThreadTask)
        for key in arguments.games or [info.key for info in scorer.games()]:
            found = [
                each for seed in range(arguments.count) for each in measured(key, solutions, arguments.players, seed)
            ]
            told(key, sorted(found, key=lambda each: each[0]))
        solutions.close()


def told(key: str, found: list[tuple[float, str]]) -> None:
    times = [1000 * seconds for seconds, _ in found]
    beyond = times[int(0.99 * len(times))]
    print(
        f"{key:18} {len(times):5} states  median {statistics.median(times):6.1f}  99 % {beyond:6.1f}  "
        f"most {times[-1]:6.1f} ms  {found[-1][1]}",
        flush=True,
    )


def measured(key: str, solutions: Solutions, players: int, seed: int) -> Iterator[tuple[float, str]]:
    """Seconds of the processor for each state of a game, and the state in words."""
    # What asks for the table and the records is not needed for what is timed.
    advisor = Advisor(None, solutions)  # type: ignore[arg-type]
    # What is loaded with the first answer of a game is not timed.
    for _ in states_of(key, solutions, players, "warm", advisor, most=8):
        pass
    yield from states_of(key, solutions, players, str(seed), advisor, most=MOST_ACTIONS)


def states_of(
    key: str, solutions: Solutions, players: int, seed: str, advisor: Advisor, most: int
) -> Iterator[tuple[float, str]]:
    game, rng = scorer.game(key), random.Random(seed)
    table = scorer.Table(game, [f"Player {number}" for number in range(players)])
    solution = solutions.solution_of(game, players)
    while not table.over and table.version < most:
        player = table.to_act[0]
        yield timed(advisor, moment_of(table), player)
        table.do(following(table, solution, player, rng))


def timed(advisor: Advisor, state: State, player: int) -> tuple[float, str]:
    begun = time.thread_time()
    advisor._advise(state, player)
    return time.thread_time() - begun, str(state.table.state)[:200]


def moment_of(table: scorer.Table) -> State:
    return State(_ROW, table, advice="best")


def following(table: scorer.Table, solution: Any, player: int, rng: random.Random) -> dict[str, Any]:
    """The best action, or any; or a throw where nothing can be chosen."""
    choices = [each.action for each in solution.choices(table.state, player)]
    if rng.random() < AT_RANDOM:
        choices = [dict(action) for action, _ in choices_of(table.game, table.state)][:1000]
        rng.shuffle(choices)
        choices = [each for each in choices if each.get("player", player) == player]
    if not choices:
        choices = [{"do": "throw", "count": next(each["count"] for each in table.legal if each["do"] == "throw")}]
    chosen = choices[0]
    if chosen["do"] == "throw":
        return {"do": "throw", "dice": [rng.randint(1, 6) for _ in range(chosen["count"])]}
    return {name: value for name, value in chosen.items() if name != "count"}


if __name__ == "__main__":
    main()
