"""Work beside requests, as a computer does it: in threads that are there while there is work."""

import logging
import threading

import pytest

from tests.web.waiting import wait_until
from web.hosts.threads import ThreadTask
from web.tasks import background


def running() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "counting"]


def test_a_task_sleeps_until_it_is_woken_and_keeps_its_thread_to_the_end() -> None:
    done: list[int] = []
    task = ThreadTask("counting", lambda: done.append(threading.get_ident()))
    assert running() == []
    for times in (1, 2):
        task.wake()
        wait_until(lambda times=times: len(done) == times)
    assert len({*done}) == 1
    task.end()
    assert running() == []


def test_who_wakes_a_task_at_work_has_one_more_step_done() -> None:
    begun, goes_on, steps = threading.Event(), threading.Event(), []

    def step() -> None:
        steps.append(1)
        begun.set()
        goes_on.wait()

    task = ThreadTask("counting", step)
    task.wake()
    begun.wait()
    for _ in range(3):
        task.wake()
    goes_on.set()
    wait_until(lambda: len(steps) == 2)
    task.end()
    assert len(steps) == 2


def test_a_step_says_when_the_next_is_due() -> None:
    waits: list[float | None] = [0.0, 0.01, None]
    task = ThreadTask("counting", lambda: waits.pop(0))
    task.wake()
    wait_until(lambda: waits == [])
    task.end()


def test_a_step_that_fails_is_told_and_done_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "AFTER_FAILURE_S", 0.0)
    steps: list[int] = []

    def step() -> None:
        steps.append(1)
        if len(steps) == 1:
            raise ValueError("once")

    with caplog.at_level(logging.ERROR):
        task = ThreadTask("counting", step)
        task.wake()
        wait_until(lambda: len(steps) == 2)
        task.end()
    assert [record.getMessage() for record in caplog.records] == ["counting: a step failed"]


def test_the_end_waits_for_the_present_step_and_no_other_follows() -> None:
    begun, goes_on, steps = threading.Event(), threading.Event(), []

    def step() -> float:
        steps.append(1)
        begun.set()
        goes_on.wait()
        return 0.0

    task = ThreadTask("counting", step)
    task.wake()
    begun.wait()
    task.end(within_s=0.01)
    assert running() == ["counting"], "it is not cut short"
    goes_on.set()
    task.end()
    task.wake()
    assert (len(steps), running()) == (1, [])
