"""What happens in videos: dice lie when it says so, with the values it says, and nothing is told that is not so."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render import dice_styles
from datasets.render.scene import Solid
from datasets.video.acting import DISTURBANCES, FilmEvent, Manners, Play, ScriptedThrow, UnplayableError, check, play
from datasets.video.stage import any_stage

SIZE = (320, 240)
PLAIN = Manners(push=0.0, outside=0.0, wait=1.0, linger=0.0, disturb=0.0, lost=0.0, clear=0.0)
SCRIPT = [ScriptedThrow((1, 1, 6, 6, 3), (1, 1)), ScriptedThrow((2, 5, 4), (1, 1, 5)), ScriptedThrow((6, 2), ())]


def act_out(manners: Manners, script: list[ScriptedThrow] = SCRIPT, seed: int = 1, count: int = 6) -> Play:
    for attempt in range(20):
        stage = any_stage(seed, 0, attempt, SIZE, None, count)
        try:
            return play(np.random.default_rng([seed, attempt]), stage, script, manners)
        except UnplayableError:
            continue
    raise AssertionError("no stage on which it can be played")


def top_value(body: Solid) -> int:
    """The value of the face that looks up."""
    return int(body.values[int(np.argmax((dice_styles.NORMALS @ body.rotation.T)[:, 2]))])


def rests(made: Play) -> list[FilmEvent]:
    return [event for event in made.events if event.event != "moving"]


@pytest.mark.parametrize("seed", range(3))
def test_dice_lie_with_their_values_and_no_hand_is_seen_at_each_rest(seed: int) -> None:
    made = act_out(Manners(push=0.5, disturb=0.8, lost=0.2, linger=0.5), seed=seed)
    visits = [(i.start, i.end) for i in made.incidents if i.what == "a hand at the edge"]
    assert len(rests(made)) == len(made.rests)
    for event, (start, end) in zip(rests(made), made.rests, strict=True):
        assert event.at == start
        for at in np.linspace(start + 1e-3, end - 0.05, 12):
            bodies = made.bodies(float(at))
            assert [key[0] for _, key in bodies] == sorted(event.dice)
            assert all(key[2] for _, key in bodies)
            assert sorted(top_value(body) for body, _ in bodies) == sorted(event.values)
            if not any(a <= at <= b for a, b in visits):
                assert not any(hand.is_in_frame(made.stage, float(at)) for hand in made.hands)
    # whatever moves is told before the rest that it ends in
    names = [event.event for event in made.events]
    assert all(a == "moving" for a, b in pairwise(names) if b != "moving")
    assert [event.at for event in made.events] == sorted(event.at for event in made.events)


def test_what_stays_does_not_move_and_what_is_pushed_does() -> None:
    made = act_out(replace(PLAIN, push=1.0, far=True))
    pushed = 0
    for before, after in pairwise(rests(made)):
        places = [{k[0]: b.position for b, k in made.bodies(e.at + 1e-3)} for e in (before, after)]
        for die in after.dice:
            if die in before.dice:
                moved = float(np.linalg.norm(places[0][die] - places[1][die]))
                assert (moved < 1e-6) == (die in after.stayed)
                assert (moved > 0.6) == (die in after.pushed) or die not in places[0]
        pushed += len(after.pushed)
    assert pushed >= 2


def test_the_script_is_what_happens() -> None:
    made = act_out(PLAIN)
    lay = [sorted(event.values) for event in rests(made)]
    assert lay == [[1, 1, 3, 6, 6], [1, 1], [1, 1, 2, 4, 5], [1, 1, 5], [1, 1, 2, 5, 6]]
    stayed = [sorted(made.actors[i].values[-1] for i in event.stayed) for event in rests(made)]
    assert stayed == [[], [1, 1], [1, 1], [1, 1, 5], [1, 1, 5]]


def test_a_hand_that_does_not_leave_makes_no_rest_and_one_that_lifts_all_clears() -> None:
    quick = act_out(replace(PLAIN, wait=0.0, clear=1.0))
    assert [len(event.dice) for event in rests(quick)] == [5, 5, 5, 0]
    assert rests(quick)[-1].event == "cleared"
    assert [event.event for event in quick.events[:4]] == ["moving", "settled", "moving", "settled"]


def test_a_die_that_leaves_the_picture_spoils_a_throw_which_is_thrown_again() -> None:
    made = act_out(replace(PLAIN, lost=1.0), [ScriptedThrow((1, 2, 3), ())], count=3)
    spoilt = [event for event in rests(made) if event.spoilt]
    assert [len(event.dice) for event in spoilt] == [2]
    assert Counter(rests(made)[-1].values) == Counter([1, 2, 3])
    assert [i.what for i in made.incidents] == ["a die leaves the picture"]


def test_everything_that_disturbs_comes_up() -> None:
    found: set[str] = set()
    for seed in range(12):
        made = act_out(replace(PLAIN, disturb=1.0, linger=0.5, outside=0.3), seed=seed)
        found |= {incident.what for incident in made.incidents}
        for incident in made.incidents:
            if incident.what in DISTURBANCES:
                assert any(start <= incident.start and incident.end <= end for start, end in made.rests)
        if found == {*DISTURBANCES, "a hand stays at the edge"}:
            return
    raise AssertionError(f"only {found}")


def test_a_hand_that_lifts_or_throws_is_seen() -> None:
    made = act_out(PLAIN)
    moving = [event.at for event in made.events if event.event == "moving"]
    for at in moving:
        assert any(hand.is_in_frame(made.stage, at + 0.02) for hand in made.hands)


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ([ScriptedThrow((7,), ())], "throw 1: dice must be 1..6"),
        ([ScriptedThrow((1, 2), (3,))], r"throw 1: \[3\] cannot be kept, it does not lie there"),
        ([ScriptedThrow((1, 2), (1, 2)), ScriptedThrow((3, 4, 5, 6, 6), ())], "throw 2: 1 to 6 dice may lie, got 7"),
        ([ScriptedThrow((), ())], "throw 1: 1 to 6 dice may lie, got 0"),
    ],
)
def test_a_script_that_makes_no_sense_is_refused(script: list[ScriptedThrow], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        check(script, 6)
