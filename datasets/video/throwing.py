"""A throw: dice leave a hand, bounce, slide and come to rest with given values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.render import dice_styles
from datasets.render.scene import Array, turn
from datasets.video.tumbling import EVERY, STEP, tumble

POSES: Final = round(1 / (EVERY * STEP))  # a second
_LONGEST: Final = 1.8  # seconds that dice may roll
_BOUNCE: Final = (0.3, 0.58)
_FRICTION: Final = (0.15, 0.4)


@dataclass(frozen=True)
class Flight:
    """How one die moved: places (k, 3) and turns (k, 3, 3), POSES a second; the last is where it lies."""

    places: Array
    turns: Array

    @property
    def seconds(self) -> float:
        """From leaving the hand to rest."""
        return (len(self.places) - 1) / POSES


@dataclass(frozen=True)
class Aim:
    """Where a throw comes from and goes to: points (x, y) of the table; height and speed in edges (a second)."""

    start: Array
    target: Array
    height: float
    speed: float


def throw(
    rng: np.random.Generator,
    aim: Aim,
    values: Sequence[int],
    styles: Sequence[dice_styles.DieStyle],
    lying: Array,
    sizes: Array,
) -> list[Flight] | None:
    """How these dice fly and come to rest with these values; None if one does not come to rest in time.

    lying (m, 3), sizes (m,): middles and edges of the dice that lie on the table already; they do not move.
    """
    count = len(values)
    positions = _handful(rng, aim, count)
    velocities = _velocities(rng, aim, positions)
    rotations = np.stack([_any_turn(rng) for _ in range(count)])
    omegas = rng.normal(0, 28, (count, 3))
    edges = np.array([style.size for style in styles])
    corners = np.array([max(style.corner, 0.05) * style.size for style in styles])
    places, turns, rest = tumble(
        positions,
        velocities,
        rotations,
        omegas,
        edges,
        corners,
        lying.reshape(-1, 3),
        sizes.reshape(-1),
        float(rng.uniform(*_BOUNCE)),
        float(rng.uniform(*_FRICTION)),
        round(_LONGEST * POSES),
    )
    if (rest < 0).any():
        return None
    found = []
    for i, (value, style) in enumerate(zip(values, styles, strict=True)):
        end = int(rest[i]) + 1
        found.append(_showing(value, style, places[:end, i].copy(), turns[:end, i]))
    return found


def _handful(rng: np.random.Generator, aim: Aim, count: int) -> Array:
    """Middles of dice in a hand, none within another: places of a grid, shaken."""
    axis = np.arange(3) * 1.3 - 1.3
    grid = np.stack(np.meshgrid(axis, axis, axis[1:], indexing="ij"), 3).reshape(-1, 3)
    spots = grid[rng.permutation(len(grid))[:count]] + rng.uniform(-0.1, 0.1, (count, 3))
    placed: Array = spots + np.array([aim.start[0], aim.start[1], aim.height])
    return placed


def _velocities(rng: np.random.Generator, aim: Aim, positions: Array) -> Array:
    along = aim.target - aim.start
    heading = np.arctan2(along[1], along[0]) + rng.normal(0, 0.16, len(positions))
    speed = aim.speed * np.exp(rng.normal(0, 0.18, len(positions)))
    up = rng.uniform(-6, 8, len(positions))
    return np.stack([np.cos(heading) * speed, np.sin(heading) * speed, up], 1)


def _any_turn(rng: np.random.Generator) -> Array:
    axis = rng.normal(0, 1, 3)
    return turn(axis / np.linalg.norm(axis), float(rng.uniform(0, np.pi)))


def _showing(value: int, style: dice_styles.DieStyle, places: Array, turns: Array) -> Flight:
    """The same motion of a die whose faces are so arranged that it comes to rest flat and shows the value.

    A cube moves alike whichever of its faces is which.
    """
    last = turns[-1]
    lies = dice_styles.die(style, value, float(places[-1, 0]), float(places[-1, 1]), _yaw(last))
    # before anything else: the turn that makes the last pose the one of a die that lies with this value
    relabel = _nearest_symmetry(last.T @ lies.rotation)
    turns = turns @ relabel
    # what is left is less than two degrees, and is made good over the last eighth of a second
    left = lies.rotation @ turns[-1].T
    height = lies.position[2] - places[-1, 2]
    steps = min(len(places), POSES // 8)
    share = np.linspace(0, 1, steps) ** 2
    places[-steps:, 2] += share * height
    turns[-steps:] = _parts(left, share) @ turns[-steps:]
    return Flight(places, turns)


def _yaw(rotation: Array) -> float:
    """Which way an axis that is about level points, in radians."""
    axis = int(np.argmin(np.abs(rotation[2])))
    return float(np.arctan2(rotation[1, axis], rotation[0, axis]))


def _nearest_symmetry(rotation: Array) -> Array:
    """The one of a cube's 24 rotations that is nearest."""
    found = np.zeros((3, 3))
    for row, column in zip(range(3), np.argmax(np.abs(rotation), axis=1), strict=True):
        found[row, column] = np.sign(rotation[row, column])
    return found


def _parts(rotation: Array, shares: Array) -> Array:
    """Shares (k,) of a small rotation, (k, 3, 3)."""
    cross = (rotation - rotation.T) / 2
    sine = float(np.sqrt(cross[2, 1] ** 2 + cross[0, 2] ** 2 + cross[1, 0] ** 2))
    if sine < 1e-9:
        return np.repeat(np.eye(3)[None], len(shares), 0)
    axis, angles = cross / sine, shares[:, None, None] * np.arcsin(min(1.0, sine))
    turned: Array = np.eye(3) + np.sin(angles) * axis + (1 - np.cos(angles)) * (axis @ axis)
    return turned
