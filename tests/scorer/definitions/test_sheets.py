"""Sheets from files: cells from top to bottom, and a joker cell of any name."""

from __future__ import annotations

import random
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_solvable
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.games import text_of


def like(key: str, *changes: tuple[str, str]) -> Any:
    """A game from one of our files, changed."""
    text = text_of(key)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return game_from_text(text, "ours")()


IN_ORDER = ("[rules]\n", '[rules]\norder = "forced"\n')


@pytest.mark.parametrize("key", ["yatzy", "kosci", "kosci-single", "kosci-triple", "maxi-yatzy", "generala", "crag"])
def test_cells_in_order_are_written_from_top_to_bottom(key: str) -> None:
    game = like(key, IN_ORDER)
    assert not is_solvable(game)
    assert not has_odds(game)
    assert "  The cells are written from top to bottom." in game.rules().text().splitlines()
    keys = [category.key for category in game.categories]
    for seed in range(5):
        rng = random.Random(seed)
        table = scorer.Table(game, ["Ada", "Bob"])
        written: dict[tuple[int, int], list[str]] = {}
        while not table.over:
            player = table.to_act[0]
            face = rng.randint(1, 6)
            table.do({"do": "throw", "dice": [rng.choice((face, rng.randint(1, 6))) for _ in range(game.dice)]})
            entries = [each for each in table.legal if each["do"] == "score"]
            following = {
                column: keys[len(written.get((player, column), []))]
                for column in game.columns
                if len(written.get((player, column), [])) < len(keys)
            }
            assert {each.get("column", 1): each["category"] for each in entries} == following
            assert len(entries) == len(following)
            entry = rng.choice(entries)
            other = next(each for each in keys if each != entry["category"])
            with pytest.raises(scorer.IllegalAction):
                table.do({**entry, "category": other})
            written.setdefault((player, entry.get("column", 1)), []).append(entry["category"])
            table.do(entry)
        assert all(cells == keys for cells in written.values())


def test_a_cell_out_of_order_is_refused_in_one_sentence() -> None:
    table = scorer.Table(like("yatzy", IN_ORDER), ["Ada"])
    table.do({"do": "throw", "dice": [5, 5, 5, 5, 5]})
    with pytest.raises(scorer.IllegalAction) as found:
        table.do({"do": "score", "category": "yatzy"})
    assert str(found.value) == "the cells are written from top to bottom: Ones is next, not Yatzy"


def test_a_joker_that_must_go_elsewhere_is_refused_with_cells_in_order() -> None:
    with pytest.raises(DefinitionError, match=r'order cannot be so together with joker = "forced"'):
        like("yahtzee", IN_ORDER)


@pytest.mark.parametrize("key", ["yahtzee", "kosci", "kosci-single", "kosci-triple"])
def test_a_joker_cell_of_another_name_plays_alike(key: str) -> None:
    renamed = like(key, ('key = "general"', 'key = "top"'), ("[rules]\n", '[rules]\njoker_cell = "top"\n'))
    assert renamed.rules().text() == scorer.game(key).rules().text()
    for seed in range(20):
        rng = random.Random(seed)
        one, other = (scorer.Table(game, ["Ada", "Bob"]) for game in (scorer.game(key), renamed))
        while not one.over:
            face = rng.choice((1, 1, 2))
            dice = [face] * 5 if rng.random() < 0.7 else [rng.randint(1, 6) for _ in range(5)]
            for table in (one, other):
                table.do({"do": "throw", "dice": dice})
            assert str(list(other.legal)).replace("'top'", "'general'") == str(list(one.legal))
            place = rng.choice([place for place, each in enumerate(one.legal) if each["do"] == "score"])
            one.do(list(one.legal)[place])
            other.do(list(other.legal)[place])
            assert other.scores == one.scores


def test_jokers_are_explained_with_the_name_of_their_cell() -> None:
    told = like("yahtzee", ('title = "Yahtzee"\npattern', 'title = "Kniffel"\npattern')).rules().text()
    assert "Five alike are a joker once the cell Kniffel is filled." in told
    assert "A joker adds 100 points if the cell Kniffel holds points." in told
