"""The rules of games as people read them: every sentence in their language, numbers with their plural."""

from __future__ import annotations

from typing import Any

import pytest

import scorer
from scorer.definitions.building import game_from_text
from scorer.texts import Text
from web.texts.languages import translations

CELL = '[[rules.cell]]\nkey = "{key}"\ntitle = "{key}"\nalike = {count}\npoints = "pattern"\n'


def said(text: Text, language: str) -> str:
    found = translations(language)
    return text.render(
        lambda template: found.gettext(template) if template else "",
        lambda one, many, count, **params: found.ngettext(one, many, count).format(count=count, **params),
    )


def rules_of(game: Any, language: str) -> list[str]:
    lines = []
    for section in game.short_rules():
        lines += [said(each, language) for each in section.paragraphs]
        lines += [f"{said(what, language)} | {said(gives, language)}" for what, gives in section.rows]
    return lines


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("cs", ["a: aspoň 2 stejné | součet těchto kostek", "b: aspoň 5 stejných | součet těchto kostek"]),
        ("pl", ["a: co najmniej 2 jednakowe | suma tych kości", "b: co najmniej 5 jednakowych | suma tych kości"]),
    ],
)
def test_numbers_within_sentences_have_their_plural(language: str, expected: list[str]) -> None:
    cells = CELL.format(key="a", count=2) + CELL.format(key="b", count=5)
    text = f'family = "sheet"\ntitle = "T"\nsummary = "S"\n[rules]\nupper = []\ndice = 7\n{cells}'
    assert rules_of(game_from_text(text, "ours")(), language)[-2:] == expected


@pytest.mark.parametrize("language", ["cs", "pl"])
@pytest.mark.parametrize("key", [info.key for info in scorer.all_games()])
def test_no_sentence_of_a_game_is_left_in_english(key: str, language: str) -> None:
    english, other = (rules_of(scorer.game(key), each) for each in ("en", language))
    alike = [line for line, same in zip(english, other, strict=True) if line == same and "alike" in line]
    assert alike == []
    sentences = [line for line, same in zip(english, other, strict=True) if line == same and line.endswith(".")]
    assert sentences == []


@pytest.mark.parametrize(("busts", "expected"), [(1, "1 tah bez bodů"), (2, "2 tahy bez bodů"), (5, "5 tahů bez bodů")])
def test_a_penalty_says_its_own_number_of_turns(busts: int, expected: str) -> None:
    text = (
        'family = "ten-thousand"\ntitle = "T"\nsummary = "S"\n[rules]\n'
        f"penalty = [{busts}, 500]\n[[rules.combination]]\ndice = [1]\npoints = 100\n"
    )
    game = game_from_text(text, "ours")()
    assert any(line.startswith(f"Za {expected}") for line in rules_of(game, "cs"))
    table = scorer.Table(game, ["Ada"])
    for _ in range(busts):
        table.do({"do": "throw", "dice": [2, 2, 3, 3, 4, 6]})
    events = {event["event"]: event for event in table.standing()["events"]}
    assert events["penalty"] == {"event": "penalty", "player": 0, "points": -500, "count": busts}
    assert "{count}" in game.events["penalty"][0].text
