"""The container file is well formed; where there is a container engine, it builds, starts and says that it is well."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONTAINERS = ("Dockerfile", "compose.yaml")
# A container that may change its data alone, as the documents start it.
ALONE = ("--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges")
HADOLINT = shutil.which("hadolint", path=f"{Path(sys.executable).parent}") or shutil.which("hadolint")


def engine() -> str | None:
    """A container engine that answers, if any."""
    for name in ("docker", "podman"):
        found = shutil.which(name)
        if found and subprocess.run([found, "info"], capture_output=True).returncode == 0:
            return found
    return None


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_the_container_file_is_well_formed() -> None:
    done = subprocess.run([str(HADOLINT), str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_containers_have_what_they_are_said_to_have() -> None:
    """A container alone can tell a smart home (`--mqtt`); those of compose.yaml share a database too."""
    chosen = {name: re.findall(r'EXTRAS[:=] ?"\[([a-z,]+)\]"', (ROOT / name).read_text()) for name in CONTAINERS}
    assert chosen == {"Dockerfile": ["home"], "compose.yaml": ["cluster,home"]}


def test_the_container_is_started_with_what_lets_phones_in() -> None:
    """A container has no address of this machine to listen at, unless it has the host's network."""
    for name in ("docs/on-a-computer.md", "Dockerfile"):
        commands = re.findall(r"docker run [^`\n]*", (ROOT / name).read_text())
        assert commands == ["docker run --network host --read-only --tmpfs /tmp -v rollcall:/data rollcall"], name


def test_the_containers_write_to_their_data_alone() -> None:
    """Those of our own image, which runs so below."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    own = {name: service for name, service in services.items() if service["image"] == "rollcall-cluster"}
    assert own.keys() == {"server1", "server2", "reader"}
    for name, service in own.items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        written = {*service["tmpfs"], *(volume.partition(":")[2] for volume in service.get("volumes", ()))}
        assert written == {"/tmp", "/data"}, name


@pytest.mark.whole
def test_the_container_builds_and_is_well() -> None:
    run = engine()
    if run is None:
        pytest.skip("no container engine answers")
    subprocess.run([run, "build", "--tag", "rollcall-test", str(ROOT)], check=True, capture_output=True)
    started = subprocess.run(
        [run, "run", "--detach", "--rm", *ALONE, "rollcall-test"], check=True, capture_output=True, text=True
    ).stdout.strip()
    try:
        probe = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"
        deadline = time.monotonic() + 60
        while subprocess.run([run, "exec", started, "python", "-c", probe], capture_output=True).returncode:
            assert time.monotonic() < deadline, "the container does not answer"
            time.sleep(0.5)
        loads = [run, "exec", started, "python", "-c", "import paho.mqtt.client, zeroconf"]  # the extra `home`
        subprocess.run(loads, check=True, capture_output=True)
    finally:
        subprocess.run([run, "stop", started], check=True, capture_output=True)
