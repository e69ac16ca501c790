"""Plays a script of throws with dice and a hand, second by second; it draws no pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np

from datasets.render import compose, dice_styles
from datasets.render.scene import UP, Array, Solid, turn
from datasets.video.hands import TIP, HandVisit, Key, colours
from datasets.video.stage import Stage
from datasets.video.throwing import POSES, Aim, Flight, throw

TRIES: Final = 240  # how often dice are thrown until they lie as the script wants, each in sight
PUSHES: Final = 80  # how many places are tried for a die that is pushed
LEAST_REST: Final = 0.9  # seconds that dice lie before anything happens
_ROOM: Final = 0.035  # of the longer side, between a die and the frame: cameras move
_VIEWS: Final = 1 / 60  # seconds between two looks at whether a hand is in the frame
# What may happen while dice lie, and for how many seconds.
DISTURBANCES: Final = {
    "a hand at the edge": (0.0, 0.0),
    "a shadow passes": (0.7, 1.5),
    "someone walks by": (0.9, 1.8),
    "the exposure changes": (0.15, 0.5),
    "the camera is bumped": (0.5, 0.5),
}
_GRIP: Final = 0.7  # how far behind the grip the middle of a die is that the hand covers
_FINGER: Final = 1.0  # how far before the grip a die is that the fingers push


class UnplayableError(Exception):
    """The script cannot be played on this stage with these random numbers."""


@dataclass(frozen=True)
class ScriptedThrow:
    """One throw of a script: the values thrown, and the values of all dice on the table that stay for the next
    throw."""

    thrown: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True)
class Manners:
    """How a script is played, as probabilities.

    push: a kept die is pushed aside; far: to a side of the table. outside: dice come flying without a hand. wait: the
    hand leaves between lifting and throwing. linger: it stays at the edge after a throw. disturb: something happens
    that is no throw while dice lie. lost: a die leaves the picture and spoils the throw. clear: all dice are lifted at
    the end.
    """

    push: float = 0.2
    far: bool = False
    outside: float = 0.2
    wait: float = 0.5
    linger: float = 0.15
    disturb: float = 0.3
    lost: float = 0.05
    clear: float = 0.4


@dataclass(frozen=True)
class DieMotion:
    """A motion of a die from `start` on. The die then lies at its end until its next motion, or until it is `gone`."""

    start: float
    flight: Flight
    gone: float = float("inf")

    @property
    def end(self) -> float:
        """When the die comes to rest."""
        return self.start + self.flight.seconds


@dataclass
class Actor:
    """A die and all it does."""

    style: dice_styles.DieStyle
    value: int = 1
    parts: list[DieMotion] = field(default_factory=list)
    values: list[int] = field(default_factory=list)  # what each part ends with

    def body(self, at: float) -> tuple[Solid, tuple[int, bool]] | None:
        """The die at a time, the number of its motion and whether it lies; None while it is not on the table."""
        number = next((i for i in reversed(range(len(self.parts))) if self.parts[i].start <= at), None)
        if number is None or at >= self.parts[number].gone:
            return None
        part = self.parts[number]
        pose = min((at - part.start) * POSES, len(part.flight.places) - 1.0)
        low, k = int(pose), pose - int(pose)
        places, turns = part.flight.places, part.flight.turns
        high = min(low + 1, len(places) - 1)
        shown = _die(self.style, self.values[number])
        place = places[low] * (1 - k) + places[high] * k
        body = replace(shown, position=place, rotation=turns[low if k < 0.5 else high])
        return body, (number, at >= part.end)


@dataclass(frozen=True)
class FilmEvent:
    """An event that the video shows. rest: when the last die stopped; dice: actors on the table; stayed: those that did
    not move."""

    at: float
    event: Literal["moving", "settled", "cleared"]
    rest: float = 0.0
    dice: tuple[int, ...] = ()
    stayed: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    pushed: tuple[int, ...] = ()
    spoilt: bool = False


@dataclass(frozen=True)
class Incident:
    """Something that is no throw: what, from when to when (seconds)."""

    what: str
    start: float
    end: float

    def to_json(self) -> dict[str, Any]:
        """As plain JSON data."""
        return {"what": self.what, "from": round(self.start, 3), "to": round(self.end, 3)}


@dataclass
class Play:
    """A script as it was played."""

    stage: Stage
    actors: list[Actor]
    hands: list[HandVisit] = field(default_factory=list)
    events: list[FilmEvent] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    rests: list[tuple[float, float]] = field(default_factory=list)  # when dice lie and no hand is in the frame
    seconds: float = 0.0

    def bodies(self, at: float) -> list[tuple[Solid, tuple[int, int, bool]]]:
        """The dice on the table, each with its number, that of its motion, and whether it lies."""
        found = []
        for i, actor in enumerate(self.actors):
            shown = actor.body(at)
            if shown:
                found.append((shown[0], (i, *shown[1])))
        return found


def play(rng: np.random.Generator, stage: Stage, script: Sequence[ScriptedThrow], manners: Manners) -> Play:
    """Plays a script; raises UnplayableError if this stage cannot show it, ValueError if it makes no sense."""
    check(script, len(stage.styles))
    return _Director(rng, stage, manners).perform(script)


def check(script: Sequence[ScriptedThrow], most: int) -> None:
    """Raises ValueError if a script throws more dice than there are, or keeps dice that do not lie."""
    lying: Counter[int] = Counter()
    for number, step in enumerate(script, 1):
        if not all(1 <= value <= 6 for value in (*step.thrown, *step.kept)):
            raise ValueError(f"throw {number}: dice must be 1..6, got {step}")
        lying.update(step.thrown)
        if not step.thrown or lying.total() > most:
            raise ValueError(f"throw {number}: 1 to {most} dice may lie, got {lying.total()}")
        missing = Counter(step.kept) - lying
        if missing:
            raise ValueError(f"throw {number}: {sorted(missing.elements())} cannot be kept, it does not lie there")
        lying = Counter(step.kept)


class _Director:
    """Plays a script: keeps the time, and what lies where."""

    def __init__(self, rng: np.random.Generator, stage: Stage, manners: Manners) -> None:
        self.rng, self.stage, self.manners = rng, stage, manners
        self.play = Play(stage, [Actor(style) for style in stage.styles])
        self.now = float(rng.uniform(0.3, 0.7))
        self.lying: list[int] = []
        self.known: set[int] = set()  # dice of the rest before that did not move since
        self.apart: set[int] = set()  # dice that were set aside before and are not touched again
        self.keys: list[Key] = []
        self.edge = np.zeros(2)  # where the hand's way crosses the edge of the frame
        self.skin, self.sleeve = colours(rng)
        self.mirrored = bool(rng.random() < 0.3)
        self.side = int(rng.integers(4))
        self.outside, self.heading = np.zeros(2), 0.0
        self.stirred = False  # a "moving" was told since the last rest

    def perform(self, script: Sequence[ScriptedThrow]) -> Play:
        for number, step in enumerate(script):
            if self.rng.random() < self.manners.lost and len(step.thrown) > 1:
                self.spoil(step.thrown)
            self.throw(step.thrown)
            last = number == len(script) - 1
            if not last:
                self.take(self.choose_kept(step.kept), bool(self.rng.random() < self.manners.wait))
            elif self.rng.random() < self.manners.clear:
                self.take([], True)
        self.play.seconds = self.now + 0.2
        return self.play

    # --- throwing

    def throw(self, values: Sequence[int]) -> None:
        """Throws the dice that do not lie; they come to rest with these values."""
        free = [i for i in range(len(self.play.actors)) if i not in self.lying][: len(values)]
        start, out = self.let_go()
        flights = self.landing(values, free, start, 0)
        self.settle(free, values, flights, out)

    def spoil(self, values: Sequence[int]) -> None:
        """Throws so that one die leaves the picture; then lifts all of the throw again."""
        free = [i for i in range(len(self.play.actors)) if i not in self.lying][: len(values)]
        before = list(self.lying)
        any_values = [dice_styles.lying(self.rng) for _ in values]
        start, out = self.let_go()
        flights = self.landing(any_values, free, start, 1)
        self.play.incidents.append(Incident("a die leaves the picture", self.now, self.now + 1.0))
        self.settle(free, any_values, flights, out, spoilt=True)
        self.take(before, bool(self.rng.random() < 0.5))

    def let_go(self) -> tuple[Array, float]:
        """Where dice start to fly (at `now`), and the last time at which the throwing hand is visible."""
        rng = self.rng
        if not self.keys and rng.random() < self.manners.outside:
            self.choose_side()
            self.stir(self.now)
            return self.outside + (TIP - 0.5) * self.ahead, self.now
        if not self.keys:
            self.enter()
        middle = self.stage.point(0.5, 0.5)
        edge = self.edge
        release = edge + (middle - edge) * float(rng.uniform(0.0, 0.3))
        self.move(float(rng.uniform(0.3, 0.5)), release - 0.8 * self.ahead, float(rng.uniform(1.0, 2.0)))
        for _ in range(int(rng.choice([0, 2, 4], p=[0.5, 0.3, 0.2]))):
            wobble = rng.normal(0, 0.5, 2)
            self.move(0.12, release - 0.8 * self.ahead + wobble, float(rng.uniform(1.0, 2.0)))
        self.move(0.14, release, float(rng.uniform(1.0, 2.0)))
        thrown = self.now
        if rng.random() < self.manners.linger:
            held = float(rng.uniform(0.9, 1.4))
            self.move(0.3, self.edge - (TIP - 1.0) * self.ahead, 1.0)
            self.move(held, self.edge - (TIP - 1.0) * self.ahead, 1.0)
            self.play.incidents.append(Incident("a hand stays at the edge", thrown, self.now + 0.3))
        out = self.leave()
        self.now = thrown
        # a hand that was never in the frame: the dice come into it
        self.stir(thrown)
        return release + 0.6 * self.ahead, out

    def landing(self, values: Sequence[int], free: list[int], start: Array, lost: int) -> list[Flight]:
        """Flights after which every die is visible, except `lost` ones, which are out of the picture."""
        rng, stage = self.rng, self.stage
        others = [self.at_rest(i) for i in self.lying]
        places = np.array([b.position for b in others]).reshape(-1, 3)
        sizes = np.array([2 * b.half[0] for b in others])
        styles = [stage.styles[i] for i in free]
        for _ in range(TRIES):
            target = stage.point(*rng.uniform(0.3, 0.7, 2))
            far = float(np.linalg.norm(target - start))
            speed = (6.0 + 3.6 * far) * float(rng.uniform(0.7, 1.5)) * (1.8 if lost else 1.0)
            aim = Aim(start, target, float(rng.uniform(1.5, 4.5)), speed)
            flights = throw(rng, aim, values, styles, places, sizes)
            if flights is None:
                continue
            bodies = [self.body_after(i, v, f) for i, v, f in zip(free, values, flights, strict=True)]
            there = [body for body in bodies if not self.away(body)]
            if len(bodies) - len(there) == lost and self.clear([*others, *there]):
                return flights
        raise UnplayableError

    def settle(
        self, free: list[int], values: Sequence[int], flights: list[Flight], out: float, spoilt: bool = False
    ) -> None:
        """Lets the thrown dice fly; the rest begins when all lie and no hand is visible."""
        start, rest = self.now, self.now
        for i, value, flight in zip(free, values, flights, strict=True):
            actor = self.play.actors[i]
            end = start + flight.seconds
            gone = self.away(self.body_after(i, value, flight))
            actor.parts.append(DieMotion(start, flight, end if gone else float("inf")))
            actor.values.append(value)
            actor.value = value
            rest = max(rest, end)
            if not gone:
                self.lying.append(i)
        self.now = max(rest, out)
        self.rest(rest, spoilt=spoilt)

    # --- what a hand does

    def choose_kept(self, kept: Sequence[int]) -> list[int]:
        """The dice that stay for these values; those that lay longest come first."""
        wanted, found = Counter(kept), []
        for i in self.lying:
            if wanted[self.play.actors[i].value] > 0:
                wanted[self.play.actors[i].value] -= 1
                found.append(i)
        return found

    def take(self, stay: list[int], wait: bool) -> None:
        """Pushes some of the dice that stay aside and lifts all others; wait: then the hand leaves for a while."""
        fresh = [i for i in stay if i not in self.apart]
        self.apart = set(stay) if self.manners.far else set()
        pushed: list[int] = []
        lifted = [i for i in self.lying if i not in stay]
        wanted = [i for i in fresh if self.rng.random() < self.manners.push]
        if not lifted and not wanted:
            return
        self.enter()
        for i in wanted:
            if self.push(i):
                pushed.append(i)
        while lifted:
            nearest = min(lifted, key=lambda i: float(np.linalg.norm(self.spot(i) - self.grip)))
            self.move(self.reach(self.spot(nearest)), self.spot(nearest) + _GRIP * self.ahead, 0.6)
            self.move(0.08, self.spot(nearest) + _GRIP * self.ahead, 0.55)
            for i in [i for i in lifted if i == nearest or self.covers(self.spot(i))]:
                lifted.remove(i)
                self.lying.remove(i)
                self.known.discard(i)
                parts = self.play.actors[i].parts
                parts[-1] = replace(parts[-1], gone=self.now)
            self.move(0.05, self.grip, 0.9)
        if wait:
            self.now = self.leave()
            self.rest(self.now, pushed=pushed)
        else:
            self.move(0.3, self.edge - 0.5 * self.ahead, 1.5)
            for _ in range(int(self.rng.integers(1, 5))):
                self.move(0.13, self.edge + self.rng.normal(0, 0.5, 2) - 0.5 * self.ahead, 1.5)

    def push(self, i: int) -> bool:
        """Pushes a die to another place, if there is one from which all dice are visible."""
        body = self.at_rest(i)
        others = [self.at_rest(j) for j in self.lying if j != i]
        for _ in range(PUSHES):
            target = self.aside() if self.manners.far else self.spot(i) + self.rng.normal(0, 1.6, 2)
            way = target - self.spot(i)
            if float(np.linalg.norm(way)) < 0.7 or any(_is_in_way(o.position[:2], self.spot(i), way) for o in others):
                continue
            twist = float(self.rng.normal(0, 0.3))
            moved = replace(
                body, position=body.position + np.array([*way, 0.0]), rotation=turn(UP, twist) @ body.rotation
            )
            if self.clear([*others, moved]):
                break
        else:
            return False
        self.move(self.reach(self.spot(i)), self.spot(i) - _FINGER * self.ahead, 0.8)
        start, long = self.now, float(np.clip(0.15 * np.linalg.norm(way), 0.25, 0.8))
        self.move(long, target - _FINGER * self.ahead, 0.8)
        k = np.linspace(0, 1, max(2, round(long * POSES) + 1))
        k = k * k * (3 - 2 * k)
        places = body.position + k[:, None] * np.array([*way, 0.0])
        turns = np.stack([turn(UP, twist * float(share)) @ body.rotation for share in k])
        actor = self.play.actors[i]
        actor.parts.append(DieMotion(start, Flight(places, turns)))
        actor.values.append(actor.value)
        self.known.discard(i)
        return True

    def disturb(self, since: float) -> None:
        """Makes something happen while dice lie (since when) and end; then they lie on for a while."""
        what = str(self.rng.choice(list(DISTURBANCES)))
        if what == "a hand at the edge":
            self.visit()
        else:
            start = since + float(self.rng.uniform(0.05, LEAST_REST))
            end = start + float(self.rng.uniform(*DISTURBANCES[what]))
            self.play.incidents.append(Incident(what, start, end))
            self.now = max(self.now, end)
        self.now += LEAST_REST

    def visit(self) -> None:
        """Brings a hand to the edge while dice lie; it stays there and goes."""
        self.choose_side()
        end = self.edge - (TIP - 1.4) * self.ahead
        tip = end + TIP * self.ahead
        if any(float(np.linalg.norm(self.spot(i) - tip)) < 2.6 for i in self.lying):
            return
        start = self.now
        self.keys = [Key(self.now, float(self.outside[0]), float(self.outside[1]), 1.5)]
        self.move(0.35, end, 0.8)
        self.move(float(self.rng.uniform(0.6, 1.3)), end, 0.8)
        self.now = self.leave(stirs=False)
        self.play.incidents.append(Incident("a hand at the edge", start, self.now))

    def rest(self, still: float, pushed: Sequence[int] = (), spoilt: bool = False) -> None:
        """Begins a rest: dice lie and no hand is visible; still: since when the last die lies."""
        at = self.now
        stayed = tuple(i for i in self.lying if i in self.known)
        values = tuple(self.play.actors[i].value for i in self.lying)
        name: Literal["settled", "cleared"] = "settled" if self.lying else "cleared"
        event = FilmEvent(at, name, still, tuple(self.lying), stayed, values, tuple(pushed), spoilt)
        self.play.events.append(event)
        self.known, self.stirred = set(self.lying), False
        self.now += LEAST_REST + float(self.rng.uniform(0.0, 0.4))
        if self.rng.random() < self.manners.disturb:
            self.disturb(at)
        self.play.rests.append((at, self.now))

    # --- the hand's way

    @property
    def ahead(self) -> Array:
        """The way the hand points."""
        return np.array([np.cos(self.heading), np.sin(self.heading)])

    @property
    def grip(self) -> Array:
        """Where the hand is."""
        return np.array([self.keys[-1].x, self.keys[-1].y])

    def choose_side(self) -> None:
        """The side from which the hand comes: mostly the side where its player sits."""
        rng = self.rng
        side = self.side if rng.random() < 0.8 else int(rng.integers(4))
        u = float(rng.uniform(0.3, 0.7))
        x, y = ((u, 1.0), (0.0, u), (1.0, u), (u, 0.0))[side]
        self.edge = self.stage.point(x, y)
        inward = self.stage.point(0.5, 0.5) - self.edge
        self.heading = float(np.arctan2(inward[1], inward[0]) + rng.normal(0, 0.12))
        self.outside = self.edge - (TIP + 3.5) * self.ahead

    def enter(self) -> None:
        """Brings a hand into the picture, if none is there."""
        if self.keys:
            return
        self.choose_side()
        self.keys = [Key(self.now, float(self.outside[0]), float(self.outside[1]), 1.5)]
        self.move(0.22, self.edge - 1.0 * self.ahead, 1.5)

    def move(self, seconds: float, to: Array, height: float) -> None:
        """Moves the hand there; time goes on."""
        self.now += seconds
        self.keys.append(Key(self.now, float(to[0]), float(to[1]), height))

    def leave(self, stirs: bool = True) -> float:
        """Takes the hand away and returns the time from which on it is invisible; stirs: it moved dice."""
        self.move(float(self.rng.uniform(0.35, 0.6)), self.outside, 1.5)
        hand = HandVisit(tuple(self.keys), self.heading, self.skin, self.sleeve, self.mirrored)
        self.play.hands.append(hand)
        times = np.arange(self.keys[0].at, self.keys[-1].at, _VIEWS)
        seen = [float(t) for t in times if hand.is_in_frame(self.stage, float(t))]
        self.keys = []
        if not seen:
            return self.now
        if stirs:
            self.stir(seen[0])
        return seen[-1] + _VIEWS

    def stir(self, at: float) -> None:
        """Reports once after each rest that something moves."""
        if not self.stirred:
            self.play.events.append(FilmEvent(at, "moving"))
            self.stirred = True

    def reach(self, to: Array) -> float:
        """How long the hand needs to get there."""
        return float(np.clip(np.linalg.norm(to - self.grip) / self.rng.uniform(18, 30), 0.12, 0.5))

    def covers(self, spot: Array) -> bool:
        """Whether a die at this place is covered by the hand."""
        along = float((spot - self.grip) @ self.ahead)
        across = float((spot - self.grip) @ np.array([-self.ahead[1], self.ahead[0]]))
        return -1.5 < along < 0.1 and abs(across) < 1.0

    # --- dice

    def spot(self, i: int) -> Array:
        """Where a die lies (x, y)."""
        return np.asarray(self.play.actors[i].parts[-1].flight.places[-1][:2])

    def at_rest(self, i: int) -> Solid:
        """A die as it lies."""
        actor = self.play.actors[i]
        return self.body_after(i, actor.value, actor.parts[-1].flight)

    def body_after(self, i: int, value: int, flight: Flight) -> Solid:
        """A die at the end of a flight."""
        body = _die(self.stage.styles[i], value)
        return replace(body, position=flight.places[-1], rotation=flight.turns[-1])

    def box(self, body: Solid) -> Array:
        """The corners of a die in the frame (8, 2), in parts of its longer side from the frame's upper left."""
        corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * body.half
        pixels = self.stage.camera.project(corners @ body.rotation.T + body.position) - self.stage.margin
        return pixels / max(self.stage.width, self.stage.height)

    def away(self, body: Solid) -> bool:
        """Whether a die is wholly outside the view of a moving camera."""
        box, room = self.box(body), 0.08
        long = max(self.stage.width, self.stage.height)
        low, high = box.min(0), box.max(0)
        wide = np.array([self.stage.width, self.stage.height]) / long
        return bool((high < -room).any() or (low > wide + room).any())

    def clear(self, bodies: list[Solid]) -> bool:
        """Whether every die is wholly in the frame, apart from the others, and shows its upper face."""
        wide = np.array([self.stage.width, self.stage.height]) / max(self.stage.width, self.stage.height)
        for body in bodies:
            box = self.box(body)
            if (box.min(0) < _ROOM).any() or (box.max(0) > wide - _ROOM).any():
                return False
        for k, body in enumerate(bodies):
            if any(compose._collide(body, other) for other in bodies[:k]):
                return False
        sights = self.stage.sights(bodies)
        return len(sights) == len(bodies) and all(
            s.pips and s.top > 0.85 and s.label.visible > 0.7 for s in sights.values()
        )

    def aside(self) -> Array:
        """A place near a side of the frame."""
        u, near = float(self.rng.uniform(0.12, 0.88)), float(self.rng.uniform(0.1, 0.2))
        side = (self.side + 1) % 4
        x, y = ((u, 1 - near), (near, u), (1 - near, u), (u, near))[side]
        return self.stage.point(x, y)


@lru_cache(256)
def _die(style: dice_styles.DieStyle, value: int) -> Solid:
    """A die that shows a value, anywhere."""
    return dice_styles.die(style, value, 0.0, 0.0, 0.0)


def _is_in_way(place: Array, start: Array, way: Array) -> bool:
    """Whether a die at this place is in the way of one that is pushed from `start` along `way`."""
    k = float(np.clip((place - start) @ way / (way @ way), 0, 1))
    return float(np.linalg.norm(place - start - k * way)) < 1.3
