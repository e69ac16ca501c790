"""What the camera sees is a command like any other: what of it a table takes, and what phones do with it meanwhile."""

from dataclasses import replace

import pytest
from msgspec import structs

from tests.web.table.test_session import ASKER, act, new_state
from web.problems.problem import Problem
from web.table import commands, events
from web.table.commands import SERVER, Asker, ChooseWay, Command, FollowTable, HoldProposal, LookAgain, Observe
from web.table.deciding import decide
from web.table.json_document import RefusalDocument
from web.table.photo_state import CAMERA_NAME, WATCH, FoundDie, PhotoDetails, Read, ReadingResult
from web.table.state import State, evolve
from web.table.umpire import Action, Cleared, DiceAtRest, Moving, Observation, RestingDie
from web.table.watching import TableWatch, watch_view

CAMERA = Asker(name=CAMERA_NAME)
OF_THE_CAMERA = (Observe, FollowTable, commands.TellTrouble)
ROW = tuple(
    RestingDie(value, (60.0 * place, 0, 60.0 * place + 40, 40)) for place, value in enumerate((1, 1, 6, 6, 3, 4))
)
NEXT = tuple(RestingDie(value, (60.0 * place, 300, 60.0 * place + 40, 340)) for place, value in enumerate((2, 3, 4, 6)))
TROUBLE = RefusalDocument(reason="camera-failed", params={})


def after(state: State, *wanted: Command | Observation) -> State:
    """The state after these commands; an observation is what the camera sees."""
    for each in wanted:
        if isinstance(each, (Moving, Cleared, DiceAtRest)):
            each = Observe(now(state).look, each)
        decision = decide(state, each, CAMERA if isinstance(each, OF_THE_CAMERA) else ASKER)
        state = evolve(state, decision.events, decision.played)
    return state


def now(state: State) -> TableWatch:
    assert state.watched is not None
    return state.watched


def watched_state(by_itself: bool = False) -> State:
    return after(new_state(), commands.WatchTable(TableWatch("eye", by_itself=by_itself)))


def throw_lies(by_itself: bool = False) -> State:
    state = after(watched_state(by_itself), Moving(), DiceAtRest(ROW))
    assert now(state).proposal.stands
    return state


def chosen(state: State, request: str, way: int = 0) -> ChooseWay:
    return ChooseWay(version=state.version, request=request, id=now(state).proposal.id, way=way)


def do(state: State, *wanted: Action) -> State:
    return after(state, *(act(state, dict(each)) for each in wanted))


def test_of_two_phones_that_choose_one_way_one_is_told_that_it_came_late() -> None:
    state = throw_lies()
    first, second = chosen(state, "of-the-first"), chosen(state, "of-the-second")
    state = after(state, first)
    assert (state.version, now(state).done) == (1, 1)
    with pytest.raises(Problem) as late:
        decide(state, second, ASKER)
    assert late.value.reason == "stale"
    assert not decide(state, first, ASKER).events, "sent again, it counts once"


def test_of_two_phones_that_hold_a_proposal_each_may_choose_it() -> None:
    state = throw_lies(by_itself=True)
    assert watch_view(now(state)).runs_s is not None
    hold = HoldProposal(now(state).proposal.id)
    state = after(state, hold)
    assert watch_view(now(state)).runs_s is None
    assert not decide(state, hold, ASKER).events
    state = after(state, Moving(), FollowTable(now(state).look, True, False))
    assert now(state).countdown is None, "a hand that passes does not start the time again"
    assert after(state, chosen(state, "a-request")).version == 1


def test_a_refused_tap_stops_no_countdown() -> None:
    state = throw_lies(by_itself=True)
    with pytest.raises(Problem):
        decide(state, chosen(state, "a-request", way=20), ASKER)
    assert now(state).countdown is not None


def test_hands_that_go_on_confirm_and_propose_in_one_step() -> None:
    state = throw_lies()
    state = after(state, Moving(), DiceAtRest(tuple(replace(die, stayed=True) for die in ROW[:2])), Moving())
    there = DiceAtRest((*(replace(die, stayed=True) for die in ROW[:2]), *NEXT))
    found = [FoundDie(value=die.value, confidence=1, sure=True, box=die.box, alternatives=[]) for die in there.dice]
    picture = Read(PhotoDetails("a-photo", WATCH, CAMERA_NAME, 0, 0), 400, 400, ReadingResult(found))
    decision = decide(state, Observe(now(state).look, there, picture), CAMERA)
    assert [type(each) for each in decision.events] == [events.Logged, events.PhotoUnderReview, events.WatchChanged]
    state = evolve(state, decision.events, decision.played)
    assert (state.version, state.entries[0].device, now(state).done) == (1, CAMERA_NAME, 1)
    assert isinstance(state.photo, Read)
    assert [die.value for die in state.photo.result.dice] == [2, 3, 4, 6]
    assert [die.value for die in state.photo.result.aside] == [1, 1]
    assert (state.photo.details.set_aside, state.photo.details.expects) == ([1, 1], 4)
    assert after(state, LookAgain()).photo is None


def test_what_a_phone_does_meanwhile_is_followed() -> None:
    state = throw_lies()
    before = now(state).proposal
    state = do(state, {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    assert now(state).proposal == before
    with pytest.raises(Problem):
        decide(state, chosen(throw_lies(), "a-request"), ASKER)
    state = after(state, FollowTable(now(state).look, True, False))
    assert (now(state).proposal.state, list(now(state).proposal.ways)) == ("resting", [])
    assert not decide(state, FollowTable(now(state).look, True, False), CAMERA).events, "all is told"


def test_what_was_seen_before_somebody_asked_to_look_again_counts_no_more() -> None:
    state = watched_state()
    before = Observe(now(state).look, DiceAtRest(ROW))
    state = after(state, LookAgain())
    assert not decide(state, before, CAMERA).events
    state = after(state, structs.replace(before, look=now(state).look))
    assert watch_view(now(state)).question is not None


def test_a_camera_that_fails_over_a_throw_leaves_it_to_be_chosen() -> None:
    """Also if the watch began anew meanwhile, and tells of the same dice."""
    state = throw_lies(by_itself=True)
    before = now(state).proposal
    state = after(state, commands.TellTrouble("eye", TROUBLE))
    shown = watch_view(now(state))
    assert (shown.state, shown.ways, shown.runs_s) == ("trouble", [], None)
    assert not decide(state, commands.TellTrouble("eye", TROUBLE), CAMERA).events
    rest = after(state, FollowTable(now(state).look, True, False))
    assert now(rest).proposal == before
    anew = after(state, Moving(), DiceAtRest(tuple(replace(die, stayed=True) for die in ROW)))
    assert watch_view(now(anew)).ways == before.ways
    assert after(anew, chosen(anew, "a-request")).version == 1


@pytest.mark.parametrize("ended", [commands.StopWatching(), commands.CloseTable(), commands.DeleteTable()])
def test_a_watching_that_ended_changes_nothing_more(ended: Command) -> None:
    state = throw_lies()
    look, going = now(state).look, after(state, ended)
    assert going.watched is None
    late: list[Command] = [Observe(look, Moving()), FollowTable(look, True, True), commands.TellTrouble("eye", TROUBLE)]
    assert [each for each in late if decide(going, each, CAMERA).events] == []
    if isinstance(ended, commands.StopWatching):
        again = after(going, commands.WatchTable(TableWatch("another")))
        assert not decide(again, Observe(look, Moving()), CAMERA).events, "it is of the watching before"
        assert not decide(again, commands.StopWatching("eye"), SERVER).events
        with pytest.raises(Problem, match="does not watch"):
            decide(going, LookAgain(), ASKER)


def test_the_same_watching_goes_on_with_what_it_saw() -> None:
    state = throw_lies(by_itself=True)
    how = TableWatch("eye", stand="Ada's phone", by_itself=True, countdown=now(state).countdown)
    seen = now(after(state, commands.WatchTable(how)))
    assert (seen.stand, seen.proposal, seen.countdown) == ("Ada's phone", now(state).proposal, now(state).countdown)
    assert now(after(state, commands.WatchTable(replace(how, countdown=None)))).countdown is None


def test_phones_tell_a_table_nothing_in_the_cameras_name() -> None:
    state = throw_lies()
    for each in (Observe(now(state).look, Cleared()), FollowTable(now(state).look, True, True)):
        with pytest.raises(Problem):
            decide(state, each, ASKER)
