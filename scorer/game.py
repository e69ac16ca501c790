"""What every game is: its data, its options, and a pure function from one immutable state to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from scorer.actions import ADJUST, MOST_POINTS, Action, Entry, Event, check_fields, read_flag, read_number, read_verb
from scorer.options import Option, check_options
from scorer.refusals import IllegalAction
from scorer.texts import Rules, Text, shown

S = TypeVar("S")

Actions = Mapping[str, tuple[str, ...]]

# What a person may settle by hand, with its fields; docs/interfaces.md says what they mean.
Adjustments = Mapping[str, tuple[str, ...]]
ADJUSTMENTS: Adjustments = {"total": ("player", "points"), "game": ("over",)}

NO_EVENTS: tuple[Event, ...] = ()


class Step(NamedTuple):
    """One action of a game as it was played: the states before and after it, and what happened by itself."""

    action: Action
    before: Any
    after: Any
    events: tuple[Event, ...]


class Info(NamedTuple):
    """What a list of games shows of one of them. `players`: fewest and most. `dice`: of a turn's first throw."""

    key: str
    title: str
    dice: int
    players: tuple[int, int]
    options: tuple[Option, ...]
    begins: Text | None = None  # who does, where the rules say so: for where the players are named

    def to_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "dice": self.dice,
            "players": list(self.players),
            "options": [option.to_json() for option in self.options],
            "begins": None if self.begins is None else str(self.begins),
        }


class Game(ABC, Generic[S]):
    """The rules of one game with its options, checked: `S` is the type of its states, a NamedTuple.

    Every option becomes an attribute of the same name. A game's actions are listed in `actions` with their fields;
    each is done by the method `do_<action>`, which takes a state and an action whose fields are all there, and
    gives the next state and the events that happened by themselves, or raises IllegalAction.

    States are values, so a search may go on from any of them:

    >>> import scorer
    >>> game = scorer.game("zilch")
    >>> thrown, _ = game.apply(game.start(players=2), {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
    >>> game.to_act(thrown), [entry["points"] for entry in game.legal(thrown)]
    ([0], [1000, 200, 100])
    """

    key: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int]  # its place in lists, as in docs/rules.md
    dice: ClassVar[int]
    most_players: ClassVar[int] = 12
    options: ClassVar[tuple[Option, ...]] = ()
    actions: ClassVar[Actions]
    adjustments: ClassVar[Adjustments] = ADJUSTMENTS
    settled_by_action: ClassVar[bool] = False  # whether each action is settled for itself, not turn by turn
    begins: ClassVar[Text | None] = None
    shows_turns: ClassVar[bool] = False  # whether players[].turns is shown

    def __init__(self, /, **options: Any) -> None:
        # `self` stands before the slash so that an option from outside may be called so, and is refused like others.
        self.settings = check_options(self.options, options)
        for name, value in self.settings.items():
            setattr(self, name, value)
        self.fields = {verb: frozenset(("do", *fields)) for verb, fields in self.actions.items()}
        self._done_by: dict[str, Callable[[S, Action], tuple[S, tuple[Event, ...]]]] = {
            verb: getattr(self, "do_" + verb.replace("-", "_")) for verb in self.actions
        }

        self._adjusted_by: dict[str, Callable[[S, Action], tuple[S, tuple[Event, ...]]]] = {
            what: getattr(self, "adjust_" + what.replace("-", "_")) for what in self.adjustments
        }

    @property
    def info(self) -> Info:
        return Info(self.key, self.title, self.dice, (1, self.most_players), self.options, self.begins)

    def apply(self, state: S, action: Any) -> tuple[S, tuple[Event, ...]]:
        """The state after an action, and what happened by itself; raises IllegalAction."""
        verb = read_verb(action)
        if verb == ADJUST:
            return self._adjust(state, action)
        do = self._done_by.get(verb)
        if do is None:
            raise IllegalAction("unknown-action", action=shown(verb), known=list(self.actions))
        check_fields(action, verb, self.fields[verb])
        if self.is_over(state):
            raise IllegalAction("game-over")
        return do(state, action)

    def fields_of(self, action: Action) -> frozenset[str]:
        """The fields that belong to an action of the record; it has been done, so it is none but a known one."""
        if action["do"] == ADJUST:
            return frozenset(("do", "what", *self.adjustments[action["what"]]))
        return self.fields[action["do"]]

    # --- what a person settles by hand ---

    def _adjust(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        what = action.get("what")
        fields = self.adjustments.get(what) if isinstance(what, str) else None
        if fields is None:
            raise IllegalAction("unknown-adjustment", what=shown(what), known=list(self.adjustments))
        check_fields(action, ADJUST, frozenset(("do", "what", *fields)))
        if "player" in fields:
            read_number(action["player"], "player", 0, len(self.scores(state)) - 1)
        after, events = self._adjusted_by[str(what)](state, action)
        told = {"event": "adjusted", "what": what, **{name: action[name] for name in fields}}
        over = self.is_over(after) and events[-1:] != (ending := (self.game_over(after),))
        return after, (told, *events, *(ending if over else ()))

    def adjust_total(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        points = read_number(action["points"], "points", -MOST_POINTS, MOST_POINTS)
        player = action["player"]
        return self.with_more(state, player, points - self.scores(state)[player]), NO_EVENTS

    def adjust_game(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Ends the game with the places as they stand, or goes on with one that the rules have ended."""
        over = read_flag(action["over"], "over")
        if over == self.is_over(state):
            raise IllegalAction("game-over" if over else "game-goes-on")
        if not over and not self.may_go_on(state):
            raise IllegalAction("cannot-go-on")
        return self.with_over(state, over), NO_EVENTS

    def check_turn_of(self, state: S, player: int) -> None:
        """Refuses to settle the running turn of a player who has none."""
        if self.is_over(state):
            raise IllegalAction("game-over")
        if player not in self.to_act(state):
            raise IllegalAction("not-this-players-turn", player=player + 1)

    @abstractmethod
    def with_more(self, state: S, player: int, points: int) -> S:
        """The state with `points` more for a player (fewer where negative), whatever they are for."""

    @abstractmethod
    def adjusted_by(self, state: S, player: int) -> int:
        """What `with_more` has given a player in all."""

    @abstractmethod
    def with_over(self, state: S, over: bool) -> S:
        """The state of the same game, over or going on."""

    def may_go_on(self, state: S) -> bool:
        """Whether a game that is over has turns that could be played."""
        return True

    @abstractmethod
    def turns_done(self, state: S) -> int:
        """How many turns have ended: the number of the running one, from 0."""

    @abstractmethod
    def settlement(self, state: S, was: Step, running: bool) -> list[Action]:
        """The adjustments that give a turn what it was worth in another course of the game.

        `was`: the action that ended the turn there, or with `settled_by_action` any action. `running`: whether
        the turn still runs in `state`; else it has ended there by itself.
        """

    def finishing(self, state: S, was: Step) -> list[Action]:
        """The adjustments that end the running turn, which the action `was` ended in another course of the game."""
        return self.settlement(state, was, running=True)

    @abstractmethod
    def start(self, players: int) -> S: ...

    @abstractmethod
    def legal(self, state: S) -> list[Entry]:
        """Every legal next action, with what it would bring; docs/standing.md says how."""

    @abstractmethod
    def is_over(self, state: S) -> bool: ...

    @abstractmethod
    def to_act(self, state: S) -> list[int]: ...

    @abstractmethod
    def scores(self, state: S) -> list[int]: ...

    @abstractmethod
    def turn(self, state: S) -> dict[str, Any]: ...

    @abstractmethod
    def rules(self) -> Rules: ...

    def merits(self, state: S, scores: list[int]) -> Sequence[Any]:
        """What the places are decided by, greatest first: the scores, unless a game says otherwise."""
        return scores

    def places(self, state: S, scores: list[int]) -> list[int]:
        """The place of each player; equal players share one (1, 1, 3)."""
        merits = self.merits(state, scores)
        ranked = sorted(merits, reverse=True)
        return [1 + ranked.index(merit) for merit in merits]

    def winners(self, state: S, places: list[int]) -> list[int]:
        if not self.is_over(state):
            return []
        return [player for player, place in enumerate(places) if place == 1]

    def extras(self, state: S) -> dict[str, Any]:
        """What this game's standing shows besides the keys that all games have."""
        return {}

    def player(self, state: S, player: int) -> dict[str, Any]:
        """What this game's standing shows of one player besides name, score and place."""
        return {}

    def first_throw(self, dice: Any) -> dict[str, Any]:
        """What a first throw of a turn is worth: `events` that it brings by itself, `points` of them, and `legal`.

        `legal` is empty where the throw leaves nothing to do.
        """
        state, events = self.apply(self.start(players=1), {"do": "throw", "dice": dice})
        return {
            "points": sum(event["points"] for event in events if event["event"] in ("set-aside", "scored")),
            "events": [event for event in events if event["event"] not in ("turn", "game-over")],
            "legal": self.legal(state) if self.turn(state)["throw"] else [],
        }

    def game_over(self, state: S) -> Event:
        places = self.places(state, self.scores(state))
        return {"event": "game-over", "winners": self.winners(state, places)}
