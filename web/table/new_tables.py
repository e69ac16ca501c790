"""Decides how a new table begins, of a game or of an imported record. A table that follows another: `deciding`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import structs

import scorer
from web.table import commands, proof
from web.table.commands import Asker, Given
from web.table.events import TableStarted
from web.table.names import check_shown, dice_set_name, names_given
from web.table.stored_table import IMPORTED, Entry, Json, apply, outcome


def start(command: commands.Start, asker: Asker, given: Given) -> TableStarted:
    """Raises what `scorer` raises, and `Problem` for a name with hidden characters."""
    record = command.record
    table = (
        scorer.Table(scorer.game(command.game, **command.options), command.players)
        if record is None
        else scorer.Table.from_record(record)
    )
    kept = table.record()
    bodies = [] if record is None else bodies_of(record, table)
    check_shown(*kept["players"], *names_given(actions_in(bodies)))
    key, options = kept["game"], kept["options"]
    results, digest = outcome(table)
    if (file := table.game.own_file) is not None:  # the table plays by these rules for ever
        key, options = scorer.own_key(file, key), {**options, "file": file}
    return TableStarted(
        key=given.key,
        code=given.code,
        at=given.at,
        created_at=given.at,
        game=key,
        options=options,
        players=kept["players"],
        keep_corrections=command.keep_corrections,
        owner=asker.phone or "",
        settings=structs.replace(command.settings, dice_set=dice_set_name(command.settings.dice_set)),
        lines=[Entry(seq, IMPORTED.format(seq), body, "", given.at) for seq, body in enumerate(bodies, 1)],
        results=results,
        digest=digest,
        early=table.ended_early,
    )


MOST_REPLAYED = 20_000  # steps of all corrections of an imported log; each replays the game


def bodies_of(record: Json, table: scorer.Table) -> list[Json]:
    """The bodies of the lines of a table that continues `record`; `table` is the record's game.

    They are those of the record's log if it names pictures and is that of its game, else one for each action.
    """
    actions = [{"do": action} for action in table.record()["actions"]]
    try:
        return _logged_bodies(record["proof"], table) or actions
    except (scorer.Refusal, LookupError, TypeError, ValueError, AttributeError):
        return actions


def actions_in(bodies: Iterable[Json]) -> Iterator[Json]:
    """All actions of these lines, also those undone and corrected."""
    for body in bodies:
        yield from (body[name] for name in ("do", "action") if name in body)
        for settled in body.get("settled", ()):
            yield from settled["actions"]


def is_imported(entry: Entry) -> bool:
    """Whether a line of the log came with a record."""
    return not entry.device and entry.request == IMPORTED.format(entry.seq)


def pictures_elsewhere(entries: Sequence[Entry]) -> int:
    """How many lines name a picture that did not come with the record."""
    return sum(is_imported(entry) and proof.hash_in(entry.body) is not None for entry in entries)


def _logged_bodies(proof_json: Any, table: scorer.Table) -> list[Json] | None:
    """The bodies of a record's log; None if it is that of another game, was changed, or names no picture."""
    bodies: list[Json] = []
    kept = table.record()
    again = scorer.Table(table.game, kept["players"])
    before, replayed = proof.start_of(proof_json["setup"]), 0
    for line in proof_json["log"][: 4 * scorer.MOST_ACTIONS]:
        before = proof.next_hash(before, line)
        if "correct" in line["body"]:
            replayed += again.version
        if replayed > MOST_REPLAYED:
            return None
        bodies.append(_do(again, line["body"]))
    fits = proof_json["code"] == proof.code_of(before) and again.record() == kept
    return bodies if fits and any(proof.hash_in(body) is not None for body in bodies) else None


def _do(table: scorer.Table, entry: Json) -> Json:
    """Does what a line says; returns its body, with nothing that the rules passed over. Raises what `apply` does."""
    body: Json
    if "do" in entry:
        apply(table, {"do": entry["do"]})
        body = {"do": entry["do"]}
        if proof.hash_in(entry) is not None or entry.get(proof.PICTURE) in (proof.BY_HAND, proof.NOT_KEPT):
            body[proof.PICTURE] = entry[proof.PICTURE]
    elif "undo" in entry:
        body = {"undo": True}
        apply(table, body)
    else:
        settled = [{name: each[name] for name in ("at", "drop", "actions")} for each in entry.get("settled", ())]
        body = {"correct": entry["correct"], "action": entry["action"], "drop_tail": bool(entry["drop_tail"])}
        body |= {"settled": settled} if settled else {}
        apply(table, body)
    return body
