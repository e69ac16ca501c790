"""A table as the rules make it of the lines of its log."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import scorer

Json = dict[str, Any]


def rebuilt(game: str, options: Mapping[str, Any], players: Sequence[str], bodies: Iterable[Json]) -> scorer.Table:
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


def results(table: scorer.Table) -> list[tuple[int, int]] | None:
    """(score, place) of each player once the game is over, else None."""
    standing = table.standing()
    if not standing["over"]:
        return None
    return [(player["score"], player["place"]) for player in standing["players"]]
