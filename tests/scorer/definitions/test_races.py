"""Races from files: exact ends, hot dice, forced set-asides and penalties, against whole games reckoned again."""

from __future__ import annotations

import random
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


class Reckoning:
    """A game of two or more, reckoned with paper and pencil. `turn`: None, or the points so far."""

    def __init__(self, players: int, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.totals = [0] * players
        self.dry = [0] * players
        self.player = self.points = 0
        self.times, self.left, self.must = 1, rules["dice"], False
        self.aside = False
        self.over = False

    def may_set_aside(self, dice: tuple[int, ...]) -> dict[tuple[int, ...], int]:
        parts = {part: points * self.times for part, points in worth(dice).items()}
        if self.rules["forced"] and parts:
            best = max(parts, key=lambda part: (parts[part], len(part), [-die for die in part]))
            parts = {best: parts[best]}
        if self.rules["end"] == "exact":
            missing = self.rules["target"] - self.totals[self.player] - self.points
            parts = {
                part: missing if points >= self.rules["target"] else points
                for part, points in parts.items()
                if points <= missing or (points >= self.rules["target"] and missing > 0)
            }
        return parts

    def may_bank(self) -> bool:
        if self.rules["end"] == "exact" and self.totals[self.player] + self.points == self.rules["target"]:
            return True
        return self.aside and not self.must and self.points >= self.rules["minimum"]

    def throw(self, dice: tuple[int, ...]) -> None:
        if not self.may_set_aside(dice):
            self.points = 0
            self.end(dry=True)
        self.must = False

    def set_aside(self, dice: tuple[int, ...], part: tuple[int, ...]) -> None:
        self.points += self.may_set_aside(dice)[part]
        self.aside = True
        self.left -= len(part)
        if not self.left:
            self.left = self.rules["dice"]
            self.times += self.rules["hot_dice"] == "multiply"
            one = len(part) == self.rules["dice"]
            self.must = self.rules["hot_dice"] == "must" or (self.rules["hot_dice"] == "must-after-one-throw" and one)

    def end(self, dry: bool) -> None:
        self.totals[self.player] += self.points
        self.dry[self.player] = self.dry[self.player] + 1 if dry else 0
        if self.dry[self.player] == self.rules["busts_to_penalty"] and dry:
            self.dry[self.player] = 0
            self.totals[self.player] -= self.rules["penalty"]
        self.over = self.totals[self.player] >= self.rules["target"]
        self.player = (self.player + 1) % len(self.totals)
        self.points, self.times, self.left, self.must, self.aside = 0, 1, self.rules["dice"], False, False


RULES = [
    {"end": end, "hot_dice": hot, "forced": forced, "minimum": minimum, "busts_to_penalty": busts, "dice": dice}
    for (end, hot, forced), (minimum, busts, dice) in zip(
        product(("exact", "at-once"), ("may", "must", "must-after-one-throw", "multiply"), (False, True)),
        (((0, 300, 0, 150)[place % 4], (0, 2, 3)[place % 3], (6, 5, 3, 4, 6)[place % 5]) for place in range(16)),
        strict=True,
    )
]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules['end']}-{rules['hot_dice']}-{rules['forced']}")
def test_whole_games_against_a_second_reckoning(rules: dict[str, Any]) -> None:
    rules = {**rules, "target": 1500, "penalty": 250}
    lines = [
        f"{name} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for name, value in rules.items()
    ]
    game = race("\n".join(lines).replace("'", '"'))
    for seed in range(25):
        rng = random.Random(seed)
        table, paper = scorer.Table(game, ["Ada", "Bob", "Cid"][: rng.randint(1, 3)]), None
        paper = Reckoning(len(table.players), rules)
        for _ in range(400):
            if table.over:
                break
            lucky = rng.random() < 0.5
            dice = tuple(rng.choice((1, 1, 5, 6, 6, 2) if lucky else (1, 2, 3, 4, 5, 6)) for _ in range(paper.left))
            if paper.may_bank() and rng.random() < 0.3:
                table.do({"do": "bank"})
                paper.end(dry=False)
            else:
                allowed = paper.may_set_aside(dice)
                table.do({"do": "throw", "dice": list(dice)})
                paper.throw(dice)
                if allowed:
                    if not rules["forced"]:
                        entries = {tuple(each["dice"]): each["points"] for each in table.legal}
                        assert entries == allowed
                        part = rng.choice(sorted(allowed))
                        table.do({"do": "set-aside", "dice": list(part)})
                    else:
                        (part,) = allowed
                    paper.set_aside(dice, part)
            standing = table.standing()
            assert [each["score"] for each in standing["players"]] == paper.totals
            assert table.over == paper.over
            if not paper.over:
                now = standing["turn"]
                assert (now["player"], now["points"], now["expects"]) == (paper.player, paper.points, paper.left)
                assert now["may_bank"] == paper.may_bank()
                assert now.get("times", 1) == paper.times
            if rules["end"] == "exact":
                assert max(paper.totals) <= rules["target"]


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


def test_the_older_name_of_hot_dice_holds_for_forced_games() -> None:
    assert race('confirm = "any"\nforced = true').rules.hot_dice == "must"
    assert race('confirm = "single-throw"\nforced = true').rules.hot_dice == "must-after-one-throw"
    assert race('confirm = "any"').rules.hot_dice == "may"
    with pytest.raises(DefinitionError, match="exactly one of hot_dice, confirm"):
        race('confirm = "any"\nhot_dice = "multiply"\nforced = true')


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
    for row in range(most - 1, -1, -1):
        thrown = {}
        for count in (1, 2, 3):
            total = 0.0
            for dice in product(range(1, 7), repeat=count):
                after = [
                    (points // step, count - len(part) or _hot(hot_dice, len(part)))
                    for part, points in worth(dice).items()
                ]
                total += max((value[row + gain, left] for gain, left in after), default=0)
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
