"""Yahtzee, with the official forced jokers: docs/rules.md section 10."""

from scorer.categories import at_least, chance, five_alike, full, run, upper
from scorer.jokers import FORCED_JOKERS
from scorer.sheet import SheetGame
from scorer.texts import N_


class Yahtzee(SheetGame):
    key = "yahtzee"
    title = N_("Yahtzee")
    order = 10
    categories = (
        *upper(),
        at_least("three", N_("Three alike"), 3),
        at_least("four", N_("Four alike"), 4),
        full("full", N_("Full house"), 25),
        run("small-straight", N_("Small straight"), 4, 30),
        run("large-straight", N_("Large straight"), 5, 40),
        five_alike("general", N_("Yahtzee")),
        chance("chance", N_("Chance")),
    )
    jokers = FORCED_JOKERS


GAME = Yahtzee
