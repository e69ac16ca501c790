"""The odds of hands against all falls of the dice, thrown by the rules themselves; `test_laws` has best play."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_solvable, odds, solve
from scorer.definitions.building import game_from_text
from scorer.definitions.toml_writer import toml_text
from scorer.turns.hand import HandGame
from tests.scorer.playing import BANK, aside, play, table_of, throw

THREES = [{"points": "sum - sum(3)", "says": "the sum without threes"}]
MEXICO = [
    {"dice": [2, 1], "points": "21"},
    {"alike": 2, "points": "11 * max", "says": "both digits"},
    {"points": "10 * max + min", "says": "both digits"},
]


def counted(table: scorer.Table, count: int) -> dict[str, Fraction]:
    """The chances of the next throw, each fall done by the rules and then ended by hand where the turn goes on."""
    player, rules = table.to_act[0], table.game.rules
    known = table.state.contest.best(table.state.seats, rules.low_wins != (rules.lives > 0))
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


# Games whose worths follow the laws of `test_laws`.
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "threes": ("threes", {}),
    "shooting the moon": ("threes", {"moon": True, "target": 2}),
    "cee-lo": ("cee-lo", {}),
    "mexico": ("mexico", {"lives": 2}),
    "421": ("four-twenty-one", {"lives": 3}),
    "german chicago": ("german-chicago", {}),
    "ship, captain and crew": ("ship-captain-crew", {"rounds": 2}),
    "its rounds": ("ship-captain-crew", {"each_round": True}),
    "super addition": ("super-dodawanie", {"target": 60}),
}

# Rules of one round, whose worths follow them too.
ROUNDS: dict[str, dict[str, Any]] = {
    "the lowest": {"worth": THREES, "keep_at_least": 1, "low_wins": True},
    "the highest": {"worth": [{"points": "sum"}]},
    "thrown as often": {"worth": MEXICO, "keep": "none", "first_sets_throws": True, "ranked": True, "lives": 1},
    "kept in order": {"worth": [{"dice": [6, 5], "points": "rest"}], "dice": 3, "keep": "none", "keep_order": [6, 5]},
    "higher and higher": {"worth": [{"points": "sum"}], "dice": 3, "throws": 2, "keep_at_least": 1, "keep": "growing"},
    "until it fits": {"worth": [{"alike": 2, "points": "max"}], "throws": 0, "keep": "none"},
}


def round_of(name: str) -> Any:
    ends = {} if "lives" in ROUNDS[name] else {"target": 1}
    rules = {"dice": 2, "throws": 3, "counts": "rounds", **ends, **ROUNDS[name]}
    text = toml_text({"family": "hand", "title": "Ours", "summary": "Ours.", "rules": rules})
    return game_from_text(text, "ours")()


def test_best_play_of_the_pack_is_known() -> None:
    keys = [info.key for info in scorer.all_games() if isinstance(scorer.game(info.key), HandGame)]
    assert len(keys) >= 9
    assert all(has_odds(scorer.game(key)) and is_solvable(scorer.game(key)) for key in keys)


@pytest.mark.parametrize("players", [2, 3, 12])
@pytest.mark.parametrize(
    ("key", "options"), [("mexico", {}), ("cee-lo", {}), ("ship-captain-crew", {"each_round": True})]
)
def test_totals_that_a_person_wrote_are_reckoned_with(key: str, options: dict[str, Any], players: int) -> None:
    game = scorer.game(key, **options)
    solution = solve(game, players=players)
    for total in (1_000_000, -1_000_000):
        state, _ = game.apply(game.start(players), {"do": "adjust", "what": "total", "player": 1, "points": total})
        worths = [solution.worth(state, each) for each in range(players)]
        assert sum(worths) == pytest.approx(1)
        assert state.over or (max(worths) == worths[1]) == (total > 0)


def test_a_lone_player_has_nothing_to_choose_for() -> None:
    game = scorer.game("threes")
    solution = solve(game)
    state, _ = game.apply(game.start(1), throw(1, 2, 3, 4, 5))
    assert (solution.worth(state, 0), solution.choices(state, 0), solution.exact) == (1.0, [], False)
