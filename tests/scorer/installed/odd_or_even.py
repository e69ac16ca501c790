"""A game as another package brings it: one die is thrown, an even number is worth itself; five turns each."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorer.actions import Action, Entry, Event, read_throw
from scorer.game import ADJUSTMENTS, NO_EVENTS, TURN, GameType, Outcome, Step, TurnGame, read_points
from scorer.options import WholeNumber
from scorer.seats import Seats
from scorer.sentences import THROW, Verb
from scorer.texts import ShortRules, Text
from scorer.tuples import add_at


class State(NamedTuple):
    totals: tuple[int, ...]
    taken: tuple[int, ...]
    player: int = 0
    turns: int = 0
    over: bool = False
    adjusted: tuple[int, ...] = ()
    seats: Seats = Seats()


class OddOrEven(TurnGame[State]):
    dice = 1
    actions: Mapping[str, Verb] = {"throw": THROW}
    adjustments: Mapping[str, Verb] = {**ADJUSTMENTS, "turn": TURN}

    def start(self, players: int) -> State:
        return State((0,) * players, (0,) * players)

    def do_throw(self, state: State, action: Action) -> Outcome[State]:
        (die,) = read_throw(action["dice"], 1)
        points = 0 if die % 2 else die
        return self._end_turn(
            state, points, {"event": "scored", "player": state.player, "dice": [die], "points": points}
        )

    def _end_turn(self, state: State, points: int, *events: Event) -> Outcome[State]:
        player = state.player
        totals, taken = add_at(state.totals, player, points), add_at(state.taken, player, 1)
        after = self._next(state._replace(totals=totals, taken=taken, turns=state.turns + 1))
        turn = {"event": "turn", "player": player, "points": points}
        return after, (*events, turn, *((self.game_over(after),) if after.over else ()))

    def adjust_turn(self, state: State, action: Action) -> Outcome[State]:
        self.check_turn_of(state, action["player"])
        return self._end_turn(state, read_points(action))

    def _next(self, state: State) -> State:
        following, seats, _ = state.seats.following(len(state.totals), state.player)
        return state._replace(player=following, seats=seats, over=not self.may_go_on(state))

    def may_go_on(self, state: State) -> bool:
        return any(state.taken[each] < self.rules for each in state.seats.playing(len(state.totals)))

    def legal(self, state: State) -> list[Entry]:
        return [] if state.over else [{"do": "throw", "count": 1}]

    def scores(self, state: State) -> list[int]:
        return self.with_adjusted(state, list(state.totals))

    def turn(self, state: State) -> dict[str, Any]:
        due = 0 if state.over else 1
        player = None if state.over else state.player
        return {"player": player, "points": 0, "dice_left": due, "expects": due, "throw": []}

    def with_player(self, state: State) -> State:
        return state._replace(totals=(*state.totals, 0), taken=(*state.taken, 0))

    def pass_turn(self, state: State, player: int) -> Outcome[State] | None:
        return (self._next(state), NO_EVENTS) if len(state.seats.playing(len(state.totals))) > 1 else None

    def settlement(self, state: State, was: Step, running: bool) -> list[Action]:
        turn = next(event for event in was.events if event["event"] == "turn")
        settled = {"do": "adjust", "what": "turn", "player": turn["player"], "points": turn["points"]}
        return [settled] if running else []

    def family_rules(self) -> ShortRules:
        turn = [Text("Throw a die. An even number counts, an odd one does not.")]
        return ShortRules.in_sections(self.title, [Text("The most points win.")], turn)


GAME = GameType(
    key="odd-or-even",
    title="Odd or even",
    summary="Even numbers count.",
    order=1,
    family=OddOrEven,
    options=(WholeNumber("rounds", 5, Text("turns of each player"), low=1, high=20),),
    rules_with=lambda settings: settings["rounds"],
)
BROKEN = None
