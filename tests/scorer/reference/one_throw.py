"""The games that only need throws: docs/rules.md sections 4 and 5."""

from typing import Any, ClassVar

from tests.scorer.reference.table import Action, ReferenceGame

ALL_DICE = 6
RUNS = {1: 0, 2: 5, 3: 10, 4: 15, 5: 20, 6: 25}


class Sequence(ReferenceGame):
    """docs/rules.md section 4."""

    key = "sequence"
    defaults: ClassVar[dict[str, Any]] = {"target": 100, "three_ones_wipe": False, "finish_round": False}

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.totals = [0 for _ in players]
        self.player = 0

    def to_act(self) -> list[int]:
        return [self.player]

    def score(self, player: int) -> int:
        return self.totals[player]

    def turn(self) -> dict[str, Any]:
        return {"dice_left": ALL_DICE}

    def legal_while_playing(self) -> list[Action]:
        return [{"do": "throw", "count": ALL_DICE}]

    def apply(self, action: Action) -> None:
        dice = action["dice"]
        if self.options["three_ones_wipe"] and dice.count(1) >= 3:
            self.totals[self.player] = 0
        else:
            longest = 0
            while longest + 1 in dice:
                longest += 1
            self.totals[self.player] += RUNS[longest] if longest else 0
        self.over = max(self.totals) >= self.options["target"]
        self.player = (self.player + 1) % len(self.players)
        if self.options["finish_round"] and self.player != 0:
            self.over = False


class ForbiddenNumbers(ReferenceGame):
    """docs/rules.md section 5."""

    key = "forbidden-numbers"
    defaults: ClassVar[dict[str, Any]] = {"rounds": 1}

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.totals = [0 for _ in players]
        self.turns_played = 0
        self.forbidden: list[int] = []
        self.next_throw = 2

    @property
    def player(self) -> int:
        return self.turns_played % len(self.players)

    def to_act(self) -> list[int]:
        return [self.player]

    def score(self, player: int) -> int:
        return self.totals[player]

    def turn(self) -> dict[str, Any]:
        return {"dice_left": self.next_throw}

    def legal_while_playing(self) -> list[Action]:
        return [{"do": "throw", "count": self.next_throw}]

    def apply(self, action: Action) -> None:
        dice = action["dice"]
        if not self.forbidden:
            if dice[0] != dice[1]:
                self.forbidden = dice
                self.next_throw = ALL_DICE
            return
        staying = [die for die in dice if die not in self.forbidden]
        self.totals[self.player] += sum(staying)
        self.next_throw = len(staying)
        if not staying:
            self.turns_played += 1
            self.next_throw = ALL_DICE
            self.over = self.turns_played == self.options["rounds"] * len(self.players)
