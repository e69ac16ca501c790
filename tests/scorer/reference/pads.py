"""A score pad after docs/rules.md, naively: all is worked out anew from a table of what was written.

It shares nothing with scorer/pad.py. An action that the rules forbid raises Forbidden.
"""

from typing import Any, NamedTuple

Action = dict[str, Any]
MOST_ROUNDS = 200


class Forbidden(Exception):  # noqa: N818 - of a rule
    pass


class Rules(NamedTuple):
    rounds: int = 0
    target: int = 0
    low_wins: bool = False
    by_rounds: bool = False
    teams: int = 0
    in_turn: bool = False
    low: int = -100_000
    high: int = 100_000
    dice: int = 0


class ReferencePad:
    """`table`: by round, what each player wrote; `sits`: who writes nothing in the running one."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.count = rules, players
        self.table: list[dict[int, int]] = [{}]
        self.plays = list(range(players))
        self.sits: set[int] = set()
        self.by_hand = dict.fromkeys(range(players), 0)
        self.notes: dict[int, str] = {}
        self.over = False
        self.left = list(self.plays)  # who writes in the running round

    # --- what may be done ---

    def do(self, action: Action) -> None:
        verb = action["do"]
        if verb == "adjust":
            getattr(self, "adjust_" + action["what"].replace("-", "_"))(action)
            return
        if self.over:
            raise Forbidden
        running = self.table[-1]
        if verb == "write":
            player, points = action["player"], action["points"]
            first = self.rules.in_turn and self.to_act()[:1] != [player]
            if player not in self.to_act() or first or not self.rules.low <= points <= self.rules.high:
                raise Forbidden
            running[player] = points
        elif verb == "throw":
            if len(action["dice"]) != self.rules.dice:
                raise Forbidden
            running[self.to_act()[0]] = sum(action["dice"])
        elif verb == "close-round":
            if self.rules.in_turn or not running:
                raise Forbidden
            for player in self.to_act():
                running[player] = 0
        elif verb == "finish":
            if self.rules.rounds or self.rules.target or running or len(self.table) == 1:
                raise Forbidden
            self.over = True
        self._end_round()

    def adjust_cell(self, action: Action) -> None:
        number, player, points = action["round"], action["player"], action["points"]
        row = self.table[number - 1]
        decided = self._decided(len(self.table) - 1)
        if points is None:
            row.pop(player, None)
        else:
            row[player] = points
        if number == len(self.table) and not self.over:
            self._end_round()
        else:
            self._decide_anew(decided)

    def adjust_total(self, action: Action) -> None:
        decided = self._decided(len(self.table) - 1)
        self.by_hand[action["player"]] += action["points"] - self.score(action["player"])
        self._decide_anew(decided)

    def _decide_anew(self, before: bool) -> None:
        """Points settled between two rounds may end or reopen the game."""
        if self.table[-1]:
            return
        now = self._decided(len(self.table) - 1)
        if now != before:
            self.over = now
            self._begin()

    def adjust_note(self, action: Action) -> None:
        self.notes[action["round"]] = action["text"].strip()

    def adjust_turn_skipped(self, action: Action) -> None:
        if self.over or action["player"] not in self.to_act() or len(self.plays) == 1:
            raise Forbidden
        self.sits.add(action["player"])
        self._end_round()

    def to_act(self) -> list[int]:
        """Who has yet to write in the running round."""
        if self.over:
            return []
        found = [each for each in self.left if each not in self.table[-1] and each not in self.sits]
        return found[:1] if self.rules.in_turn else found

    def _begin(self) -> None:
        self.sits = set()
        self.left = list(self.plays)

    def _end_round(self) -> None:
        if self.over or self.to_act():
            return
        done = bool(self.table[-1])
        if done:
            self.table.append({})
        self._begin()
        if done:
            self.over = self._decided(len(self.table) - 1)

    def _decided(self, done: int) -> bool:
        rules = self.rules
        if done >= (rules.rounds or MOST_ROUNDS):
            return True
        if not rules.target:
            return False
        return any(self.score(each) >= rules.target for each in self.plays)

    # --- what it comes to ---

    def _mates(self, player: int) -> list[int]:
        if not self.rules.teams:
            return [player]
        return [each for each in range(self.count) if each % self.rules.teams == player % self.rules.teams]

    def round_winner(self, row: dict[int, int]) -> list[int]:
        """The players of the one side that won a round; nobody in a tie."""
        sides = {tuple(self._mates(player)) for player in row}
        sums = {side: sum(row.get(each, 0) for each in side) for side in sides}
        ranked = sorted(sums.values(), reverse=not self.rules.low_wins)
        if len(ranked) > 1 and ranked[0] == ranked[1]:
            return []
        return [each for side in sides for each in side if sums[side] == ranked[0]]

    def score(self, player: int) -> int:
        by_hand = sum(self.by_hand[each] for each in self._mates(player))
        if self.rules.by_rounds:
            return by_hand + sum(player in self.round_winner(row) for row in self.table[:-1] if row)
        return by_hand + sum(row.get(each, 0) for row in self.table for each in self._mates(player))

    def places(self) -> list[int | None]:
        rules = self.rules

        def merit(player: int) -> int:
            score = self.score(player)
            return -score if rules.low_wins and not rules.by_rounds else score

        merits = {each: merit(each) for each in self.plays}
        return [
            1 + sum(other > merits[each] for other in merits.values()) if each in merits else None
            for each in range(self.count)
        ]
