"""Counters: published values, and that each worth is the mean of what throws lead to, up to the end by the rules."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.advice import is_solvable, odds, solve
from scorer.advice.dice import all_throws
from scorer.counter import CounterGame, CounterState
from scorer.definitions.shapes import LocalText
from scorer.definitions.value_table import Worth
from scorer.rounds_won import RoundsWon


def worth(points: str, bust: int = 0) -> tuple[Worth, ...]:
    """A value table of one line, and of one before it by which a face is a bust."""
    first = (Worth(dice=((bust,),), points="bust"),) if bust else ()
    return (*first, Worth(points=points, says=LocalText((("en", "in words"),))))


def counter(key: str, **rules: Any) -> CounterGame:
    game = scorer.game(key)
    assert isinstance(game, CounterGame)
    changed = replace(game.rules, **rules)
    return (RoundsWon if changed.counts == "rounds" else CounterGame)(game.kind, changed, game.settings)


def thrown(game: CounterGame, state: CounterState) -> list[tuple[float, CounterState]]:
    """The states after each throw, with their chances."""
    every = 6**state.left
    return [
        (ways / every, game.apply(state, {"do": "throw", "dice": dice})[0]) for dice, ways in all_throws(state.left)
    ]


# --- published -------------------------------------------------------------------------------------------------------


def test_pig_is_won_as_often_as_published() -> None:
    """Neller and Presser, Optimal Play of the Dice Game Pig: 0.5306 for the player who begins."""
    assert solve(scorer.game("pig"), players=2).value == pytest.approx(0.530593, abs=1e-6)


def test_the_chance_to_hold_at_twenty_is_the_published_one() -> None:
    """The same source: a turn held at 20 is lost with a chance of 0.6245."""
    game = scorer.game("pig", target=20)
    assert float(odds(game, game.start(1), 0, {"do": "throw", "count": 1})["target"]) == pytest.approx(
        1 - 0.6245, abs=5e-5
    )


def test_a_lone_turn_is_held_at_twenty() -> None:
    """The most points a turn: at 20 points throwing and banking are worth the same."""
    solution = solve(counter("pig", rounds=1, target=0))
    assert solution.value == pytest.approx(8.14, abs=5e-3)
    for points, best in ((19, "throw"), (21, "bank")):
        state = counter("pig", rounds=1, target=0).start(1)._replace(points=points, throw=(6,))
        assert solution.choices(state, 0)[0].action["do"] == best
    state = state._replace(points=20)
    assert solution.choices(state, 0)[0].value == pytest.approx(solution.choices(state, 0)[1].value)


@pytest.mark.parametrize(
    ("key", "mean"),
    [
        ("drop-dead", 16.06),  # the published mean of five dice
        ("chicago", sum((6 - abs(7 - total)) / 36 * total for total in range(2, 13))),
        ("going-to-boston", 1071 / 216 + 161 / 36 + 3.5),  # the highest of three dice, of two, and one
    ],
)
def test_the_mean_of_a_game_without_choices(key: str, mean: float) -> None:
    game = scorer.game(key, **({"totals": True} if key == "going-to-boston" else {}))
    assert solve(game).value == pytest.approx(mean, abs=5e-3)


# --- the odds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low_wins", [False, True])
def test_the_odds_of_a_round_are_those_of_every_throw(low_wins: bool) -> None:
    game = counter("going-to-boston", low_wins=low_wins)
    state = game.start(3)
    assert odds(game, state, 0, {"do": "throw", "count": 3}) == {"six": Fraction(91, 216)}
    for dice in ([6, 2, 2], [4, 1], [3]):
        state, _ = game.apply(state, {"do": "throw", "dice": dice})
    state, _ = game.apply(state, {"do": "throw", "dice": [5, 5, 1]})
    lead = tie = 0
    for two in product(range(1, 7), repeat=2):
        for one in range(1, 7):
            points = 5 + max(two) + one
            lead += points < 13 if low_wins else points > 13
            tie += points == 13
    chances = {"six": Fraction(11, 36), "lead": Fraction(lead, 216), "tie": Fraction(tie, 216)}
    assert odds(game, state, 1, {"do": "throw", "count": 2}) == chances


def test_the_odds_of_a_throw() -> None:
    pig, two = scorer.game("pig"), scorer.game("two-dice-pig")
    throw = {"do": "throw", "count": 1}
    assert odds(pig, pig.start(2), 0, throw) | {"target": 0} == {
        "bust": Fraction(1, 6),
        "score": Fraction(5, 6),
        "target": 0,
    }
    told = odds(two, two.start(2), 0, throw)
    assert (told["bust"], told["all-lost"]) == (Fraction(10, 36), Fraction(1, 36))
    assert odds(pig, pig.start(2)._replace(points=6, throw=(6,)), 0, {"do": "bank"}) == {}
    near = pig.start(2)._replace(scores=(96, 0))
    # A 4, 5 or 6; or a 2 or 3, and then any but a 1.
    assert odds(pig, near, 0, throw)["target"] == Fraction(3, 6) + Fraction(2, 6) * Fraction(5, 6)


@pytest.mark.parametrize(
    "key", ["pig", "two-dice-pig", "drop-dead", "bunco", "chicago", "going-to-boston", "fifty", "hog"]
)
def test_the_odds_are_those_of_every_fall(key: str) -> None:
    game, rng = counter(key), random.Random(key)
    state = game.start(2)
    for _ in range(60):
        if state.over:
            state = game.start(2)
        told = odds(game, state, state.player, {"do": "throw", "count": state.left})
        after = thrown(game, state)
        ended = [(chance, each) for chance, each in after if each.turns > state.turns]
        lost = -state.scores[state.player]
        wiped = sum(chance for chance, each in ended if lost and each.ended[1] == lost)
        if lost:
            assert float(told.get("all-lost", 0)) == pytest.approx(wiped)
        if game.rules.worth[0].busts and state.points and lost:
            bust = sum(chance for chance, each in ended if each.ended[1] == 0)
            assert float(told["bust"]) == pytest.approx(bust)
        dice = rng.choices(range(1, 7), k=state.left)
        state, _ = game.apply(state, {"do": "throw", "dice": dice})


def test_odds_are_told_after_a_player_has_joined() -> None:
    table = scorer.Table(scorer.game("sequence"), ["Ada", "Bob"])
    table.do({"do": "adjust", "what": "player-added", "name": "Eva"})
    assert odds(table.game, table.state, 0, {"do": "throw", "count": 6})["score"] > 0


# --- best play -------------------------------------------------------------------------------------------------------

TOTALS: dict[str, Any] = {"counts": "totals", "round_target": 0}
ONE_POINT = (Worth(dice=((1,),), points="1"), Worth(points="sum"))
GAMES: dict[str, Any] = {
    "pig": counter("pig", target=12),
    "pig played out": counter("pig", target=9, end="finish-round"),
    "pig for three turns": counter("pig", target=0, rounds=3),
    "two dice": counter("two-dice-pig", target=20),
    "two dice played out": counter("two-dice-pig", target=14, end="finish-round"),
    "sevens, one more turn": scorer.game("pig-sevens", target=20),
    "the highest": counter("pig", dice=2, worth=worth("max", bust=1), target=10),
    "sums of sixes": counter("pig", dice=2, worth=worth("sum(wanted)", bust=1), wanted=(6,), target=30),
    "wanted in turn": counter("pig", dice=2, worth=worth("sum(wanted)", bust=1), wanted=(5, 6), target=0, rounds=4),
    "bunco": counter("bunco", rounds=3, **TOTALS),
    "bunco to 12": counter("bunco", rounds=0, target=12, **TOTALS),
    "bunco to 2, played out": counter("bunco", rounds=0, target=2, end="finish-round", **TOTALS),
    "chicago, the lowest": counter("chicago", rounds=4, low_wins=True),
    "boston": scorer.game("going-to-boston", rounds=2, totals=True),
    "boston, rounds won": counter("going-to-boston", rounds=3),
    "boston, two won": counter("going-to-boston", rounds=0, target=2),
    "chicago, rounds won": counter("chicago", rounds=2, counts="rounds", low_wins=True),
    "bunco, rounds won": counter("bunco", rounds=2, round_target=0),
    "bunco, rounds to 4": counter("bunco", rounds=3, round_target=4),
    "highest dice, rounds to 9": counter(
        "bunco", rounds=0, target=2, worth=worth("max"), turn="one-throw", round_target=9
    ),
    "doubles again": scorer.game("two-dice-pig", target=20, alike_again=True),
    "some faces": counter("pig", dice=2, worth=worth("sum(2) + sum(4)", bust=1), target=10),
    "wiped by two": counter("pig", dice=2, wiped_by=(6, 6), target=20),
    "drop dead to 15": counter("drop-dead", dice=3, rounds=0, target=15),
    "drop dead with losses": counter("drop-dead", dice=3, worth=worth("sum", bust=6), wiped_by=(4, 4)),
    "sequence": scorer.game("sequence", target=40),
    "sequence, wiped by three ones": scorer.game("sequence", target=40, three_ones_wipe=True),
    "sequence, played out": scorer.game("sequence", target=15, three_ones_wipe=True, finish_round=True),
    "hog": counter("hog", dice=3, target=12),
    "hog, a point for a one": counter("hog", dice=3, target=9, worth=ONE_POINT),
    "hog played out": counter("hog", dice=2, target=9, end="finish-round"),
    "hog banked": counter("hog", dice=3, target=12, turn="bank", worth=worth("sum", bust=1)),
    "hog banked, doubles again": counter(
        "hog", dice=2, target=12, turn="bank", worth=worth("sum", bust=1), alike_again=True
    ),
    "centennial": counter("centennial", wanted=(1, 2, 3, 4, 3, 5), target=6),
    "centennial, again": counter("centennial", wanted=(1, 2, 3, 4, 3, 5), target=6, turn="while-it-counts"),
    "clock": counter("round-the-clock", wanted=(1, 2, 3, 7), target=4),
    "clock, again": counter("round-the-clock", wanted=(1, 2, 3, 7), target=4, turn="while-it-counts"),
    "fifty": counter("fifty"),
    "fifty played out": counter("fifty", target=15, end="finish-round"),
}


# Rounds that are won by turns which are banked: best play of more than two is about theirs.
BANKED: dict[str, Any] = {
    "macao": scorer.game("macao"),
    "twenty-one": scorer.game("twenty-one", rounds=2),
    "two dice of twenty-one": scorer.game("twenty-one", limit=12, two_dice=True),
    "pig to 9": counter("macao", worth=worth("sum", bust=1), target=2),
}


def test_the_odds_of_a_turn_with_a_limit() -> None:
    game = scorer.game("macao")
    state = game.start(2)._replace(points=5, throw=(5,))
    assert odds(game, state, 0, {"do": "throw", "count": 1}) == {"bust": Fraction(1, 3), "score": Fraction(2, 3)}
    assert odds(game, game.start(2), 0, {"do": "throw", "count": 1}) == {}


@pytest.mark.parametrize(
    "rules",
    [
        {"rounds": 5},  # beside the target
        {"low_wins": True},
        {"worth": worth("sum"), "rounds": 1, "target": 0},  # a turn could go on for ever
        {"target": 600},
        {"worth": worth("0")},
        {"choose_dice": True, "rounds": 5, "target": 0},
        {"choose_dice": True, "dice": 2, "worth": worth("sum - sum(2)")},  # a throw that changes nothing
        {"end": "one-more-turn", "turn": "one-throw"},
        {"limit": 20},  # with totals
        {"limit": 20, "counts": "rounds", "target": 2, "low_wins": True},
        {"limit": 20, "counts": "rounds", "target": 2, "worth": worth("sum - sum(2)")},
        {"limit": 20, "counts": "rounds", "target": 2, "round_target": 30},
        {"counts": "rounds", "round_target": 21, "turn": "one-throw", "target": 2, "worth": worth("0")},
    ],
)
def test_what_is_not_solved_has_no_advice(rules: dict[str, Any]) -> None:
    assert not is_solvable(counter("pig", **rules))
