"""`scorer` against the naive second implementation in `reference`: random games, compared action by action.

The random play is driven by what the reference says is legal, so that a legal action that `scorer` forgot is tried as
well; nonsense and spoiled actions are tried beside it, and both must refuse the same. `make soak` plays thousands.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest
from reference import GAMES, Action, Document, IllegalError, ReferenceGame, replay, start
from reference.random_play import RandomPlay, nonsense, random_options, random_players, spoiled

import scorer

QUICK_RECORDS = 8
QUICK_ACTIONS = 150
SOAK_BATCHES = 20
SOAK_RECORDS = 60
SOAK_ACTIONS = 1500
# Of every game: names that all actions of interfaces.md may bring along in `legal`.
LEGAL_KEYS = (
    *("do", "count", "dice", "points", "dice_left", "from"),
    *("category", "column", "bonus", "player", "cell", "line", "cells"),
)


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


def compare_game(key: str, seed: int, most_actions: int) -> int:
    """Plays one random game on both and compares after every action. Returns the number of actions."""
    rng = random.Random(f"{key} {seed}")
    options, players = random_options(rng, key), random_players(rng, key)
    play = RandomPlay(rng)
    ours = start(key, players, options)
    table = scorer.Table(scorer.game(key, **options), players)
    actions: list[Action] = []
    while True:
        compare_documents(ours, table, seed, actions)
        action = {"do": "throw", "dice": [1, 2, 3, 4, 5, 6]} if ours.over else play.action(ours)
        tried = [nonsense(rng, ours), nonsense(rng, ours), spoiled(rng, ours, action)]
        compare_refusals(ours, table, tried, seed, actions)
        if ours.over or len(actions) == most_actions:
            break
        actions.append(action)
        ours.do(action)
        table.do(copy.deepcopy(action))
    compare_records(rng, ours, table, options, actions)
    return len(actions)


def compare_documents(ours: ReferenceGame, table: scorer.Table, seed: int, actions: list[Action]) -> None:
    theirs = table.standing()
    wanted = ours.document()
    assert projected(theirs, wanted) == comparable(wanted), (ours.options, seed, actions)
    assert len(table.legal) == len(wanted["legal"])


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


def projected(theirs: Document, wanted: Document) -> Document:
    """What `scorer` says under the keys that the reference knows: more keys are allowed (interfaces.md)."""
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
    """Each is refused by both, or both would do it. Neither is changed by being asked."""
    before = table.standing()
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
    assert table.standing() == before, (ours.options, seed, actions, tried)


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
    changed = [*actions[:place], spoiled(rng, fresh, actions[place]), *actions[place + 1 :]]
    if rng.random() < 0.3:
        del changed[place]
    first_illegal = None
    try:
        expected = replay(fresh, changed)
    except IllegalError as illegal:
        first_illegal = illegal.number
    record["actions"] = changed
    if first_illegal is None:
        standing = scorer.Table.from_record(record).standing()
        assert projected(standing, expected) == comparable(expected), record
        return
    with pytest.raises(scorer.IllegalAction) as refusal:
        scorer.Table.from_record(record)
    assert refusal.value.index == first_illegal, record
