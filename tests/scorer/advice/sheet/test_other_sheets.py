"""Sheets of other dice, throws, orders and ends: each worth is the mean of what follows, up to the end by the rules."""

from dataclasses import replace

import pytest

import scorer
from scorer.advice import is_solvable, odds, solve
from scorer.definitions.rule_tables import SheetColumn
from scorer.sheet import SheetGame
from tests.scorer.advice.solved import small

IN_ORDER = (SheetColumn(order="down"),)
FACE_KEYS = ("ones", "twos", "threes", "fours", "fives", "sixes")
GAMES: dict[str, SheetGame] = {
    "crag": small("crag", "sixes", "odd-straight", "three", "thirteen", "crag"),
    "served": small("generala", "sixes", "straight", "full", "generala"),
    "six dice": small("maxi-yatzy", "sixes", "tower", "full-straight", saved_throws=0, upper_bonus=((18, 100),)),
    "a low one": small("low-house-number", "hundreds", "tens", "units"),
    "low with a bonus": small("yatzy", "ones", "twos", "pair", "chance", low_wins=True, upper_bonus=((4, 50),), dice=3),
    "in order": small("yatzy", "ones", "sixes", "pair", "yatzy", column=IN_ORDER, upper_bonus=((12, 50),)),
    "jokers in order": small("kosci", *FACE_KEYS, "full", "general", column=IN_ORDER, upper_bonus=((12, 35),)),
    "four throws": small("yatzy", "ones", "pair", "small-straight", throws=4, upper_bonus=((3, 50),)),
    "no bonus": small("yatzy", "ones", "pair", "chance", upper_bonus=()),
    "no zeros": small("generala", "sixes", "straight", "generala", zero_only_if_nothing_fits=True),
}


@pytest.mark.parametrize(("key", "value"), [("low-house-number", 273.0), ("high-house-number", 504.0)])
def test_house_numbers_by_hand(key: str, value: float) -> None:
    """Three digits of one die each: the first goes to the hundreds if it is 5 or 6 (1 or 2), to the tens from 4 on."""
    low = key.startswith("low")
    faces = range(1, 7)

    def best(places: tuple[int, ...]) -> float:
        if not places:
            return 0.0
        rest = {place: best(tuple(each for each in places if each != place)) for place in places}
        options = [[place * face + rest[place] for place in places] for face in faces]
        return sum(map(min if low else max, options)) / 6

    assert best((100, 10, 1)) == pytest.approx(solve(scorer.game(key)).value)


def test_cells_in_order_have_odds_of_the_next_one_alone() -> None:
    game = GAMES["in order"]
    told = odds(game, game.start(1), 0, {"do": "throw", "count": 5})
    assert [name for name in told if not name.startswith("upper")] == ["ones"]


def test_what_is_neither_solved_nor_estimated_has_no_best_play() -> None:
    for rules in ({"saved_throws": 2, "low_wins": True}, {"saved_throws": 2, "column": IN_ORDER}):
        assert not is_solvable(SheetGame(GAMES["crag"].kind, replace(GAMES["crag"].rules, **rules), {}))
