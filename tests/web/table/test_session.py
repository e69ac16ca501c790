"""A table as a session: what happens when something is asked, and the state after it. No server, disk or thread."""

from dataclasses import replace
from typing import Any

import pytest

import scorer
from web.problems.problem import Problem
from web.table import commands, deciding, events
from web.table.access_list import AccessList, KnownPhone, tag
from web.table.commands import SERVER, Act, Asker, Command, Correct, Evidence, Given, MarkedDie, Undo
from web.table.deciding import SentBefore, decide, unfounded_samples
from web.table.evidence import shown_throw
from web.table.json_document import RefusalDocument
from web.table.photo_state import Failed, FoundDie, PhotoDetails, Read, ReadingResult, Waiting
from web.table.state import State, empty_state, evolve
from web.table.stored_table import MOST_SAMPLES, TableRow
from web.table.view import TableSettings

OWNER, GUEST = "the-owners-phone", "a-guests-phone"
ASKER = Asker(phone=OWNER, name="Ada's phone")
GIVEN = Given(at="2026-11-25T10:00:00Z", code="WXYZ23")
OF_THE_SERVER = (commands.AddSample, commands.MovePhoto)
THROW = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
ASIDE = {"do": "set-aside", "dice": [1, 1]}
GAMES = [info.key for info in scorer.games()]


def row(game: str = "ones-and-fives", *players: str) -> TableRow:
    return TableRow(7, "a-key", "ABCDEF", game, {}, players or ("Ada", "Bob"), False, "", "", None)


def new_state(game: str = "ones-and-fives") -> State:
    access = AccessList(OWNER, phones={GUEST: KnownPhone("Bob's phone", "2026-11-25T09:00:00Z")})
    return replace(empty_state(row(game)), access=access)


def state_after(state: State, *wanted: Command, asker: Asker = ASKER) -> State:
    for each in wanted:
        decision = decide(state, each, SERVER if isinstance(each, OF_THE_SERVER) else asker, GIVEN)
        state = evolve(state, decision.events, decision.played)
    return state


def act(state: State, action: dict[str, Any], **more: Any) -> Act:
    return Act(version=state.version, request=f"request-{state.version}", action=action, **more)


def state_of_game(*actions: dict[str, Any]) -> State:
    state = new_state()
    for action in actions:
        state = state_after(state, act(state, action))
    return state


def reason(state: State, wanted: Command, asker: Asker = ASKER) -> str:
    with pytest.raises((Problem, scorer.Refusal)) as refused:
        decide(state, wanted, asker)
    return str(getattr(refused.value, "reason", ""))


def photo(state: State, name: str = "a-photo", **more: Any) -> Read:
    die = FoundDie(value=1, confidence=0.9, sure=True, box=(0.0, 0.0, 9.0, 9.0), alternatives=())
    return Read(
        PhotoDetails(name, "photo", "phone", state.version, 6, **more), 300, 400, ReadingResult([die] * 6, sure=True)
    )


def test_only_a_throw_at_a_table_that_agreed_has_its_picture_as_proof() -> None:
    state = state_after(new_state(), commands.ShowPhoto(photo(new_state())))
    agreed = replace(state, settings=TableSettings(keeps_pictures=True))
    throw, choice = (act(state, action, evidence=Evidence("a-photo")) for action in (THROW, ASIDE))
    assert shown_throw(agreed, throw) == "a-photo"
    assert shown_throw(state, throw) is shown_throw(agreed, choice) is None


def test_a_state_stays_as_it_was() -> None:
    before = state_of_game(THROW)
    record, moves = before.table.record(), before.moves
    state_after(before, act(before, ASIDE))
    state_after(before, Undo(version=1, request="an-undo"))
    reason(before, act(before, {"do": "bank"}))
    assert (before.table.record(), before.moves) == (record, moves)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (Act(version=0, request="request-x", action={"do": "bank"}), "stale"),
        (Act(version=1, request="request-x", action=ASIDE, plays_for=1), "other-players-turn"),
        (Act(version=1, request="request-x", action=ASIDE, evidence=Evidence("no-photo")), "no-reading"),
        (Undo(version=0, request="request-x"), "stale"),
        (Correct(version=1, request="request-x", step=2, action=THROW), "no-such-step"),
        (commands.ChangeSettings(dice_set="x" * 41), "dice-set-long"),
        (commands.RemovePhone("nobody"), "no-such-phone"),
    ],
)
def test_refused_with_its_reason(wanted: Command, why: str) -> None:
    assert reason(state_of_game(THROW), wanted) == why


def test_at_a_closed_table_nothing_is_played_and_its_photo_is_put_away() -> None:
    state = state_after(new_state(), commands.ShowPhoto(photo(new_state())), commands.CloseTable())
    assert (state.photo, state.access.closed) == (None, True)
    assert reason(state, act(state, THROW)) == "table-closed"
    assert reason(state, commands.ChangeSettings(advice="odds")) == "table-closed"
    opened = state_after(state, commands.CloseTable(False))
    assert state_after(opened, act(opened, THROW)).version == 1


def test_a_confirmed_photo_leaves_with_what_the_person_said_of_it() -> None:
    state = state_after(new_state(), commands.ShowPhoto(photo(new_state())))
    evidence = Evidence("a-photo", [MarkedDie(1, (0.0, 0.0, 9.0, 9.0))] * 6)
    happened = decide(state, act(state, {"do": "throw", "dice": [1] * 6}, evidence=evidence), ASKER).events
    left = [each for each in happened if isinstance(each, events.PhotoRemoved)]
    assert [each.evidence for each in left] == [evidence]
    assert evolve(state, happened).photo is None


def test_a_photo_belongs_to_the_state_that_it_names_and_comes_once() -> None:
    state = new_state()
    shown = state_after(state, commands.ShowPhoto(photo(state, request="photo-request")))
    with pytest.raises(SentBefore):
        decide(shown, commands.ShowPhoto(photo(state, "again", request="photo-request")), ASKER)
    assert reason(state_of_game(THROW), commands.ShowPhoto(photo(state))) == "stale"
    assert not decide(shown, commands.Discard("another"), ASKER).events
    assert reason(shown, commands.Discard("a-photo", plays_for=1)) == "other-players-turn"


def test_a_photo_replaces_only_one_that_it_may() -> None:
    state = new_state()
    first, second = photo(state), photo(state, "another")
    shown = state_after(state, commands.ShowPhoto(first, ""))
    for under_review in (shown, state_after(state, commands.ShowPhoto(Waiting(first.details)))):
        for wrong in ("", "one-before"):
            assert reason(under_review, commands.ShowPhoto(second, wrong)) == "photo-waits"
        for right in (first.details.id, None):
            assert state_after(under_review, commands.ShowPhoto(second, right)).photo == second
    failed = Failed(first.details, RefusalDocument(reason="reader-failed", params={}, message=""))
    assert state_after(state, commands.ShowPhoto(failed), commands.ShowPhoto(second, "")).photo == second, (
        "nobody needs it"
    )


def test_a_place_in_the_queue_is_shown_and_not_stored() -> None:
    waiting = Waiting(PhotoDetails("a-photo", "photo", "phone", 0, 6), place=3)
    state = state_after(new_state(), commands.ShowPhoto(waiting))
    assert not decide(state, commands.MovePhoto(3), SERVER).events
    moved = state_after(state, commands.MovePhoto(1)).photo
    assert isinstance(moved, Waiting)
    assert moved.place == 1


def test_samples_go_with_their_throw() -> None:
    state = state_after(state_of_game(THROW), commands.AddSample(1, b"sample"))
    assert unfounded_samples(state) == []
    undone = state_after(state, Undo(version=1, request="an-undo"))
    assert unfounded_samples(undone) == [events.SamplesDropped(frozenset({1}))]
    many = replace(new_state(), samples=frozenset(range(-MOST_SAMPLES, 0)))
    full = state_after(many, commands.AddSample(1, b"sample"))
    assert full.samples == {1, *range(-MOST_SAMPLES + 1, 0)}


def test_removed_phones_need_the_new_code() -> None:
    state = state_after(new_state(), commands.RemovePhone(tag("a-key", GUEST)))
    assert (state.row.code, state.access.guarded, state.access.phones[GUEST].out) == ("WXYZ23", True, True)
    assert not state.access.lets_in(GUEST)
    let_in = state_after(state, commands.RemovePhone(tag("a-key", GUEST), out=False))
    assert (let_in.access.lets_in(GUEST), let_in.row.code) == (True, "WXYZ23")
    assert reason(state, commands.Arrive(), Asker("a-stranger", "Bob")) == "invitation-needed"


def test_who_acts_by_another_name_is_listed_by_it() -> None:
    state = new_state()
    asker = replace(ASKER, phone=GUEST, name="Robert")
    assert state_after(state, act(state, THROW), asker=asker).access.phones[GUEST].name == "Robert"


def test_every_command_is_decided() -> None:
    """But for `Start`, of which a table comes (`new_tables.start`)."""
    declared = {*Command.__subclasses__(), *commands.Change.__subclasses__()} - {commands.Change}
    assert declared == set(deciding._RULES)


@pytest.mark.parametrize("game", GAMES)
def test_a_person_writes_no_total_that_the_game_cannot_give(game: str) -> None:
    state = new_state(game)

    def total(points: int) -> Act:
        return act(state, {"do": "adjust", "what": "total", "player": 0, "points": points})

    lowest = -100_000 if game == "zilch" else 0
    assert [state_after(state, total(points)).version for points in (lowest, 0, 100_000)] == [1] * 3
    for points in (lowest - 5, 100_001, 995_000, 10**6):
        assert reason(state, total(points)) == "points-out-of-bounds"
