"""A hand: throw, lay dice aside, throw the others again; what lies there at the end is compared or counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from scorer.actions import Action, Entry, Events, read_dice, read_throw, take_from
from scorer.contest import Contest, ContestGame, Dice
from scorer.definitions.hand_rules import RANK, HandRules, HandWorth
from scorer.definitions.value_table import rows_of, which_holds
from scorer.game import NO_EVENTS, GameType, Outcome
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import BANK, SET_ASIDE, THROW, Phrases, Verb, phrase
from scorer.texts import ShortRules, T, Text, counted_text
from scorer.tuples import LinkedList, oldest_first


class HandState(NamedTuple):
    """`throw`: the last throw of the running turn; `open`: its dice that lie open; `waiting`: some of them may be set
    aside. `aside`: the dice of each set-aside, the newest first. `thrown`: throws of the turn that count. `limit`:
    throws that the first of the round took, 0 while he plays. `first`, `ended`: see `OfContest`.
    """

    scores: tuple[int, ...]
    contest: Contest
    player: int = 0
    throw: Dice = ()
    open: Dice = ()
    waiting: bool = False
    aside: LinkedList | None = None
    thrown: int = 0
    limit: int = 0
    first: int = 0
    over: bool = False
    turns: int = 0  # that have ended
    ended: tuple[int, int] = (-1, 0)
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()


class HandGame(ContestGame[HandState]):
    actions: Mapping[str, Verb] = {"throw": THROW, "set-aside": SET_ASIDE, "bank": BANK}
    events: Mapping[str, Phrases] = {
        **ContestGame.events,
        "too-low": phrase("No die may be set aside: the turn is lost"),
    }

    rules: HandRules

    def __init__(self, kind: GameType, rules: HandRules, settings: Mapping[str, Any]) -> None:
        self.dice = rules.dice
        self.ties, self.begins, self.lives = rules.ties, rules.begins, rules.lives
        left_out = {"set-aside"} if rules.keep == "none" else set()
        if rules.most_throws == 1:
            left_out |= {"set-aside", "bank"}
        self.actions = {verb: each for verb, each in HandGame.actions.items() if verb not in left_out}
        if rules.counts == "totals" and any(each.worth < 0 for each in rules.table.values()):
            self.may_be_negative = frozenset({"total", "turn"})
        super().__init__(kind, rules, settings)

    def start(self, players: int) -> HandState:
        return HandState((self.rules.lives,) * players, Contest.first(players))

    def new_turn(self, state: HandState, player: int, seats: Seats) -> HandState:
        return state._replace(player=player, seats=seats, throw=(), open=(), waiting=False, aside=None, thrown=0)

    def new_round(self, state: HandState) -> HandState:
        return state._replace(limit=0)

    # --- actions ---

    def do_throw(self, state: HandState, action: Action) -> Outcome[HandState]:
        rules = self.rules
        expects = self.dice_due(state)
        if not expects:
            raise IllegalAction("set-aside-first")
        dice = read_throw(action["dice"], expects)
        aside = aside_in(state)
        if rules.keep == "growing" and max(dice) < max(aside, default=0):
            lost = {"event": "too-low", "player": state.player, "dice": list(dice)}
            return self._end(state, HandWorth(), (lost,))
        counts = not rules.until_worth or self._worth((*aside, *dice)).line >= 0
        after = state._replace(throw=dice, open=dice, waiting=True, thrown=state.thrown + counts)
        if rules.keep_order:
            after = self._keep_in_order(after)
        if self._must_end(after):
            return self._end(after, self.worth_now(after), self._show_hand(after))
        return after, NO_EVENTS

    def _keep_in_order(self, state: HandState) -> HandState:
        """The state with the dice aside that `keep_order` keeps of this throw."""
        found: Dice = ()
        for face in self.rules.keep_order[len(aside_in(state)) :]:
            if face not in state.open:
                break
            found, state = (*found, face), state._replace(open=take_from((face,), state.open))
        return state._replace(aside=LinkedList(state.aside, found)) if found else state

    def _must_end(self, state: HandState) -> bool:
        """Whether the turn ends by itself with this throw."""
        rules = self.rules
        if state.thrown >= self.limit(state):
            return True
        if rules.keep != "none":
            return rules.keep_at_least >= len(state.throw)
        return len(aside_in(state)) == rules.dice

    def do_set_aside(self, state: HandState, action: Action) -> Outcome[HandState]:
        dice = read_dice(action["dice"])
        if not state.waiting:
            raise IllegalAction("nothing-to-set-aside")
        left = take_from(dice, state.throw)
        least = max(1, self.rules.keep_at_least)
        if len(dice) < least:
            raise IllegalAction("keep-at-least", least=least)
        if len(dice) == len(state.throw):
            raise IllegalAction("keep-all", most=len(dice) - 1)
        highest = max(aside_in(state), default=0)
        if self.rules.keep == "growing" and min(dice) < highest:
            raise IllegalAction("lower-than-kept", die=min(dice), highest=highest)
        aside = LinkedList(state.aside, tuple(sorted(dice)))
        return state._replace(aside=aside, open=left, waiting=False), NO_EVENTS

    def bank(self, state: HandState) -> Outcome[HandState]:
        return self._end(state, self.worth_now(state), self._show_hand(state))

    def bank_refusal(self, state: HandState) -> IllegalAction | None:
        if state.over:
            return IllegalAction("game-over")
        return None if state.throw and self.rules.throws > 1 else IllegalAction("nothing-to-bank")

    def _show_hand(self, state: HandState) -> Events:
        """The event of the dice that the turn ends with."""
        dice = sorted(self.dice_now(state))
        return ({"event": "scored", "player": state.player, "dice": dice, "points": self.worth_now(state).points},)

    def _end(self, state: HandState, worth: HandWorth, events: Events) -> Outcome[HandState]:
        dice = () if events[0]["event"] == "too-low" else tuple(sorted(self.dice_now(state)))
        return self.end_turn(state, worth.worth, events, dice)

    def end_turn(self, state: HandState, worth: int, events: Events, dice: Dice = ()) -> Outcome[HandState]:
        limit = state.limit or (state.thrown if self.rules.first_sets_throws else 0)
        return super().end_turn(state._replace(limit=limit), worth, events, dice)

    # --- the dice ---

    def limit(self, state: HandState) -> int:
        """The throws of the running turn, at most."""
        return state.limit or self.rules.most_throws

    def dice_now(self, state: HandState) -> Dice:
        """All dice on the table: those aside, and those open; () before the first throw."""
        return (*aside_in(state), *state.open)

    def worth_now(self, state: HandState) -> HandWorth:
        return self._worth(self.dice_now(state)) if state.throw else HandWorth()

    def _worth(self, dice: Sequence[int]) -> HandWorth:
        return self.rules.table[tuple(sorted(dice))]

    def shown_points(self, worth: int) -> int:
        return worth % RANK if self.rules.ranked else worth

    def dice_due(self, state: HandState) -> int:
        """How many dice are thrown next; 0 if some must be set aside first."""
        if state.over:
            return 0
        if self.rules.keep != "none" and state.waiting and self.rules.keep_at_least:
            return 0
        return self.rules.dice - len(aside_in(state))

    def choices(self, state: HandState) -> list[Dice]:
        """What may be set aside of the throw, the most dice first."""
        rules = self.rules
        if not state.waiting or rules.keep == "none" or "set-aside" not in self.actions:
            return []
        highest = max(aside_in(state), default=0) if rules.keep == "growing" else 0
        open_ = sorted(die for die in state.throw if die >= highest)
        counts = range(min(len(open_), len(state.throw) - 1), max(1, rules.keep_at_least) - 1, -1)
        return [dice for count in counts for dice in dict.fromkeys(combinations(open_, count))]

    # --- what is shown ---

    def legal(self, state: HandState) -> list[Entry]:
        if state.over:
            return []
        left = self.rules.dice - len(aside_in(state))
        entries: list[Entry] = [
            {"do": "set-aside", "dice": list(dice), "points": 0, "dice_left": left - len(dice)}
            for dice in self.choices(state)
        ]
        if expects := self.dice_due(state):
            entries.append({"do": "throw", "count": expects})
        if self.bank_refusal(state) is None:
            entries.append({"do": "bank", "points": self.worth_now(state).points})
        return entries

    def add_banking(self, state: HandState, legal: Sequence[Entry]) -> None:
        for entry in legal:
            if entry["do"] == "set-aside":
                entry.update(may_bank=True, bank_refusal=None)

    def turn(self, state: HandState) -> dict[str, Any]:
        """`title`: the name of the dice on the table, if the value table has one. `throws_left`: of the turn."""
        expects, worth = self.dice_due(state), self.worth_now(state)
        title = self.rules.worth[worth.line].title if worth.line >= 0 else None
        return {
            "player": None if state.over else state.player,
            "points": worth.points,
            "dice_left": 0 if state.over else self.rules.dice - len(aside_in(state)),
            "expects": expects,
            "throw": list(state.throw),
            "set_aside": oldest_first(state.aside),
            **self.banking(state),
            "must_confirm": False,
            "throws_left": 0 if state.over else self.limit(state) - state.thrown,
            **({} if title is None else {"title": title.english}),
        }

    def player(self, state: HandState, player: int) -> dict[str, Any]:
        """`round_hands`: where hands are ranked, the dice of each turn, by round."""
        found = super().player(state, player)
        if self.rules.ranked:
            found["round_hands"] = [[list(dice) for dice in each] for each in state.contest.hands[player]]
        return found

    # --- the rules for players ---

    def family_rules(self) -> ShortRules:
        rules = self.rules
        points = which_holds(rules.worth)
        if rules.ranked:
            points = [T("A line beats all lines below it; within one, more points win.")]
        rows = rows_of(rules.worth, rules.dice)
        return ShortRules.in_sections(self.title, self.goal_rules(), self._turn_rules(), points, rows)

    def _turn_rules(self) -> list[Text]:
        rules = self.rules
        said = [counted_text("Throw {count} die.", "Throw {count} dice.", rules.dice)]
        if rules.throws > 1:
            said.append(T("There are up to {count} throws in a turn; you may end it after any.", count=rules.throws))
        if rules.keep != "none":
            said.append(
                counted_text(
                    "After each throw set aside at least {count} die, which stays there.",
                    "After each throw set aside at least {count} dice, which stay there.",
                    rules.keep_at_least,
                )
                if rules.keep_at_least
                else T("After each throw you may set dice aside, which stay there.")
            )
        if rules.keep == "growing":
            said.append(T("A die set aside must be as high as the highest before; if none is, the turn is lost."))
        if rules.keep_order:
            said.append(T("These are set aside by themselves, in this order: {faces}.", faces=list(rules.keep_order)))
        if rules.keep == "none" and rules.throws > 1:
            said.append(T("All other dice are thrown again."))
        if rules.until_worth:
            said.append(T("Dice that fit no line are thrown again."))
        if rules.first_sets_throws:
            said.append(T("Nobody may throw more often than the first player of the round did."))
        return said


def aside_in(state: HandState) -> Dice:
    """The dice that were set aside in the running turn."""
    found: list[int] = []
    links = state.aside
    while links is not None:
        found += links.newest
        links = links.before
    return tuple(found)
