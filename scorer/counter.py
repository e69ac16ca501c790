"""Games in which a throw counts something: its sum, its highest die, a wanted face. All of them come from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorer.actions import Action, Entry, Event, Events, read_dice, read_number, read_throw
from scorer.contest import Contest
from scorer.definitions.game_file import CounterRules
from scorer.definitions.value_table import rows_of, which_holds
from scorer.end_sentences import limit_rules, team_rules, total_rules
from scorer.game import NO_EVENTS, GameType, Outcome
from scorer.races import RaceGame, shows
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import BANK, CHOOSE, THROW, Verb
from scorer.texts import ShortRules, T, Text, counted_text
from scorer.tuples import add_at, replace_at


class CounterState(NamedTuple):
    """`points`: of the running turn; the scores do not include them yet. `left`: dice to throw next. `taken`: turns
    that each player has ended. `must_throw`: the dice must be thrown again before banking. `last`, `extra`: see
    `OfRace`. `contest`, `first`: where rounds are played for. `forbidden`: the faces that the first throw of
    Forbidden Numbers chose. `chosen`: how many dice each player chose last, where that is chosen.
    """

    scores: tuple[int, ...]
    taken: tuple[int, ...]
    left: int
    player: int = 0
    points: int = 0
    throw: tuple[int, ...] = ()
    over: bool = False
    turns: int = 0  # that have ended
    ended: tuple[int, int] = (-1, 0)  # the last of them: whose it was, and what it added
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()
    must_throw: bool = False
    last: int = -1
    extra: bool = False
    contest: Contest = Contest()
    first: int = -1
    forbidden: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()


class CounterGame(RaceGame[CounterState]):
    actions: Mapping[str, Verb] = {
        "throw": THROW,
        "bank": BANK,
        "choose": CHOOSE,
    }

    rules: CounterRules

    def __init__(self, kind: GameType, rules: CounterRules, settings: Mapping[str, Any]) -> None:
        self.dice = rules.dice
        wanted = {"throw": True, "bank": rules.turn == "bank", "choose": rules.choose_dice}
        self.actions = {name: verb for name, verb in self.actions.items() if wanted[name]}
        if rules.wiped_by:
            self.may_be_negative = frozenset({"turn", "last-turn"})
        super().__init__(kind, rules, settings)

    def start(self, players: int) -> CounterState:
        chosen = (1,) * players if self.rules.choose_dice else ()
        return CounterState((0,) * players, (0,) * players, 1 if chosen else self.dice, chosen=chosen)

    # --- actions ---

    def do_choose(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        """How many dice are thrown next. A throw of so many chooses them too, so this stands in no list of moves."""
        return self._with_dice(state, read_number(action["count"], "count", 1, self.dice)), NO_EVENTS

    @staticmethod
    def _with_dice(state: CounterState, count: int) -> CounterState:
        return state._replace(left=count, chosen=replace_at(state.chosen, state.player, count))

    def do_throw(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        rules, player = self.rules, state.player
        if rules.choose_dice:
            state = self._with_dice(state, min(max(1, len(read_dice(action["dice"]))), self.dice))
        dice = read_throw(action["dice"], state.left)
        if shows(dice, rules.wiped_by):
            points, event = self.set_back(state, 0, dice)
            return self.start_next_turn(state, points, (event,))
        if rules.progress:
            counted: int | None = rules.made_by(dice, state.scores[player] + state.points)
        else:
            counted = self.worth(dice, self.wanted_in(state), self.leaves_the_turn(state))
        added = counted or 0
        if counted is None or 0 < rules.limit < state.points + added:
            return self._bust(state, dice)
        if rules.end == "exact" and state.scores[player] + state.points + added > rules.target:
            return self._overshoot(state, dice)
        scored = self.throw_event(state, dice, added)
        left = self._dice_after(state, dice, added)
        if not left or self.ends_turn(state, state.points + added):
            return self.start_next_turn(state, state.points + added, (scored,))
        just = rules.end == "exact" and state.scores[player] + state.points + added == rules.target
        must_throw = rules.alike_again and _is_alike(dice) and not just
        return state._replace(points=state.points + added, left=left, throw=dice, must_throw=must_throw), (scored,)

    def _bust(self, state: CounterState, dice: Sequence[int]) -> Outcome[CounterState]:
        bust = {"event": "bust", "player": state.player, "lost": state.points, "dice": list(dice)}
        return self.start_next_turn(state, 0, (bust,))

    def throw_event(self, state: CounterState, dice: Sequence[int], points: int) -> Event:
        """The event of a throw that counts so many points."""
        return {"event": "scored", "player": state.player, "dice": list(dice), "points": points}

    def ends_turn(self, state: CounterState, points: int) -> bool:
        """Whether the running turn ends by itself with these points in it."""
        return self.rules.progress > 0 and state.scores[state.player] + points >= self.rules.target

    def _overshoot(self, state: CounterState, dice: Sequence[int]) -> Outcome[CounterState]:
        lost: Events = ({"event": "overshot", "player": state.player, "lost": state.points, "dice": list(dice)},)
        if self.rules.overshoot_to is None:
            return self.start_next_turn(state, 0, lost)
        points, event = self.set_back(state, self.rules.overshoot_to, dice)
        return self.start_next_turn(state, points, (*lost, event))

    def bank(self, state: CounterState) -> Outcome[CounterState]:
        return self.start_next_turn(state, state.points, NO_EVENTS)

    def bank_refusal(self, state: CounterState) -> IllegalAction | None:
        if state.over:
            return IllegalAction("game-over")
        if self.rules.turn != "bank" or not state.throw:
            return IllegalAction("nothing-to-bank")
        return IllegalAction("alike-again") if state.must_throw else None

    def wanted_in(self, state: CounterState) -> int | None:
        """The face or sum that counts now, if any does."""
        wanted, player = self.rules.wanted, state.player
        place = state.scores[player] + state.points if self.rules.progress else state.taken[player]
        return wanted[place % len(wanted)] if wanted else None

    def worth(self, dice: Sequence[int], wanted: int | None, leave: Sequence[int]) -> int | None:
        """What one throw counts; None for a bust. `leave`: the faces that leave the turn."""
        counted = self.rules.count_of(dice, wanted)
        return 0 if counted and any(die in leave for die in dice) else counted

    def _dice_after(self, state: CounterState, dice: Sequence[int], added: int) -> int:
        """How many dice are thrown next in this turn; 0 if it ends."""
        if self.rules.turn == "one-die-less":
            return state.left - 1
        if leave := self.leaves_the_turn(state):
            return state.left - sum(die in leave for die in dice)
        if self.rules.turn == "while-it-counts":
            return self.dice if added else 0
        return state.left if self.rules.turn == "bank" else 0

    def add_turn(self, state: CounterState, points: int) -> CounterState:
        return super().add_turn(state, points)._replace(taken=add_at(state.taken, state.player, 1))

    def new_turn(self, state: CounterState, player: int, seats: Seats) -> CounterState:
        left = state.chosen[player] if state.chosen else self.dice
        return state._replace(player=player, points=0, left=left, throw=(), must_throw=False, seats=seats)

    def has_turn(self, state: CounterState, player: int) -> bool:
        return not self.rules.rounds or state.taken[player] < self.rules.rounds

    def in_round(self, state: CounterState, number: int) -> CounterState:
        """The state with the players in the round of this number, from 1."""
        return state._replace(taken=(number - 1,) * len(state.taken))

    # --- who plays, and when ---

    def with_player(self, state: CounterState) -> CounterState:
        chosen = (*state.chosen, 1) if state.chosen else ()
        return super().with_player(state)._replace(taken=(*state.taken, 0), chosen=chosen)

    def may_go_on(self, state: CounterState) -> bool:
        return any(self.has_turn(state, each) for each in state.seats.playing(len(state.scores)))

    # --- what is shown ---

    def scores(self, state: CounterState) -> list[int]:
        return self.rules.of_teams(state.scores)

    def player(self, state: CounterState, player: int) -> dict[str, Any]:
        shown = super().player(state, player)
        return {**shown, "team": self.rules.team_of(player)} if self.rules.teams else shown

    def merits(self, state: CounterState, scores: list[int]) -> Sequence[int]:
        return [-score for score in scores] if self.rules.low_wins else scores

    def leaves_the_turn(self, state: CounterState) -> Sequence[int]:
        return self.rules.leave

    def dice_due(self, state: CounterState) -> int:
        """How many dice are thrown next."""
        return state.left

    def legal(self, state: CounterState) -> list[Entry]:
        entries: list[Entry] = [{"do": "throw", "count": self.dice_due(state)}]
        if self.bank_refusal(state) is None:
            entries.append({"do": "bank", "points": state.points})
        if self.rules.choose_dice:
            entries += ({"do": "throw", "count": count} for count in range(1, self.dice + 1) if count != state.left)
        return entries

    def turn(self, state: CounterState) -> dict[str, Any]:
        player, expects = (None, 0) if state.over else (state.player, self.dice_due(state))
        due = {"dice_left": expects, "expects": expects}
        shown = {"player": player, "points": state.points, **due, "throw": list(state.throw)}
        if self.rules.turn != "bank":
            return shown
        return {**shown, "set_aside": [], **self.banking(state), "must_confirm": state.must_throw}

    def extras(self, state: CounterState) -> dict[str, Any]:
        """`round` and `rounds`, if their number is fixed; `wanted`, the face or sum that counts now."""
        found = super().extras(state)
        if self.rules.rounds > 1:
            found |= {"round": min(state.taken[state.player] + 1, self.rules.rounds), "rounds": self.rules.rounds}
        return found if state.over or not self.rules.wanted else {**found, "wanted": self.wanted_in(state)}

    # --- the rules for players ---

    def family_rules(self) -> ShortRules:
        rules, lines = self.rules, () if self.rules.progress else self.rules.worth
        rows = rows_of(lines, rules.dice)
        return ShortRules.in_sections(self.title, self.goal_rules(), self._turn_rules(), self._points(), rows)

    def goal_rules(self) -> list[Text]:
        rules = self.rules
        goal = []
        if rules.rounds:
            goal.append(counted_text("Each player has {count} turn.", "Each player has {count} turns.", rules.rounds))
        return goal + total_rules(rules.target, rules.end, rules.low_wins, rules.rounds) + team_rules(rules.teams)

    def _turn_rules(self) -> list[Text]:
        rules = self.rules
        sentences = [counted_text("Throw {count} die.", "Throw {count} dice.", self.dice)]
        if rules.choose_dice:
            sentences = [T("Before each throw, choose how many dice you throw, from 1 to {most}.", most=self.dice)]
        if rules.turn == "one-die-less":
            sentences.append(T("Then throw again with one die less, until none is left."))
        if rules.turn == "while-it-counts":
            sentences.append(T("As long as a throw counts something, throw again."))
        if leaving := self.leaving_rule():
            sentences += [leaving, T("The others are thrown again, until none is left.")]
        if rules.turn == "bank":
            sentences.append(T("Then throw again, or bank the points of the turn."))
        sentences += limit_rules(rules.limit)
        if rules.alike_again and self.dice > 1:
            sentences.append(T("Dice alike must be thrown again before the turn is banked."))
        return sentences + self.loss_rules()

    def leaving_rule(self) -> Text | None:
        """Which dice leave the turn, and what that does to a throw; None if none do."""
        if not self.rules.leave:
            return None
        faces = list(self.rules.leave)
        return T("A throw with one of these numbers counts nothing, and its dice leave the turn: {faces}.", faces=faces)

    def _points(self) -> list[Text]:
        rules = self.rules
        points = []
        if rules.progress:
            points.append(T("Each number is one die or a sum of dice, which may serve for several numbers."))
            points.append(
                counted_text(
                    "A throw makes {count} number at most, the next one.",
                    "A throw makes up to {count} numbers, one after the other.",
                    min(rules.progress, len(rules.wanted)),
                )
            )
            points.append(T("Wanted, one after the other: {numbers}.", numbers=list(rules.wanted)))
            return points
        points += which_holds(rules.worth)
        if len(rules.wanted) > 1:
            points.append(T("Wanted, in each round the next one: {numbers}.", numbers=list(rules.wanted)))
        elif rules.wanted:
            points.append(T("Wanted: {number}.", number=rules.wanted[0]))
        return points


def _is_alike(dice: Sequence[int]) -> bool:
    return len(dice) > 1 and len(set(dice)) == 1
