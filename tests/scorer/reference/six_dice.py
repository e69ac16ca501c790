"""docs/rules.md section 2: the same kind of turn, but what scores is set aside by itself."""

from typing import Any, ClassVar

from tests.scorer.reference.combinations import Dice, scoring_choices, six_dice, six_dice_pairs_may_repeat
from tests.scorer.reference.table import Action, ReferenceGame

ALL_DICE = 6


class SixDice(ReferenceGame):
    """docs/rules.md section 2."""

    key = "six-dice"
    defaults: ClassVar[dict[str, Any]] = {
        "target": 10000,
        "minimum": 350,
        "pairs_may_repeat": False,
        "confirm": "single-throw",
        "finish_round": False,
    }

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.totals = [0 for _ in players]
        self.player = 0
        self.reached = False
        self.start_turn()

    def start_turn(self) -> None:
        self.points = 0
        self.next_throw = ALL_DICE
        self.has_thrown = False
        self.must_confirm = False

    def to_act(self) -> list[int]:
        return [self.player]

    def score(self, player: int) -> int:
        return self.totals[player]

    def turn(self) -> dict[str, Any]:
        return {"points": self.points, "dice_left": self.next_throw}

    def legal_while_playing(self) -> list[Action]:
        legal: list[Action] = [{"do": "throw", "count": self.next_throw}]
        if self.has_thrown and not self.must_confirm and self.points >= self.options["minimum"]:
            legal.append({"do": "bank", "points": self.points})
        return legal

    def apply(self, action: Action) -> None:
        if action["do"] == "throw":
            self.throw(tuple(sorted(action["dice"])))
        else:
            self.totals[self.player] += self.points
            self.reached = self.reached or self.totals[self.player] >= self.options["target"]
            self.end_turn()

    def throw(self, thrown: Dice) -> None:
        points, count = self.set_aside(thrown)
        if count == 0:
            self.end_turn()
            return
        self.has_thrown = True
        self.points += points
        ran_out = count == len(thrown)
        in_one_throw = ran_out and len(thrown) == ALL_DICE
        self.must_confirm = {"never": False, "single-throw": in_one_throw, "any": ran_out}[self.options["confirm"]]
        self.next_throw = ALL_DICE if ran_out else len(thrown) - count

    def set_aside(self, thrown: Dice) -> tuple[int, int]:
        """Points and number of the dice that score: most points, then most dice."""
        one = six_dice_pairs_may_repeat if self.options["pairs_may_repeat"] else six_dice
        return max(((points, len(chosen)) for chosen, points in scoring_choices(thrown, one).items()), default=(0, 0))

    def end_turn(self) -> None:
        self.player = (self.player + 1) % len(self.players)
        self.start_turn()
        self.over = self.reached and (not self.options["finish_round"] or self.player == 0)
