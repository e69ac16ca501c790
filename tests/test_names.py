"""One name, one meaning: no class or module of the product is called like another one, but for those listed here."""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("scorer", "vision", "web", "datasets")

# Names that several files share on purpose, with the reason.
SHARED_CLASSES: dict[str, str] = {}
OF_A_GAME = "the game's rules and the advice on it, both found by the game's key"
SHARED_MODULES = {
    **dict.fromkeys(("drapky", "forbidden_numbers", "knaster", "shut_the_box", "skunk"), OF_A_GAME),
    "reasons": "each package's refusals: their keys with their English sentences",
}

PROMISED = {"proposed"}  # by docs/interfaces.md

# A function is called by what it does or returns, and not by a participle or a preposition alone. Of irregular verbs
# only the participles that are not their verb too.
PARTICIPLE = re.compile(
    r"(?!.*(?:feed|need|seed|speed|embed|exceed|proceed)$)[a-z]+ed|told|found|seen|taken|made|kept|given|held|left|known|shown"
    r"|brought|thought|done|gone|lost|won|written|drawn|thrown|chosen|begun|sent|heard|said|meant|grown|fallen|forgotten"
    r"|spoken|taught"
)
PREPOSITION = re.compile(
    r"of|in|at|on|by|to|from|with|without|beside|behind|before|after|over|under|near|between|within|since|until|for"
    r"|about|around|above|below|across|against|along|through"
)


@cache
def modules() -> list[tuple[str, ast.Module]]:
    paths = [ROOT / "rollcall.py", *(path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))]
    return [(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def several(names: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    """The names that are met in more than one place, with the places."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for name, place in names:
        places[name].append(place)
    return {name: where for name, where in places.items() if len(where) > 1}


def definitions(wanted: Callable[[ast.AST], bool]) -> Iterator[tuple[str, str]]:
    for path, tree in modules():
        for node in ast.walk(tree):
            if wanted(node):
                yield node.name, f"{path}:{node.lineno}"  # type: ignore[attr-defined]


def test_no_class_is_called_like_another_one() -> None:
    met = several(definitions(lambda node: isinstance(node, ast.ClassDef)))
    assert {name: places for name, places in met.items() if name not in SHARED_CLASSES} == {}
    assert SHARED_CLASSES.keys() <= met.keys(), "no longer shared"


def test_no_module_is_called_like_another_one() -> None:
    files = ((Path(path).stem, path) for path, _ in modules())
    met = several((name, path) for name, path in files if name != "__init__")
    assert {name: places for name, places in met.items() if name not in SHARED_MODULES} == {}
    assert SHARED_MODULES.keys() <= met.keys(), "no longer shared"


def is_vague(node: ast.AST) -> bool:
    """Whether this is a function that is named by a participle or a preposition alone. Properties are no functions."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    if any("property" in ast.unparse(each) for each in node.decorator_list):
        return False
    name = node.name.strip("_")
    return bool(PARTICIPLE.fullmatch(name) or PREPOSITION.fullmatch(name))


def test_no_function_is_called_by_a_participle_or_a_preposition_alone() -> None:
    assert [f"{place} {name}" for name, place in definitions(is_vague) if name not in PROMISED] == []
