"""A second, deliberately naive implementation of every game, written from the rules page and the interface page alone.

It shares nothing with `scorer`: no code, no tables, no way of thinking about speed. The tests play random games on
both and compare all that they say. Where the two differ, the text decides which is wrong, never this code.
"""

from tests.scorer.reference.games import GAMES, start
from tests.scorer.reference.table import Action, Document, IllegalError, ReferenceGame, replay

__all__ = ["GAMES", "Action", "Document", "IllegalError", "ReferenceGame", "replay", "start"]
