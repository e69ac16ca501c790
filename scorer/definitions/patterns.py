"""Patterns of dice, as files of games describe them: which dice fit, and which of them are counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from typing import Annotated

from scorer.actions import FACES
from scorer.definitions.shapes import Bounds
from scorer.texts import T, Text, counted_text

Dice = tuple[int, ...]  # ascending

MOST_DICE = 12

Face = Annotated[int, Bounds(1, 6)]
Count = Annotated[int, Bounds(1, MOST_DICE)]


@dataclass(frozen=True)
class Pattern:
    """The wanted dice. All that is given must hold; any dice fit where nothing is given.

    alike: so many dice of one face, or more.
    exactly: with `alike`, no more than so many.
    groups: dice alike of as many different faces: [3, 2] is a full house, [2, 2] two pairs.
    may_repeat: whether groups may have the same face.
    run: so many consecutive values; or the lowest and the highest of one run.
    dice: these dice are among them; or one of these lists of dice.
    sum: the sum of all dice.
    """

    alike: Count | None = None
    exactly: bool = False
    groups: Annotated[tuple[Count, ...], Bounds(0, 4)] = ()
    may_repeat: bool = False
    run: Face | Annotated[tuple[Face, ...], Bounds(2, 2)] | None = None
    dice: Annotated[tuple[Annotated[tuple[Face, ...], Bounds(1, MOST_DICE)], ...], Bounds(0, 20)] = ()
    sum: Annotated[int, Bounds(1, 6 * MOST_DICE)] | None = None

    def matching_dice(self, dice: Dice) -> Dice | None:
        """The dice that make the pattern, those with the greatest sum; None if they do not fit.

        All dice if only their sum is wanted, or nothing.
        """
        if self.sum is not None and sum(dice) != self.sum:
            return None
        if self.alike is None and self.run is None and not (self.groups or self.dice):
            return dice
        fitting = [wanted for wanted in self.sets() if all(dice.count(die) >= wanted.count(die) for die in set(wanted))]
        if self.exactly and self.alike is not None:
            fitting = [wanted for wanted in fitting if dice.count(wanted[0]) == self.alike]
        return max(fitting, key=sum, default=None)

    def sets(self) -> tuple[Dice, ...]:
        """Every set of dice that makes the pattern of faces, each once."""
        return _sets_of(self._of_faces)

    @cached_property
    def _of_faces(self) -> Pattern:
        """What its sets depend on. Of these there are few, so that their sets can be kept."""
        groups = tuple(sorted(self.groups, reverse=True))
        return Pattern(self.alike, False, groups, self.may_repeat, self.run, self.dice)

    def each_set(self) -> Iterator[Dice]:
        """The sets of `sets`, some more than once."""
        if self.alike is not None:
            yield from ((face,) * self.alike for face in FACES)
        elif isinstance(self.run, int):
            yield from (tuple(range(low, low + self.run)) for low in range(1, 8 - self.run))
        elif self.run is not None:
            if self.run[0] <= self.run[1]:
                yield tuple(range(self.run[0], self.run[1] + 1))
        elif self.groups:
            several = (
                product(FACES, repeat=len(self.groups)) if self.may_repeat else permutations(FACES, len(self.groups))
            )
            for faces in several:
                yield tuple(face for face, count in zip(faces, self.groups, strict=True) for _ in range(count))
        yield from self.dice

    @property
    def least(self) -> int:
        """How many dice the pattern of faces takes."""
        if self.alike is not None:
            return self.alike
        if isinstance(self.run, int):
            return self.run
        if self.run is not None:
            return self.run[1] - self.run[0] + 1
        return sum(self.groups) or max(map(len, self.dice), default=0)

    def describe(self, dice: int) -> Text | None:
        """The wanted dice in words for players; None for any. `dice`: how many are thrown."""
        parts = [*self._described_faces(dice)]
        if self.sum is not None:
            parts.append(T("a sum of {sum}", sum=self.sum))
        if len(parts) > 1:
            return Text("{parts}", {"parts": parts})
        return parts[0] if parts else None

    def _described_faces(self, dice: int) -> Iterator[Text]:
        if self.alike is not None:
            if self.exactly:
                yield counted_text("exactly {count} alike", "exactly {count} alike", self.alike)
            elif self.alike == dice:
                yield T("five alike") if dice == 5 else counted_text("{count} alike", "{count} alike", dice)
            else:
                yield counted_text("at least {count} alike", "at least {count} alike", self.alike)
        elif isinstance(self.run, int):
            yield T("a straight of {count}", count=self.run)
        elif self.run is not None:
            yield T("{low} to {high}", low=self.run[0], high=self.run[1])
        elif self.groups:
            named = (_GROUPS_ALIKE if self.may_repeat else _GROUPS).get(self.groups)
            alike = T("dice alike of different faces: {groups}", groups=list(self.groups))
            if self.may_repeat:
                alike = T("dice alike, also of the same face: {groups}", groups=list(self.groups))
            yield named or alike
        elif self.dice:
            yield T("with {dice}", dice=" / ".join(" ".join(map(str, each)) for each in self.dice))


@lru_cache(1024)
def _sets_of(pattern: Pattern) -> tuple[Dice, ...]:
    return tuple(dict.fromkeys(tuple(sorted(each)) for each in pattern.each_set()))


_GROUPS_ALIKE: dict[tuple[int, ...], Text] = {
    (2, 2): T("two pairs, also four alike"),
    (3, 2): T("three of one and two of another, also five alike"),
    (2, 2, 2): T("three pairs, also four alike and a pair"),
}
_GROUPS = {
    (2, 2): T("two different pairs"),
    (2, 2, 2): T("three different pairs"),
    (3, 2): T("three of one and two of another"),
    (4, 2): T("four of one and two of another"),
    (3, 3): T("three of one and three of another"),
}
