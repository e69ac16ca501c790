"""Kości in one column: docs/rules.md section 6."""

from scorer.categories import cells, exactly
from scorer.jokers import FURTHER_GENERALS
from scorer.options import Flag
from scorer.sheet import SheetGame
from scorer.texts import N_, T


class KosciSingle(SheetGame):
    key = "kosci-single"
    title = N_("Kości, one column")
    summary = N_("One column of poker patterns, three throws a turn.")
    order = 6
    most_players = 4
    categories = cells(four=exactly("four", N_("Four alike"), 4), general=N_("General"))
    jokers = FURTHER_GENERALS
    options = (
        Flag("zero_only_if_nothing_fits", False, T("a 0 may be written only when nothing fits")),
        Flag(
            "hundreds_need_first",
            False,
            T("further generals count only if the first five alike were written into the general"),
        ),
    )


GAME = KosciSingle
