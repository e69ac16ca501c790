"""The kinds of disturbed films, each a function that tells a `Take` what happens; its name is the film's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from datasets.video.disturbing import RATE, Change, Moment, ReachingHand, Scenery, Take, sway, way_through

_WHOLE: Final = 60.0  # seconds: longer than any film

Kind = Callable[[Take], object]
KINDS: dict[str, Kind] = {}
# How the scenery of a kind differs from its clip's.
SCENERIES: dict[str, Callable[[Scenery], Scenery]] = {}


def kind(scenery: Callable[[Scenery], Scenery] | None = None) -> Callable[[Kind], Kind]:
    """Declares a kind of films."""

    def declare(play: Kind) -> Kind:
        name = play.__name__.replace("_", "-")
        KINDS[name] = play
        if scenery is not None:
            SCENERIES[name] = scenery
        return play

    return declare


def _again(take: Take) -> Take:
    """One die is taken away and thrown again: the next throw must not be lost."""
    last = len(take.scenery.values) - 1
    return take.last(0.8).lift(last).last(0.8).throw(last).last(1.3)


def _over_throw(take: Take, change: Change, before: float, after: float, hides: bool = True) -> Take:
    """The clip's throw comes to rest while something is there, from some seconds before until some after."""
    take.arrive(labelled=False)
    rest = take.at
    take.disturb(change, before + after, start=max(0.0, rest - before)).last(after)
    return take.rest(since=rest if hides else None)


def _pass_by(number: Sequence[float] = (-0.6, 1.7)) -> Change:
    return lambda moment, share: replace(moment, shadow=number[0] + share * (number[1] - number[0]))


def _place_of(take: Take, number: int) -> tuple[float, float]:
    """Where a die lies, in parts of the picture."""
    pose, (width, height) = take.pose_of(number), take.size
    return pose.x / width, pose.y / height


def _covers(take: Take, number: int, still: float) -> tuple[Change, float]:
    """A hand that comes, lies over this die for some seconds and goes; and how long all of it takes."""
    shown = Take(take.scenery, take.rng, Moment(dice=tuple(map(take.pose_of, range(len(take.scenery.values))))))
    shown.from_side = take.from_side
    shown.cover(number, still)
    hands = [moment.hands for moment in shown.moments]

    def change(moment: Moment, share: float) -> Moment:
        return replace(moment, hands=hands[min(int(share * len(hands)), len(hands) - 1)])

    return change, len(hands) / RATE


def _some(take: Take) -> list[int]:
    """The die nearest to the hand's side, and those beside it."""
    poses = [take.pose_of(number) for number in range(len(take.scenery.values))]
    first = poses[int(take.rng.integers(len(poses)))]
    near = sorted(poses, key=lambda each: float(np.hypot(each.x - first.x, each.y - first.y)))
    return [each.number for each in near[: max(1, len(poses) // 2)]]


# --- nothing but what belongs to a game ------------------------------------------------------------------------------


@kind()
def plain(take: Take) -> object:
    return _again(take.arrive())


@kind(lambda scenery: scenery.shrink(1 / 14))
def keep_all_but_one_at_a_14th(take: Take) -> object:
    return _again(_again(take.arrive()))


@kind(lambda scenery: scenery.shrink(1 / 20))
def keep_all_but_one_at_a_20th(take: Take) -> object:
    return _again(_again(take.arrive()))


@kind(lambda scenery: scenery.shrink(1 / 20))
def one_again_without_a_pause_at_a_20th(take: Take) -> object:
    last = len(take.scenery.values) - 1
    return take.arrive().last(0.8).lift(last, labelled=False).throw(last).last(1.3)


@kind()
def all_again(take: Take) -> object:
    every = range(len(take.scenery.values))
    return take.arrive().last(0.8).lift(*every, labelled=False).throw(*every).last(1.3)


@kind()
def one_kept(take: Take) -> object:
    others = range(1, len(take.scenery.values))
    return take.arrive().last(0.8).lift(*others).last(2.0).throw(*others).last(1.3)


@kind()
def all_cleared(take: Take) -> object:
    every = range(len(take.scenery.values))
    return take.arrive().last(0.8).lift(*every).last(1.0).throw(*every).last(1.3)


@kind()
def one_pushed(take: Take) -> object:
    """A finger pushes a die two sides on."""
    take.arrive().last(0.8)
    pose = take.now.dice[0]
    take.reach((pose.x, pose.y), 0.3)
    end = take.free_pose(0, take.now.dice)
    others, hand = take.now.dice[1:], take.now.hands[0]
    for share in np.linspace(0, 1, RATE // 2):
        x, y = pose.x + share * (end.x - pose.x), pose.y + share * (end.y - pose.y)
        moved = replace(pose, x=x, y=y)
        take.now = replace(take.now, dice=(moved, *others), hands=(replace(hand, x=x, y=y),))
        take.last(1 / RATE)
    return take.withdraw().rest().last(1.3)


@kind()
def empty_table(take: Take) -> object:
    """Nobody throws: hands, a shadow and a cup come and go."""
    middle = take.size[0] / 2, take.size[1] / 2
    take.last(0.6).reach(middle, 0.4).last(1.0).withdraw().last(0.6)
    take.disturb(_pass_by(), 1.5).last(2.0)
    take.now = replace(take.now, things=((0.3, 0.4),))
    return take.last(1.5).reach(middle, 0.4).withdraw().last(1.0)


# --- hands -----------------------------------------------------------------------------------------------------------


@kind()
def hand_pauses_over_one(take: Take) -> object:
    take.arrive().last(0.6).cover(_some(take)[0], 0.4)
    return _again(take)


@kind()
def hand_pauses_over_one_thrown(take: Take) -> object:
    change, seconds = _covers(take, _some(take)[0], 0.8)
    return _again(_over_throw(take, change, 0.5, seconds - 0.5))


@kind()
def hand_covers(take: Take) -> object:
    take.arrive().last(0.6).cover(_some(take)[0], 1.5)
    return _again(take)


@kind()
def hand_covers_the_throw(take: Take) -> object:
    change, seconds = _covers(take, _some(take)[0], 1.5)
    return _again(_over_throw(take, change, 0.6, seconds - 0.6))


@kind()
def hand_covers_the_throw_long(take: Take) -> object:
    change, seconds = _covers(take, _some(take)[0], 3.5)
    return _again(_over_throw(take, change, 0.6, seconds - 0.6))


@kind()
def hand_covers_all(take: Take) -> object:
    take.hand_size = 3.0
    take.arrive().last(0.6).cover(_some(take)[0], 2.5)
    take.hand_size = 1.0
    return _again(take)


@kind()
def hand_lies_long(take: Take) -> object:
    take.arrive().last(0.6).cover(_some(take)[0], 4.0)
    return _again(take)


@kind()
def hand_at_the_edge(take: Take) -> object:
    take.arrive().last(0.6).reach(take.edge_point(0.05), 0.3).last(3.0).withdraw()
    return _again(take)


@kind()
def hand_stays_after_the_throw(take: Take) -> object:
    hand = ReachingHand(*take.edge_point(0.04), _heading(take))
    return _again(_over_throw(take, lambda moment, share: replace(moment, hands=(hand,)), 0.8, 1.5))


@kind()
def hand_hovers(take: Take) -> object:
    take.arrive().last(0.6)
    for number in _some(take) * 2:
        pose = take.pose_of(number)
        take.reach((pose.x, pose.y), 0.4, beyond=1.0)
    return _again(take.withdraw())


@kind()
def two_hands(take: Take) -> object:
    take.arrive().last(0.6)
    change, seconds = _covers(take, _some(take)[0], 1.0)
    take.from_side = (take.from_side + 2) % 4
    other, longer = _covers(take, _some(take)[0], 0.6)

    def both(moment: Moment, share: float) -> Moment:
        return replace(moment, hands=(*change(moment, share).hands, *other(moment, share).hands))

    return _again(take.disturb(both, max(seconds, longer)).last(max(seconds, longer) + 0.2))


@kind()
def arm_across(take: Take) -> object:
    """Somebody reaches across the picture for something behind it."""
    take.arrive().last(0.6)
    x, y = _inward(take)
    far = take.size[0] / 2 + 0.7 * x * take.size[0], take.size[1] / 2 + 0.7 * y * take.size[1]
    return _again(take.reach(far, 0.6).last(1.2).withdraw())


def _inward(take: Take) -> tuple[float, float]:
    (x, y), (width, height) = take.edge_point(0.0), take.size
    away = np.array([width / 2 - x, height / 2 - y])
    away /= np.linalg.norm(away)
    return float(away[0]), float(away[1])


def _heading(take: Take) -> float:
    x, y = _inward(take)
    return float(np.arctan2(y, x))


@kind()
def cup_put_down(take: Take) -> object:
    """A cup is put beside the dice and stays there."""
    take.arrive().last(0.6)
    pose = take.free_pose(0, take.now.dice)
    take.reach((pose.x, pose.y), 0.4)
    take.now = replace(take.now, things=((pose.x / take.size[0], pose.y / take.size[1]),))
    return _again(take.withdraw())


# --- light -----------------------------------------------------------------------------------------------------------


@kind()
def shadow_walks_by(take: Take) -> object:
    take.arrive().last(0.5).disturb(_pass_by(), 1.6).last(2.2)
    return _again(take)


@kind()
def shadow_walks_by_slowly(take: Take) -> object:
    take.arrive().last(0.5).disturb(_pass_by(), 4.0).last(4.5)
    return _again(take)


@kind()
def shadow_over_the_throw(take: Take) -> object:
    return _again(_over_throw(take, _pass_by(), 0.9, 1.1, hides=False))


@kind()
def shadow_stays(take: Take) -> object:
    def lean(moment: Moment, share: float) -> Moment:
        return replace(moment, shadow=min(0.5, -0.6 + 1.8 * share * _WHOLE))

    return _again(take.arrive().last(0.5).disturb(lean, _WHOLE).last(1.5))


@kind()
def lamp_moves(take: Take) -> object:
    """A lamp's glare wanders over the dice."""
    take.arrive().last(0.5)
    way = way_through([(-0.2, 0.3), *(_place_of(take, number) for number in _some(take)), (1.2, 0.6)])
    return _again(take.disturb(lambda moment, share: replace(moment, glare=way(share)), 3.0).last(3.3))


@kind()
def lamp_stops_over_one(take: Take) -> object:
    """... stops over a die for a second, and goes on."""
    take.arrive().last(0.5)
    die = _place_of(take, _some(take)[0])
    way = way_through([(-0.2, 0.3), die, die, die, (1.2, 0.6)])
    return _again(take.disturb(lambda moment, share: replace(moment, glare=way(share)), 4.0).last(4.3))


@kind()
def lamp_over_the_throw(take: Take) -> object:
    """Dice come to rest under a lamp's glare, which stays for a second."""
    die = _place_of(take, _some(take)[0])
    way = way_through([(-0.2, 0.3), die, die, die, (1.2, 0.6)])
    return _again(_over_throw(take, lambda moment, share: replace(moment, glare=way(share)), 1.2, 2.4))


@kind()
def lamp_off(take: Take) -> object:
    def switch(moment: Moment, share: float) -> Moment:
        return replace(moment, light=0.05)

    return _again(take.arrive().last(0.6).disturb(switch, 1.5).last(2.2))


@kind()
def too_dark(take: Take) -> object:
    take.disturb(lambda moment, share: replace(moment, light=0.07), _WHOLE)
    return _again(take.arrive())


@kind()
def dusk(take: Take) -> object:
    take.disturb(lambda moment, share: replace(moment, light=max(0.4, 1 - 12 * share)), _WHOLE)
    return _again(take.arrive())


@kind()
def lamps_flicker(take: Take) -> object:
    take.disturb(lambda moment, share: replace(moment, rows=0.12), _WHOLE)
    return _again(take.arrive())


@kind()
def exposure_steps(take: Take) -> object:
    def expose(moment: Moment, share: float) -> Moment:
        return replace(moment, light=(1.0, 1.3, 0.7, 1.1)[int(share * 3.99)])

    return _again(take.arrive().last(0.5).disturb(expose, 2.4).last(2.8))


# --- the camera ------------------------------------------------------------------------------------------------------


def _bump(by: float, turn: float = 0.0) -> Change:
    """A camera that is pushed, swings and stays elsewhere."""

    def change(moment: Moment, share: float) -> Moment:
        at = share * _WHOLE
        swing = 1 - np.exp(-at / 0.08) * np.cos(2 * np.pi * 6 * at)
        return replace(moment, camera=(by * float(swing), -0.6 * by * float(swing), turn * float(swing)))

    return change


@kind()
def bumped_by_2_percent(take: Take) -> object:
    return _again(take.arrive().last(0.6).disturb(_bump(0.02), _WHOLE).last(1.6))


@kind()
def bumped_and_turned(take: Take) -> object:
    return _again(take.arrive().last(0.6).disturb(_bump(0.05, 0.04), _WHOLE).last(1.8))


@kind()
def table_shaken(take: Take) -> object:
    along, down = sway(0.012, 0.09), sway(0.009, 0.07)

    def shake(moment: Moment, share: float) -> Moment:
        return replace(moment, camera=(along(share), down(share), 0.0))

    return _again(take.arrive().last(0.6).disturb(shake, 1.3).last(1.9))


@kind()
def held_in_the_hand(take: Take) -> object:
    along, down, turn = sway(0.02, 3.1 / _WHOLE), sway(0.015, 2.3 / _WHOLE), sway(0.012, 4.3 / _WHOLE)

    def drift(moment: Moment, share: float) -> Moment:
        return replace(moment, camera=(along(share), down(share), turn(share)))

    return _again(take.disturb(drift, _WHOLE).arrive())


@kind()
def focus_hunts(take: Take) -> object:
    way = way_through([(0, 0), (5, 0), (0.5, 0), (3, 0), (0, 0)])
    hunt: Change = lambda moment, share: replace(moment, blur=_soft(take, way(share)[0]))  # noqa: E731
    return _again(take.arrive().last(0.5).disturb(hunt, 2.0).last(2.6))


@kind()
def focus_hunts_over_the_throw(take: Take) -> object:
    way = way_through([(0, 0), (5, 0), (5, 0), (1, 0), (0, 0)])
    hunt: Change = lambda moment, share: replace(moment, blur=_soft(take, way(share)[0]))  # noqa: E731
    return _again(_over_throw(take, hunt, 0.5, 1.3))


def _soft(take: Take, blur: float) -> float:
    """Pixels of blur for dice of this size; `blur`: for dice of 50 pixels."""
    return blur * take.scenery.side / 50


@kind()
def noisy(take: Take) -> object:
    take.disturb(lambda moment, share: replace(moment, noise=4.5), _WHOLE)
    return _again(take.arrive())


@kind()
def heavy_compression(take: Take) -> object:
    take.quality = 40
    return _again(take.arrive())


@kind()
def stutters(take: Take) -> object:
    """Every second quarter of a second no new frame comes."""
    _again(take.arrive())
    shown = [number - number % 8 if number % 8 < 4 else number for number in range(len(take.moments))]
    take.moments = [take.moments[number] for number in shown]
    return take


@kind(lambda scenery: scenery.cut())
def cut_at_the_border(take: Take) -> object:
    """The border cuts through a die: nothing sure may be told."""
    take.arrive(labelled=False)
    return take.rest(sure=False).last(2.0)
