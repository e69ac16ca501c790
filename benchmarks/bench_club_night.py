"""Draws and pages of a club's night: `python -m benchmarks.bench_club_night`.

Prints, for some numbers of people, how often a pair met that had met before and how long all draws took; then how long
the document of a night of 60 people takes, with results of five rounds; then how 60 people fare who act at 15 tables.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

from benchmarks.load import Club, Line, quantiles
from tests.reliability import watching
from tests.web.served import Served
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
    play_seated()


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


# --- a whole hall acts ------------------------------------------------------------------------------------------------


def play_seated(people: int = 60, every: float = 5.0, seconds: float = 60.0) -> None:
    """A night at a real server: each person acts at a table of four, while the hall's board and the desk are shown."""
    with TemporaryDirectory() as folder, Served(Path(folder)) as server:
        opener = build_opener(HTTPCookieProcessor())

        def post(path: str, **fields: str) -> str:
            return str(opener.open(f"{server.base}{path}", urlencode(fields).encode()).url)

        night = urlsplit(post("/clubs", name="Sixty", game="kniffel", rounds="1", seats="4", adds="points")).path
        night = night.removesuffix("/desk")
        post(f"{night}/do/people", names="\n".join(f"Person {number}" for number in range(people)))
        post(f"{night}/do/draw")
        post(f"{night}/bell")
        shown = json.load(opener.open(f"{server.base}{night}/night.json"))
        hall = Club(("127.0.0.1", server.port), len(shown["round"]["tables"]), 4, seed=67)
        for table, drawn in zip(hall.tables, shown["round"]["tables"], strict=True):
            table.path = urlsplit(opener.open(f"{server.base}/j/{drawn['code']}").url).path
        used = watching.use(server.process.pid).cpu
        pages = asyncio.run(_play(hall, f"{night}/board?part=1", every, seconds))
        used = watching.use(server.process.pid).cpu - used
        print(f"{people} people at {len(hall.tables)} tables, each acts every {every:.0f} s ({seconds:.0f} s)")
        print(f"  actions: {quantiles(hall.measured.actions)} ms; answers {dict(hall.measured.answers)}")
        print(f"  others see it: {quantiles(hall.measured.heard)} ms; the board's page: {quantiles(pages)} ms")
        print(f"  errors {dict(hall.measured.errors)}; {100 * used / seconds:.0f} % of a core")


async def _play(hall: Club, board: str, every: float, seconds: float) -> list[float]:
    """Milliseconds of the board's page, which asks after changes and each five seconds: here five times in five."""
    for phone in hall.phones:
        await phone.listen()
    times: list[float] = []

    async def look() -> None:
        line = Line(*hall.at)
        while True:
            began = time.perf_counter()
            status, _, _ = await line.ask("GET", board)
            hall.measured.answers[f"board {status}"] += 1
            times.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(1)

    looking = asyncio.create_task(look())
    await hall.play(every, seconds, None)
    looking.cancel()
    await hall.leave()
    return times


if __name__ == "__main__":
    main()
