"""Sheets from files: cells from top to bottom, and a joker cell of any name."""

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_estimated
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.games import text_of

FORCED = """[[option]]
name = "forced"
title = "cells are written from top to bottom"
rules = { column = [{ order = "down" }] }

"""


def like(key: str, *changes: tuple[str, str]) -> Any:
    """A game from one of our files, changed."""
    text = text_of(key).replace(FORCED, "")  # an option that would change nothing in a file with an order
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return game_from_text(text, "ours")()


IN_ORDER = ("[rules]\n", '[rules]\ncolumn = [{ order = "down" }]\n')
UPWARDS = ("[rules]\n", '[rules]\ncolumn = [{ order = "up" }]\n')


@pytest.mark.parametrize("key", ["yatzy", "kosci", "kosci-single", "kosci-triple", "maxi-yatzy", "generala", "crag"])
@pytest.mark.parametrize("order", ["down", "up"])
def test_cells_in_order_are_written_one_after_the_other(key: str, order: str) -> None:
    several = key == "kosci-triple"
    change = ("[[rules.column]]\n", f'[[rules.column]]\norder = "{order}"\n')
    game = like(key, change if several else IN_ORDER if order == "down" else UPWARDS)
    assert has_odds(game)
    way = "from top to bottom" if order == "down" else "from bottom to top"
    told = f"Column 3 is written {way}." if several else f"The cells are written {way}."
    assert f"  {told}" in game.short_rules().text().splitlines()
    keys = [category.key for category in game.categories][:: 1 if order == "down" else -1]
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
                for column in range(1, len(game.columns) + 1)
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
    table = scorer.Table(like("yatzy", UPWARDS), ["Ada"])
    table.do({"do": "throw", "dice": [5, 5, 5, 5, 5]})
    with pytest.raises(scorer.IllegalAction) as found:
        table.do({"do": "score", "category": "fives"})
    assert str(found.value) == "the cells are written from bottom to top: Yatzy is next, not Fives"


def test_a_joker_that_must_go_elsewhere_is_refused_with_cells_in_order() -> None:
    with pytest.raises(DefinitionError, match=r'column cannot be so together with joker = "forced"'):
        like("yahtzee", IN_ORDER)


def test_jokers_are_explained_with_the_name_of_their_cell() -> None:
    told = like("yahtzee", ('title = "Yahtzee"\nalike', 'title = "Kniffel"\nalike')).short_rules().text()
    assert "Five alike are a joker once the cell Kniffel is filled." in told
    assert "A joker adds 100 points if the cell Kniffel holds points." in told


# --- throws saved for later ---

SAVING = ("[rules]\n", "[rules]\nsaved_throws = 3\n")


def turn_of(*dice: int, category: str) -> list[dict[str, Any]]:
    return [{"do": "throw", "dice": list(dice)}, {"do": "score", "category": category}]


def played(game: Any, players: int, *turns: list[dict[str, Any]]) -> scorer.Table:
    table = scorer.Table(game, ["Ada", "Bob", "Cyd"][:players])
    for action in (each for turn in turns for each in turn):
        table.do(action)
    return table


def saved(table: scorer.Table) -> list[int]:
    return [player["saved"] for player in table.standing()["players"]]


def test_the_first_throw_is_served_also_with_saved_throws() -> None:
    game = like("generala", SAVING)
    straight = turn_of(1, 2, 3, 4, 5, category="straight")
    first = [entry for entry in played(game, 1, straight[:1]).legal if entry.get("category") == "straight"]
    chance = turn_of(1, 1, 2, 3, 6, category="ones")
    later = [entry for entry in played(game, 1, chance, straight[:1]).legal if entry.get("category") == "straight"]
    second = [*straight[:1], {"do": "keep", "dice": []}, *straight[:1]]
    thrown_again = [entry for entry in played(game, 1, second).legal if entry.get("category") == "straight"]
    assert first == later != thrown_again


def test_a_person_settles_a_turn_with_its_saved_throws() -> None:
    game = like("kosci-triple", SAVING)
    settle = {"do": "adjust", "what": "turn", "player": 0, "category": "ones", "column": 2, "points": 6, "bonus": 0}
    table = played(game, 2, [{**settle, "saved": 2}])
    assert saved(table) == [2, 0]
    for wrong in (settle, {**settle, "saved": 4}):
        with pytest.raises(scorer.IllegalAction):
            scorer.Table(game, ["Ada"]).do(wrong)


def test_saved_throws_stay_with_their_player_when_others_come_go_and_are_skipped() -> None:
    table = played(like("yatzy", SAVING), 2, turn_of(1, 1, 1, 2, 3, category="ones"))
    table.do({"do": "adjust", "what": "player-added", "name": "Cyd"})
    table.do({"do": "adjust", "what": "turn-skipped", "player": 1})
    assert (saved(table), table.standing()["turn"]["throws_left"]) == ([2, 0, 0], 5)
    table.do({"do": "throw", "dice": [1, 2, 3, 4, 5]})
    table.do({"do": "adjust", "what": "turn-skipped", "player": 0})
    assert saved(table) == [2, 0, 0]


def test_the_odds_of_saved_throws_are_those_of_so_many_throws() -> None:
    """Exact with up to four throws of five dice; beyond, up to rounding: five alike against their own recursion."""
    game = like("yatzy", SAVING)
    assert is_estimated(game)
    assert has_odds(game)
    five = scorer.game("yatzy")
    table, plain = (played(each, 1) for each in (game, five))
    told = [scorer.advice.odds(each.game, each.state, 0, {"do": "throw"}) for each in (table, plain)]
    assert {key: chance for key, chance in told[0].items() if key not in BONUSES} == {
        key: chance for key, chance in told[1].items() if key not in BONUSES
    }
    for turn in (turn_of(1, 1, 1, 2, 3, category="ones"), turn_of(2, 2, 2, 1, 3, category="twos")):
        for action in turn:
            table.do(action)
    left = table.standing()["turn"]["throws_left"]
    assert left == 6
    chance = scorer.advice.odds(game, table.state, 0, {"do": "throw"})["yatzy"]
    assert chance == pytest.approx(chance_of_five_alike(left), abs=1e-12)


BONUSES = ("upper-bonus", "upper-bonus-now")


def chance_of_five_alike(throws: int) -> float:
    """Of n alike the most are kept: how many are alike after each throw, as a chain."""
    chances = {1: 1.0}
    for _ in range(throws):
        following: dict[int, float] = {}
        for alike, chance in chances.items():
            kept = alike if alike > 1 else 0
            for fall in product(range(1, 7), repeat=5 - kept):
                most = max(Counter([*[1] * kept, *fall]).values())
                following[most] = following.get(most, 0.0) + chance / 6 ** (5 - kept)
        chances = following
    return chances[5]
