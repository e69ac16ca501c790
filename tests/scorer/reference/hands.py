"""Hands and contests after docs/rules.md and the sources of the games, naively: its own patterns, sums and rounds.

It shares nothing with scorer/contest.py, scorer/turns/hand.py and the value table of files. What the rules forbid
raises Forbidden.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

Action = dict[str, Any]
Rules = dict[str, Any]

USUAL: Rules = {
    "dice": 5,
    "throws": 3,
    "keep": "stays",
    "keep_at_least": 0,
    "keep_order": [],
    "first_sets_throws": False,
    "ranked": False,
    "counts": "totals",
    "low_wins": False,
    "rounds": 0,
    "target": 0,
    "end": "at-once",
    "lives": 0,
    "ties": "throw-again",
    "begins": "first",
}


class Forbidden(Exception):  # noqa: N818 - of a rule
    pass


def made_by(line: Rules, dice: list[int]) -> list[int] | None:
    """The dice that make a line, those of the greatest sum; None if these dice do not."""
    if line.get("sum") not in (None, sum(dice)):
        return None
    has = Counter(dice)
    found: list[list[int]] = []
    if "alike" in line:
        fits = [face for face in has if has[face] >= line["alike"]]
        if line.get("exactly"):
            fits = [face for face in has if has[face] == line["alike"]]
        found = [[face] * line["alike"] for face in fits]
    elif "run" in line:
        for low in range(1, 8 - line["run"]):
            run = list(range(low, low + line["run"]))
            found += [run] if set(run) <= set(dice) else []
    elif "groups" in line:
        big, small = line["groups"]
        found = [
            [one] * big + [other] * small
            for one in has
            for other in has
            if one != other and has[one] >= big and has[other] >= small
        ]
    elif "dice" in line:
        for wanted in line["dice"] if isinstance(line["dice"][0], list) else [line["dice"]]:
            found += [wanted] if not Counter(wanted) - has else []
    else:
        return dice
    return max(found, key=sum, default=None)


def points_of(text: str, dice: list[int], made: list[int]) -> int:
    """A small expression, read by Python."""
    ready = re.sub(r"\bsum\((\d)\)", r"(\1*n(\1))", text)
    names = {"n": dice.count, "sum": sum(dice), "max": max(dice), "min": min(dice)}
    value: int = eval(ready, {"__builtins__": {}}, {**names, "pattern": sum(made), "rest": sum(dice) - sum(made)})
    return value


class HandByHand:
    """`scores`: totals, rounds won or lives. `got`: the worth of each turn of the running round or of its last tie."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = {**USUAL, **rules}
        self.plays = list(range(players))
        self.scores = [self.rules["lives"]] * players
        self.joining: set[int] = set()
        self.fell: dict[int, int] = {}
        self.decided: list[list[int]] = []  # who won or lost each round
        self.tied: list[int] = []
        self.over = False
        self.first = self.player = 0
        self._begin_round(0)

    # --- a turn ---

    def value(self, dice: list[int]) -> tuple[int, int]:
        """The rank of dice, 0 for none, and their points."""
        for place, line in enumerate(self.rules["worth"]):
            made = made_by(line, dice)
            if made is not None:
                return len(self.rules["worth"]) - place, points_of(line.get("points", "sum"), dice, made)
        return 0, 0

    def worth(self, dice: list[int]) -> int:
        rank, points = self.value(dice)
        return 1000 * rank + points if self.rules["ranked"] else points

    def most_throws(self) -> int:
        set_by_first = self.rules["first_sets_throws"] and self.limit
        return self.limit if set_by_first else self.rules["throws"] or 1

    def due(self) -> int:
        if self.over or (self.fresh and self.rules["keep"] != "none" and self.rules["keep_at_least"]):
            return 0
        return self.rules["dice"] - len(self.aside)

    def do(self, action: Action) -> None:
        verb = action["do"]
        if verb == "adjust":
            getattr(self, "adjust_" + action["what"].replace("-", "_"))(action)
            return
        if self.over:
            raise Forbidden
        getattr(self, "do_" + verb.replace("-", "_"))(action)

    def do_throw(self, action: Action) -> None:
        dice, rules = list(action["dice"]), self.rules
        if not self.due() or len(dice) != self.due():
            raise Forbidden
        if rules["keep"] == "growing" and self.aside and all(die < max(self.aside) for die in dice):
            self._end(0)
            return
        fits = self.value([*self.aside, *dice])[0] > 0
        self.open, self.fresh, self.thrown = dice, True, self.thrown + (fits or rules["throws"] > 0)
        wanted = rules["keep_order"][len(self.aside) :]
        while wanted and wanted[0] in self.open:
            self.open.remove(wanted[0])
            self.aside.append(wanted.pop(0))
        if not rules["throws"] and not fits:
            return
        none_left = not self.open if rules["keep"] == "none" else len(dice) <= rules["keep_at_least"]
        if self.thrown >= self.most_throws() or none_left:
            self._end(self.worth([*self.aside, *self.open]))

    def do_set_aside(self, action: Action) -> None:
        dice, rules = action["dice"], self.rules
        wrong = Counter(dice) - Counter(self.open)
        if rules["keep"] == "none" or rules["throws"] <= 1 or not self.fresh or wrong:
            raise Forbidden
        if not max(1, rules["keep_at_least"]) <= len(dice) < len(self.open):
            raise Forbidden
        if rules["keep"] == "growing" and self.aside and min(dice) < max(self.aside):
            raise Forbidden
        for die in dice:
            self.open.remove(die)
        self.aside += dice
        self.fresh = False

    def do_bank(self, action: Action) -> None:
        if not self.has_thrown() or self.rules["throws"] <= 1:
            raise Forbidden
        self._end(self.worth([*self.aside, *self.open]))

    def has_thrown(self) -> bool:
        return bool(self.aside or self.open)

    # --- a round ---

    def _in(self) -> list[int]:
        return [each for each in self.plays if each not in self.fell and each not in self.joining]

    def _contenders(self) -> list[int]:
        return [each for each in self._in() if not self.tied or each in self.tied]

    def _waiting(self) -> list[int]:
        return [each for each in self._contenders() if each not in self.got]

    def _from(self, player: int) -> list[int]:
        """All who play, beginning with a player; with the first if he has left."""
        at = self.plays.index(player) if player in self.plays else 0
        return self.plays[at:] + self.plays[:at]

    def _begin_turn(self, player: int) -> None:
        self.player, self.aside, self.open = player, [], []
        self.fresh, self.thrown = False, 0

    def _begin_round(self, player: int) -> None:
        self.joining = set()
        self.tied, self.got, self.limit = [], {}, 0
        able = [each for each in self._from(player) if each not in self.fell]
        self.first = able[0] if able else self.player
        self._begin_turn(self.first)

    def _end(self, worth: int) -> None:
        if not self.limit and self.rules["first_sets_throws"]:
            self.limit = self.thrown
        self.got[self.player] = worth
        if self.rules["counts"] == "totals":
            self.scores[self.player] += worth
            self._fall(self.player)
            if self._reached() and self.rules["end"] == "at-once":
                self._go_on()  # whoever is next plays if the game is reopened
                self.over = True
                return
        self._go_on()

    def _go_on(self) -> None:
        waiting, able = self._waiting(), self._contenders()
        if waiting and not (self.tied and len(able) == 1):
            at = self._from(self.player)
            after = at[1:] + at[:1] if self.player in self.plays else at
            self._begin_turn(next(each for each in after if each in waiting))
            return
        kind, low = "lives" if self.rules["lives"] else self.rules["counts"], self.rules["low_wins"]
        ranking = sorted((each for each in able if each in self.got), key=lambda each: self.got[each], reverse=not low)
        best = [each for each in able if ranking and self.got.get(each) == self.got[ranking[0]]]
        worst = [each for each in able if ranking and self.got.get(each) == self.got[ranking[-1]]]
        if waiting:  # the only one left of a tie
            best = worst = able
        meant = {"totals": [], "rounds": best, "lives": worst}[kind]
        if len(meant) > 1 and self.rules["ties"] == "throw-again":
            self.tied, self.got, self.limit = meant, {}, 0
            self._begin_turn(next(each for each in self._from(self.first) if each in meant))
            return
        self._close(meant if len(meant) == 1 else [], best, worst)

    def _close(self, meant: list[int], best: list[int], worst: list[int]) -> None:
        begins, lives = self.rules["begins"], self.rules["lives"] > 0
        known = {"winner": meant if not lives else best, "loser": meant if lives else worst}.get(begins, [])
        beginner = known[0] if len(known) == 1 else self.first
        if begins == "first":
            beginner = self.plays[0]
        if begins == "next":
            order = self._from(self.first)
            beginner = order[1 % len(order)] if self.first in self.plays else order[0]
        self.decided.append(list(meant))
        for each in meant:
            self.scores[each] += -1 if lives else 1
            if lives and self.scores[each] <= 0:
                self.fell[each] = len(self.decided)
        self._begin_round(beginner)
        self.over = self._is_over()

    def _knocks_out(self) -> bool:
        return self.rules["lives"] > 0 or self.rules["end"] == "last-left"

    def _fall(self, player: int) -> None:
        """Takes a player out, or in again, by what he has."""
        has = self.scores[player]
        if not self._knocks_out():
            return
        if has > 0 if self.rules["lives"] > 0 else has < self.rules["target"]:
            self.fell.pop(player, None)
        else:
            self.fell.setdefault(player, len(self.decided) + 1)

    def _reached(self) -> bool:
        if self.rules["end"] == "last-left":
            return False
        return self.rules["target"] > 0 and any(self.scores[each] >= self.rules["target"] for each in self.plays)

    def _may_go_on(self) -> bool:
        left = [each for each in self.plays if each not in self.fell]
        return bool(left) and not 0 < self.rules["rounds"] <= len(self.decided)

    def _last_left(self) -> bool:
        return self._knocks_out() and len(self.plays) > 1 and len(self._contenders()) == 1

    def _is_over(self) -> bool:
        return self._reached() or not self._may_go_on() or self._last_left()

    # --- by hand ---

    def adjust_turn(self, action: Action) -> None:
        if self.over or action["player"] != self.player:
            raise Forbidden
        self._end(action["points"])

    def adjust_total(self, action: Action) -> None:
        player, had, was = action["player"], self._reached(), self._is_over()
        if player not in self.plays:
            raise Forbidden
        self.scores[player] = action["points"]
        self._fall(player)
        if self._knocks_out():
            self.over = self.over and (self._is_over() or not was)
            if not self.over:
                self._after_a_change()
            return
        if had != self._reached():
            at_once = self._reached() and self.rules["end"] == "at-once"
            self.over = at_once or (self._reached() and self.over) or not self._may_go_on()

    def adjust_game(self, action: Action) -> None:
        if action["over"] == self.over or not (action["over"] or self._may_go_on()):
            raise Forbidden
        self.over = action["over"]

    def adjust_turn_skipped(self, action: Action) -> None:
        others = [each for each in self._waiting() if each != action["player"]]
        if self.over or action["player"] != self.player or not others:
            raise Forbidden
        order = self._from(self.player)
        self._begin_turn(next(each for each in (*order[1:], *order[:1]) if each in others))

    def adjust_player_removed(self, action: Action) -> None:
        player = action["player"]
        if self.over or player not in self.plays or len(self.plays) == 1:
            raise Forbidden
        others = [each for each in self._waiting() if each != player]
        if player == self.player and others:
            self.adjust_turn_skipped(action)
        self.plays.remove(player)
        self.joining.discard(player)
        self._after_a_change()

    def adjust_player_added(self, action: Action) -> None:
        if self.over:
            raise Forbidden
        self.plays.append(len(self.scores))
        self.joining.add(len(self.scores))
        self.scores.append(self.rules["lives"])

    def adjust_order(self, action: Action) -> None:
        if self.over or sorted(action["players"]) != sorted(self.plays):
            raise Forbidden
        self.plays = list(action["players"])

    def _after_a_change(self) -> None:
        decided = self.rules["lives"] > 0 or not self.got  # a target ends the game with the round
        if not self._may_go_on() or (decided and self._last_left() and self._is_over()):
            self.over = True
            return
        able = self._contenders()
        if self.player not in able or (self.tied and len(able) == 1):
            self._go_on()
