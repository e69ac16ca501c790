"""The files of a release, built once for all tests that look at them."""

from __future__ import annotations

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


@pytest.fixture
def deb(dist: Path) -> Path:
    (found,) = dist.glob("*.deb")
    return found


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A new system of that name, with the least of packages. What was fetched for it is kept in out/debian."""
    if os.name == "nt" or os.geteuid() != 0:
        pytest.skip("a clean system is made and entered by root")
    if shutil.which("debootstrap") is None:
        pytest.skip("debootstrap is not installed")
    folder, kept = tmp_path / "root", ROOT / "out" / "debian"
    kept.mkdir(parents=True, exist_ok=True)
    command = ["debootstrap", "--variant=minbase", f"--cache-dir={kept}", request.param, folder, MIRROR]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"debootstrap made no system: {done.stdout.splitlines()[-1:]}")
    (folder / HOME).mkdir()
    shutil.chown(folder / HOME, *map(int, PLAYER.split(":")))
    browser = folder / "usr/local/bin/x-www-browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> /{HOME}/opened\n')
    browser.chmod(0o755)
    return folder
