"""Games to play in the browser: whole ones, and records of them up to a moment worth looking at."""

import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import scorer
from tests.browser.playing import visit

PLAYERS = ("Ada", "Bohumil")
SHORT: dict[str, dict[str, Any]] = {
    "ones-and-fives": {"target": 2000},
    "six-dice": {"target": 2000},
    "farkle": {"target": 2000},
    "zilch": {"target": 2000},
    "sequence": {"target": 20},
    "kingdom-dice": {"target": 2000},
    "zehntausend": {"target": 2000},
    "zehntausend-proved": {"target": 2000},
    "zonk": {"target": 2000},
    "diez-mil": {"target": 2000, "opening": 0},
    "five-thousand": {"target": 2000},
    "farkle-tables": {"target": 2000},
    "farkle-francais": {"target": 2000, "opening": 0},
    "greed": {"target": 1000},
    "fifty": {"target": 25},
}
# Dice that show each figure: chance alone would need thousands of throws for all fourteen.
FIGURES = {
    "ones": [1, 1, 1, 2, 3, 5],
    "twos": [2, 2, 2, 1, 3, 5],
    "threes": [3, 3, 3, 1, 2, 5],
    "fours": [4, 4, 4, 1, 2, 6],
    "fives": [5, 5, 5, 1, 2, 4],
    "sixes": [6, 6, 6, 1, 2, 4],
    "two-plus-three": [3, 3, 3, 2, 2, 5],
    "pairs": [2, 2, 4, 4, 5, 5],
    "triples": [3, 3, 3, 6, 6, 6],
    "pyramid": [5, 5, 5, 4, 4, 3],
    "poker": [4, 4, 4, 4, 1, 2],
    "hiroshima": [6, 1, 1, 1, 1, 1],
    "general": [2, 2, 2, 2, 2, 2],
    "straight": [1, 2, 3, 4, 5, 6],
}
SOON = 12  # actions: people do not end a game before
WRITES = ("score", "bank", "circle-line")
# Games in which the dice decide all but whether to go on.
NO_CHOICE = ("six-dice", "sequence", "forbidden-numbers")
ASKS = ("set-aside", "score", "write", "circle-line", "sit")


def whole_game(key: str, players: Sequence[str] = PLAYERS) -> list[dict[str, Any]]:
    """The actions of a game that was played to its end, as likely as any."""
    return [*_play_whole_game(key, tuple(players))]


@cache
def _play_whole_game(key: str, players: tuple[str, ...]) -> list[dict[str, Any]]:
    chance = random.Random(key)
    table = scorer.Table(scorer.game(key, **SHORT.get(key, {})), players)
    while not table.over:
        entries = list(table.legal)
        entry = chance.choice([one for one in entries if one["do"] in WRITES] or entries)
        if entry["do"] == "finish" and table.version < SOON:
            continue
        if entry["do"] == "throw":
            entry = {"do": "throw", "dice": throw_dice(chance, table.standing(), entry["count"])}
        elif entry["do"] == "keep":
            entry = {"do": "keep", "dice": entry["from"][: chance.randrange(len(entry["from"]))]}
        elif "low" in entry:
            entry = {**entry, "points": chance.randint(max(-9, entry["low"]), min(60, entry["high"]))}
        table.do(entry)
    return list(table.record()["actions"])


def steps_of(key: str, actions: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The actions as a phone sends them: a throw with its keep or its only set-aside, others alone."""
    steps: list[list[dict[str, Any]]] = []
    table = scorer.Table(scorer.game(key, **SHORT.get(key, {})), PLAYERS)
    for action in actions:
        forced = action["do"] == "set-aside" and len(table.legal) == 1
        if steps and (steps[-1][-1]["do"] == "keep" or forced):
            steps[-1].append(action)
        else:
            steps.append([action])
        table.do(action)
    return steps


def throw_dice(chance: random.Random, standing: dict[str, Any], count: int) -> list[int]:
    """Dice as they fall; in drapky mostly such as show a figure that is still wanted."""
    if count == 6 and "figures_list" in standing and chance.random() < 0.8:
        held = standing["players"][standing["turn"]["player"]]["figures"]
        return FIGURES[chance.choice([figure for figure in FIGURES if figure not in held])]
    return [chance.randint(1, 6) for _ in range(count)]


def record(key: str, players: Sequence[str], part: float = 1.0) -> dict[str, Any]:
    """A game record of about this part of a game, up to a moment at which somebody has something to choose."""
    actions = whole_game(key, players)
    game = scorer.game(key, **SHORT.get(key, {}))
    table = scorer.Table(game, players)
    for number, action in enumerate(actions):
        asks = any(entry["do"] in ASKS for entry in table.legal) or key in NO_CHOICE
        if number >= part * len(actions) and asks:
            break
        table.do(action)
    return dict(table.record())


def import_record(page: Any, base: str, played: dict[str, Any]) -> str:
    """Opens a table that goes on where the record ends, for this page's phone; returns its address."""
    upload = {"name": "record.json", "mimeType": "application/json", "buffer": json.dumps(played).encode()}
    answer = page.context.request.post(f"{base}/import", multipart={"record": upload}, max_redirects=0)
    assert answer.status == 303, answer.text()
    return f"{base}{answer.headers['location']}"


def open_table(
    page: Any,
    base: str,
    game: str,
    *actions: dict[str, Any],
    players: Sequence[str] = ("Ada", "Bob"),
    view: str = "",
    **options: Any,
) -> str:
    """Opens a new table at which this was done, or a view of it; returns the table's address."""
    played = {"format": 1, "game": game, "options": options, "players": [*players], "actions": [*actions]}
    address = import_record(page, base, played)
    visit(page, address + view)
    return address
