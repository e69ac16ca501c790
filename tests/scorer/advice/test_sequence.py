from fractions import Fraction
from itertools import product

from scorer.advice import odds
from tests.scorer.playing import table_of

ALL = list(product(range(1, 7), repeat=6))


def test_odds_of_a_throw() -> None:
    table = table_of("sequence", three_ones_wipe=True)
    told = odds(table.game, table.state, 0, {"do": "throw"})
    both = sum(1 in dice and 2 in dice and dice.count(1) < 3 for dice in ALL)
    assert told["score"] == Fraction(both, 6**6)
    assert told["all-lost"] == Fraction(sum(dice.count(1) >= 3 for dice in ALL), 6**6)
    assert told["target"] == 0
    near = table.state._replace(scores=(75,))
    assert odds(table.game, near, 0, {"do": "throw"})["target"] == Fraction(720, 6**6)
