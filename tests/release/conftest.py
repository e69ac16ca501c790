"""The files of a release, built once for all tests that look at them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.release.clean_system import HOME, PLAYER
from tests.web.served import ROOT

RELEASE = ROOT / "deploy" / "release"
MIRROR = "http://deb.debian.org/debian"
# Packages for other processors, which `deploy/release/build.py --root` made.
OTHER_DEBS = {"arm64": os.environ.get("ROLLCALL_DEB_ARM64")}
EMULATORS = Path("/proc/sys/fs/binfmt_misc")
INTERPRETERS = {"arm64": "qemu-aarch64"}


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of `make dist`. $ROLLCALL_DIST names one that was built before."""
    if built := os.environ.get("ROLLCALL_DIST"):
        return Path(built)
    if sys.platform != "linux" or sys.version_info < (3, 11):
        pytest.skip("a release is built on Linux with Python 3.11 or newer")
    return build(tmp_path_factory.mktemp("dist"))


def build(out: Path, **surroundings: str) -> Path:
    """Runs `make dist` with these further variables of the environment; returns `out`."""
    command = [sys.executable, RELEASE / "build.py", "--out", out]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, **surroundings})
    if done.returncode and ("No matching distribution" in done.stderr or "ConnectionError" in done.stderr):
        pytest.skip("a release is built of packages of the index, which cannot be reached")
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(params=["bookworm", "trixie"])
def system(request: pytest.FixtureRequest) -> str:
    """The name of a Debian, with another processor's architecture behind a hyphen if QEMU shall emulate it."""
    name: str = request.param
    architecture = name.partition("-")[2]
    if os.name == "nt" or os.geteuid() != 0:
        pytest.skip("a clean system is made and entered by root")
    if shutil.which("debootstrap") is None:
        pytest.skip("debootstrap is not installed")
    if architecture and not OTHER_DEBS.get(architecture):
        pytest.skip(f"$ROLLCALL_DEB_{architecture.upper()} names no package for {architecture}")
    if architecture and not (EMULATORS / INTERPRETERS[architecture]).exists():
        pytest.skip(f"the kernel runs no programs for {architecture}: install qemu-user-static")
    return name


@pytest.fixture
def deb(system: str, request: pytest.FixtureRequest) -> Path:
    if architecture := system.partition("-")[2]:
        return Path(OTHER_DEBS[architecture])
    (found,) = request.getfixturevalue("dist").glob("*.deb")
    return Path(found)


@pytest.fixture
def root(system: str, tmp_path: Path) -> Path:
    """A new system of that name, with the least of packages. What was fetched for it is kept in out/debian."""
    suite, _, architecture = system.partition("-")
    folder, kept = tmp_path / "root", ROOT / "out" / "debian"
    kept.mkdir(parents=True, exist_ok=True)
    other = [f"--arch={architecture}"] if architecture else []
    command = ["debootstrap", "--variant=minbase", f"--cache-dir={kept}", *other, suite, folder, MIRROR]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"debootstrap made no system: {done.stdout.splitlines()[-1:]}")
    (folder / HOME).mkdir()
    shutil.chown(folder / HOME, *map(int, PLAYER.split(":")))
    browser = folder / "usr/local/bin/x-www-browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> /{HOME}/opened\n')
    browser.chmod(0o755)
    return folder
