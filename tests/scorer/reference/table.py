"""What every game has in common: seats, places, the document, and the check of an action against the legal ones."""

from collections import Counter
from typing import Any, ClassVar

Action = dict[str, Any]
Document = dict[str, Any]

# What an action must name, and have right, to be one of the legal ones (docs/interfaces.md, table of actions).
NAMED = {
    "bank": (),
    "pass": (),
    "choose": ("count",),
    "score": ("category", "column"),
    "announce": ("category",),
    "write": ("player", "cell"),
    "circle": ("player", "cell"),
    "skip": ("player",),
    "sit": ("player",),
}


class IllegalError(Exception):
    """An action that the rules refuse; `number` counts actions from 1, 0 when it came outside a record."""

    def __init__(self, number: int, action: Action) -> None:
        super().__init__(f"action {number}: {action}")
        self.number = number
        self.action = action


class ReferenceGame:
    """A game in progress. A subclass says what is legal, what an action changes and how players compare."""

    key: ClassVar[str]
    defaults: ClassVar[dict[str, Any]]

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        unknown = set(options) - set(self.defaults)
        assert not unknown, f"{self.key} has no options {unknown}"
        self.players = list(players)
        self.options = {**self.defaults, **options}
        self.over = False
        self._legal: list[Action] | None = None  # since the last action

    # --- what a subclass says

    def to_act(self) -> list[int]:
        raise NotImplementedError

    def legal_while_playing(self) -> list[Action]:
        raise NotImplementedError

    def apply(self, action: Action) -> None:
        raise NotImplementedError

    def score(self, player: int) -> int:
        raise NotImplementedError

    def merit(self, player: int) -> tuple[int, ...]:
        """What places go by: more is better."""
        return (self.score(player),)

    def player_document(self, player: int) -> dict[str, Any]:
        """What the document says of a player beyond name, score and place."""
        return {}

    def turn(self) -> dict[str, Any]:
        return {}

    # --- what follows

    def legal(self) -> list[Action]:
        if self._legal is None:
            self._legal = [] if self.over else self.legal_while_playing()
        return [dict(action) for action in self._legal]

    def allows(self, action: Action) -> bool:
        return any(matches(action, legal) for legal in self.legal())

    def do(self, action: Action) -> None:
        if not self.allows(action):
            raise IllegalError(0, action)
        self.apply(action)
        self._legal = None

    def place(self, player: int) -> int:
        """1 plus how many are better, so that equal players share a place: 1, 1, 3 (docs/interfaces.md)."""
        own = self.merit(player)
        return 1 + sum(self.merit(other) > own for other in range(len(self.players)))

    def document(self) -> Document:
        seats = range(len(self.players))
        places = [self.place(player) for player in seats]
        return {
            "game": self.key,
            "over": self.over,
            "winners": [player for player in seats if places[player] == 1] if self.over else [],
            "to_act": [] if self.over else self.to_act(),
            "players": [
                {
                    "name": self.players[player],
                    "score": self.score(player),
                    "place": places[player],
                    **self.player_document(player),
                }
                for player in seats
            ],
            "turn": {} if self.over else self.turn(),
            "legal": self.legal(),
        }


def replay(game: ReferenceGame, actions: list[Action]) -> Document:
    """Where the game stands after the actions; IllegalError with the number of the first that the rules refuse."""
    for number, action in enumerate(actions, start=1):
        try:
            game.do(action)
        except IllegalError:
            raise IllegalError(number, action) from None
    return game.document()


def matches(action: Action, legal: Action) -> bool:
    """Whether an action is the legal one given, or one of those that it stands for (a throw, a keep)."""
    do = action.get("do")
    if do != legal["do"]:
        return False
    if do == "throw":
        return are_dice(action.get("dice")) and len(action["dice"]) == legal["count"]
    if do == "set-aside":
        return are_dice(action.get("dice")) and sorted(action["dice"]) == sorted(legal["dice"])
    if do == "shut":
        tiles = action.get("tiles")
        numbers = isinstance(tiles, list) and all(type(tile) is int for tile in tiles)
        return numbers and sorted(tiles) == legal["tiles"]
    if do == "keep":
        return is_keep(action.get("dice"), legal["from"])
    if do == "circle-line":
        return (
            same(action.get("player"), legal["player"])
            and same(action.get("line"), legal["line"])
            and same_cells(action.get("cells"), legal["cells"])
        )
    return all(same(action.get(name), legal.get(name)) for name in NAMED[do])


def same(given: Any, wanted: Any) -> bool:
    """Equal and of the same JSON kind: true is not 1, and neither is 1.0."""
    if isinstance(wanted, list):
        return isinstance(given, list) and len(given) == len(wanted) and all(map(same, given, wanted))
    return type(given) is type(wanted) and bool(given == wanted)


def same_cells(given: Any, wanted: list[list[int]]) -> bool:
    """The same cells in any order."""
    left = list(wanted)
    for cell in given if isinstance(given, list) else [None]:
        found = [other for other in left if same(cell, other)]
        if not found:
            return False
        left.remove(found[0])
    return not left


def are_dice(dice: Any) -> bool:
    return isinstance(dice, list) and all(type(die) is int and 1 <= die <= 6 for die in dice)


def is_keep(kept: Any, table: list[int]) -> bool:
    """Any of the dice on the table, or none, but not all: a throw follows, and a throw has at least one die."""
    return are_dice(kept) and len(kept) < len(table) and Counter(kept) <= Counter(table)
