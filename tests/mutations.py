"""Plants faults in one room's code and says how many its tests catch: `python -m tests.mutations scorer --faults 30`.
`--code` and `--tests` narrow both: `scorer --code 'scorer/pad*.py' --tests tests/scorer/test_pad.py`.

A copy of the checkout gets all faults at once, each switched off. One run of the room's tests tells which tests reach
which fault; then each fault is switched on for the tests that reach it, the quickest first. Faults lie inside of
functions: a comparison, an operator, a condition, a number or a truth value is another. The same seed plants the same
faults as long as the code is the same, so that two versions of the tests compare.
"""

import argparse
import ast
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "scorer": ("scorer", "tests/scorer"),
    "table": ("web/table", "tests/web/table", "tests/web/api", "tests/web/runner"),
    "judging": ("vision/judging", "tests/vision/judging"),
}
MARKS = "not slow and not alone and not browser"
MOST_S = 60  # of the processor, beside ten times what the tests took without the fault
SWAPS: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.Mult,
}  # fmt: skip
SWITCH = """
import os
ON = int(os.environ.get("PLANTED_FAULT", -1))
REACHED = set()

def on(number):
    REACHED.add((os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0], number))
    return number == ON
"""


class Fault(NamedTuple):
    """`start` and `end` are offsets in the bytes of the file."""

    file: str
    line: int
    start: int
    end: int
    planted: str


class Times:
    """A plugin of pytest: the seconds of each test."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration


def other(node: ast.AST) -> ast.expr | None:
    """The faulty expression in the place of this one, or None where none is planted."""
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in SWAPS:
            return ast.Compare(left, [SWAPS[type(op)]()], [right])
        case ast.BinOp(left, op, right) if type(op) in SWAPS:
            return ast.BinOp(left, SWAPS[type(op)](), right)
        case ast.BoolOp(op, values):
            return ast.BoolOp(SWAPS[type(op)](), values)
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(bool() as value):
            return ast.Constant(not value)
        case ast.Constant(int() as value):
            return ast.Constant(value + 1)
    return None


def expressions(node: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """All nodes inside of functions but annotations, defaults, patterns and parts of f-strings."""
    if inside:
        yield node
    function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "args", "decorator_list", "pattern") and not isinstance(node, ast.Call):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from expressions(child, inside or function)


def faults_of(file: str) -> Iterator[Fault]:
    text = (ROOT / file).read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in expressions(ast.parse(text)):
        planted = other(node)
        if planted is not None and isinstance(node, ast.expr):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            yield Fault(file, node.lineno, start, end, ast.unparse(ast.fix_missing_locations(planted)))


def chosen(code: list[str], count: int, seed: int) -> list[Fault]:
    """`count` faults of the code, as git's patterns name it, none inside of another."""
    tracked = subprocess.run(["git", "ls-files", *code], cwd=ROOT, capture_output=True, text=True, check=True)
    found = [fault for file in sorted(tracked.stdout.split()) for fault in faults_of(file)]
    random.Random(seed).shuffle(found)
    taken: list[Fault] = []
    for each in found:
        if len(taken) < count and all(
            each.file != fault.file or each.end <= fault.start or fault.end <= each.start for fault in taken
        ):
            taken.append(each)
    return taken


def plant(faults: list[Fault], copy: Path) -> None:
    (copy / "planted_faults.py").write_text(SWITCH, encoding="utf-8")
    numbered = sorted(enumerate(faults), key=lambda each: -each[1].start)
    for number, fault in numbered:
        path = copy / fault.file
        text = path.read_bytes()
        was = text[fault.start : fault.end]
        new = b"((%s) if __import__('planted_faults').on(%d) else (%s))" % (fault.planted.encode(), number, was)
        path.write_bytes(text[: fault.start] + new + text[fault.end :])


def run(copy: Path, told: Path, arguments: list[str], fault: int = -1, most_s: float = 3600) -> int:
    """The exit code of pytest in a child of this process, whose packages are loaded; negative if a signal ended it."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.chdir(copy)
    os.environ["PLANTED_FAULT"] = str(fault)
    resource.setrlimit(resource.RLIMIT_CPU, (int(most_s), int(most_s)))
    os.dup2(os.open(copy / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "scorer", "web", "vision")]:
        del sys.modules[name]
    sys.path[0] = str(copy)
    times = Times()
    code = pytest.main(["-q", "-p", "no:cacheprovider", "-m", MARKS, *arguments], [times])
    reached = sys.modules["planted_faults"].REACHED if "planted_faults" in sys.modules else set()
    told.write_text(json.dumps({"seconds": times.seconds, "reached": sorted(reached)}), encoding="utf-8")
    os._exit(code)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--code", nargs="+", help="files, as patterns of git")
    parser.add_argument("--tests", nargs="+", help="files or folders")
    given = parser.parse_args()
    room, *folders = ROOMS[given.room]
    faults = chosen(given.code or [f"{room}/*.py"], given.faults, given.seed)
    with tempfile.TemporaryDirectory() as made:
        copy, told = Path(made, "copy"), Path(made, "told.json")
        files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for file in files.splitlines():
            if (ROOT / file).is_file():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / file, copy / file)
        plant(faults, copy)
        if run(copy, told, given.tests or folders) != 0:
            sys.exit((copy / "output.txt").read_text(encoding="utf-8"))
        without = json.loads(told.read_text(encoding="utf-8"))
        caught = 0
        for number, fault in enumerate(faults):
            tests = {test for test, reached in without["reached"] if reached == number and test}
            tests = sorted(tests, key=lambda test: without["seconds"].get(test, 0))
            most_s = MOST_S + 10 * sum(without["seconds"].get(test, 0) for test in tests)
            is_caught = bool(tests) and run(copy, told, ["-x", *tests], number, most_s) != 0
            caught += is_caught
            said = "caught" if is_caught else "MISSED" if tests else "not reached"
            print(f"{said:11} {fault.file}:{fault.line}  {fault.planted}  ({len(tests)} tests)", flush=True)
    print(f"{given.room}: {caught} of {len(faults)} planted faults caught (seed {given.seed})")


if __name__ == "__main__":
    main()
