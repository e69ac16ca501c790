"""Cells that bring points by tiers: what such a cell alone is worth, if it stands several times and takes its share of
the turns.

U(o, q, s) is what the cell will bring by its tiers, with what its points count beside them, if o of its places are
open, q is in it, and s turns more than o may be spent on it: the mean over a turn, played for the best of

    count · points + U(o - 1, q + points, s)     and     U(o, q, s - 1) if s > 0,        U(0, q, s) = the tier of q
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.advice.multisets import Floats, interpolate
from scorer.advice.sheet.keep_values import Hands
from scorer.categories import Category, points_by


class TieredCell:
    """`tables`: U, [turns more, open, what is in it]. From the last tier on it no longer matters what is in it."""

    def __init__(
        self, hands: Hands, category: Category, points: Sequence[Floats], count: float, most_more: int
    ) -> None:
        """`points`: of complete dice, by the throws left. `count`: what one point counts beside the tiers."""
        self.hits = category.counts_hits
        last = category.tiers[-1][0]
        held = np.arange(last + 1)
        full = np.array([points_by(category.tiers, each) for each in held.tolist()], float)
        self.tables = np.empty((most_more + 1, category.stands + 1, last + 1))
        self.tables[:, 0] = full
        for more in range(most_more + 1):
            for still in range(1, category.stands + 1):
                ends = []
                for each in points:
                    added = (each > 0).astype(int) if self.hits else each.astype(int)
                    reached = np.minimum(held + added[:, None], last)
                    ends.append(count * each[:, None] + self.tables[more, still - 1][reached])
                    if more:
                        np.maximum(ends[-1], self.tables[more - 1, still], out=ends[-1])
                self.tables[more, still] = hands.chances @ hands.after_throws(ends)[-1]

    def worth(self, more: float, still: int, reached: Floats) -> Floats:
        """U, of several sheets, with so many turns more."""
        last = self.tables.shape[-1] - 1
        found: Floats = interpolate(self.tables[:, still], more)[np.clip(reached, 0, last).astype(int)]
        return found
