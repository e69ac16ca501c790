"""Yatzy, the Scandinavian game: docs/rules.md section 11."""

from scorer.categories import chance, exact_run, five_alike, full, sum_of_alike, two_pairs, upper
from scorer.sheet import SheetGame
from scorer.texts import N_


class Yatzy(SheetGame):
    key = "yatzy"
    title = N_("Yatzy")
    summary = N_("Fifteen cells with pairs, as it is played in the North.")
    order = 11
    categories = (
        *upper(),
        sum_of_alike("pair", N_("Pair"), 2),
        two_pairs("two-pairs", N_("Two pairs")),
        sum_of_alike("three", N_("Three alike"), 3),
        sum_of_alike("four", N_("Four alike"), 4),
        exact_run("small-straight", N_("Small straight"), 1, 5, 15),
        exact_run("large-straight", N_("Large straight"), 2, 6, 20),
        full("full", N_("Full house"), None),
        chance("chance", N_("Chance")),
        five_alike("yatzy", N_("Yatzy")),
    )
    upper_bonus = 50


GAME = Yatzy
