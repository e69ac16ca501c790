"""Sheets of the pack: docs/rules.md, "The pack", and the rules at their sources."""

from typing import Any, ClassVar

from tests.scorer.reference.combinations import counts
from tests.scorer.reference.sheets import LOWER, THROWS, UPPER, Sheet, american
from tests.scorer.reference.table import Action

BLACK, RED, GREEN = {1, 6}, {2, 5}, {3, 4}


def straight(dice: list[int]) -> bool:
    return sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])


def straight_with_the_ace(dice: list[int]) -> bool:
    """One that a one for a two or a seven makes, too."""
    return straight(dice) or sorted(dice) == [1, 3, 4, 5, 6]


class Served(Sheet):
    """Ten cells; what fits counts more with a turn's first throw."""

    upper_bonus = 0
    lower_points: ClassVar[dict[str, tuple[int, int]]]  # later, and with the first throw

    def is_served(self) -> bool:
        return self.throws_left == THROWS - 1

    def worth(self, column: int, category: str) -> int:
        if category in UPPER:
            return american(self.dice, category)
        most = counts(tuple(self.dice))[0]
        fits = {
            "straight": straight_with_the_ace(self.dice),
            "full": counts(tuple(self.dice)) == [3, 2],
            self.lower[2]: most >= 4,
            self.lower[3]: most == 5,
        }[category]
        return self.lower_points[category][self.is_served()] if fits else 0


class KosciFixed(Served):
    key = "kosci-fixed"
    lower = ("straight", "full", "four", "general")
    lower_points: ClassVar[dict[str, tuple[int, int]]] = {
        "straight": (20, 25),
        "full": (30, 35),
        "four": (40, 45),
        "general": (50, 55),
    }


class Generala(Served):
    key = "generala"
    defaults: ClassVar[dict[str, Any]] = {"played_on": False}
    lower = ("straight", "full", "poker", "generala")
    lower_points: ClassVar[dict[str, tuple[int, int]]] = {
        "straight": (20, 25),
        "full": (30, 35),
        "poker": (40, 45),
        "generala": (60, 120),
    }

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.winner: int | None = None

    def wins(self, category: str | None) -> bool:
        served = category == "generala" and self.is_general() and self.is_served()
        return served and not self.options["played_on"]

    def legal_while_playing(self) -> list[Action]:
        legal = super().legal_while_playing()
        return [{**each, "wins": True} if self.wins(each.get("category")) else each for each in legal]

    def apply(self, action: Action) -> None:
        player, wins = self.player, self.wins(action.get("category"))
        super().apply(action)
        if wins:
            self.over, self.winner = True, player

    def merit(self, player: int) -> tuple[int, ...]:
        return (player == self.winner, self.score(player))


class Kniffel(Sheet):
    """One column, or three that count once, twice and three times."""

    key = "kniffel"
    defaults: ClassVar[dict[str, Any]] = {"triple": False}
    lower = (*LOWER[:5], "kniffel", "chance")

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.columns = (1, 2, 3) if self.options["triple"] else (1,)

    def worth(self, column: int, category: str) -> int:
        return column * american(self.dice, "general" if category == "kniffel" else category)


class PokerDice(Sheet):
    key = "poker-dice"
    upper_wanted = 64
    lower = ("pair", "two-pairs", "three", "four", "full", "small-straight", "large-straight", "poker", "chance")

    def worth(self, column: int, category: str) -> int:
        if category == "poker":
            return american(self.dice, "general")
        if category == "pair":
            return sum(self.dice) if counts(tuple(self.dice))[0] >= 2 else 0
        if category == "two-pairs":
            faces = [face for face in range(1, 7) if self.dice.count(face) >= 2]
            return sum(self.dice) if len(faces) == 2 else 0
        return american(self.dice, category)


class Kismet(Sheet):
    key = "kismet"
    lower = (
        *("two-pairs", "three", "straight", "flush", "full", "full-of-one-colour", "four", "yarborough", "kismet"),
    )

    def score(self, player: int) -> int:
        cells = self.cells[player]
        upper = sum(cells.get((1, category), 0) for category in UPPER)
        bonus = 75 if upper >= 78 else 55 if upper >= 71 else 35 if upper >= 63 else 0
        return sum(cells.values()) + bonus

    def worth(self, column: int, category: str) -> int:
        dice, total, most = self.dice, sum(self.dice), counts(tuple(self.dice))[0]
        if category in UPPER:
            return american(dice, category)
        full = counts(tuple(dice)) in ([3, 2], [5])
        flush = any(set(dice) <= colour for colour in (BLACK, RED, GREEN))
        return {
            "two-pairs": total if any(self.pairs_of(colour) >= 2 for colour in (BLACK, RED, GREEN)) else 0,
            "three": total if most >= 3 else 0,
            "straight": 30 if straight(dice) else 0,
            "flush": 35 if flush else 0,
            "full": total + 15 if full else 0,
            "full-of-one-colour": total + 20 if full and flush else 0,
            "four": total + 25 if most >= 4 else 0,
            "yarborough": total,
            "kismet": total + 50 if most == 5 else 0,
        }[category]

    def pairs_of(self, colour: set[int]) -> int:
        """Pairs of this colour; four alike are two."""
        return sum(self.dice.count(face) // 2 for face in colour)


class Balut(Sheet):
    """Each of seven cells is written four times."""

    key = "balut"
    kinds: ClassVar[tuple[str, ...]] = ("fours", "fives", "sixes", "straight", "full", "chance", "balut")

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.rows: list[dict[str, list[int]]] = [{kind: [] for kind in self.kinds} for _ in players]

    def open_cells(self) -> list[tuple[int, str]]:
        return [(1, kind) for kind, written in self.rows[self.player].items() if len(written) < 4]

    def apply(self, action: Action) -> None:
        if action["do"] == "score":
            kind = action["category"]
            self.rows[self.player][kind].append(self.worth(1, kind))
        super().apply(action)

    def open_cells_of(self, player: int) -> bool:
        return any(len(written) < 4 for written in self.rows[player].values())

    def worth(self, column: int, category: str) -> int:
        total = sum(self.dice)
        if category in UPPER:
            return american(self.dice, category)
        if category == "balut":
            return total + 20 if self.is_general() else 0
        fits = {"straight": straight(self.dice), "full": counts(tuple(self.dice)) == [3, 2], "chance": True}[category]
        return total if fits else 0

    def total(self, player: int) -> int:
        return sum(sum(written) for written in self.rows[player].values())

    def by_total(self, player: int) -> int:
        """-2 below 300, one more for each further 50, and 6 at most."""
        return max(-2, min(6, (self.total(player) - 400) // 50 + 1))

    def score(self, player: int) -> int:
        rows = self.rows[player]
        points = self.by_total(player)
        points += sum(2 for kind, wanted in (("fours", 52), ("fives", 65), ("sixes", 78)) if sum(rows[kind]) >= wanted)
        points += 2 * (sum(rows["chance"]) >= 100)
        points += 4 * (sum(map(bool, rows["straight"])) == 4) + 3 * (sum(map(bool, rows["full"])) == 4)
        return points + 2 * sum(map(bool, rows["balut"]))

    def player_document(self, player: int) -> dict[str, Any]:
        return {"by_total": self.by_total(player)}
