"""Odds of sheets of other dice than five, against counting every fall."""

from dataclasses import field, fields, make_dataclass
from fractions import Fraction
from itertools import product

import pytest

import scorer
from scorer import advice
from scorer.sheet import SheetGame

SHEETS = ["crag", "maxi-yatzy", "cheerio", "high-house-number"]


@pytest.mark.parametrize(
    ("key", "thrown", "kept"),
    [("crag", [1, 6, 6], [6, 6]), ("crag", [1, 3, 5], []), ("maxi-yatzy", [2, 2, 2, 5, 5, 1], [2, 2, 2, 5, 5])],
)
def test_the_odds_of_a_last_throw_are_those_of_every_fall(key: str, thrown: list[int], kept: list[int]) -> None:
    game = scorer.game(key)
    assert isinstance(game, SheetGame)
    table = scorer.Table(game, ["Ada"])
    table.do({"do": "throw", "dice": thrown})
    for _ in range(game.rules.throws - 2):
        table.do({"do": "keep", "dice": thrown[1:]})
        table.do({"do": "throw", "dice": thrown[:1]})
    told = advice.odds(game, table.state, 0, {"do": "keep", "dice": kept})
    count = game.dice - len(kept)
    needed = game.rules.upper_threshold // 21  # of each face
    for place, category in enumerate(game.categories):
        hits = 0
        for fall in product(range(1, 7), repeat=count):
            points = category.points(tuple(sorted((*kept, *fall))))
            hits += points >= max(1, needed * category.face) if category.face else points > 0
        chance = Fraction(hits, 6**count)
        assert told.get(category.key, chance) == chance, place
        assert category.key in told or chance in (0, 1)


@pytest.mark.parametrize("key", SHEETS)
def test_best_play_of_other_dice_is_solved(key: str) -> None:
    assert advice.is_solvable(scorer.game(key))
    assert advice.is_estimated(scorer.game(key)) == (key == "maxi-yatzy")
    assert advice.has_odds(scorer.game(key))


@pytest.mark.parametrize("key", ["pig", "crag", "farkle"])
def test_a_word_that_no_solver_knows_leads_to_no_odds(key: str) -> None:
    """A rule that a later version of a family has counts as long as it has its default, and no longer."""
    game = scorer.game(key)
    kind = make_dataclass("Later", [("surprise", bool, field(default=False))], bases=(type(game.rules),), frozen=True)
    values = {each.name: getattr(game.rules, each.name) for each in fields(game.rules)}
    for surprise in (False, True):
        later = type(game)(game.kind, kind(**values, surprise=surprise), game.settings)
        assert advice.has_odds(later) != surprise
        throw, *_ = later.legal(later.start(1))
        assert bool(advice.odds(later, later.start(1), 0, throw)) != surprise
        assert not (surprise and advice.is_solvable(later))
