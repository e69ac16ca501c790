"""Applies the lines of a table's log to the rules."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import scorer

Json = dict[str, Any]


@dataclass(frozen=True)
class PlayerResult:
    """One player's result in a finished game. `player`: the player's number."""

    player: int
    name: str
    score: int
    place: int


def rebuild_table(
    game: str, options: Mapping[str, Any], players: Sequence[str], bodies: Iterable[Json]
) -> scorer.Table:
    """The table after the lines with these bodies. Raises `scorer.Refusal` where the rules do not allow one."""
    table = scorer.Table(scorer.game(game, **options), players)
    for body in bodies:
        apply(table, body)
    return table


def apply(table: scorer.Table, body: Json) -> None:
    """Applies one line of a log, in the form of `Entry.body`."""
    if "do" in body:
        table.do(body["do"])
    elif "undo" in body:
        table.undo()
    else:
        settled = body.get("settled", ())
        table.correct(body["correct"], body["action"], drop_tail=body["drop_tail"], settled=settled)


def outcome(table: scorer.Table) -> tuple[list[PlayerResult] | None, str | None]:
    """The results of a finished game, without players who left, and a hash of its record: game, house rules, players
    and actions. Twice None while the game runs."""
    if not table.over:
        return None, None
    standing = table.standing()
    results = [
        PlayerResult(number, player["name"], player["score"], player["place"])
        for number, player in enumerate(standing["players"])
        if player["place"] is not None
    ]
    record = json.dumps(table.record(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return results, hashlib.sha256(record.encode()).hexdigest()
