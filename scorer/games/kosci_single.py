"""Kości in one column: docs/rules.md section 6."""

from scorer.categories import at_least, chance, exactly, five_alike, full, run, upper
from scorer.jokers import FURTHER_GENERALS
from scorer.options import Flag
from scorer.sheet import SheetGame
from scorer.texts import N_, T


class KosciSingle(SheetGame):
    key = "kosci-single"
    title = N_("Kości, one column")
    order = 6
    most_players = 4
    categories = (
        *upper(),
        at_least("three", N_("Three alike"), 3),
        exactly("four", N_("Four alike"), 4),
        full("full", N_("Full house"), 25),
        run("small-straight", N_("Small straight"), 4, 30),
        run("large-straight", N_("Large straight"), 5, 40),
        five_alike("general", N_("General")),
        chance("chance", N_("Chance")),
    )
    jokers = FURTHER_GENERALS
    options = (Flag("zero_only_if_nothing_fits", False, T("a 0 may be written only when nothing fits")),)


GAME = KosciSingle
