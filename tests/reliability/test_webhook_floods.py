"""While one device connects slow programs without end, an honest phone plays on, and its program is told at once."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.reliability import watching
from tests.reliability.driving import Served, new_table
from tests.reliability.hooking import RECEIVERS
from tests.reliability.test_floods import LEFT_MB, SLOWEST_S, Honest, _settled_memory_mb, _stand_back
from tests.web.api.test_api_v1 import bearer
from tests.web.programs.webhooks.test_webhooks import Receiver
from tests.web.served import ROOT, UNPREPARED
from web.store.server_tokens import create_token

pytestmark = pytest.mark.alone

TOLD_WITHIN_S = 2.0
ALLOWED = [part for host in ("127.0.0.1", *RECEIVERS) for part in ("--webhooks-to", host)]


@dataclass
class Figures:
    """`told`: the seconds from an action until its program was told, the longest; `page`, `own`: of the slowest
    request, with and without the time in which other processes had the processors; `before`, `after`: MB."""

    connected: int = 0  # programs, by the device
    acted: int = 0
    told: float = 0.0
    page: float = 0.0
    own: float = 0.0
    before: float = 0.0
    after: float = 0.0


@contextmanager
def hooking(served: Served, seconds: float) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.reliability.hooking", "--port", str(served.port)]
    command += ["--seconds", str(seconds), *(["--https"] if served.https else [])]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=_stand_back) as device:
        try:
            yield device
        finally:
            device.kill()


def endure(served: Served, seconds: float, settles: bool) -> Figures:
    found, receiver = Figures(), Receiver()
    with Honest(served, new_table(served)) as phone:
        for _ in range(5):
            phone.play()
        found.before = watching.use(served.process.pid).rss if watching.HERE else 0.0
        phone.took.clear()
        phone.own.clear()
        phone.server = served.process.pid
        with hooking(served, seconds) as device:
            time.sleep(seconds / 3)  # until it has taken what it can
            wanted, right = {"name": "lamp", "address": receiver.address}, bearer(create_token(served.data, "owner"))
            status, made = phone.ask("POST", f"/api/v1{phone.base}/webhooks", wanted, right)
            assert status == 201, made
            while device.poll() is None:
                _play_and_wait(phone, receiver, found)
            assert device.stdout is not None
            said = json.loads(device.stdout.read())
            found.connected, found.acted = said["connected"], said["acted"]
        found.page, found.own = max(phone.took), max(phone.own)
        if settles:
            found.after = _settled_memory_mb(served.process.pid, found.before) if watching.HERE else 0.0
    receiver.close()
    assert "Traceback" not in served.output(), served.output()[-4000:]
    return found


def _play_and_wait(phone: Honest, receiver: Receiver, found: Figures) -> None:
    told, began = len(receiver.told), time.monotonic()
    phone.play()
    while len(receiver.told) < told + 1:
        assert time.monotonic() < began + 100, "its program was not told"
        time.sleep(0.01)
    found.told = max(found.told, time.monotonic() - began)
    time.sleep(0.2)


@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_an_honest_program_is_told_beside_slow_ones(tmp_path: Path, https: bool) -> None:
    with Served(tmp_path / "data", https=https, program=UNPREPARED, arguments=ALLOWED) as served:
        found = endure(served, 9, settles=False)
    assert found.connected
    assert found.acted
    assert found.told < 2 * TOLD_WITHIN_S  # with the playing itself, on a busy machine


@pytest.mark.slow
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_the_figures_of_slow_programs(tmp_path: Path, https: bool) -> None:
    with Served(tmp_path / "data", https=https, program=UNPREPARED, arguments=ALLOWED) as served:
        found = endure(served, 60, settles=True)
    print(f"\n{'https' if https else 'http'}: {found}")
    assert found.own < SLOWEST_S
    assert found.told < TOLD_WITHIN_S
    assert found.after < found.before + LEFT_MB
