"""The games with a sheet of cells: docs/rules.md sections 6, 7, 8, 10 and 11."""

from itertools import permutations
from typing import Any, ClassVar

from tests.scorer.reference.combinations import counts
from tests.scorer.reference.table import Action, ReferenceGame

ALL_DICE = 5
THROWS = 3
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three", "four", "full", "small-straight", "large-straight", "general", "chance")
# A cell: column and category.
Cell = tuple[int, str]


class Sheet(ReferenceGame):
    """Three throws with keeps between, then one open cell is written. A subclass says what a cell is worth."""

    all_dice: ClassVar[int] = ALL_DICE
    columns: tuple[int, ...] = (1,)
    upper_wanted: ClassVar[int] = 63
    lower: ClassVar[tuple[str, ...]] = LOWER
    upper_bonus: ClassVar[int] = 35
    defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.cells: list[dict[Cell, int]] = [{} for _ in players]
        self.hundreds = [0 for _ in players]
        self.wrote_general = [False for _ in players]
        self.first_general_is_in: list[str | None] = [None for _ in players]
        self.saved = [0 for _ in players]
        self.player = 0
        self.start_turn()

    def start_turn(self) -> None:
        self.throws_left = THROWS + self.saved[self.player]
        self.dice: list[int] = []
        self.kept: list[int] | None = None

    # --- what a game says of the dice on the table

    def worth(self, column: int, category: str) -> int:
        raise NotImplementedError

    def adds(self, column: int, category: str) -> int:
        """What a further general adds when it is written there."""
        return 0

    def may_write(self, column: int, category: str) -> bool:
        """Whether an open cell may be written now."""
        return True

    # --- helpers for it

    @property
    def mine(self) -> dict[Cell, int]:
        return self.cells[self.player]

    def is_general(self) -> bool:
        return len(set(self.dice)) == 1

    def first_was_general(self) -> bool:
        """Whether the player's first general was written as general, if `hundreds_need_first` asks for it."""
        return not self.options["hundreds_need_first"] or self.first_general_is_in[self.player] == "general"

    def own_upper(self, column: int) -> Cell:
        """The upper cell of the general's face."""
        return (column, UPPER[self.dice[0] - 1])

    def open_cells(self) -> list[Cell]:
        return [
            (column, category)
            for column in self.columns
            for category in (*UPPER, *self.lower)
            if (column, category) not in self.mine
        ]

    # --- the same for all

    def to_act(self) -> list[int]:
        return [self.player]

    def score(self, player: int) -> int:
        cells = self.cells[player]
        total = sum(cells.values()) + self.hundreds[player]
        for column in self.columns:
            upper = sum(cells.get((column, category), 0) for category in UPPER)
            if upper >= self.upper_wanted * column:
                total += self.upper_bonus * column
        return total

    def legal_while_playing(self) -> list[Action]:
        if not self.dice:
            return [{"do": "throw", "count": self.all_dice}]
        if self.kept is not None:
            return [{"do": "throw", "count": self.all_dice - len(self.kept)}]
        legal: list[Action] = []
        for column, category in self.open_cells():
            if self.may_write(column, category):
                action: Action = {"do": "score", "category": category}
                action |= {"column": column} if len(self.columns) > 1 else {}
                action |= {"points": self.worth(column, category), "bonus": self.adds(column, category)}
                legal.append(action)
        if self.options.get("zero_only_if_nothing_fits") and any(brings(action) for action in legal):
            legal = [action for action in legal if brings(action)]
        if self.throws_left:
            legal.append({"do": "keep", "from": sorted(self.dice)})
        return legal

    def apply(self, action: Action) -> None:
        if action["do"] == "keep":
            self.kept = action["dice"]
        elif action["do"] == "throw":
            self.throws_left -= 1
            self.dice = [*(self.kept or []), *action["dice"]]
            self.kept = None
        else:
            column = action.get("column", 1)
            category = action["category"]
            points, hundreds = self.worth(column, category), self.adds(column, category)
            self.mine[(column, category)] = points
            self.hundreds[self.player] += hundreds
            if self.is_general() and not self.wrote_general[self.player]:
                self.first_general_is_in[self.player] = category
            self.wrote_general[self.player] |= self.is_general()
            self.saved[self.player] = min(self.throws_left, self.options.get("saved_throws", 0))
            self.player = (self.player + 1) % len(self.players)
            self.start_turn()
            self.over = not any(self.open_cells_of(player) for player in range(len(self.players)))

    def open_cells_of(self, player: int) -> bool:
        return len(self.cells[player]) < len(self.columns) * (len(UPPER) + len(self.lower))


def brings(action: Action) -> bool:
    """Whether writing there brings points, or a bonus."""
    return bool(action["points"] + action["bonus"])


def american(dice: list[int], category: str, four_exactly: bool = False, joker: bool = False) -> int:
    """A cell of sections 6, 7, 8 and 10, before any column's factor; `joker`: counts as any lower pattern."""
    if category in UPPER:
        face = UPPER.index(category) + 1
        return face * dice.count(face)
    most = counts(tuple(dice))[0]
    runs = [set(range(low, low + 4)) for low in (1, 2, 3)]
    fits = {
        "three": most >= 3,
        "four": most == 4 if four_exactly else most >= 4,
        "full": counts(tuple(dice)) == [3, 2],
        "small-straight": any(run <= set(dice) for run in runs),
        "large-straight": sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]),
        "general": most == 5,
        "chance": True,
    }[category]
    fixed = {"full": 25, "small-straight": 30, "large-straight": 40, "general": 50}
    return fixed.get(category, sum(dice)) if fits or joker else 0


class KosciSingle(Sheet):
    """docs/rules.md section 6."""

    key = "kosci-single"
    defaults: ClassVar[dict[str, Any]] = {"zero_only_if_nothing_fits": False, "hundreds_need_first": True}

    def is_further_general(self) -> bool:
        return self.is_general() and self.mine.get((1, "general")) == 50 and self.first_was_general()

    def worth(self, column: int, category: str) -> int:
        joker = self.is_further_general() and self.own_upper(1) in self.mine
        return american(self.dice, category, four_exactly=True, joker=joker)

    def adds(self, column: int, category: str) -> int:
        return 100 if self.is_further_general() else 0


class KosciTriple(Sheet):
    """docs/rules.md section 7."""

    key = "kosci-triple"
    defaults: ClassVar[dict[str, Any]] = {"zero_only_if_nothing_fits": False, "hundreds_need_first": True}
    columns = (1, 2, 3)

    def generals_with_points(self) -> int:
        if not self.first_was_general():
            return 0
        return sum(self.mine.get((column, "general"), 0) > 0 for column in self.columns)

    def worth(self, column: int, category: str) -> int:
        joker = (
            self.is_general()
            and self.generals_with_points() > 0
            and (column, "general") in self.mine
            and self.own_upper(column) in self.mine
        )
        return column * american(self.dice, category, four_exactly=True, joker=joker)

    def adds(self, column: int, category: str) -> int:
        return 100 * column if self.is_general() and self.generals_with_points() == 3 else 0


class Kosci(Sheet):
    """docs/rules.md section 8."""

    key = "kosci"
    defaults: ClassVar[dict[str, Any]] = {"first_general_is_joker": False, "hundreds_need_first": True}

    def is_joker(self) -> bool:
        filled = (1, "general") in self.mine and self.own_upper(1) in self.mine
        later = self.options["first_general_is_joker"] or self.wrote_general[self.player]
        return self.is_general() and filled and later

    def worth(self, column: int, category: str) -> int:
        return american(self.dice, category, joker=self.is_joker())

    def adds(self, column: int, category: str) -> int:
        """Written into an upper cell while a lower one is open it is an ordinary 0: no bonus."""
        used = category in LOWER or not any(cell[1] in LOWER for cell in self.open_cells())
        brings = used and self.mine[(1, "general")] == 50 and self.first_was_general() if self.is_joker() else False
        return 100 if brings else 0


class Yahtzee(Sheet):
    """docs/rules.md section 10. `forced` says where five alike must go; `free` and `original` only what they bring."""

    key = "yahtzee"
    defaults: ClassVar[dict[str, Any]] = {"joker": "forced"}

    def is_joker(self) -> bool:
        return self.is_general() and (1, "general") in self.mine

    def may_write(self, column: int, category: str) -> bool:
        """The upper cell of its face if it is open; otherwise a lower one; otherwise any upper one."""
        if not self.is_joker() or self.options["joker"] != "forced":
            return True
        if self.own_upper(1) not in self.mine:
            return (1, category) == self.own_upper(1)
        if any(cell[1] in LOWER for cell in self.open_cells()):
            return category in LOWER
        return True

    def worth(self, column: int, category: str) -> int:
        if self.options["joker"] == "original" and self.is_joker() and category in UPPER:
            return 0
        shows_all = self.own_upper(1) in self.mine if self.options["joker"] == "free" else True
        return american(self.dice, category, joker=self.is_joker() and shows_all)

    def adds(self, column: int, category: str) -> int:
        return 100 if self.is_joker() and self.mine[(1, "general")] == 50 else 0


class Yatzy(Sheet):
    """docs/rules.md section 11."""

    key = "yatzy"
    defaults: ClassVar[dict[str, Any]] = {"forced": False}
    lower = ("pair", "two-pairs", "three", "four", "small-straight", "large-straight", "full", "chance", "yatzy")
    upper_bonus = 50

    def may_write(self, column: int, category: str) -> bool:
        return not self.options["forced"] or (column, category) == self.open_cells()[0]

    def worth(self, column: int, category: str) -> int:
        dice = self.dice
        if category in UPPER:
            face = UPPER.index(category) + 1
            return face * dice.count(face)
        faces = {number: [face for face in range(1, 7) if dice.count(face) >= number] for number in (2, 3, 4, 5)}
        if category == "pair":
            return max((2 * face for face in faces[2]), default=0)
        if category == "two-pairs":
            return 2 * sum(faces[2]) if len(faces[2]) == 2 else 0
        if category == "three":
            return sum(3 * face for face in faces[3])
        if category == "four":
            return sum(4 * face for face in faces[4])
        if category == "small-straight":
            return 15 if sorted(dice) == [1, 2, 3, 4, 5] else 0
        if category == "large-straight":
            return 20 if sorted(dice) == [2, 3, 4, 5, 6] else 0
        if category == "full":
            return sum(dice) if counts(tuple(dice)) == [3, 2] else 0
        if category == "chance":
            return sum(dice)
        return 50 if faces[5] else 0


class MaxiYatzy(Sheet):
    """docs/rules.md, "The pack", and the rules at its first source: six dice, and unused throws are saved."""

    key = "maxi-yatzy"
    defaults: ClassVar[dict[str, Any]] = {"saved_throws": 100}
    all_dice = 6
    upper_wanted = 84
    upper_bonus = 100
    lower = (
        *("pair", "two-pairs", "three-pairs", "three", "four", "five"),
        *("small-straight", "large-straight", "full-straight", "full", "villa", "tower", "chance", "maxi-yatzy"),
    )

    def player_document(self, player: int) -> dict[str, Any]:
        return {"saved": self.saved[player]} if self.options["saved_throws"] else {}

    def turn(self) -> dict[str, Any]:
        return {"throws_left": self.throws_left}

    def worth(self, column: int, category: str) -> int:
        dice = self.dice
        if category in UPPER:
            face = UPPER.index(category) + 1
            return face * dice.count(face)
        shown = {
            "small-straight": 15 * ({1, 2, 3, 4, 5} <= set(dice)),
            "large-straight": 20 * ({2, 3, 4, 5, 6} <= set(dice)),
            "full-straight": 21 * (len(set(dice)) == 6),
            "chance": sum(dice),
            self.lower[-1]: 100 * (len(set(dice)) == 1),
        }
        if category in shown:
            return shown[category]
        wanted = {
            "pair": [2],
            "two-pairs": [2, 2],
            "three-pairs": [2, 2, 2],
            "three": [3],
            "four": [4],
            "five": [5],
            "full": [3, 2],
            "villa": [3, 3],
            "tower": [4, 2],
        }[category]
        return max(
            (
                sum(face * number for face, number in zip(faces, wanted, strict=True))
                for faces in permutations(range(1, 7), len(wanted))
                if all(dice.count(face) >= number for face, number in zip(faces, wanted, strict=True))
            ),
            default=0,
        )


class YatzySixDice(MaxiYatzy):
    """The README of its source: the cells of Yatzy, in which the dice of a pattern count."""

    key = "yatzy-six-dice"
    upper_wanted = 73
    upper_bonus = 50
    lower = (*("pair", "two-pairs", "three", "four", "small-straight", "large-straight", "full", "chance"), "yatzy")
