"""Skunk: docs/rules.md section 15."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorer.actions import MOST_POINTS, Action, Entry, Events, read_number, read_throw
from scorer.game import ADJUSTMENTS, NO_EVENTS, Game, GameType, Outcome, Step
from scorer.options import Flag, WholeNumber
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import THROW, Phrases, Verb, phrase
from scorer.texts import N_, ShortRules, T, counted_text
from scorer.tuples import replace_at

WORD = "SKUNK"  # a round for each letter

Row = tuple[int, ...]  # what one round added to the total of each player


class SkunkState(NamedTuple):
    """`kept`: what each player sat down with in the running round; None: he stands. `points`: of all who stand.

    `throw`: the last one of the round, () before it. `rounds`: those finished; rows from before a player joined are
    shorter.
    """

    kept: tuple[int | None, ...]
    rounds: tuple[Row, ...] = ()
    points: int = 0
    throw: tuple[int, ...] = ()
    over: bool = False
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()


@dataclass(frozen=True)
class SkunkRules:
    """The options of the same names."""

    rounds: int
    first_throw_counts: bool


class Skunk(Game[SkunkState]):
    dice = 2
    actions: Mapping[str, Verb] = {"throw": THROW, "sit": Verb(("player",), phrase("sat down"), phrase("sit down"))}
    adjustments: Mapping[str, Verb] = {
        **ADJUSTMENTS,
        "cell": Verb(
            ("player", "round", "points"),
            phrase("round {round} emptied by hand", points=None) + phrase("round {round} settled by hand: {points}"),
        ),
    }
    events: Mapping[str, Phrases] = {
        "skunk": phrase("A one: who stands loses the points of this round.", ones=1)
        + phrase("Two ones: who stands loses all points so far."),
        "first-throw-again": phrase("A one on the first throw does not count. Throw again."),
    }
    plays_rounds = True

    rules: SkunkRules

    def start(self, players: int) -> SkunkState:
        return SkunkState((None,) * players)

    def to_act(self, state: SkunkState) -> list[int]:
        """Those who stand, by their numbers."""
        if state.over:
            return []
        playing = set(state.seats.playing(len(state.kept))) - set(state.seats.joining)
        return sorted(player for player in playing if state.kept[player] is None)

    def player_in_turn(self, state: SkunkState) -> int | None:
        """None: anybody throws for all."""
        return None

    def scores(self, state: SkunkState) -> list[int]:
        """Points that a player sat down with are his; those of who stands are in danger."""
        return self.with_adjusted(
            state,
            [sum(_worth(row, player) for row in state.rounds) + (kept or 0) for player, kept in enumerate(state.kept)],
        )

    def totals_by_round(self, state: SkunkState) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in state.kept]
        for number in range(len(state.rounds)):
            for player, rounds in enumerate(found):
                rounds.append((rounds[-1] if rounds else 0) + _worth(state.rounds[number], player))
        for player, score in enumerate(self.scores(state)):
            found[player][-1:] = [score] if state.rounds else []
        return found

    # --- actions ---

    def do_throw(self, state: SkunkState, action: Action) -> Outcome[SkunkState]:
        dice = read_throw(action["dice"], self.dice)
        ones = dice.count(1)
        if not ones:
            return state._replace(points=state.points + sum(dice), throw=dice), NO_EVENTS
        if not (state.throw or self.rules.first_throw_counts):
            return state, ({"event": "first-throw-again", "dice": list(dice)},)
        stand, scores = self.to_act(state), self.scores(state)
        lost = {player: max(0, scores[player]) if ones == 2 else 0 for player in stand}
        row = tuple(-lost.get(player, -(kept or 0)) for player, kept in enumerate(state.kept))
        skunk = {"event": "skunk", "dice": list(dice), "ones": ones, "players": stand, "points": state.points}
        return self._next_round(state, row, (skunk,))

    def do_sit(self, state: SkunkState, action: Action) -> Outcome[SkunkState]:
        player = read_number(action["player"], "player", 0, len(state.kept) - 1)
        name = state.seats.name(player)
        if player not in state.seats.playing(len(state.kept)):
            raise IllegalAction("player-left", player=name)
        if player in state.seats.joining:
            raise IllegalAction("joins-next-round", player=name)
        if state.kept[player] is not None:
            raise IllegalAction("sits-already", player=name)
        if not state.throw:
            raise IllegalAction("stand-for-first-throw")
        return self._go_on(state._replace(kept=replace_at(state.kept, player, state.points)))

    def _go_on(self, state: SkunkState) -> Outcome[SkunkState]:
        """Ends the round once nobody stands."""
        if state.over or self.to_act(state):
            return state, NO_EVENTS
        return self._next_round(state, tuple(kept or 0 for kept in state.kept), NO_EVENTS)

    def _next_round(self, state: SkunkState, row: Row, events: Events) -> Outcome[SkunkState]:
        """Ends the round with what it adds to each total."""
        played = set(state.seats.playing(len(row))) - set(state.seats.joining)
        after = state._replace(
            kept=(None,) * len(row),
            rounds=(*state.rounds, row),
            points=0,
            throw=(),
            over=len(state.rounds) + 1 >= self.rules.rounds,
            seats=state.seats._replace(joining=()),
        )
        events += tuple({"event": "turn", "player": player, "points": row[player]} for player in sorted(played))
        return after, (*events, self.game_over(after)) if after.over else events

    # --- who plays, and when ---

    def with_seats(self, state: SkunkState, seats: Seats) -> SkunkState:
        """Who joins before the first throw of a round stands in it."""
        return state._replace(seats=seats if state.throw else seats._replace(joining=()))

    def with_player(self, state: SkunkState) -> SkunkState:
        return state._replace(kept=(*state.kept, None))

    def remove_player(self, state: SkunkState, player: int) -> Outcome[SkunkState]:
        """What he had sat down with stays; the others no longer wait for him."""
        return self._go_on(self.with_seats(state, state.seats.without_player(len(state.kept), player)))

    def pass_turn(self, state: SkunkState, player: int) -> Outcome[SkunkState] | None:
        """He sits down with nothing."""
        if len(state.seats.playing(len(state.kept))) == 1:
            return None
        return self._go_on(state._replace(kept=replace_at(state.kept, player, 0)))

    def may_go_on(self, state: SkunkState) -> bool:
        return len(state.rounds) < self.rules.rounds

    def turns_done(self, state: SkunkState) -> int:
        return len(state.rounds)

    # --- what a person settles by hand ---

    def adjust_cell(self, state: SkunkState, action: Action) -> Outcome[SkunkState]:
        """Sets what a round added for a player. In the running one he has sat down with it; None: he stands again."""
        player, running = action["player"], len(state.rounds) + 1
        number = read_number(action["round"], "round", 1, running - state.over)
        points = action["points"]
        if points is not None:
            points = read_number(points, "points", -MOST_POINTS, MOST_POINTS)
        if number == running:
            return self._go_on(state._replace(kept=replace_at(state.kept, player, points)))
        row = state.rounds[number - 1]
        row = replace_at(row + (0,) * (len(state.kept) - len(row)), player, points or 0)
        return state._replace(rounds=replace_at(state.rounds, number - 1, row)), NO_EVENTS

    def settlement(self, state: SkunkState, was: Step, running: bool) -> list[Action]:
        """Gives each player what the round was worth to him. Whom two ones cost all points then, they still do."""
        number = len(was.before.rounds)
        scores, playing = self.scores(state), state.seats.playing(len(state.kept))
        found: list[Action] = []
        for player in self.to_act(state) if running else playing:
            worth = _worth(was.after.rounds[number], player)
            now = 0 if running else _worth(state.rounds[number], player)
            points = -max(0, scores[player] - now) if worth < 0 else worth
            if running or points != now:
                cell = {"player": player, "round": number + 1, "points": points}
                found.append({"do": "adjust", "what": "cell", **cell})
        return found

    # --- what is shown ---

    def legal(self, state: SkunkState) -> list[Entry]:
        entries: list[Entry] = [{"do": "throw", "count": self.dice}]
        if state.throw:
            entries += [{"do": "sit", "player": player, "points": state.points} for player in self.to_act(state)]
        return entries

    def turn(self, state: SkunkState) -> dict[str, Any]:
        dice = 0 if state.over else self.dice
        return {"player": None, "points": state.points, "dice_left": dice, "expects": dice, "throw": list(state.throw)}

    def player(self, state: SkunkState, player: int) -> dict[str, Any]:
        return {"turns": [_worth(row, player) for row in state.rounds], "kept": state.kept[player]}

    def extras(self, state: SkunkState) -> dict[str, Any]:
        """`letters`: the titles of the rounds. `round`: the running one, from 1."""
        rounds = self.rules.rounds
        letters = list(WORD) if rounds == len(WORD) else [str(number) for number in range(1, rounds + 1)]
        return {"round": min(len(state.rounds) + 1, rounds), "letters": letters}

    def family_rules(self) -> ShortRules:
        goal = (
            counted_text("The game has {count} round.", "The game has {count} rounds.", self.rules.rounds),
            T("The highest total wins."),
        )
        turn = [
            T("At the beginning of a round everybody stands. One throw of two dice is for all."),
            T("After each throw whoever stands may sit down, and keeps the points of this round."),
            T("Whoever still stands when the dice are thrown again plays on."),
            T("The round ends when all sit, or with a one."),
            T("Everybody must stand for the first throw of a round; its ones count too.")
            if self.rules.first_throw_counts
            else T("Everybody must stand for the first throw of a round; with a one it is thrown again."),
        ]
        rows = [
            (T("no die shows a one"), T("the sum of the dice, for everybody who stands")),
            (T("one die shows a one"), T("who stands loses the points of this round")),
            (T("both dice show a one"), T("who stands loses all points so far")),
        ]
        return ShortRules.in_sections(self.title, goal, turn, rows=rows)


def _worth(row: Sequence[int], player: int) -> int:
    """What a round added to a player's total; 0 if he joined after it."""
    return row[player] if player < len(row) else 0


GAME = GameType(
    key="skunk",
    title=N_("Skunk"),
    summary=N_("One throw for all: sit down before the dice show a one."),
    order=15,
    family=Skunk,
    rules_with=lambda settings: SkunkRules(**settings),
    options=(
        WholeNumber("rounds", 5, T("number of rounds"), 1, 10),
        Flag("first_throw_counts", True, T("ones count on the first throw of a round too")),
    ),
)
