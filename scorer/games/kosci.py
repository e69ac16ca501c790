"""Kości with jokers: docs/rules.md section 8."""

from scorer.categories import at_least, cells
from scorer.jokers import FREE_JOKERS
from scorer.options import Flag
from scorer.sheet import SheetGame
from scorer.texts import N_, T


class Kosci(SheetGame):
    key = "kosci"
    title = N_("Kości with jokers")
    summary = N_("One column; a further general is a joker.")
    order = 8
    most_players = 4
    categories = cells(four=at_least("four", N_("Four alike"), 4), general=N_("General"))
    jokers = FREE_JOKERS
    options = (
        Flag("first_general_is_joker", False, T("a player's first five alike may be a joker too"), before=True),
        Flag(
            "hundreds_need_first",
            True,
            T("jokers add 100 only if the first five alike were written into the general"),
            before=False,
        ),
    )


GAME = Kosci
