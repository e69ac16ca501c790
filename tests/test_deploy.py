"""What is to be deployed holds together: the container files name real commands; a cluster comes up and goes down."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import rollcall
from tests.web.postgres import missing

ROOT = Path(__file__).resolve().parent.parent


def test_the_containers_say_what_rollcall_knows() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with the training packages")
    told = yaml.safe_load((ROOT / "compose.yaml").read_text())
    services = told["services"]
    assert sum(name.startswith("server") for name in services) == 2
    assert services["reader"]["deploy"]["replicas"] == 2
    entry = json.loads(re.findall(r"^ENTRYPOINT (.*)$", (ROOT / "Dockerfile").read_text(), re.M)[0])
    proxy = services["proxy"]["networks"]["default"]["ipv4_address"]
    known = (ROOT / "deploy" / "nginx.conf").read_text()
    for name, service in services.items():
        if "build" not in service:
            continue
        program, *arguments = [*service.get("entrypoint", entry), *service.get("command", [])]
        assert program == "rollcall"
        args = rollcall.build_parser(None).parse_args(arguments)
        if name != "reader":
            assert args.behind == [proxy]
            assert f"server {name}:8000 " in known
        assert service["environment"]["ROLLCALL_DATABASE"].startswith("postgresql+psycopg://")


@pytest.mark.whole
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_two_commands_bring_a_cluster_up_and_take_it_down() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # Where PostgreSQL's user may enter: not below the folder of pytest.
    folder = Path("/tmp") / f"rollcall-cluster-{os.getpid()}"
    command = [sys.executable, str(ROOT / "deploy" / "cluster.py")]
    try:
        up = subprocess.run(
            [*command, "up", "--folder", str(folder), "--port", str(port), "--readers", "1"],
            capture_output=True,
            text=True,
        )
        assert up.returncode == 0, up.stderr
        addresses = re.findall(r"^http\S+$", up.stdout, re.M)
        assert addresses
        for address in addresses:
            with urllib.request.urlopen(address) as page:
                assert page.status == 200
        again = subprocess.run([*command, "up", "--folder", str(folder)], capture_output=True, text=True)
        assert (again.returncode, again.stderr[:15]) == (1, "it runs already")
        pids = [each["pid"] for each in json.loads((folder / "processes.json").read_text()).values()]
    finally:
        down = subprocess.run([*command, "down", "--folder", str(folder)], capture_output=True, text=True)
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    assert (down.returncode, down.stderr) == (0, "")
    for pid in pids:
        state = Path(f"/proc/{pid}/stat")
        assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.whole
@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_a_cluster_comes_up_again_after_a_power_cut() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path("/tmp") / f"rollcall-cut-cluster-{os.getpid()}"
    command = [sys.executable, str(ROOT / "deploy" / "cluster.py")]
    up = [*command, "up", "--folder", str(folder), "--port", str(port), "--servers", "1", "--readers", "0"]
    try:
        first = subprocess.run(up, capture_output=True, text=True)
        assert first.returncode == 0, first.stderr
        pids = [each["pid"] for each in json.loads((folder / "processes.json").read_text()).values()]
        pids.append(int((folder / "postgresql" / "data" / "postmaster.pid").read_text().split("\n", 1)[0]))
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        ended = subprocess.run([*command, "down", "--folder", str(folder)], capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")
        until = (
            time.monotonic() + 60
        )  # what is left of the killed PostgreSQL ends by itself; a power cut leaves nothing
        while (again := subprocess.run(up, capture_output=True, text=True)).returncode:
            assert time.monotonic() < until, again.stderr
    finally:
        down = subprocess.run([*command, "down", "--folder", str(folder)], capture_output=True, text=True)
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    assert (down.returncode, down.stderr) == (0, "")
