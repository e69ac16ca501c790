"""A short game of every variant of a file from outside: what would stop a table stops the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from scorer.actions import FACES, Entry
from scorer.definitions.building import GameFromFile, game_from_text, in_variant, kind_in_language, variants
from scorer.definitions.definition import refusal_of
from scorer.definitions.shapes import WrongShape
from scorer.game import Game
from scorer.table import Table
from scorer.texts import T, Text

MOST_GAMES = 200  # of one file
MOST_ACTIONS = 24  # of one game
MOST_STEPS = 200_000  # of all games together, each about a microsecond
STEPS_OF_ACTION = 200  # beside those of its throw
MOST_RANDOM = 10_000  # actions of random play, within which a game should end
STEPS_OF_RANDOM = 2500  # at most, of a throw of such a game

Drawn = TypeVar("Drawn")
Maker = Callable[..., Game[Any]]  # takes a value for each option, or fewer


def playable_game(text: str, key: str) -> GameFromFile:
    """The game in a file of this name, without its ending, once all its variants were tried. Raises DefinitionError.

    A usual file takes 0.1 s. Nothing is kept, so this may run in a process of its own.
    """
    kind = game_from_text(text, key)
    languages = {language for texts in kind.definition.wordings.values() for language in texts}
    translated = [kind_in_language(text, key, language) for language in sorted(languages)]
    try:
        try_variants(kind, translated)
    except WrongShape as wrong:
        raise refusal_of(wrong, text, f"{key}.toml") from wrong.__cause__
    return kind


def try_variants(kind: GameFromFile, translated: Sequence[Maker] = ()) -> None:
    """Plays a short game of every variant. Raises WrongShape where one fails, from the error.

    `translated`: makes the same game with its own texts in one language, one for each language.
    """
    wanted = list(variants(kind.options, MOST_GAMES))
    left = MOST_STEPS
    for settings in wanted:
        step = T("its beginning")
        try:
            game = kind(**settings)
            steps = STEPS_OF_ACTION + game.rules.steps
            actions = min(MOST_ACTIONS, left // steps, 4 + MOST_STEPS // len(wanted) // steps)
            left -= actions * steps
            for doing in _short_game(game, kind, actions):
                step = doing
            step = T("its rules for players")
            for each in translated if len(settings) < 2 else ():
                each(**settings).short_rules().text()
        except Exception as fault:  # of any kind: a table would meet it too
            raise in_variant(kind, settings, "definition-unplayable", step=step) from fault


class Draw:
    """Draws one of several, the same each time: the rules know no chance. Its numbers are those of Knuth's MMIX."""

    def __init__(self) -> None:
        self._state = 0

    def __call__(self, values: Sequence[Drawn]) -> Drawn:
        self._state = (6364136223846793005 * self._state + 1442695040888963407) % 2**64
        return values[(self._state >> 33) % len(values)]


# --- one game --------------------------------------------------------------------------------------------------------


def _short_game(game: Game[Any], maker: Maker, actions: int) -> Iterator[Text]:
    """Plays a game of two players, if so many may play, and says before each step what it does."""
    draw = Draw()
    yield T("its rules for players")
    json.dumps([game.info.to_json(), game.sentences()])
    game.short_rules().text()
    yield T("its beginning")
    table = Table(game, ["Ada", "Bob"][: game.most_players])
    for number in range(actions):
        if table.over:
            break
        yield T("what may be done next")
        entries = _entries_of(table)
        if number == actions // 2:  # brings the end of the game near
            yield T("a total settled by hand")
            most = game.points_by_hand("total")[1]
            table.do({"do": "adjust", "what": "total", "player": 0, "points": most})
            continue
        action = _made_whole(draw(entries), draw)
        yield T("the step “{step}”", step=game.choice(action))
        table.do(action)
        game.step(table.actions[-1])
    if not table.over:
        yield T("its end")
        table.do({"do": "adjust", "what": "game", "over": True})
    _entries_of(table)
    yield T("its record")
    record = json.loads(json.dumps(table.record()))
    again = Table(maker(**record["options"]), record["players"])
    for action in record["actions"]:
        again.do(action)
    if again.standing() != table.standing():
        raise ValueError("the record leads elsewhere")


def ends_by_chance(game: Game[Any]) -> bool:
    """Whether a game of two who play at random ends by itself; yes if its throws take too long to find that out."""
    draw, state = Draw(), game.start(min(2, game.most_players))
    if game.rules.steps > STEPS_OF_RANDOM:
        return True
    for _ in range(MOST_RANDOM):
        if state.over:
            return True
        state, _ = game.apply(state, _made_whole(draw(game.legal(state)), draw))
    return False


def _entries_of(table: Table) -> list[Entry]:
    """The entries of `legal`, after all that phones are shown was made."""
    standing = table.standing()
    legal: list[Entry] = standing["legal"]
    table.game.add_banking(table.state, legal)
    json.dumps(standing)
    return legal


def _made_whole(entry: Entry, draw: Draw) -> Entry:
    """An entry of `legal` as an action."""
    if "low" in entry:
        return {**entry, "points": draw((entry["low"], entry["high"], 0, min(7, entry["high"])))}
    if entry["do"] == "throw":
        return {**entry, "dice": [draw(FACES) for _ in range(entry["count"])]}
    if entry["do"] == "keep":
        return {**entry, "dice": entry["from"][: draw(range(len(entry["from"])))]}
    return entry
