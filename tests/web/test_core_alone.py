"""The core needs no thread and no package in machine code: a host may be a page of a browser."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.whole


def test_a_game_is_played_without_threads_and_without_packages_in_machine_code(tmp_path: Path) -> None:
    played = subprocess.run(
        [sys.executable, "-m", "tests.web.core_alone", str(tmp_path / "data")], capture_output=True, text=True
    )
    assert (played.returncode, played.stdout) == (0, "played []\n"), played.stderr
