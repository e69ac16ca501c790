"""Mutations of the games that come along: files that are nearly right, each checked as one of a stranger, then played.

It breaks a bound by more than `MOST_S` of the processor, an error that is no refusal, or a game that was taken and
cannot be played.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import scorer
from scorer.definitions.definition import DefinitionError, join_tables, read_tables
from scorer.definitions.shapes import WrongShape
from scorer.definitions.toml_writer import toml_text
from scorer.games import from_file, keys, text_of
from scorer.options import Flag, OptionChoice, WholeNumber
from tests.scorer.test_every_game import any_action
from web.own_games import process

MOST_S = 0.3
STEPS = 40  # of a game that was taken
NUMBERS = [-1, 0, 1, 2, 3, 5, 6, 7, 10, 12, 13, 30, 36, 72, 100, 999, 10_000, 10**6, 10**6 + 1, 10**12]
WORDS = ["", "x", "dice", "sum", "at-once", "one-more-turn", "bank", "free", "file", "Ünï", "<b>", "{0}"]


class Found(NamedTuple):
    """What became of a file. `said`: why it was refused, or what went wrong; `taken`: it is a game."""

    taken: bool
    seconds: float
    said: str
    wrong: str


@cache  # bounded: games that come along
def tables_of(key: str) -> Any:
    return json.loads(json.dumps(read_tables(text_of(key), key)))


@cache  # bounded: no argument
def files() -> tuple[str, ...]:
    return tuple(key for key in keys() if from_file(key))


@cache  # bounded: no argument
def values_by_name() -> dict[str, list[Any]]:
    """What stands in the files under each name: a mutation gives one file what another has."""
    found: dict[str, list[Any]] = {}
    for key in files():
        for holder, name in places(tables_of(key)):
            if isinstance(name, str):
                found.setdefault(name, []).append(holder[name])
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value within tables, as what holds it and its name or number there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in pairs:
        yield value, name
        yield from places(each)


def mutated(rng: random.Random) -> str:
    """The text of a file with one to four changes."""
    text = text_of(rng.choice(files()))
    if rng.random() < 0.25:
        letters = list(text)
        for _ in range(rng.randint(1, 4)):
            letters[rng.randrange(len(letters))] = rng.choice(list("0123456789[]{}=\"'#.\n\\-a\x00é"))
        return "".join(letters)
    while True:
        tables = copy.deepcopy(tables_of(rng.choice(files())))
        if rng.random() < 0.4:  # else it is often an example that has the file refused
            tables.pop("example", None)
        for _ in range(rng.choice([1, 1, 2, 4])):
            change(tables, rng)
        try:
            return toml_text(tables)
        except (WrongShape, TypeError, AttributeError):  # tables that no file can have
            continue


def change(tables: Any, rng: random.Random) -> None:
    holder, name = rng.choice(list(places(tables)))
    old = holder[name]
    way = rng.randrange(7)
    if way == 0:
        del holder[name]
    elif way == 1 and isinstance(old, int):
        holder[name] = rng.choice([*NUMBERS, old + 1, old - 1, 2 * old, -old, not old])
    elif way == 2 and isinstance(old, list) and old:
        holder[name] = rng.choice([old * rng.choice([2, 12, 40]), old[:1], [], old[::-1], [*old, rng.choice(old)]])
    elif way == 3 and isinstance(old, str):
        holder[name] = rng.choice([*WORDS, old * 30])
    elif way == 4:
        holder[name] = rng.choice([*NUMBERS, *WORDS, [], {}, [1, 1], True])
    elif way == 5:  # what another file has there
        holder[name] = copy.deepcopy(rng.choice(values_by_name().get(name, [1])))
    else:  # a rule of another file, also as an option
        other, rule = rng.choice(list(places(join_tables(tables_of(rng.choice(files())))["rules"])))
        rules = tables.setdefault("rules", {})
        if isinstance(rule, str) and isinstance(rules, dict):
            value = copy.deepcopy(other[rule])
            if rng.random() < 0.5:
                rules[rule] = value
            elif isinstance(options := tables.setdefault("option", []), list):
                options.append({"name": f"o{rng.randrange(99)}", "title": "Option", "rules": {rule: value}})


def look_at(text: str, rng: random.Random, limit: Callable[[float], None]) -> Found:
    """Checks a file within the bounds, and plays it if it was taken. `limit`: as `process.answer` takes it."""
    answer, wrong = process.answer((process.check, (text, "mutated")), limit), ""
    if answer.refused is not None:
        kind, about = answer.refused
        sentence, reason = str(kind(about["reason"], **about["params"])), str(about["reason"])
        if not sentence.isprintable() or len(sentence) > 800:
            wrong = f"refused by more than a line: {sentence[:200]!r}"
        if not issubclass(kind, DefinitionError) or reason == "definition-fault":
            wrong = f"more than its time or memory, or an error that nobody foresaw: {sentence}"
        return Found(False, answer.seconds, reason, wrong)
    if not wrong:
        try:
            play(text, rng)
        except Exception as error:  # whatever it is: a table would meet it too
            wrong = f"taken, and then {type(error).__name__}: {error}"
    if answer.seconds > MOST_S and not wrong:
        wrong = f"{answer.seconds:.2f} s"
    return Found(not wrong, answer.seconds, "", wrong)


def play(text: str, rng: random.Random) -> None:
    """Plays a game with any options; takes back, settles, shows all, and replays its record."""
    kind = scorer.game_of_file(text, "mutated")
    options: dict[str, Any] = {}
    for option in kind.options:
        if isinstance(option, OptionChoice):
            options[option.name] = rng.choice(list(option.choices))
        elif isinstance(option, Flag):
            options[option.name] = rng.random() < 0.5
        elif isinstance(option, WholeNumber):
            options[option.name] = rng.choice([option.low + -option.low % option.step, option.default])
    game = kind(**options)
    table = scorer.Table(game, ["Ada", "Bob", "Cyn"][: min(3, game.most_players)])
    for _ in range(STEPS):
        if table.over:
            break
        table.do(any_action(table, rng))
        if rng.random() < 0.1:
            table.undo()
        json.dumps(table.standing())
    json.dumps(game.sentences())
    for language in ("cs", "en", "pl"):
        scorer.in_language(game, language).short_rules().text()
    record = json.loads(json.dumps(table.record()))
    assert scorer.Table.from_record(record).standing() == table.standing(), "its record leads elsewhere"
