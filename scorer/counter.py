"""Games in which a throw counts something: its sum, its highest die, a wanted face. All of them come from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorer.actions import Action, Entry, Events, read_throw
from scorer.definitions.game_file import CounterRules
from scorer.game import NO_EVENTS, GameKind, Outcome
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import BANK, THROW, Phrases, Verb, phrase
from scorer.texts import ShortRules, T, Text, counted_text
from scorer.tuples import add_at
from scorer.turn_games import PointsGame, read_points


class CounterState(NamedTuple):
    """`points`: of the running turn; the scores do not include them yet. `left`: dice to throw next. `taken`: turns
    that each player has ended.
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


class CounterGame(PointsGame[CounterState]):
    actions: Mapping[str, Verb] = {"throw": THROW, "bank": BANK}
    events: Mapping[str, Phrases] = {"all-lost": phrase("{name} loses all points")}

    rules: CounterRules

    def __init__(self, kind: GameKind, rules: CounterRules, settings: Mapping[str, Any]) -> None:
        self.dice = rules.dice
        super().__init__(kind, rules, settings)

    @property
    def wanted_total(self) -> int:
        return self.rules.target

    def start(self, players: int) -> CounterState:
        return CounterState((0,) * players, (0,) * players, self.dice)

    # --- actions ---

    def do_throw(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        dice = read_throw(action["dice"], state.left)
        player, before = state.player, state.scores[state.player]
        if self.rules.lose_all is not None and set(dice) == {self.rules.lose_all}:
            lost = {"event": "all-lost", "player": player, "lost": before}
            return self.start_next_turn(state, -before, (lost,))
        if self.rules.lose_turn in dice:
            bust = {"event": "bust", "player": player, "lost": state.points, "dice": list(dice)}
            return self.start_next_turn(state, 0, (bust,))
        wanted = self.wanted_in(state)
        added = self.worth(dice, wanted)
        scored = {"event": "scored", "player": player, "dice": list(dice), "points": added}
        left = self._dice_after(dice, added, state.left, ends=self._is_best(dice, wanted))
        if not left:
            return self.start_next_turn(state, state.points + added, (scored,))
        return state._replace(points=state.points + added, left=left, throw=dice), (scored,)

    def do_bank(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        if not self._may_bank(state):
            raise IllegalAction("nothing-to-bank")
        return self.start_next_turn(state, state.points, NO_EVENTS)

    def _may_bank(self, state: CounterState) -> bool:
        return self.rules.turn == "bank" and bool(state.throw) and not state.over

    def wanted_in(self, state: CounterState) -> int | None:
        """The face or sum that counts in the running turn, if any does."""
        wanted = self.rules.wanted
        return wanted[state.taken[state.player] % len(wanted)] if wanted else None

    def worth(self, dice: Sequence[int], wanted: int | None) -> int:
        """What one throw counts."""
        rules = self.rules
        if self._is_best(dice, wanted):
            return rules.alike_wanted
        if rules.alike_other and _is_alike(dice):
            return rules.alike_other
        if rules.counts == "nothing" or any(die in rules.leave for die in dice):
            return 0
        if rules.counts == "highest":
            return max(dice)
        if rules.counts == "wanted-sum":
            return sum(dice) if sum(dice) == wanted else 0
        if rules.counts == "sum":
            return sum(dice)
        number = sum(die == wanted for die in dice)
        return number if rules.counts == "number-of-wanted" or wanted is None else number * wanted

    def _is_best(self, dice: Sequence[int], wanted: int | None) -> bool:
        return bool(self.rules.alike_wanted) and _is_alike(dice) and dice[0] == wanted

    def _dice_after(self, dice: Sequence[int], added: int, left: int, ends: bool) -> int:
        """How many dice are thrown next in this turn; 0 if it ends."""
        if self.rules.turn == "one-die-less":
            return left - 1
        if self.rules.turn == "while-dice-last":
            return left - sum(die in self.rules.leave for die in dice)
        if self.rules.turn == "while-it-counts":
            return 0 if ends or not added else self.dice
        return self.dice if self.rules.turn == "bank" else 0

    def start_next_turn(self, state: CounterState, points: int, events: Events) -> Outcome[CounterState]:
        player, count = state.player, len(state.scores)
        scores, taken = add_at(state.scores, player, points), add_at(state.taken, player, 1)
        following, seats, begins = state.seats.following(count, player, lambda each: self._has_turn(taken, each))
        playing = seats.playing(count)
        reached = self.rules.target > 0 and any(scores[each] >= self.rules.target for each in playing)
        played = not any(self._has_turn(taken, each) for each in playing)
        after = CounterState(
            scores,
            taken,
            self.dice,
            following,
            over=played or (reached and (begins or self.rules.end == "at-once")),
            turns=state.turns + 1,
            ended=(player, points),
            adjusted=state.adjusted,
            seats=seats,
        )
        events += ({"event": "turn", "player": player, "points": points},)
        return after, (*events, self.game_over(after)) if after.over else events

    def _has_turn(self, taken: tuple[int, ...], player: int) -> bool:
        return not self.rules.rounds or taken[player] < self.rules.rounds

    # --- who plays, and when ---

    def with_seats(self, state: CounterState, seats: Seats) -> CounterState:
        seated = state._replace(seats=seats)
        return seated if self.may_go_on(seated) else seated._replace(over=True)

    def with_player(self, state: CounterState) -> CounterState:
        return state._replace(scores=(*state.scores, 0), taken=(*state.taken, 0))

    def pass_turn(self, state: CounterState, player: int) -> Outcome[CounterState] | None:
        """Its player still has this turn to play."""
        count = len(state.scores)
        following, seats, _ = state.seats.following(
            count, player, lambda each: self._has_turn(state.taken, each), other=True
        )
        if following == player or not self._has_turn(state.taken, following):
            return None
        turns = state.turns + bool(state.throw)
        return state._replace(player=following, points=0, left=self.dice, throw=(), turns=turns, seats=seats), NO_EVENTS

    # --- what a person settles by hand ---

    def adjust_turn(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        points = read_points(action)
        self.check_turn_of(state, action["player"])
        return self.start_next_turn(state, points, NO_EVENTS)

    def with_score(self, state: CounterState, player: int, more: int) -> CounterState:
        scores = add_at(state.scores, player, more)
        changed = state._replace(scores=scores)
        target = self.rules.target
        if not target or (state.scores[player] >= target) == (scores[player] >= target):
            return changed
        reached = any(scores[each] >= target for each in state.seats.playing(len(scores)))
        return changed._replace(over=reached and (state.over or self.rules.end == "at-once"))

    def may_go_on(self, state: CounterState) -> bool:
        return any(self._has_turn(state.taken, each) for each in state.seats.playing(len(state.scores)))

    # --- what is shown ---

    def merits(self, state: CounterState, scores: list[int]) -> Sequence[int]:
        return [-score for score in scores] if self.rules.low_wins else scores

    def leaves_the_turn(self, state: CounterState) -> Sequence[int]:
        return self.rules.leave

    def legal(self, state: CounterState) -> list[Entry]:
        entries: list[Entry] = [{"do": "throw", "count": state.left}]
        if self._may_bank(state):
            entries.append({"do": "bank", "points": state.points})
        return entries

    def turn(self, state: CounterState) -> dict[str, Any]:
        shown = self.plain_turn(state, state.points, 0 if state.over else state.left, state.throw)
        if self.rules.turn != "bank":
            return shown
        may = self._may_bank(state)
        refusal = None if may else IllegalAction("game-over" if state.over else "nothing-to-bank").to_json()
        return {**shown, "set_aside": [], "may_bank": may, "bank_refusal": refusal, "must_confirm": False}

    def extras(self, state: CounterState) -> dict[str, Any]:
        """`round` and `rounds`, if their number is fixed; `wanted`, the face or sum that counts now."""
        found: dict[str, Any] = {}
        if self.rules.rounds > 1:
            found |= {"round": min(state.taken[state.player] + 1, self.rules.rounds), "rounds": self.rules.rounds}
        return found if state.over or not self.rules.wanted else {**found, "wanted": self.wanted_in(state)}

    # --- the rules for players ---

    def family_rules(self) -> ShortRules:
        return ShortRules.in_sections(self.title, self._goal(), self._turn_rules(), self._points())

    def _goal(self) -> list[Text]:
        rules = self.rules
        goal = []
        if rules.rounds:
            goal.append(counted_text("Each player has {count} turn.", "Each player has {count} turns.", rules.rounds))
        if rules.target and rules.end == "at-once":
            goal.append(
                counted_text(
                    "The first player with {count} point wins at once.",
                    "The first player with {count} points wins at once.",
                    rules.target,
                )
            )
        elif rules.target:
            goal.append(
                T(
                    "When someone reaches {target} points, the round is played out. The highest total wins.",
                    target=rules.target,
                )
            )
        if rules.low_wins:
            goal.append(T("The lowest total wins."))
        elif not rules.target:
            goal.append(T("The highest total wins."))
        return goal

    def _turn_rules(self) -> list[Text]:
        rules = self.rules
        sentences = [counted_text("Throw {count} die.", "Throw {count} dice.", self.dice)]
        if rules.turn == "one-die-less":
            sentences.append(T("Then throw again with one die less, until none is left."))
        if rules.turn == "while-it-counts":
            sentences.append(T("As long as a throw counts something, throw again."))
        if rules.turn == "while-dice-last":
            sentences.append(
                T(
                    "A throw with one of these numbers counts nothing, and its dice leave the turn: {faces}.",
                    faces=list(rules.leave),
                )
            )
            sentences.append(T("The others are thrown again, until none is left."))
        if rules.turn == "bank":
            sentences.append(T("Then throw again, or bank the points of the turn."))
        if rules.lose_turn is not None:
            sentences.append(T("A throw with a {face} ends the turn, and its points are lost.", face=rules.lose_turn))
        if rules.lose_all is not None:
            sentences.append(T("If all dice show {face}, all points so far are lost too.", face=rules.lose_all))
        return sentences

    def _points(self) -> list[Text]:
        rules = self.rules
        said = {
            "sum": T("A throw counts the sum of its dice.")
            if self.dice > 1
            else T("A throw counts what the die shows."),
            "highest": T("A throw counts its highest die."),
            "number-of-wanted": T("Each die with the wanted number is a point."),
            "sum-of-wanted": T("A throw counts the sum of the dice with the wanted number."),
            "nothing": T("Only dice alike count."),
            "wanted-sum": T("A throw counts its sum if that is the wanted one."),
        }
        points = [said[rules.counts]]
        if len(rules.wanted) > 1:
            points.append(T("Wanted, in each round the next one: {numbers}.", numbers=list(rules.wanted)))
        elif rules.wanted:
            points.append(T("Wanted: {number}.", number=rules.wanted[0]))
        if rules.alike_wanted:
            points.append(
                counted_text(
                    "All dice alike with the wanted number are {count} point.",
                    "All dice alike with the wanted number are {count} points.",
                    rules.alike_wanted,
                )
            )
        if rules.alike_other:
            points.append(
                counted_text(
                    "All dice alike with another number are {count} point.",
                    "All dice alike with another number are {count} points.",
                    rules.alike_other,
                )
            )
        return points


def _is_alike(dice: Sequence[int]) -> bool:
    return len(dice) > 1 and len(set(dice)) == 1
