"""No cache grows with what comes from outside: each has a bound, or says beside it why its keys are few."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("scorer", "vision", "web")
BOUNDED = "# bounded: "  # and why
UNBOUNDED = {"cache", "cached_method"}  # decorators without a size
MAPPINGS = {"dict", "defaultdict", "OrderedDict", "WeakValueDictionary", "WeakKeyDictionary", "Counter"}


def name_of(node: ast.expr) -> str:
    """The last part of a dotted name, `cache` of `functools.cache`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_unbounded(node: ast.expr) -> bool:
    """Whether a decorator, or what is called as one, keeps every result for ever."""
    if not isinstance(node, ast.Call):
        return name_of(node) in UNBOUNDED
    name = name_of(node.func)
    if name == "lru_cache":
        sizes = [*node.args[:1], *(each.value for each in node.keywords if each.arg == "maxsize")]
        return any(isinstance(size, ast.Constant) and size.value is None for size in sizes)
    if name == "cached":
        return any(isinstance(each, ast.Dict) or is_mapping(each) for each in node.args[:1])
    return is_unbounded(node.func) if name in UNBOUNDED else False


def is_mapping(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and name_of(node.func) in MAPPINGS


def is_empty_mapping(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Call):
        return is_mapping(node) and not node.args and not node.keywords
    return isinstance(node, ast.Dict) and not node.keys


def caches_in(source: str) -> Iterator[int]:
    """The lines of caches without a size, and of mappings of a module or a class that begin empty, and so grow."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from (each.lineno for each in node.decorator_list if is_unbounded(each))
        elif isinstance(node, ast.Call) and not isinstance(node.func, ast.Name | ast.Attribute):
            yield from [node.lineno] if is_unbounded(node.func) else []
        elif isinstance(node, ast.Call) and name_of(node.func) == "cache" and node.args:
            yield node.lineno
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and is_empty_mapping(node.value):
            yield node.lineno


def unexplained(path: Path) -> list[str]:
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    wrong = [line for line in caches_in(source) if not lines[line - 1].partition(BOUNDED)[2].strip()]
    return [f"{path.relative_to(ROOT)}:{line}: {lines[line - 1].strip()}" for line in wrong]


@pytest.mark.parametrize("room", ROOMS)
def test_no_cache_grows_with_what_comes_from_outside(room: str) -> None:
    paths = sorted((ROOT / room).rglob("*.py"))
    assert len(paths) > 10
    assert [line for path in paths for line in unexplained(path)] == []
