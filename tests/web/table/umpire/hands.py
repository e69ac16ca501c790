"""Hands that play: they turn legal plays into the events that a camera over the table would tell.

Set-aside and kept dice stay where they lie, are pushed aside, or are taken off the table; the hand may pause before it
throws, so that a rest is seen, or not; the table may be cleared. A thrown die never falls exactly where one lay.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import scorer
from web.table.umpire import (
    Cleared,
    Conclusion,
    DiceAtRest,
    Moving,
    Observation,
    RestingDie,
    TableChanged,
    UmpireMemory,
    conclude,
)

SIDE = 40.0
WIDTH, HEIGHT = 1000, 700
STAY, PUSH, OFF = "stay", "push", "off"

Place = tuple[float, float]


@dataclass
class Lying:
    value: int
    place: Place


@dataclass
class Hands:
    """A table top. `before`: what lay there at the last rest."""

    random: Random
    lying: list[Lying] = field(default_factory=list)
    before: list[Lying] = field(default_factory=list)
    used: list[Place] = field(default_factory=list)

    def free_place(self) -> Place:
        while True:
            place = (self.random.uniform(SIDE, WIDTH - SIDE), self.random.uniform(SIDE, HEIGHT - SIDE))
            if all(abs(place[0] - x) + abs(place[1] - y) > 1.5 * SIDE for x, y in self.used):
                self.used = [*self.used[-24:], place]
                return place

    def throw(self, values: list[int]) -> None:
        self.lying += [Lying(value, self.free_place()) for value in values]

    def take(self, values: list[int]) -> list[Lying]:
        """Dice with these values, no longer on the table."""
        taken = []
        for value in values:
            die = next(each for each in self.lying if each.value == value)
            self.lying.remove(die)
            taken.append(die)
        return taken

    def push(self, dice: list[Lying]) -> None:
        for die in dice:
            die.place = self.free_place()

    def rest(self) -> DiceAtRest | Cleared:
        """What the camera tells now: the dice a pixel from where they lie."""
        dice = tuple(self._resting_die(die) for die in self.lying)
        self.before = [Lying(die.value, die.place) for die in self.lying]
        return DiceAtRest(dice) if dice else Cleared()

    def _resting_die(self, die: Lying) -> RestingDie:
        x, y = (each + self.random.uniform(-1, 1) for each in die.place)
        stayed = any(each.value == die.value and each.place == die.place for each in self.before)
        return RestingDie(die.value, (x - SIDE / 2, y - SIDE / 2, x + SIDE / 2, y + SIDE / 2), True, stayed)


@dataclass
class Evening:
    """A table, the hands at it, and the umpire over it. `sure`, `asked`: throws that it took by itself, or not."""

    table: scorer.Table
    hands: Hands
    noise: str = ""
    way: str = ""
    memory: UmpireMemory = field(default_factory=UmpireMemory)
    sure: int = 0
    asked: int = 0
    questions: Counter[str] = field(default_factory=Counter)

    def tell(self, event: Observation, thrown: bool = False) -> Conclusion:
        """`thrown`: whether dice were thrown since the event before."""
        before = self.table.record()
        conclusion = conclude(self.table, self.memory, event)
        assert self.table.record() == before, "the umpire changed the table"
        self.memory = conclusion.memory
        assert thrown or not conclusion.sure, "it was sure of a throw, and nothing was thrown"
        return conclusion

    def tap(self, action: dict[str, Any]) -> None:
        """Somebody does it on a phone."""
        self.table.do(action)
        conclusion = self.tell(TableChanged())
        assert self.noise or conclusion.state in ("resting", "over")

    def expect(self, *actions: dict[str, Any]) -> None:
        """The dice come to rest: the umpire takes exactly these actions, or asks."""
        settled = self.hands.rest()
        assert isinstance(settled, DiceAtRest)
        event = self._noisy(settled) if self.noise else settled
        conclusion = self.tell(event, thrown=True)
        right = [normal(action) for action in actions]
        if conclusion.sure:
            assert conclusion.state == "throw"
            assert [normal(action) for action in conclusion.actions] == right, "it was sure, and wrong"
            self.sure += 1
        else:
            self.asked += 1
            self.questions[str(conclusion.question and conclusion.question.reason)] += 1
            if not self.noise:
                waits = conclusion.refused is not None or conclusion.state == "put"
                offered = any(alike(way, actions) for way in (conclusion.actions, *conclusion.alternatives))
                assert waits or offered, f"{right} is not offered: {conclusion}"
        for action in actions:
            self.table.do(action)
        if self.noise:  # the person put it right; then all is seen as it lies
            self.tell(TableChanged())
            self.tell(self.hands.rest())

    def _noisy(self, settled: DiceAtRest) -> DiceAtRest:
        dice = list(settled.dice)
        place = self.hands.random.randrange(len(dice))
        if self.noise == "hidden":
            del dice[place]
            return DiceAtRest(tuple(dice))
        die = dice[place]
        wrong = self.hands.random.randint(1, 6)
        dice[place] = RestingDie(wrong, die.box, sure=False, stayed=die.stayed and wrong == die.value)
        return DiceAtRest(tuple(dice), sure=False)


def normal(action: Any) -> dict[str, Any]:
    """An action with its dice in order: how a throw is listed says nothing."""
    cleaned = {name: value for name, value in action.items() if name in ("do", "dice", "category")}
    return {**cleaned, "dice": sorted(cleaned["dice"])} if "dice" in cleaned else cleaned


def alike(way: Any, actions: Any) -> bool:
    """Whether a way that is offered is what was played: of kept dice, the complete ones count, or those thrown."""
    one, other = ([normal(action) for action in each] for each in (way, actions))
    if one and one[0]["do"] == "keep":
        return one[-1] == other[-1] or all_dice(one) == all_dice(other)
    return one == other


def all_dice(actions: Any) -> list[int]:
    return sorted(die for action in actions for die in action["dice"])


def play(key: str, seed: int, steps: int = 30, noise: str = "", pause: bool | None = None, way: str = "") -> Evening:
    """Random legal play by hands, which put dice aside in one `way`, or in all.

    `pause`: whether a rest is seen before dice are thrown again; None: sometimes.
    """
    random = Random(seed)
    players = ["Ada", "Bob"][: random.randint(1, 2)]
    evening = Evening(scorer.Table(scorer.game(key, **_short(key)), players), Hands(random), noise, way)
    for _ in range(steps):
        if evening.table.over:
            break
        _step(evening, random, random.random() < 0.6 if pause is None else pause)
    return evening


def _short(key: str) -> dict[str, Any]:
    return {"rounds": 4} if key == "forbidden-numbers" else {}


def _step(evening: Evening, random: Random, pause: bool) -> None:
    """One throw with what comes before it, or what a phone is needed for."""
    table, legal = evening.table, list(evening.table.legal)
    kinds = {entry["do"] for entry in legal}
    if "set-aside" in kinds:
        _choose_aside(evening, random, [entry for entry in legal if entry["do"] == "set-aside"], pause)
    elif "keep" in kinds and random.random() < 0.6:
        entry = next(entry for entry in legal if entry["do"] == "keep")
        kept = random.sample(entry["from"], random.randint(0, len(entry["from"]) - 1))
        _again(evening, random, [{"do": "keep", "dice": sorted(kept)}], sorted(kept), pause)
    elif "bank" in kinds and random.random() < 0.5:
        evening.tap({"do": "bank"})
    elif "throw" in kinds:
        _again(evening, random, [], _aside_now(table), pause)
    else:
        evening.tap(random.choice([entry for entry in legal if entry["do"] != "keep"]))


def _choose_aside(evening: Evening, random: Random, choices: list[dict[str, Any]], pause: bool) -> None:
    choice = random.choice(choices)
    action = {"do": "set-aside", "dice": choice["dice"]}
    if random.random() < 0.15:
        evening.tap(action)
    else:
        hot = choice["dice_left"] == 6
        _again(evening, random, [action], [] if hot else [*_aside_there(evening), *choice["dice"]], pause)


def _aside_there(evening: Evening) -> list[int]:
    """Those of the dice beside that still lie there: not dice of the throw that are equal to ones taken off before."""
    beside = Counter(die.value for die in evening.hands.lying) - Counter(evening.table.standing()["turn"]["throw"])
    return list((Counter(_aside_now(evening.table)) & beside).elements())


def _aside_now(table: scorer.Table) -> list[int]:
    """The values of the dice that lie beside the throw that comes now, or beside the one that waits."""
    turn, key = table.standing()["turn"], table.game.key
    waiting = any(entry["do"] == "set-aside" for entry in table.legal)
    count = table.game.dice - (len(turn["throw"]) if waiting else turn["expects"])
    if key == "forbidden-numbers":
        forbidden = table.standing()["forbidden"]
        left: list[int] = []
        for action in reversed(table.actions):
            if len(left) < count and forbidden:
                left += [die for die in action["dice"] if die in forbidden]
        return left[:count]
    values = [value for group in turn.get("set_aside", []) for value in group]
    return values[len(values) - count :] if count and values else []


def _again(evening: Evening, random: Random, before: list[dict[str, Any]], stay: list[int], pause: bool) -> None:
    """The hand keeps `stay` beside, in one of the three ways, and throws the others."""
    hands = evening.hands
    evening.tell(Moving())
    way = evening.way or random.choice((STAY, PUSH, OFF))
    there = list((Counter(stay) & Counter(die.value for die in hands.lying)).elements())
    aside = hands.take(there)
    if way == PUSH:
        hands.push(aside)
    if way == OFF:
        aside = []
        if pause and hands.lying and random.random() < 0.7:
            _pause(evening)
    hands.lying = aside
    if pause:
        _pause(evening)
    trial = scorer.Table.from_record(evening.table.record())
    for action in before:
        trial.do(action)
    count = trial.standing()["turn"]["expects"]
    values = [random.randint(1, 6) for _ in range(count)]
    hands.throw(values)
    evening.expect(*before, {"do": "throw", "dice": values})


def _pause(evening: Evening) -> None:
    """The hand leaves the picture for a moment."""
    hands = evening.hands
    same = [(die.value, die.place) for die in hands.lying] == [(die.value, die.place) for die in hands.before]
    if same:
        return
    conclusion = evening.tell(hands.rest())
    assert not conclusion.sure, "lifting and pushing dice alone does nothing"
    evening.tell(Moving())
