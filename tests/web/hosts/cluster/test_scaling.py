"""What docs/scaling.md tells of the simulation is what the simulation tells."""

import re
from pathlib import Path

import pytest

from benchmarks import scaling

GUIDE = (Path(__file__).resolve().parents[4] / "docs" / "scaling.md").read_text()
WALL = 0.5  # of what is busiest


def simulate(*arguments: str) -> dict[str, float]:
    return scaling.simulate(scaling.arguments(arguments))


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table under this heading, each cell as it stands there."""
    section = GUIDE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize(("machines", "tables", "what", "without"), rows("Where the first wall is")[1:])
def test_the_walls_are_where_the_guide_says(machines: str, tables: str, what: str, without: str) -> None:
    for wanted, photos in ((tables, "0.3"), (without, "0")):
        found = simulate("--tables", wanted.replace(",", ""), "--machines", machines, "--photos", photos)
        busy = {"servers": found["servers_busy"], "PostgreSQL": found["postgres_busy"]}
        assert max(busy.values()) == pytest.approx(WALL, abs=0.015)
        assert max(busy, key=busy.__getitem__) in what.split(";")[0]


def test_a_million_phones_take_what_the_guide_says() -> None:
    command = re.findall(r"python -m benchmarks\.scaling (--tables 250000[^`]*)`", GUIDE)[0]
    told = dict(rows("A million phones at 250,000 tables"))
    found = simulate(*command.split())
    assert told["actions a second"] == f"{found['actions_a_second']:,}"
    assert told["PostgreSQL's log, of a cluster"] == f"{found['wal_of_a_cluster_mb_s']} MB/s"
    assert told["sent by a machine to its phones"] == f"{found['sent_of_a_machine_mbit_s']} Mbit/s"
    streams = f"{found['streams_of_a_process']}, {found['stream_memory_of_a_machine_mb']} MB"
    assert told["streams of a process, their memory on a machine"] == streams
    times = f"{found['median_ms']:.0f} ms, {found['p99_ms']:.0f} ms"
    assert next(value for what, value in told.items() if what.startswith("an action with its share")) == times
    cores = float(told["readers' cores"].replace(",", ""))
    assert cores == pytest.approx(found["reader_cores"], rel=0.02)


def test_with_fewer_machines_and_clusters_it_is_below_the_wall() -> None:
    machines, clusters = re.findall(r"With (\d+) machines and (\d+) clusters it would still be below the wall", GUIDE)[
        0
    ]
    found = simulate("--tables", "250000", "--machines", machines, "--clusters", clusters, "--seconds", "5")
    assert max(found["servers_busy"], found["postgres_busy"]) < WALL
