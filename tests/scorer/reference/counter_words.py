"""Counters with all words that a file may say, a second time, from docs/rules.md ("The words of counters") alone."""

from collections.abc import Callable
from typing import Any

from tests.scorer.reference.race_ends import turns_to_come

Dice = tuple[int, ...]


class CounterByHand:
    """`rules`: as a file has them; `worth`: what they say of a throw and of what is wanted, None for a bust. Where
    rounds count, `totals` are rounds, and `results` those of the running one.
    """

    def __init__(self, players: int, rules: dict[str, Any], worth: Callable[[Dice, int], int | None]) -> None:
        self.rules = rules
        self.worth = worth
        self.order = list(range(players))
        self.totals = [0] * players
        self.turns: list[list[int]] = [[] for _ in range(players)]
        self.round_points: list[list[int]] = [[] for _ in range(players)]
        self.taken = [0] * players
        self.player = 0
        self.to_come: list[int] | None = None
        self.reached_by: int | None = None
        self.over = False
        self.round = 1
        self.results: dict[int, int] = {}
        self.to_throw = list(self.order)  # in this round, where rounds are won
        self.tied: list[int] = []
        self.won: list[list[int]] = []
        self.last_count = [1] * players  # of the dice, where players choose it
        self.begin_turn()

    def partners(self, player: int) -> list[int]:
        teams = self.rules["teams"]
        return [each for each in self.order if not (each - player) % teams] if teams else [player]

    def begin_turn(self) -> None:
        self.points, self.dice = 0, self.rules["dice"]
        if self.rules["choose_dice"]:
            self.dice = self.last_count[self.player]
        self.has_thrown = self.must_throw = False

    @property
    def wanted(self) -> int | None:
        wanted = self.rules["wanted"]
        if not wanted:
            return None
        before = self.round - 1 if self.rules["counts"] == "rounds" else self.taken[self.player]
        return int(wanted[before % len(wanted)])

    @staticmethod
    def alike(dice: Dice) -> bool:
        return len(dice) > 1 and min(dice) == max(dice)

    def choose(self, count: int) -> None:
        self.dice = self.last_count[self.player] = count

    def counted(self, dice: Dice) -> int | None:
        if self.rules["progress"]:
            return self.numbers_made(dice)
        counted = self.worth(dice, self.wanted or 0)
        return 0 if counted and set(dice) & set(self.rules["leave"]) else counted

    def numbers_made(self, dice: Dice) -> int:
        sums = {0}
        for die in dice:
            sums |= {each + die for each in sums}
        made, wanted = self.totals[self.player] + self.points, self.rules["wanted"]
        before = made
        while made < len(wanted) and made - before < self.rules["progress"] and wanted[made] in sums:
            made += 1
        return made - before

    def throw(self, dice: Dice) -> None:
        if self.rules["choose_dice"]:
            self.choose(len(dice))
        rules, player = self.rules, self.player
        total = self.totals[player]
        wiped = rules["wiped_by"]
        if wiped and all(dice.count(face) >= wiped.count(face) for face in wiped):
            self.end_turn(min(0, -total))
            return
        counted = self.counted(dice)
        if counted is None or (rules["limit"] and self.points + counted > rules["limit"]):
            self.end_turn(0)
            return
        if rules["end"] == "exact" and total + self.points + counted > rules["target"]:
            back = rules["overshoot_to"]
            self.end_turn(0 if back is None else min(0, back - total))
            return
        self.points += counted
        self.has_thrown = True
        just = rules["end"] == "exact" and total + self.points == rules["target"]
        self.must_throw = rules["alike_again"] and self.alike(dice) and not just
        left = {
            "one-throw": len([die for die in dice if die not in rules["leave"]]) if rules["leave"] else 0,
            "one-die-less": len(dice) - 1,
            "while-it-counts": rules["dice"] if counted else 0,
            "bank": len(dice),
        }[rules["turn"]]
        had = sum(self.results.get(each, 0) for each in self.partners(player))
        wins_round = 0 < rules["round_target"] <= had + self.points
        arrived = rules["progress"] and total + self.points >= rules["target"]
        if wins_round or arrived or not left:
            self.end_turn(self.points)
        else:
            self.dice = left

    def may_bank(self) -> bool:
        return self.rules["turn"] == "bank" and self.has_thrown and not self.must_throw and not self.over

    def bank(self) -> None:
        self.end_turn(self.points)

    def end_turn(self, points: int) -> None:
        player, rules = self.player, self.rules
        if rules["counts"] == "rounds":
            self.end_turn_of_round(points)
            return
        self.totals[player] += points
        self.turns[player].append(points)
        self.taken[player] += 1
        if self.reached_by is None and rules["target"] and self.totals[player] >= rules["target"]:
            self.reached_by = player
            self.to_come = turns_to_come(rules["end"], self.order, player)
        if self.to_come is not None:
            rounds = rules["rounds"]
            self.to_come = [each for each in self.to_come if not rounds or self.taken[each] < rounds]
        self.go_on()

    def go_on(self) -> None:
        rules = self.rules
        at = self.order.index(self.player)
        later = [self.order[(at + each) % len(self.order)] for each in range(1, len(self.order) + 1)]
        open_ = [each for each in later if not rules["rounds"] or self.taken[each] < rules["rounds"]]
        self.player = open_[0] if open_ else later[0]
        self.over = not open_
        if self.to_come is not None:
            self.over = self.over or not self.to_come
            if self.to_come:
                self.player = self.to_come.pop(0)
        self.begin_turn()

    def end_turn_of_round(self, points: int) -> None:
        player, rules = self.player, self.rules
        self.turns[player].append(0)
        self.round_points[player].append(points)
        self.to_throw.remove(player)
        if rules["round_target"]:
            self.results[player] = self.results.get(player, 0) + points
            had = sum(self.results.get(each, 0) for each in self.partners(player))
            self.to_throw = [] if had >= rules["round_target"] else [*self.to_throw, player]
        else:
            self.results[player] = points
        if not self.to_throw:
            had_by = {
                each: sum(self.results.get(other, 0) for other in self.partners(each))
                for each in self.order
                if any(other in self.results for other in self.partners(each))
            }
            wanted = (min if rules["low_wins"] else max)(had_by.values())
            best = [each for each in self.order if had_by.get(each) == wanted]
            thrown, self.results = set(self.results), {}
            if set(best) - set(self.partners(best[0])):
                self.tied, self.to_throw = best, list(best)
            else:
                for each in best:
                    self.totals[each] += 1
                    if each in thrown:
                        self.turns[each][-1] = 1
                self.won.append(best)
                self.over = bool(rules["target"]) and self.totals[best[0]] >= rules["target"]
                self.over = self.over or (bool(rules["rounds"]) and self.round == rules["rounds"])
                self.round += 1
                self.tied, self.to_throw = [], list(self.order)
        self.player = self.to_throw[0]
        self.begin_turn()

    def scores(self) -> list[int]:
        if self.rules["counts"] == "rounds":
            return self.totals
        return [sum(self.totals[each] for each in self.partners(player)) for player in self.order]

    def places(self) -> list[int]:
        sign = -1 if self.rules["low_wins"] and self.rules["counts"] == "totals" else 1
        scores = self.scores()
        return [1 + sum(sign * other > sign * total for other in scores) for total in scores]

    def legal(self) -> list[tuple[Any, ...]]:
        if self.over:
            return []
        counts = range(1, self.rules["dice"] + 1) if self.rules["choose_dice"] else ()
        choices = [("throw", count) for count in counts if count != self.dice]
        return sorted([("throw", self.dice), *choices, *([("bank", self.points)] if self.may_bank() else [])])
