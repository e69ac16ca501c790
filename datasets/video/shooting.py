"""The effects of a camera and a room on a film: drift, shake, flicker, steps of exposure, shadows, noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from datasets.render import post
from datasets.render.scene import Array, Image
from datasets.video.acting import Incident, Play
from datasets.video.stage import Rect, Stage

_FIELDS: Final = 7  # noise pictures that are made; frames take them in turn
_STAYS: Final = np.float32(0.8)  # how much of the noise they have in common (correlation 0.64)
_LEVELS: Final = 4096  # steps of the tone curve, in square roots of light
_BRIGHTEST: Final = 1.5  # light, above which all is white


@dataclass(frozen=True)
class Wave:
    """A slow motion: amplitude, periods (seconds) and phases of two sines."""

    amplitude: float
    periods: tuple[float, float]
    phases: tuple[float, float]

    def value_at(self, time: float) -> float:
        """Its value at a time."""
        sines = [np.sin(2 * np.pi * time / p + a) for p, a in zip(self.periods, self.phases, strict=True)]
        return self.amplitude * float(0.65 * sines[0] + 0.35 * sines[1])


@dataclass(frozen=True)
class Motion:
    """How a camera moves: along, down (pixels), turn (radians), zoom (parts), tremor (pixels); bumps: (time, x, y)."""

    along: Wave
    down: Wave
    turn: Wave
    zoom: Wave
    tremor: tuple[Wave, Wave]
    bumps: tuple[tuple[float, float, float], ...] = ()

    def matrix(self, stage: Stage, at: float) -> Array:
        """From pixels of the plate to those of the frame, (2, 3)."""
        x = self.along.value_at(at) + self.tremor[0].value_at(at)
        y = self.down.value_at(at) + self.tremor[1].value_at(at)
        for start, bx, by in self.bumps:
            if at > start:
                swing = np.exp(-(at - start) / 0.12) * np.sin(2 * np.pi * 8.0 * (at - start))
                x, y = x + bx * swing, y + by * swing
        angle, zoom = self.turn.value_at(at), 1.0 + self.zoom.value_at(at)
        c, s = zoom * np.cos(angle), zoom * np.sin(angle)
        half = np.array([stage.camera.width, stage.camera.height]) / 2
        linear = np.array([[c, -s], [s, c]])
        offset = np.array([stage.width, stage.height]) / 2 + [x, y] - linear @ half
        return np.column_stack([linear, offset])


@dataclass(frozen=True)
class Passing:
    """A soft dark thing that crosses the frame: a shadow, or someone at its border. Middles in parts of the frame."""

    start: float
    end: float
    way: tuple[float, float, float, float]
    wide: tuple[float, float]
    soft: float
    strength: float

    def dim(self, shape: tuple[int, int], inside: Rect, at: float) -> Image | None:
        """The share of light (h, w, 1) that passes, in the plate; None while nothing is there."""
        if not self.start <= at <= self.end:
            return None
        k = (at - self.start) / max(1e-6, self.end - self.start)
        x0, y0, x1, y1 = inside
        w, h = x1 - x0, y1 - y0
        x, y = self.way[0] + k * (self.way[2] - self.way[0]), self.way[1] + k * (self.way[3] - self.way[1])
        mask: Image = np.zeros((shape[0] // 4, shape[1] // 4), np.float32)
        long = max(w, h)
        middle = (int((x0 + x * w) * 2), int((y0 + y * h) * 2))
        axes = (max(1, int(self.wide[0] * long * 2)), max(1, int(self.wide[1] * long * 2)))
        cv2.ellipse(mask, middle, axes, 0, 0, 360, 1.0, -1, cv2.LINE_8, 3)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.5, self.soft * long / 4))
        left: Image = 1.0 - np.float32(self.strength) * cv2.resize(mask, (shape[1], shape[0]))
        return left[:, :, None]


@dataclass(frozen=True)
class Shoot:
    """How a play is filmed. steps: (time, seconds, factor) of exposure; flicker: strength, frequency, bands a frame;
    shutter: for how much of a frame's time light falls in; squeezed: quality of JPEG (0: none) before the file's own.
    """

    motion: Motion
    passings: tuple[Passing, ...]
    steps: tuple[tuple[float, float, float], ...]
    flicker: tuple[float, float, float]
    shutter: float
    squeezed: int = 0

    def exposure(self, at: float) -> float:
        """The factor of the light."""
        total = 1.0
        for start, seconds, factor in self.steps:
            k = float(np.clip((at - start) / seconds, 0, 1))
            total *= float(np.exp(np.log(factor) * k))
        return total


def any_shoot(rng: np.random.Generator, play: Play) -> Shoot:
    """A random camera and room for a play; its incidents happen."""
    stage = play.stage
    long = max(stage.width, stage.height)
    held = rng.random() < 0.45
    drift = float(rng.uniform(0.006, 0.022)) * long if held else 0.0
    tremor = float(rng.uniform(0.0004, 0.0014)) * long if held else 0.0
    motion = Motion(
        _wave(rng, drift, 2.5, 7.0),
        _wave(rng, drift, 2.5, 7.0),
        _wave(rng, 0.016 * held * float(rng.random()), 3.0, 8.0),
        _wave(rng, 0.012 * held * float(rng.random()), 3.0, 8.0),
        (_wave(rng, tremor, 0.12, 0.4), _wave(rng, tremor, 0.12, 0.4)),
    )
    passings: list[Passing] = []
    steps: list[tuple[float, float, float]] = []
    bumps: list[tuple[float, float, float]] = []
    factor = 1.0
    for incident in play.incidents:
        if incident.what == "a shadow passes":
            passings.append(_shadow(rng, incident))
        elif incident.what == "someone walks by":
            passings.append(_walker(rng, incident, play))
        elif incident.what == "the exposure changes":
            # the second step goes back toward where the first began
            factor = 1 / factor if factor != 1.0 else float(rng.choice([rng.uniform(0.7, 0.85), rng.uniform(1.2, 1.4)]))
            steps.append((incident.start, incident.end - incident.start, factor))
        elif incident.what == "the camera is bumped":
            x, y = rng.normal(0, 0.012, 2) * long
            bumps.append((incident.start, float(np.clip(x, -0.02 * long, 0.02 * long)), float(y)))
    flicker = (float(rng.uniform(0.01, 0.035)) if rng.random() < 0.35 else 0.0, float(rng.uniform(0.5, 9)), 2.0)
    # indoors light falls in for half of the time or more; many webcams send JPEGs
    shutter, squeezed = float(rng.uniform(0.35, 0.95)), int(rng.integers(45, 85)) if rng.random() < 0.4 else 0
    return Shoot(replace(motion, bumps=tuple(bumps)), tuple(passings), tuple(steps), flicker, shutter, squeezed)


def _wave(rng: np.random.Generator, amplitude: float, quick: float, slow: float) -> Wave:
    a, b = (float(v) for v in rng.uniform(quick, slow, 2))
    p, q = (float(v) for v in rng.uniform(0, 2 * np.pi, 2))
    return Wave(amplitude, (a, b * 0.6), (p, q))


def _shadow(rng: np.random.Generator, incident: Incident) -> Passing:
    angle = float(rng.uniform(0, 2 * np.pi))
    c, s = 1.1 * np.cos(angle), 1.1 * np.sin(angle)
    way = (0.5 - c, 0.5 - s, 0.5 + c, 0.5 + s)
    wide = (float(rng.uniform(0.1, 0.35)), float(rng.uniform(0.1, 0.35)))
    return Passing(
        incident.start, incident.end, way, wide, float(rng.uniform(0.02, 0.1)), float(rng.uniform(0.15, 0.45))
    )


def _walker(rng: np.random.Generator, incident: Incident, play: Play) -> Passing:
    """Someone dark along the border that is farthest from the dice."""
    stage, long = play.stage, max(play.stage.width, play.stage.height)
    room = [0.5] * 4
    for body, _ in play.bodies(incident.start):
        x, y = (stage.camera.project(body.position[None])[0] - stage.margin) / long
        r = 0.75 * stage.edge / long
        wide, high = stage.width / long, stage.height / long
        for k, gap in enumerate((x - r, wide - x - r, y - r, high - y - r)):
            room[k] = min(room[k], float(gap))
    side = int(np.argmax(room))
    deep = min(0.12, max(0.0, room[side] - 0.03))
    out = 0.2
    x = -out if side == 0 else 1 + out
    y = -out if side == 2 else 1 + out
    way = (x, -0.4, x, 1.4) if side < 2 else (-0.4, y, 1.4, y)
    if rng.random() < 0.5:
        way = (way[2], way[3], way[0], way[1])
    # parts of the frame along this axis, as parts of its longer side
    reach = deep + out * (stage.width if side < 2 else stage.height) / long
    wide_by = (reach, float(rng.uniform(0.1, 0.2)))
    return Passing(incident.start, incident.end, way, wide_by if side < 2 else wide_by[::-1], 0.006, 0.85)


class Sensor:
    """Makes 8-bit frames of linear light, all with the gain that suits the scene's first rest."""

    def __init__(self, rng: np.random.Generator, stage: Stage, first: Image) -> None:
        look = stage.look
        self.look = look
        self.gain = post._gain(first, look)
        w, h = stage.width, stage.height
        y, x = np.ogrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j]
        shade = (1.0 - look.vignette * (x * x + y * y) / 2).astype(np.float32)[:, :, None]
        self.level = shade * np.array(look.balance, np.float32) * np.float32(self.gain)
        roots = np.arange(_LEVELS, dtype=np.float32) / (_LEVELS - 1) * np.sqrt(_BRIGHTEST)
        self.curve = post._tone((roots**2)[None, :, None].repeat(3, 2), look.contrast)[0, :, 0].astype(np.float32)
        grey = np.array([0.3, 0.59, 0.11], np.float32)
        self.mix = (look.saturation * np.eye(3) + (1 - look.saturation) * grey[None, :]).astype(np.float32)
        # some of the noise stays from frame to frame, as it does where films are made smaller
        stays = self._field(rng, h, w)
        self.fields = [_STAYS * stays + (1 - _STAYS**2) ** 0.5 * self._field(rng, h, w) for _ in range(_FIELDS)]

    def frame(self, light: Image, number: int, exposure: float, bands: Array | None = None) -> Image:
        """An RGB frame, uint8 (h, w, 3), of light as the frame sees it; bands (h,): flicker, row by row."""
        image = light * (self.level * np.float32(exposure))
        if bands is not None:
            image *= bands.astype(np.float32)[:, None, None]
        field = self.fields[number % _FIELDS]
        image += field * cv2.sqrt(image * 0.2 + np.float32(0.004))
        roots = cv2.sqrt(np.clip(image, 0.0, _BRIGHTEST)) * np.float32((_LEVELS - 1) / np.sqrt(_BRIGHTEST))
        toned: Image = self.curve.take(roots.astype(np.int32))
        if self.look.sharpen > 0.05:
            toned = cv2.addWeighted(
                toned, 1 + self.look.sharpen, cv2.GaussianBlur(toned, (0, 0), 1.0), -self.look.sharpen, 0
            )
        toned = cv2.transform(toned, self.mix)
        frame: Image = (np.clip(toned, 0, 1) * 255 + 0.5).astype(np.uint8)
        return frame

    def still(self, light: Image) -> Image:
        """A frame of the whole plate without noise, for measurements."""
        toned = post._tone(light * np.array(self.look.balance, np.float32) * np.float32(self.gain), self.look.contrast)
        return np.asarray(np.clip(cv2.transform(toned, self.mix), 0, 1) * 255).astype(np.uint8)

    def _field(self, rng: np.random.Generator, height: int, width: int) -> Image:
        """Noise as a sensor has it, a little the same in neighbours."""
        each = rng.standard_normal((height, width, 3)).astype(np.float32)
        each = cv2.GaussianBlur(each, (0, 0), 0.7) * np.float32(2.2 * 0.6 * self.look.chroma_noise)
        common = rng.standard_normal((height, width, 1)).astype(np.float32)
        field: Image = (each + common) * np.float32(self.look.noise * 2.2)
        return field


def squeeze(frame: Image, quality: int) -> Image:
    """A frame (uint8, h, w, 3) after JPEG of this quality; 0: as it is."""
    if not quality:
        return frame
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("a frame could not be encoded as JPEG")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def bands(shoot: Shoot, height: int, at: float) -> Array | None:
    """How lamps that flicker light each row of the frame (h,); None when they do not."""
    strength, frequency, across = shoot.flicker
    if not strength:
        return None
    rows = np.arange(height) / height * across
    return np.asarray(1.0 + strength * np.sin(2 * np.pi * (frequency * at + rows)))
