"""Makes the view of a state: the same for all phones, and in no language."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from web.table.access_list import table_id
from web.table.commands import Chosen
from web.table.imported_log import pictures_elsewhere
from web.table.moves import last_step
from web.table.preview import outcome_of_photo, standing
from web.table.proof import code_of
from web.table.state import State
from web.table.view import ProofView, RecentLine, View, pending_photo
from web.table.watching import watch_view

RECENT_LINES = 4
KINDS: tuple[Literal["do", "undo", "correct"], ...] = ("do", "undo", "correct")
CHOSEN = {each.name for each in fields(Chosen)} & set(View.__struct_fields__)  # settings that the view names alike


def view_of(state: State, stamp: str, abilities: Mapping[str, Any]) -> View:
    """`stamp`: changes with every change of the view. `abilities`: the keys of the view that the server sets."""
    photo = state.photo
    return View(
        id=table_id(state.row.key),
        stamp=stamp,
        version=state.version,
        standing=standing(state.table),
        pending=None if photo is None else pending_photo(photo, outcome_of_photo(state.table, photo) or UNSET),
        watched=None if state.watched is None else watch_view(state.watched),
        recent=[
            RecentLine(seq=each.seq, kind=kind, body=each.body, device=each.device, at=each.at, request=each.request)
            for each in state.entries[-RECENT_LINES:]
            for kind in KINDS
            if kind in each.body
        ],
        last_move=state.moves[-1] if state.moves else None,
        came_with=state.moves[-2] if last_step(state.moves, state.entries) > 1 else None,
        steps=len(state.moves),
        next=state.row.next_key,
        lost=state.lost,
        learnt=len(state.samples),
        forgotten=state.forgotten,
        advised_by=state.chosen_by.get("advice", ""),
        closed=state.access.closed,
        guarded=state.access.guarded,
        code=state.row.code,
        proof=_proof(state),
        **{name: getattr(state.chosen, name) for name in CHOSEN},
        **abilities,
    )


def _proof(state: State) -> ProofView | UnsetType:
    if state.last_hash is None:
        return UNSET
    code, elsewhere = code_of(state.last_hash), pictures_elsewhere(state.entries)
    by = state.chosen_by.get("keeps_pictures", "")
    return ProofView(keeps=state.chosen.keeps_pictures, by=by, code=code, elsewhere=elsewhere)
