"""Yahtzee, with the official forced jokers: docs/rules.md section 10."""

from scorer.categories import at_least, cells
from scorer.jokers import FORCED_JOKERS
from scorer.sheet import SheetGame
from scorer.texts import N_


class Yahtzee(SheetGame):
    key = "yahtzee"
    title = N_("Yahtzee")
    summary = N_("Thirteen cells, three throws a turn, a bonus from 63.")
    order = 10
    categories = cells(four=at_least("four", N_("Four alike"), 4), general=N_("Yahtzee"))
    jokers = FORCED_JOKERS


GAME = Yahtzee
