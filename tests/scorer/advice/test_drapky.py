from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import scorer
from scorer.advice import drapky, odds
from scorer.advice.chances.drapky_odds import MOST_THROWS, chance_of
from scorer.advice.dice import keeps_of
from scorer.games.drapky import DrapkyState, figures_of
from scorer.keeping import Hand
from tests.scorer.playing import keep, play, table_of, throw


@cache
def by_trying(key: str, dice: tuple[int, ...], throws: int) -> Fraction:
    """The best chance to show a figure with these dice and so many throws left, over every keep and every throw."""
    if key in figures_of(dice):
        return Fraction(1)
    if not throws:
        return Fraction(0)
    return max(kept_by_trying(key, kept, throws) for kept in keeps_of(dice))


@cache
def kept_by_trying(key: str, kept: tuple[int, ...], throws: int) -> Fraction:
    thrown = throws_of(6 - len(kept))
    total = sum(ways * by_trying(key, tuple(sorted(kept + dice)), throws - 1) for dice, ways in thrown.items())
    return Fraction(total) / 6 ** (6 - len(kept))


@cache
def throws_of(count: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))


@pytest.mark.parametrize("key", ["hiroshima", "two-plus-three", "pyramid", "straight", "pairs"])
def test_one_figure_within_two_throws_agrees_with_trying_everything(key: str) -> None:
    for kept in [(1, 1, 1, 6), (2, 3, 4, 5), (6,) * 5]:
        assert chance_of(key, frozenset(), kept, 2) == kept_by_trying(key, kept, 2)


EXACT = frozenset({"two-plus-three", "poker"})


def test_one_throw_of_all_dice() -> None:
    throws = list(product(range(1, 7), repeat=6))
    for key in drapky.KEYS:
        showing = sum(key in figures_of(tuple(sorted(dice))) for dice in throws)
        assert chance_of(key, frozenset(), (), 1) == Fraction(showing, 6**6)


def test_odds_of_a_keep_tell_each_open_figure() -> None:
    table = play(table_of("drapky"), throw(1, 1, 1, 1, 2, 6))
    told = odds(table.game, table.state, 0, keep(1, 1, 1, 1, 6))
    assert told["hiroshima"] == 1 - Fraction(5, 6) ** 2
    assert set(told) == set(drapky.KEYS)
    held = table.state._replace(figures=({"hiroshima": 11},))
    assert "hiroshima" not in odds(table.game, held, 0, keep(1))
    assert odds(table.game, table.state, 0, {"do": "pass"}) == {}


@pytest.fixture(scope="module")
def three() -> drapky.FiguresSolution:
    """Solved for the sets of ones, twos and straight alone."""
    bits = [1 << drapky.KEYS.index(key) for key in ("ones", "twos", "straight")]
    sets = [sum(bit for bit, has in zip(bits, chosen, strict=True) if has) for chosen in product((0, 1), repeat=3)]
    needed = drapky.throws_needed(frozenset(), sets)
    solution = object.__new__(drapky.FiguresSolution)
    needed[drapky.ALL] = 0.0
    solution.__init__(scorer.game("drapky"), needed)
    return solution


def with_open(*keys: str, hand: Hand | None = None) -> DrapkyState:
    held = {key: 1 for key in drapky.KEYS if key not in keys}
    return DrapkyState((held,), (0,), hand=hand or Hand(3))


def test_more_figures_take_more_throws_but_less_than_one_after_the_other(three: drapky.FiguresSolution) -> None:
    ones, twos, both = (
        three.needed[three._open(with_open(*keys), 0)] for keys in (["ones"], ["twos"], ["ones", "twos"])
    )
    assert ones == pytest.approx(twos)
    assert ones < both < ones + twos


def test_many_throws_are_counted_as_with_broken_numbers() -> None:
    """Beyond four throws other whole numbers count."""
    shown = drapky.shown_figures(EXACT).astype(float)
    kept = drapky.before_throw(shown)
    for throws in range(2, MOST_THROWS + 1):
        kept = drapky.before_throw(np.where(shown > 0, 1.0, drapky.best_keep(kept)))
        for dice in ((), (1, 2), (3, 3, 3), (2, 4, 5, 5, 6)):
            told = [float(chance_of(key, EXACT, dice, throws)) for key in drapky.KEYS]
            assert told == pytest.approx(kept[drapky.PLACE[dice]].tolist(), abs=1e-12)


def test_one_figure_takes_the_throws_that_its_chances_say(three: drapky.FiguresSolution) -> None:
    """M of one figure is the sum over t of the chance to need more than t throws, if the way to play is the same."""
    chances = [float(chance_of("straight", frozenset(), (), throws)) for throws in range(1, 12)]
    needed = three.needed[three._open(with_open("straight"), 0)]
    # With an end in sight one would never show it later than without: the sum is no more than M.
    assert 1 + sum(1 - chance for chance in chances) <= needed + 1e-6
    assert needed < 8


def test_a_state_is_worth_its_best_choice_or_the_mean_of_its_throws(three: drapky.FiguresSolution) -> None:
    random = Random(4)
    table = scorer.Table(three.game, ["Ada"])
    table.state = with_open("ones", "twos", "straight", hand=Hand(4))
    for _ in range(30):
        state = table.state
        choices = three.choices(state, 0)
        if choices:
            assert choices[0].value == pytest.approx(three.worth(state, 0), abs=1e-5)
            for choice in choices:
                if choice.action["do"] != "throw":
                    after, _ = three.game.apply(state, choice.action)
                    if choice.action["do"] == "keep":
                        assert three.worth(after, 0) == pytest.approx(choice.value, abs=1e-5)
        count = 0 if state.hand.dice else 6 - len(state.hand.kept or ())
        if 0 < count < 5 and state.hand.throws_left > 1:  # else a turn ends, and J is only about right
            thrown = list(product(range(1, 7), repeat=count))
            after_each = [three.game.apply(state, throw(*dice))[0] for dice in thrown]
            mean = np.mean([three.worth(each, 0) for each in after_each])
            assert mean == pytest.approx(three.worth(state, 0), abs=1e-5)
        if table.over:
            break
        action = dict(choices[0].action) if choices else {"do": "throw"}
        if action["do"] == "throw":
            action = throw(*(random.randint(1, 6) for _ in range(count)))
        table.do(action)


def test_a_solution_is_the_same_when_it_is_read_again(three: drapky.FiguresSolution, tmp_path: Path) -> None:
    three.save(tmp_path / "figures.npz")
    again = drapky.SOLUTION.load(tmp_path / "figures.npz", three.game)
    state = with_open("ones", "straight", hand=Hand(2, (1, 1, 2, 3, 4, 5)))
    assert again.choices(state, 0)[0].action == three.choices(state, 0)[0].action
    assert again.worth(state, 0) == pytest.approx(three.worth(state, 0), abs=1e-4)


def test_the_table_that_rollcall_brings_is_that_of_todays_rules() -> None:
    path = Path(__file__).resolve().parents[3] / "models" / "advice" / "drapky.npz"
    solution = drapky.SOLUTION.load(path, scorer.game("drapky"))
    figures = [drapky.KEYS.index(key) for key in ("pyramid", "general", "pairs")]
    sets = [sum(1 << figure for figure in figures if has >> figure & 1) for has in range(1 << len(drapky.KEYS))]
    sets = sorted(set(sets))
    assert solution.needed[sets] == pytest.approx(drapky.throws_needed(frozenset(), sets)[sets], abs=1e-4)
    # What a whole game leads to: every set of 13 figures, of 12...
    some = np.array([drapky.ALL])
    assert drapky._solve_sets(frozenset(), some, solution.needed)[0] == pytest.approx(
        solution.needed[drapky.ALL], abs=1e-3
    )


@pytest.mark.whole
def test_the_policy_takes_far_fewer_turns_than_the_figures_have_throws_for(three: drapky.FiguresSolution) -> None:
    """All 14 figures within 40 turns, by the table that Rollcall brings: who never saves a throw needs over 90."""
    path = Path(__file__).resolve().parents[3] / "models" / "advice" / "drapky.npz"
    solution, random, turns = drapky.SOLUTION.load(path, three.game), Random(5), []
    for _ in range(4):
        state = three.game.start(1)
        while not state.over:
            choices = solution.choices(state, 0)
            action = choices[0].action if choices else {"do": "throw"}
            if action["do"] == "throw":
                action = throw(*(random.randint(1, 6) for _ in range(6 - len(state.hand.kept or ()))))
            state, _ = three.game.apply(state, action)
        turns.append(state.turns)
    assert 14 <= sum(turns) / len(turns) < 40
