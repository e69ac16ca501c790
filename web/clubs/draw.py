"""The draw of a round: nobody meets the same people again while that can be avoided. The same seed makes the same draw.

A local search: it exchanges two people of two tables, each time those whose exchange helps most, and for some steps
does not exchange either of them again (a tabu search: Glover, "Tabu Search Part I", 1989).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]  # the smaller number first

STEPS = 250  # of one search: 60 people take some tenths of a second
TABU = 6  # steps for which who was exchanged stays
MET_AGAIN = 1000  # what a pair costs that met once before; four times as much after twice


def pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def meetings(tables: Iterable[Sequence[int]]) -> Counter[Pair]:
    return Counter(pair(*two) for people in tables for two in combinations(people, 2))


def sizes(people: int, seats: int, exactly: bool, fewest: int, most: int) -> list[int]:
    """How many sit at each table, as many as `seats` or as near to it as can be; larger tables first.

    `exactly`: no table has more or fewer, and others sit out. `fewest`, `most`: whom the game allows.
    """
    seats = max(fewest, min(seats, most))
    if exactly and people >= seats:
        return [seats] * (people // seats)
    spreads = [_spread(people, count) for count in range(1, people + 1)]
    fits = [spread for spread in spreads if fewest <= spread[-1] and spread[0] <= most]
    if not fits:
        return [people] if people <= most else [most] * (people // most)
    return min(fits, key=lambda spread: _misfit(spread, seats))


def _misfit(found: Sequence[int], seats: int) -> tuple[int, int, int]:
    """How far these tables are from the wanted size: the worst of them, all, and if that is equal, how many there
    are."""
    away = [abs(size - seats) for size in found]
    return max(away), sum(away), len(found)


def _spread(people: int, tables: int) -> list[int]:
    size, more = divmod(people, tables)
    return [size + 1] * more + [size] * (tables - more)


def who_plays(people: Sequence[int], places: int, sat_out: Mapping[int, int], seed: int) -> list[int]:
    """Those for whom there are places, in the order of `people`: who sat out most often before, the others by lot."""
    rng = Random(seed)
    lots = {person: rng.random() for person in people}
    chosen = set(sorted(people, key=lambda person: (-sat_out.get(person, 0), lots[person]))[:places])
    return [person for person in people if person in chosen]


def seat(
    people: Sequence[int], wanted: Sequence[int], met: Mapping[Pair, int], seed: int, by_places: bool = False
) -> list[list[int]]:
    """Tables of the sizes `wanted`, for exactly these people. `met`: how often each pair met. `by_places`: `people` are
    in the order of their places, and neighbours in it meet."""
    rng = Random(seed)
    count = len(people)
    costs = [[MET_AGAIN * met.get(pair(one, other), 0) ** 2 for other in people] for one in people]
    if by_places:
        costs = [[cost + 20 * (i - j) ** 2 for j, cost in enumerate(row)] for i, row in enumerate(costs)]
    table_of = [table for table, size in enumerate(wanted) for _ in range(size)]
    if not by_places:
        _shuffle(table_of, rng.random)
    best = _search(costs, table_of, len(wanted), rng.random)
    tables: list[list[int]] = [[] for _ in wanted]
    for place in range(count):
        tables[best[place]].append(people[place])
    for table in tables:
        _shuffle(table, rng.random)
    return tables


def _search(costs: list[list[int]], table_of: list[int], tables: int, chance: Callable[[], float]) -> list[int]:
    """Where each one sits, so that the costs within tables are small."""
    count = len(table_of)
    at = [[0] * tables for _ in range(count)]  # what each one's company costs at each table
    for i in range(count):
        for j in range(count):
            at[i][table_of[j]] += costs[i][j]
    cost = sum(at[i][table_of[i]] for i in range(count)) // 2
    best, least = list(table_of), cost
    free_from = [0] * count
    for step in range(STEPS):
        if least == 0:
            break
        resting = [start > step for start in free_from]
        found = _best_exchange(costs, at, table_of, resting, least - cost)
        if found is None:
            break
        gain, i, j = found
        _exchange(costs, at, table_of, i, j)
        cost += gain
        free_from[i] = free_from[j] = step + TABU + int(4 * chance())
        if cost < least:
            best, least = list(table_of), cost
    return best


def _best_exchange(
    costs: Sequence[Sequence[int]],
    at: Sequence[Sequence[int]],
    table_of: Sequence[int],
    resting: Sequence[bool],
    best: int,
) -> tuple[int, int, int] | None:
    """The exchange that costs least: what it adds to the costs, and who is exchanged. One of them costs something.

    Who rests is exchanged only if that adds less than `best`."""
    found: tuple[int, int, int] | None = None
    least = None
    for i, own in enumerate(table_of):
        mine, row = at[i], costs[i]
        if not mine[own]:
            continue
        for j, other in enumerate(table_of):
            if other == own:
                continue
            theirs = at[j]
            gain = mine[other] + theirs[own] - mine[own] - theirs[other] - 2 * row[j]
            if (least is None or gain < least) and (gain < best or not (resting[i] or resting[j])):
                found, least = (gain, i, j), gain
    return found


def _exchange(costs: Sequence[Sequence[int]], at: list[list[int]], table_of: list[int], i: int, j: int) -> None:
    own, other = table_of[i], table_of[j]
    for each, row in enumerate(at):
        moved = costs[each][j] - costs[each][i]
        row[own] += moved
        row[other] -= moved
    table_of[i], table_of[j] = other, own


def _shuffle(items: list[int], chance: Callable[[], float]) -> None:
    """As `Random.shuffle`, whose order another version of Python may change."""
    for last in range(len(items) - 1, 0, -1):
        other = int(chance() * (last + 1))
        items[last], items[other] = items[other], items[last]
