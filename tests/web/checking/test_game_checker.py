"""Games from outside are checked in a process with bounds: what costs too much is refused, and nothing stays behind."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.definitions.definition import DefinitionError
from scorer.games import from_file, keys, text_of
from scorer.texts import Text
from tests.reliability import watching
from tests.reliability.costs import costly_game
from web.checking import process
from web.checking.game_checker import AnswersHere, GameChecker, Payer
from web.checking.process import Answer
from web.common.problems import Problem
from web.hosts import checking_process
from web.hosts.checking_process import CheckingProcess
from web.hosts.threads import ThreadTask

FARKLE = text_of("farkle")


class Purse:
    """Who pays, and what it paid."""

    def __init__(self, origin: str = "here") -> None:
        self.seconds: list[float] = []
        self.payer = Payer(origin, self.seconds.append)


@pytest.fixture
def child() -> CheckingProcess:
    return CheckingProcess(ThreadTask)


@pytest.fixture
def checker(child: CheckingProcess) -> Iterator[GameChecker]:
    made = GameChecker(child)
    yield made
    made.close()


def test_a_game_is_checked_once_and_paid_for_by_who_asked(checker: GameChecker) -> None:
    first, second = Purse(), Purse("there")
    checker.check(FARKLE, "ours", first.payer)
    checker.check(FARKLE, "ours", second.payer)
    assert len(first.seconds) == 1
    assert first.seconds[0] > 0
    assert second.seconds == []


def test_a_refusal_is_the_same_as_here_and_is_kept(checker: GameChecker) -> None:
    wrong = costly_game(1, ways=2, throws=2)
    purse = Purse()
    for _ in range(2):
        with pytest.raises(DefinitionError) as refused:
            checker.check(wrong, "ours", purse.payer)
        assert refused.value.reason == "definition-example"
        assert isinstance(refused.value.params["where"], Text)
        assert str(refused.value).startswith("ours.toml, line ")
    assert len(purse.seconds) == 1


def test_a_changed_game_is_looked_at(checker: GameChecker) -> None:
    found = checker.look_at(None, FARKLE, "ours", Purse().payer, throw=[1, 1, 1])
    assert found.own is not None
    assert found.own.worth == 300
    assert len(found.throws) == 3
    assert found.looks
    with pytest.raises(DefinitionError) as refused:
        checker.look_at({"family": "none"}, FARKLE, "ours", Purse().payer)
    assert refused.value.params["at"] == ["family"]


# Where garbage is collected just then, Python drops what is raised, and says so.
dropping = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@dropping
def test_what_takes_too_long_is_refused_and_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = _answers(monkeypatch, seconds=0.05)
    assert answered["costly"].too_costly
    assert 0.03 <= answered["costly"].seconds < 1
    assert answered["usual"].found is None
    assert not answered["usual"].too_costly, "the limit of one request is none of the next"


@dropping
def test_without_a_process_time_has_a_bound_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PROCESSOR_S", 0.05)
    costly, _ = AnswersHere().answer(_check(costly_game(1, throws=25)))
    assert costly.too_costly
    assert 0.03 <= costly.seconds < 1
    monkeypatch.setattr(process, "PROCESSOR_S", 60.0)
    usual, _ = AnswersHere().answer(_check(FARKLE))
    assert (usual.found, usual.refused, usual.fault, usual.too_costly) == (None, None, None, False)


def _check(text: str) -> bytes:
    return json.dumps(["check", [text, "x"]]).encode()


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
    checker: GameChecker, child: CheckingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker.check(FARKLE, "first", Purse().payer)
    assert child.pid is not None
    pid = child.pid
    monkeypatch.setattr(process, "WALL_S", 0.2)
    os.kill(pid, signal.SIGSTOP)
    purse = Purse()
    with pytest.raises(Problem) as problem:
        checker.check(FARKLE, "second", purse.payer)
    assert problem.value.reason == "game-too-costly"
    assert purse.seconds[0] > 0.1
    monkeypatch.setattr(process, "WALL_S", 60.0)
    checker.check(FARKLE, "second", purse.payer)  # it was not kept: another try may be luckier
    assert child.pid != pid


@watching.on_linux
def test_memory_has_a_bound(checker: GameChecker, child: CheckingProcess) -> None:
    checker.check(FARKLE, "first", Purse().payer)
    limits = Path(f"/proc/{child.pid}/limits").read_text(encoding="utf-8")
    line = next(line for line in limits.splitlines() if line.startswith("Max address space"))
    assert line.split()[3] == str(process.MEMORY_MB << 20)


def test_the_process_ends_when_it_is_idle() -> None:
    child = CheckingProcess(ThreadTask, idle_s=0.2)
    checker = GameChecker(child)
    checker.check(FARKLE, "first", Purse().payer)
    until = time.monotonic() + 30
    while child.pid is not None and time.monotonic() < until:
        time.sleep(0.05)
    assert child.pid is None
    checker.check(FARKLE, "second", Purse().payer)
    assert child.pid is not None
    checker.close()
    assert child.pid is None


def test_one_origin_waits_for_few_checks_and_others_come_in_turn(
    checker: GameChecker, child: CheckingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    go = threading.Event()

    def slow(line: bytes) -> tuple[Answer, bool]:
        order.append(json.loads(line)[1][1])
        go.wait(30)
        return Answer(0.0), True

    monkeypatch.setattr(child, "answer", slow)
    threads: list[threading.Thread] = []

    def ask(origin: str, key: str) -> None:
        threads.append(threading.Thread(target=checker.check, args=("x", key, Purse(origin).payer)))
        threads[-1].start()
        time.sleep(0.05)

    for number in range(process.MOST_OF_ORIGIN):
        ask("greedy", f"g{number}")
    with pytest.raises(Problem) as problem:
        checker.check("x", "one-more", Purse("greedy").payer)
    assert (problem.value.reason, problem.value.status, problem.value.again_s > 0) == ("busy", 503, True)
    ask("honest", "h")
    go.set()
    for thread in threads:
        thread.join(30)
    assert order == ["g0", "g1", "h", "g2"]


@pytest.mark.parametrize("key", [key for key in keys() if from_file(key)])
def test_each_game_that_comes_along_costs_far_less_than_the_bound(key: str) -> None:
    began = time.thread_time()
    found: Any = process.QUESTIONS["check"](text_of(key), key)
    assert found is None
    assert time.thread_time() - began < process.PROCESSOR_S / 3
    assert checking_process.COMMAND == ("games", "check", "-")
