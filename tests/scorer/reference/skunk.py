"""Skunk as downwindkennels.com ("SKUNK rules") and skunk.brash.ca have it: a sheet of columns for each player."""

from typing import Any, ClassVar

from tests.scorer.reference.table import Action, ReferenceGame


class Skunk(ReferenceGame):
    """`sheets`: each player's columns, in which he writes every throw for which he stood."""

    key = "skunk"
    defaults: ClassVar[dict[str, Any]] = {"rounds": 5, "first_throw_counts": True}

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.sheets: list[list[list[int]]] = [[[]] for _ in players]
        self.standing = set(range(len(players)))
        self.throws = 0  # in this column

    def to_act(self) -> list[int]:
        return sorted(self.standing)

    def legal_while_playing(self) -> list[Action]:
        legal: list[Action] = [{"do": "throw", "count": 2}]
        for player in self.to_act() if self.throws else []:
            legal.append({"do": "sit", "player": player, "points": sum(self.sheets[player][-1])})
        return legal

    def score(self, player: int) -> int:
        columns = self.sheets[player]
        if player in self.standing and not self.over:
            columns = columns[:-1]  # not his yet
        return sum(sum(column) for column in columns)

    def turn(self) -> dict[str, Any]:
        stands = min(self.standing)
        return {"points": sum(self.sheets[stands][-1])}

    def apply(self, action: Action) -> None:
        if action["do"] == "sit":
            self.standing.remove(action["player"])
            if not self.standing:
                self.next_column()
            return
        one, other = action["dice"]
        if 1 in (one, other) and not self.throws and not self.options["first_throw_counts"]:
            return
        self.throws += 1
        if one != 1 and other != 1:
            for player in self.standing:
                self.sheets[player][-1] += [one, other]
            return
        for player in self.standing:
            self.sheets[player][-1] = []
            if one == other == 1:
                self.sheets[player] = [[] for _ in self.sheets[player]]
        self.next_column()

    def next_column(self) -> None:
        self.throws = 0
        self.standing = set(range(len(self.players)))
        self.over = len(self.sheets[0]) == self.options["rounds"]
        if not self.over:
            for columns in self.sheets:
                columns.append([])
