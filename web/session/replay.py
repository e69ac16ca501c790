"""A table as the rules make it of the lines of its log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import scorer

Json = dict[str, Any]


@dataclass(frozen=True)
class PlayerResult:
    """Where one player stands when a game is over. `player`: his number there."""

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
    """Does what one line of a log says, as `schema.log` has it."""
    if "do" in body:
        table.do(body["do"])
    elif "undo" in body:
        table.undo()
    else:
        settled = body.get("settled", ())
        table.correct(body["correct"], body["action"], drop_tail=body["drop_tail"], settled=settled)


def results(table: scorer.Table) -> list[PlayerResult] | None:
    """Where all who play stand once the game is over; who has left has no result."""
    if not table.over:
        return None
    standing = table.standing()
    return [
        PlayerResult(number, player["name"], player["score"], player["place"])
        for number, player in enumerate(standing["players"])
        if player["place"] is not None
    ]
