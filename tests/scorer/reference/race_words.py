"""Races with all words that a file may say, a second time, from docs/rules.md ("The words of races") alone.

Who still plays once the target is reached is a list, made when somebody reaches it; the rules know no such list.
"""

from functools import lru_cache
from itertools import product
from typing import Any

from tests.scorer.reference.race_ends import turns_to_come

Dice = tuple[int, ...]
Line = tuple[Dice, int, bool, int]  # dice, points, whether they win at once, and the points that must follow
Worth = tuple[int, int]  # points, and minus those that must follow


@lru_cache(100_000)
def worth(lines: tuple[Line, ...], dice: Dice) -> Worth | None:
    """The most points of all these dice, each in one line of the table; None if some are in none.

    Of equal ones, those after which the fewest points must follow.
    """
    if not dice:
        return 0, 0
    best: Worth | None = None
    for wanted, points, _, confirm in lines:
        rest = list(dice)
        if dice[0] not in wanted or any(dice.count(face) < wanted.count(face) for face in wanted):
            continue
        for die in wanted:
            rest.remove(die)
        more = worth(lines, tuple(rest))
        if more is not None:
            split = points + more[0], min(-confirm, more[1])
            best = split if best is None else max(best, split)
    return best


@lru_cache(20_000)
def scoring_parts(lines: tuple[Line, ...], throw: Dice) -> tuple[tuple[Dice, Worth], ...]:
    """Every part of a throw whose dice all score, with what it is worth."""
    found: dict[Dice, Worth] = {}
    for taken in product((False, True), repeat=len(throw)):
        part = tuple(sorted(die for die, wanted in zip(throw, taken, strict=True) if wanted))
        points = worth(lines, part)
        if part and points is not None:
            found[part] = points
    return tuple(found.items())


class RaceByHand:
    """`lines`: the scoring table, each possibility by itself. `order`: who plays, in order."""

    def __init__(self, players: int, rules: dict[str, Any], lines: tuple[Line, ...]) -> None:
        self.rules, self.lines = rules, lines
        self.order = list(range(players))
        self.totals = [0] * players
        self.turns: list[list[int]] = [[] for _ in range(players)]
        self.dry = [0] * players
        self.is_in = [False] * players
        self.player = 0
        self.to_come: list[int] | None = None  # who still plays, once the target is reached
        self.reached_by: int | None = None
        self.winner: int | None = None
        self.over = False
        self.left_there: tuple[int, int, int] | None = None  # by whom, dice, points
        self.begin_turn()

    def begin_turn(self) -> None:
        self.points, self.dice, self.times = 0, self.rules["dice"], 1
        self.thrown: Dice | None = None
        self.has_thrown = self.has_set_aside = self.must_throw = self.taken = False
        self.confirm_at = 0

    # --- what dice are worth ---

    def has(self, throw: Dice, wanted: Dice) -> bool:
        return bool(wanted) and all(throw.count(face) >= wanted.count(face) for face in wanted)

    def parts(self, throw: Dice) -> dict[Dice, int]:
        if self.has(throw, self.rules["wiped_by"]):
            return {}
        found = {part: points for part, (points, _) in scoring_parts(self.lines, tuple(sorted(throw)))}
        if not found and self.rules["nothing_scores"] and len(throw) == self.rules["dice"]:
            found = {tuple(sorted(throw)): self.rules["nothing_scores"]}
        return found

    @property
    def missing(self) -> int:
        return int(self.rules["target"] - self.totals[self.player] - self.points)

    def allowed(self, throw: Dice) -> dict[Dice, int]:
        parts = self.parts(throw)
        if self.rules["forced"] and parts:
            best = max(parts.values())
            longest = max(len(part) for part in parts if parts[part] == best)
            parts = {min(part for part in parts if parts[part] == best and len(part) == longest): best}
        parts = {part: points * self.times for part, points in parts.items()}
        if self.rules["end"] != "exact":
            return parts
        filled = {
            part: self.missing if points >= self.rules["target"] and self.missing > 0 else points
            for part, points in parts.items()
        }
        return {part: points for part, points in filled.items() if points <= self.missing}

    # --- what may be done ---

    def may_bank(self) -> bool:
        rules = self.rules
        if self.over or self.thrown or not self.has_set_aside:
            return False
        if rules["end"] == "exact" and self.missing == 0:
            return True
        if rules["end"] == "exact" and self.missing < 0:
            return False
        if self.must_throw or self.points < self.confirm_at or self.points < rules["minimum"]:
            return False
        if not self.is_in[self.player] and self.points < rules["opening"]:
            return False
        dice = 0 if self.dice == rules["dice"] else self.dice
        return rules["bank_with_at_most"] is None or dice <= rules["bank_with_at_most"]

    def may_take_over(self) -> bool:
        rules = self.rules
        if self.over or not rules["take_over"] or self.left_there is None or self.has_thrown or self.taken:
            return False
        who, _, points = self.left_there
        if who == self.player or points <= 0:
            return False
        if rules["opening"] > rules["minimum"] and not self.is_in[self.player]:
            return False
        return not (rules["end"] == "exact" and self.missing - points <= 0)

    # --- what is done ---

    def throw(self, dice: Dice) -> None:
        rules, throw = self.rules, tuple(sorted(dice))
        winning = [points for wanted, points, wins, _ in self.lines if wins and self.has(throw, wanted)]
        self.has_thrown = True
        if not self.taken:
            self.left_there = None
        if winning:
            self.winner = self.player
            more = max(self.missing, 0 if rules["end"] == "exact" else max(winning) * self.times)
            self.end_turn(self.points + more, dry=False)
            self.over = True
            return
        allowed = self.allowed(throw)
        if not allowed:
            before = self.totals[self.player]
            after = before
            if self.has(throw, rules["wiped_by"]):
                after = min(before, 0)
            elif self.parts(throw) and rules["overshoot_to"] is not None:
                after = min(before, rules["overshoot_to"])
            self.end_turn(after - before, dry=True)
            return
        self.must_throw = False
        self.thrown = throw
        self.dice = len(throw)
        if rules["forced"]:
            (part,) = allowed
            self.set_aside(part)

    def set_aside(self, part: Dice) -> None:
        rules = self.rules
        assert self.thrown is not None
        self.points += self.allowed(self.thrown)[part]
        self.has_set_aside = True
        self.dice = (len(self.thrown) - len(part)) or rules["dice"]
        all_scored = self.dice == rules["dice"]
        in_one = len(part) == rules["dice"]
        self.thrown = None
        self.confirm(part)
        if all_scored:
            if rules["hot_dice"] == "multiply":
                self.times += 1
            must = rules["hot_dice"] == "must" or (rules["hot_dice"] == "must-after-one-throw" and in_one)
            self.must_throw = must and not (rules["end"] == "exact" and self.missing == 0)

    def confirm(self, part: Dice) -> None:
        more = dict(scoring_parts(self.lines, part)).get(part, (0, 0))[1]
        if more and not (self.rules["end"] == "exact" and self.missing == 0):
            self.confirm_at = max(self.confirm_at, self.points - more)

    def bank(self) -> None:
        left = (self.player, self.dice, self.points)
        self.end_turn(self.points, dry=False)
        self.left_there = left

    def take_over(self) -> None:
        assert self.left_there is not None
        _, self.dice, points = self.left_there
        self.points += points
        self.taken = True
        self.left_there = None

    def end_turn(self, points: int, dry: bool) -> None:
        player, rules = self.player, self.rules
        self.left_there = None
        if dry:
            self.dry[player] += 1
            if rules["penalty"] and self.dry[player] == rules["penalty"][0]:
                self.dry[player] = 0
                points -= rules["penalty"][1]
        else:
            self.dry[player] = 0
            self.is_in[player] = True
        self.totals[player] += points
        self.turns[player].append(points)
        if self.reached_by is None and self.totals[player] >= rules["target"]:
            self.reached_by = player
            self.to_come = turns_to_come(rules["end"], self.order, player)
        self.go_on()

    def go_on(self) -> None:
        """To the next player, or to the end."""
        at = self.order.index(self.player)
        self.player = self.order[(at + 1) % len(self.order)]
        if self.to_come is not None:
            self.over = not self.to_come
            if self.to_come:
                self.player = self.to_come.pop(0)
        left = self.left_there
        self.begin_turn()
        self.left_there = left

    # --- by hand ---

    def settle(self, points: int) -> None:
        """The running turn, by hand."""
        player = self.player
        dry = 0 if points > 0 else self.dry[player] + 1
        if points < 0 or (self.rules["penalty"] and dry == self.rules["penalty"][0]):
            dry = 0
        came_in = self.is_in[player] or points > 0
        self.end_turn(points, dry=False)
        self.dry[player], self.is_in[player] = dry, came_in

    def skip(self) -> None:
        kept = None if self.has_thrown or self.taken else self.left_there
        self.left_there = kept
        self.go_on()

    # --- what is shown ---

    def places(self) -> list[int]:
        merits = [(player == self.winner, total) for player, total in enumerate(self.totals)]
        return [1 + sum(other > merit for other in merits) for merit in merits]

    def legal(self) -> list[tuple[Any, ...]]:
        if self.over:
            return []
        if self.thrown:
            return sorted(
                ("set-aside", part, points, (len(self.thrown) - len(part)) or self.rules["dice"])
                for part, points in self.allowed(self.thrown).items()
            )
        found: list[tuple[Any, ...]] = [("throw", self.dice)]
        if self.may_bank():
            found.append(("bank", self.points))
        if self.may_take_over():
            assert self.left_there is not None
            found.append(("take-over", self.left_there[2], self.left_there[1]))
        return sorted(found)
