"""Kości in three columns: docs/rules.md section 7. The cells are those of section 6."""

from typing import ClassVar

from scorer.game import Actions
from scorer.games.kosci_single import KosciSingle
from scorer.jokers import FURTHER_GENERALS_BY_COLUMN
from scorer.sentences import SCORE_IN_COLUMN
from scorer.sheet import IN_COLUMN
from scorer.texts import N_


class KosciTriple(KosciSingle):
    key = "kosci-triple"
    title = N_("Kości, three columns")
    summary = N_("Three columns: points count once, twice and three times.")
    order = 7
    actions: ClassVar[Actions] = {**KosciSingle.actions, "score": SCORE_IN_COLUMN}
    adjustments = IN_COLUMN
    columns = (1, 2, 3)
    jokers = FURTHER_GENERALS_BY_COLUMN


GAME = KosciTriple
