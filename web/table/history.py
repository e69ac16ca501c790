"""The history of a game, in pages from the newest step back. Pure."""

from collections.abc import Iterator

from web.table.json_document import Document, first_page
from web.table.state import State
from web.table.stored_table import shown_body
from web.table.view import GameHistory, HistoryLine, Move, StepPlace

PLACES = 100_000  # more than a game has steps: a line's number times this, and that of a step, is an item's place


class _Item(Document, frozen=True, kw_only=True):
    """A step with the line that made it, or a line without a step that still stands. `place`: the newest has the
    highest."""

    place: int
    line: HistoryLine
    move: Move | None = None
    where: StepPlace | None = None


def history_page(state: State, after: int, most: int) -> GameHistory:
    """A page of so many steps and lines. `after`: the `next` of the page that was shown before, 0 for the newest."""
    found, more = first_page(_items(state, after or len(state.entries) * PLACES + PLACES), most)
    places = sorted((each.where for each in found if each.where is not None), key=lambda place: place.number)
    lines = {each.line.seq: each.line for each in reversed(found)}
    return GameHistory(
        version=state.version,
        moves=[state.moves[place.number - 1] for place in places],
        places=places,
        log=[*lines.values()],
        next=str(found[-1].place) if more else None,
    )


def _items(state: State, before: int) -> Iterator[_Item]:
    """All items with lower places than `before`, the highest first."""
    turns, of_lines = state.turns, state.steps_of_lines
    for entry in reversed(state.entries[: before // PLACES]):
        made = of_lines.get(entry.seq, ())
        body, changed = shown_body(entry.body), state.steps.changed.get(entry.seq)
        line = HistoryLine(seq=entry.seq, body=body, device=entry.device, at=entry.at, changed=changed)
        for number in (*reversed(made), *(() if made and "do" in entry.body else (0,))):
            if (place := entry.seq * PLACES + number) >= before:
                continue
            if not number:
                yield _Item(place=place, line=line)
                continue
            whose, turn, throws = turns[number - 1]
            where = StepPlace(number=number, turn_of=whose, turn=turn, throw=throws)
            yield _Item(place=place, line=line, move=state.moves[number - 1], where=where)
