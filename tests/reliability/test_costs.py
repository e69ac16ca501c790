"""While one device asks for all that costs a server most, an honest phone at another address plays on.

The short form looks at no times but one bound that no share could break, over https; over http it is slow. The long
form (`make soak`) sends the attack for a minute over both, and holds the honest phone's waits and the memory to
docs/reliability.md.
"""

from pathlib import Path

import pytest

from tests.reliability.costs import LANGUAGES
from tests.reliability.driving import Served
from tests.reliability.test_bounds import BOUNDED
from tests.reliability.test_floods import LEFT_MB, MOST_MB, SLOWEST_S, Honest, Outcome, attack, children_of, settled_mb
from tests.web.bounded import bounds
from tests.web.served import UNPREPARED, new_table

ATTACK_S = 60
CONNECTIONS = 24


def endure(served: Served, seconds: float) -> Outcome:
    """Has one device ask for costly things while an honest phone plays."""
    with Honest(served, new_table(served)) as phone:
        for language in LANGUAGES:  # the first phone of a language has its texts loaded: 14 MB that stay
            assert phone.ask("GET", "/", headers={"Accept-Language": language})[0] == 200
        asked = ["--connections", str(CONNECTIONS), "--seconds", str(seconds)]
        found = attack(served, phone, phone.play, "costs", *asked)
        found.after = settled_mb(served, found.before)
        assert not children_of(served), "the process that checks games ends when it is idle"
    return found


@pytest.mark.parametrize("https", [pytest.param(False, marks=pytest.mark.slow), True], ids=["http", "https"])
def test_an_honest_phone_plays_on_while_a_device_asks_for_costly_games(tmp_path: Path, https: bool) -> None:
    soon = bounds(process__IDLE_S=2)  # the process that checks games ends
    with Served(tmp_path / "data", https=https, environment=soon, program=BOUNDED) as served:
        found = endure(served, seconds=6)
    assert found.requests > 20, found
    assert found.own < 3 * SLOWEST_S, found
    assert found.peak < MOST_MB, found
    assert found.after < found.before + LEFT_MB, found


@pytest.mark.slow
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_the_figures_of_costly_games(tmp_path: Path, https: bool) -> None:
    with Served(tmp_path / "data", https=https, program=UNPREPARED) as served:
        found = endure(served, ATTACK_S)
    print(f"\n{'https' if https else 'http'}: {found}")
    assert found.own < SLOWEST_S, found
    assert found.peak < MOST_MB, found
    assert found.after < found.before + LEFT_MB, found
