"""Who sits where after a round of Bunco, and who plays with whom.

Table 1 is the head table. The winners of each other table move up to the next one, its losers stay; the head table's
winners stay, its losers go to the last table; partners change (reference.com, "Directions for playing Bunco";
worldbunco.com, "Lingo"). Who is equal throws on there for the win: here a lot decides who moves.
"""

from collections.abc import Sequence
from random import Random

from web.clubs.night import NightTable, Round
from web.clubs.standings import pair_totals


def seat(rounds: Sequence[Round], players: Sequence[int], wanted: Sequence[int], seed: int) -> list[list[int]]:
    """Tables of the sizes `wanted`, the head table first. Who did not play the last round comes to the last tables."""
    rng = Random(seed)
    lots = {person: rng.random() for person in players}
    moved = _move([_split(table, rng) for table in rounds[-1].tables] if rounds else [])
    order = [person for person in moved if person in lots]
    order += sorted(set(players) - set(order), key=lots.__getitem__)
    return [[order.pop(0) for _ in range(size)] for size in wanted]  # who sat across is adjacent, so not across again


def teams_by_lot(people: Sequence[int], seed: int) -> list[tuple[int, int]]:
    """Teams of two; of an odd number one stays alone."""
    rng = Random(seed)
    order = sorted(people, key=lambda _: rng.random())
    return list(zip(order[::2], order[1::2], strict=False))


def _split(table: NightTable, rng: Random) -> tuple[list[int], list[int]]:
    """The winners and the losers of a table; without results the first seat's side wins by lot."""
    winning = int(rng.random() * 2)
    sides = table.people[winning::2], table.people[1 - winning :: 2]
    first = {each.person for each in pair_totals(table) if each.place == 1}
    one, other = sides if not first or set(sides[0]) <= first else sides[::-1]
    return list(one), list(other)


def _move(tables: Sequence[tuple[list[int], list[int]]]) -> list[int]:
    """Everybody, in the order of the tables to which they move."""
    found: list[int] = []
    for number, (winners, losers) in enumerate(tables):
        stay = losers if number else winners
        come = tables[number + 1][0] if number + 1 < len(tables) else tables[0][1]
        found += [*stay, *come]
    return found
