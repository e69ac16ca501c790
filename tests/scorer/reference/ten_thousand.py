"""The games where a player chooses what to set aside: docs/rules.md sections 1, 12 and 13."""

from typing import Any, ClassVar

from tests.scorer.reference.combinations import (
    Dice,
    OneCombination,
    farkle,
    leave_out,
    ones_and_fives,
    ones_and_fives_as_printed,
    scoring_choices,
    zilch,
)
from tests.scorer.reference.table import Action, ReferenceGame

ALL_DICE = 6


class SettingAside(ReferenceGame):
    """Throw, set aside, then throw the rest or bank. The table of dice on it is None when a throw may come."""

    # Wrapped in a tuple, for a bare function in a class would become a method.
    combination: ClassVar[tuple[OneCombination]]

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.totals = [0 for _ in players]
        self.has_banked = [False for _ in players]
        self.player = 0
        self.reached_by: int | None = None
        self.start_turn()

    def start_turn(self) -> None:
        self.points = 0
        self.remaining = ALL_DICE
        self.on_table: Dice | None = None
        self.has_thrown = False

    # --- what is legal

    def legal_while_playing(self) -> list[Action]:
        if self.on_table is not None:
            return [
                {
                    "do": "set-aside",
                    "dice": list(chosen),
                    "points": points,
                    "dice_left": (len(self.on_table) - len(chosen)) or ALL_DICE,
                }
                for chosen, points in self.choices(self.on_table).items()
            ]
        legal: list[Action] = [{"do": "throw", "count": self.remaining or ALL_DICE}]
        if self.has_thrown and self.may_bank():
            legal.append({"do": "bank", "points": self.points})
        return legal

    def choices(self, thrown: Dice) -> dict[Dice, int]:
        return scoring_choices(thrown, self.combination[0])

    def may_bank(self) -> bool:
        raise NotImplementedError

    # --- what happens

    def apply(self, action: Action) -> None:
        if action["do"] == "throw":
            thrown = tuple(sorted(action["dice"]))
            self.has_thrown = True
            self.remaining = len(thrown)
            if self.choices(thrown):
                self.on_table = thrown
            else:
                self.bust()
                self.end_turn()
        elif action["do"] == "set-aside":
            assert self.on_table is not None
            chosen = tuple(sorted(action["dice"]))
            self.points += self.choices(self.on_table)[chosen]
            self.remaining = len(leave_out(self.on_table, chosen))
            self.on_table = None
        else:
            self.totals[self.player] += self.points
            self.has_banked[self.player] = True
            self.bank_more()
            if self.reached_by is None and self.totals[self.player] >= self.options["target"]:
                self.reached_by = self.player
            self.end_turn()

    def bust(self) -> None:
        """For a game in which a bust does more than lose the turn's points."""

    def bank_more(self) -> None:
        """For a game in which banking does more than add the turn's points."""

    def end_turn(self) -> None:
        self.player = (self.player + 1) % len(self.players)
        self.start_turn()
        self.over = self.reached_by is not None and self.is_last_turn_over(self.reached_by)

    def is_last_turn_over(self, reached_by: int) -> bool:
        """Whether the game ends before `self.player`, who would be next, has his turn."""
        raise NotImplementedError

    # --- what is shown

    def to_act(self) -> list[int]:
        return [self.player]

    def score(self, player: int) -> int:
        return self.totals[player]

    def turn(self) -> dict[str, Any]:
        return {"points": self.points, "dice_left": self.remaining or ALL_DICE}


class OnesAndFives(SettingAside):
    """docs/rules.md section 1."""

    key = "ones-and-fives"
    defaults: ClassVar[dict[str, Any]] = {
        "target": 10000,
        "minimum": 400,
        "bank_with_at_most": 2,
        "finish_round": False,
        "two_two_two_is_300": False,
    }

    def choices(self, thrown: Dice) -> dict[Dice, int]:
        printed = self.options["two_two_two_is_300"]
        return scoring_choices(thrown, ones_and_fives_as_printed if printed else ones_and_fives)

    def may_bank(self) -> bool:
        """Dice left are "two, one or none": after all six are set aside there are none, though six may be thrown."""
        return bool(self.points >= self.options["minimum"] and self.remaining <= self.options["bank_with_at_most"])

    def is_last_turn_over(self, reached_by: int) -> bool:
        """At once; with `finish_round` when the round is played out, so when the first player would be next."""
        return not self.options["finish_round"] or self.player == 0


class Farkle(SettingAside):
    """docs/rules.md section 12."""

    key = "farkle"
    defaults: ClassVar[dict[str, Any]] = {"target": 10000, "minimum": 0, "opening": 500, "hot_dice": "may"}
    combination = (farkle,)

    def start_turn(self) -> None:
        super().start_turn()
        self.all_scored = 0

    def choices(self, thrown: Dice) -> dict[Dice, int]:
        times = 1 + self.all_scored if self.options["hot_dice"] == "multiply" else 1
        return {chosen: times * points for chosen, points in super().choices(thrown).items()}

    def apply(self, action: Action) -> None:
        super().apply(action)
        if action["do"] == "set-aside" and not self.remaining:
            self.all_scored += 1

    def may_bank(self) -> bool:
        if self.options["hot_dice"] == "must" and not self.remaining:
            return False
        needed = self.options["minimum"]
        if not self.has_banked[self.player]:
            needed = max(needed, self.options["opening"])
        return bool(self.points >= needed)

    def is_last_turn_over(self, reached_by: int) -> bool:
        """Every player but the one who reached the target has one more turn."""
        return self.player == reached_by


class Zilch(SettingAside):
    """docs/rules.md section 13."""

    key = "zilch"
    defaults: ClassVar[dict[str, Any]] = {"target": 10000, "minimum": 300}
    combination = (zilch,)

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.zilches_in_a_row = [0 for _ in players]

    def choices(self, thrown: Dice) -> dict[Dice, int]:
        """Six dice of which nothing scores are 500, all six together."""
        scoring = super().choices(thrown)
        return {thrown: 500} if len(thrown) == ALL_DICE and not scoring else scoring

    def may_bank(self) -> bool:
        return bool(self.points >= self.options["minimum"])

    def bust(self) -> None:
        self.zilches_in_a_row[self.player] += 1
        if self.zilches_in_a_row[self.player] == 3:
            self.totals[self.player] -= 500
            self.zilches_in_a_row[self.player] = 0

    def bank_more(self) -> None:
        self.zilches_in_a_row[self.player] = 0

    def is_last_turn_over(self, reached_by: int) -> bool:
        return self.player == reached_by
