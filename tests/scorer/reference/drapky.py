"""docs/rules.md section 3."""

from typing import Any, ClassVar

from tests.scorer.reference.combinations import counts
from tests.scorer.reference.table import Action, ReferenceGame

ALL_DICE = 6
THROWS = 3
NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")


def figures(dice: list[int], exact_two_plus_three: bool, exact_poker: bool) -> dict[str, int]:
    """The figures that six dice show, each with its points."""
    shown = {}
    how_many = {face: dice.count(face) for face in range(1, 7)}
    for face, name in enumerate(NUMBERS, start=1):
        if how_many[face] >= 3:
            shown[name] = face * how_many[face]
    # 333222 is a two-plus-three either way. 444422 is one, unless the option asks for "only exactly three and two, or
    # three and three".
    best_fives = [
        3 * three + 2 * two
        for three in range(1, 7)
        for two in range(1, 7)
        if three != two and how_many[three] >= 3 and how_many[two] >= 2
    ]
    if exact_two_plus_three and sorted(how_many.values())[-2:] not in ([2, 3], [3, 3]):
        best_fives = []
    if best_fives:
        shown["two-plus-three"] = max(best_fives)
    if counts(tuple(dice)) == [2, 2, 2]:
        shown["pairs"] = sum(dice)
    if counts(tuple(dice)) == [3, 3]:
        shown["triples"] = sum(dice)
    if any(sorted(dice) == sorted([a, a, a, b, b, c]) for a in range(1, 7) for b in range(1, a) for c in range(1, b)):
        shown["pyramid"] = sum(dice)
    for face in range(1, 7):
        if how_many[face] == 4 or (how_many[face] >= 4 and not exact_poker):
            shown["poker"] = 4 * face
        if how_many[face] == 6:
            shown["general"] = 6 * face
    if sorted(dice) == [1, 1, 1, 1, 1, 6]:
        shown["hiroshima"] = 11
    if sorted(dice) == [1, 2, 3, 4, 5, 6]:
        shown["straight"] = 21
    return shown


class Drapky(ReferenceGame):
    """docs/rules.md section 3. `kept` is None while no keep was said since the last throw."""

    key = "drapky"
    defaults: ClassVar[dict[str, Any]] = {"exact_two_plus_three": False, "exact_poker": False}

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.figures: list[dict[str, int]] = [{} for _ in players]
        self.saved = [0 for _ in players]
        self.player = 0
        self.start_turn()

    def start_turn(self) -> None:
        self.throws_left = THROWS + self.saved[self.player]
        self.dice: list[int] = []
        self.kept: list[int] | None = None

    def to_act(self) -> list[int]:
        return [self.player]

    def score(self, player: int) -> int:
        return sum(self.figures[player].values())

    def merit(self, player: int) -> tuple[int, ...]:
        return (len(self.figures[player]), self.score(player))

    def player_document(self, player: int) -> dict[str, Any]:
        return {"figures": dict(self.figures[player]), "saved": self.saved[player]}

    def writable(self) -> dict[str, int]:
        have = self.figures[self.player]
        shown = figures(self.dice, self.options["exact_two_plus_three"], self.options["exact_poker"])
        return {figure: points for figure, points in shown.items() if figure not in have}

    def legal_while_playing(self) -> list[Action]:
        if not self.dice:
            return [{"do": "throw", "count": ALL_DICE}, {"do": "pass"}]
        if self.kept is not None:
            return [{"do": "throw", "count": ALL_DICE - len(self.kept)}]
        legal: list[Action] = [
            {"do": "score", "category": figure, "points": points} for figure, points in self.writable().items()
        ]
        if self.throws_left:
            legal.append({"do": "keep", "from": sorted(self.dice)})
        return [*legal, {"do": "pass"}]

    def apply(self, action: Action) -> None:
        if action["do"] == "keep":
            self.kept = action["dice"]
        elif action["do"] == "throw":
            self.throws_left -= 1
            self.dice = [*(self.kept or []), *action["dice"]]
            self.kept = None
            if not self.throws_left and not self.writable():
                self.end_turn()
        elif action["do"] == "score":
            self.figures[self.player][action["category"]] = self.writable()[action["category"]]
            self.over = len(self.figures[self.player]) == 14
            self.end_turn()
        else:
            self.end_turn()

    def end_turn(self) -> None:
        self.saved[self.player] = self.throws_left
        self.player = (self.player + 1) % len(self.players)
        self.start_turn()
