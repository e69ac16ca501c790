from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import scorer
from scorer.advice.ten_thousand import duel, points, race
from scorer.advice.ten_thousand.turns_needed import TurnsNeeded
from scorer.ten_thousand import TenThousandState
from scorer.tuples import LinkedList
from tests.scorer.playing import ways_to_throw

pytestmark = pytest.mark.whole

SMALL: list[tuple[str, dict[str, Any], int]] = [
    ("ones-and-fives", {"target": 200, "minimum": 100, "bank_with_at_most": 3}, 0),
    ("ones-and-fives", {"target": 150, "minimum": 0, "bank_with_at_most": 6, "finish_round": True}, 100),
    ("six-dice", {"target": 250, "minimum": 100}, 0),
    ("farkle", {"target": 150, "opening": 100}, 150),
]


class WholeGames:
    """Every game of two to its end, by the rules alone: chances to win from value iteration over all states at rest.

    `over`: points beyond the target, or a lead in the last turn, from which the turn is banked as soon as it may be.
    """

    def __init__(self, game: Any, over: int) -> None:
        self.game = game
        self.over = over
        self.moves: dict[TenThousandState, Any] = {}
        self.begun: dict[
            TenThousandState, float
        ] = {}  # the chance of the player to play, at the beginning of each turn

    def chance(self, state: TenThousandState) -> float:
        self.begun.setdefault(state, 0.5)
        while True:
            change, known = 0.0, len(self.begun)
            for each in list(self.begun):
                self.turn: dict[TenThousandState, float] = {}
                found = self.at_rest(each)
                change = max(change, abs(found - self.begun[each]))
                self.begun[each] = found
            if change < 1e-8 and len(self.begun) == known:
                return self.begun[state]

    def at_rest(self, state: TenThousandState) -> float:
        if state not in self.turn:
            full = state.points >= self.full(state)
            banked = 0.0
            if (may := self.game.bank_refusal(state) is None) and state.points:
                banked = self.worth_of_ending(self.game.apply(state, {"do": "bank"})[0], state.player)
            if full and may:
                self.turn[state] = banked
            elif full:
                # No more points are counted, so the turn may lead to itself: the safest way on.
                self.turn[state] = self.full_turn(state)
            else:
                self.turn[state] = max(banked, self.worth_of_throwing(state))
        return self.turn[state]

    def worth_of_throwing(self, state: TenThousandState) -> float:
        if state not in self.moves:
            ways: Counter[frozenset[TenThousandState]] = Counter()
            for offers, number in self.offers_of(state.left).items():
                ways[frozenset(self.state_after(state, *offer) for offer in offers)] += number
            lost = [dice for dice in ways_to_throw(state.left) if not self.game.choices(dice)]
            bust = self.game.apply(state, {"do": "throw", "dice": lost[0]})[0] if lost else state
            self.moves[state] = (list(ways.items()), bust)
        ways_on, bust = self.moves[state]
        total = sum(
            number * (max(map(self.at_rest, states)) if states else self.worth_of_ending(bust, state.player))
            for states, number in ways_on
        )
        return total / 6**state.left

    @cache  # noqa: B019 - lives as long as its test
    def offers_of(self, left: int) -> Counter[frozenset[tuple[int, int, bool]]]:
        """What the throws of so many dice offer: points, dice left and whether they must be thrown; none for a bust."""
        ways: Counter[frozenset[tuple[int, int, bool]]] = Counter()
        before = self.game.start(1)._replace(left=left)
        for dice, number in ways_to_throw(left).items():
            after, _ = self.game.apply(before, {"do": "throw", "dice": dice})
            states = [self.game.apply(after, e)[0] for e in self.game.legal(after)] if after.waiting else [after]
            offers = frozenset((each.points, each.left, each.must_confirm) for each in states)
            ways[frozenset() if after.turns else offers] += number
        return ways

    def state_after(self, state: TenThousandState, gain: int, left: int, confirm: bool) -> TenThousandState:
        points = min(state.points + gain, self.full(state))
        return state._replace(points=points, left=left, must_confirm=confirm, aside=LinkedList(None, (1,)))

    def full_turn(self, state: TenThousandState) -> float:
        places = [state._replace(left=left, must_confirm=confirm) for left, confirm in PLACES]
        for place in places:
            if self.game.bank_refusal(place) is not None:
                self.turn[place] = 0.0
        for _ in range(200):
            for place in places:
                if self.game.bank_refusal(place) is not None:
                    self.turn[place] = self.worth_of_throwing(place)
        return self.turn[state]

    def full(self, state: TenThousandState) -> int:
        """Points of a turn from which more do not matter."""
        opening = 0 if state.banked[state.player] else self.game.rules.opening
        needed = self.game.rules.target + self.over * (not self.at_once(state)) - state.scores[state.player]
        if state.last >= 0:
            needed = state.scores[1 - state.player] - state.scores[state.player] + 50
        return max(needed, opening, self.game.rules.minimum)

    def at_once(self, state: TenThousandState) -> bool:
        end = self.game.rules.end
        return end != "one-more-turn" and not (end == "finish-round" and state.player == 0)

    def worth_of_ending(self, state: TenThousandState, player: int) -> float:
        if state.over:
            winners = self.game.winners(state, self.game.places(state, list(state.scores)))
            return (player in winners) / len(winners)
        begun = state._replace(turns=0, ended=(-1, 0), busts=(0, 0))
        return 1 - self.begun.setdefault(begun, 0.5)


PLACES = [*((left, False) for left in range(1, 7)), (6, True)]


@pytest.mark.parametrize(("key", "options", "over"), SMALL, ids=["at-once", "finish-round", "six-dice", "farkle"])
def test_small_races_agree_with_brute_force_over_whole_games(
    key: str, options: dict[str, Any], over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duel, "OVER", over)
    game: Any = scorer.game(key, **options)
    solution = race.SOLUTION.solve(game)
    assert solution.exact
    brute = WholeGames(game, over)
    expected = brute.chance(game.start(2))
    assert solution.value == pytest.approx(expected, abs=1e-6)
    compared = 0
    for state, chance in brute.begun.items():
        assert solution.worth(state, state.player) == pytest.approx(chance, abs=1e-6), state
        assert solution.worth(state, 1 - state.player) == pytest.approx(1 - chance, abs=1e-6)
        compared += 1
    assert compared >= 8


@pytest.fixture(scope="module")
def farkle() -> race.RaceSolution:
    return race.SOLUTION.solve(scorer.game("farkle", target=1000))


def test_who_is_far_behind_in_the_last_turn_throws_on(farkle: race.RaceSolution) -> None:
    game = farkle.game
    last = game.start(2)._replace(scores=(1000, 300), banked=(True, True), player=1, last=0, turns=9)
    state = last._replace(points=500, left=2, aside=LinkedList(None, (1,)))
    choices = farkle.choices(state, 1)
    assert choices[0].action == {"do": "throw", "count": 2}
    assert choices[1].value == 0
    ahead = farkle.choices(state._replace(points=750), 1)
    assert (ahead[0].action, ahead[0].value) == ({"do": "bank"}, 1.0)


def test_with_three_the_turns_of_the_others_say_how_soon_one_must_be_there(farkle: race.RaceSolution) -> None:
    """Who leads is likelier to win, and who is about to be overtaken risks more."""
    start = farkle.game.start(3)._replace(banked=(True, True, True))
    ahead = farkle.worth(start._replace(scores=(500, 100, 100)), 0)
    assert ahead > farkle.worth(start._replace(scores=(100, 500, 100)), 0)
    turn = start._replace(points=400, left=3, aside=LinkedList(None, (1,)), scores=(0, 0, 0))
    assert farkle.choices(turn, 0)[0].action == {"do": "bank"}
    hurry = turn._replace(scores=(0, 950, 950))
    assert farkle.choices(hurry, 0)[0].action == {"do": "throw", "count": 3}


def test_zilch_counts_busts_in_a_row_against_a_player() -> None:
    solution = race.SOLUTION.solve(scorer.game("zilch", target=1000))
    assert not solution.exact
    start = solution.game.start(2)
    worth = [solution.worth(start._replace(busts=(busts, 0)), 0) for busts in (0, 1, 2)]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] - worth[2] > 0.01


def test_what_turns_bring_has_the_mean_of_the_solved_turn() -> None:
    for key in ("ones-and-fives", "farkle", "six-dice"):
        solution = points.SOLUTION.solve(scorer.game(key))
        brought = TurnsNeeded(solution.turns, 200).turn
        assert brought.sum() == pytest.approx(1)
        assert sum(steps * 50 * chance for steps, chance in enumerate(brought)) == pytest.approx(
            solution.value, abs=0.01
        )


SHIPPED = Path(__file__).resolve().parents[4] / "models" / "advice"


@pytest.mark.parametrize("key", ["ones-and-fives", "six-dice", "farkle", "zilch"])
def test_the_tables_that_rollcall_brings_are_those_of_todays_rules(key: str) -> None:
    """Each standing is worth what one turn from it leads to: so for standings of every size, drawn at random."""
    solution = race.SOLUTION.load(SHIPPED / f"{key}-race.npz", scorer.game(key))
    random = Random(9)
    for _ in range(6):
        scores = tuple(50 * random.randrange(20, 200) for _ in range(2))
        state = solution.game.start(2)._replace(scores=scores, banked=(True, True))
        places = tuple(score // 50 - solution.race.rules.lowest for score in scores)
        assert solution.worth(state, 0) == pytest.approx(
            solution.race.chance[(0, *places)], abs=2e-4 if key == "zilch" else 2e-5
        )


def test_a_total_near_the_most_that_may_be_settled_is_advised_on() -> None:
    """Tables from before totals by hand were bounded may hold such totals."""
    table = scorer.Table(scorer.game("farkle"), ["Ada", "Bob", "Cyd"])
    for player, total in enumerate((995_000, 999_999, 0)):
        table.do({"do": "adjust", "what": "total", "player": player, "points": total})
    solution = race.SOLUTION.load(SHIPPED / "farkle-race.npz", table.game)
    assert 0 <= solution.worth(table.state, 0) <= 1
    table.do({"do": "throw", "dice": [1, 5, 2, 3, 4, 6]})
    assert solution.choices(table.state, 0)
