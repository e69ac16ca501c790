"""A game in progress: its actions, its standing, and what may be done next."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scorer.actions import ADJUST, Action, Entry, clean, copy_json
from scorer.correcting import OF_A_TURN, Settlement, follow
from scorer.game import NO_EVENTS, SEATING, Game, Step
from scorer.records import FORMAT, read_record
from scorer.refusals import IllegalAction, NothingToUndo, PlayerError
from scorer.seats import Seats, read_name
from scorer.texts import printable


class Legal(Collection[Entry]):
    """Every legal next action: iterable, countable, and `action in legal` works for any value.

    A throw is listed once with its `count` of dice, a keep once with the dice that it may choose `from`, points to
    write once with their bounds, `low` and `high`. `in` accepts every throw of that many dice, every keep of some of
    those dice, and all such points.

    >>> import scorer
    >>> table = scorer.Table(scorer.game("farkle"), ["Ada"])
    >>> table.do({"do": "throw", "dice": [1, 5, 2, 3, 3, 4]})
    >>> [(entry["dice"], entry["points"]) for entry in table.legal]
    [([1, 5], 150), ([1], 100), ([5], 50)]
    >>> {"do": "bank"} in table.legal
    False
    """

    def __init__(self, game: Game[Any], state: Any) -> None:
        self._game = game
        self._state = state
        self._entries: list[Entry] | None = None

    def entries(self) -> list[Entry]:
        if self._entries is None:
            self._entries = [] if self._state.over else self._game.legal(self._state)
        return self._entries

    @property
    def ready(self) -> list[Entry]:
        """The entries that `do` accepts as they are."""
        return [entry for entry in self.entries() if not _needs_dice(entry) and not _needs_points(entry)]

    @property
    def needing_dice(self) -> list[Entry]:
        """Throws and keeps: `do` accepts them once they have `dice`."""
        return [entry for entry in self.entries() if _needs_dice(entry)]

    @property
    def needing_points(self) -> list[Entry]:
        """What is written by hand: `do` accepts it once it has `points`, from `low` to `high`."""
        return [entry for entry in self.entries() if _needs_points(entry)]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries())

    def __len__(self) -> int:
        return len(self.entries())

    def __contains__(self, action: object) -> bool:
        try:
            self._game.apply(self._state, action)
        except IllegalAction:
            # An action as `legal` lists it, without its dice or points.
            needs = isinstance(action, Mapping) and (_needs_dice(action) or _needs_points(action))
            return needs and action in self.entries()
        return True


def _needs_dice(entry: Mapping[str, Any]) -> bool:
    return "count" in entry or "from" in entry


def _needs_points(entry: Mapping[str, Any]) -> bool:
    return "low" in entry and "points" not in entry


class Correction(NamedTuple):
    """The corrected game: the `table` that would result, and the places that had to be `settled` by hand."""

    table: Table
    settled: list[Settlement]


class Table:
    """A game with its players: the `state`, an immutable value that only this class sets, and the actions to it.

    Raises PlayerError unless the game takes that many players and their names differ and have 1..40 characters.

    >>> import scorer
    >>> table = scorer.Table(scorer.game("ones-and-fives", target=5000), ["Ada", "Bob"])
    >>> table.do({"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    >>> table.do({"do": "set-aside", "dice": [1, 1]})
    >>> table
    <Table of ones-and-fives, 2 actions: Ada 0, Bob 0; to act: Ada>
    >>> table.undo()
    {'do': 'set-aside', 'dice': [1, 1]}
    """

    def __init__(self, game: Game[Any], players: Sequence[str]) -> None:
        self.game = game
        self._began = _check_players(players, game.most_players)
        self.state: Any = game.with_seats(game.start(len(self._began)), Seats(self._began))
        self._events = NO_EVENTS
        self._steps: list[Step] = []
        self._turns: list[tuple[int, ...]] = []
        self._adjusted: list[tuple[dict[str, Any], ...]] = []
        self._fit()

    @property
    def players(self) -> tuple[str, ...]:
        """The present names of all players, by number; players who have left are included."""
        names: tuple[str, ...] = self.state.seats.names
        return names

    @property
    def legal(self) -> Legal:
        return Legal(self.game, self.state)

    @property
    def version(self) -> int:
        """How many actions have been done."""
        return len(self._steps)

    @property
    def over(self) -> bool:
        over: bool = self.state.over
        return over

    @property
    def ended_early(self) -> bool:
        """Whether people ended the game by hand before its rules did."""
        ends = [step["over"] for step in self.actions if (step["do"], step.get("what")) == ("adjust", "game")]
        return self.over and bool(ends) and ends[-1]

    @property
    def scores(self) -> list[int]:
        """The banked total of each player, in the order of `players`."""
        return list(self.game.scores(self.state))

    @property
    def winners(self) -> list[int]:
        """The players of place 1, by number from 0; none while the game runs."""
        return list(self.game.winners(self.state, self.game.places(self.state, self.scores)))

    @property
    def to_act(self) -> list[int]:
        """The players who must act next, by number: several if all write at once, none when the game is over."""
        return list(self.game.to_act(self.state))

    @property
    def turn(self) -> dict[str, Any]:
        """`turn` of `standing` alone."""
        return self.game.turn(self.state)

    @property
    def steps(self) -> Sequence[Step]:
        """The actions done so far, each with the states around it and the events that followed. Do not change them."""
        return self._steps

    def copy(self) -> Table:
        """An independent copy, to try actions on.

        >>> import scorer
        >>> table = scorer.Table(scorer.game("sequence"), ["Ada"])
        >>> trial = table.copy()
        >>> trial.do({"do": "throw", "dice": [1, 2, 3, 4, 6, 6]})
        >>> trial.scores, table.scores
        ([15], [0])
        """
        other = copy.copy(self)
        other._steps = list(self._steps)
        other._turns = list(self._turns)
        other._adjusted = list(self._adjusted)
        return other

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {score}" for name, score in zip(self.players, self.scores, strict=True))
        acting = ", ".join(self.players[number] for number in self.to_act)
        end = "over" if self.over else f"to act: {acting}"
        return f"<Table of {self.game.key}, {self.version} actions: {scores}; {end}>"

    @property
    def actions(self) -> list[dict[str, Any]]:
        """The actions done so far, as in the record. Do not change them."""
        return [step.action for step in self._steps]

    def do(self, action: Action) -> None:
        """Does one action. Raises IllegalAction and changes nothing if the rules do not allow it."""
        state, events = self.game.apply(self.state, action)
        cleaned = clean(action, self.game.fields_of(action))
        self._steps.append(Step(cleaned, self.state, state, events))
        self.state = state
        self._events = events
        self._fit()
        for event in events:
            if event["event"] == "turn":
                turns = self._turns[event["player"]]
                self._turns[event["player"]] = (*(turns[:-1] if "instead_of" in event else turns), event["points"])
        for player in _marked_players(cleaned):
            self._adjusted[player] += (self._mark(cleaned, player),)

    def undo(self) -> dict[str, Any]:
        """Takes back the last action exactly and returns it. Raises NothingToUndo if there is none."""
        if not self._steps:
            raise NothingToUndo("nothing-to-undo")
        for event in reversed(self._events):
            if event["event"] == "turn":
                before = (event["instead_of"],) if "instead_of" in event else ()
                self._turns[event["player"]] = self._turns[event["player"]][:-1] + before
        step = self._steps.pop()
        for player in _marked_players(step.action):
            self._adjusted[player] = self._adjusted[player][:-1]
        self.state = step.before
        self._events = self._steps[-1].events if self._steps else NO_EVENTS
        self._fit()
        return step.action

    def _fit(self) -> None:
        """Makes as many lists of turns and marks as there are players."""
        count = len(self.state.seats.names)
        for lists in (self._turns, self._adjusted):
            lists += [()] * (count - len(lists))
            del lists[count:]

    def correct(
        self, index: int, action: Action, drop_tail: bool = False, settled: Sequence[Mapping[str, Any]] = ()
    ) -> int:
        """Replaces the action number `index` (from 1) by `action`, and replays all later actions.

        `settled`: what gives way to adjustments, as `Settled.to_json` has it, each after the one before. Where a later
        action no longer holds, IllegalAction is raised with its `index` in the corrected record, and the table stays
        as it was; with `drop_tail` that action and all after it are dropped instead. An `action` that is illegal
        itself is always refused. Returns how many actions were dropped from the end.
        """
        self._check_index(index)
        actions: list[Action] = list(self.actions)
        for each in reversed(settled):
            actions[each["at"] - 1 : each["at"] - 1 + each["drop"]] = each["actions"]
        actions[index - 1] = action
        corrected = self._before_action(min([index, *(each["at"] for each in settled)]))
        try:
            corrected._replay(actions[corrected.version :])
        except IllegalAction:
            if not drop_tail or corrected.version < index:
                raise
        vars(self).update(vars(corrected))
        return len(actions) - corrected.version

    def proposed(self, index: int, action: Action, said: Sequence[int | None] = ()) -> Correction:
        """Previews a correction of the action number `index` (from 1) that keeps what later turns were worth.

        If a later action is no longer legal, an adjustment replaces the rest of that turn. It gives the turn its former
        worth, or the points in `said`: one value for each place in order, None for the former worth. This table does
        not change. Raises IllegalAction if `action`, or an adjustment with the points in `said`, is illegal.
        """
        self._check_index(index)
        table = self._before_action(index)
        table._replay([action])
        return Correction(table, follow(table, self._steps, index, said))

    def legal_before(self, index: int) -> Legal:
        """What was legal just before the action number `index` (from 1)."""
        self._check_index(index)
        return Legal(self.game, self._steps[index - 1].before)

    def standing(self) -> dict[str, Any]:
        """The whole standing, ready for JSON: docs/standing.md."""
        game, state = self.game, self.state
        scores = game.scores(state)
        places = game.places(state, scores)
        shows_turns = game.shows_turns
        seats: Seats = state.seats
        order = list(seats.playing(len(scores)))
        players = []
        for number, name in enumerate(seats.names):
            player = {"name": name, "score": scores[number], "place": places[number]}
            if number not in order:
                player["out"] = True
            if number in seats.joining:
                player["joining"] = True
            if shows_turns:
                player["turns"] = list(self._turns[number])
            player.update(game.player(state, number))
            if self._adjusted[number]:
                player["adjusted"] = [{**mark} for mark in self._adjusted[number]]
                player["adjusted_by"] = game.adjusted_by(state, number)
            players.append(player)
        return {
            "game": game.key,
            "options": copy_json(game.settings),
            "version": len(self._steps),
            "over": state.over,
            "winners": game.winners(state, places),
            "to_act": game.to_act(state),
            "players": players,
            "order": order,
            "turn": game.turn(state),
            "legal": self.legal.entries(),
            "events": [copy_json(event) for event in self._events],
            **game.extras(state),
        }

    def record(self) -> dict[str, Any]:
        """The game's record, ready for JSON: every option, every action, and the file of a game that is not ours."""
        return {
            "format": FORMAT,
            "game": self.game.key,
            **({} if self.game.own_file is None else {"file": self.game.own_file}),
            "options": copy_json(self.game.settings),
            "players": list(self._began),
            "actions": [clean(action, self.game.fields_of(action)) for action in self.actions],
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Table:
        """Replays a record. Raises RecordError if it has a wrong form, OptionError, PlayerError, and IllegalAction with
        the `index` of the illegal action, from 1.
        """
        game, players, actions = read_record(record)
        table = cls(game, players)
        table._replay(actions)
        return table

    def _before_action(self, index: int) -> Table:
        """A copy as it was before the action of this number."""
        table = self.copy()
        for _ in range(self.version - index + 1):
            table.undo()
        return table

    def _replay(self, actions: Iterable[Action]) -> None:
        """Does all actions. Raises IllegalAction with the `index` of the first illegal one."""
        for number, action in enumerate(actions, start=self.version + 1):
            try:
                self.do(action)
            except IllegalAction as refusal:
                refusal.index = number
                raise

    def _mark(self, action: Mapping[str, Any], player: int) -> dict[str, Any]:
        """What a standing says, for a player, of an adjustment that has just been done."""
        mark = {"action": self.version, **{name: action[name] for name in action if name not in ("do", "player")}}
        if self.game.shows_turns and action["what"] in OF_A_TURN and player == action["player"]:
            mark["turn"] = len(self._turns[player]) - 1
        return mark

    def _check_index(self, index: Any) -> None:
        if type(index) is not int or not 1 <= index <= self.version:
            raise NothingToUndo("no-such-action", index=printable(index), count=self.version)


def _marked_players(action: Mapping[str, Any]) -> list[int]:
    """The players whose sheets mark an action: who it gave points by hand, or took them from."""
    if action["do"] != ADJUST or action["what"] in SEATING:
        return []
    return [action[name] for name in ("player", "to") if name in action]


def _check_players(players: Sequence[str], most: int) -> tuple[str, ...]:
    if isinstance(players, str) or not all(isinstance(name, str) for name in players):
        raise PlayerError("names-not-text")
    if not 1 <= len(players) <= most:
        raise PlayerError("player-count", most=most, got=len(players))
    names: list[str] = []
    for number, name in enumerate(players, start=1):
        names.append(read_name(name, number, names, PlayerError))
    return tuple(names)
