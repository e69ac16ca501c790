"""How turns make a game: rounds, totals, rounds won or lives, ties, who begins, and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from scorer.actions import Action, Event, Events
from scorer.definitions.contest_rules import ContestRounds, by_team
from scorer.end_sentences import total_rules, won_rounds_rules
from scorer.game import NO_EVENTS, OfPoints, Outcome, PointsGame, Step, TurnGame, replace
from scorer.seats import Seats
from scorer.sentences import Phrases, phrase
from scorer.texts import T, Text, counted_text
from scorer.tuples import add_at, replace_at

Dice = tuple[int, ...]
Team = Callable[[int], int]  # of a player


def alone(player: int) -> int:
    """The team of a player where everybody plays alone."""
    return player


class Contest(NamedTuple):
    """The running round. `points`: of each player's turns in it, None before them. `among`: the equal ones, who throw
    again; () while everybody throws. `won`: who won each round before, or lost it where lives count; () for nobody.
    `thrown`: the points of each turn, by player and round; `hands`: the dice of each. `fell`: the round in which each
    player fell out, from 1; 0 while he is in.
    """

    points: tuple[int | None, ...] = ()
    thrown: tuple[tuple[tuple[int, ...], ...], ...] = ()
    among: tuple[int, ...] = ()
    won: tuple[tuple[int, ...], ...] = ()
    hands: tuple[tuple[tuple[Dice, ...], ...], ...] = ()
    fell: tuple[int, ...] = ()

    @classmethod
    def first(cls, players: int) -> Contest:
        return cls((None,) * players, ((),) * players, hands=((),) * players, fell=(0,) * players)

    def with_player(self) -> Contest:
        lists = self._replace(thrown=(*self.thrown, ()), hands=(*self.hands, ()), fell=(*self.fell, 0))
        return lists._replace(points=(*self.points, None))

    def with_turn(self, player: int, points: int, dice: Dice = ()) -> Contest:
        return self._replace(
            points=replace_at(self.points, player, self.points_of(player) + points),
            thrown=_with_turn(self.thrown, player, len(self.won), points),
            hands=_with_turn(self.hands, player, len(self.won), dice),
        )

    def again(self, among: Sequence[int]) -> Contest:
        """The same round, thrown again by some."""
        return self._replace(points=(None,) * len(self.points), among=tuple(among))

    def next_round(self, won: Sequence[int]) -> Contest:
        return self.again(())._replace(won=(*self.won, tuple(won)))

    def points_of(self, player: int, team: Team = alone) -> int:
        """What a player's team has in the running round."""
        return by_team(self.points, team).get(team(player), 0)

    def playing(self, seats: Seats) -> list[int]:
        """Who may still win the round, in their order."""
        order = [each for each in seats.playing(len(self.points)) if not self.fell[each]]
        return [each for each in order if each not in seats.joining and (not self.among or each in self.among)]

    def waiting(self, seats: Seats, target: int = 0, team: Team = alone) -> list[int]:
        """Who has yet to throw. `target`: points that win the round; 0: everybody has one turn in it."""
        playing = self.playing(seats)
        if target:
            return [] if any(self.points_of(each, team) >= target for each in playing) else playing
        return [each for each in playing if self.points[each] is None]

    def best(self, seats: Seats, low_wins: bool, team: Team = alone) -> list[int]:
        """Whose turn was the best so far, or all of whose team."""
        playing, sums = self.playing(seats), by_team(self.points, team)
        points = {team(each): sums[team(each)] for each in playing if self.points[each] is not None}
        best = (min if low_wins else max)(points.values(), default=0)
        return [each for each in playing if points.get(team(each)) == best]


def _with_turn(lists: tuple[Any, ...], player: int, number: int, value: Any) -> tuple[Any, ...]:
    """The lists by player and round with one value more in the round of this number, from 0."""
    rounds = lists[player] + ((),) * (number + 1 - len(lists[player]))
    return replace_at(lists, player, (*rounds[:-1], (*rounds[-1], value)))


class OfContest(OfPoints, Protocol):
    """`first`: who began the round."""

    @property
    def contest(self) -> Contest: ...

    @property
    def first(self) -> int: ...


C = TypeVar("C", bound=OfContest)

_TIES = {
    "throw-again": T("Equal ones throw again."),
    "nobody": T("Equal ones change nothing."),
}
NEVER = 1_000_000  # a later round than any


class ContestGame(PointsGame[C]):
    """A game whose turns make it by the rules of `[contest]`. A turn ends with its worth: `end_turn`."""

    events: Mapping[str, Phrases] = {
        "round-won": phrase("{name} wins the round."),
        "life-lost": phrase("{name} loses a life."),
        "out": phrase("{name} is out."),
        "tied": phrase("Equal ones throw again."),
    }
    ties: str = "throw-again"
    begins: str = "first"
    lives: int = 0

    rules: ContestRounds

    def team_of(self, player: int) -> int:
        return alone(player)

    def _is_one_team(self, players: Sequence[int]) -> bool:
        return len({self.team_of(each) for each in players}) == 1

    def new_round(self, state: C) -> C:
        """The state before the first turn of a round, or of those who throw again."""
        return state

    def waiting(self, state: C) -> list[int]:
        """Who has yet to play in the running round."""
        return state.contest.waiting(state.seats)

    @property
    def knocks_out(self) -> bool:
        """Whether players fall out: without lives, or at the target where the last one left wins."""
        return self.lives > 0 or self.rules.last_left_wins

    def _is_out(self, score: int) -> bool:
        return score <= 0 if self.lives else score >= self.rules.target

    # --- the end of a turn ---

    def end_turn(self, state: C, worth: int, events: Events, dice: Dice = ()) -> Outcome[C]:
        """Ends the turn with this worth, after these events; then the next one begins, or the game ends."""
        rules, player = self.rules, state.player
        added = worth if rules.counts == "totals" else 0
        ended = replace(
            state,
            contest=state.contest.with_turn(player, worth, dice),
            scores=add_at(state.scores, player, added),
            turns=state.turns + 1,
            ended=(player, added),
        )
        turn = {"event": "turn", "player": player, "points": added}
        if rules.counts != "totals":
            turn["round_points"] = worth
        elif self.knocks_out and not ended.contest.fell[player] and self._is_out(ended.scores[player]):
            ended, out = self._knock_out(ended, player)
            events = (*events, out)
        after, more = self._go_on(ended)
        if rules.counts == "totals" and rules.end == "at-once" and self.at_target(ended):
            over = replace(after, over=True)  # reopened, it goes on with the next player
            return over, (*events, turn, self.game_over(over))
        return after, (*events, turn, *more)

    @staticmethod
    def _knock_out(state: C, player: int) -> tuple[C, Event]:
        """The state with a player out in the running round, and the event that says so."""
        contest = state.contest
        fell = replace_at(contest.fell, player, len(contest.won) + 1)
        return replace(state, contest=contest._replace(fell=fell)), {"event": "out", "player": player}

    def _go_on(self, state: C) -> Outcome[C]:
        """Starts the next turn of the round; or decides it, and starts the next or ends the game."""
        rules, contest, seats = self.rules, state.contest, state.seats
        playing, waiting = contest.playing(seats), self.waiting(state)
        if waiting and not (contest.among and self._is_one_team(playing)):
            return self.new_turn(state, self._next_of(state, waiting, state.player), seats), NO_EVENTS
        if rules.counts == "totals":
            return self._next_round(state, ())
        found = playing if waiting else contest.best(seats, rules.low_wins != (self.lives > 0), self.team_of)
        decided = self._is_one_team(found) or not found  # all who play wait for the next round
        if not decided and self.ties == "throw-again":
            begun = self.new_round(replace(state, contest=contest.again(found)))
            first = self._next_of(state, found, state.first, itself=True)
            return self.new_turn(begun, first, seats), ({"event": "tied", "players": found},)
        return self._next_round(state, found if decided else ())

    def _next_round(self, state: C, found: Sequence[int]) -> Outcome[C]:
        """`found`: who has won the round, or lost it where lives count."""
        seats, events = state.seats._replace(joining=()), NO_EVENTS
        change, what = (-1, "life-lost") if self.lives else (1, "round-won")
        first = self._beginner(state, found)
        for player in found:
            state = replace(state, scores=add_at(state.scores, player, change))
            events += ({"event": what, "player": player},)
            if state.contest.points[player] is not None:  # else his team won before he threw
                events += ({"event": "turn", "player": player, "points": change, "instead_of": 0},)
            if change < 0 and self._is_out(state.scores[player]):
                state, out = self._knock_out(state, player)
                events += (out,)
        contest = state.contest.next_round(found)
        playing = contest.playing(seats)
        after = replace(state, contest=contest, seats=seats)
        begins = self._next_of(after, playing, first, itself=True) if playing else state.player
        after = self.new_turn(self.new_round(replace(after, first=begins)), begins, seats)
        if state.ended[0] in found:
            after = replace(after, ended=(state.ended[0], change))
        after = replace(after, over=self._is_decided(after))
        return after, (*events, self.game_over(after)) if after.over else events

    def _beginner(self, state: C, found: Sequence[int]) -> int:
        """Who begins the next round, if he still plays; else the next after him does."""
        rules, seats = self.rules, state.seats
        order = list(seats.playing(len(state.scores)))
        if self.begins == "first":
            return order[0]
        if self.begins == "next":
            return order[(order.index(state.first) + 1) % len(order)] if state.first in order else order[0]
        low = rules.low_wins == (self.begins == "winner")
        ends = found if (self.begins == "loser") == (self.lives > 0) else state.contest.best(seats, low)
        return ends[0] if len(ends) == 1 else state.first

    @staticmethod
    def _next_of(state: C, those: Sequence[int], player: int, itself: bool = False) -> int:
        """The next of those in the order after a player; `itself`: or he himself."""
        order = list(state.seats.playing(len(state.scores)))
        at = order.index(player) + (not itself) if player in order else 0
        return next(each for each in (*order[at:], *order) if each in those)

    def _is_decided(self, state: C) -> bool:
        """Whether the game is over between two rounds."""
        if not self.may_go_on(state) or (not self.rules.last_left_wins and self.at_target(state)):
            return True
        several = len(state.seats.playing(len(state.scores))) > 1
        return self.knocks_out and several and len(state.contest.playing(state.seats)) == 1

    def may_go_on(self, state: C) -> bool:
        rounds = self.rules.rounds
        in_it = any(not state.contest.fell[each] for each in state.seats.playing(len(state.scores)))
        return in_it and not (rounds and len(state.contest.won) >= rounds)

    # --- who plays, and when ---

    def with_player(self, state: C) -> C:
        return replace(state, scores=(*state.scores, self.lives), contest=state.contest.with_player())

    def pass_turn(self, state: C, player: int) -> Outcome[C] | None:
        """He still has his turn of this round, once the others have had theirs."""
        waiting = [each for each in self.waiting(state) if each != player]
        if not waiting:
            return None
        passed = replace(state, turns=state.turns + bool(state.throw))
        return self.new_turn(passed, self._next_of(state, waiting, state.player), state.seats), NO_EVENTS

    def remove_player(self, state: C, player: int) -> Outcome[C]:
        """The round is decided without him if nobody else has to throw."""
        left, events = super().remove_player(state, player)
        return self._settle_round(left, events)

    def _settle_round(self, state: C, events: Events = NO_EVENTS) -> Outcome[C]:
        """The state after players have left, or lives have changed, in the middle of a round."""
        playing = state.contest.playing(state.seats)
        # Lives end the game with the last loss, a target with the round: all have had as many turns then.
        ends = self.lives > 0 or all(points is None for points in state.contest.points)
        last = self.knocks_out and ends and len(playing) == 1 and self._is_decided(state)
        if state.over or last or not self.may_go_on(state):
            return replace(state, over=True), events
        if state.player in playing and not (state.contest.among and self._is_one_team(playing)):
            return state, events
        after, more = self._go_on(state)
        return after, (*events, *more)

    # --- what a person settles by hand ---

    def settle_turn(self, state: C, points: int) -> Outcome[C]:
        return self.end_turn(state, points, NO_EVENTS)

    def settlement(self, state: C, was: Step, running: bool) -> list[Action]:
        """The worth of a turn that ended by itself is that of its dice."""
        turn = next(event for event in was.events if event["event"] == "turn")
        points = turn.get("round_points", turn["points"])
        return [{"do": "adjust", "what": "turn", "player": turn["player"], "points": points}] if running else []

    def handed_over(self, state: C, before: C) -> list[Action] | None:
        """What gives the turn to whoever had it in `before`, after a correction; None if nothing can.

        Others may begin a round then; but it must be the same round.
        """
        now, then = state.contest, before.contest
        if self.rules.counts != "totals" and (len(now.won), now.among) != (len(then.won), then.among):
            return None
        if state.player == before.player:
            return []
        if before.player not in self.waiting(state):
            return None
        return [{"do": "adjust", "what": "turn-skipped", "player": state.player}]

    def add_points(self, state: C, player: int, points: int) -> C:
        """Also lives: whoever has none is out, and whoever has one again is in; so with a target that knocks out."""
        had = bool(self.at_target(state))
        settled = TurnGame.add_points(self, replace(state, scores=add_at(state.scores, player, points)), player, points)
        if self.knocks_out:
            contest = settled.contest
            fell = (contest.fell[player] or len(contest.won) + 1) if self._is_out(settled.scores[player]) else 0
            settled = replace(settled, contest=contest._replace(fell=replace_at(contest.fell, player, fell)))
            by_hand = state.over and not self._is_decided(state)
            settled = replace(settled, over=by_hand or (state.over and self._is_decided(settled)))
            return settled if settled.over else self._settle_round(settled)[0]
        reached = bool(self.at_target(settled))
        if had == reached:
            return settled
        ends = reached and self.rules.end == "at-once"
        return replace(settled, over=ends or (reached and settled.over) or not self.may_go_on(settled))

    # --- what is shown ---

    def merits(self, state: C, scores: list[int]) -> Sequence[Any]:
        merits = [-score for score in scores] if self.rules.low_wins and self.rules.counts == "totals" else scores
        if self.knocks_out:
            return [(fell or NEVER, merit) for fell, merit in zip(state.contest.fell, merits, strict=True)]
        return merits

    def player(self, state: C, player: int) -> dict[str, Any]:
        """`round_points`: by round, of each turn that he had in it. `knocked_out`: the round in which he fell, or 0."""
        shown: dict[str, Any] = {}
        if self.rules.counts != "totals":
            shown["round_points"] = [list(map(self.shown_points, each)) for each in state.contest.thrown[player]]
        if self.knocks_out:
            shown["knocked_out"] = state.contest.fell[player]
        return shown

    def shown_points(self, worth: int) -> int:
        """The worth of a turn as people say it."""
        return worth

    def extras(self, state: C) -> dict[str, Any]:
        """`rounds_won`: who won each round that was decided, or `rounds_lost`: who lost a life in it; `tied`: who
        throws again. `round`, and `rounds` if their number is fixed.
        """
        rules, contest = self.rules, state.contest
        found: dict[str, Any] = {"tied": list(contest.among)}
        if rules.counts != "totals":
            found["rounds_lost" if self.lives else "rounds_won"] = [list(each) for each in contest.won]
        if self.lives:
            found["lives"] = self.lives
        if rules.rounds > 1:
            found |= {"round": min(len(contest.won) + 1, rules.rounds), "rounds": rules.rounds}
        return found

    # --- the rules for players ---

    def goal_rules(self) -> list[Text]:
        rules, wins = self.rules, self.rules.counts == "rounds" and not self.lives
        goal: list[Text] = self.winning_rules() if wins else []
        if self.lives:
            goal.append(counted_text("Everybody has {count} life.", "Everybody has {count} lives.", self.lives))
            goal += [T("The worst turn of a round loses one, and the last player with lives wins."), _TIES[self.ties]]
        if rules.rounds:
            goal.append(counted_text("There is {count} round.", "There are {count} rounds.", rules.rounds))
        if wins:
            return goal + won_rounds_rules(rules.target, rules.rounds)
        end = "last-left" if rules.last_left_wins else rules.end
        return goal + (total_rules(rules.target, end, rules.low_wins, rules.rounds) if not self.lives else [])

    def winning_rules(self) -> list[Text]:
        """What wins a round."""
        low = self.rules.low_wins
        best = T("The lowest turn of a round wins it.") if low else T("The best turn of a round wins it.")
        return [best, _TIES[self.ties]]
