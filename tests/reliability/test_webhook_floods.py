"""While one device connects slow programs without end, an honest phone plays on, and its program is told at once."""

import time
from pathlib import Path

import pytest

from tests.reliability.driving import Served, new_table
from tests.reliability.hooking import RECEIVERS
from tests.reliability.test_floods import LEFT_MB, SLOWEST_S, Honest, Outcome, attack, settled_mb
from tests.web.api.test_api_v1 import bearer
from tests.web.programs.webhooks.test_webhooks import Receiver
from tests.web.served import UNPREPARED
from tests.web.waiting import wait_until
from web.store.server_tokens import create_token

pytestmark = pytest.mark.alone

TOLD_WITHIN_S = 2.0
ALLOWED = [part for host in ("127.0.0.1", *RECEIVERS) for part in ("--webhooks-to", host)]


def endure(served: Served, seconds: float) -> tuple[Outcome, float]:
    """What the phone bears; and the longest of the times from its action until its program was told, in seconds."""
    receiver, told = Receiver(), list[float]()
    with Honest(served, new_table(served)) as phone:

        def play() -> None:
            if not told:
                time.sleep(seconds / 3)  # until the device has taken what it can
                wanted = {"name": "lamp", "address": receiver.address}
                right = bearer(create_token(served.data, "owner"))
                status, made = phone.ask("POST", f"/api/v1{phone.base}/webhooks", wanted, right)
                assert status == 201, made
            before, began = len(receiver.told), time.monotonic()
            phone.play()
            wait_until(lambda: len(receiver.told) > before, 100)
            told.append(time.monotonic() - began)
            time.sleep(0.2)

        found = attack(served, phone, play, "hooking", "--seconds", str(seconds))
        if seconds > 10:
            found.after = settled_mb(served, found.before)
    receiver.close()
    return found, max(told)


@pytest.mark.parametrize("https", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["http", "https"])
def test_an_honest_program_is_told_beside_slow_ones(tmp_path: Path, https: bool) -> None:
    with Served(tmp_path / "data", https=https, program=UNPREPARED, arguments=ALLOWED) as served:
        found, told_s = endure(served, 9)
    assert found.told["connected"]
    assert found.told["acted"]
    assert told_s < 2 * TOLD_WITHIN_S  # with the playing itself, on a busy machine


@pytest.mark.slow
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_the_figures_of_slow_programs(tmp_path: Path, https: bool) -> None:
    with Served(tmp_path / "data", https=https, program=UNPREPARED, arguments=ALLOWED) as served:
        found, told_s = endure(served, 60)
    print(f"\n{'https' if https else 'http'}: told within {told_s:.2f} s; {found}")
    assert found.own < SLOWEST_S
    assert told_s < TOLD_WITHIN_S
    assert found.after < found.before + LEFT_MB
