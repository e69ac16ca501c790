"""Games in which a turn's points grow throw by throw until the player banks or loses them.

Each game is a table of combinations and a few numbers: see `scorer/games/farkle.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorer.actions import Action, Entry, Events, read_dice, read_throw, take_from
from scorer.combinations import Combination, SetAside
from scorer.definitions.game_file import TenThousandRules
from scorer.game import NO_EVENTS, GameKind, Outcome
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import BANK, THROW, Phrases, Verb, counted_phrase, phrase
from scorer.texts import ShortRules, T, Text, counted_text
from scorer.tuples import LinkedList, add_at, oldest_first, replace_at
from scorer.turn_games import PointsGame, read_points

EVENTS: Mapping[str, Phrases] = {
    "last-round": (
        phrase("{name} has reached the target. The round is played out.", played_out=True)
        + phrase("{name} has reached the target. Everybody else has one more turn.")
    ),
    "overshot": phrase("{name} would pass the target: the turn is lost."),
    "confirm": phrase("All dice scored: they must be thrown once more."),
    "multiplied": phrase("All dice scored: from now on points count {times} times in this turn."),
    "penalty": counted_phrase(
        "{count} turn in a row without points: {name} {points}",
        "{count} turns in a row without points: {name} {points}",
    ),
}


class TenThousandState(NamedTuple):
    """Per player: `scores`, whether he has `banked` a turn yet, `busts` in a row. The rest is the running turn.

    `left`: dice to throw, all again when all are set aside. `waiting`: the throw needs a set-aside. `must_confirm`: no
    banking before the next throw. `last`: who reached the target first, -1 for nobody. `times`: how often points count.
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


class TenThousand(PointsGame[TenThousandState]):
    events = EVENTS
    actions: Mapping[str, Verb] = {
        "throw": THROW,
        "set-aside": Verb(("dice",), phrase("set aside"), phrase("set aside")),
        "bank": BANK,
    }

    rules: TenThousandRules

    def __init__(self, kind: GameKind, rules: TenThousandRules, settings: Mapping[str, Any]) -> None:
        self.dice = rules.dice
        if rules.forced:
            self.actions = {"throw": THROW, "bank": BANK}
        if rules.penalty and rules.busts_to_penalty:
            self.may_be_negative = frozenset({"total", "turn", "last-turn"})
        super().__init__(kind, rules, settings)
        self._combinations = rules.combinations

    @property
    def wanted_total(self) -> int:
        return self.rules.target

    def start(self, players: int) -> TenThousandState:
        return TenThousandState((0,) * players, (False,) * players, (0,) * players, left=self.dice)

    # --- actions ---

    def do_throw(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        if state.waiting:
            raise IllegalAction("set-aside-first")
        dice = read_throw(action["dice"], state.left)
        throw = tuple(sorted(dice))
        choices = self.choices_in(state, throw)
        if not choices:
            what = "overshot" if self.choices(throw) else "bust"
            lost = {"event": what, "player": state.player, "lost": state.points, "dice": list(dice)}
            return self._end_turn(state._replace(points=0), (lost,), bust=True)
        thrown = state._replace(throw=dice, waiting=True, must_confirm=False)
        if not self.rules.forced:
            return thrown, NO_EVENTS
        (best,) = choices
        set_aside = {"event": "set-aside", "player": state.player, "dice": list(best.dice), "points": best.points}
        after, events = self._put_aside(thrown, best)
        return after, (set_aside, *events)

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

    def do_bank(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        refusal = self.bank_refusal(state)
        if refusal is not None:
            raise refusal
        scores = add_at(state.scores, state.player, state.points)
        banked = replace_at(state.banked, state.player, True)
        return self._end_turn(state._replace(scores=scores, banked=banked), NO_EVENTS, bust=False)

    def bank_refusal(self, state: TenThousandState) -> IllegalAction | None:
        """Why the turn cannot be banked now; None if it can."""
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
            choices = tuple(SetAside(dice, points * state.times) for dice, points in choices)
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
        if after.left < self.dice:
            return after, NO_EVENTS
        if self.rules.hot_dice == "multiply":
            multiplied = {"event": "multiplied", "player": state.player, "times": state.times + 1}
            return after._replace(times=state.times + 1), (multiplied,)
        in_one_throw = len(choice.dice) == self.dice
        must = self.rules.hot_dice == "must" or (self.rules.hot_dice == "must-after-one-throw" and in_one_throw)
        if must and not (self.rules.end == "exact" and self._missing(after) == 0):
            return after._replace(must_confirm=True), ({"event": "confirm", "player": state.player},)
        return after, NO_EVENTS

    # --- the end of a turn ---

    def _end_turn(self, state: TenThousandState, events: Events, bust: bool) -> Outcome[TenThousandState]:
        player, added = state.player, state.points
        scores, busts = state.scores, replace_at(state.busts, player, state.busts[player] + 1 if bust else 0)
        if self.rules.busts_to_penalty and busts[player] == self.rules.busts_to_penalty:
            busts = replace_at(busts, player, 0)
            scores = add_at(scores, player, -self.rules.penalty)
            added = -self.rules.penalty
            penalty = {"event": "penalty", "player": player, "points": added, "count": self.rules.busts_to_penalty}
            events += (penalty,)
        return self.start_next_turn(state._replace(scores=scores, busts=busts), added, events)

    def start_next_turn(self, state: TenThousandState, added: int, events: Events) -> Outcome[TenThousandState]:
        player, scores = state.player, state.scores
        events += ({"event": "turn", "player": player, "points": added},)
        last = player if state.last < 0 and scores[player] >= self.rules.target else state.last
        after = self._next(state._replace(last=last, turns=state.turns + 1, ended=(player, added)))
        if after.over:
            events += (self.game_over(after),)
        elif last != state.last:
            events += ({"event": "last-round", "player": player, "played_out": self.rules.end == "finish-round"},)
        return after, events

    def _next(self, state: TenThousandState, other: bool = False) -> TenThousandState:
        """Starts the next player's turn or ends the game. `other`: never the same player again."""
        following, seats, begins = state.seats.following(len(state.scores), state.player, other=other)
        return TenThousandState(
            state.scores,
            state.banked,
            state.busts,
            player=following,
            left=self.dice,
            last=state.last,
            over=state.last >= 0 and self._ends_before(following, state.last, begins),
            turns=state.turns,
            ended=state.ended,
            adjusted=state.adjusted,
            seats=seats,
        )

    def _ends_before(self, following: int, last: int, begins: bool) -> bool:
        """Whether the game ends before the turn of `following`, once `last` has reached the target.

        `begins`: whether `following` begins a round.
        """
        if self.rules.end == "one-more-turn":
            return following == last
        return begins or self.rules.end != "finish-round"

    # --- who plays, and when ---

    def with_seats(self, state: TenThousandState, seats: Seats) -> TenThousandState:
        """A player who leaves no longer counts as having reached the target."""
        settled = state._replace(seats=seats)
        if state.last < 0 or state.last in seats.playing(len(state.scores)):
            return settled
        reached = self._players_at_target(settled)
        return settled._replace(last=reached[0] if reached else -1)

    def with_player(self, state: TenThousandState) -> TenThousandState:
        return state._replace(
            scores=(*state.scores, 0),
            banked=(*state.banked, False),
            busts=(*state.busts, 0),
        )

    def pass_turn(self, state: TenThousandState, player: int) -> Outcome[TenThousandState] | None:
        if len(state.seats.playing(len(state.scores))) == 1:
            return None
        return self._next(state._replace(turns=state.turns + bool(state.throw)), other=True), NO_EVENTS

    def _players_at_target(self, state: TenThousandState) -> list[int]:
        playing = state.seats.playing(len(state.scores))
        return [player for player in playing if state.scores[player] >= self.rules.target]

    # --- what a person settles by hand ---

    def adjust_turn(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        player, points = action["player"], read_points(action)
        self.check_turn_of(state, player)
        return self.settle_turn(state, player, points)

    def settle_turn(self, state: TenThousandState, player: int, points: int) -> Outcome[TenThousandState]:
        """Ends the turn of `player` with any number of points."""
        busts = 0 if points > 0 else state.busts[player] + 1
        if points < 0 or busts == self.rules.busts_to_penalty:
            busts = 0  # the penalty is in what the person says
        settled = state._replace(
            scores=add_at(state.scores, player, points),
            banked=replace_at(state.banked, player, state.banked[player] or points > 0),
            busts=replace_at(state.busts, player, busts),
        )
        return self.start_next_turn(settled, points, NO_EVENTS)

    def adjust_last_turn(self, state: TenThousandState, action: Action) -> Outcome[TenThousandState]:
        settled, events = super().adjust_last_turn(state, action)
        player = action["player"]
        if action["points"] > 0:
            settled = settled._replace(
                banked=replace_at(state.banked, player, True), busts=replace_at(state.busts, player, 0)
            )
        return settled, events

    def with_score(self, state: TenThousandState, player: int, more: int) -> TenThousandState:
        scores = add_at(state.scores, player, more)
        before, after = state.scores[player] >= self.rules.target, scores[player] >= self.rules.target
        settled = state._replace(scores=scores)
        if before == after:
            return settled
        reached = self._players_at_target(settled)
        if not reached:
            return settled._replace(last=-1, over=False)
        if state.last in reached:
            return settled
        at_once = self.rules.end not in ("finish-round", "one-more-turn")
        return settled._replace(last=reached[0], over=state.over or at_once)

    def with_over(self, state: TenThousandState, over: bool) -> TenThousandState:
        return state._replace(over=over, last=state.last if over else -1)

    # --- what is shown ---

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
        return entries

    def leads_to(self, state: TenThousandState, entry: Entry) -> dict[str, Any]:
        """Whether the turn may be banked after a set-aside, or why not."""
        return self._banking(self.apply(state, entry)[0]) if entry["do"] == "set-aside" else {}

    def _banking(self, state: TenThousandState) -> dict[str, Any]:
        refusal = self.bank_refusal(state)
        return {"may_bank": refusal is None, "bank_refusal": None if refusal is None else refusal.to_json()}

    def turn(self, state: TenThousandState) -> dict[str, Any]:
        return {
            "player": None if state.over else state.player,
            "points": state.points,
            "dice_left": 0 if state.over else state.left,
            "expects": 0 if state.over or state.waiting else state.left,
            "throw": list(state.throw),
            "set_aside": oldest_first(state.aside),
            **self._banking(state),
            "must_confirm": state.must_confirm,
            **({"penalty": self._penalty_near(state)} if self.rules.busts_to_penalty else {}),
            **({"times": state.times} if self.rules.hot_dice == "multiply" else {}),
        }

    def _penalty_near(self, state: TenThousandState) -> int:
        """The penalty of a bust in this turn, beyond the turn's points."""
        near = not state.over and state.busts[state.player] == self.rules.busts_to_penalty - 1
        return self.rules.penalty if near else 0

    def player(self, state: TenThousandState, player: int) -> dict[str, Any]:
        return {"busts": state.busts[player]} if self.rules.busts_to_penalty else {}

    def extras(self, state: TenThousandState) -> dict[str, Any]:
        return {"last_round": state.last if state.last >= 0 and not state.over else None}

    # --- the rules for players ---

    def family_rules(self) -> ShortRules:
        points = (
            T("A combination counts only within one throw."),
            T("Dice that could make several combinations count as those with most points."),
        )
        return ShortRules.in_sections(self.title, [self._goal()], self._turn_rules(), points, _rows(self.rules.table))

    def _goal(self) -> Text:
        end, target = self.rules.end, self.rules.target
        if end == "exact":
            return T("The first player with a total of exactly {target} points wins at once.", target=target)
        if end == "one-more-turn":
            return T(
                "When someone reaches {target} points, every other player has one more turn. The highest total wins.",
                target=target,
            )
        if end == "finish-round":
            return T(
                "When someone reaches {target} points, the round is played out. The highest total wins.",
                target=target,
            )
        return T("The first player to bank a total of {target} points wins at once.", target=target)

    def _turn_rules(self) -> list[Text]:
        rules, six = self.rules, self.dice == 6
        few_left = rules.bank_with_at_most is not None and rules.bank_with_at_most < self.dice
        sentences = [T("Throw all six dice.") if six else _count_dice(self.dice)]
        if rules.forced:
            sentences.append(T("All dice that score are set aside, for the most points that they can make."))
        else:
            sentences.append(T("Set aside one or more combinations, any that the throw allows."))
        sentences.append(T("Then throw the other dice again, or bank."))
        if rules.hot_dice != "must":
            again = T("When all six are set aside, you may throw all six again and go on adding to the same turn.")
            sentences.append(again if six else T("When all are set aside, you may throw all again in the same turn."))
        if rules.hot_dice == "multiply":
            sentences.append(
                T("What you set aside then counts twice; after the next time that all are aside, three times.")
            )
        if rules.hot_dice == "must-after-one-throw":
            must = T("When one throw of six dice scores with all six, you must throw all six again.")
            sentences.append(
                must if six else T("When one throw of all dice scores with all, you must throw all again.")
            )
        if rules.hot_dice == "must":
            must = T("When all six have scored, you must throw all six again.")
            sentences.append(must if six else T("When all have scored, you must throw all again."))
        if rules.end == "exact":
            sentences.append(
                T("A throw after which the total would pass {target} points loses the turn.", target=rules.target)
            )
            if any(points >= rules.target for each in rules.table for _, points in each.dice):
                sentences.append(
                    T(
                        "Dice that are worth {target} points or more bring just what is missing.",
                        target=rules.target,
                    )
                )
            if rules.minimum or few_left or rules.hot_dice.startswith("must"):
                sentences.append(T("With exactly {target} points a turn may always be banked.", target=rules.target))
        if rules.nothing_scores:
            points = rules.nothing_scores
            given = T("Six dice thrown with nothing that scores give {points} points.", points=points)
            sentences.append(given if six else T("All dice thrown and nothing scores: {points} points.", points=points))
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
        if rules.busts_to_penalty:
            sentences.append(
                counted_text(
                    "{count} turn without points costs {points} points.",
                    "{count} turns in a row without points cost {points} points.",
                    count=rules.busts_to_penalty,
                    points=rules.penalty,
                )
            )
        return sentences


def _count_dice(count: int) -> Text:
    return counted_text("Throw {count} die.", "Throw {count} dice.", count=count)


def _rows(table: tuple[Combination, ...]) -> list[tuple[Text, Text]]:
    rows = []
    for combination in table:
        points = {points for _, points in combination.dice}
        if combination.text and len(points) == 1:
            example = " ".join(map(str, combination.dice[0][0]))
            rows.append((T("{what} ({dice})", what=combination.text, dice=example), Text(str(points.pop()))))
        else:
            rows += [(Text(" ".join(map(str, dice))), Text(str(points))) for dice, points in combination.dice]
    return rows
