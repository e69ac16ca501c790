"""Games from outside are checked in a process with bounds: what costs too much is refused, and nothing stays behind."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from scorer import IllegalAction, RecordError
from scorer.definitions.definition import DefinitionError
from scorer.games import from_file, keys, text_of
from scorer.texts import Text
from tests.reliability import watching
from tests.reliability.costs import costly_game
from tests.web.waiting import wait_until
from web.hosts import checking_process
from web.hosts.checking_process import CheckingProcess
from web.hosts.threads import ThreadTask
from web.own_games import process
from web.own_games.checker import AnswersHere, Checker, Payer
from web.own_games.process import Answer, Request
from web.problems.problem import Problem
from web.table import new_tables
from web.table.commands import Asker, Given, Start
from web.table.events import TableStarted

FARKLE = text_of("farkle")
TOO_COSTLY = Problem, vars(Problem(process.TOO_COSTLY))


RECORD = {
    "format": 1,
    "game": "farkle",
    "players": ["Ada", "Bob"],
    "actions": [{"do": "throw", "dice": [1, 5, 2, 3, 3, 4]}, {"do": "set-aside", "dice": [1]}],
}
GIVEN = Given("2026-11-28T12:00:00.000Z", "a-key", "ABCDEF")


class Purse:
    """Who pays, and what it paid."""

    def __init__(self, origin: str = "here") -> None:
        self.seconds: list[float] = []
        self.payer = Payer(origin, self.seconds.append)


@pytest.fixture
def child() -> CheckingProcess:
    return CheckingProcess(ThreadTask)


@pytest.fixture
def checker(child: CheckingProcess) -> Iterator[Checker]:
    made = Checker(child)
    yield made
    made.close()


def test_a_game_is_checked_once_and_paid_for_by_who_asked(checker: Checker) -> None:
    first, second = Purse(), Purse("there")
    checker.ask(first.payer, process.check, FARKLE, "ours")
    checker.ask(second.payer, process.check, FARKLE, "ours")
    assert len(first.seconds) == 1
    assert first.seconds[0] > 0
    assert second.seconds == []


def test_a_refusal_is_the_same_as_here_and_is_kept(checker: Checker) -> None:
    wrong = costly_game(1, ways=2, throws=2)
    purse = Purse()
    for _ in range(2):
        with pytest.raises(DefinitionError) as refused:
            checker.ask(purse.payer, process.check, wrong, "ours")
        assert refused.value.reason == "definition-example"
        assert isinstance(refused.value.params["where"], Text)
        assert str(refused.value).startswith("ours.toml, line ")
    assert len(purse.seconds) == 1


def test_a_changed_game_is_looked_at(checker: Checker) -> None:
    found = checker.ask(Purse().payer, process.look_at, None, FARKLE, "ours", -1, [1, 1, 1])
    assert found.own.worth == 300
    assert len(found.throws) == 3
    assert found.looks
    with pytest.raises(DefinitionError) as refused:
        checker.ask(Purse().payer, process.look_at, {"family": "none"}, FARKLE, "ours")
    assert refused.value.params["at"] == ["family"]


def start(checker: Checker, record: object, payer: Payer) -> TableStarted:
    begun = checker.ask(payer, process.start, json.dumps(record).encode(), Asker("a-phone"), GIVEN)
    return msgspec.json.decode(begun, type=TableStarted)


def test_a_record_is_replayed_there_and_begins_the_same_table(checker: Checker) -> None:
    purse = Purse()
    begun = start(checker, RECORD, purse.payer)
    assert begun == new_tables.start(Start(record=RECORD), Asker("a-phone"), GIVEN)
    assert len(begun.lines) == 2
    assert purse.seconds[0] > 0


def test_where_no_process_can_be_started_a_record_is_replayed_here() -> None:
    here = Checker(AnswersHere())
    assert len(start(here, RECORD, Purse().payer).lines) == 2
    with pytest.raises(Problem, match="not JSON"):
        here.ask(Purse().payer, process.start, b"{", Asker("a-phone"), GIVEN)


def test_what_is_wrong_with_a_record_is_told_as_here(checker: Checker) -> None:
    with pytest.raises(IllegalAction) as illegal:
        start(checker, {**RECORD, "actions": [RECORD["actions"][0], {"do": "bank"}]}, Purse().payer)
    assert illegal.value.index == 2
    with pytest.raises(RecordError, match="lacks actions"):
        start(checker, {"format": 1, "game": "farkle", "players": []}, Purse().payer)
    with pytest.raises(Problem, match="invisible") as hidden:
        start(checker, {**RECORD, "players": ["Ada", "B\u202eob"]}, Purse().payer)
    assert (hidden.value.reason, hidden.value.status) == ("name-hidden", 422)
    for text in (b"{", b"[1e", b"\xff", b"[" * 100_000):
        with pytest.raises(Problem, match="not JSON"):
            checker.ask(Purse().payer, process.start, text, Asker("a-phone"), GIVEN)


def test_a_record_of_an_own_game_is_checked_with_its_game(checker: Checker) -> None:
    with pytest.raises(DefinitionError):
        start(checker, {**RECORD, "game": "ours", "file": costly_game(1, ways=2, throws=2)}, Purse().payer)


# Where garbage is collected just then, Python drops what is raised, and says so.
dropping = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@dropping
def test_what_takes_too_long_is_refused_and_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = _answers(monkeypatch, seconds=0.05)
    assert answered["costly"].refused == TOO_COSTLY
    assert 0.03 <= answered["costly"].seconds < 1
    assert answered["usual"].found is None
    assert not answered["usual"].refused, "the limit of one request is none of the next"


@dropping
def test_without_a_process_time_has_a_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PROCESSOR_S", 0.05)
    costly = AnswersHere().answer(_check(costly_game(1, throws=25)), is_there)
    assert costly.refused == TOO_COSTLY
    assert 0.03 <= costly.seconds < 1
    monkeypatch.setattr(process, "PROCESSOR_S", 60.0)
    usual = AnswersHere().answer(_check(FARKLE), is_there)
    assert (usual.found, usual.refused) == (None, None)


def is_there() -> bool:
    return False


def _check(text: str) -> Request:
    return process.check, [text, "x"]


def _answers(monkeypatch: pytest.MonkeyPatch, seconds: float) -> dict[str, Answer]:
    """What the process answers within so many seconds, in a process of its own as it changes signals."""
    monkeypatch.setattr(process, "PROCESSOR_S", seconds)
    before = signal.signal(signal.SIGPROF, process._raise_out_of_time)
    try:
        costly = process.answer(_check(costly_game(1, throws=25)), process._limit)
        monkeypatch.setattr(process, "PROCESSOR_S", 60.0)
        return {"costly": costly, "usual": process.answer(_check(FARKLE), process._limit)}
    finally:
        signal.signal(signal.SIGPROF, before)


def test_a_process_that_does_not_answer_is_ended_and_the_next_game_gets_another(
    checker: Checker, child: CheckingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker.ask(Purse().payer, process.check, FARKLE, "first")
    pid = child._process.pid
    monkeypatch.setattr(process, "WALL_S", 0.2)
    os.kill(pid, signal.SIGSTOP)
    purse = Purse()
    with pytest.raises(Problem) as problem:
        checker.ask(purse.payer, process.check, FARKLE, "second")
    assert problem.value.reason == "game-too-costly"
    assert purse.seconds[0] > 0.1
    monkeypatch.setattr(process, "WALL_S", 60.0)
    checker.ask(purse.payer, process.check, FARKLE, "second")  # it was not kept: another try may be luckier
    assert child._process.pid != pid


def test_the_process_is_killed_when_nobody_waits_for_its_answer(checker: Checker, child: CheckingProcess) -> None:
    checker.ask(Purse().payer, process.check, FARKLE, "first")
    pid, purse = child._process.pid, Purse()
    os.kill(pid, signal.SIGSTOP)
    asked: list[bool] = []

    def gone() -> bool:
        asked.append(True)
        return len(asked) > 3

    with pytest.raises(Problem):
        checker.ask(purse.payer._replace(gone=gone), process.check, FARKLE, "second")
    assert purse.seconds, "who went pays"
    checker.ask(Purse().payer, process.check, FARKLE, "third")
    assert child._process.pid != pid
    with pytest.raises(Problem):  # it is not even begun
        checker.ask(Purse().payer._replace(gone=lambda: True), process.check, FARKLE, "fourth")


def test_the_end_of_the_server_waits_for_no_answer(checker: Checker, child: CheckingProcess) -> None:
    checker.ask(Purse().payer, process.check, FARKLE, "first")
    os.kill(child._process.pid, signal.SIGSTOP)
    refused: list[str] = []
    begun = threading.Event()

    def gone() -> bool:
        begun.set()
        return False

    def ask(key: str) -> None:
        try:
            checker.ask(Purse().payer._replace(gone=gone), process.check, FARKLE, key)
        except Problem as problem:
            refused.append(problem.reason)

    threads = [threading.Thread(target=ask, args=(key,)) for key in ("second", "third")]
    for thread in threads:
        thread.start()
    assert begun.wait(30)
    while len(checker._turns._origins) < len(threads):
        time.sleep(0.01)
    checker.close()
    for thread in threads:
        thread.join(30)
    assert sorted(refused) == ["busy", "game-too-costly"]


@watching.on_linux
def test_memory_has_a_bound(checker: Checker, child: CheckingProcess) -> None:
    checker.ask(Purse().payer, process.check, FARKLE, "first")
    limits = Path(f"/proc/{child._process.pid}/limits").read_text(encoding="utf-8")
    line = next(line for line in limits.splitlines() if line.startswith("Max address space"))
    assert line.split()[3] == str(process.MEMORY_MB << 20)


def test_the_process_ends_when_it_is_idle() -> None:
    child = CheckingProcess(ThreadTask, idle_s=0.2)
    checker = Checker(child)
    checker.ask(Purse().payer, process.check, FARKLE, "first")
    until = time.monotonic() + 30
    while child._process is not None and time.monotonic() < until:
        time.sleep(0.05)
    assert child._process is None
    child._idle_s = 60  # that it is seen
    checker.ask(Purse().payer, process.check, FARKLE, "second")
    assert child._process is not None
    checker.close()
    assert child._process is None


def test_one_origin_waits_for_few_checks_and_others_come_in_turn(
    checker: Checker, child: CheckingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    go = threading.Event()

    def slow(request: Request, gone: object) -> Answer:
        order.append(request[1][1])
        go.wait(30)
        return Answer(0.0)

    monkeypatch.setattr(child, "answer", slow)
    threads: list[threading.Thread] = []

    def ask(origin: str, key: str) -> None:
        threads.append(threading.Thread(target=checker.ask, args=(Purse(origin).payer, process.check, "x", key)))
        threads[-1].start()
        wait_until(lambda: order and len(checker._turns._origins) == len(threads))

    for number in range(process.MOST_OF_ORIGIN):
        ask("greedy", f"g{number}")
    with pytest.raises(Problem) as problem:
        checker.ask(Purse("greedy").payer, process.check, "x", "one-more")
    assert (problem.value.reason, problem.value.status, problem.value.again_s > 0) == ("busy", 503, True)
    ask("honest", "h")
    go.set()
    for thread in threads:
        thread.join(30)
    assert order == ["g0", "g1", "h", "g2"]


@pytest.mark.parametrize("key", [key for key in keys() if from_file(key)])
def test_each_game_that_comes_along_costs_far_less_than_the_bound(key: str) -> None:
    began = time.thread_time()
    process.check(text_of(key), key)
    assert time.thread_time() - began < process.PROCESSOR_S / 3
    assert checking_process.COMMAND == ("games", "check", "-")
