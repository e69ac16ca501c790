"""What a store keeps of a table, its setup and its log, and how the rules replay it."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import scorer
from web.table.score_history import score_history

Json = dict[str, Any]

ADVICE = ("off", "odds", "best")  # how much a table advises; "off" until somebody chooses
IMPORTED = "import-{}"  # the request of a line of the log that came with a record
MOST_SAMPLES = 100  # kept for a table, the newest: an evening's throws, at most a megabyte


@dataclass(frozen=True)
class TableRow:
    """A table's setup. `key`: the secret in its address; `code`: the short code to type."""

    id: int
    key: str
    code: str
    game: str
    options: Json
    players: tuple[str, ...]
    keep_corrections: bool
    created_at: str
    active_at: str
    finished_at: str | None
    next_key: str | None = None  # of the table that the players went on to
    digest: str | None = None  # of the record of a game that is over
    lost: int | None = None  # how many lines of its log a damage took, 0 for some; None: none
    active_no: int = field(default=0, compare=False)  # when it was read: it grows with every change of any table


@dataclass(frozen=True)
class Entry:
    """One line of a table's log. `body`: {"do": action}, {"undo": true} or {"correct": step, ...}. A throw at a table
    that keeps pictures has "picture" too (`web.table.proof`)."""

    seq: int
    request: str
    body: Json
    device: str
    at: str


@dataclass(frozen=True)
class PlayerResult:
    """One player's result in a finished game. `player`: the player's number. `best`: the points of his best turn,
    `busts`: how many turns brought nothing, each None in games without it; `turns`: how many he ended. `fell`: how
    often each value 1..6 fell in the whole game."""

    player: int
    name: str
    score: int
    place: int
    best: int | None = None
    busts: int | None = None
    turns: int = 0
    fell: tuple[int, ...] = ()


def apply(table: scorer.Table, body: Json) -> None:
    """Applies one line of a log, in the form of `Entry.body`."""
    if "do" in body:
        table.do(body["do"])
    elif "undo" in body:
        table.undo()
    else:
        settled = body.get("settled", ())
        table.correct(body["correct"], body["action"], drop_tail=body["drop_tail"], settled=settled)


def shown_body(body: Json) -> Json:
    """The body of a line without the turns that a correction settled: they may be thousands."""
    return {name: value for name, value in body.items() if name != "settled"}


def outcome(table: scorer.Table) -> tuple[list[PlayerResult] | None, str | None]:
    """The results of a finished game, without players who left, and a hash of its record: game, house rules, players
    and actions. Twice None while the game runs."""
    if not table.over:
        return None, None
    history = score_history(table)
    results = [
        PlayerResult(number, player["name"], player["score"], player["place"], *history.figures(number))
        for number, player in enumerate(table.standing()["players"])
        if player["place"] is not None
    ]
    record = json.dumps(table.record(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return results, hashlib.sha256(record.encode()).hexdigest()
