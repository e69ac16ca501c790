"""Races from files: exact ends, hot dice, forced set-asides and penalties, against whole games reckoned again."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.advice import odds
from scorer.advice.ten_thousand.points import TurnSolution
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.sentences import sentence

TABLE = """
[[rules.combination]]
dice = [1]
points = 100

[[rules.combination]]
dice = [5]
points = 50

[[rules.combination]]
alike = 3
points = [1000, 200, 300, 400, 500, 600]
"""


def race(rules: str, **options: Any) -> Any:
    text = f'family = "ten-thousand"\ntitle = "Ours"\nsummary = "Ours."\n[rules]\n{rules}\n{TABLE}'
    return game_from_text(text, "ours")(**options)


def worth(dice: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """Every part of a throw that scores with all of its dice, by the table above alone."""
    parts: dict[tuple[int, ...], int] = {}
    for chosen in product((False, True), repeat=len(dice)):
        part = tuple(sorted(die for die, taken in zip(dice, chosen, strict=True) if taken))
        counts = {face: part.count(face) for face in part}
        if not part or any(count % 3 for face, count in counts.items() if face not in (1, 5)):
            continue
        points = 0
        for face, count in counts.items():
            single = {1: 100, 5: 50}.get(face, 0)
            points += count // 3 * (1000 if face == 1 else 100 * face) + count % 3 * single
        parts[part] = points
    return parts


def at(game: Any, total: int, *actions: dict[str, Any]) -> scorer.Table:
    table = scorer.Table(game, ["Ada", "Bob"])
    table.do({"do": "adjust", "what": "total", "player": 0, "points": total})
    for action in actions:
        table.do(action)
    return table


def test_a_set_aside_beyond_an_exact_target_is_refused_in_one_sentence() -> None:
    table = at(race('end = "exact"\ntarget = 1000'), 900, {"do": "throw", "dice": [1, 5, 5, 2, 3, 4]})
    assert [entry["dice"] for entry in table.legal] == [[1], [5, 5], [5]]
    with pytest.raises(scorer.IllegalAction) as found:
        table.do({"do": "set-aside", "dice": [1, 5]})
    assert str(found.value) == "that would make 1050, and a total must be exactly 1000: nothing may pass it"


def test_a_throw_that_can_only_pass_the_target_loses_the_turn_and_says_so() -> None:
    table = at(race('end = "exact"\ntarget = 1000'), 950, {"do": "throw", "dice": [1, 2, 2, 3, 4, 6]})
    assert [event["event"] for event in table.standing()["events"]] == ["overshot", "turn"]
    assert table.standing()["players"][0]["score"] == 950


def test_a_target_that_no_points_can_make_is_no_exact_target() -> None:
    with pytest.raises(DefinitionError, match=r"rules\.target must be a multiple of 50, 50\.\.1000000, not 1010"):
        race('end = "exact"\ntarget = 1010')
    with pytest.raises(scorer.OptionError, match=r"must be a multiple of 50, 50\.\.1000000, not 1010"):
        scorer.game("diez-mil", target=1010)


def test_nothing_that_scores_may_be_given_points_where_all_is_set_aside_by_itself() -> None:
    table = scorer.Table(race("forced = true\nnothing_scores = 500"), ["Ada"])
    table.do({"do": "throw", "dice": [2, 2, 3, 3, 4, 6]})
    assert table.standing()["turn"]["points"] == 500


@pytest.mark.parametrize(("rules", "total"), [('end = "exact"\ntarget = 1000', 900), ('hot_dice = "multiply"', 0)])
def test_odds_where_turns_differ_are_those_of_every_throw(rules: str, total: int) -> None:
    game = race(rules)
    table = at(game, total, {"do": "throw", "dice": [5, 2, 2, 3, 4, 6]}, {"do": "set-aside", "dice": [5]})
    lost = 0
    for dice in product(range(1, 7), repeat=5):
        after, _ = game.apply(table.state, {"do": "throw", "dice": list(dice)})
        lost += after.turns > table.state.turns
    chances = odds(game, table.state, 0, {"do": "throw", "count": 5})
    assert chances == {"bust": Fraction(lost, 6**5), "score": 1 - Fraction(lost, 6**5)}
    assert scorer.advice.is_solvable(game)


@pytest.mark.parametrize("hot_dice", ["may", "must", "must-after-one-throw"])
def test_best_play_with_hot_dice_is_that_of_a_plain_recursion(hot_dice: str) -> None:
    game = race(f'dice = 3\nhot_dice = "{hot_dice}"')
    most, step, beyond = 400, 50, 21  # from so many steps on, everybody banks
    value = {(row, left): float(row * step) for row in range(most, most + beyond) for left in (1, 2, 3, 4)}
    falls: dict[int, Counter[tuple[tuple[int, int], ...]]] = {}  # what each throw may add and leave, and how often
    for count in (1, 2, 3):
        falls[count] = Counter(
            tuple((points // step, count - len(part) or _hot(hot_dice, len(part))) for part, points in kept.items())
            for kept in map(worth, product(range(1, 7), repeat=count))
        )
    for row in range(most - 1, -1, -1):
        thrown = {}
        for count, often in falls.items():
            total = sum(
                times * max((value[row + gain, left] for gain, left in after), default=0)
                for after, times in often.items()
            )
            thrown[count] = total / 6**count
            value[row, count] = max(row * step, thrown[count])
        value[row, 4] = thrown[3]  # three dice that must be thrown
    assert TurnSolution.solve(game).value == pytest.approx(value[0, 3])


def _hot(hot_dice: str, aside: int) -> int:
    must = hot_dice == "must" or (hot_dice == "must-after-one-throw" and aside == 3)
    return 4 if must else 3


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("finish-round", "Ada has reached the target. The round is played out."),
        ("one-more-turn", "Ada has reached the target. Everybody else has one more turn."),
    ],
)
def test_whoever_reaches_the_target_is_told_how_the_game_goes_on(end: str, said: str) -> None:
    table = at(race(f'end = "{end}"\ntarget = 1000'), 950, {"do": "throw", "dice": [1, 1, 1, 3, 4, 6]})
    table.do({"do": "set-aside", "dice": [1, 1, 1]})
    table.do({"do": "bank"})
    (event,) = (event for event in table.standing()["events"] if event["event"] == "last-round")
    assert str(sentence(table.game.events["last-round"], {**event, "name": "Ada"}, {})) == said
