"""The odds of hands against all falls of the dice, thrown by the rules themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_solvable, odds
from tests.scorer.playing import BANK, aside, play, table_of, throw


def counted(table: scorer.Table, count: int) -> dict[str, Fraction]:
    """The chances of the next throw, each fall done by the rules and then ended by hand where the turn goes on."""
    player, rules = table.to_act[0], table.game.rules
    known = table.state.contest.best(table.state.seats, rules.low_wins != (rules.counts == "lives"))
    wanted = table.state.contest.points_of(known[0]) if known else None
    sums = dict.fromkeys(("lead", "tie", "bust", "fits", "every", "all"), 0)
    for dice in product(range(1, 7), repeat=count):
        state, events = table.game.apply(table.state, throw(*dice))
        sums["all"] += 1
        if any(event["event"] == "too-low" for event in events):
            sums["bust"] += 1
        if state.turns == table.state.turns:
            if "bank" not in table.game.actions:
                continue  # thrown again
            _, events = table.game.apply(state, BANK)
        sums["every"] += 1
        turn = next(event for event in events if event["event"] == "turn")
        assert turn["player"] == player
        worth = turn.get("round_points", turn["points"])
        sums["fits"] += worth != 0
        if wanted is not None:
            sums["lead"] += worth < wanted if rules.low_wins else worth > wanted
            sums["tie"] += worth == wanted
    found = {"lead": Fraction(sums["lead"], sums["every"]), "tie": Fraction(sums["tie"], sums["every"])}
    found |= {"bust": Fraction(sums["bust"], sums["all"]), "score": Fraction(sums["fits"], sums["all"])}
    return found


CASES: list[tuple[str, dict[str, Any], list[dict[str, Any]], set[str]]] = [
    ("mexico", {}, [throw(5, 4), BANK], {"lead", "tie"}),
    ("threes", {}, [throw(1, 1, 3, 3, 2), BANK, throw(3, 3, 6, 5, 1), aside(3, 3)], {"lead", "tie"}),
    ("cee-lo", {}, [throw(1, 1, 4)], {"lead", "tie", "score"}),
    ("german-chicago", {}, [throw(1, 6, 2), BANK], {"lead", "tie"}),
    ("super-dodawanie", {}, [throw(3, 3, 3, 4, 4), aside(4, 4)], {"bust"}),
    ("ship-captain-crew", {}, [throw(6, 4, 4, 1, 1)], {"score"}),
    (
        "midnight",
        {"ends": "three-won"},
        [throw(6, 6, 6, 5, 1, 4), BANK, throw(1, 4, 6, 2, 2, 2), aside(1, 4, 6)],
        set(),
    ),
]


@pytest.mark.parametrize(("key", "options", "actions", "names"), CASES, ids=[each[0] for each in CASES])
def test_the_chances_of_the_next_throw_are_those_of_all_falls(
    key: str, options: dict[str, Any], actions: list[dict[str, Any]], names: set[str]
) -> None:
    table = play(table_of(key, 2, **options), *actions)
    entry = next(each for each in table.legal if each["do"] == "throw")
    found = odds(table.game, table.state, table.to_act[0], entry)
    told = counted(table, entry["count"])
    assert set(found) == (names or {"lead", "tie"})
    assert found == {name: told[name] for name in found}
    assert odds(table.game, table.state, table.to_act[0], BANK) == {}


def test_a_set_aside_has_the_chances_of_its_throw() -> None:
    table = play(table_of("threes", 2), throw(1, 1, 3, 3, 2), BANK, throw(3, 3, 6, 5, 1))
    found = odds(table.game, table.state, 1, aside(3, 3))
    after = play(table, aside(3, 3))
    assert found == odds(after.game, after.state, 1, {"do": "throw", "count": 3})


def test_hands_have_odds_and_no_best_play_yet() -> None:
    game = scorer.game("threes")
    assert (has_odds(game), is_solvable(game)) == (True, False)
