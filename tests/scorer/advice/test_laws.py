"""What holds for every solution: its choices are the legal actions, and each worth is that of what follows, up to the
end by the rules. That leaves one solution. And a file keeps it as it is."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_solvable, knaster, shut_the_box, solve
from scorer.advice.dice import all_throws
from scorer.advice.reports import choices_of
from scorer.advice.solution import Solution, WrongTable
from scorer.advice.ten_thousand import points, race
from scorer.jokers import NO_JOKERS
from scorer.races import AT_ONCE
from scorer.turns.hand import HandGame
from tests.scorer.advice import test_hands
from tests.scorer.advice.counter import test_counters
from tests.scorer.advice.sheet import test_columns, test_one_column, test_other_sheets
from tests.scorer.advice.solved import random_solution
from tests.scorer.advice.ten_thousand import test_fewest, test_race

pytestmark = pytest.mark.whole

# Solutions whose numbers mean nothing: for what must hold whatever they are.
RANDOM: dict[str, Any] = {"throws": False, "states": 60}


@dataclass(frozen=True)
class Case:
    """A solution of `game` for so many players. `close`: to what its worths agree; `most`: choices of a state that are
    looked at, 0 where worths are estimates; `alike`: how often dice fall alike; `throws`: whether a throw is worth the
    mean of what follows; `states`: how many are looked at."""

    game: Any
    solve: Callable[[], Solution[Any]]
    players: int = 1
    close: float = 2e-6
    most: int = 40
    alike: float = 0.0
    throws: bool = True
    states: int = 10


def case(game: Any, solved: Callable[..., Solution[Any]], *rest: Any, **more: Any) -> Case:
    return Case(game, cache(partial(solved, game)), *rest, **more)


def solved_case(game: Any, players: int, *rest: Any) -> Case:
    return case(game, partial(solve, players=players), players, *rest)


def hand_case(game: Any, players: int) -> Case:
    exact = players == 2 or game.rules.counts == "totals"
    return case(game, partial(solve, players=players), players, 1e-6, 40 if exact else 0, throws=exact)


def cases() -> dict[str, Case]:
    found = {}
    for players in (1, 2, 3):
        games = {**test_counters.GAMES, "forbidden numbers": scorer.game("forbidden-numbers", rounds=1)}
        found |= {f"{name}, {players}": solved_case(game, players) for name, game in games.items()}
    for name, sheet in test_other_sheets.GAMES.items():
        found[name] = solved_case(sheet, 2, 1e-6, 6, 0.3 if sheet.jokers is not NO_JOKERS else 0.0)
    for name, game in test_fewest.GAMES.items():
        found[name] = solved_case(game, 1, 1e-5)
    for key in ("ones-and-fives", "six-dice", "farkle", "zilch", "greed", "zonk"):
        found[key] = case(scorer.game(key), points.SOLUTION.solve, 2, 1e-5)
    farkle = scorer.game("farkle", target=1000)
    for each in (2, 3, 4):  # with three, the others' turns are estimated
        exact = each == 2
        found[f"race of {each}"] = case(farkle, race.SOLUTION.solve, each, 1e-5, 40 if exact else 0, throws=exact)
    for name, game in test_race.SMALL.items():
        found[f"race: {name}"] = case(game, race.SOLUTION.solve, 2, 1e-5)
    for key in ("maxi-yatzy", "yatzy-six-dice", "balut", "yamb"):  # too large to be solved
        found[f"estimated: {key}"] = case(scorer.game(key), partial(solve, players=2), 2, 1e-6, 5, throws=False)
    for name, sheet in test_one_column.GAMES.items():
        found[f"column: {name}"] = case(sheet, random_solution, 1, 1e-6, 12, 0.4, **RANDOM)
    for name, sheet in test_columns.GAMES.items():
        found[f"columns: {name}"] = case(sheet, test_columns.random_solution, 1, 1e-6, 8, 0.4, **RANDOM)
    hands = {name: scorer.game(key, **options) for name, (key, options) in test_hands.GAMES.items()}
    for name, game in {**hands, **test_counters.BANKED}.items():
        found |= {f"{name}, {players}": hand_case(game, players) for players in (2, 3)}
    found |= {f"round: {name}": hand_case(test_hands.round_of(name), 2) for name in test_hands.ROUNDS}
    box = scorer.game("shut-the-box", ends="five-rounds", tiles="ten")
    found["box"] = case(box, shut_the_box.SOLUTION.solve, 2)
    choice = scorer.game("shut-the-box", ends="one-round", one_die="choice")
    found["box of choice"] = case(choice, shut_the_box.SOLUTION.solve, 2, most=0)  # dice may be chosen back
    for counts in (True, False):
        game = scorer.game("skunk", rounds=3, first_throw_counts=counts)
        found[f"skunk, {counts}"] = solved_case(game, 3)
    return {**found, "knaster": case(scorer.game("knaster"), knaster.SOLUTION.solve, 2, most=0)}


CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_each_worth_is_that_of_what_follows(name: str) -> None:
    of, rng = CASES[name], random.Random(name)
    assert is_solvable(of.game)
    assert has_odds(of.game)
    state, seen = of.game.start(of.players), 0
    while seen < of.states:
        if state.over or rng.random() < 0.5:
            seen += 1
            for player in range(of.players):
                follows(of, state, player, rng)
        state = of.game.start(of.players) if state.over else played_on(of, state, rng)


def played_on(of: Case, state: Any, rng: random.Random) -> Any:
    """The state after a random action, each kind as likely as another."""
    entries = of.game.legal(state)
    kind = rng.choice(sorted({each["do"] for each in entries}))
    if kind != "throw":
        action = rng.choice([each for each, _ in choices_of(of.game, state) if each["do"] == kind])
        return of.game.apply(state, action)[0]
    count = next(each["count"] for each in entries if each["do"] == "throw")
    dice = rng.choices(range(1, 7), k=count)
    dice = dice[:1] * len(dice) if rng.random() < of.alike else dice
    return of.game.apply(state, {"do": "throw", "dice": dice})[0]


def follows(of: Case, state: Any, player: int, rng: random.Random) -> None:
    game, solution = of.game, of.solve()
    worth = solution.worth(state, player)
    if solution.unit == "win":
        assert 0 <= worth <= 1
        assert sum(solution.worth(state, each) for each in range(of.players)) == pytest.approx(1)
    if state.over:
        assert worth == pytest.approx(at_the_end(of, state, player))
        return
    choices = []
    if player in game.to_act(state):
        choices = solution.choices(state, player)
        legal = [plain(each) for each, _ in choices_of(game, state) if each.get("player", player) == player]
        assert sorted(legal) == sorted(plain(each.action) for each in choices)
    elif solution.unit != "win":  # nobody's choices change what others still get
        for action, _ in list(choices_of(game, state))[: of.most]:
            later = state if action["do"] == "throw" else game.apply(state, action)[0]
            if not later.over:
                assert worth == pytest.approx(solution.worth(later, player), abs=of.close, rel=1e-6)
    values = [each.value for each in choices]
    assert values == sorted(values, reverse=True)
    assert values[:1] == pytest.approx([worth][: len(values)], abs=of.close, rel=1e-6)
    for choice in rng.sample(choices, min(of.most, len(choices))):
        assert choice.value == pytest.approx(after(of, state, choice.action, player), abs=of.close, rel=1e-6)
    entry, *others = game.legal(state)
    if of.throws and entry["do"] == "throw" and not others:
        assert worth == pytest.approx(after(of, state, entry, player), abs=of.close, rel=1e-6)


def after(of: Case, state: Any, action: Mapping[str, Any], player: int) -> float:
    """The worth of the state after an action; of a throw, the mean. Of a hand, dice are set aside to throw the rest."""
    if action["do"] == "set-aside" and isinstance(of.game, HandGame):
        state, _ = of.game.apply(state, action)
        action = next(each for each in of.game.legal(state) if each["do"] == "throw")
    if action["do"] != "throw":
        return of.solve().worth(of.game.apply(state, action)[0], player)
    fallen = [
        (of.game.apply(state, {"do": "throw", "dice": dice})[0], ways) for dice, ways in all_throws(action["count"])
    ]
    return sum(ways * of.solve().worth(each, player) for each, ways in fallen) / 6 ** action["count"]


def at_the_end(of: Case, state: Any, player: int) -> float:
    """What the rules say of a game that is over."""
    game, solution, scores = of.game, of.solve(), of.game.scores(state)
    if solution.unit == "points":
        return float(game.merits(state, scores)[player])
    if solution.unit == "win":
        winners = game.winners(state, game.places(state, scores))
        return (player in winners) / len(winners)
    if scores[player] < game.rules.target:  # the others would go on
        return solution.worth(state, player)
    return -float(state.turns if of.players == 1 else solution.turns_had(state, player))


def plain(action: Mapping[str, Any]) -> str:
    return json.dumps(action, sort_keys=True)


@pytest.mark.parametrize("name", test_fewest.GAMES)
def test_the_fewest_turns_are_exact_where_the_target_ends_the_game(name: str) -> None:
    solution = CASES[name].solve()
    assert (solution.unit, solution.exact) == ("turns", CASES[name].game.end in AT_ONCE)


def test_whatever_is_lacking_a_turn_is_worth_what_follows() -> None:
    of = CASES["super addition, 2"]
    for total in range(of.game.rules.target):
        state = played_on(of, of.game.start(2), random.Random(total))
        wrote = {"do": "adjust", "what": "total", "player": 1, "points": total}
        follows(of, of.game.apply(state, wrote)[0], 1, random.Random(total))


OTHERS = {
    "pig, 2": test_counters.counter("pig", target=13),
    "both": scorer.game("tysiac", target=105, exact_end=True),
    "farkle": scorer.game("farkle", opening=600),
    "mexico, 2": scorer.game("farkle"),
    "super addition, 2": scorer.game("farkle"),
    "race of 2": scorer.game("farkle", target=1500),
    "knaster": scorer.game("farkle"),
    "skunk, True": scorer.game("skunk"),
}


@pytest.mark.parametrize("name", [*OTHERS, "ones-and-fives", "six-dice", "zilch"])
def test_a_file_keeps_a_solution_as_it_is(name: str, tmp_path: Path) -> None:
    of, rng = CASES[name], random.Random(name)
    solution, path, state = of.solve(), tmp_path / "solved.npz", of.game.start(of.players)
    solution.save(path)
    again = type(solution).load(path, of.game)
    assert again.value == pytest.approx(solution.value, abs=1e-6)
    while not solution.choices(state, state.player if hasattr(state, "player") else 0):
        state = played_on(of, state, rng)
    chosen, kept = ({plain(each.action): each.value for each in one.choices(state, 0)} for one in (solution, again))
    assert kept == pytest.approx(chosen, abs=1e-4)
    if name in OTHERS:
        with pytest.raises(WrongTable):
            type(solution).load(path, OTHERS[name])
