"""Kill -9 at random moments while phones act: what a phone was told is done is in the record, once, in order."""

import bisect
import http.client
import json
import os
import random
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import scorer
from tests.reliability.driving import Answer, Crowd, Phone, Served, any_legal, ask, new_request, new_table
from tests.reliability.test_failures import upload, wait_until_read
from tests.web.served import UNPREPARED
from tests.web.stored import lines_in
from web.store.sqlite import FILE_NAME

GAMES = ("ones-and-fives", "kosci-triple", "drapky", "knaster")
PHONES = 3  # at each table, all acting as fast as they can
LIFE = 24  # changes that a server confirms at most before it is killed; counted, since machines differ in speed
JITTER_S = 0.03  # it then lives on for up to that long, so that it is killed at any point of its work
PATIENCE_S = 120  # without any change confirmed

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")

Json = dict[str, Any]


@dataclass
class Asked:
    """One change that a phone asked for, and what it was told."""

    base: str
    body: Json  # as the log should have it
    answer: Answer


@dataclass
class Played:
    """What all phones did and were told; filled from several threads."""

    asked: list[Asked] = field(default_factory=list)
    made: list[str] = field(default_factory=list)  # addresses of the tables that a phone was told are there
    kills: int = 0
    retried: int = 0  # changes that were sent more than once
    enough: threading.Event = field(default_factory=threading.Event)

    def count_confirmed(self) -> int:
        return sum(asked.answer.status == 200 for asked in list(self.asked))


def act(phone: Phone, played: Played) -> None:
    """One phone: acts, now and then undoes or corrects a step, until enough was done."""
    with phone:
        phone.look()
        while not played.enough.is_set():
            body, answer = one_change(phone)
            played.asked.append(Asked(phone.base, body, answer))
            played.retried += answer.tries > 1
            if answer.status != 200:
                assert answer.status in (409, 422), answer
                phone.look()


def one_change(phone: Phone) -> tuple[Json, Answer]:
    """Asks for one random change; the line that the log should then have, and the answer."""
    chance = phone.dice.random()
    throws = [entry for entry in phone.state["recent"] if entry["body"].get("do", {}).get("do") == "throw"]
    if phone.standing["over"] or (chance < 0.08 and phone.state["steps"]):
        return {"undo": True}, phone.send("undo")
    if chance < 0.14 and throws and phone.state["steps"] > 3:
        step = phone.dice.randint(1, phone.state["steps"])
        action = {"do": "throw", "dice": throws[0]["body"]["do"]["dice"]}
        answer = phone.send("corrections", step=step, action=action, drop_tail=True)
        return {"correct": step, "action": action, "drop_tail": True}, answer
    action = any_legal(phone.standing, phone.dice)
    return {"do": action}, phone.send("actions", action=action)


def make_tables(served: Served, seed: int, played: Played) -> None:
    """One more phone, that starts a table now and then."""
    dice = random.Random(seed)
    while not played.enough.wait(0.2):
        # The server was killed: this phone was told nothing.
        with suppress(OSError, http.client.HTTPException):
            played.made.append(new_table(served, dice.choice(GAMES)))


@contextmanager
def killed_now_and_then(served: Served, seed: int, played: Played) -> Iterator[Crowd]:
    """Kills the server at random moments and starts it again, as long as the block runs; yields who does that."""
    dice = random.Random(seed)
    end = threading.Event()

    def kill() -> None:
        while not end.is_set():
            enough = played.count_confirmed() + dice.randint(1, LIFE)
            while played.count_confirmed() < enough and not end.is_set():
                time.sleep(0.002)
            time.sleep(dice.uniform(0, JITTER_S))
            served.kill()
            played.kills += 1
            served.start()

    crowd = Crowd()
    crowd.add(kill)
    try:
        yield crowd
    finally:
        end.set()
        crowd.join(PATIENCE_S)


def play(
    data: Path, seed: int, confirmations: int, served: Served | None = None, games: Sequence[str] = GAMES
) -> Played:
    """Plays at one table of each game until that many changes were confirmed. `served`: one that has not started."""
    played = Played()
    with served or Served(data, program=UNPREPARED) as served:
        bases = [new_table(served, game, "Ada", "Bob", "Cyd") for game in games]
        with killed_now_and_then(served, seed, played) as killer:
            crowd = Crowd()
            for number in range(PHONES * len(games)):
                which = seed * 1000 + number
                crowd.add(act, Phone(served.port, bases[number % len(bases)], which, name=f"phone-{which}"), played)
            crowd.add(make_tables, served, seed, played)
            confirmed, until = 0, time.monotonic() + PATIENCE_S
            while confirmed < confirmations and crowd.busy:
                time.sleep(0.02)
                if played.count_confirmed() > confirmed:
                    confirmed, until = played.count_confirmed(), time.monotonic() + PATIENCE_S
                crowd.raise_what_was_raised()
                killer.raise_what_was_raised()
                assert time.monotonic() < until, "the phones are not getting on"
            played.enough.set()
            crowd.join(PATIENCE_S)
        served.kill()  # the last one, with nobody left to ask again
        played.kills += 1
    check(data, played)
    return played


def check(data: Path, played: Played) -> None:
    """Holds the store against what the phones were told."""
    with closing(sqlite3.connect(data / FILE_NAME)) as connection:
        keys = dict(connection.execute("SELECT key, id FROM tables").fetchall())
    lines: dict[int, list[tuple[int, str, Json]]] = {table: [] for table in keys.values()}
    for table, line in lines_in(data / FILE_NAME):
        lines[table].append((line.seq, line.request, line.body))
    for base in played.made:
        assert base.rsplit("/", 1)[1] in keys, "a table is lost"
    for base in {asked.base for asked in played.asked}:
        check_table(base, lines[keys[base.rsplit("/", 1)[1]]], [asked for asked in played.asked if asked.base == base])
    replayed_by_a_server(data, {asked.base for asked in played.asked})


def check_table(base: str, log: list[tuple[int, str, Json]], asked: list[Asked]) -> None:
    assert [seq for seq, _, _ in log] == list(range(1, len(log) + 1)), "the log has a gap"
    seq_of = {request: seq for seq, request, _ in log}
    assert len(seq_of) == len(log), "a request is in the log twice"
    body_of = {request: body for _, request, body in log}
    for one in asked:
        if one.answer.status == 200:
            assert one.answer.request in seq_of, f"lost at {base}: {one}"
            assert is_what_was_asked(body_of[one.answer.request], one.body), (body_of[one.answer.request], one)
        else:
            assert one.answer.request not in seq_of, f"refused, and done all the same: {one}"
    assert set(seq_of) <= {one.answer.request for one in asked}, "nobody asked for this"
    # Whoever was told before another began to ask comes first in the log.
    done = sorted((one for one in asked if one.answer.status == 200), key=lambda one: one.answer.told_at)
    told_at = [one.answer.told_at for one in done]
    latest = []  # the largest number among those told up to each
    for one in done:
        latest.append(max(seq_of[one.answer.request], latest[-1] if latest else 0))
    for one in done:
        before = bisect.bisect_left(told_at, one.answer.asked_at)
        assert before == 0 or latest[before - 1] < seq_of[one.answer.request], f"out of order: {one}"


def is_what_was_asked(logged: Any, asked: Any) -> bool:
    """A phone sends actions as the standing lists them, with their points; the log has what makes the action."""
    if isinstance(logged, dict):
        return all(name in asked and is_what_was_asked(value, asked[name]) for name, value in logged.items())
    return bool(logged == asked)


def replayed_by_a_server(data: Path, bases: set[str], environment: dict[str, str] | None = None) -> None:
    """A server on what is left shows each table as the rules replay its log and its record."""
    with Served(data, environment=environment, program=UNPREPARED) as served:
        for base in sorted(bases):
            _, state = ask(served, "GET", f"/api/v1{base}")
            log = whole_log(served, base)
            _, record = ask(served, "GET", f"{base}/record.json")
            table = scorer.Table(scorer.game(record["game"], **record["options"]), record["players"])
            for line in log:
                body = line["body"]
                if "do" in body:
                    table.do(body["do"])
                elif "undo" in body:
                    table.undo()
                else:
                    table.correct(body["correct"], body["action"], drop_tail=body["drop_tail"])
            assert table.record() == record
            assert state["version"] == len(log)
            shown = state["standing"]
            assert shown["players"] == json.loads(json.dumps(table.standing()["players"]))
            again = scorer.Table.from_record(record).standing()
            assert json.loads(json.dumps(again["players"])) == shown["players"]


def whole_log(served: Served, base: str) -> list[Any]:
    """All lines of a table's log, of which a server gives the newest page first."""
    lines: dict[int, Any] = {}
    after: str | None = "0"
    while after is not None:
        _, page = ask(served, "GET", f"/api/v1{base}/history?after={after}")
        lines |= {line["seq"]: line for line in page["log"]}
        after = page["next"]
    return [lines[seq] for seq in sorted(lines)]


def report(rounds: Sequence[Played]) -> str:
    """What came of rounds in which no fault was found."""
    kills, retried = sum(each.kills for each in rounds), sum(each.retried for each in rounds)
    tables = sum(len(each.made) for each in rounds)
    confirmed = sum(each.count_confirmed() for each in rounds)
    refused = sum(len(each.asked) for each in rounds) - confirmed
    return (
        f"\n{kills} kills; {confirmed} changes confirmed ({retried} were sent more than once), 0 lost, 0 doubled, 0 out"
        f" of order; {refused} refused, 0 of them done; {tables} tables started meanwhile, 0 lost"
    )


@pytest.mark.parametrize(
    ("seeds", "each"), [([1], 40), pytest.param(range(2, 6), 250, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_what_was_confirmed_is_there_through_every_kill(tmp_path: Path, seeds: Sequence[int], each: int) -> None:
    """The long form has rounds with a data folder each, so that games begin, grow long and end under the kills."""
    rounds = [play(tmp_path / str(seed), seed, confirmations=each) for seed in seeds]
    print(report(rounds))
    assert all(played.count_confirmed() >= each for played in rounds)
    assert all(played.kills >= each // LIFE for played in rounds)


def test_the_same_request_counts_once_across_a_kill(tmp_path: Path) -> None:
    """The worst case by name: done and on the disk, but the server dies before the phone hears of it."""
    with Served(tmp_path, program=UNPREPARED) as served:
        base = new_table(served)
        with Phone(served.port, base) as phone:
            phone.look()
            request = new_request(phone.dice)
            action = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
            phone.send("actions", version=0, request=request, action=action)
            served.kill()
            served.start()
            again = phone.send("actions", version=0, request=request, action=action)
            assert again.status == 200
            assert again.body["version"] == 1
            assert phone.look()["steps"] == 1


@pytest.mark.parametrize("when", ["at once", "read"])
def test_a_photo_that_was_taken_is_read_again_after_a_kill(tmp_path: Path, when: str) -> None:
    """A photo is written once, when it comes; what was read stands in memory alone."""
    with Served(tmp_path) as served, Phone(served.port, new_table(served)) as phone:
        phone.look()
        upload(phone)
        taken = phone.look()["pending"] if when == "at once" else wait_until_read(phone)
        served.kill()
        served.start()
        again = wait_until_read(phone)
        assert again["status"] == "read"
        assert again["id"] == taken["id"]
        assert when == "at once" or again == taken
