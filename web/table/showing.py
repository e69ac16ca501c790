"""Makes the view of a state: the same for all phones, and in no language."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, cast

from msgspec import UNSET

import scorer
from scorer.correcting import Settlement
from web.problems.problem import Problem
from web.table.access_list import table_id
from web.table.game_decisions import check_step, only_set_aside, propose
from web.table.json_document import RefusalDocument
from web.table.moves import scores_of
from web.table.new_tables import pictures_elsewhere
from web.table.next_choices import choices_after, stayed_before
from web.table.photo_state import WATCH, Read, UnderReview, photo_fields
from web.table.proof import code_of, proof_document
from web.table.state import State
from web.table.stored_table import Json, shown_body
from web.table.view import (
    CorrectionPreview,
    GameMoment,
    Pending,
    ProofView,
    RecentLine,
    SettledSteps,
    Standing,
    ThrowOutcome,
    ThrowPreview,
    TurnPreview,
    TurnView,
    UndoPreview,
    View,
)
from web.table.watching import watch_view

RECENT_LINES = 4
KINDS: tuple[Literal["do", "undo", "correct"], ...] = ("do", "undo", "correct")


def view_of(
    state: State, stamp: str, shown: Standing, moments: Sequence[GameMoment], abilities: Mapping[str, Any]
) -> View:
    """`stamp`: changes with every change of the view. `shown`: the table's `standing`. `moments`: `moments_of` it.
    `abilities`: the keys of the view that the server sets."""
    photo, moves = state.photo, state.steps.moves
    return View(
        id=table_id(state.row.key),
        stamp=stamp,
        version=state.version,
        standing=shown,
        pending=None
        if photo is None
        else Pending(**photo_fields(photo), would=outcome_of_photo(state.table, photo) or UNSET),
        watched=None if state.watched is None else watch_view(state.watched),
        recent=[
            RecentLine(
                seq=each.seq,
                kind=kind,
                body=shown_body(each.body) if kind == "correct" else each.body,
                device=each.device,
                at=each.at,
                request=each.request,
            )
            for each in state.entries[-RECENT_LINES:]
            for kind in KINDS
            if kind in each.body
        ],
        last_move=moves[-1] if moves else None,
        came_with=moves[-state.steps.together : -1],
        moments=moments,
        steps=len(moves),
        next=state.row.next_key,
        lost=state.lost,
        learnt=len(state.samples),
        forgotten=state.forgotten,
        settings=state.settings,
        set_by=state.set_by,
        closed=state.access.closed,
        guarded=state.access.guarded,
        code=state.row.code,
        proof=UNSET if state.hash_of_log is None else _proof(state, state.hash_of_log),
        **abilities,
    )


def _proof(state: State, hash_of_log: str) -> ProofView:
    return ProofView(code=code_of(hash_of_log), elsewhere=pictures_elsewhere(state.entries))


def record(state: State) -> Json:
    """The game record; with the log and its code if the table kept pictures of its throws."""
    kept: Json = state.table.record()
    if state.hash_of_log is None:
        return kept
    return {**kept, "proof": proof_document(state.row, state.entries, state.hash_of_log)}


def undo(state: State) -> UndoPreview:
    """What an undo would take back now. Raises `scorer.NothingToUndo`."""
    trial = state.table.copy()
    for _ in range(state.steps.together):
        trial.undo()
    return UndoPreview(
        version=state.version,
        move=state.moves[-1],
        before=scores_of(state.table.game, state.table.state),
        after=scores_of(trial.game, trial.state),
        turn=(state.table.turn["points"], trial.turn["points"]),
    )


def correction(
    state: State,
    step: int,
    action: Json,
    said: Sequence[int | None],
    describe: Callable[[scorer.Refusal], RefusalDocument],
) -> CorrectionPreview:
    """What correcting `step` (from 1) would change. `said`: as in `commands.Correct`. `describe`: makes the document of
    a refusal, in the language of the phone that asks."""
    check_step(step, state.table.version)
    corrected, settled = propose(state.table, step, action, said)
    kept = propose(state.table, step, action, ())[1] if said else settled
    move = state.moves[step - 1]
    alone = only_set_aside(corrected) if step == corrected.version else None
    if alone is not None:
        corrected.do(alone)
    return CorrectionPreview(
        version=state.version,
        was=move.action,
        seq=move.seq,
        before=scores_of(state.table.game, state.table.state),
        after=scores_of(corrected.game, corrected.state),
        settled=[
            SettledSteps(
                drop=each.drop,
                because=None if each.because is None else describe(each.because),
                adjustments=each.actions,
                allowed=_allowed_set_asides(state.table, corrected, settled[:number], was),
            )
            for number, (each, was) in enumerate(zip(settled, kept, strict=False))
        ],
        dropped=sum(each.drop for each in settled if not each.actions),
        choices=[entry for entry in state.table.legal_before(step) if entry["do"] != "throw"],
        turn=(_turn(state.table), _turn(corrected)),
        set_aside=alone,
        over=corrected.over,
    )


def _allowed_set_asides(
    table: scorer.Table, corrected: scorer.Table, earlier: Sequence[Settlement], place: Settlement
) -> list[Json]:
    """As `SettledSteps.allowed`. `earlier`: the settled places before this `place`, which keeps its former points."""
    worth = next((each["points"] for each in place.actions if each.get("what") == "turn"), 0)
    dice = table.steps[place.at - 1].action.get("dice")
    old = next((each for each in table.legal_before(place.at) if _is_set_aside(each) and each["dice"] == dice), None)
    if worth <= 0 or old is None:
        return []
    at = place.at + sum(len(each.actions) - each.drop for each in earlier)
    found = [each for each in corrected.legal_before(at) if _is_set_aside(each)]
    totals = [{**each, "points": worth + each["points"] - old["points"]} for each in found]
    return sorted(totals, key=lambda each: -each["points"])


def _is_set_aside(entry: Json) -> bool:
    return bool(entry["do"] == "set-aside")


def count_is_chosen(legal: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the player chooses how many dice he throws now: then the photo tells it."""
    return len({entry["count"] for entry in legal if entry["do"] == "throw"}) > 1


def next_throw(
    state: State, version: int | None = None, before: Json | None = None, turn: Mapping[str, Any] | None = None
) -> tuple[int, list[int]]:
    """How many dice the next throw has, and the values of the dice set aside or kept that lie beside it. `before`: the
    action that comes first. `turn`: of the standing, if it is known.

    Raises `Problem` if no throw may come now or `version` is stale; `scorer.IllegalAction` for a wrong `before`.
    """
    state.check_whole()
    state.access.check_open()
    state.check_version(version)
    if before is not None:
        trial = state.table.copy()
        trial.do(before)
        turn = trial.turn
    turn = turn or state.table.turn
    if not turn["expects"]:
        raise Problem("no-throw-now", 409)
    return turn["expects"], _values_beside(turn, state.table.game.dice)


def outcome_of_photo(table: scorer.Table, photo: UnderReview | None) -> ThrowOutcome | None:
    """The outcome of confirming a photo that was read for sure; None for any other photo."""
    if not isinstance(photo, Read) or photo.details.source == WATCH or not photo.result.sure:
        return None
    return outcome_of_throw(table, [die.value for die in photo.result.dice], photo.details.keep)


def outcome_of_throw(table: scorer.Table, dice: Sequence[int], keep: Sequence[int] | None) -> ThrowOutcome | None:
    """The outcome of this throw after the dice in `keep` are kept; None if the throw is not legal now."""
    game, state = table.game, table.state
    try:
        if keep is not None:
            state, _ = game.apply(state, {"do": "keep", "dice": list(keep)})
        state, events = game.apply(state, {"do": "throw", "dice": list(dice)})
    except scorer.Refusal:  # not as many dice as were to be thrown
        return None
    turn, legal = game.turn(state), [] if state.over else game.legal(state)
    game.add_banking(state, legal)
    ends_turn = any(event["event"] == "turn" for event in events)
    choices = [] if ends_turn else choices_after(game, state, turn["points"], legal)
    to_act = list(game.to_act(state))
    return ThrowOutcome(
        to_act=to_act, turn=cast(TurnView, turn), legal=legal, events=cast(Any, events), choices=choices
    )


def preview_throw(table: scorer.Table, dice: Sequence[int], keep: Sequence[int] | None) -> ThrowPreview:
    """The outcome of a throw; if these are fewer dice than are to be thrown, after the only keep that is possible.

    Of several, a person says which: one tap would confirm a guess as it is."""
    would = outcome_of_throw(table, dice, keep)
    stayed = [] if would else stayed_before(table, len(dice))
    if stayed:
        keep = stayed[0] if len(stayed) == 1 else None
        would = None if keep is None else outcome_of_throw(table, dice, keep)
    return ThrowPreview(would=would, keep=keep, stayed=stayed)


def standing(table: scorer.Table) -> Standing:
    """The standing; each legal set-aside tells whether the turn may be banked after it."""
    found = table.standing()
    table.game.add_banking(table.state, found["legal"])
    return cast(Standing, found)


def _turn(table: scorer.Table) -> TurnPreview:
    return TurnPreview(to_act=table.to_act, points=table.turn["points"])


def _values_beside(turn: Mapping[str, Any], dice: int) -> list[int]:
    """The values of the dice beside the next throw: as many as are not thrown of all `dice`.

    They are the last ones set aside: when all dice scored, all are thrown again.
    """
    aside = [turn.get("beside") or [], *(turn.get("set_aside") or [])]
    values = turn.get("kept") or [value for group in aside for value in group]
    count = max(0, dice - turn["expects"])
    return values[len(values) - count :] if count < len(values) else values
