"""Turns of games as scripts for videos: the throws, the dice that stay, and the record. There is no rules engine here:
scripts choose only what is surely legal (docs/rules.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from datasets.video.acting import Manners, ScriptedThrow

Action = dict[str, Any]
MOST: Final = 4  # throws of a turn
THROWS: Final = 3  # of the sheet games


@dataclass(frozen=True)
class ScriptedTurn:
    """A turn: its game, the number of dice, its script, its record's actions, and its manners."""

    game: str
    dice: int
    script: tuple[ScriptedThrow, ...]
    record: tuple[Action, ...]
    manners: Manners


def any_turn(seed: int, number: int) -> ScriptedTurn:
    """Turn `number` of a seed; the games take turns."""
    rng = np.random.default_rng([7, seed, number])
    game = list(GAMES)[number % len(GAMES)]
    dice, maker = GAMES[game]
    return maker(rng, game, dice)


def _throw(rng: np.random.Generator, count: int) -> tuple[int, ...]:
    return tuple(int(value) for value in rng.integers(1, 7, count))


def _some(rng: np.random.Generator, values: tuple[int, ...]) -> tuple[int, ...]:
    """Some of the dice, mostly those that are alike; at least one is left to throw."""
    most = Counter(values).most_common(1)[0]
    if most[1] > 1 and rng.random() < 0.6:
        chosen = [most[0]] * most[1]
    else:
        chosen = [value for value in values if rng.random() < 0.4]
    return tuple(sorted(chosen[: len(values) - 1]))


def _keeping(rng: np.random.Generator, game: str, dice: int) -> ScriptedTurn:
    """A game in which what stays is kept: 1 to 3 throws of all dice that were not kept."""
    count = int(rng.choice([1, 2, THROWS], p=[0.15, 0.35, 0.5]))
    script: list[ScriptedThrow] = []
    record: list[Action] = []
    kept: tuple[int, ...] = ()
    for number in range(count):
        thrown = _throw(rng, dice - len(kept))
        record.append({"do": "throw", "dice": list(thrown)})
        table = (*kept, *thrown)
        if number < count - 1:
            kept = _some(rng, table)
            record.append({"do": "keep", "dice": list(kept)})
            script.append(ScriptedThrow(thrown, kept))
        else:
            script.append(ScriptedThrow(thrown, ()))
    # which cell is chosen no picture shows: one that every throw may be written in
    record.append({"do": "pass"} if game == "drapky" else {"do": "score", "category": "chance"})
    if game == "drapky" and count == THROWS:
        record.pop()
        record += _figure(table)
    manners = Manners(push=0.12, wait=0.4)
    return ScriptedTurn(game, dice, tuple(script), tuple(record), manners)


def _figure(table: tuple[int, ...]) -> list[Action]:
    """After the last throw of drapky: the figure of the most frequent value, if there are three of it, else a pass."""
    value, many = Counter(table).most_common(1)[0]
    names = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return [{"do": "score", "category": names[value - 1]}] if many > 2 else []


def _setting_aside(rng: np.random.Generator, game: str, dice: int) -> ScriptedTurn:
    """A ten-thousand game: some of what scores is set aside, the rest is thrown again beside it or without it."""
    count = int(rng.choice([1, 2, 3, MOST], p=[0.1, 0.35, 0.35, 0.2]))
    off = rng.random() < 0.2  # what is set aside is taken off the table
    script: list[ScriptedThrow] = []
    record: list[Action] = []
    aside: tuple[int, ...] = ()
    left = dice
    for number in range(count):
        thrown = _throw(rng, left)
        record.append({"do": "throw", "dice": list(thrown)})
        chosen = scoring(thrown) if game == "six-dice" else _choose_scoring(rng, thrown)
        if not chosen or number == count - 1:
            script.append(ScriptedThrow(thrown, ()))
            break
        if game != "six-dice":
            record.append({"do": "set-aside", "dice": list(chosen)})
        left = left - len(chosen) or dice
        aside = () if left == dice or off else tuple(sorted((*aside, *chosen)))
        script.append(ScriptedThrow(thrown, aside))
    manners = Manners(push=0.7 if rng.random() < 0.6 else 0.0, far=True)
    return ScriptedTurn(game, dice, tuple(script), tuple(record), manners)


def _choose_scoring(rng: np.random.Generator, thrown: tuple[int, ...]) -> tuple[int, ...]:
    """Some of the dice that score: three alike, or some of the ones and fives."""
    many = Counter(thrown)
    threes = [value for value in many if many[value] >= 3]
    if threes:
        return (threes[0],) * 3
    single = sorted(value for value in thrown if value in (1, 5))
    if len(single) > 1 and rng.random() < 0.4:
        return tuple(single[:1])
    return tuple(single)


def scoring(thrown: tuple[int, ...]) -> tuple[int, ...]:
    """All dice that score in six-dice, ascending: the game sets them aside by itself (rules.md, section 2)."""
    many = Counter(thrown)
    if len(thrown) == 6 and (len(many) == 6 or sorted(many.values()) == [2, 2, 2]):
        return tuple(sorted(thrown))
    return tuple(sorted(value for value in thrown if value in (1, 5) or many[value] >= 3))


def _simple(rng: np.random.Generator, game: str, dice: int) -> ScriptedTurn:
    """A game of single throws: one to three players' turns, all lifted in between."""
    count = int(rng.integers(1, 4))
    script = tuple(ScriptedThrow(_throw(rng, dice), ()) for _ in range(count))
    record = tuple({"do": "throw", "dice": list(step.thrown)} for step in script)
    return ScriptedTurn(game, dice, script, record, Manners())


GAMES: Final[dict[str, tuple[int, Callable[[np.random.Generator, str, int], ScriptedTurn]]]] = {
    "ones-and-fives": (6, _setting_aside),
    "kosci": (5, _keeping),
    "drapky": (6, _keeping),
    "farkle": (6, _setting_aside),
    "kosci-single": (5, _keeping),
    "six-dice": (6, _setting_aside),
    "yahtzee": (5, _keeping),
    "sequence": (6, _simple),
}
