"""A score pad: in each round every player writes points, whatever was played. All of them come from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import category

from scorer.actions import MOST_BY_HAND, Action, Entry, Events, read_number, read_throw
from scorer.definitions.contest_rules import by_team
from scorer.definitions.game_file import MOST_ROUNDS, PadRules
from scorer.game import ADJUSTMENTS, NO_EVENTS, Game, GameType, Outcome, Step
from scorer.pad_rules import rules_for_players
from scorer.refusals import IllegalAction
from scorer.seats import UNPRINTABLE, Seats
from scorer.sentences import THROW, Phrases, Verb, phrase
from scorer.texts import ShortRules, json_type
from scorer.tuples import add_at, replace_at

LONGEST_NOTE = 60

Row = tuple[int | None, ...]  # the points of one round, by player; None: wrote nothing in it


class PadState(NamedTuple):
    """`written`: the running round; `waiting`: who has yet to write in it, in order. `rounds`: those finished; rows
    from before a player joined are shorter. `notes`: by round, as far as there are any.
    """

    written: Row
    waiting: tuple[int, ...]
    rounds: tuple[Row, ...] = ()
    points: tuple[int, ...] = ()  # all that each player wrote, the running round included
    won: tuple[int, ...] = ()  # finished rounds that each player won
    notes: tuple[str, ...] = ()
    over: bool = False
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()

    @property
    def begun(self) -> bool:
        """Whether somebody has written in the running round."""
        return any(points is not None for points in self.written)

    @property
    def shown(self) -> int:
        """How many rounds there are, with the running one."""
        return len(self.rounds) + (self.begun or not self.over)


_WRITE = Verb(("player", "points"), phrase("wrote {points}"), phrase("write points"))
_CLOSE = Verb((), phrase("closed the round with 0 for the others"), phrase("0 for the others"))
_FINISH = Verb((), phrase("ended the game"), phrase("end the game"))


class PadGame(Game[PadState]):
    actions: Mapping[str, Verb] = {"throw": THROW, "write": _WRITE, "close-round": _CLOSE, "finish": _FINISH}
    events: Mapping[str, Phrases] = {
        "round-won": phrase("Nobody wins round {round}: a tie.", player=None) + phrase("{name} wins round {round}."),
    }
    adjustments: Mapping[str, Verb] = {
        **ADJUSTMENTS,
        "cell": Verb(
            ("player", "round", "points"),
            phrase("round {round} emptied by hand", points=None) + phrase("round {round} settled by hand: {points}"),
        ),
        "note": Verb(
            ("round", "text"),
            phrase("note on round {round} removed", text="") + phrase("note on round {round}: {text}"),
        ),
    }
    settled_by_action = counted_by_players = plays_rounds = True
    may_be_negative = frozenset({"total"})
    low, high = -MOST_BY_HAND, MOST_BY_HAND  # points that a player may write in a round

    rules: PadRules

    def __init__(self, kind: GameType, rules: PadRules, settings: Mapping[str, Any]) -> None:
        self.dice = rules.dice
        if not rules.dice:
            self.actions = {verb: each for verb, each in PadGame.actions.items() if verb != "throw"}
        super().__init__(kind, rules, settings)

    @property
    def wanted_total(self) -> int:
        return self.rules.target

    def points_by_hand(self, what: str) -> tuple[int, int]:
        return (self.low, self.high) if what == "cell" else super().points_by_hand(what)

    def start(self, players: int) -> PadState:
        nothing = (0,) * players
        return PadState((None,) * players, tuple(range(players)), points=nothing, won=nothing)

    def to_act(self, state: PadState) -> list[int]:
        if state.over:
            return []
        return list(state.waiting[:1] if self.rules.in_turn else state.waiting)

    # --- actions ---

    def do_write(self, state: PadState, action: Action) -> Outcome[PadState]:
        player = read_number(action["player"], "player", 0, len(state.points) - 1)
        points = read_number(action["points"], "points", self.low, self.high)
        if state.written[player] is not None:
            raise IllegalAction("already-written", player=state.seats.name(player))
        self.check_turn_of(state, player)
        return self._go_on(self._with_points(state, player, points))

    def do_throw(self, state: PadState, action: Action) -> Outcome[PadState]:
        """The sum of the dice is what the player in turn writes."""
        dice = read_throw(action["dice"], self.dice)
        player, points = state.waiting[0], sum(dice)
        after, events = self._go_on(self._with_points(state, player, points))
        return after, ({"event": "scored", "player": player, "dice": list(dice), "points": points}, *events)

    def do_close_round(self, state: PadState, action: Action) -> Outcome[PadState]:
        if self.rules.in_turn or not state.begun:
            raise IllegalAction("nothing-to-close")
        for player in state.waiting:
            state = self._with_points(state, player, 0)
        return self._go_on(state)

    def do_finish(self, state: PadState, action: Action) -> Outcome[PadState]:
        if not self._may_finish(state):
            raise IllegalAction("finish-between-rounds")
        after = state._replace(over=True)
        return after, (self.game_over(after),)

    def _may_finish(self, state: PadState) -> bool:
        """Whether people end the game themselves, and may now: all have written as often."""
        open_end = not (self.rules.rounds or self.rules.target)
        return open_end and bool(state.rounds) and not state.begun and not state.over

    @staticmethod
    def _with_points(state: PadState, player: int, points: int) -> PadState:
        """The state after a player has written in the running round, which may now be complete."""
        return state._replace(
            written=replace_at(state.written, player, points),
            points=add_at(state.points, player, points),
            waiting=tuple(each for each in state.waiting if each != player),
        )

    def _go_on(self, state: PadState) -> Outcome[PadState]:
        """Ends the round once nobody is left to write in it. A round in which nobody wrote begins again."""
        if state.over or state.waiting:
            return state, NO_EVENTS
        if not state.begun:
            return self._with_round(state), NO_EVENTS
        number, row = len(state.rounds) + 1, state.written
        winners = self._winners_of(row)
        events: Events = ({"event": "round", "round": number},)
        if self.rules.counts == "rounds":
            events += tuple({"event": "round-won", "player": each, "round": number} for each in winners or (None,))
        after = state._replace(rounds=(*state.rounds, row), won=_with_wins(state.won, winners))
        after = self._with_round(after)._replace(over=self._is_decided(after))
        return after, (*events, self.game_over(after)) if after.over else events

    def _with_round(self, state: PadState) -> PadState:
        """The state as a round begins. Whoever joined plays from now on."""
        return state._replace(
            written=(None,) * len(state.points),
            waiting=tuple(state.seats.playing(len(state.points))),
            seats=state.seats._replace(joining=()),
        )

    # --- rounds, teams, and the end ---

    def _winners_of(self, row: Row) -> list[int]:
        """The players who won a round alone, or with their team; nobody wins a tie."""
        sums = by_team(row, self.rules.team_of)
        best = (min if self.rules.low_wins else max)(sums.values(), default=0)
        teams = [team for team, points in sums.items() if points == best]
        return [player for player in range(len(row)) if teams == [self.rules.team_of(player)]]

    def _is_decided(self, state: PadState) -> bool:
        """Whether the game is over after the finished rounds of this state."""
        if len(state.rounds) >= (self.rules.rounds or MOST_ROUNDS):
            return True
        playing = state.seats.playing(len(state.points))
        scores = self.scores(state)
        return self.rules.target > 0 and any(scores[player] >= self.rules.target for player in playing)

    def _decided_anew(self, before: PadState, after: PadState) -> PadState:
        """Ends or reopens the game if points settled by hand decide that. In a running round its end decides."""
        decided = self._is_decided(after)
        if after.begun or decided == self._is_decided(before):
            return after
        return self._with_round(after)._replace(over=decided)

    def may_go_on(self, state: PadState) -> bool:
        return len(state.rounds) < (self.rules.rounds or MOST_ROUNDS)

    def scores(self, state: PadState) -> list[int]:
        """The total of each player, or the rounds that he won; in teams that of his team."""
        by_rounds = self.rules.counts == "rounds"
        own = self.with_adjusted(state, [0] * len(state.points) if by_rounds else list(state.points))
        own = self.rules.of_teams(own)
        return [sum(each) for each in zip(own, state.won, strict=True)] if by_rounds else own

    def totals_by_round(self, state: PadState) -> list[list[int]]:
        nothing = (0,) * len(state.points)
        points = won = nothing
        found: list[list[int]] = [[] for _ in nothing]
        for row in state.rounds:
            points = tuple(has + (_points_in(row, player) or 0) for player, has in enumerate(points))
            won = _with_wins(won, self._winners_of(row))
            scores = self.scores(state._replace(points=points, won=won, adjusted=()))
            for player, score in enumerate(scores):
                found[player].append(score)
        for player, score in enumerate(self.scores(state)):
            found[player][-1:] = [score] if state.rounds else []
        return found

    def merits(self, state: PadState, scores: list[int]) -> Sequence[Any]:
        return [-score for score in scores] if self.rules.low_wins and self.rules.counts == "totals" else scores

    # --- who plays, and when ---

    def with_seats(self, state: PadState, seats: Seats) -> PadState:
        playing = seats.playing(len(state.points))
        waiting = tuple(each for each in playing if each in state.waiting and each not in seats.joining)
        return self._go_on(state._replace(seats=seats, waiting=waiting))[0]

    def with_player(self, state: PadState) -> PadState:
        return state._replace(written=(*state.written, None), points=(*state.points, 0), won=(*state.won, 0))

    def remove_player(self, state: PadState, player: int) -> Outcome[PadState]:
        """The others no longer wait for him; what he wrote stays."""
        seats = state.seats.without_player(len(state.points), player)
        waiting = tuple(each for each in state.waiting if each != player)
        return self._go_on(state._replace(seats=seats, waiting=waiting))

    def pass_turn(self, state: PadState, player: int) -> Outcome[PadState] | None:
        """He writes nothing in this round."""
        if len(state.seats.playing(len(state.points))) == 1:
            return None
        return self._go_on(state._replace(waiting=tuple(each for each in state.waiting if each != player)))

    def turns_done(self, state: PadState) -> int:
        return len(state.rounds)

    @staticmethod
    def concerns(action: Action, other: Action) -> bool:
        """A note concerns another note on its round alone."""
        notes = [each.get("what") == "note" for each in (action, other)]
        if any(notes):
            return all(notes) and action["round"] == other["round"]
        return Game.concerns(action, other)

    # --- what a person settles by hand ---

    def adjust_cell(self, state: PadState, action: Action) -> Outcome[PadState]:
        """Changes what a player wrote in a round; None takes it away. In the running round he has written then."""
        player = action["player"]
        number = read_number(action["round"], "round", 1, max(1, state.shown))
        points = action["points"]
        if points is not None:
            points = read_number(points, "points", self.low, self.high)
        if number <= len(state.rounds):
            row = state.rounds[number - 1]
            row = replace_at(row + (None,) * (len(state.points) - len(row)), player, points)
            rounds = replace_at(state.rounds, number - 1, row)
            more = (points or 0) - (_points_in(state.rounds[number - 1], player) or 0)
            won = (0,) * len(state.won)
            for each in rounds:
                won = _with_wins(won, self._winners_of(each))
            changed = state._replace(rounds=rounds, points=add_at(state.points, player, more), won=won)
            return self._decided_anew(state, changed), NO_EVENTS
        cleared = state._replace(
            written=replace_at(state.written, player, None),
            points=add_at(state.points, player, -(state.written[player] or 0)),
        )
        if points is not None:
            return self._go_on(self._with_points(cleared, player, points))
        playing = state.seats.playing(len(state.points))
        waits = {*state.waiting, *({player} if state.written[player] is not None else ())}
        return cleared._replace(waiting=tuple(each for each in playing if each in waits)), NO_EVENTS

    def adjust_note(self, state: PadState, action: Action) -> Outcome[PadState]:
        number = read_number(action["round"], "round", 1, max(1, state.shown))
        notes = state.notes + ("",) * (number - len(state.notes))
        return state._replace(notes=replace_at(notes, number - 1, read_note(action["text"]))), NO_EVENTS

    def add_points(self, state: PadState, player: int, points: int) -> PadState:
        return self._decided_anew(state, super().add_points(state, player, points))

    def settlement(self, state: PadState, was: Step, running: bool) -> list[Action]:
        """Gives the player the points that he wrote then, in the same round."""
        number, action = len(was.before.rounds) + 1, was.action
        if action["do"] == "throw":
            player, points = was.before.waiting[0], sum(action["dice"])
        elif action["do"] == "write":
            player, points = action["player"], action["points"]
        else:
            return []
        plays = player in state.seats.playing(len(state.points))
        return [_cell_adjustment(player, number, points)] if plays and number <= state.shown else []

    def ending_adjustments(self, state: PadState, was: Step) -> list[Action]:
        """Ends this round: whoever has written nothing in it gets 0."""
        return [_cell_adjustment(player, len(state.rounds) + 1, 0) for player in state.waiting]

    # --- what is shown ---

    def legal(self, state: PadState) -> list[Entry]:
        entries: list[Entry] = [{"do": "throw", "count": self.dice}] if self.dice else []
        bounds = {"low": self.low, "high": self.high}
        entries += [{"do": "write", "player": player, **bounds} for player in self.to_act(state)]
        if state.begun and not self.rules.in_turn:
            entries.append({"do": "close-round"})
        if self._may_finish(state):
            entries.append({"do": "finish"})
        return entries

    def turn(self, state: PadState) -> dict[str, Any]:
        dice = 0 if state.over else self.dice
        return {"player": self.player_in_turn(state), "points": 0, "dice_left": dice, "expects": dice, "throw": []}

    def player(self, state: PadState, player: int) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "rounds": [_points_in(row, player) for row in state.rounds],
            "now": state.written[player],
        }
        if self.rules.teams:
            shown["team"] = self.rules.team_of(player)
        return shown

    def extras(self, state: PadState) -> dict[str, Any]:
        rules = self.rules
        return {
            "pad": {
                "round": max(1, state.shown),
                "rounds": rules.rounds,
                "target": rules.target,
                "wins": "rounds" if rules.counts == "rounds" else "total",
                "low_wins": rules.low_wins,
                "low": self.low,
                "high": self.high,
                "notes": list(state.notes),
                "won": [self._winners_of(row) for row in state.rounds] if rules.counts == "rounds" else [],
            }
        }

    def family_rules(self) -> ShortRules:
        return rules_for_players(self.title, self.rules)


def read_note(value: Any) -> str:
    """A short text of one line, trimmed; refuses control characters."""
    if not isinstance(value, str):
        raise IllegalAction("note-not-text", got=json_type(value))
    if len(value) > LONGEST_NOTE:
        raise IllegalAction("note-too-long", longest=LONGEST_NOTE, got=len(value))
    if any(category(character) in UNPRINTABLE for character in value):
        raise IllegalAction("note-unprintable")
    return value.strip()


def _points_in(row: Row, player: int) -> int | None:
    return row[player] if player < len(row) else None


def _with_wins(won: tuple[int, ...], winners: Sequence[int]) -> tuple[int, ...]:
    return tuple(wins + (player in winners) for player, wins in enumerate(won))


def _cell_adjustment(player: int, number: int, points: int) -> Action:
    return {"do": "adjust", "what": "cell", "player": player, "round": number, "points": points}
