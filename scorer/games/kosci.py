"""Kości with jokers: docs/rules.md section 8."""

from scorer.categories import at_least, chance, five_alike, full, run, upper
from scorer.jokers import FREE_JOKERS
from scorer.options import Flag
from scorer.sheet import SheetGame
from scorer.texts import N_, T


class Kosci(SheetGame):
    key = "kosci"
    title = N_("Kości with jokers")
    order = 8
    most_players = 4
    categories = (
        *upper(),
        at_least("three", N_("Three alike"), 3),
        at_least("four", N_("Four alike"), 4),
        full("full", N_("Full house"), 25),
        run("small-straight", N_("Small straight"), 4, 30),
        run("large-straight", N_("Large straight"), 5, 40),
        five_alike("general", N_("General")),
        chance("chance", N_("Chance")),
    )
    jokers = FREE_JOKERS
    options = (Flag("first_general_is_joker", False, T("a player's first five alike may be a joker too"), before=True),)


GAME = Kosci
