"""scorer/games/shut_the_box.py: docs/rules.md section 14."""

import copy
import json
import random
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

import scorer
from scorer.games.shut_the_box import BoxRules
from tests.scorer.playing import Action, events, legal, play, refusal_of, scores, table_of, throw, turn
from tests.scorer.reference.hands import Forbidden
from tests.scorer.reference.random_play import random_options
from tests.scorer.reference.shut_the_box import BoxByHand

KEY = "shut-the-box"
ONE_DIE: Action = {"do": "choose", "count": 1}
RECORDS, ACTIONS = 30, 120


def shut(*tiles: Any) -> Action:
    return {"do": "shut", "tiles": list(tiles)}


def with_open(open_: tuple[int, ...], **options: Any) -> scorer.Table:
    """A table on which only these numbers are open, before a throw."""
    table = table_of(KEY, 2, **options)
    table.state = table.state._replace(open=open_)
    return table


def total(player: int, points: int) -> Action:
    return {"do": "adjust", "what": "total", "player": player, "points": points}


def settle(player: int, points: int) -> Action:
    return {"do": "adjust", "what": "turn", "player": player, "points": points}


# --- every throw on every box ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("two_at_most", [False, True])
@pytest.mark.parametrize("tiles", [9, 10, 12])
def test_every_set_of_every_sum_is_found(tiles: int, two_at_most: bool) -> None:
    rules = BoxRules(tiles=tiles, two_at_most=two_at_most)
    for bits in range(1, 1 << tiles, 1 if tiles == 9 else 13):
        open_ = tuple(number for number in rules.all_open if bits >> number - 1 & 1)
        sums: dict[int, list[tuple[int, ...]]] = {}
        for some in product((False, True), repeat=len(open_)):
            shut_ = tuple(number for number, is_shut in zip(open_, some, strict=True) if is_shut)
            if len(shut_) < 3 or not two_at_most:
                sums.setdefault(sum(shut_), []).append(shut_)
        for sum_ in range(1, 13):
            assert sorted(rules.sets(open_, sum_)) == sorted(sums.get(sum_, []))


def test_every_throw_on_every_box_of_nine_lists_its_sets_or_ends_the_turn() -> None:
    """All 511 sets of open numbers, each with all throws that may come then."""
    for bits in range(1, 512):
        open_ = tuple(number for number in range(1, 10) if bits >> number - 1 & 1)
        count = 1 if sum(open_) <= 6 else 2
        for dice in combinations_with_replacement(range(1, 7), count):
            table = with_open(open_)
            assert [entry.get("count") for entry in table.legal] == [count]
            table.do(throw(*dice))
            ways = [
                [number for number, is_shut in zip(open_, each, strict=True) if is_shut]
                for each in product((False, True), repeat=len(open_))
                if sum(number for number, is_shut in zip(open_, each, strict=True) if is_shut) == sum(dice)
            ]
            if not ways:
                assert (scores(table), table.to_act) == ([sum(open_), 0], [1])
                assert events(table)[:2] == ["stuck", "scored"]
                continue
            entries = list(table.legal)
            assert sorted(entry["tiles"] for entry in entries) == sorted(ways)
            for entry in entries:
                assert sorted([*entry["tiles"], *entry["open"]]) == list(open_)


# --- one die or two --------------------------------------------------------------------------------------------------


def test_one_die_may_be_chosen_once_seven_and_more_are_shut() -> None:
    table = with_open((1, 2, 3, 4, 5, 6), one_die="choice")
    assert list(table.legal) == [{"do": "throw", "count": 2}, {"do": "throw", "count": 1}]
    play(table, ONE_DIE)
    assert list(table.legal) == [{"do": "throw", "count": 1}, {"do": "throw", "count": 2}]
    assert refusal_of(table, {"do": "choose", "count": 3}) == "not-in-range"
    assert refusal_of(table, throw(1, 2, 3)) == "wrong-count"
    play(table, throw(6), shut(1, 2, 3))
    assert turn(table)["expects"] == 1, "so it stays, until the player chooses again"
    play(table, throw(5, 1), shut(6))
    assert turn(table)["expects"] == 2, "a throw of two dice chooses them as well"
    play(table, throw(6, 6))
    assert (table.to_act, turn(table)["expects"]) == ([1], 2)
    assert turn(with_open((2,), one_die="choice"))["expects"] == 2
    assert refusal_of(with_open((1, 7), one_die="choice"), ONE_DIE) == "dice-not-chosen-now"
    assert refusal_of(with_open((1, 10), one_die="choice", tiles="twelve"), ONE_DIE) == "dice-not-chosen-now"


# --- refusals --------------------------------------------------------------------------------------------------------


def test_refusals() -> None:
    table = table_of(KEY, 2)
    assert refusal_of(table, shut(9)) == "throw-first"
    assert refusal_of(table, throw(1)) == "wrong-count"
    play(table, throw(6, 3))
    assert refusal_of(table, throw(6, 3)) == "shut-first"
    assert refusal_of(table, ONE_DIE) == "dice-not-chosen-now"
    assert refusal_of(table, shut()) == "tiles-make"
    assert refusal_of(table, shut(8)) == "tiles-make"
    assert refusal_of(table, shut(1, 1, 7)) == "tile-named-twice"
    assert refusal_of(table, shut(10)) == "tile-not-open"
    assert refusal_of(table, shut(True, 8)) == "tile-not-open"
    assert refusal_of(table, shut(9.0)) == "tile-not-open"
    assert refusal_of(table, {"do": "shut", "tiles": 9}) == "tiles-not-a-list"
    assert refusal_of(table, {"do": "shut"}) == "missing-field"
    play(table, shut(8, 1), throw(4, 5))
    assert refusal_of(table, shut(8, 1)) == "tile-not-open"
    assert refusal_of(play(table_of(KEY, two_at_most=True), throw(6, 3)), shut(1, 2, 6)) == "two-tiles-at-most"
    said = refusal_of_text(table, shut(4, 6))
    assert said == "these numbers make 10, and the throw makes 9"


def refusal_of_text(table: scorer.Table, action: Action) -> str:
    with pytest.raises(scorer.IllegalAction) as caught:
        table.do(action)
    return str(caught.value)


# --- whole games by hand ---------------------------------------------------------------------------------------------


def test_a_corrected_throw_keeps_the_worth_of_later_turns() -> None:
    table = play(table_of(KEY, 2), throw(6, 3), shut(9), throw(6, 3), shut(1, 8), settle(0, 20), settle(1, 12))
    corrected = table.proposed(1, throw(6, 4))
    assert corrected.table.scores == [20, 12]
    assert corrected.settled
    assert legal(corrected.table, "throw")


# --- a table with people who settle, come and go, against the second engine ------------------------------------------


def random_action(paper: BoxByHand, rng: random.Random) -> Action:
    player, count = rng.choice([paper.player, rng.randrange(len(paper.scores))]), len(paper.scores)
    if paper.over or rng.random() < 0.25:
        return rng.choice(
            (
                settle(player, rng.randint(0, 30)),
                settle(player, rng.randint(0, 30)),
                total(player, rng.randint(0, 60)),
                {"do": "adjust", "what": "game", "over": not paper.over},
                {"do": "adjust", "what": "turn-skipped", "player": player},
                {"do": "adjust", "what": "player-removed", "player": player},
                {"do": "adjust", "what": "player-added", "name": f"P{count} of {rng.random()}"},
                {"do": "adjust", "what": "order", "players": rng.sample(paper.plays, len(paper.plays))},
                shut(rng.randint(1, 9)),
                ONE_DIE,
            )
        )
    entry = rng.choice(paper.box.legal_while_playing())
    return throw(*(rng.randint(1, 6) for _ in range(entry["count"]))) if entry["do"] == "throw" else entry


def compare(table: scorer.Table, paper: BoxByHand, told: object) -> None:
    standing = table.standing()
    assert (table.scores, table.over) == (paper.scores, paper.over), told
    assert standing["to_act"] == ([] if paper.over else [paper.player]), told
    fell = [paper.fell.get(each, 0) for each in range(len(paper.scores))]
    if "out_at" in standing:
        assert [each["knocked_out"] for each in standing["players"]] == fell, told
    if not paper.over:
        assert standing["turn"]["open"] == sorted(paper.box.up), told
    merits = [(each or 10**6, -score) for each, score in zip(fell, paper.scores, strict=True)]
    for each, player in enumerate(standing["players"]):
        place = 1 + sum(merits[other] > merits[each] for other in paper.plays) if each in paper.plays else None
        assert player["place"] == place, told


def compare_record(seed: int) -> int:
    """One random record; how many actions were done."""
    rng = random.Random(f"{KEY} {seed}")
    options, players = random_options(rng, KEY), rng.randint(1, 4)
    table = scorer.Table(scorer.game(KEY, **options), ["P0", "P1", "P2", "P3"][:players])
    paper = BoxByHand(options, players)
    for _ in range(ACTIONS):
        action = random_action(paper, rng)
        if len(paper.scores) > 5 and action.get("what") == "player-added":
            continue
        before = copy.deepcopy(paper)
        try:
            paper.do(action)
        except Forbidden:
            assert action not in table.legal, (options, table.actions, action)
            paper = before
            continue
        table.do(action)
        compare(table, paper, (options, players, table.actions))
    assert scorer.Table.from_record(json.loads(json.dumps(table.record()))).standing() == table.standing()
    return table.version


def test_tables_with_turns_settled_by_hand_agree_with_the_second_engine() -> None:
    assert sum(compare_record(seed) for seed in range(RECORDS)) > 50 * RECORDS
