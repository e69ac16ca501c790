"""Yahtzee, with the official forced jokers or older ones: docs/rules.md section 10."""

from typing import Any

from scorer.categories import at_least, cells
from scorer.jokers import FORCED_JOKERS, JOKERS_OF_CHOICE, ORIGINAL_JOKERS
from scorer.options import OptionChoice
from scorer.sheet import SheetGame
from scorer.texts import N_, T


class Yahtzee(SheetGame):
    key = "yahtzee"
    title = N_("Yahtzee")
    summary = N_("Thirteen cells, three throws a turn, a bonus from 63.")
    order = 10
    categories = cells(four=at_least("four", N_("Four alike"), 4), general=N_("Yahtzee"))
    options = (
        OptionChoice(
            "joker",
            "forced",
            T("where a joker goes"),
            {
                "forced": T("into the upper cell of its face first"),
                "free": T("into any cell, as a pattern once the upper cell of its face is filled"),
                "original": T("into any lower cell as a pattern, into an upper one for 0"),
            },
        ),
    )
    jokers = FORCED_JOKERS

    joker: str

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        if self.joker != "forced":
            self.jokers = JOKERS_OF_CHOICE if self.joker == "free" else ORIGINAL_JOKERS


GAME = Yahtzee
