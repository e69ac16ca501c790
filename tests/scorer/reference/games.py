"""Which reference game plays which key."""

from typing import Any

from tests.scorer.reference.drapky import Drapky
from tests.scorer.reference.knaster import Knaster
from tests.scorer.reference.one_throw import ForbiddenNumbers, Sequence
from tests.scorer.reference.pack_sheets import Balut, Generala, Kismet, Kniffel, KosciFixed, PokerDice
from tests.scorer.reference.sheets import Kosci, KosciSingle, KosciTriple, MaxiYatzy, Yahtzee, Yatzy, YatzySixDice
from tests.scorer.reference.shut_the_box import ShutTheBox
from tests.scorer.reference.six_dice import SixDice
from tests.scorer.reference.skunk import Skunk
from tests.scorer.reference.table import ReferenceGame
from tests.scorer.reference.ten_thousand import Farkle, OnesAndFives, Zilch
from tests.scorer.reference.yamb import Yamb

GAMES: dict[str, type[ReferenceGame]] = {
    game.key: game
    for game in (
        OnesAndFives,
        SixDice,
        Drapky,
        Sequence,
        ForbiddenNumbers,
        KosciSingle,
        KosciTriple,
        Knaster,
        Skunk,
        Kosci,
        Yahtzee,
        Yatzy,
        MaxiYatzy,
        YatzySixDice,
        Balut,
        Generala,
        Kismet,
        Kniffel,
        KosciFixed,
        PokerDice,
        Farkle,
        Zilch,
        Yamb,
        ShutTheBox,
    )
}


def start(key: str, players: list[str], options: dict[str, Any]) -> ReferenceGame:
    """A new game. Players and options are taken as they are: only actions are checked."""
    return GAMES[key](players, options)
