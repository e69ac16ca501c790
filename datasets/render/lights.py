"""Light: lamps, windows, flash, coloured rooms, and shadows of things outside the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.render.scene import Array, Colour, Gobo, Light, Room, WindowLight


@dataclass(frozen=True)
class Mood:
    """All light of a picture."""

    lights: list[Light]
    windows: list[WindowLight]
    gobos: list[Gobo]
    room: Room


def plain(rng: np.random.Generator, table: Array) -> Mood:
    """Soft daylight from one side and a bright room. table: mean linear colour of the table."""
    position = _lamp_position(float(rng.uniform(0, 6.28)), float(rng.uniform(45, 65)), 60.0)
    key = Light(position, (1.0, 0.98, 0.94), float(rng.uniform(0.12, 0.25)))
    windows = [WindowLight(position / np.linalg.norm(position), 0.96, 0.05, (2.0, 2.0, 2.0))]
    room = Room((0.62, 0.63, 0.65), (0.5, 0.5, 0.5), _floor_light(table, 0.9), table_f0=0.0)
    return Mood([key], windows, [], room)


def any_mood(rng: np.random.Generator, table: Array, camera: Array, reach: float, kind: str | None = None) -> Mood:
    """Light for a table seen from a camera position; reach: how far the visible part of the table goes.

    kind: room, lamp, sun, window, flash, dim or overcast; default: any.
    """
    if kind is None:
        kinds = ["room", "lamp", "sun", "window", "flash", "dim", "overcast"]
        kind = str(rng.choice(kinds, p=[0.30, 0.24, 0.08, 0.16, 0.06, 0.06, 0.10]))
    azimuth = float(rng.uniform(0, 2 * np.pi))
    tint = _tint(rng)
    windows: list[WindowLight] = []
    lights: list[Light] = []
    ambient = float(rng.uniform(0.35, 0.8))
    far = reach + 30.0
    if kind == "room":
        place = _lamp_position(azimuth, float(rng.uniform(35, 88)), far)
        lights.append(Light(place, _times(tint, float(rng.uniform(0.4, 0.9))), float(rng.uniform(0.08, 0.4))))
    elif kind == "lamp":
        place = _lamp_position(azimuth, float(rng.uniform(25, 85)), float(rng.uniform(0.8, 3.0)) * reach + 4.0)
        lights.append(Light(place, _times(tint, 1.0), float(rng.uniform(0.02, 0.2))))
        ambient = float(rng.uniform(0.08, 0.45))
    elif kind == "sun":
        place = _lamp_position(azimuth, float(rng.uniform(20, 70)), 400.0)
        lights.append(Light(place, (1.25, 1.15, 0.98), 0.012))
        ambient = float(rng.uniform(0.12, 0.45))
    elif kind == "window":
        place = _lamp_position(azimuth, float(rng.uniform(15, 50)), far)
        lights.append(Light(place, (0.8, 0.86, 0.95), float(rng.uniform(0.25, 0.6))))
        windows.append(_pane(rng, place, float(rng.uniform(2.0, 7.0))))
    elif kind == "flash":
        offset = rng.normal(0, 0.04, 3) * np.linalg.norm(camera)
        lights.append(Light(camera + offset, (1.0, 1.0, 1.0), 0.02))
        ambient = float(rng.uniform(0.1, 0.4))
    elif kind == "dim":
        place = _lamp_position(azimuth, float(rng.uniform(30, 80)), far)
        lights.append(Light(place, _times(tint, 0.5), float(rng.uniform(0.05, 0.3))))
        ambient = float(rng.uniform(0.1, 0.3))
    else:
        lights.append(Light(_lamp_position(azimuth, 80.0, far), (0.25, 0.26, 0.28), 0.6))
        ambient = 0.9
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.33, 0.12]))):
        place = _lamp_position(
            float(rng.uniform(0, 6.28)), float(rng.uniform(25, 85)), far * float(rng.uniform(0.5, 1.0))
        )
        lights.append(Light(place, _times(_tint(rng), float(rng.uniform(0.1, 0.7))), float(rng.uniform(0.02, 0.3))))
    for _ in range(int(rng.integers(0, 3))):
        place = _lamp_position(float(rng.uniform(0, 6.28)), float(rng.uniform(20, 85)), 1.0)
        windows.append(_pane(rng, place, float(rng.uniform(0.8, 5.0))))
    up = _times(_tint(rng, 0.5), ambient)
    side = _times(_tint(rng, 0.5), ambient * float(rng.uniform(0.3, 1.1)))
    mean = sum(sum(light.colour) / 3 for light in lights)
    room = Room(up, side, _floor_light(table, ambient + 0.5 * mean))
    return Mood(lights, windows, _gobos(rng, reach), room)


def _lamp_position(azimuth: float, elevation: float, far: float) -> Array:
    e = np.radians(elevation)
    return far * np.array([np.cos(azimuth) * np.cos(e), np.sin(azimuth) * np.cos(e), np.sin(e)])


def _pane(rng: np.random.Generator, place: Array, strength: float) -> WindowLight:
    tone = _times(_tint(rng, 0.4), strength)
    return WindowLight(
        place / np.linalg.norm(place), float(rng.uniform(0.93, 0.999)), float(rng.uniform(0.002, 0.06)), tone
    )


def _gobos(rng: np.random.Generator, reach: float) -> list[Gobo]:
    """The shadow of the one who takes the picture, of an arm, of a window's frame or a blind."""
    found = []
    if rng.random() < 0.28:
        angle = float(rng.uniform(0, 6.28))
        soft = float(np.exp(rng.uniform(np.log(0.03), np.log(3.0))))
        found.append(
            Gobo(
                0,
                float(np.cos(angle)),
                float(np.sin(angle)),
                float(rng.uniform(-0.3, 0.8)) * reach,
                soft,
                float(rng.uniform(0.4, 1.0)),
            )
        )
    if rng.random() < 0.15:
        x, y = rng.normal(0, 0.5, 2) * reach
        soft = float(np.exp(rng.uniform(np.log(0.05), np.log(2.0))))
        found.append(
            Gobo(1, float(x), float(y), float(rng.uniform(0.15, 0.8)) * reach, soft, float(rng.uniform(0.4, 1.0)))
        )
    if rng.random() < 0.04:
        angle, period = float(rng.uniform(0, 6.28)), float(rng.uniform(0.1, 0.6)) * reach
        found.append(
            Gobo(
                2,
                float(np.cos(angle)),
                float(np.sin(angle)),
                6.28 / period,
                0.05 * period,
                float(rng.uniform(0.4, 0.9)),
            )
        )
    return found


def _tint(rng: np.random.Generator, amount: float = 1.0) -> Colour:
    """A light's colour: candle to blue sky, now and then a coloured lamp."""
    warm = float(rng.normal(0.05, 0.16)) * amount
    green = float(rng.normal(0.0, 0.04)) * amount
    colour = np.array([1.0 + warm, 1.0 + green, 1.0 - 1.3 * warm])
    if rng.random() < 0.04:
        colour *= rng.uniform(0.4, 1.2, 3)
    r, g, b = (float(v) for v in np.clip(colour, 0.15, 1.6))
    return r, g, b


def _floor_light(table: Array, light: float) -> Colour:
    r, g, b = (float(v) * light * 0.7 for v in table)
    return r, g, b


def _times(colour: Colour, by: float) -> Colour:
    return colour[0] * by, colour[1] * by, colour[2] * by
