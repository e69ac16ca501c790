"""The scripts of the pages: short lines, formatted, and their types right. The last two need what `npm ci` installs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted((ROOT / "web").rglob("*.js"))
LONGEST = 120


def test_no_line_of_a_script_is_too_long() -> None:
    assert SCRIPTS, "there are no scripts"
    lines = [(path, number, line) for path in SCRIPTS for number, line in enumerate(path.read_text().splitlines(), 1)]
    assert [f"{path.relative_to(ROOT)}:{number}" for path, number, line in lines if len(line) > LONGEST] == []


def test_the_scripts_are_formatted() -> None:
    check("prettier", "--check", "web/static/**/*.{js,ts}")


def test_the_types_of_the_scripts_are_right() -> None:
    check("tsc", "--pretty", "false")


def check(tool: str, *arguments: str) -> None:
    """Runs a tool of package.json, which must find nothing."""
    program = ROOT / "node_modules" / ".bin" / tool
    if not program.exists():
        pytest.skip(f"{tool} is not installed: `npm ci` in {ROOT} installs it")
    found = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr
