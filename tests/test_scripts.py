"""The scripts of the pages: short lines, formatted, their types right, each page with those it uses."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from web.pages import static

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted((ROOT / "web").rglob("*.js"))
LONGEST = 120
IMPORT = re.compile(r'^(?! *\*).*(?:from|import|import\() ?"(\.[^"]+\.js)"', re.MULTILINE)


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


@pytest.mark.parametrize("page", ["table/table.js", "pages/board.js"])
def test_a_page_names_all_the_modules_that_its_script_imports(page: str) -> None:
    """What is not named loads late, and may want what that page does not have: a board has no panel."""
    assert sorted(imported(page)) == sorted({page, *static.scripts(page)})


def imported(name: str) -> set[str]:
    """A module of `web/static` and all that it imports, and they."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            folder = (static.FOLDER / module).parent
            names = IMPORT.findall((static.FOLDER / module).read_text())
            waiting += [(folder / each).resolve().relative_to(static.FOLDER.resolve()).as_posix() for each in names]
    return found
