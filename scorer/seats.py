"""Players of a table and their order. Both may change while a game runs: docs/interfaces.md, "Players"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple
from unicodedata import category

from scorer.refusals import IllegalAction, Refusal
from scorer.texts import T, Text, json_type

LONGEST_NAME = 40
# Control characters and lone surrogates (JSON can hold both) break lines and encodings. Joiners, as in emoji, are fine.
UNPRINTABLE = {"Cc", "Cs"}
MOST_SEATS = 24  # players of one game, including those who have left


class Seats(NamedTuple):
    """`names` of all players, by number, including those who have left. `order`: the numbers of those who play, in the
    order of their turns; () if all play in the order of their numbers. `joining`: players who wait for the next round.
    """

    names: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    joining: tuple[int, ...] = ()

    def name(self, player: int) -> Text:
        """The name of a player for a sentence; his number, from 1, in a game without names."""
        return Text("{name}", {"name": self.names[player]}) if self.names else T("player {number}", number=player + 1)

    def playing(self, count: int) -> Sequence[int]:
        """The numbers of those who play, in order. `count`: how many players the game has had."""
        return self.order or range(count)

    def following(
        self, count: int, player: int, may: Callable[[int], bool] = lambda player: True, other: bool = False
    ) -> tuple[int, Seats, bool]:
        """The next player after `player`, the seats then, and whether a round begins with him.

        `may`: who has a turn left. `other`: never `player` himself. If nobody qualifies, the next in the order plays.
        """
        order = self.playing(count)
        at = order.index(player)
        for place in range(at + 1, at + 1 + 2 * len(order)):  # twice: only players who join may have turns left
            each, begins = order[place % len(order)], place >= len(order)
            seats = self._replace(joining=()) if begins and self.joining else self
            if each not in seats.joining and may(each) and not (other and each == player):
                return each, seats, begins
        return order[(at + 1) % len(order)], self, at + 1 == len(order)

    def with_player(self, count: int, number: int, name: str) -> Seats:
        """Adds a player at the end of the order, from the next round on. `name` is used if his `number` is new."""
        names = self.names if number < count else (*self.names, name)
        return Seats(names, (*self.playing(count), number), (*self.joining, number))

    def without_player(self, count: int, player: int) -> Seats:
        left = tuple(each for each in self.playing(count) if each != player)
        return self._replace(order=left, joining=tuple(each for each in self.joining if each != player))


def read_order(value: Any, seats: Seats, count: int) -> tuple[int, ...]:
    """Reads an order of the players; refuses one that leaves out or repeats a player."""
    playing = sorted(seats.playing(count))
    numbers = isinstance(value, (list, tuple)) and all(type(each) is int for each in value)
    if not numbers or sorted(value) != playing:
        raise IllegalAction("order-of-all", players=[seats.names[each] for each in playing])
    return tuple(value)


def read_name(value: Any, number: int, others: Collection[str], refusal: type[Refusal] = IllegalAction) -> str:
    """The trimmed name of player `number` (from 1); refuses an unusable name and one of the `others`."""
    if not isinstance(value, str):
        raise refusal("name-not-text", got=json_type(value))
    name = value.strip()
    if not name:
        raise refusal("name-empty", number=number)
    if any(category(character) in UNPRINTABLE for character in name):
        raise refusal("name-unprintable", number=number)
    if len(name) > LONGEST_NAME:
        raise refusal("name-too-long", name=name[:LONGEST_NAME], longest=LONGEST_NAME, got=len(name))
    if name in others:
        raise refusal("name-twice", name=name)
    return name
