"""Ones and Fives: docs/rules.md section 1."""

from scorer.combinations import Combination, alike, single, straight, three_pairs, triple
from scorer.options import Flag, WholeNumber
from scorer.ten_thousand import TenThousand, minimum_option, target_option
from scorer.texts import N_, T


class OnesAndFives(TenThousand):
    key = "ones-and-fives"
    title = N_("Ones and Fives")
    summary = N_("Set aside ones, fives and triples; bank before a bust.")
    order = 1
    options = (
        target_option(10_000),
        minimum_option(400),
        WholeNumber("bank_with_at_most", 2, T("most dice left to throw when banking"), 0, 6),
        Flag("finish_round", False, T("play the round out when someone reaches the target")),
        Flag("two_two_two_is_300", False, T("three twos are worth 300, as the printed table has it")),
    )

    two_two_two_is_300: bool

    def combinations(self) -> tuple[Combination, ...]:
        return (
            single(1, 100),
            single(5, 50),
            alike(3, lambda face: 300 if face == 2 and self.two_two_two_is_300 else triple(face)),
            straight(3000),
            three_pairs(1500, different=False),
        )


GAME = OnesAndFives
