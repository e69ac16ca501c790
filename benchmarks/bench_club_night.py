"""Draws and pages of a club's night: `python -m benchmarks.bench_club_night`.

Prints, for some numbers of people, how often a pair met that had met before and how long all draws took; then how long
the desk's page and the document of a night of 60 people take, with results of five rounds.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from web.clubs import draw
from web.clubs import night_commands as club
from web.clubs.night_document import document
from web.clubs.night_events import Plan, RoundPlan
from web.clubs.nights import Nights
from web.pages.live import NoPhones
from web.runner.runner import Runner
from web.store.sqlite import SqliteStore
from web.table.commands import Asker

DRAWS = ((30, 4, 3), (30, 5, 3), (60, 4, 5), (60, 5, 5), (12, 4, 3), (200, 4, 5))
SEEDS = 10
DESK = Asker("the-phone-of-the-desk", "Desk")


def main() -> None:
    print("people  seats  rounds  pairs met again (most of 10 seeds)  seconds for all rounds (median)")
    for people, seats, rounds in DRAWS:
        found = [draw_rounds(people, seats, rounds, seed) for seed in range(SEEDS)]
        seconds = statistics.median(took for _, took in found)
        print(f"{people:6}  {seats:5}  {rounds:6}  {max(again for again, _ in found):35}  {seconds:.3f}")
    print(f"document of a night of 60 people after five rounds: {document_ms():.1f} ms")


def draw_rounds(people: int, seats: int, rounds: int, seed: int) -> tuple[int, float]:
    """How often a pair met that had met before, and how long the draws took."""
    met: Counter[draw.Pair] = Counter()
    began = time.perf_counter()
    for number in range(rounds):
        wanted = draw.sizes(people, seats, exactly=False, fewest=2, most=12)
        met += draw.meetings(draw.seat(range(1, people + 1), wanted, met, 100 * seed + number))
    return sum(times - 1 for times in met.values()), time.perf_counter() - began


def document_ms() -> float:
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))
        nights = Nights(Runner(store, NoPhones()))
        plan = Plan(name="Sixty", rounds=[RoundPlan("yahtzee")])
        key = nights.start(plan, DESK).key
        nights.do(key, club.AddPeople([f"Person {number}" for number in range(60)]), DESK)
        for number in range(1, 6):
            nights.do(key, club.DrawRound(), DESK)
            night = nights.ring(key, DESK, lambda: None)
            for table in night.rounds[-1].tables:
                nights.do(key, club.WriteTotals(number, table.number, [100] * len(table.people)), DESK)
        times = []
        for _ in range(20):
            began = time.perf_counter()
            document(nights.look(key), nights.game_of, time.time())
            times.append(time.perf_counter() - began)
        store.close()
        return 1000 * statistics.median(times)


if __name__ == "__main__":
    main()
