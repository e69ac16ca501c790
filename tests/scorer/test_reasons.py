"""scorer/reasons.py and scorer/texts.py: every refusal has its sentence, every sentence its use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import scorer
from scorer.reasons import REASONS
from scorer.texts import T

REFUSALS = {"IllegalAction", "NothingToUndo", "OptionError", "PlayerError", "RecordError"}


def sources() -> Iterator[ast.AST]:
    """Every node of the scorer's syntax trees."""
    for path in Path(scorer.__file__).parent.rglob("*.py"):
        if path.name != "reasons.py":
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def test_every_reason_is_used() -> None:
    assert set(REASONS) <= {node.value for node in sources() if isinstance(node, ast.Constant)}


def test_every_refusal_gives_its_sentence_what_it_names() -> None:
    """Wherever a reason stands in the source, the parameters are those of its template."""
    for node in sources():
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS):
            continue
        reason = node.args[0]
        if not isinstance(reason, ast.Constant):
            continue  # a joker rule's reason: test_yahtzee.py has both
        given = {keyword.arg for keyword in node.keywords}
        if None in given:  # ** brings row and column
            given = (given - {None}) | {"row", "column"}
        said = REASONS[str(reason.value)]
        for form in (said,) if isinstance(said, str) else (said.one, said.many):
            assert given == {name for _, name, _, _ in Formatter().parse(form) if name}, reason.value


def test_a_sentence_in_another_language() -> None:
    czech = {"{what} ({dice})": "{dice}: {what}", "three pairs": "tři dvojice"}
    text = T("{what} ({dice})", what=T("three pairs"), dice=[1, 1, 2])
    assert str(text) == "three pairs (1, 1, 2)"
    assert text.render(lambda template: czech.get(template, template)) == "1, 1, 2: tři dvojice"


def test_a_refusal_in_another_language() -> None:
    refusal = scorer.IllegalAction("bank-needs-minimum", needed=400, points=350)
    assert str(refusal) == "banking needs 400 points, this turn has 350"
    assert refusal.text.render(lambda template: "{points} < {needed}") == "350 < 400"
