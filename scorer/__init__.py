"""The rules of dice games: what a throw is worth, what is legal, what happens next.

    game = scorer.game("ones-and-fives", target=5000)
    table = scorer.Table(game, ["Ada", "Bob"])
    table.do({"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    table.legal, table.standing(), table.record(), table.undo()

Pure Python: no files, no clock, no randomness, no other package. docs/standing.md explains what comes back.
"""

from typing import TYPE_CHECKING

from scorer.actions import Action, Entry, Event
from scorer.game import Game, GameType, Info, score_throw
from scorer.games import all_infos as all_games
from scorer.games import further_games, game_of_file
from scorer.records import MOST_ACTIONS
from scorer.refusals import IllegalAction, NothingToUndo, OptionError, PlayerError, RecordError, Refusal
from scorer.registry import cell_titles, game, in_language, own_key, parse_options, rating
from scorer.table import Correction, Legal, Table
from scorer.texts import Section, ShortRules, Text

if TYPE_CHECKING:
    from scorer.games import infos as games
else:
    from scorer import games  # the folder, which can be called

__all__ = [
    "MOST_ACTIONS",
    "Action",
    "Correction",
    "Entry",
    "Event",
    "Game",
    "GameType",
    "IllegalAction",
    "Info",
    "Legal",
    "NothingToUndo",
    "OptionError",
    "PlayerError",
    "RecordError",
    "Refusal",
    "Section",
    "ShortRules",
    "Table",
    "Text",
    "all_games",
    "cell_titles",
    "further_games",
    "game",
    "game_of_file",
    "games",
    "in_language",
    "own_key",
    "parse_options",
    "rating",
    "score_throw",
]
