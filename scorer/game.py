"""The base class of all games: their data, their options, and a pure function from one state to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from scorer.actions import (
    ADJUST,
    MOST_BY_HAND,
    MOST_POINTS,
    Action,
    Entry,
    Event,
    Events,
    check_fields,
    read_flag,
    read_number,
    read_verb,
)
from scorer.options import Option, check_options
from scorer.refusals import IllegalAction, Refusal
from scorer.seats import MOST_SEATS, Seats, read_name, read_order
from scorer.sentences import Phrases, Titles, Verb, phrase, sentence
from scorer.texts import Section, ShortRules, T, Text, printable
from scorer.tuples import add_at, replace_at


class InProgress(Protocol):
    """The fields of every game's state, a NamedTuple. `adjusted`: points added to the totals by hand, () for none."""

    @property
    def seats(self) -> Seats: ...

    @property
    def over(self) -> bool: ...

    @property
    def adjusted(self) -> tuple[int, ...]: ...

    def _replace(self, *args: Any, **values: Any) -> Any: ...


S = TypeVar("S", bound=InProgress)


def replace(state: S, **values: Any) -> S:
    """A copy of the state with other values."""
    found: S = state._replace(**values)
    return found


Actions = Mapping[str, Verb]

# What a person may settle by hand. docs/interfaces.md explains the fields.
Adjustments = Mapping[str, Verb]
# Adjustments of who plays, and when. They settle no points.
SEATING: Adjustments = {
    "player-renamed": Verb(("player", "name"), phrase("is called {name} from now on")),
    "player-added": Verb(("name",), phrase("{name} joined")),
    "player-removed": Verb(("player",), phrase("no longer plays")),
    "turn-skipped": Verb(("player",), phrase("the turn was skipped")),
    "order": Verb(("players",), phrase("the order of the players was changed")),
}
ADJUSTMENTS: Adjustments = {
    "total": Verb(("player", "points"), phrase("total set to {points} by hand")),
    "game": Verb(
        ("over",),
        phrase("the game was ended early", over=True) + phrase("the game goes on"),
        stays=phrase("The game goes on, though it would have been over by then."),
    ),
    **SEATING,
}

NO_EVENTS: Events = ()
Outcome = tuple[S, Events]  # the state after an action, and the events that followed by themselves


class Step(NamedTuple):
    """One action that was done: the states before and after it, and the events that followed by themselves."""

    action: dict[str, Any]
    before: Any
    after: Any
    events: Events


class Info(NamedTuple):
    """One game in a list of games.

    `summary`: what is played, in one short sentence. `players`: fewest and most. `dice`: the number in a turn's first
    throw.
    """

    key: str
    title: str
    summary: str
    dice: int
    players: tuple[int, int]
    options: tuple[Option, ...]
    begins: Text | None = None  # who begins, if the rules say so; shown where players enter their names

    def in_words(self) -> str:
        """The game in one line for a terminal: its key, title, dice, players and options."""
        options = " ".join(f"{option.name}={option.default_text}" for option in self.options)
        dice = "1 die" if self.dice == 1 else f"{self.dice} dice"
        low, high = self.players
        return f"{self.key:18} {self.title}: {dice}, {low}-{high} players" + (f"; {options}" if options else "")

    def to_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "summary": self.summary,
            "dice": self.dice,
            "players": list(self.players),
            "options": [option.to_json() for option in self.options],
            "begins": None if self.begins is None else str(self.begins),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class GameType:
    """One game with its options, which makes the games that are played: `kind(target=5000)`.

    `summary`: what is played, in one sentence of at most 60 characters. `order`: its place in lists, as in
    docs/rules.md. `family`: how it is played. `rules_with`: its rules for a value of each option. `begins`: who
    begins, if the rules say so. `own_file`: the text of its file, which its records carry; None for games that come
    along.
    """

    key: str
    title: str
    summary: str
    order: int
    family: type[Game[Any]]
    rules_with: Callable[[Mapping[str, Any]], Any]
    options: tuple[Option, ...] = ()
    most_players: int = 12
    begins: Text | None = None
    own_file: str | None = None

    def __call__(self, /, **options: Any) -> Game[Any]:
        """The game with these options. Raises OptionError."""
        # The slash lets an unknown option named "self" reach the check.
        settings = check_options(self.options, options)
        rules = self.rules_with(settings)
        return self.family_of(rules)(self, rules, settings)

    def family_of(self, rules: Any) -> type[Game[Any]]:
        """How the game is played with these rules of its family."""
        return self.family

    @property
    def paragraphs(self) -> tuple[Text, ...]:
        """More about its rules than its family says, for people."""
        return ()

    @property
    def wordings(self) -> Mapping[str, Mapping[str, str]]:
        """Its own texts if people made it: by their English form, then by language."""
        return {}


class Game(ABC, Generic[S]):
    """One game as it is played: `S` is the type of its states, a NamedTuple.

    `rules`: a frozen value, of a type for each family. `settings`: the value of each option, as records have it; only
    the kind of the game knows what they do to the rules. `actions` declares the fields and sentences of each action.
    The method `do_<action>` takes a state and an action with all its fields. It returns the next state and the events
    that followed by themselves, or raises IllegalAction.

    States are values, so a search may continue from any of them:

    >>> import scorer
    >>> game = scorer.game("zilch")
    >>> thrown, _ = game.apply(game.start(players=2), {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]})
    >>> game.to_act(thrown), [entry["points"] for entry in game.legal(thrown)]
    ([0], [1000, 200, 100])
    """

    dice: int  # of a turn's first throw
    events: Mapping[str, Phrases] = {}  # the sentences of events that only this game has
    actions: Actions
    adjustments: Adjustments = ADJUSTMENTS
    settled_by_action: ClassVar[bool] = False  # whether corrections settle each action, not each turn
    shows_turns: ClassVar[bool] = False  # whether players[].turns is shown
    counted_by_players: ClassVar[bool] = False  # whether they write their own points
    plays_rounds: ClassVar[bool] = False  # whether a turn is a round in which all act
    may_be_negative: frozenset[str] = frozenset()  # of what a person settles by hand: `points_by_hand`

    def __init__(self, kind: GameType, rules: Any, settings: Mapping[str, Any]) -> None:
        self.kind, self.rules, self.settings = kind, rules, settings
        self.key, self.title, self.options = kind.key, kind.title, kind.options
        self.most_players, self.own_file = kind.most_players, kind.own_file
        self.fields = {verb: frozenset(("do", *each.fields)) for verb, each in self.actions.items()}
        self._methods: dict[str, Callable[[S, Action], Outcome[S]]] = {
            name: getattr(self, name.replace("-", "_"))
            for name in (*(f"do_{verb}" for verb in self.actions), *(f"adjust_{what}" for what in self.adjustments))
        }

    @property
    def info(self) -> Info:
        kind, players = self.kind, (1, self.most_players)
        return Info(self.key, self.title, kind.summary, self.dice, players, self.options, kind.begins)

    def apply(self, state: S, action: Any) -> Outcome[S]:
        """The state after an action, and the events that followed by themselves. Raises IllegalAction."""
        try:
            verb = read_verb(action)
            if verb == ADJUST:
                return self._adjust(state, action)
            do = self._methods.get(f"do_{verb}")
            if do is None:
                raise IllegalAction("unknown-action", action=printable(verb), known=list(self.actions))
            check_fields(action, verb, self.fields[verb])
            if state.over:
                raise IllegalAction("game-over")
            return do(state, action)
        except Refusal as refusal:
            refusal.wordings = self.kind.wordings
            raise

    def fields_of(self, action: Action) -> frozenset[str]:
        """The fields of an action of the record, whose `do` and `what` are known."""
        if action["do"] == ADJUST:
            return frozenset(("do", "what", *self.adjustments[action["what"]].fields))
        return self.fields[action["do"]]

    def field_titles(self) -> Titles:
        """The titles of the values of its actions' fields."""
        return {}

    def choice(self, action: Action) -> Text:
        """The words for an action as a choice: `keep 5 5`, `write Full house`."""
        return sentence(self.actions[action["do"]].choice, action, self.field_titles())

    def step(self, action: Action) -> Text:
        """The words for an action that was done: `kept 5 5`, `wrote Full house`."""
        return sentence(self.actions[action["do"]].done, action, self.field_titles())

    def sentences(self) -> dict[str, Any]:
        """The sentences of all actions, adjustments and events, for web/static/shared/sentences.js."""
        return {
            "actions": {name: verb.to_json() for name, verb in self.actions.items()},
            "adjustments": {name: verb.to_json() for name, verb in self.adjustments.items()},
            "events": {name: Verb((), phrases).to_json() for name, phrases in self.events.items()},
            "titles": {
                field: {value: title.to_json() for value, title in titles.items()}
                for field, titles in self.field_titles().items()
            },
        }

    # --- what a person settles by hand ---

    def _adjust(self, state: S, action: Action) -> Outcome[S]:
        what = action.get("what")
        adjustment = self.adjustments.get(what) if isinstance(what, str) else None
        if adjustment is None:
            raise IllegalAction("unknown-adjustment", what=printable(what), known=list(self.adjustments))
        fields = adjustment.fields
        check_fields(action, ADJUST, frozenset(("do", "what", *fields)))
        if "player" in fields:
            count = len(self.scores(state))
            player = read_number(action["player"], "player", 0, count - 1)
            if what != "player-renamed" and player not in state.seats.playing(count):
                raise IllegalAction("player-left", player=state.seats.name(player))
        after, events = self._methods[f"adjust_{what}"](state, action)
        adjusted = {"event": "adjusted", "what": what, **{name: action[name] for name in fields}}
        over = after.over and events[-1:] != (ending := (self.game_over(after),))
        return after, (adjusted, *events, *(ending if over else ()))

    def points_by_hand(self, what: str) -> tuple[int, int]:
        """The least and the most points that a person may write for a "total", a "turn", a "last-turn" or a "cell".

        The rules take more: earlier tables may hold it.
        """
        return -MOST_BY_HAND if what in self.may_be_negative else 0, max(MOST_BY_HAND, self.wanted_total)

    @property
    def wanted_total(self) -> int:
        """The total that ends the game; 0 if none does."""
        return 0

    def adjust_total(self, state: S, action: Action) -> Outcome[S]:
        points = read_number(action["points"], "points", -MOST_POINTS, MOST_POINTS)
        player = action["player"]
        return self.add_points(state, player, points - self.scores(state)[player]), NO_EVENTS

    def adjust_game(self, state: S, action: Action) -> Outcome[S]:
        """Ends the game with the present places, or reopens a game that has ended."""
        over = read_flag(action["over"], "over")
        if over == state.over:
            raise IllegalAction("game-over" if over else "game-goes-on")
        if not over and not self.may_go_on(state):
            raise IllegalAction("cannot-go-on")
        return self.with_over(state, over), NO_EVENTS

    # --- who plays, and when ---

    def adjust_player_renamed(self, state: S, action: Action) -> Outcome[S]:
        names, player = state.seats.names, action["player"]
        name = read_name(action["name"], player + 1, (*names[:player], *names[player + 1 :]))
        return self.with_seats(state, state.seats._replace(names=replace_at(names, player, name))), NO_EVENTS

    def adjust_player_added(self, state: S, action: Action) -> Outcome[S]:
        """Adds a player from the next round on. A player who had left comes back to what he had."""
        self._refuse_when_over(state)
        seats, count = state.seats, len(self.scores(state))
        playing = seats.playing(count)
        left = {seats.names[each]: each for each in range(count) if each not in playing}
        name = read_name(action["name"], count + 1, [each for each in seats.names if each not in left])
        if len(playing) >= self.most_players or (count >= MOST_SEATS and name not in left):
            raise IllegalAction("no-free-place", most=min(self.most_players, MOST_SEATS))
        joined = seats.with_player(count, left.get(name, count), name)
        if name not in left:
            adjusted = (*state.adjusted, 0) if state.adjusted else ()
            state = replace(self.with_player(state), adjusted=adjusted)
        return self.with_seats(state, joined), NO_EVENTS

    def adjust_player_removed(self, state: S, action: Action) -> Outcome[S]:
        """Removes a player. His column stays visible, but he has no place and no turn."""
        self._refuse_when_over(state)
        player, count = action["player"], len(self.scores(state))
        if len(state.seats.playing(count)) == 1:
            raise IllegalAction("last-player")
        return self.remove_player(state, player)

    def adjust_turn_skipped(self, state: S, action: Action) -> Outcome[S]:
        """Passes the turn to the next player with nothing written."""
        self.check_turn_of(state, action["player"])
        passed = self.pass_turn(state, action["player"])
        if passed is None:
            raise IllegalAction("nobody-else")
        return passed

    def adjust_order(self, state: S, action: Action) -> Outcome[S]:
        """Sets the order of the players, from the next turn on."""
        self._refuse_when_over(state)
        order = read_order(action["players"], state.seats, len(self.scores(state)))
        return self.with_seats(state, state.seats._replace(order=order)), NO_EVENTS

    def _refuse_when_over(self, state: S) -> None:
        if state.over:
            raise IllegalAction("game-over")

    def remove_player(self, state: S, player: int) -> Outcome[S]:
        """The state after a player has left. If it was his turn, it passes on."""
        events = NO_EVENTS
        if player in self.to_act(state) and (passed := self.pass_turn(state, player)):
            state, events = passed
        return self.with_seats(state, state.seats.without_player(len(self.scores(state)), player)), events

    def with_seats(self, state: S, seats: Seats) -> S:
        """The state with these players in this order. A game without turns left for them overrides it to end."""
        return replace(state, seats=seats)

    @abstractmethod
    def with_player(self, state: S) -> S:
        """The state with one more player, who has nothing yet. `with_seats` then gives him his place."""

    @abstractmethod
    def pass_turn(self, state: S, player: int) -> Outcome[S] | None:
        """Passes the turn of `player` on with nothing written; None if nobody else has a turn.

        The turn counts as ended only if dice were thrown in it.
        """

    def check_turn_of(self, state: S, player: int) -> None:
        """Raises IllegalAction unless it is this player's turn."""
        if state.over:
            raise IllegalAction("game-over")
        if player not in self.to_act(state):
            raise IllegalAction("not-this-players-turn", player=state.seats.name(player))

    def add_points(self, state: S, player: int, points: int) -> S:
        """Adds points, also below 0, to a player's total."""
        return replace(state, adjusted=add_at(state.adjusted or (0,) * len(self.scores(state)), player, points))

    def with_adjusted(self, state: S, totals: list[int]) -> list[int]:
        """The totals with what `add_points` has given."""
        return [sum(each) for each in zip(totals, state.adjusted, strict=True)] if state.adjusted else totals

    def adjusted_by(self, state: S, player: int) -> int:
        """The sum of what `add_points` has given a player."""
        return state.adjusted[player] if state.adjusted else 0

    def with_over(self, state: S, over: bool) -> S:
        """Ends or reopens the game."""
        return replace(state, over=over)

    def may_go_on(self, state: S) -> bool:
        """Whether an ended game has turns left to play."""
        return True

    @abstractmethod
    def turns_done(self, state: S) -> int:
        """How many turns have ended, which is the number of the running turn, from 0."""

    @abstractmethod
    def settlement(self, state: S, was: Step, running: bool) -> list[Action]:
        """The adjustments that give a turn its former worth after an earlier action was corrected.

        `was`: the action that ended the turn before the correction; with `settled_by_action`, any action of it.
        `running`: whether the turn still runs in `state`; else it has ended by itself.
        """

    def ending_adjustments(self, state: S, was: Step) -> list[Action]:
        """The adjustments that end the running turn, which the action `was` ended before the correction."""
        return self.settlement(state, was, running=True)

    @abstractmethod
    def start(self, players: int) -> S: ...

    @abstractmethod
    def legal(self, state: S) -> list[Entry]:
        """Every legal next action with what it would bring: docs/standing.md."""

    @abstractmethod
    def to_act(self, state: S) -> list[int]: ...

    def player_in_turn(self, state: S) -> int | None:
        """Whose turn it is, or who threw if all write at once; None if the game is over or anybody throws for all."""
        return next(iter(self.to_act(state)), None)

    @abstractmethod
    def scores(self, state: S) -> list[int]: ...

    @abstractmethod
    def turn(self, state: S) -> dict[str, Any]: ...

    @abstractmethod
    def family_rules(self) -> ShortRules:
        """The rules for players, as the family says them."""

    def short_rules(self) -> ShortRules:
        """The rules for players."""
        rules, more = self.family_rules(), self.kind.paragraphs
        if not more:
            return rules
        return ShortRules(rules.title, (*rules.sections, Section(T("More about this game"), more)))

    def totals_by_round(self, state: S) -> list[list[int]] | None:
        """The score of each player after each finished round, the present one last; None if rounds are not kept."""
        return None

    def merits(self, state: S, scores: list[int]) -> Sequence[Any]:
        """The values that decide the places, the greatest first; by default the scores."""
        return scores

    def places(self, state: S, scores: list[int]) -> list[int | None]:
        """The place of each player. Equal players share one (1, 1, 3); a player who has left has None."""
        merits = self.merits(state, scores)
        playing = state.seats.playing(len(scores))
        ranked = sorted([merits[player] for player in playing], reverse=True)
        return [1 + ranked.index(merit) if player in playing else None for player, merit in enumerate(merits)]

    def winners(self, state: S, places: Sequence[int | None]) -> list[int]:
        return [player for player, place in enumerate(places) if state.over and place == 1]

    def extras(self, state: S) -> dict[str, Any]:
        """Further keys of this game's standing."""
        return {}

    def player(self, state: S, player: int) -> dict[str, Any]:
        """Further keys of one player in this game's standing."""
        return {}

    def add_banking(self, state: S, legal: Sequence[Entry]) -> None:
        """Adds to each set-aside of `legal` whether the turn may be banked after it, as in a standing."""

    def leaves_the_turn(self, state: S) -> Sequence[int]:
        """The values of dice that leave the turn when thrown, and then lie aside."""
        return ()

    @staticmethod
    def concerns(action: Action, other: Action) -> bool:
        """Whether `other`, done meanwhile, makes a chosen action worth another look: not if both name other players."""
        return not ("player" in action and "player" in other and action["player"] != other["player"])

    @staticmethod
    def rating(results: Iterable[tuple[int, int]]) -> float | None:
        """A player's rating from his (points, place) in finished games; None if the game has no rating."""
        return None

    def first_throw(self, dice: Any) -> dict[str, Any]:
        """The worth of a turn's first throw: the `events` that follow by themselves, their `points`, and `legal`.

        `legal` is empty if the throw leaves nothing to choose.
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


class OfTurns(InProgress, Protocol):
    """`player`: whose turn it is. `turns`: how many have ended."""

    @property
    def player(self) -> int: ...

    @property
    def turns(self) -> int: ...


Turns = TypeVar("Turns", bound=OfTurns)


class TurnGame(Game[Turns]):
    """A game in which players take turns."""

    def to_act(self, state: Turns) -> list[int]:
        return [] if state.over else [state.player]

    def turns_done(self, state: Turns) -> int:
        return state.turns


class OfPoints(OfTurns, Protocol):
    """`scores`: totals, rounds won or lives. `ended`: the player and the points of the turn that ended last. `throw`:
    the dice of the running turn's last throw.
    """

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def ended(self) -> tuple[int, int]: ...

    @property
    def throw(self) -> tuple[int, ...]: ...


P = TypeVar("P", bound=OfPoints)

TURN = Verb(("player", "points"), phrase("turn settled by hand: {points}"))


class PointsGame(TurnGame[P]):
    """A game whose turns are worth points. `turn` is settled by hand: it ends the running turn with these points."""

    shows_turns = True
    adjustments: Mapping[str, Verb] = {**ADJUSTMENTS, "turn": TURN}

    @property
    def wanted_total(self) -> int:
        target: int = self.rules.target
        return target

    @abstractmethod
    def new_turn(self, state: P, player: int, seats: Seats) -> P:
        """The state before the first throw of this player's turn."""

    def scores(self, state: P) -> list[int]:
        return list(state.scores)

    def at_target(self, state: P) -> list[int]:
        """Who of those who play has the target."""
        playing = state.seats.playing(len(state.scores)) if self.wanted_total else ()
        return [player for player in playing if state.scores[player] >= self.wanted_total]

    def adjust_turn(self, state: P, action: Action) -> Outcome[P]:
        points = read_points(action)
        self.check_turn_of(state, action["player"])
        return self.settle_turn(state, points)

    @abstractmethod
    def settle_turn(self, state: P, points: int) -> Outcome[P]:
        """Ends the running turn with any number of points."""

    def do_bank(self, state: P, action: Action) -> Outcome[P]:
        refusal = self.bank_refusal(state)
        if refusal is not None:
            raise refusal
        return self.bank(state)

    @abstractmethod
    def bank(self, state: P) -> Outcome[P]:
        """Ends the running turn with what it has."""

    @abstractmethod
    def bank_refusal(self, state: P) -> IllegalAction | None:
        """Why the turn cannot be banked now; None if it can."""

    def banking(self, state: P) -> dict[str, Any]:
        """Whether the turn may be banked now, in a standing."""
        refusal = self.bank_refusal(state)
        return {"may_bank": refusal is None, "bank_refusal": None if refusal is None else refusal.to_json()}


def low_total_wins(game: Game[Any]) -> bool:
    """Whether few points are good, of a turn as of the whole game."""
    rules = game.rules
    return getattr(rules, "low_wins", False) and getattr(rules, "counts", "totals") == "totals"


def read_points(action: Action) -> int:
    return read_number(action["points"], "points", -MOST_POINTS, MOST_POINTS)


def score_throw(game: Game[Any], dice: list[int]) -> dict[str, Any]:
    """The worth of a turn's first throw, ready for JSON: every legal choice, as in a standing's `legal`.

    `events` and `points`: what the throw brings by itself. Raises IllegalAction for dice that are not a first throw.
    """
    return {"game": game.key, "options": dict(game.settings), "dice": list(dice), **game.first_throw(dice)}
