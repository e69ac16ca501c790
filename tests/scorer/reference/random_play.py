"""Random games and random nonsense, chosen from what the reference says is legal, never from what `scorer` says.

Dice that are merely random hardly ever show what is rare (a third general, three zilches in a row, a line of five
circles), so each game is played in a random *style* that makes some of it common.
"""

import random
from collections.abc import Callable
from typing import Any

from tests.scorer.reference.drapky import Drapky, figures
from tests.scorer.reference.knaster import LINES, PRINTED, Knaster
from tests.scorer.reference.sheets import UPPER, Sheet
from tests.scorer.reference.table import Action, ReferenceGame

NAMES = ("Ada", "Bob", "Cyd", "Dan", "Eva", "Fin", "Gil", "Hal", "Ida", "Jan", "Kit", "Lea")
STYLES = ("wanted", "alike", "uniform", "few faces", "alike", "patterns", "straight")
FOUR_AT_MOST = {"kosci-single", "kosci-triple", "kosci"}


def random_players(rng: random.Random, key: str) -> list[str]:
    """Mostly few, so that they come far in their sheets."""
    many = 4 if key in FOUR_AT_MOST else rng.randint(4, len(NAMES))
    return list(NAMES[: rng.choice((1, 1, 2, 2, 3, many))])


def random_options(rng: random.Random, key: str) -> dict[str, Any]:
    """Small targets, so that games end; each option is left at its default about one time in three."""
    columns: dict[str, Callable[[], Any]] = {
        "zero_only_if_nothing_fits": lambda: rng.random() < 0.6,
        "hundreds_need_first": lambda: rng.random() < 0.5,
    }
    ranges: dict[str, dict[str, Callable[[], Any]]] = {
        "ones-and-fives": {
            "target": lambda: 50 * rng.randint(10, 80),
            "minimum": lambda: 50 * rng.randint(0, 12),
            "bank_with_at_most": lambda: rng.randint(0, 5),
            "finish_round": lambda: rng.random() < 0.7,
            "two_two_two_is_300": lambda: rng.random() < 0.5,
        },
        "six-dice": {
            "target": lambda: 50 * rng.randint(10, 80),
            "minimum": lambda: 50 * rng.randint(0, 12),
            "pairs_may_repeat": lambda: rng.random() < 0.7,
            "confirm": lambda: rng.choice(("single-throw", "any", "never")),
            "finish_round": lambda: rng.random() < 0.7,
        },
        "sequence": {
            "target": lambda: 5 * rng.randint(2, 25),
            "three_ones_wipe": lambda: rng.random() < 0.8,
            "finish_round": lambda: rng.random() < 0.5,
        },
        "forbidden-numbers": {"rounds": lambda: rng.randint(1, 4)},
        "skunk": {"rounds": lambda: rng.randint(1, 10), "first_throw_counts": lambda: rng.random() < 0.5},
        "drapky": {"exact_two_plus_three": lambda: rng.random() < 0.5, "exact_poker": lambda: rng.random() < 0.5},
        "kniffel": {"triple": lambda: rng.random() < 0.5},
        "kosci-single": columns,
        "kosci-triple": columns,
        "kosci": {
            "first_general_is_joker": lambda: rng.random() < 0.5,
            "hundreds_need_first": lambda: rng.random() < 0.5,
        },
        "generala": {"played_on": lambda: rng.random() < 0.5},
        "shut-the-box": {
            "ends": lambda: rng.choice(("last-left", "one-round", "five-rounds")),
            "tiles": lambda: rng.choice(("nine", "ten", "twelve")),
            "one_die": lambda: rng.choice(("low", "choice")),
            "two_at_most": lambda: rng.random() < 0.5,
        },
        "maxi-yatzy": {"saved_throws": lambda: rng.choice((0, 1, 2, 4, 100))},
        "yatzy": {"forced": lambda: rng.random() < 0.3},
        "yahtzee": {"joker": lambda: rng.choice(("forced", "free", "original"))},
        "knaster": {"line_points": lambda: {line: rng.randint(1, 15) for line in PRINTED}},
        "farkle": {
            "target": lambda: 50 * rng.randint(10, 80),
            "minimum": lambda: 50 * rng.randint(0, 8),
            "opening": lambda: 50 * rng.randint(0, 20),
            "hot_dice": lambda: rng.choice(("may", "must", "multiply")),
        },
        "zilch": {"target": lambda: 50 * rng.randint(10, 80), "minimum": lambda: 50 * rng.randint(0, 12)},
    }
    return {name: choose() for name, choose in ranges.get(key, {}).items() if rng.random() < 0.7}


class RandomPlay:
    """Chooses the next legal action of a reference game, in a style of its own for the whole game."""

    def __init__(self, rng: random.Random, number: int) -> None:
        """Games numbered one after the other go through the styles of dice in turn."""
        self.rng = rng
        self.dice_style = STYLES[number % len(STYLES)]
        self.favourites = rng.sample(range(1, 7), rng.randint(1, 3))
        self.order = rng.choice(("any", "any", "upper first", "lower first", "general first"))
        self.eagerness = rng.random()

    def action(self, game: ReferenceGame) -> Action:
        """A legal action as a record holds it: values instead of counts, no points."""
        legal = self.rng.choice(self.preferred_actions(game, game.legal()))
        do = legal["do"]
        if do == "throw":
            return {"do": "throw", "dice": self.throw(game, legal["count"])}
        if do == "keep":
            return {"do": "keep", "dice": self.keep(legal["from"])}
        if do in ("set-aside", "circle-line", "shut"):
            shuffled = {"set-aside": "dice", "circle-line": "cells", "shut": "tiles"}[do]
            legal[shuffled] = self.rng.sample(legal[shuffled], len(legal[shuffled]))
        return {name: value for name, value in legal.items() if name not in ("points", "bonus", "dice_left", "wins")}

    def preferred_actions(self, game: ReferenceGame, legal: list[Action]) -> list[Action]:
        """Those that the style would rather do; now and then any kind of them."""
        kinds = sorted({action["do"] for action in legal})
        if self.dice_style == "wanted" and "score" in kinds and self.rng.random() < 0.9:
            return self.in_order(game, [action for action in legal if action["do"] == "score"])
        if self.rng.random() < 0.1:
            kind = self.rng.choice(kinds)
            return [action for action in legal if action["do"] == kind]
        eager = self.rng.random() < self.eagerness
        if "bank" in kinds or "score" in kinds:
            ending = "bank" if "bank" in kinds else "score"
            return self.in_order(game, [action for action in legal if (action["do"] == ending) == eager] or legal)
        if "pass" in kinds and self.rng.random() < 0.8:
            return [action for action in legal if action["do"] != "pass"] or legal
        if self.dice_style == "alike" and "write" in kinds:
            # With the centre left to the last, one number completes up to four lines.
            others = [action for action in legal if action != {**action, "do": "write", "cell": [3, 3]}]
            legal = others or legal
        if isinstance(game, Knaster) and "circle" in kinds:
            return [action for action in legal if (action["do"] == "circle") == eager] or legal
        if "sit" in kinds:
            return [action for action in legal if (action["do"] == "sit") == eager]
        if "set-aside" in kinds and eager:
            most = max(action["points"] for action in legal)
            return [action for action in legal if action["points"] == most]
        return legal

    def in_order(self, game: ReferenceGame, legal: list[Action]) -> list[Action]:
        if not isinstance(game, Sheet):
            return legal
        if self.dice_style == "wanted":
            wanted = [action for action in legal if action.get("category") == self.open_upper(game)]
        elif self.order == "general first":
            wanted = [action for action in legal if action.get("category") == "general" and action["points"]]
        else:
            upper = self.order == "upper first"
            wanted = [action for action in legal if "category" in action and (action["category"] in UPPER) == upper]
        return legal if self.order == "any" or not wanted else wanted

    def open_upper(self, game: Sheet) -> str | None:
        """The first upper category that the player to act has not written in every column."""
        for category in UPPER:
            if any((column, category) not in game.mine for column in game.columns):
                return category
        return None

    def keep(self, table: list[int]) -> list[int]:
        if self.rng.random() < 0.5:
            most = max(table, key=lambda face: (table.count(face), self.rng.random()))
            kept = [die for die in table if die == most]
        else:
            kept = self.rng.sample(table, self.rng.randint(0, len(table)))
        return kept[: len(table) - 1]

    def throw(self, game: ReferenceGame, count: int) -> list[int]:
        rng = self.rng
        uniform = [rng.randint(1, 6) for _ in range(count)]
        if self.dice_style == "wanted":
            return self.wanted_dice(game, count) or uniform
        if rng.random() < 0.25:
            return uniform
        if self.dice_style == "alike":
            table = getattr(game, "kept", None) or []
            return [table[0] if table else rng.choice(self.favourites)] * count
        if self.dice_style == "few faces":
            return [rng.choice(self.favourites) for _ in range(count)]
        if self.dice_style == "straight":
            return rng.sample(range(1, 7), count)
        if self.dice_style == "patterns":
            return self.pattern(count)
        return uniform

    def wanted_dice(self, game: ReferenceGame, count: int) -> list[int] | None:
        """What brings the upper bonus of a sheet about, or misses it narrowly; a figure of drapky that is missing."""
        rng = self.rng
        category = self.open_upper(game) if isinstance(game, Sheet) and count == 5 else None
        if category is not None:
            face = UPPER.index(category) + 1
            number = rng.choice((2, 3, 3, 3, 3, 3, 3, 4, 5))
            others = [other for other in range(1, 7) if other != face]
            return [face] * number + [rng.choice(others) for _ in range(5 - number)]
        if isinstance(game, Drapky) and count == 6 and rng.random() < 0.8:
            for _ in range(200):
                dice = self.pattern(6)
                if any(figure not in game.figures[game.player] for figure in figures(dice, False, False)):
                    return dice
        return None

    def pattern(self, count: int) -> list[int]:
        """Faces a, b, c, ... in numbers that some game has a name for."""
        faces = self.rng.sample(range(1, 7), 6)
        shape = self.rng.choice(
            ("aabbcc", "aabbbb", "aaabbb", "aaabbc", "aaaabc", "aaaaab", "aaaaaa", "aabbcd", "abcdef")
        )
        letters = self.rng.sample(shape, 6)[:count]
        if shape == "aaaaab" and self.rng.random() < 0.5:
            faces = [1, 6]
        if shape == "aaabbc" and self.rng.random() < 0.5:
            faces = sorted(faces[:3], reverse=True)
        return [faces["abcdef".index(letter)] for letter in letters]


def nonsense(rng: random.Random, game: ReferenceGame) -> Action:
    """An action that is most likely illegal: of a wrong phase, with wrong dice, of a wrong player, or malformed."""
    wrong_value = rng.choice((0, 7, -1, True, 1.5, "1", None))
    whole = (0, 1, 2, 3, 4, 5, 6, 7)
    on_table = list(getattr(game, "on_table", None) or getattr(game, "dice", None) or [1, 2, 3, 4, 5, 5])
    dice = [rng.randint(1, 6) for _ in range(rng.choice(whole))]
    some_of_table = rng.sample(on_table, rng.randint(0, len(on_table)))
    cell = [rng.choice((0, 1, 2, 3, 4, 5, 6)), rng.choice((1, 2, 3, 4, 5, -1))]
    player = rng.choice((*range(len(game.players)), len(game.players), -1))
    line = rng.choice(list(LINES))
    cells = [list(cell) for cell in rng.sample(LINES[line], rng.randint(0, 4))]
    action: Action = rng.choice(
        (
            {"do": "throw", "dice": dice},
            {"do": "throw", "dice": [*dice[1:], wrong_value]},
            {"do": "set-aside", "dice": dice},
            {"do": "set-aside", "dice": some_of_table},
            {"do": "set-aside", "dice": [*some_of_table, wrong_value]},
            {"do": "keep", "dice": dice},
            {"do": "keep", "dice": some_of_table},
            {"do": "keep", "dice": on_table},
            {"do": "keep", "dice": [*some_of_table, wrong_value]},
            {"do": "shut", "tiles": rng.sample(range(1, 10), rng.randint(0, 3))},
            {"do": "shut", "tiles": rng.choice((3, None, "1", {}))},
            {"do": "choose", "count": rng.choice((0, 1, 2, 3, "1"))},
            {"do": "bank"},
            {"do": "pass"},
            {"do": "score", "category": rng.choice(CATEGORIES)},
            {"do": "announce", "category": rng.choice(CATEGORIES)},
            {"do": "write", "player": player, "cell": cell},
            {"do": "circle", "player": player, "cell": cell},
            {"do": "circle-line", "player": player, "line": line, "cells": cells},
            {"do": "circle-line", "player": player, "line": line, "cells": [*cells, cell]},
            {"do": "circle-line", "player": player, "line": "r6", "cells": cells},
            {"do": "skip", "player": player},
            {"do": "sit", "player": player},
            {"do": rng.choice(("roll", "", None, 5))},
            {},
        )
    )
    if game.key in ("kosci-triple", "yamb") and action.get("do") == "score":
        action["column"] = rng.choice((0, 1, 2, 3, 4, 5, None, "1"))
    if rng.random() < 0.05 and len(action) > 1:
        del action[rng.choice(list(action)[1:])]
    return action


def spoil(rng: random.Random, game: ReferenceGame, action: Action) -> Action:
    """A legal action with one thing changed."""
    changed = {name: list(value) if isinstance(value, list) else value for name, value in action.items()}
    name = rng.choice([name for name in changed if name != "do"] or ["do"])
    value = changed[name]
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        how = rng.choice(("drop", "double", "change"))
        if how == "drop":
            del value[place]
        elif how == "double":
            value.append(value[place])
        elif isinstance(value[place], list):
            value[place] = [rng.randint(0, 6), rng.randint(0, 6)]
        else:
            value[place] = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, True, None))
    elif name == "player":
        changed[name] = rng.choice((*range(len(game.players) + 1), -1, True, None))
    elif name == "category":
        changed[name] = rng.choice((*CATEGORIES, None))
    elif name == "column":
        changed[name] = rng.choice((0, 1, 2, 3, 4, True, None))
    elif name == "line":
        changed[name] = rng.choice(list(LINES))
    else:
        changed[name] = rng.choice((None, [], "bank", "pass", "throw", 0))
    return changed


CATEGORIES = (
    *UPPER,
    *("three", "four", "full", "small-straight", "large-straight", "general", "chance"),
    *("pair", "two-pairs", "yatzy", "three-pairs", "five", "full-straight", "villa", "tower", "maxi-yatzy"),
    *("two-plus-three", "pairs", "triples", "pyramid", "poker", "hiroshima", "straight"),
    *("generala", "flush", "full-of-one-colour", "yarborough", "kismet", "balut"),
    *("yahtzee", "max", "min", "yamb"),
)
