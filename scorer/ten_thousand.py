"""Games in which a turn's points grow throw by throw until the player banks or loses them.

Each game is a table of combinations and a few numbers: see `scorer/games/farkle.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorer.actions import Action, Entry, Events, read_dice, read_throw, take_from
from scorer.combinations import Combination, SetAside, subtract
from scorer.definitions.game_file import TenThousandRules
from scorer.end_sentences import total_rules
from scorer.game import NO_EVENTS, GameType, Outcome
from scorer.races import EVENTS, RaceGame, shows
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import BANK, SET_ASIDE, THROW, Phrases, Verb, counted_phrase, phrase
from scorer.texts import ShortRules, T, Text, counted_text
from scorer.tuples import LinkedList, oldest_first, replace_at

TAKE_OVER = "take-over"

OWN_EVENTS: Mapping[str, Phrases] = {
    **EVENTS,
    "confirm": phrase("All dice scored: they must be thrown once more."),
    "confirm-points": phrase("To be confirmed: the turn needs {points} points before it can be banked."),
    "multiplied": phrase("All dice scored: from now on points count {times} times in this turn."),
    "penalty": counted_phrase(
        "{count} turn in a row without points: {name} {points}",
        "{count} turns in a row without points: {name} {points}",
    ),
    "wins": phrase("{name} wins the game at once"),
}


class TenThousandState(NamedTuple):
    """Per player: `scores`, whether he has `banked` a turn yet, `busts` in a row. The rest is the running turn.

    `left`: dice to throw, all again when all are set aside. `waiting`: the throw needs a set-aside. `must_confirm`: no
    banking before the next throw. `times`: how often points count. `needed`: points of the turn before it is confirmed.
    `last`, `extra`: see `OfRace`. `winner`: whose dice won at once, -1 for nobody. `offered`: the dice that the turn
    which `ended` last left to throw, 0 if nobody may take them over; `beside`: the values of the others of them.
    """

    scores: tuple[int, ...]
    banked: tuple[bool, ...]
    busts: tuple[int, ...]
    player: int = 0
    points: int = 0
    left: int = 6
    throw: tuple[int, ...] = ()
    waiting: bool = False
    aside: LinkedList | None = None
    must_confirm: bool = False
    last: int = -1
    over: bool = False
    turns: int = 0  # that have ended
    ended: tuple[int, int] = (-1, 0)  # the last of them: whose it was, and what it added
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()
    times: int = 1
    needed: int = 0
    extra: bool = False
    winner: int = -1
    offered: int = 0
    beside: tuple[int, ...] = ()


class TenThousand(RaceGame[TenThousandState]):
    events = OWN_EVENTS
    actions: Mapping[str, Verb] = {
        "throw": THROW,
        "set-aside": SET_ASIDE,
        "bank": BANK,
        TAKE_OVER: Verb((), phrase("took over the dice"), phrase("take over the dice")),
    }

    rules: TenThousandRules

    def __init__(self, kind: GameType, rules: TenThousandRules, settings: Mapping[str, Any]) -> None:
        self.dice = rules.dice
        self.actions = {
            name: verb
            for name, verb in self.actions.items()
            if not (name == "set-aside" and rules.forced) and (name != TAKE_OVER or rules.take_over)
        }
        if rules.penalty:
            self.may_be_negative = frozenset({"total", "turn", "last-turn"})
        elif rules.wiped_by or rules.overshoot_to is not None:
            self.may_be_negative = frozenset({"turn", "last-turn"})
        super().__init__(kind, rules, settings)
        self._combinations = rules.combinations

    def start(self, players: int) -> TenThousandState:
        return TenThousandState((0,) * players, (False,) * players, (0,) * players, left=self.dice)

    # --- actions ---

    def do_throw(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        if state.waiting:
            raise IllegalAction("set-aside-first")
        dice = read_throw(action["dice"], state.left)
        throw = tuple(sorted(dice))
        winning = [
            points for line in self.rules.winning for part, points in line.dice if subtract(throw, part) is not None
        ]
        if winning:
            return self._win(state, max(winning) * state.times)
        choices = self.choices_in(state, throw)
        if not choices:
            return self._lose_turn(state, dice)
        beside = () if state.offered else state.beside
        thrown = state._replace(throw=dice, waiting=True, must_confirm=False, offered=0, beside=beside)
        if not self.rules.forced:
            return thrown, NO_EVENTS
        (best,) = choices
        set_aside = {"event": "set-aside", "player": state.player, "dice": list(best.dice), "points": best.points}
        after, events = self._put_aside(thrown, best)
        return after, (set_aside, *events)

    def _win(self, state: TenThousandState, points: int) -> Outcome[TenThousandState]:
        """Ends the game with dice of so many points; they bring all that the target lacks, too."""
        missing, player = self._missing(state), state.player
        added = max(missing, 0 if self.rules.end == "exact" else points)
        won = state._replace(winner=player, banked=replace_at(state.banked, player, True))
        return self.start_next_turn(won, state.points + added, ({"event": "wins", "player": player},))

    def _lose_turn(self, state: TenThousandState, dice: tuple[int, ...]) -> Outcome[TenThousandState]:
        """Ends the turn with a throw from which nothing can be set aside."""
        rules, player = self.rules, state.player
        if shows(dice, rules.wiped_by):
            points, event = self.set_back(state, 0, dice)
            return self._end_turn(state, points, (event,), bust=True)
        overshot = bool(self.choices(tuple(sorted(dice))))
        what = "overshot" if overshot else "bust"
        lost: Events = ({"event": what, "player": player, "lost": state.points, "dice": list(dice)},)
        if not overshot or rules.overshoot_to is None:
            return self._end_turn(state, 0, lost, bust=True)
        points, event = self.set_back(state, rules.overshoot_to, dice)
        return self._end_turn(state, points, (*lost, event), bust=True)

    def do_set_aside(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        dice = read_dice(action["dice"])
        if not state.waiting:
            raise IllegalAction("nothing-to-set-aside")
        if not dice:
            raise IllegalAction("set-aside-nothing")
        take_from(dice, state.throw)
        chosen = tuple(sorted(dice))
        throw = tuple(sorted(state.throw))
        for choice in self.choices_in(state, throw):
            if choice.dice == chosen:
                return self._put_aside(state, choice)
        for choice in self.choices(throw):
            if choice.dice == chosen:
                raise self._passes_target(state, choice.points * state.times)
        raise IllegalAction("no-combination", dice=list(dice))

    def bank(self, state: TenThousandState) -> Outcome[TenThousandState]:
        if self.rules.take_over:
            aside = [*state.beside, *(die for dice in oldest_first(state.aside) for die in dice)]
            beside = aside[len(aside) - (self.dice - state.left) :]
            state = state._replace(offered=state.left, beside=tuple(beside))
        return self._end_turn(state, state.points, NO_EVENTS, bust=False)

    def do_take_over(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        if not self._may_take_over(state):
            raise IllegalAction("nothing-to-take-over")
        return state._replace(points=state.ended[1], left=state.offered, offered=0), NO_EVENTS

    def _may_take_over(self, state: TenThousandState) -> bool:
        """Whether the player, whose turn has not begun, may go on with the dice and the points of the turn before."""
        player, (other, points) = state.player, state.ended
        if not self.rules.take_over or not state.offered or other == player or points <= 0:
            return False
        if self.rules.end == "exact" and self._missing(state) <= points:  # the next points would pass the target
            return False
        return state.banked[player] or self.rules.opening <= self.rules.minimum

    def bank_refusal(self, state: TenThousandState) -> IllegalAction | None:
        if state.over:
            return IllegalAction("game-over")
        if state.waiting:
            return IllegalAction("set-aside-first")
        if state.aside is None:
            return IllegalAction("nothing-to-bank")
        if self.rules.end == "exact" and self._missing(state) <= 0:
            return self._passes_target(state, 0) if self._missing(state) else None
        if state.must_confirm:
            return IllegalAction("confirm-first" if self.dice == 6 else "confirm-first-with-all")
        if state.points < state.needed:
            return IllegalAction("bank-needs-confirming", needed=state.needed, points=state.points)
        if state.points < self.rules.minimum:
            return IllegalAction("bank-needs-minimum", needed=self.rules.minimum, points=state.points)
        if state.points < self.rules.opening and not state.banked[state.player]:
            return IllegalAction("bank-needs-opening", needed=self.rules.opening, points=state.points)
        # All dice after a set-aside mean that none was left.
        left = 0 if state.left == self.dice else state.left
        most = self.rules.bank_with_at_most
        if most is not None and left > most:
            return IllegalAction("too-many-dice-left", left=left, allowed=most)
        return None

    def choices(self, throw: tuple[int, ...]) -> tuple[SetAside, ...]:
        """The choices to set aside from a throw, whose dice ascend."""
        if shows(throw, self.rules.wiped_by):
            return ()
        choices = self._combinations.choices(throw)
        if not choices and self.rules.nothing_scores and len(throw) == self.dice:
            return (SetAside(throw, self.rules.nothing_scores),)
        return choices

    def choices_in(self, state: TenThousandState, throw: tuple[int, ...]) -> tuple[SetAside, ...]:
        """Those of `choices` that a turn allows, with their points there; if `forced`, the one that happens."""
        choices = self.choices(throw)
        if self.rules.forced:
            choices = tuple(sorted(choices, key=lambda each: (-each.points, -len(each.dice))))[:1]
        if state.times > 1:
            choices = tuple(choice._replace(points=choice.points * state.times) for choice in choices)
        if self.rules.end != "exact":
            return choices
        missing = self._missing(state)
        filled = (
            choice._replace(points=missing) if choice.points >= self.rules.target and missing > 0 else choice
            for choice in choices
        )
        return tuple(choice for choice in filled if choice.points <= missing)

    def _missing(self, state: TenThousandState) -> int:
        """The points that the running turn lacks for the target."""
        return self.rules.target - state.scores[state.player] - state.points

    def _passes_target(self, state: TenThousandState, points: int) -> IllegalAction:
        total = state.scores[state.player] + state.points + points
        return IllegalAction("passes-target", total=total, target=self.rules.target)

    def _put_aside(self, state: TenThousandState, choice: SetAside) -> Outcome[TenThousandState]:
        after = state._replace(
            points=state.points + choice.points,
            left=(state.left - len(choice.dice)) or self.dice,
            waiting=False,
            aside=LinkedList(state.aside, choice.dice),
        )
        after, confirming = self._confirming(after, choice.confirm)
        if after.left < self.dice:
            return after, confirming
        if self.rules.hot_dice == "multiply":
            multiplied = {"event": "multiplied", "player": state.player, "times": state.times + 1}
            return after._replace(times=state.times + 1), (*confirming, multiplied)
        in_one_throw = len(choice.dice) == self.dice
        must = self.rules.hot_dice == "must" or (self.rules.hot_dice == "must-after-one-throw" and in_one_throw)
        if must and not self._is_exact(after):
            return after._replace(must_confirm=True), (*confirming, {"event": "confirm", "player": state.player})
        return after, confirming

    def _confirming(self, after: TenThousandState, points: int) -> Outcome[TenThousandState]:
        """The state after dice were set aside that so many further points must confirm."""
        if not points or self._is_exact(after):
            return after, NO_EVENTS
        needed = max(after.needed, after.points + points)
        return after._replace(needed=needed), ({"event": "confirm-points", "player": after.player, "points": needed},)

    def _is_exact(self, state: TenThousandState) -> bool:
        """Whether the turn makes just the target, with which it may always be banked."""
        return self.rules.end == "exact" and not self._missing(state)

    # --- the end of a turn ---

    def _end_turn(self, state: TenThousandState, points: int, events: Events, bust: bool) -> Outcome[TenThousandState]:
        player, rules = state.player, self.rules
        busts = replace_at(state.busts, player, state.busts[player] + 1 if bust else 0)
        if rules.penalty_busts and busts[player] == rules.penalty_busts:
            busts = replace_at(busts, player, 0)
            points -= rules.penalty_points
            penalty = {
                "event": "penalty",
                "player": player,
                "points": -rules.penalty_points,
                "count": rules.penalty_busts,
            }
            events += (penalty,)
        banked = replace_at(state.banked, player, True) if not bust else state.banked
        offered = 0 if bust else state.offered
        return self.start_next_turn(state._replace(busts=busts, banked=banked, offered=offered), points, events)

    def next_turn(self, state: TenThousandState) -> Outcome[TenThousandState]:
        after, events = super().next_turn(state)
        return (after._replace(over=True), NO_EVENTS) if state.winner >= 0 else (after, events)

    def new_turn(self, state: TenThousandState, player: int, seats: Seats) -> TenThousandState:
        return TenThousandState(
            state.scores,
            state.banked,
            state.busts,
            player=player,
            left=self.dice,
            last=state.last,
            turns=state.turns,
            ended=state.ended,
            adjusted=state.adjusted,
            seats=seats,
            extra=state.extra,
            winner=state.winner,
            offered=state.offered,
            beside=state.beside if state.offered else (),
        )

    # --- who plays, and when ---

    def with_player(self, state: TenThousandState) -> TenThousandState:
        return super().with_player(state)._replace(banked=(*state.banked, False), busts=(*state.busts, 0))

    # --- what a person settles by hand ---

    def settle_turn(self, state: TenThousandState, points: int) -> Outcome[TenThousandState]:
        player = state.player
        busts = 0 if points > 0 else state.busts[player] + 1
        if points < 0 or busts == self.rules.penalty_busts:
            busts = 0  # the penalty is in what the person says
        settled = state._replace(
            banked=replace_at(state.banked, player, state.banked[player] or points > 0),
            busts=replace_at(state.busts, player, busts),
            offered=0,
        )
        return super().settle_turn(settled, points)

    def adjust_turn_moved(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        return super().adjust_turn_moved(state._replace(offered=0), action)

    def with_turn(self, state: TenThousandState, player: int, points: int) -> TenThousandState:
        banked, busts = replace_at(state.banked, player, True), replace_at(state.busts, player, 0)
        return state._replace(banked=banked, busts=busts) if points > 0 else state

    def with_score(self, state: TenThousandState, player: int, more: int) -> TenThousandState:
        settled = super().with_score(state, player, more)
        return settled if settled.over else settled._replace(winner=-1)

    def with_over(self, state: TenThousandState, over: bool) -> TenThousandState:
        return super().with_over(state, over)._replace(winner=state.winner if over else -1)

    # --- what is shown ---

    def merits(self, state: TenThousandState, scores: list[int]) -> Sequence[tuple[bool, int]]:
        return [(player == state.winner, score) for player, score in enumerate(scores)]

    def legal(self, state: TenThousandState) -> list[Entry]:
        if state.waiting:
            return [
                {
                    "do": "set-aside",
                    "dice": list(choice.dice),
                    "points": choice.points,
                    "dice_left": (state.left - len(choice.dice)) or self.dice,
                }
                for choice in self.choices_in(state, tuple(sorted(state.throw)))
            ]
        entries: list[Entry] = [{"do": "throw", "count": state.left}]
        if self.bank_refusal(state) is None:
            entries.append({"do": "bank", "points": state.points})
        if self._may_take_over(state):
            offer = {"points": state.ended[1], "dice_left": state.offered, "beside": list(state.beside)}
            entries.append({"do": TAKE_OVER, **offer})
        return entries

    def add_banking(self, state: TenThousandState, legal: Sequence[Entry]) -> None:
        if state.waiting and not state.over:
            for entry, choice in zip(legal, self.choices_in(state, tuple(sorted(state.throw))), strict=True):
                entry.update(self.banking(self._put_aside(state, choice)[0]))

    def turn(self, state: TenThousandState) -> dict[str, Any]:
        return {
            "player": None if state.over else state.player,
            "points": state.points,
            "dice_left": 0 if state.over else state.left,
            "expects": 0 if state.over or state.waiting else state.left,
            "throw": list(state.throw),
            "set_aside": oldest_first(state.aside),
            **self.banking(state),
            "must_confirm": state.must_confirm,
            **({"penalty": self._penalty_near(state)} if self.rules.penalty else {}),
            **({"times": state.times} if self.rules.hot_dice == "multiply" else {}),
            **({"beside": [] if state.offered else list(state.beside)} if self.rules.take_over else {}),
        }

    def _penalty_near(self, state: TenThousandState) -> int:
        """The penalty of a bust in this turn, beyond the turn's points."""
        near = not state.over and state.busts[state.player] == self.rules.penalty_busts - 1
        return self.rules.penalty_points if near else 0

    def player(self, state: TenThousandState, player: int) -> dict[str, Any]:
        return {"busts": state.busts[player]} if self.rules.penalty else {}

    # --- the rules for players ---

    def family_rules(self) -> ShortRules:
        points = (
            T("A combination counts only within one throw."),
            T("Dice that could make several combinations count as those with most points."),
        )
        return ShortRules.in_sections(self.title, self._goal(), self._turn_rules(), points, _rows(self.rules.table))

    def _goal(self) -> list[Text]:
        goal = total_rules(self.rules.target, self.rules.end)
        for line in self.rules.winning:
            dice = Text(" ".join(map(str, line.dice[0][0])))
            what = T("{what} ({dice})", what=line.text, dice=dice) if line.text else dice
            goal.append(T("A throw with {dice} wins the game at once.", dice=what))
        return goal

    def _turn_rules(self) -> list[Text]:
        rules = self.rules
        few_left = rules.bank_with_at_most is not None and rules.bank_with_at_most < self.dice
        sentences = [counted_text("Throw {count} die.", "Throw {count} dice.", self.dice)]
        if rules.forced:
            sentences.append(T("All dice that score are set aside, for the most points that they can make."))
        else:
            sentences.append(T("Set aside one or more combinations, any that the throw allows."))
        sentences.append(T("Then throw the other dice again, or bank."))
        if rules.hot_dice != "must":
            sentences.append(T("When all are set aside, you may throw all again in the same turn."))
        if rules.hot_dice == "multiply":
            sentences.append(
                T("What you set aside then counts twice; after the next time that all are aside, three times.")
            )
        if rules.hot_dice == "must-after-one-throw":
            sentences.append(T("When one throw of all dice scores with all, you must throw all again."))
        if rules.hot_dice == "must":
            sentences.append(T("When all have scored, you must throw all again."))
        if rules.end == "exact":
            if any(points >= rules.target for each in rules.filling for _, points in each.dice):
                sentences.append(
                    T(
                        "Dice that are worth {target} points or more bring just what is missing.",
                        target=rules.target,
                    )
                )
            if rules.minimum or few_left or rules.hot_dice.startswith("must"):
                sentences.append(T("With exactly {target} points a turn may always be banked.", target=rules.target))
        if rules.nothing_scores:
            sentences.append(T("All dice thrown and nothing scores: {points} points.", points=rules.nothing_scores))
        sentences.append(T("A throw in which nothing scores ends the turn, and its points are lost."))
        if rules.minimum:
            sentences.append(T("Banking needs {points} points in the turn.", points=rules.minimum))
        if rules.opening > rules.minimum:
            sentences.append(T("The first turn that you bank needs {points} points.", points=rules.opening))
        if rules.bank_with_at_most is not None and rules.bank_with_at_most < self.dice:
            sentences.append(
                counted_text(
                    "Banking is allowed with at most {count} die left to throw.",
                    "Banking is allowed with at most {count} dice left to throw.",
                    count=rules.bank_with_at_most,
                )
            )
        sentences += self.loss_rules()
        if rules.take_over:
            sentences.append(
                T(
                    "You may begin with the dice that the player before you left to throw: the points of his turn then "
                    "count for you too."
                )
            )
            if rules.opening > rules.minimum:
                sentences.append(T("Whoever has not banked a first turn yet may not take over."))
        if rules.penalty:
            sentences.append(
                counted_text(
                    "{count} turn without points costs {points} points.",
                    "{count} turns in a row without points cost {points} points.",
                    count=rules.penalty_busts,
                    points=rules.penalty_points,
                )
            )
        return sentences


def _rows(table: tuple[Combination, ...]) -> list[tuple[Text, Text]]:
    rows = []
    for combination in table:
        points = {points for _, points in combination.dice}
        if combination.text and len(points) == 1:
            example = " ".join(map(str, combination.dice[0][0]))
            what = T("{what} ({dice})", what=combination.text, dice=example)
            rows.append((what, _worth(points.pop(), combination)))
        else:
            rows += [(Text(" ".join(map(str, dice))), _worth(points, combination)) for dice, points in combination.dice]
    return rows


def _worth(points: int, combination: Combination) -> Text:
    more = combination.confirm
    return T("{points}; {more} more must follow", points=points, more=more) if more else Text(str(points))
