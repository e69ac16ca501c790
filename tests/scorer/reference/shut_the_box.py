"""Shut the box after its sources (docs/rules.md section 14), naively: sets of numbers by counting in binary."""

from typing import Any, ClassVar

from tests.scorer.reference.hands import Forbidden, HandByHand
from tests.scorer.reference.table import Action, ReferenceGame, matches

ROUNDS = {"last-left": 1000, "one-round": 1, "five-rounds": 5}
NUMBERS = {"nine": 9, "ten": 10, "twelve": 12}
OUT = 45


class ShutTheBox(ReferenceGame):
    """docs/rules.md section 14. `written`: the points of each player's turns."""

    key = "shut-the-box"
    defaults: ClassVar[dict[str, Any]] = {"ends": "last-left", "tiles": "nine", "one_die": "low", "two_at_most": False}

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.written: list[list[int]] = [[] for _ in players]
        self.round = 1
        self.player = 0
        self.begin_turn()

    def begin_turn(self) -> None:
        self.up = set(range(1, 1 + NUMBERS[self.options["tiles"]]))
        self.sum, self.takes_one = 0, False

    # --- a turn

    def ways(self) -> list[list[int]]:
        numbers = sorted(self.up)
        found = []
        for bits in range(2 ** len(numbers)):
            some = [number for place, number in enumerate(numbers) if bits >> place & 1]
            if sum(some) == self.sum and not (self.options["two_at_most"] and len(some) > 2):
                found.append(some)
        return found

    def may_choose(self) -> bool:
        return self.options["one_die"] == "choice" and not self.up & {7, 8, 9, 10, 11, 12}

    def count(self) -> int:
        return 1 if self.takes_one or (self.options["one_die"] == "low" and sum(self.up) <= 6) else 2

    def legal_while_playing(self) -> list[Action]:
        if self.sum:
            return [{"do": "shut", "tiles": way} for way in self.ways()]
        throw: Action = {"do": "throw", "count": self.count()}
        return [throw, {"do": "throw", "count": 3 - self.count()}] if self.may_choose() else [throw]

    def allows(self, action: Action) -> bool:
        """Where one or two dice may be thrown, either is thrown without saying so before; two may be chosen twice."""
        if self.sum or not self.may_choose() or self.over:
            return super().allows(action)
        either = ({"do": each, "count": count} for each in ("throw", "choose") for count in (1, 2))
        return any(matches(action, each) for each in either)

    def turn(self) -> dict[str, Any]:
        return {"points": sum(self.up), "open": sorted(self.up), "expects": 0 if self.sum else self.count()}

    def apply(self, action: Action) -> None:
        if action["do"] == "choose":
            self.takes_one = action["count"] == 1
        elif action["do"] == "throw":
            self.sum, self.takes_one = sum(action["dice"]), self.may_choose() and len(action["dice"]) == 1
            if not self.ways():
                self.end_turn()
        else:
            self.up -= set(action["tiles"])
            self.sum = 0
            if not self.up:
                self.end_turn()

    # --- the game

    def end_turn(self) -> None:
        self.written[self.player].append(sum(self.up))
        self.begin_turn()
        seats = range(len(self.players))
        waiting = [each for each in seats if not self.out(each) and len(self.written[each]) < self.round]
        if waiting:
            self.player = waiting[0]
            return
        left = [each for each in seats if not self.out(each)]
        last = self.options["ends"] == "last-left" and len(left) < min(2, len(self.players))
        self.over = last or self.round == ROUNDS[self.options["ends"]]
        self.round += 1
        self.player = left[0] if left else 0

    def out(self, player: int) -> bool:
        return self.options["ends"] == "last-left" and sum(self.written[player]) >= OUT

    def to_act(self) -> list[int]:
        return [self.player]

    def score(self, player: int) -> int:
        return sum(self.written[player])

    def merit(self, player: int) -> tuple[int, ...]:
        """Whoever stayed in for more rounds, then who has less."""
        return len(self.written[player]) if self.out(player) else 10**6, -self.score(player)

    def player_document(self, player: int) -> dict[str, Any]:
        last_left = self.options["ends"] == "last-left"
        fell = len(self.written[player]) if self.out(player) else 0
        return {"turns": self.written[player], **({"knocked_out": fell} if last_left else {})}


class BoxByHand(HandByHand):
    """A table at which people settle turns and totals too, come and go: the box with the rounds of hands."""

    def __init__(self, options: dict[str, Any], players: int) -> None:
        self.box = ShutTheBox(["Ada"], options)
        rounds = ROUNDS[self.box.options["ends"]]
        ends = {"end": "last-left", "target": OUT} if rounds == ROUNDS["last-left"] else {"rounds": rounds}
        super().__init__({"low_wins": True, "begins": "first", **ends}, players)

    def _begin_turn(self, player: int) -> None:
        self.player = player
        self.box.begin_turn()

    def do_choose(self, action: Action) -> None:
        self._in_the_box(action)

    def do_throw(self, action: Action) -> None:
        self._in_the_box(action)
        if not self.box.ways():
            self._end(sum(self.box.up))

    def do_shut(self, action: Action) -> None:
        self._in_the_box(action)
        if not self.box.up:
            self._end(0)

    def _in_the_box(self, action: Action) -> None:
        self.box._legal = None
        if not self.box.allows(action):
            raise Forbidden
        if action["do"] == "throw":
            self.box.sum = sum(action["dice"])
            self.box.takes_one = self.box.may_choose() and len(action["dice"]) == 1
        elif action["do"] == "shut":
            self.box.up -= set(action["tiles"])
            self.box.sum = 0
        else:
            self.box.takes_one = action["count"] == 1
