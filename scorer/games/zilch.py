"""Zilch: docs/rules.md section 13."""

from scorer.combinations import Combination, doubling, single, straight, three_pairs
from scorer.ten_thousand import TenThousand, minimum_option, target_option
from scorer.texts import N_


class Zilch(TenThousand):
    key = "zilch"
    title = N_("Zilch")
    summary = N_("Like Farkle; the third zilch in a row costs points.")
    order = 13
    options = (target_option(10_000), minimum_option(300))
    one_more_turn = True
    six_for_nothing = 500
    busts_to_penalty = 3
    penalty = 500
    may_be_negative = frozenset({"total", "turn", "last-turn"})

    def combinations(self) -> tuple[Combination, ...]:
        return (
            single(1, 100),
            single(5, 50),
            *doubling(),
            straight(1500),
            three_pairs(1500, different=False),
        )


GAME = Zilch
