"""The chances where numpy is missing, as in a phone's browser."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import scorer
from scorer.advice import odds
from scorer.advice.chances.sheet_odds import BONUS, BONUS_NOW
from scorer.advice.reports import choices_of
from tests.conftest import FURTHER_GAMES

PROGRAM = """
import json, sys
sys.modules["numpy"] = None
from tests.scorer.advice.chances.test_without_numpy import found
print(json.dumps(dict(found())))
"""


def found() -> Iterator[tuple[str, dict[str, str]]]:
    """The chances of each choice after a first throw, but for those of the upper bonus. Of the pack, one game of each
    class is enough."""
    dice, classes = random.Random(51), set()
    for key in sorted((info.key for info in scorer.all_games()), key=FURTHER_GAMES.__contains__):
        game = scorer.game(key)
        if key in FURTHER_GAMES and type(game) in classes:
            continue
        classes.add(type(game))
        state = game.start(players=2)
        throw = next((entry for entry in game.legal(state) if entry["do"] == "throw"), None)
        if throw is None:  # a score pad
            continue
        thrown = [dice.randint(1, 6) for _ in range(throw["count"])]
        state, _ = game.apply(state, {"do": "throw", "dice": thrown})
        for action, _ in choices_of(game, state):
            told = odds(game, state, action.get("player", 0), action)
            chances = {name: str(chance) for name, chance in told.items() if name not in (BONUS, BONUS_NOW)}
            yield json.dumps([key, action], sort_keys=True), chances


def test_they_are_the_same() -> None:
    told = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == dict(found())
