"""A night on two servers that share a database: its desks and tables are at one or the other."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from tests.web.clubs.simulated_nights import DESK, Server, SimulatedNight
from web.clubs import night_commands as club
from web.clubs.nights import Nights
from web.pages.live import NoPhones
from web.runner.runner import Runner
from web.store import schema
from web.table.commands import Asker

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from web.hosts.cluster.shared_store import SharedStore


class TwoServers(Server):
    """Whoever asks for a part gets that of one server or of the other."""

    def __init__(self, address: str) -> None:
        self.kills, self._rng = 0, random.Random(7)
        self._address = address
        self.pair = [self._start(), self._start()]

    def _start(self) -> tuple[SharedStore, Runner, Nights]:
        store = SharedStore(self._address)
        runner = Runner(store, NoPhones())
        return store, runner, Nights(runner)

    def kill(self) -> None:
        self.kills += 1
        killed = self._rng.randrange(2)
        self.pair[killed][0].close()
        self.pair[killed] = self._start()

    @property
    def runner(self) -> Runner:  # type: ignore[override]
        return self._rng.choice(self.pair)[1]

    @property
    def nights(self) -> Nights:  # type: ignore[override]
        return self._rng.choice(self.pair)[2]


@pytest.fixture
def servers(shared: str) -> Iterator[TwoServers]:
    made = TwoServers(shared)
    yield made
    for store, _, _ in made.pair:
        store.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_night_on_two_servers_is_what_an_adder_says(servers: TwoServers, seed: int) -> None:
    night = SimulatedNight(servers, random.Random(seed))
    night.play()
    night.check()
    assert night.told


def test_two_desks_that_ring_at_once_make_one_round(servers: TwoServers) -> None:
    night = SimulatedNight(servers, random.Random(1))
    token = servers.nights.offer_desk(night.key, DESK)
    other = Asker("another-phone-of-the-desk")
    servers.nights.do(night.key, club.JoinDesk(token), other)
    night.do(club.DrawRound())
    with ThreadPoolExecutor(2) as pool:
        rung = list(
            pool.map(
                lambda each: each[0][2].ring(night.key, each[1], lambda: None),
                zip(servers.pair, (DESK, other), strict=True),
            )
        )
    assert rung[0].rounds == rung[1].rounds == night.night.rounds
    with servers.pair[0][0].read() as connection:
        tables = connection.execute(select(func.count()).select_from(schema.tables)).scalar_one()
    assert tables == 1 + len(night.night.rounds[0].tables), "the tables of the slower desk are gone"
