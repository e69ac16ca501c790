"""scorer/reasons.py and scorer/texts.py: every refusal has its sentence, every sentence its use."""

import ast
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import scorer
from scorer.options import Numbers, OptionChoice, read_form
from scorer.reasons import REASONS
from scorer.texts import T
from tests.scorer.playing import table_of
from tests.scorer.test_every_game import any_action, every_game

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
            continue  # a joker rule's reason: test_sheet_sections.py has both
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


# What no family understands: braces and brackets, None, straight quotes, lists such as r1=9, players by number, keys.
PROGRAM_TEXT = re.compile(r"[{}\[\]=_\"]|'\w*'|\bNone\b|\bplayer \d|\bcell \d|\b[rcd]\d\b")
WRONG: list[Any] = [None, True, 1.5, -1, 7, 10**9, "r1=9", "", [], [7], [[1, 1]], [[9, 9]], {}, {"r1": -1}, {"r1": "x"}]
# Texts for who writes a file or a program name keys; a player without a name is told by his number.
TO_PROGRAMS = {
    "unknown-option", "unknown-action", "unknown-adjustment", "unknown-field", "missing-field", "unknown-category",
    "unknown-figure", "unknown-line", "not-a-cell", "cells-not-a-list", "not-an-adjusted-cell",
    "name-empty", "name-unprintable",
}  # fmt: skip


def wrong_actions(game: scorer.Game[Any]) -> Iterator[dict[str, Any]]:
    """Every action and adjustment of a game, with each of its fields wrong in turn."""
    verbs = [({"do": name}, verb.fields) for name, verb in game.actions.items()]
    verbs += [({"do": "adjust", "what": what}, verb.fields) for what, verb in game.adjustments.items()]
    right = {"player": 1, "dice": [1], "cell": [1, 1], "cells": [[1, 1]], "line": "r1", "points": 5, "column": 1}
    for named, fields in verbs:
        yield {**named, **{name: right.get(name, "ones") for name in fields}}
        for wrong in fields:
            for value in WRONG:
                yield {**named, **{name: right.get(name, "ones") for name in fields}, wrong: value}


@pytest.mark.whole
@every_game
def test_no_refusal_tells_a_family_what_only_a_program_knows(key: str) -> None:
    table, rng, told = table_of(key, 2), random.Random(5), set()
    for _ in range(25):
        for action in [*wrong_actions(table.game), *table.actions[-5:]]:
            trial = table.copy()
            try:
                trial.do(action)
            except scorer.IllegalAction as refusal:
                text = str(refusal).replace("“r1=9”", "")  # what somebody typed
                told.add(refusal.reason)
                keys = refusal.reason in TO_PROGRAMS or (refusal.reason == "not-in-range" and "points" not in text)
                assert keys or not PROGRAM_TEXT.search(text), (text, action)
                assert not re.search(r"[{}=]|'\w*'|\bNone\b", text), (text, action)
                json.dumps(refusal.to_json())
        if table.over:
            break
        table.do(any_action(table, rng))
    assert len(told) > 5


@every_game
def test_options_are_told_in_words(key: str) -> None:
    for option in scorer.game(key).options:
        texts = [str(option.title), str(option.describe(option.default))]
        if isinstance(option, Numbers):
            texts.append(str(option.describe({**option.default, "r1": 7, "d2": 0})))
            assert texts[-1] == "row 1 7, diagonal ↙ 0"
        for value in WRONG:
            try:
                scorer.game(key, **{option.name: value})
            except scorer.OptionError as refusal:
                texts.append(str(refusal))
        for part in option.parts:
            with pytest.raises(scorer.OptionError) as refused:
                read_form([option], {part.name: "r1=9"})
            texts.append(str(refused.value).replace("“r1=9”", ""))
        words = [text.replace("“r1=9”", "") for text in texts]
        if not isinstance(option, OptionChoice):  # the command line takes the keys of its choices
            assert not [text for text in words if PROGRAM_TEXT.search(text)]
