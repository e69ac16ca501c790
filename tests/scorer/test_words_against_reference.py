"""The words of races and counters against a second reckoning from the rules' text: random rules, random games.

`make soak` plays thousands.
"""

import json
import random
from collections.abc import Callable
from dataclasses import asdict
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.definitions.toml_writer import toml_text
from tests.scorer.reference.counter_words import CounterByHand
from tests.scorer.reference.race_words import Line, RaceByHand

QUICK = 150
SLOW = 2000
MOST_ACTIONS = 250
ENDS = ("at-once", "finish-round", "one-more-turn", "round-then-one-more-turn", "exact")

Tables = list[dict[str, Any]]
Dice = tuple[int, ...]

# Games of the pack whose rules have these words, with the options that are drawn.
RACES: dict[str, dict[str, tuple[Any, ...]]] = {
    "farkle-francais": {"target": (1500, 3000), "opening": (0, 300, 800), "without_the_round": (False, True)},
    "diez-mil": {
        "target": (1000, 2000),
        "opening": (0, 300),
        "or_more": (False, True),
        "five_ones_fill_up": (False, True),
    },
    "farkle-tables": {
        "target": (1500, 3000),
        "opening": (0, 500),
        "take_over": (False, True),
        "nothing_scores": (0, 500, 750),
    },
    "zehntausend": {"target": (1000, 3000), "minimum": (0, 300), "proved": (False, True)},
    "zehntausend-proved": {"target": (1000, 4000), "minimum": (0, 500)},
    "tysiac": {"target": (200, 500), "opening": (0, 50), "exact_end": (False, True), "take_over": (False, True)},
}
COUNTERS: dict[str, dict[str, tuple[Any, ...]]] = {
    "bunco": {"teams": ("none", "two"), "one_turn_each": (False, True)},
    "going-to-boston": {"rounds": (1, 3, 5), "totals": (False, True)},
    "two-dice-pig": {"target": (30, 100), "alike_again": (False, True)},
    "pig-sevens": {"target": (30, 100), "alike_again": (False, True)},
    "hog": {"target": (30, 100), "turn": ("once", "again")},
    "macao": {"target": (1, 3), "limit": (9, 15)},
    "twenty-one": {"rounds": (1, 3), "limit": (21, 36), "two_dice": (False, True)},
    "centennial": {"again": (False, True)},
    "round-the-clock": {"again": (False, True)},
}


def longest_run(dice: Dice) -> int:
    """How long the run from 1 on is."""
    return max(length for length in range(7) if set(range(1, length + 1)) <= set(dice))


# What a throw is worth, as a file says it and a second time.
SAYS = {"says": "in words"}
BUSTS: list[tuple[Tables, Callable[[Dice], bool]]] = [
    ([], lambda dice: False),
    ([], lambda dice: False),
    ([{"dice": [3]}], lambda dice: 3 in dice),
    ([{"sum": 7}], lambda dice: sum(dice) == 7),
    ([{"alike": 2}, {"dice": [1]}], lambda dice: 1 in dice or len(set(dice)) < len(dice)),
]
WORTHS: list[tuple[Tables, Callable[[Dice, int], int]]] = [
    ([{}], lambda dice, wanted: sum(dice)),
    ([{"points": "max"}], lambda dice, wanted: max(dice)),
    ([{"points": "n(wanted)", **SAYS}], lambda dice, wanted: dice.count(wanted)),
    ([{"points": "sum(wanted)", **SAYS}], lambda dice, wanted: wanted * dice.count(wanted)),
    ([{"points": "sum(2) + n(5)", **SAYS}], lambda dice, wanted: 2 * dice.count(2) + dice.count(5)),
    ([{"points": "sum * (sum = wanted)", **SAYS}], lambda dice, wanted: sum(dice) if sum(dice) == wanted else 0),
    (
        [{"run": [1, 3], "points": "7"}, {"run": [1, 2], "points": "2"}, {"dice": [1], "points": "0"}],
        lambda dice, wanted: 7 if longest_run(dice) > 2 else 2 if longest_run(dice) > 1 else 0,
    ),
    (
        [{"dice": [6, 6], "points": "25"}, {"alike": 2, "points": "pattern - rest", **SAYS}],
        lambda dice, wanted: 25 if dice.count(6) > 1 else max(0, pair_of(dice) - (sum(dice) - pair_of(dice))),
    ),
]
OF_PACK: dict[str, Callable[[Dice, int], int | None]] = {
    "bunco": lambda dice, wanted: dice.count(wanted) if len(set(dice)) > 1 else 21 if dice[0] == wanted else 5,
    "going-to-boston": lambda dice, wanted: max(dice),
    "two-dice-pig": lambda dice, wanted: None if 1 in dice else sum(dice),
    "pig-sevens": lambda dice, wanted: None if sum(dice) == 7 else sum(dice),
    "hog": lambda dice, wanted: None if 1 in dice else sum(dice),
    "macao": lambda dice, wanted: sum(dice),
    "twenty-one": lambda dice, wanted: sum(dice),
    "centennial": lambda dice, wanted: 0,  # no table says it
    "round-the-clock": lambda dice, wanted: 0,
}


def pair_of(dice: Dice) -> int:
    """The sum of the highest pair; all dice if there is none, which then is worth nothing."""
    pairs = [2 * face for face in dice if dice.count(face) > 1]
    return max(pairs) if pairs else 0


def alike(count: int, points: int) -> dict[str, Any]:
    return {"alike": count, "points": points}


def drawn_race(rng: random.Random) -> dict[str, Any]:
    """The rules of a race with any of the words, as a file has them."""
    dice = rng.randint(2, 6)
    table: Tables = [{"dice": [1], "points": 100}, {"dice": [5], "points": 50}]
    if dice >= 3:
        confirm = rng.choice((0, 0, 50, 300))
        table.append({"alike": 3, "points": [1000, 200, 300, 400, 500, 600], "confirm": confirm})
    if dice >= 4 and rng.random() < 0.4:
        table.append({"groups": [2, 2], "points": 350, "confirm": rng.choice((0, 500))})
    if rng.random() < 0.4:
        table.append({**alike(dice, 1500), "wins": True})
    elif rng.random() < 0.2:
        table.append({"dice": [6, 6], "points": 50, "wins": True})
    rules: dict[str, Any] = {
        "dice": dice,
        "target": 50 * rng.randint(8, 40),
        "minimum": rng.choice((0, 0, 100, 300)),
        "opening": rng.choice((0, 0, 250, 500)),
        "end": rng.choice(ENDS),
        "take_over": rng.random() < 0.5,
        "wiped_by": rng.choice(([], [1, 1, 1], [2, 2], [6, 6, 6], [3, 4], [2])),
        "forced": rng.random() < 0.25,
        "hot_dice": rng.choice(("may", "must", "must-after-one-throw", "multiply")),
        "nothing_scores": rng.choice((0, 0, 0, 500)),
        "combination": table,
    }
    if rng.random() < 0.5:
        rules["penalty"] = [rng.choice((2, 3)), 250]
    if rng.random() < 0.3:
        rules["bank_with_at_most"] = rng.randint(0, dice)
    if rng.random() < 0.5:
        rules["overshoot_to"] = rng.choice((0, 300))
    if len(rules["wiped_by"]) > dice:
        rules["wiped_by"] = []
    return rules


def drawn_counter(rng: random.Random) -> tuple[dict[str, Any], Callable[[Dice, int], int | None]]:
    """The rules of a counter with any of the words, some of which contradict each other, and what its throws are
    worth.
    """
    turn = rng.choice(("one-throw", "one-die-less", "while-it-counts", "bank", "bank"))
    busting, busts = rng.choice(BUSTS)
    lines, counts = rng.choice(WORTHS)
    rounds_won = rng.random() < 0.3
    rules: dict[str, Any] = {
        "dice": rng.randint(1, 4),
        "worth": [*({**each, "points": "bust"} for each in busting), *lines],
        "turn": turn,
        "wanted": rng.sample(range(1, 7), rng.randint(1, 4)),
        "leave": rng.sample(range(1, 7), 2) if turn == "one-throw" and rng.random() < 0.5 else [],
        "alike_again": turn == "bank" and rng.random() < 0.5,
        "rounds": rng.choice((0, 2, 5)),
        "counts": "rounds" if rounds_won else "totals",
        "round_target": rng.choice((0, 8, 21)) if rounds_won else 0,
        "target": rng.choice((0, 3) if rounds_won else (0, 12, 40)),
        "end": "at-once" if rounds_won else rng.choice(ENDS),
        "low_wins": rng.random() < 0.3,
        "teams": rng.choice((0, 0, 2, 3)),
        "limit": rng.choice((0, 4, 9, 14)) if turn in ("while-it-counts", "bank") else 0,
    }
    if not rounds_won:
        rules["wiped_by"] = rng.choice(([], [], [1, 1], [2, 3], [4]))
    if rng.random() < 0.5:
        rules["overshoot_to"] = rng.choice((0, 6))
    if turn in ("one-throw", "bank") and rng.random() < 0.3:
        rules["choose_dice"] = True
    return rules, lambda thrown, wanted: None if busts(thrown) else counts(thrown, wanted)


def drawn_progress(rng: random.Random) -> tuple[dict[str, Any], Callable[[Dice, int], int | None]]:
    """The rules of a counter whose numbers are made one after the other; no table says what throws are worth."""
    dice = rng.randint(1, 4)
    wanted = [rng.randint(1, 4 * dice) for _ in range(rng.randint(1, 12))]
    turn = rng.choice(("one-throw", "while-it-counts"))
    numbers = {"wanted": wanted, "target": len(wanted), "progress": rng.choice((1, 2, 12))}
    return {"dice": dice, "turn": turn, **numbers}, lambda thrown, wanted: 0


def game_with(family: str, rules: dict[str, Any]) -> Any:
    tables = {"family": family, "title": "Ours", "summary": "Ours.", "rules": rules}
    return game_from_text(toml_text(tables), "ours")()


def lines_of(table: Tables) -> list[Line]:
    """A scoring table as single lines, each possibility by itself."""
    found: list[Line] = []
    for each in table:
        points, wins, confirm = each["points"], each.get("wins", False), each.get("confirm", 0)
        if "dice" in each:
            several = each["dice"] if isinstance(each["dice"][0], list) else [each["dice"]]
            found += [(tuple(sorted(one)), points, wins, confirm) for one in several]
        elif "run" in each:
            assert each["run"] == 6
            found.append(((1, 2, 3, 4, 5, 6), points, wins, confirm))
        elif "groups" in each:
            sizes = each["groups"]
            drawn = product(range(1, 7), repeat=len(sizes))
            faces = [one for one in drawn if each.get("may_repeat") or len(set(one)) == len(one)]
            groups = ([face for face, size in zip(one, sizes, strict=True) for _ in range(size)] for one in faces)
            found += [(dice, points, wins, confirm) for dice in {tuple(sorted(each)) for each in groups}]
        else:
            for face in range(1, 7):
                worth = points[face - 1] if isinstance(points, list) else points
                found.append(((face,) * each["alike"], worth, wins, confirm))
    return found


def race_by_hand(rules: Any, table: Tables, players: int) -> RaceByHand:
    named = {name: value for name, value in asdict(rules).items() if name != "combination"}
    return RaceByHand(players, named, tuple(lines_of(table)))


def compare(table: scorer.Table, paper: RaceByHand | CounterByHand, told: Any) -> None:
    standing = table.standing()
    assert standing["over"] == paper.over, told
    scores = paper.scores() if isinstance(paper, CounterByHand) else paper.totals
    assert [each["score"] for each in standing["players"]] == scores, told
    assert [each["turns"] for each in standing["players"]] == paper.turns, told
    assert [each["place"] for each in standing["players"]] == paper.places(), told
    legal = sorted(
        tuple(
            tuple(value) if isinstance(value, list) else value
            for name, value in entry.items()
            if name in ("do", "count", "dice", "points", "dice_left")
        )
        for entry in standing["legal"]
    )
    assert legal == paper.legal(), told
    if not paper.over:
        assert standing["to_act"] == [paper.player], told
        assert standing["turn"]["points"] == paper.points, told


def drawn_dice(rng: random.Random, count: int, lucky: bool) -> tuple[int, ...]:
    faces = (1, 1, 5, rng.randint(1, 6)) if lucky else (1, 2, 3, 4, 5, 6)
    if rng.random() < 0.15:
        return (rng.randint(1, 6),) * count
    return tuple(rng.choice(faces) for _ in range(count))


def play_race(game: Any, table_lines: Tables, rng: random.Random) -> None:
    players = rng.randint(1, 4)
    paper = race_by_hand(game.rules, table_lines, players)
    table = scorer.Table(game, ["Ada", "Bob", "Cid", "Dan"][:players])
    lucky, eager = rng.random() < 0.6, rng.random()
    for _ in range(MOST_ACTIONS):
        told = (game.rules, table.actions)
        compare(table, paper, told)
        if paper.over:
            break
        if rng.random() < 0.02:
            points = 50 * rng.randint(0, 20)
            table.do({"do": "adjust", "what": "turn", "player": paper.player, "points": points})
            paper.settle(points)
        elif rng.random() < 0.02 and players > 1:
            table.do({"do": "adjust", "what": "turn-skipped", "player": paper.player})
            paper.skip()
        elif paper.thrown:
            part = rng.choice(sorted(paper.allowed(paper.thrown)))
            table.do({"do": "set-aside", "dice": rng.sample(part, len(part))})
            paper.set_aside(part)
        elif paper.may_take_over() and rng.random() < 0.6:
            table.do({"do": "take-over"})
            paper.take_over()
        elif paper.may_bank() and rng.random() < eager:
            table.do({"do": "bank"})
            paper.bank()
        else:
            dice = drawn_dice(rng, paper.dice, lucky)
            table.do({"do": "throw", "dice": list(dice)})
            paper.throw(dice)
    check_undo_and_record(table, game, rng)


def play_counter(game: Any, rng: random.Random, worth: Callable[[Dice, int], int | None]) -> None:
    players = rng.randint(1, 4)
    paper = CounterByHand(players, asdict(game.rules), worth)
    table = scorer.Table(game, ["Ada", "Bob", "Cid", "Dan"][:players])
    eager = rng.random()
    for _ in range(MOST_ACTIONS):
        told = (game.rules, table.actions)
        compare(table, paper, told)
        if game.rules.counts == "rounds":
            players_now = table.standing()["players"]
            thrown = [[points for round_ in each["round_points"] for points in round_] for each in players_now]
            assert thrown == paper.round_points, told
            assert table.standing()["rounds_won"] == paper.won, told
            assert paper.over or table.standing()["tied"] == paper.tied, told
        if paper.over:
            break
        if rng.random() < 0.02:
            points = rng.randint(0, 20)
            table.do({"do": "adjust", "what": "turn", "player": paper.player, "points": points})
            paper.end_turn(points)
        elif paper.may_bank() and rng.random() < eager:
            table.do({"do": "bank"})
            paper.bank()
        elif game.rules.choose_dice and rng.random() < 0.2:
            count = rng.randint(1, game.dice)
            table.do({"do": "choose", "count": count})
            paper.choose(count)
        else:
            count = rng.randint(1, game.dice) if game.rules.choose_dice and rng.random() < 0.3 else paper.dice
            dice = drawn_dice(rng, count, lucky=False)
            table.do({"do": "throw", "dice": list(dice)})
            paper.throw(dice)
    check_undo_and_record(table, game, rng)


def check_undo_and_record(table: scorer.Table, game: Any, rng: random.Random) -> None:
    """Of one game in five: the record leads to the same standing; taken back step by step, each is as it was."""
    if rng.random() > 0.2:
        return
    again = scorer.Table(game, table.players)
    standings = [json.dumps(again.standing())]
    for action in json.loads(json.dumps(table.record()))["actions"]:
        again.do(action)
        standings.append(json.dumps(again.standing()))
    assert standings[-1] == json.dumps(table.standing())
    while table.version:
        assert json.dumps(table.standing()) == standings[table.version]
        table.undo()


def play_random_race(seed: int) -> bool:
    """Whether the drawn rules are a game."""
    rng = random.Random(f"race {seed}")
    rules = drawn_race(rng)
    try:
        game = game_with("ten-thousand", rules)
    except DefinitionError:
        return False
    play_race(game, rules["combination"], rng)
    return True


def play_random_counter(seed: int) -> bool:
    """Whether the drawn rules are a game."""
    rng = random.Random(f"counter {seed}")
    rules, worth = drawn_progress(rng) if seed % 7 == 0 else drawn_counter(rng)
    try:
        game = game_with("counter", rules)
    except DefinitionError:
        return False
    play_counter(game, rng, worth)
    return True


def play_of_the_pack(key: str, seed: int) -> None:
    rng = random.Random(f"{key} {seed}")
    wanted = {**RACES, **COUNTERS}[key]
    game = scorer.game(key, **{name: rng.choice(values) for name, values in wanted.items()})
    if key in COUNTERS:
        play_counter(game, rng, OF_PACK[key])
        return
    definition: Any = game.kind.definition  # type: ignore[attr-defined]
    table: Tables = [dict(each) for each in definition.raw["combination"]]
    if game.settings.get("proved"):
        table = [{**each, "confirm": 50} if each.get("alike") == 3 else each for each in table]
    if game.settings.get("five_ones_fill_up"):
        table[-1] = {**table[-1], "wins": False}
    play_race(game, table, rng)


@pytest.mark.parametrize("part", range(5))
def test_races_with_any_words_agree(part: int) -> None:
    assert sum(play_random_race(seed) for seed in range(part, QUICK, 5)) > QUICK // 10


@pytest.mark.parametrize("part", range(5))
def test_counters_with_any_words_agree(part: int) -> None:
    assert sum(play_random_counter(seed) for seed in range(part, 3 * QUICK, 5)) > QUICK // 10


@pytest.mark.parametrize("key", [*RACES, *COUNTERS])
def test_games_of_the_pack_agree(key: str) -> None:
    for seed in range(QUICK // 5):
        play_of_the_pack(key, seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_thousands_agree(part: int) -> None:
    for seed in range(part * SLOW, (part + 1) * SLOW, 10):
        play_random_race(seed)
        play_random_counter(seed)
        for key in (*RACES, *COUNTERS):
            play_of_the_pack(key, seed)
