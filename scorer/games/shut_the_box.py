"""Shut the box: docs/rules.md section 14."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal, NamedTuple

from scorer.actions import Action, Entry, read_dice, read_number, read_throw
from scorer.contest import Contest, ContestGame, Dice
from scorer.definitions.contest_rules import ContestRounds, RaceEnd
from scorer.game import NO_EVENTS, GameType, Outcome
from scorer.options import Flag, OptionChoice
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import CHOOSE, THROW, Phrases, Titles, Verb, phrase
from scorer.texts import N_, ShortRules, T, Text, json_type, printable

OUT_AT = 45  # the sum of nine tiles
SMALL = 6  # what one die can show

Tiles = tuple[int, ...]  # ascending


class BoxState(NamedTuple):
    """`throw`: the dice for which tiles must be shut; () before a throw. `open`: the tiles that are. `chosen`: how many
    dice are thrown where the player chooses. `first`, `ended`: see `OfContest`.
    """

    scores: tuple[int, ...]
    contest: Contest
    open: Tiles
    player: int = 0
    throw: Dice = ()
    chosen: int = 2
    first: int = 0
    over: bool = False
    turns: int = 0  # that have ended
    ended: tuple[int, int] = (-1, 0)
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()


@dataclass(frozen=True, kw_only=True)
class BoxRules(ContestRounds):
    """`tiles`: the greatest number. `one_die`: thrown "low", once the open tiles make six or less; or by "choice", once
    no tile above six is open. `two_at_most`: of the tiles that are shut for a throw.
    """

    low_wins: bool = True
    end: RaceEnd = "finish-round"
    tiles: int = 9
    one_die: Literal["low", "choice"] = "low"
    two_at_most: bool = False

    @property
    def last_left_wins(self) -> bool:
        """With a target, which nobody wants to reach."""
        return self.target > 0

    @property
    def all_open(self) -> Tiles:
        return tuple(range(1, self.tiles + 1))

    def sets(self, open_: Tiles, sum_: int) -> tuple[Tiles, ...]:
        """The sets of open tiles that make this sum, the fewest tiles first."""
        return sets_of(open_, sum_, 2 if self.two_at_most else len(open_))

    def may_choose(self, open_: Tiles) -> bool:
        """Whether the player chooses between one die and two."""
        return self.one_die == "choice" and max(open_) <= SMALL


@lru_cache(maxsize=4096)
def sets_of(open_: Tiles, sum_: int, most: int) -> tuple[Tiles, ...]:
    counts = range(1, most + 1)
    return tuple(tiles for count in counts for tiles in combinations(open_, count) if sum(tiles) == sum_)


class ShutTheBox(ContestGame[BoxState]):
    dice = 2
    actions: Mapping[str, Verb] = {
        "throw": THROW,
        "choose": CHOOSE,
        "shut": Verb(("tiles",), phrase("shut {tiles}"), phrase("shut the numbers {tiles}")),
    }
    events: Mapping[str, Phrases] = {
        **ContestGame.events,
        "stuck": phrase("No open numbers make this throw: the turn ends."),
        "box-shut": phrase("{name} has shut the box."),
    }

    rules: BoxRules

    def start(self, players: int) -> BoxState:
        return BoxState((0,) * players, Contest.first(players), self.rules.all_open)

    def new_turn(self, state: BoxState, player: int, seats: Seats) -> BoxState:
        return state._replace(player=player, seats=seats, open=self.rules.all_open, throw=(), chosen=2)

    # --- actions ---

    def do_throw(self, state: BoxState, action: Action) -> Outcome[BoxState]:
        if state.throw:
            raise IllegalAction("shut-first", sum=sum(state.throw))
        if self._may_choose(state) and len(read_dice(action["dice"])) in (1, 2):
            state = state._replace(chosen=len(action["dice"]))
        dice = read_throw(action["dice"], self.dice_due(state))
        thrown = state._replace(throw=dice)
        if self.rules.sets(state.open, sum(dice)):
            return thrown, NO_EVENTS
        worth, player = sum(state.open), state.player
        scored = {"event": "scored", "player": player, "dice": list(dice), "points": worth}
        return self.end_turn(thrown, worth, ({"event": "stuck", "player": player}, scored), dice)

    def do_choose(self, state: BoxState, action: Action) -> Outcome[BoxState]:
        """How many dice are thrown from now on in this turn. A throw of so many chooses them too."""
        if not self._may_choose(state):
            raise IllegalAction("dice-not-chosen-now")
        return state._replace(chosen=read_number(action["count"], "count", 1, 2)), NO_EVENTS

    def do_shut(self, state: BoxState, action: Action) -> Outcome[BoxState]:
        tiles = _read_tiles(action["tiles"], state.open)
        if not state.throw:
            raise IllegalAction("throw-first")
        if sum(tiles) != sum(state.throw):
            raise IllegalAction("tiles-make", got=sum(tiles), sum=sum(state.throw))
        if self.rules.two_at_most and len(tiles) > 2:
            raise IllegalAction("two-tiles-at-most", got=len(tiles))
        after = state._replace(open=_left_open(state.open, tiles), throw=())
        if after.open:
            return after, NO_EVENTS
        return self.end_turn(after, 0, ({"event": "box-shut", "player": state.player},), state.throw)

    def bank(self, state: BoxState) -> Outcome[BoxState]:
        return self.end_turn(state, sum(state.open), NO_EVENTS)

    def bank_refusal(self, state: BoxState) -> IllegalAction | None:
        """Turns end by themselves."""
        return IllegalAction("nothing-to-bank")

    def dice_due(self, state: BoxState) -> int:
        """How many dice are thrown next; 0 if tiles must be shut first."""
        if state.over or state.throw:
            return 0
        if self.rules.one_die == "choice":
            return state.chosen
        return 1 if sum(state.open) <= SMALL else 2

    def _may_choose(self, state: BoxState) -> bool:
        return not state.throw and self.rules.may_choose(state.open)

    # --- what is shown ---

    def legal(self, state: BoxState) -> list[Entry]:
        if state.throw:
            return [
                {"do": "shut", "tiles": list(tiles), "open": list(_left_open(state.open, tiles))}
                for tiles in self.rules.sets(state.open, sum(state.throw))
            ]
        entries: list[Entry] = [{"do": "throw", "count": self.dice_due(state)}]
        return [*entries, {"do": "throw", "count": 3 - state.chosen}] if self._may_choose(state) else entries

    def turn(self, state: BoxState) -> dict[str, Any]:
        """`points`: what the turn brings if it ends now. `open`: the tiles that are open."""
        expects = self.dice_due(state)
        return {
            "player": None if state.over else state.player,
            "points": 0 if state.over else sum(state.open),
            "dice_left": expects,
            "expects": expects,
            "throw": list(state.throw),
            "open": [] if state.over else list(state.open),
        }

    def extras(self, state: BoxState) -> dict[str, Any]:
        """`tiles`: how many the box has. `out_at`: the total that knocks out, if one does."""
        found = {**super().extras(state), "tiles": self.rules.tiles}
        return {**found, "out_at": self.rules.target} if self.knocks_out else found

    def field_titles(self) -> Titles:
        return {"chance": {"stuck": T("the turn ends"), "shut": T("the box is shut, if you play for it")}}

    # --- the rules for players ---

    def family_rules(self) -> ShortRules:
        one_die = T("Once the open numbers make six or less, throw one die.")
        if self.rules.one_die == "choice":
            one_die = T("Once no number above six is open, choose before each throw: one die or two.")
        turn = [
            T("All numbers from 1 to {count} are open. Throw two dice.", count=self.rules.tiles),
            T("Shut open numbers that make the sum of the throw: for 9 perhaps 9, 1 and 8, or 1, 2 and 6."),
            *([T("At most two numbers are shut for a throw.")] if self.rules.two_at_most else []),
            T("Go on until no open numbers make a throw, or until all are shut."),
            one_die,
        ]
        rows = [
            (T("open numbers at the end of the turn"), T("their sum")),
            (T("1, 5 and 9 are open"), Text("15")),
            (T("all numbers are shut"), Text("0")),
        ]
        return ShortRules.in_sections(self.title, self.goal_rules(), turn, rows=rows)


def _read_tiles(value: Any, open_: Tiles) -> Tiles:
    """Different open tiles."""
    if not isinstance(value, (list, tuple)):
        raise IllegalAction("tiles-not-a-list", got=json_type(value))
    for place, tile in enumerate(value):
        if type(tile) is not int or tile not in open_:
            raise IllegalAction("tile-not-open", tile=printable(tile), open=list(open_))
        if tile in value[:place]:
            raise IllegalAction("tile-named-twice", tile=tile)
    return tuple(value)


def _left_open(open_: Tiles, tiles: Tiles) -> Tiles:
    return tuple(tile for tile in open_ if tile not in tiles)


_TILES = {"nine": (9, Text("9")), "ten": (10, Text("10")), "twelve": (12, Text("12"))}
_ENDS: Mapping[str, Mapping[str, Any]] = {
    "last-left": {"target": OUT_AT},
    "one-round": {"rounds": 1},
    "five-rounds": {"rounds": 5},
}


def _rules_with(settings: Mapping[str, Any]) -> BoxRules:
    own = {name: settings[name] for name in ("one_die", "two_at_most")}
    return BoxRules(tiles=_TILES[settings["tiles"]][0], **own, **_ENDS[settings["ends"]])


GAME = GameType(
    key="shut-the-box",
    title=N_("Shut the box"),
    summary=N_("Shut the numbers 1 to 9; those left open are your points."),
    order=14,
    family=ShutTheBox,
    rules_with=_rules_with,
    options=(
        OptionChoice(
            "ends",
            "last-left",
            T("how the game ends"),
            {
                "last-left": T("whoever has 45 is out, the last one left wins"),
                "one-round": T("after one round"),
                "five-rounds": T("after five rounds"),
            },
        ),
        OptionChoice("tiles", "nine", T("numbers of the box"), {name: title for name, (_, title) in _TILES.items()}),
        OptionChoice(
            "one_die",
            "low",
            T("one die"),
            {
                "low": T("once the open numbers make six or less"),
                "choice": T("may be chosen once no number above six is open"),
            },
        ),
        Flag("two_at_most", False, T("at most two numbers are shut for a throw")),
    ),
)
