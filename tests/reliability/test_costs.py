"""While one device asks for all that costs a server most, an honest phone at another address plays on.

The short form looks at no times but one bound that no share could break; the long form (`make soak`) sends the attack
for a minute over http and https, and holds the honest phone's waits and the memory to docs/reliability.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.reliability import watching
from tests.reliability.driving import Served
from tests.reliability.test_floods import LEFT_MB, SLOWEST_S, Honest
from tests.web.served import ROOT, UNPREPARED, new_table

ATTACK_S = 60
CONNECTIONS = 24
SETTLES_WITHIN_S = 60


@dataclass
class Outcome:
    usual: float = 0.0  # seconds of the slowest request before the attack
    slowest: float = 0.0  # and of the slowest while it ran
    own: float = 0.0  # the same without the time in which other processes had the processors
    requests: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    before: float = 0.0  # MB of the server and its children
    peak: float = 0.0
    after: float = 0.0


def endure(served: Served, seconds: float) -> Outcome:
    """Has one device ask for costly things while an honest phone plays."""
    found = Outcome()
    command = [sys.executable, "-m", "tests.reliability.costs", "--port", str(served.port)]
    command += ["--connections", str(CONNECTIONS), "--seconds", str(seconds), *(["--https"] if served.https else [])]
    with Honest(served, new_table(served)) as phone:
        for _ in range(5):
            phone.play()
        found.usual = max(phone.took)
        phone.took.clear()
        phone.own.clear()
        phone.server = served.process.pid
        found.before = memory_of(served)
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.nice(10)
        ) as attack:
            try:
                while attack.poll() is None:
                    phone.play()
                    found.peak = max(found.peak, memory_of(served))
                assert attack.stdout is not None
                found.answers = json.loads(attack.stdout.read())
            finally:
                attack.kill()
        found.slowest, found.own, found.requests = max(phone.took), max(phone.own), len(phone.took)
        until = time.monotonic() + SETTLES_WITHIN_S
        while (after := memory_of(served)) > found.before + LEFT_MB or children_of(served):
            if time.monotonic() > until:
                break
            time.sleep(1)
        found.after = after
        assert not children_of(served), "the process that checks games ends when it is idle"
        assert "Traceback" not in served.output(), served.output()[-4000:]
    return found


def memory_of(served: Served) -> float:
    """MB of the server and of the processes that it started."""
    if not watching.HERE:
        return 0.0
    used = 0.0
    for each in [served.process.pid, *children_of(served)]:
        try:
            used += watching.use(each).rss
        except (OSError, KeyError):  # it has just ended
            continue
    return used


def children_of(served: Served) -> list[int]:
    """The processes that any of its threads started."""
    found: list[int] = []
    for children in Path(f"/proc/{served.process.pid}/task").glob("*/children"):
        try:
            found += map(int, children.read_text(encoding="utf-8").split())
        except OSError:  # the thread has just ended
            continue
    return found


@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_an_honest_phone_plays_on_while_a_device_asks_for_costly_games(tmp_path: Path, https: bool) -> None:
    with Served(tmp_path / "data", https=https, program=UNPREPARED) as served:
        found = endure(served, seconds=6)
    assert found.requests > 20, found
    assert found.own < 3 * SLOWEST_S, found
    assert found.after < found.before + LEFT_MB, found


@pytest.mark.slow
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_the_figures_of_costly_games(tmp_path: Path, https: bool) -> None:
    with Served(tmp_path / "data", https=https, program=UNPREPARED) as served:
        found = endure(served, ATTACK_S)
    print(f"\n{'https' if https else 'http'}: {found}")
    assert found.own < SLOWEST_S, found
    assert found.after < found.before + LEFT_MB, found
