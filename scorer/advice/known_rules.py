"""Which rules the solvers and the odds know.

Every other rule must have its default. So a word that is new in the files of games leads to no advice, never to a wrong
one. A rule that the solvers learn is added here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from scorer.definitions.game_file import CounterRules, SheetRules, TenThousandRules
from scorer.definitions.hand_rules import HandRules
from scorer.game import Game

MODULES = "scorer.games."

ANY = None  # whatever the value is

Known = Mapping[str, Sequence[Any] | None]  # the values of a rule that are known beside its default, or ANY

COUNTER: Known = {
    "dice": ANY,
    "worth": ANY,
    "wanted": ANY,
    "turn": ("one-throw", "one-die-less", "while-it-counts", "bank"),
    "progress": ANY,
    "leave": ANY,
    "choose_dice": ANY,
    "alike_again": ANY,
    "limit": ANY,
    "wiped_by": ANY,
    "rounds": ANY,
    "counts": ANY,
    "round_target": ANY,
    "target": ANY,
    "end": ("at-once", "finish-round", "one-more-turn"),
    "low_wins": ANY,
}
RACE: Known = {
    "combination": ANY,
    "dice": ANY,
    "target": ANY,
    "minimum": ANY,
    "opening": ANY,
    "bank_with_at_most": ANY,
    "end": ("at-once", "finish-round", "one-more-turn", "round-then-one-more-turn"),
    "forced": ANY,
    "hot_dice": ("may", "must", "must-after-one-throw"),
    "nothing_scores": ANY,
    "penalty": ANY,
}
PATTERN = ("alike", "exactly", "groups", "may_repeat", "run", "dice", "sum")
COMBINATION: Known = dict.fromkeys((*PATTERN, "points"))
# Of races, the odds of the next throw alone are those of the rules: these words decide only whether it loses the turn.
ANY_END = ("end", "hot_dice", "overshoot_to", "take_over", "wiped_by")
RACE_THROWS: Known = {**RACE, **dict.fromkeys(ANY_END)}
COMBINATION_THROWN: Known = {**COMBINATION, "confirm": ANY, "wins": ANY}
SHEET: Known = {
    "cell": ANY,
    "upper": ANY,
    "dice": ANY,
    "throws": ANY,
    "saved_throws": ANY,
    "column": ANY,
    "upper_bonus": ANY,
    "tiers": ANY,
    "joker": ("forced", "of-choice", "original", "free", "free-later", "further-generals"),
    "hundreds_need_first": ANY,
    "low_wins": ANY,
    "zero_only_if_nothing_fits": ANY,
    "difference": ANY,
}
WORTH = ("points", "says", "served", "tiers", "hits")
CELL: Known = dict.fromkeys(("key", "title", *PATTERN, *WORTH, "wins", "stands"))


def knows(game: Game[Any]) -> bool:
    """Whether the odds know all rules of a game. The games that are modules have solvers of their own."""
    rules = game.rules
    if isinstance(rules, CounterRules):
        return _only(rules, COUNTER)
    if isinstance(rules, HandRules):
        return True
    if isinstance(rules, TenThousandRules):
        return _only(rules, RACE_THROWS) and all(_only(line, COMBINATION_THROWN) for line in rules.combination)
    if isinstance(rules, SheetRules):
        return _only(rules, SHEET) and all(_only(cell, CELL) for cell in rules.cell)
    return is_module(game)


def is_module(game: Game[Any]) -> bool:
    """Whether a game of ours is written in Python, with advice of its own."""
    return type(game).__module__.startswith(MODULES)


def knows_what_lacks(rules: TenThousandRules) -> bool:
    """Whether the rest of a race depends on what a player lacks for the target alone, besides the running turn."""
    known = {name: values for name, values in RACE_THROWS.items() if name != "penalty"}
    return _only(rules, known) and all(_only(line, COMBINATION_THROWN) for line in rules.combination)


def knows_turns(rules: TenThousandRules) -> bool:
    """Whether what a turn of a race may bring depends on its points and its dice alone, which is what is solved."""
    return _only(rules, RACE) and all(_only(line, COMBINATION) for line in rules.combination)


def _only(rules: Any, known: Known) -> bool:
    return all(_is_known(known, each.name, getattr(rules, each.name), each.default) for each in fields(rules))


def _is_known(known: Known, name: str, value: Any, default: Any) -> bool:
    if name not in known:
        return bool(value == default)
    values = known[name]
    return values is ANY or value == default or value in values
