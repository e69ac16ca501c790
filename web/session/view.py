"""What phones are shown of a table: the same for each of them, and in no language."""

from web.session.log import Entry
from web.session.moves import last_step
from web.session.photo import UnderReview, to_json
from web.session.preview import after_photo, standing
from web.session.replay import Json
from web.session.state import State

RECENT_LINES = 4


def view(state: State, stamp: str, abilities: Json) -> Json:
    """`stamp`: changes with every change of the view. `abilities`: what the server can do besides the rules."""
    return {
        "stamp": stamp,
        "version": state.version,
        "standing": standing(state.table),
        "pending": _pending(state),
        "watched": state.watched,
        "recent": [_line(entry) for entry in state.entries[-RECENT_LINES:]],
        "last_move": state.moves[-1] if state.moves else None,
        # What an undo takes back too.
        "came_with": state.moves[-2] if last_step(state.moves, state.entries) > 1 else None,
        "steps": len(state.moves),
        "next": state.row.next_key,
        "lost": state.lost,
        "learnt": len(state.samples),
        "forgotten": state.forgotten,
        "advice": state.advice,
        "advised_by": state.advised_by,
        "dice_set": state.dice_set,
        "closed": state.access.closed,
        "guarded": state.access.guarded,
        "code": state.row.code,
        **abilities,
    }


def _pending(state: State) -> Json | None:
    """The photo under review, without the numbers that a training sample is made of.

    `would`: what stands once a sure reading is confirmed, where something is to be chosen on the sheet then.
    """
    photo: UnderReview | None = state.photo
    if photo is None:
        return None
    shown = {name: value for name, value in to_json(photo).items() if name != "trace"}
    would = after_photo(state.table, photo)
    return shown if would is None else {**shown, "would": would}


def _line(entry: Entry) -> Json:
    kind = next(kind for kind in ("do", "undo", "correct") if kind in entry.body)
    # `request`: a phone knows its own changes by it.
    line = {"seq": entry.seq, "kind": kind, "body": entry.body, "device": entry.device, "at": entry.at}
    return {**line, "request": entry.request}
