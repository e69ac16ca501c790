"""Files from anywhere: huge, deep, contradictory, with scripts in their texts. Each is refused in one line, or is a
game within the bounds.
"""

import gc
import json
import random
import tracemalloc
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

import scorer
from scorer.combinations import MOST_CHOICES, Combination, Combinations, parts
from scorer.counter import CounterGame
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import MOST_BYTES, DefinitionError
from scorer.definitions.game_file import FAMILIES
from scorer.definitions.rule_tables import MOST_STEPS
from scorer.pad import PadGame
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand
from scorer.turns.hand import HandGame
from tests.scorer.test_every_game import any_action

pytestmark = pytest.mark.whole

FILES = 1000
LONGEST_REFUSAL = 800

NASTY_TEXTS = [
    "<script>alert(1)</script>",
    "{0.__class__.__mro__}",
    "{target}",
    "%(name)s",
    "\x1b[2J",
    "\x00",
    "\u202egnp.exe",
    "\ud800",
    "a" * 5000,
    "",
    "'; DROP TABLE tables; --",
    "../../etc/passwd",
    "javascript:alert(1)",
    "\n\n\n",
]
NASTY_NUMBERS = [-1, 0, 1, 2, 6, 7, 12, 13, 255, 10**6, 10**6 + 1, 10**30, 0.5, True, "1", [], {}, [1], None]
# The fields of all families, and some that are none.
FIELDS = sorted({"__class__", *(field.name for rules in FAMILIES.values() for field in fields(rules))})
WORDS = ["at-once", "any", "forced", "free", "sum", "highest", "wanted-sum", "bank", "exact", "none"]


def toml(value: Any) -> str:
    """A value as TOML writes it; what it has no word for becomes a text."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps("none" if value is None else value)


def any_value(rng: random.Random, deep: int = 0) -> Any:
    chosen = rng.random()
    if chosen < 0.5 or deep > 4:
        return rng.choice(NASTY_NUMBERS + WORDS)
    if chosen < 0.7:
        return rng.choice(NASTY_TEXTS)
    if chosen < 0.9:
        return [any_value(rng, deep + 1) for _ in range(rng.choice([1, 2, 6, 40]))]
    return {rng.choice([*FIELDS, "en", "alike"]): any_value(rng, deep + 1)}


def pattern(rng: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(rng.choice([1, 1, 1, 2])):
        found |= rng.choice(
            [
                {"alike": rng.randint(1, 12)},
                {"groups": [rng.randint(1, 4) for _ in range(rng.randint(1, 5))], "may_repeat": rng.random() < 0.5},
                {"run": rng.randint(1, 7)},
                {"run": [rng.randint(1, 6), rng.randint(1, 6)]},
                {"dice": [rng.randint(1, 6) for _ in range(rng.randint(1, 12))]},
                {"dice": [[rng.randint(1, 6)] * rng.randint(1, 4) for _ in range(rng.randint(1, 20))]},
                {"sum": rng.randint(1, 72)},
            ]
        )
    return found


def plausible(rng: random.Random) -> str:
    """A file that is nearly right, with many lines and a few wrong values."""
    family = rng.choice([*FAMILIES])
    text = f'family = "{family}"\ntitle = "Hostile"\nsummary = "Hostile."\n[rules]\ndice = {rng.randint(1, 12)}\n'
    own = [field.name for field in fields(FAMILIES[family])]
    for field in rng.sample(rng.choice([FIELDS, own, own]), rng.choice([0, 0, 0, 1, 3])):
        text += (
            f"{field} = {toml(any_value(rng))}\n"
            if field not in ("dice", "rounds", "target", "cell", "combination")
            else ""
        )
    if family == "pad":
        return text
    if family == "counter":
        return text + f"rounds = {rng.randint(0, 3)}\ntarget = {rng.randint(0, 100)}\n"
    for number in range(rng.choice([1, 2, 10, 40, 60])):
        row = {**pattern(rng), "points": rng.choice([50, 1000, [1, 2, 3, 4, 5, 6], 10**6])}
        if family == "sheet":
            row = {
                "key": f"cell-{number}",
                "title": rng.choice(NASTY_TEXTS[:4] + ["Cell"] * 6),
                **pattern(rng),
                **rng.choice(
                    [
                        {},
                        {},
                        {"stands": rng.randint(0, 7)},
                        {"wins": rng.choice(["served", False, True])},
                        {"tiers": [[rng.randint(-9, 90), rng.randint(-2000, 10**6)] for _ in range(rng.randint(0, 3))]},
                    ]
                ),
            }
        name = "cell" if family == "sheet" else "combination"
        text += f"[[rules.{name}]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in row.items())
    for _ in range(rng.choice([0, 0, 1, 2, 7]) if family == "sheet" else 0):
        order = rng.choice(["free", "down", "up", "announced", "sideways"])
        text += f'[[rules.column]]\norder = "{order}"\nfactor = {rng.choice([1, 2, 10, 11])}\n'
    return text


def huge(rng: random.Random) -> str:
    return rng.choice(
        [
            "a = 1\n" * MOST_BYTES,
            "x = " + "[" * rng.choice([100, 900, 5000]),
            "x = " + "9" * rng.choice([100, 1900, 60_000]),
            ".".join(["a"] * rng.choice([50, 900, 30_000])) + " = 1",
            "\n".join(f"[{'.'.join(['a'] * deep)}]" for deep in range(1, 300)),
            "[[example]]\ndice = [1]\nworth = 1\n" * 2000,
            'title = """' + "\n" * 60_000,
            "x = {" * 300,
        ]
    )


def nonsense(rng: random.Random) -> str:
    return "".join(f"{rng.choice([*FIELDS, 'family', 'title'])} = {toml(any_value(rng))}\n" for _ in range(6))


MAKERS: list[Callable[[random.Random], str]] = [plausible, plausible, huge, nonsense]


def check_bounds(game: Any, rng: random.Random) -> None:
    """No calculation of the game takes more than its bounded number of steps, and it can be played."""
    assert (0 if isinstance(game, PadGame) else 1) <= game.dice <= 12
    if isinstance(game, TenThousand):
        most = max(len(list(parts(tuple(sorted(rng.choices(range(1, 7), k=game.dice)))))) for _ in range(20))
        assert most * max(1, len(game.rules.table)) <= MOST_STEPS * 6
    if isinstance(game, SheetGame):
        assert len(game.categories) <= 46
    assert isinstance(game, (TenThousand, SheetGame, CounterGame, PadGame, HandGame))
    table = scorer.Table(game, ["Ada", "Bob"])
    for _ in range(12):
        if not table.over:
            table.do(any_action(table, rng))
    json.dumps(table.standing())
    game.short_rules().text()
    if game.own_file is not None:
        scorer.in_language(game, rng.choice(["cs", "en", "xx"])).short_rules().text()


@pytest.mark.parametrize("part", range(10))
def test_a_hostile_file_is_refused_in_one_line_or_is_a_game_within_the_bounds(part: int) -> None:
    games = 0
    for number in range(part, FILES, 10):
        rng = random.Random(number)
        text = MAKERS[number // 10 % len(MAKERS)](rng)
        try:
            game = game_from_text(text, "hostile")()
        except DefinitionError as refusal:
            sentence = str(refusal)
            assert sentence.isprintable(), number
            assert len(sentence) < LONGEST_REFUSAL, number
            json.dumps(refusal.to_json())
        else:
            games += 1
            check_bounds(game, rng)
    assert games, "some files are games: else the generator tries nothing"


def test_refused_files_leave_no_memory_behind() -> None:
    """Costly ones: all that their examples worked out goes with them."""
    alike = "".join(f"[[rules.combination]]\nalike = {count}\npoints = 1\n" for count in range(2, 6))
    rng = random.Random(4)

    def refuse(points: int) -> None:
        throws = [rng.choices(range(1, 7), k=10) for _ in range(12)]
        examples = "".join(f"[[example]]\ndice = {dice}\nworth = {points * sum(dice)}\n" for dice in throws)
        by_face = [points * face for face in range(1, 7)]
        text = (
            f'family = "ten-thousand"\ntitle = "T"\nsummary = "S"\n[rules]\ndice = 10\n{alike}'
            f"[[rules.combination]]\nalike = 1\npoints = {by_face}\n{examples}[[example]]\ndice = [1]\nworth = 0\n"
        )
        with pytest.raises(DefinitionError, match="the rules make it"):
            game_from_text(text, "costly")

    refuse(1)
    gc.collect()
    tracemalloc.start()
    try:
        for points in range(2, 12):
            refuse(points)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()


def test_what_a_scoring_table_keeps_is_bounded() -> None:
    worths = Combinations((Combination(None, tuple(((face,), face) for face in range(1, 7))),))
    rng = random.Random(4)
    throws = [tuple(sorted(rng.choices(range(1, 7), k=12))) for _ in range(150)]
    first = [worths.choices(throw) for throw in throws]
    assert sum(map(len, first)) > MOST_CHOICES
    assert sum(map(len, worths._choices.values())) <= MOST_CHOICES
    assert [worths.choices(throw) for throw in throws] == first
