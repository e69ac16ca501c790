"""The files of a release, built once for all tests that look at them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.served import ROOT

RELEASE = ROOT / "deploy" / "release"


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
