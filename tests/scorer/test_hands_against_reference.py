"""Hands and contests against a second reckoning from the rules' text: random rules, random games."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import scorer
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.definitions.toml_writer import toml_text
from scorer.definitions.trial import playable_game
from scorer.games import text_of
from scorer.turns.hand import HandGame
from tests.scorer.reference.hands import Forbidden, HandByHand

QUICK, MOST_ACTIONS = 20, 120
HANDS = [info.key for info in scorer.all_games() if isinstance(scorer.game(info.key), HandGame)]
LINES: list[dict[str, Any]] = [
    {"dice": [6, 5], "points": "rest"},
    {"dice": [2, 1], "points": "21"},
    {"alike": 3, "points": "max * 3", "says": "three times the die"},
    {"alike": 2, "points": "pattern * 10 + rest", "says": "both"},
    {"alike": 2, "exactly": True, "points": "min"},
    {"groups": [2, 2], "points": "sum"},
    {"run": 3, "points": "(max - min) * 2 + n(1)", "says": "twice the difference"},
    {"dice": [[1, 1], [3, 3, 3]], "points": "max"},
    {"sum": 9, "points": "9"},
    {"points": "sum - sum(3)", "says": "the sum without threes"},
]
for _line in LINES:
    _line.setdefault("says", "so many")


def drawn_rules(rng: random.Random) -> dict[str, Any]:
    """Rules of any words; some contradict each other."""
    dice, counts = rng.randint(1, 6), rng.choice(("totals", "rounds", "lives"))
    keep = rng.choice(("stays", "stays", "growing", "none"))
    lines = rng.sample(LINES, rng.randint(1, 5))
    fits = [
        each for each in lines if max(each.get("alike", 0), sum(each.get("groups", ())), each.get("run", 0)) <= dice
    ]
    return {
        "worth": [*fits, *([LINES[-1]] if rng.random() < 0.6 or not fits else [])],
        "dice": dice,
        "throws": 0 if keep == "none" and rng.random() < 0.2 else rng.randint(1, 4),
        "keep": keep,
        "keep_at_least": rng.choice((0, 0, 1, 2)) if keep != "none" else 0,
        "keep_order": rng.sample(range(1, 7), rng.choice((0, 0, 1, 2))) if keep == "none" else [],
        "first_sets_throws": rng.random() < 0.4,
        "ranked": counts != "totals" and rng.random() < 0.5,
        "counts": "rounds" if counts == "lives" else counts,
        "low_wins": rng.random() < 0.4,
        "rounds": rng.choice((0, 2, 4)),
        "target": 0 if counts == "lives" else rng.choice((0, 2, 3) if counts == "rounds" else (0, 20, 60)),
        "end": "finish-round" if counts == "totals" and rng.random() < 0.5 else "at-once",
        "lives": rng.randint(1, 3) if counts == "lives" else 0,
        "ties": rng.choice(("throw-again", "throw-again", "nobody")),
        "begins": rng.choice(("first", "next", "winner", "loser")),
    }


def drawn_game(rng: random.Random) -> tuple[Any, dict[str, Any]]:
    """A game that files may describe."""
    while True:
        rules = drawn_rules(rng)
        text = toml_text({"family": "hand", "title": "Ours", "summary": "Ours.", "rules": rules})
        try:
            return game_from_text(text, "ours")(), rules
        except DefinitionError:
            continue


def pack_game(key: str, rng: random.Random) -> tuple[Any, dict[str, Any]]:
    """A game of the pack with one of its options, and its rules as the file has them."""
    from scorer.definitions.building import patches_of
    from scorer.definitions.definition import read_definition

    kind = scorer.game(key).kind
    settings = {}
    for option in kind.options:
        if rng.random() < 0.5:
            low = getattr(option, "low", None)
            choices = list(getattr(option, "choices", ())) or ([False, True] if low is None else [low, low + 1])
            settings[option.name] = rng.choice(choices)
    definition = read_definition(text_of(key), key)
    return kind(**settings), {**definition.raw, **patches_of(definition.file, settings)}


def any_action(table: scorer.Table, paper: HandByHand, rng: random.Random) -> dict[str, Any]:
    """Mostly what may be done, by this or that engine; sometimes by hand, sometimes nonsense."""
    dice = [rng.randint(1, 6) for _ in range(rng.choice((1, 2, 3)))]
    chance = rng.random()
    if chance < 0.06:
        count = len(paper.scores)
        player = rng.choice([paper.player, rng.randrange(count)])
        return rng.choice(
            (
                {"do": "adjust", "what": "turn", "player": player, "points": rng.randint(0, 30)},
                {"do": "adjust", "what": "total", "player": player, "points": rng.randint(0, 4)},
                {"do": "adjust", "what": "game", "over": not paper.over},
                {"do": "adjust", "what": "turn-skipped", "player": player},
                {"do": "adjust", "what": "player-removed", "player": player},
                {"do": "adjust", "what": "player-added", "name": f"P{count} of step {table.version}"},
                {"do": "adjust", "what": "order", "players": rng.sample(paper.plays, len(paper.plays))},
            )
        )
    if chance < 0.12 or paper.over:
        table_dice = [*paper.open, *dice]
        some = rng.sample(table_dice, rng.randint(0, len(table_dice)))
        return rng.choice(({"do": "throw", "dice": dice}, {"do": "set-aside", "dice": some}, {"do": "bank"}))
    ways = []
    if paper.due():
        faces = rng.choice(((1, 2, 3, 4, 5, 6), (6, 5, 4), (1, 3)))
        ways.append({"do": "throw", "dice": [rng.choice(faces) for _ in range(paper.due())]})
    if paper.fresh:
        ways.append({"do": "set-aside", "dice": rng.sample(paper.open, rng.randint(1, len(paper.open)))})
    if paper.has_thrown():
        ways.append({"do": "bank"})
    return rng.choice(ways)


def compare(table: scorer.Table, paper: HandByHand, told: object) -> None:
    standing = table.standing()
    turn, kind = standing["turn"], "lives" if paper.rules["lives"] else paper.rules["counts"]
    assert (table.scores, table.over) == (paper.scores, paper.over), told
    assert standing["to_act"] == ([] if paper.over else [paper.player]), told
    assert standing["tied"] == [each for each in paper.tied if paper.tied], told
    if kind != "totals":
        assert standing["rounds_won" if kind == "rounds" else "rounds_lost"] == paper.decided, told
    if kind == "lives":
        assert [each["knocked_out"] for each in standing["players"]] == [
            paper.fell.get(each, 0) for each in range(len(paper.scores))
        ], told
    if not paper.over:
        assert turn["expects"] == paper.due(), told
        assert sorted(die for dice in turn["set_aside"] for die in dice) == sorted(paper.aside), told
        if paper.has_thrown():
            assert turn["points"] == paper.value([*paper.aside, *paper.open])[1], told
        throws = [each for each in standing["legal"] if each["do"] == "throw"]
        assert [each["count"] for each in throws] == ([paper.due()] if paper.due() else []), told
    merits: list[tuple[int, int]] = []
    for each, score in enumerate(paper.scores):
        lowest = paper.rules["low_wins"] and kind == "totals"
        merits.append((paper.fell.get(each) or 10**6, -score if lowest else score))
    among = [merits[each] for each in paper.plays]
    for each, player in enumerate(standing["players"]):
        place = 1 + sum(other > merits[each] for other in among) if each in paper.plays else None
        assert player["place"] == place, told


def both(table: scorer.Table, paper: HandByHand, action: dict[str, Any]) -> bool:
    """Does an action by both engines; whether they allow it."""
    try:
        table.do(action)
        refused = False
    except scorer.IllegalAction:
        refused = True
    try:
        paper.do(action)
    except Forbidden:
        assert refused, (table.record(), action)
        return False
    assert not refused, (table.record(), action)
    return True


def replayed(rules: dict[str, Any], players: int, actions: list[Any]) -> HandByHand:
    paper = HandByHand(json.loads(json.dumps(rules)), players)
    for action in actions:
        paper.do(action)
    return paper


def compare_record(game: Any, rules: dict[str, Any], rng: random.Random, most: int = MOST_ACTIONS) -> int:
    """One random record; how many actions were compared."""
    players = rng.randint(1, 4)
    table = scorer.Table(game, ["P0", "P1", "P2", "P3"][:players])
    paper = replayed(rules, players, [])
    for _ in range(most):
        if paper.over and rng.random() < 0.5:
            break
        action = any_action(table, paper, rng)
        if len(paper.scores) > 5 and action.get("what") == "player-added":
            continue
        before = len(table.actions)
        if not both(table, paper, action):
            paper = replayed(rules, players, table.actions)
        compare(table, paper, (rules, players, table.actions, action))
        assert len(table.actions) <= before + 1
        if rng.random() < 0.04 and table.version:
            table.undo()
            paper = replayed(rules, players, table.actions)
            compare(table, paper, (rules, players, table.actions, "undo"))
        if rng.random() < 0.02 and table.version:
            paper = compare_correction(table, paper, rules, players, rng)
    again = scorer.Table.from_record({**table.record(), "game": game.key}) if game.own_file is None else table
    assert again.standing() == table.standing()
    return table.version


def compare_correction(
    table: scorer.Table, paper: HandByHand, rules: dict[str, Any], players: int, rng: random.Random
) -> HandByHand:
    """Another action in place of one of the record, before all later ones: both allow it, or refuse at one place."""
    index = rng.randint(1, table.version)
    entry = rng.choice(list(table.legal_before(index)) or [{"do": "bank"}])
    action = {name: value for name, value in entry.items() if name in ("do", "dice")}
    if entry["do"] == "throw":
        action["dice"] = [rng.randint(1, 6) for _ in range(entry["count"])]
    actions = [*table.actions[: index - 1], action, *table.actions[index:]]
    refused = 0
    try:
        corrected = replayed(rules, players, [])
        for number, each in enumerate(actions, start=1):
            refused = number
            corrected.do(each)
        refused = 0
    except Forbidden:
        corrected = paper
    found: int | None = 0
    try:
        table.correct(index, action)
    except scorer.IllegalAction as refusal:
        found = refusal.index
    assert found == refused, (rules, players, actions)
    compare(table, corrected, (rules, players, actions, "corrected"))
    return corrected


def compare_many(key: str, seeds: range) -> int:
    compared = 0
    for seed in seeds:
        rng = random.Random(f"hands {key} {seed}")
        game, rules = drawn_game(rng) if key == "random rules" else pack_game(key, rng)
        compared += compare_record(game, rules, rng)
    return compared


@pytest.mark.parametrize("key", [*HANDS, "random rules"])
def test_hands_agree(key: str) -> None:
    assert compare_many(key, range(QUICK * (5 if key == "random rules" else 1))) > QUICK * 5


@pytest.mark.slow
@pytest.mark.parametrize("key", [*HANDS, "random rules"])
def test_thousands_of_hands_agree(key: str) -> None:
    compare_many(key, range(1000, 3000))


def test_a_game_reopened_after_the_target_goes_on_with_the_next_player() -> None:
    table = scorer.Table(scorer.game("midnight"), ["Ada", "Bob"])
    table.do({"do": "adjust", "what": "total", "player": 0, "points": 80})
    table.do({"do": "throw", "dice": [1, 4, 6, 6, 6, 6]})
    table.do({"do": "bank"})
    assert (table.over, table.scores) == (True, [104, 0])
    table.do({"do": "adjust", "what": "total", "player": 0, "points": 99})
    assert (table.over, table.to_act) == (False, [1])


def test_files_of_random_words_play_or_say_why_not() -> None:
    """None crashes, and a file that is fine can be played and won."""
    rng, fine = random.Random(65), 0
    refused: list[tuple[str, str]] = []
    for _ in range(60):
        text = toml_text({"family": "hand", "title": "Ours", "summary": "Ours.", "rules": drawn_rules(rng)})
        try:
            game = playable_game(text, "ours")()
        except DefinitionError as refusal:
            refused.append((refusal.reason, text))
            continue
        fine += 1
        assert "[turn]" in text
        assert "[contest]" in text
        table = scorer.Table(game, ["Ada", "Bob"])
        for _ in range(3000):
            if table.over:
                break
            entry = rng.choice(list(table.legal))
            table.do(
                {**entry, **({"dice": [rng.randint(1, 6) for _ in range(entry["count"])]} if "count" in entry else {})}
            )
        assert table.over, text
    assert fine > 15
    assert [text for reason, text in refused if reason in ("definition-unplayable", "definition-fault")] == []
