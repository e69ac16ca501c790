"""`scorer` against the naive second implementation in `reference`: random games, compared action by action.

The random play is driven by what the reference says is legal, so that a legal action that `scorer` forgot is tried as
well; nonsense and spoiled actions are tried beside it, and both must refuse the same. `make soak` plays thousands.
"""

import copy
import json
import random
import re
from collections import Counter
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest

import rollcall
import scorer
from tests.scorer.reference import GAMES, Action, Document, IllegalError, ReferenceGame, replay, start
from tests.scorer.reference.random_play import RandomPlay, nonsense, random_options, random_players, spoil
from tests.scorer.sheets import UPPER, fill, fill_before, fill_column

QUICK_RECORDS = 7
QUICK_ACTIONS = 120
SOAK_BATCHES = 8
SOAK_RECORDS = 40
SOAK_ACTIONS = 500
# Records of three columns are long: this many are compared now and then on their way, in about 15 minutes of one core.
MANY_RECORDS = 10_000
MANY_BATCHES = 20
COMMAND_RECORDS = 7
# Of every game: names that all actions of docs/interfaces.md may bring along in `legal`.
LEGAL_KEYS = (
    *("do", "count", "dice", "points", "dice_left", "from"),
    *("category", "column", "bonus", "wins", "player", "cell", "line", "cells", "tiles"),
)


@pytest.mark.whole
@pytest.mark.parametrize("key", GAMES)
def test_random_games_agree(key: str) -> None:
    for seed in range(QUICK_RECORDS):
        compare_game(key, seed, QUICK_ACTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(1, SOAK_BATCHES + 1))
@pytest.mark.parametrize("key", GAMES)
def test_thousands_of_random_games_agree(key: str, batch: int) -> None:
    for seed in range(SOAK_RECORDS):
        compare_game(key, batch * 1_000_000 + seed, SOAK_ACTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(1, MANY_BATCHES + 1))
def test_ten_thousand_games_of_three_columns_agree(batch: int) -> None:
    for seed in range(MANY_RECORDS // MANY_BATCHES):
        compare_game("kosci-triple", -batch * 1_000_000 - seed, SOAK_ACTIONS, every=16)


@pytest.mark.parametrize("key", GAMES)
def test_the_command_replays_and_refuses_alike(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """docs/interfaces.md, `rollcall replay RECORD --json`: exit 2, `action 7: ` and why, standard output empty."""
    for seed in range(COMMAND_RECORDS):
        rng = random.Random(f"command {key} {seed}")
        record, actions = random_record(rng, key, seed, 60)
        spoiled_at = rng.randrange(len(actions))
        if rng.random() < 0.5:
            actions[spoiled_at] = spoil(rng, start(key, record["players"], record["options"]), actions[spoiled_at])
        path = tmp_path / f"{seed}.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        status = rollcall.main(["replay", str(path), "--json"])
        printed = capsys.readouterr()
        expected, illegal = outcome(start(key, record["players"], record["options"]), actions)
        if illegal:
            assert (status, printed.out) == (2, ""), record
            assert re.fullmatch(rf"action {illegal}: \S.*\n", printed.err), record
        else:
            assert (status, printed.err) == (0, ""), record
            assert project(json.loads(printed.out), expected) == comparable(expected), record


# Games whose dice may be fewer than six, and the options under which all throws are tried, besides none.
FEWER_DICE = ("ones-and-fives", "six-dice", "farkle", "zilch")
SCORING_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "ones-and-fives": [{"two_two_two_is_300": True}],
    "six-dice": [{"pairs_may_repeat": True}],
    "drapky": [
        {"exact_two_plus_three": True},
        {"exact_poker": True},
        {"exact_two_plus_three": True, "exact_poker": True},
    ],
    "sequence": [{"three_ones_wipe": True}],
    "skunk": [{"first_throw_counts": False}],
}


@pytest.mark.parametrize("key", sorted(set(GAMES) - {"forbidden-numbers"}))
def test_every_throw_agrees(key: str) -> None:
    """All that can be thrown first, in an order of chance, and of the races also all throws of fewer dice."""
    rng = random.Random(key)
    for options in ({}, *SCORING_OPTIONS.get(key, [])):
        game = scorer.game(key, **options)
        for count in range(1, 7) if key in FEWER_DICE else [game.dice]:
            for ascending in combinations_with_replacement(range(1, 7), count):
                throw = {"do": "throw", "dice": rng.sample(ascending, count)}
                ours, table = start(key, ["Ada"], options), scorer.Table(game, ["Ada"])
                if count < game.dice:
                    table.state = table.state._replace(left=count)
                    setattr(ours, "next_throw" if key == "six-dice" else "remaining", count)
                ours.do(throw)
                table.do(throw)
                compare_documents(ours, table, 0, [throw])


JOKERS: list[tuple[str, dict[str, Any]]] = [
    *(("kosci-single", {"hundreds_need_first": needed}) for needed in (False, True)),
    *(("yahtzee", {"joker": joker}) for joker in ("forced", "free", "original")),
    *(
        ("kosci", {"first_general_is_joker": first, "hundreds_need_first": needed})
        for first in (False, True)
        for needed in (False, True)
    ),
]


@pytest.mark.parametrize(("key", "options"), JOKERS)
def test_every_further_general_agrees(key: str, options: dict[str, Any]) -> None:
    """Of each face, with its upper cell open or filled, and whatever stands where generals go."""
    flags = (False, True)
    for face, general, *filled, elsewhere in product(range(1, 7), (None, 0, 50), flags, flags, flags):
        table = scorer.Table(scorer.game(key, **options), ["Ada"])
        if elsewhere:  # the first general stands in another cell
            fill(table, **{UPPER[face % 6]: (6,) * 5})
        fill_before(table, face, general, *filled)
        compare_after(table, {"do": "throw", "dice": [face] * 5})


@pytest.mark.parametrize("needed", [False, True])
def test_every_further_general_in_three_columns_agrees(needed: bool) -> None:
    for generals, own_filled, elsewhere in product(product((None, 0, 50), repeat=3), ((), (1,), (2, 3)), (False, True)):
        table = scorer.Table(scorer.game("kosci-triple", hundreds_need_first=needed), ["Ada"])
        if elsewhere:
            fill_column(table, 1, sixes=(6,) * 5)
        for column, general in enumerate(generals, start=1):
            if general is not None:
                fill_column(table, column, general=(6,) * 5 if general else (1, 1, 2, 2, 3))
        for column in own_filled:
            fill_column(table, column, fours=(1, 1, 2, 2, 3))
        compare_after(table, {"do": "throw", "dice": [4] * 5})


def compare_after(table: scorer.Table, action: Action) -> None:
    """Compares after one more action, replayed by the reference."""
    table.do(action)
    ours = start(table.game.key, [*table.players], table.game.settings)
    replay(ours, table.actions)
    compare_documents(ours, table, 0, table.actions)


def random_record(rng: random.Random, key: str, seed: int, most_actions: int) -> tuple[dict[str, Any], list[Action]]:
    """A record of a random game, and the list of actions in it."""
    options, players = random_options(rng, key), random_players(rng, key)
    ours, play = start(key, players, options), RandomPlay(rng, seed)
    actions: list[Action] = []
    while not ours.over and len(actions) < most_actions:
        actions.append(play.action(ours))
        ours.do(actions[-1])
    return {"format": 1, "game": key, "options": options, "players": players, "actions": actions}, actions


def compare_game(key: str, seed: int, most_actions: int, every: int = 1) -> int:
    """Plays one random game on both and compares after every action, or after `every` so many and at the end. Returns
    the number of actions.
    """
    rng = random.Random(f"{key} {seed}")
    options, players = random_options(rng, key), random_players(rng, key)
    play = RandomPlay(rng, seed)
    ours = start(key, players, options)
    table = scorer.Table(scorer.game(key, **options), players)
    actions: list[Action] = []
    while True:
        ends = ours.over or len(actions) == most_actions
        action = {"do": "throw", "dice": [1, 2, 3, 4, 5, 6]} if ours.over else play.action(ours)
        if ends or not len(actions) % every:
            standing = compare_documents(ours, table, seed, actions)
            tried = [nonsense(rng, ours), nonsense(rng, ours), spoil(rng, ours, action)]
            compare_refusals(ours, table, tried, seed, actions)
            assert table.standing() == standing, (ours.options, seed, actions, tried)
        if ends:
            break
        actions.append(action)
        ours.do(action)
        table.do(copy.deepcopy(action))
    compare_records(rng, ours, table, options, actions)
    return len(actions)


def compare_documents(ours: ReferenceGame, table: scorer.Table, seed: int, actions: list[Action]) -> Document:
    """Compares both, and returns the standing."""
    theirs = table.standing()
    wanted = ours.document()
    assert project(theirs, wanted) == comparable(wanted), (ours.options, seed, actions)
    assert len(table.legal) == len(wanted["legal"])
    return theirs


def comparable(document: Document) -> Document:
    """The document with `legal` as a multiset: their order is nobody's promise."""
    return {**document, "legal": Counter(canonical(action) for action in document["legal"])}


def canonical(action: dict[str, Any]) -> str:
    kept = {name: action[name] for name in LEGAL_KEYS if name in action}
    for name in ("dice", "from", "cells"):
        if name in kept:
            kept[name] = sorted(kept[name])
    if kept["do"] == "score":
        kept.setdefault("bonus", 0)
    return json.dumps(kept, sort_keys=True)


def project(theirs: Document, wanted: Document) -> Document:
    """What `scorer` says under the keys that the reference knows: more keys are allowed (docs/interfaces.md)."""
    return {
        **{name: theirs[name] for name in ("game", "over", "winners", "to_act")},
        "players": [
            {name: player[name] for name in known}
            for player, known in zip(theirs["players"], wanted["players"], strict=True)
        ],
        "turn": {name: theirs["turn"][name] for name in wanted["turn"]},
        "legal": Counter(canonical(action) for action in theirs["legal"]),
    }


def compare_refusals(
    ours: ReferenceGame, table: scorer.Table, tried: list[Action], seed: int, actions: list[Action]
) -> None:
    """Each is refused by both, or both would do it."""
    for action in tried:
        allowed = ours.allows(action)
        situation = (ours.options, seed, actions, action)
        assert (action in table.legal) == allowed, situation
        if allowed:
            table.do(action)
            table.undo()
        else:
            with pytest.raises(scorer.IllegalAction) as refusal:
                table.do(action)
            assert str(refusal.value), situation


def compare_records(
    rng: random.Random, ours: ReferenceGame, table: scorer.Table, options: dict[str, Any], actions: list[Action]
) -> None:
    """The record, through JSON, stands where the table stands; with one action spoiled, both stop at the same one."""
    record = {"format": 1, "game": ours.key, "options": options, "players": ours.players, "actions": actions}
    assert scorer.Table.from_record(json.loads(json.dumps(record))).standing() == table.standing()
    if not actions:
        return
    fresh = start(ours.key, ours.players, options)
    place = rng.randrange(len(actions))
    changed = [*actions[:place], spoil(rng, fresh, actions[place]), *actions[place + 1 :]]
    if rng.random() < 0.3:
        del changed[place]
    expected, illegal = outcome(fresh, changed)
    record["actions"] = changed
    if not illegal:
        standing = scorer.Table.from_record(record).standing()
        assert project(standing, expected) == comparable(expected), record
        return
    with pytest.raises(scorer.IllegalAction) as refusal:
        scorer.Table.from_record(record)
    assert refusal.value.index == illegal, record


def outcome(game: ReferenceGame, actions: list[Action]) -> tuple[Document, int]:
    """Where the actions lead, and the number of the first illegal one, 0 when there is none."""
    try:
        return replay(game, actions), 0
    except IllegalError as illegal:
        return game.document(), illegal.number
