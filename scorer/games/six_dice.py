"""Six Dice: docs/rules.md section 2."""

from typing import ClassVar

from scorer.combinations import Combination, doubling, single, straight, three_pairs
from scorer.game import Actions
from scorer.options import Flag, OptionChoice
from scorer.sentences import BANK, THROW
from scorer.ten_thousand import TenThousand, minimum_option, target_option
from scorer.texts import N_, T


class SixDice(TenThousand):
    key = "six-dice"
    title = N_("Six Dice")
    summary = N_("All that scores stays aside: throw on, or bank?")
    order = 2
    actions: ClassVar[Actions] = {"throw": THROW, "bank": BANK}
    options = (
        target_option(10_000),
        minimum_option(350),
        Flag("pairs_may_repeat", False, T("four alike and a pair, or six alike, are three pairs too")),
        OptionChoice(
            "confirm",
            "single-throw",
            T("when all six dice must be thrown again before banking"),
            {
                "single-throw": T("when one throw of six dice scores with all six"),
                "any": T("whenever all six dice have scored"),
                "never": T("never"),
            },
        ),
        Flag("finish_round", False, T("play the round out when someone reaches the target")),
    )
    forced = True

    pairs_may_repeat: bool

    def combinations(self) -> tuple[Combination, ...]:
        return (
            single(1, 100),
            single(5, 50),
            *doubling(),
            straight(1500),
            three_pairs(1000, different=not self.pairs_may_repeat),
        )


GAME = SixDice
