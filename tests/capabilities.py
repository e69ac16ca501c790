"""Prints each capability with its user, its lines and its budget: `python -m tests.capabilities`.

Exit 1: one has more lines than its budget. With `set`, today's lines become the budgets, in `capabilities.toml` and in
the table of docs/architecture.md.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = ROOT / "tests" / "capabilities.toml"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PRODUCT = ("rollcall.py", "scorer/*", "vision/*", "web/*", "deploy/*")
CODE = (".py", ".js", ".mjs")
ROUNDED_TO = 25
IN_A_ROW = 4  # capabilities of the table
LINES = re.compile(r"(?<=\blines = )[\d_]+")
TABLE = re.compile(r"^\| capability .*\n(?:\|.*\n)+", re.MULTILINE)


class Capability(NamedTuple):
    name: str
    user: str
    lines: int
    budget: int
    goal: int | None = None


def capabilities() -> list[Capability]:
    """All capabilities, then the totals, as they stand. Raises ValueError for a file that belongs to none or to two."""
    told = read_budgets()
    totals = told.pop("totals")
    files = code_files()
    owners = {file: owner_of(file, {name: each["files"] for name, each in told.items()}) for file in files}
    lines = Counter[str]()
    for file, owner in owners.items():
        if owner is not None:
            lines[owner] += count_lines(file)
    found = [Capability(name, each["user"], lines[name], each["lines"]) for name, each in told.items()]
    for name, each in totals.items():
        counted = sum(count_lines(file) for file in files if matches(file, each["files"]))
        found.append(Capability(name, "all", counted, each["lines"], each["goal"]))
    return found


def read_budgets() -> dict[str, Any]:
    return tomllib.loads(BUDGETS.read_text(encoding="utf-8"))


def owner_of(file: str, patterns: dict[str, list[str]]) -> str | None:
    """The capability whose pattern for this file is the longest; None if the file is not of the product."""
    if not matches(file, PRODUCT):
        return None
    fitting = sorted((len(each), name) for name, given in patterns.items() for each in given if fnmatchcase(file, each))
    if not fitting or [length for length, _ in fitting].count(fitting[-1][0]) > 1:
        names = ", ".join(name for _, name in fitting) or "no capability"
        raise ValueError(f"{file} belongs to {names}: name it in tests/capabilities.toml")
    return fitting[-1][1]


def matches(file: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(file, each) for each in patterns)


def code_files() -> list[str]:
    """All files of code that git knows or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in told.splitlines() if name.endswith(CODE) and (ROOT / name).is_file()]


def count_lines(file: str) -> int:
    return (ROOT / file).read_bytes().count(b"\n")


def table(found: list[Capability]) -> str:
    """The table of docs/architecture.md: several capabilities in a row."""
    rows = [f"{each.name} | {each.user} | {each.budget:,}" for each in found]
    rows += [" | | "] * (-len(rows) % IN_A_ROW)
    height = len(rows) // IN_A_ROW
    head = ["| capability | for | lines " * IN_A_ROW + "|", "|---|---|--:" * IN_A_ROW + "|"]
    return "\n".join([*head, *(f"| {' | '.join(rows[row::height])} |" for row in range(height))]) + "\n"


def set_budgets(found: list[Capability]) -> None:
    """Writes today's lines, rounded up, as budgets."""
    budgets = (f"{-(-each.lines // ROUNDED_TO) * ROUNDED_TO:_}" for each in found)
    BUDGETS.write_text(LINES.sub(lambda _: next(budgets), BUDGETS.read_text(encoding="utf-8")), encoding="utf-8")
    page = ARCHITECTURE.read_text(encoding="utf-8")
    ARCHITECTURE.write_text(TABLE.sub(lambda _: table(capabilities()), page), encoding="utf-8")


def main() -> int:
    if sys.argv[1:] == ["set"]:
        set_budgets(capabilities())
    found = capabilities()
    for each in found:
        goal = f"  (asked: {each.goal:,})" if each.goal else ""
        over = f"  {each.lines - each.budget} too many" if each.lines > each.budget else ""
        print(f"{each.name:24}{each.user:32}{each.lines:7,} of {each.budget:7,}{goal}{over}")
    return int(any(each.lines > each.budget for each in found))


if __name__ == "__main__":
    sys.exit(main())
