"""The odds of hands against all falls of the dice, thrown by the rules themselves, and best play against all plays."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import scorer
from scorer.advice import has_odds, is_solvable, odds, solve
from scorer.advice.analysis import SUMS, analyse
from scorer.advice.dice import all_throws
from scorer.advice.solution import WrongTable
from scorer.definitions.building import game_from_text
from scorer.definitions.toml_writer import toml_text
from scorer.turns.hand import HandGame
from tests.scorer.playing import BANK, aside, play, table_of, throw
from tests.scorer.reference.hands import Forbidden, HandByHand

Numbers = NDArray[np.float64]
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
    "ship, captain and crew": ("ship-captain-crew", {}),
    "its rounds": ("ship-captain-crew", {"each_round": True}),
    "super addition": ("super-dodawanie", {"target": 60}),
}

# Rules of one round between two, in which all that may happen is tried.
ROUNDS: dict[str, dict[str, Any]] = {
    "the lowest": {"worth": THREES, "keep_at_least": 1, "low_wins": True},
    "the highest": {"worth": [{"points": "sum"}]},
    "thrown as often": {"worth": MEXICO, "keep": "none", "first_sets_throws": True, "ranked": True, "lives": 1},
    "kept in order": {"worth": [{"dice": [6, 5], "points": "rest"}], "dice": 3, "keep": "none", "keep_order": [6, 5]},
    "higher and higher": {"worth": [{"points": "sum"}], "dice": 3, "throws": 2, "keep_at_least": 1, "keep": "growing"},
    "until it fits": {"worth": [{"alike": 2, "points": "max"}], "throws": 0, "keep": "none"},
}


def one_round(**rules: Any) -> dict[str, Any]:
    ends = {} if "lives" in rules else {"target": 1}
    return {"dice": 2, "throws": 3, "counts": "rounds", **ends, **rules}


def chance_of_the_first(paper: HandByHand, tie: Numbers, known: dict[Any, Numbers]) -> Numbers:
    """The first player's chance to win, each player choosing what is best for him. `tie`: once both throw again, tried
    with several values at once."""
    if paper.over:
        return np.full_like(tie, paper.scores[0] > paper.scores[1])
    if paper.tied:
        return tie
    dice = (tuple(sorted(paper.aside)), tuple(sorted(paper.open)), tuple(paper.got.items()))
    key = (paper.player, *dice, paper.fresh, paper.thrown, paper.limit)
    if key not in known:
        ways = [chance_of_the_first(each, tie, known) for each in after_choices(paper)]
        if paper.due():
            throws = [(after(paper, "throw", dice), often) for dice, often in all_throws(paper.due())]
            counted = [(each, often) for each, often in throws if paper.rules["throws"] or not each.fresh]
            mean = sum(often * chance_of_the_first(each, tie, known) for each, often in counted)
            ways.append(mean / sum(often for _, often in counted))
        known[key] = (np.max if paper.player == 0 else np.min)(ways, axis=0)
    return known[key]


def after_choices(paper: HandByHand) -> Iterator[HandByHand]:
    """What may be chosen beside throwing."""
    for count in range(1, len(paper.open)):
        for kept in set(combinations(sorted(paper.open), count)):
            with suppress(Forbidden):
                yield after(paper, "set-aside", kept)
    with suppress(Forbidden):
        yield after(paper, "bank", ())


def after(paper: HandByHand, verb: str, dice: tuple[int, ...]) -> HandByHand:
    then = copy.copy(paper)
    parts = {name: value for name, value in vars(paper).items() if name != "rules"}
    vars(then).update({name: value.copy() for name, value in parts.items() if isinstance(value, list | dict | set)})
    then.do({"do": verb, "dice": list(dice)})
    return then


LARGE = {"thrown as often", "higher and higher"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.whole] if name in LARGE else []) for name in ROUNDS]
)
def test_a_round_between_two_is_won_as_often_as_all_plays_of_it_say(name: str) -> None:
    rules = one_round(**ROUNDS[name])
    text = toml_text({"family": "hand", "title": "Ours", "summary": "Ours.", "rules": rules})
    solution = solve(game_from_text(text, "ours")(), players=2)
    value = solution.value
    same, more = chance_of_the_first(HandByHand(rules, 2), np.array([value, value - 0.1]), {})
    assert same == pytest.approx(value, abs=1e-9)
    assert more > value - 0.1  # there is no other such chance
    assert (solution.unit, solution.exact) == ("win", True)


def test_the_target_is_reached_in_the_turns_that_all_plays_say() -> None:
    rules = {"worth": [{"dice": [1], "points": "rest"}], "dice": 2, "throws": 2, "keep_at_least": 1, "target": 7}
    text = toml_text({"family": "hand", "title": "Ours", "summary": "Ours.", "rules": rules})
    solution = solve(game_from_text(text, "ours")())
    needed = [0.0]
    for lacking in range(1, 8):
        low, high = 1.0, 100.0
        while high - low > 1e-7:  # more turns are needed than are guessed, or fewer
            guesses = np.linspace(low, high, 1001)
            turns = 1 - most_of_a_turn(HandByHand({**rules, "target": 99}, 1), [*needed, guesses], lacking)
            too_few = int(np.sum(turns > guesses))
            low, high = guesses[too_few - 1], guesses[too_few]
        needed.append(low)
    assert solution.value == pytest.approx(-needed[-1], abs=1e-5)
    assert (solution.unit, solution.exact) == ("turns", True)


def most_of_a_turn(paper: HandByHand, needed: list[Any], lacking: int) -> Any:
    """Minus the turns that are needed after this one."""
    if paper.decided:
        return -needed[max(lacking - paper.scores[0], 0)]
    ways = [most_of_a_turn(each, needed, lacking) for each in after_choices(paper)]
    if paper.due():
        falls = [(after(paper, "throw", dice), often) for dice, often in all_throws(paper.due())]
        ways.append(sum(often * most_of_a_turn(each, needed, lacking) for each, often in falls) / 6 ** paper.due())
    return reduce(np.maximum, ways)


def test_a_cargo_is_thrown_again_below_the_mean_of_two_dice() -> None:
    game = scorer.game("ship-captain-crew", rounds=1)
    state, _ = game.apply(game.start(1), throw(6, 5, 4, 1, 1))
    best = solve(game)
    bring = sum(max(a + b, 7) for a, b in product(range(1, 7), repeat=2)) / 36
    assert best.worth(state, 0) == pytest.approx(bring)
    assert solve(scorer.game("ship-captain-crew")).value == pytest.approx(5 * best.value)
    assert [each.action["do"] for each in best.choices(state, 0)] == ["throw", "bank"]


def test_best_play_of_the_pack_is_known() -> None:
    keys = [info.key for info in scorer.all_games() if isinstance(scorer.game(info.key), HandGame)]
    assert len(keys) >= 9
    assert all(has_odds(scorer.game(key)) and is_solvable(scorer.game(key)) for key in keys)


@pytest.mark.parametrize(("key", "players"), [("threes", 2), ("four-twenty-one", 2), ("ship-captain-crew", 1)])
def test_best_play_makes_no_mistake_and_all_else_is_luck(key: str, players: int) -> None:
    table, rng = scorer.Table(scorer.game(key), ["Ada", "Bob"][:players]), random.Random(key)
    solution = solve(table.game, players=players)
    for _ in range(60):
        if table.over:
            break
        choices = solution.choices(table.state, table.to_act[0])
        action = choices[0].action if choices else next(iter(table.legal))
        if action["do"] == "throw":
            action = throw(*(rng.randint(1, 6) for _ in range(action["count"])))
        table.do(action)
    found = analyse(table, solution)
    for player in range(players):
        sums = {name: found.total(player, name) for name in SUMS}
        assert (sums["mistakes"], sums["others"], sums["settled"]) == pytest.approx((0, 0, 0), abs=1e-9)
        assert found.result[player] == pytest.approx(found.start[player] + sums["luck"])


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


@pytest.mark.parametrize(("key", "players"), [("mexico", 2), ("super-dodawanie", 1)])
def test_a_file_keeps_a_solved_hand(key: str, players: int, tmp_path: Path) -> None:
    options = {"target": 40} if key == "super-dodawanie" else {}
    game = scorer.game(key, **options)
    solution, path = solve(game, players=players), tmp_path / "solved.npz"
    solution.save(path)
    again = type(solution).load(path, game)
    state, _ = game.apply(game.start(players), throw(*(3, 5, 1, 1, 2)[: game.rules.dice]))
    assert again.value == pytest.approx(solution.value)
    assert again.choices(state, 0) == solution.choices(state, 0)
    with pytest.raises(WrongTable):
        type(solution).load(path, scorer.game("farkle"))
