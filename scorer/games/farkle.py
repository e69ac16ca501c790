"""Farkle: docs/rules.md section 12."""

from scorer.combinations import Combination, alike, single, straight, three_pairs, two_triples
from scorer.options import WholeNumber
from scorer.ten_thousand import MOST, TenThousand, minimum_option, target_option
from scorer.texts import N_, T


class Farkle(TenThousand):
    key = "farkle"
    title = N_("Farkle")
    summary = N_("Push your luck: bank your points before a bust.")
    order = 12
    options = (
        target_option(10_000),
        minimum_option(0),
        WholeNumber("opening", 500, T("points that a player's first banked turn needs"), 0, MOST),
    )
    one_more_turn = True

    def combinations(self) -> tuple[Combination, ...]:
        return (
            single(1, 100),
            single(5, 50),
            alike(3, lambda face: 300 if face == 1 else 100 * face),
            alike(4, lambda face: 1000),
            alike(5, lambda face: 2000),
            alike(6, lambda face: 3000),
            straight(1500),
            three_pairs(1500, different=False),
            two_triples(2500),
        )


GAME = Farkle
