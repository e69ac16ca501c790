"""Decides how a new table begins, of a game or of an imported record. A table that follows another: `deciding`."""

import scorer
from web.table import commands
from web.table.commands import Asker, Given
from web.table.events import TableStarted
from web.table.imported_log import actions_in, bodies_of
from web.table.names import check_shown, names_given
from web.table.replay import outcome
from web.table.stored_table import IMPORTED, Entry


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
        chosen=command.chosen,
        lines=[Entry(seq, IMPORTED.format(seq), body, "", given.at) for seq, body in enumerate(bodies, 1)],
        results=results,
        digest=digest,
        early=table.ended_early,
    )
