"""The throw of the night: the rarest one of all its tables, whatever game they play.

A throw is as rare as the dice that it shows alike: measured is how many throws of as many dice are as rare or rarer.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from web.clubs.night_events import RareThrow
from web.limits.recent import Recent
from web.table.proof import hash_in
from web.table.state import State

FACES = 6
MOST_DICE = 12
LEAST_ODDS = 20  # a rarer throw is worth telling

_rarest: Recent[str, tuple[int, RareThrow | None]] = Recent(500)  # by a table's key: at this version of it


def odds(dice: Sequence[int]) -> int:
    """One throw of as many dice in so many is as rare as this one or rarer. Five alike: 1,296."""
    if not 0 < len(dice) <= MOST_DICE:
        return 1
    throws: int = FACES ** len(dice)
    return round(throws / _as_rare(len(dice))[_ways(tuple(dice))])


def _ways(dice: tuple[int, ...]) -> int:
    """In how many orders these values may fall."""
    return factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))


@lru_cache(MOST_DICE)
def _as_rare(count: int) -> dict[int, int]:
    """How many throws of so many dice fall in as many orders or fewer, by the number of orders."""
    found = Counter[int]()
    for dice in combinations_with_replacement(range(FACES), count):
        found[_ways(dice)] += _ways(dice)
    return {ways: sum(each for fewer, each in found.items() if fewer <= ways) for ways in found}


def rarest(state: State) -> RareThrow | None:
    """The rarest throw of a table, the first of equals; None if none is worth telling."""
    known = _rarest.get(state.row.key)
    if known is None or known[0] != state.version:
        known = _rarest[state.row.key] = state.version, _find(state)
    return known[1]


def _find(state: State) -> RareThrow | None:
    thrown = [move for move in state.moves if move.action["do"] == "throw"]
    best = max(thrown, key=lambda move: odds(move.action["dice"]), default=None)
    if best is None or odds(best.action["dice"]) < LEAST_ODDS:
        return None
    has_picture = hash_in(state.entries[best.seq - 1].body) is not None
    player = -1 if best.player is None else best.player
    return RareThrow(
        tuple(best.action["dice"]), odds(best.action["dice"]), player, best.at, best.seq if has_picture else 0
    )
