"""Films a play: it traces the table once, each lying die once, and moving dice in their own parts of the picture."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets.render import labels
from datasets.render.scene import Array, Colour, Image, Solid
from datasets.video.acting import FilmEvent, Manners, Play, ScriptedThrow, UnplayableError, check, play
from datasets.video.hands import HandVisit
from datasets.video.shooting import Sensor, Shoot, any_shoot, bands, squeeze
from datasets.video.stage import Rect, any_stage, union

FPS: Final = 30
ATTEMPTS: Final = 40  # stages that are tried until the dice can be read on one
CONTRAST: Final = 26.0  # least step (of 255) between the pips of a die and the face round them
_SAMPLES: Final = 4  # rays a pixel of what does not move
_BLUR: Final = 5.0  # pixels that a die may move between two pictures of it that are averaged
_MOST_BLUR: Final = 3  # such pictures at most
_STROBE: Final = 6.0  # the same of a hand, whose edges are soft
_MOST_STROBES: Final = 6
_PLAY, _SHOOT = 1, 2  # seed spaces beside the stage's own

Key = tuple[int, int, bool]  # number of a die and of its motion, and whether it lies


@dataclass(frozen=True)
class Film:
    """A play with everything that is needed to film it; made by `film`."""

    play: Play
    shoot: Shoot
    sensor: Sensor
    empty: Image
    seed: int

    def frames(self) -> Iterator[Image]:
        """RGB frames, uint8 (h, w, 3), FPS a second."""
        table = _Table(self.play, self.empty, self.seed)
        light = self._light()
        for number in range(int(self.play.seconds * FPS)):
            yield self._frame(table, number, light)

    def write(self, path: Path) -> None:
        """Writes the film as an mp4 file; raises OSError if that fails."""
        stage = self.play.stage
        size = (stage.width, stage.height)
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), float(FPS), size)  # type: ignore[attr-defined]
        if not writer.isOpened():
            raise OSError(f"cannot write a video to {path}")
        try:
            for frame in self.frames():
                writer.write(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR))
        finally:
            writer.release()

    def events(self) -> dict[str, Any]:
        """The film's events as plain JSON data: times in seconds, boxes in pixels of the frame at that time."""
        stage = self.play.stage
        return {
            "fps": FPS,
            "width": stage.width,
            "height": stage.height,
            "seconds": round(int(self.play.seconds * FPS) / FPS, 3),
            "events": [self._event(event) for event in self.play.events],
            "incidents": [incident.to_json() for incident in self.play.incidents],
        }

    def _frame(self, table: _Table, number: int, light: Colour) -> Image:
        at = number / FPS
        stage, shoot = self.play.stage, self.shoot
        picture = table.light_at(at, shoot.shutter / FPS)
        for hand in self.play.hands:
            picture = hand.paint(stage, picture, self._strobe(hand, at), light)
        for passing in shoot.passings:
            dim = passing.dim((picture.shape[0], picture.shape[1]), stage.inside, at)
            if dim is not None:
                picture = picture * dim
        seen = cv2.warpAffine(
            picture, shoot.motion.matrix(stage, at), (stage.width, stage.height), borderMode=cv2.BORDER_REPLICATE
        )
        frame = self.sensor.frame(seen, number, shoot.exposure(at), bands(shoot, stage.height, at))
        return squeeze(frame, shoot.squeezed)

    def _strobe(self, hand: HandVisit, at: float) -> tuple[float, ...]:
        """When a hand is drawn for a frame: the more often, the farther it moves meanwhile."""
        shutter = self.shoot.shutter / FPS
        now, before = hand.where(at), hand.where(at - shutter)
        if now is None or before is None:
            return (at,)
        pixels = float(np.linalg.norm(now - before)) * self.play.stage.edge
        count = int(np.clip(np.ceil(pixels / _STROBE), 1, _MOST_STROBES))
        return tuple(at - shutter * k / count for k in range(count))

    def _light(self) -> Colour:
        """What light falls on a hand, about."""
        scene = self.play.stage.scene
        total = np.array(scene.room.up) + 0.8 * sum(np.array(lamp.colour) for lamp in scene.lights)
        r, g, b = (float(v) for v in total)
        return r, g, b

    def _event(self, event: FilmEvent) -> dict[str, Any]:
        row: dict[str, Any] = {"at": round(event.at, 3), "event": event.event}
        if event.event == "moving":
            return row
        row["rest"] = round(event.rest, 3)
        row["values"] = sorted(event.values)
        values = dict(zip(event.dice, event.values, strict=True))
        row["stayed"] = sorted(values[i] for i in event.stayed)
        row["pushed"] = sorted(values[i] for i in event.pushed if i in values)
        row["spoilt"] = event.spoilt
        row["boxes"] = []
        if event.dice:
            at = event.at + 1e-3
            shown = [(body, key[0]) for body, key in self.play.bodies(at)]
            sights = self.play.stage.sights([body for body, _ in shown])
            boxes = [(self._box(sights[k].label, at), i) for k, (_, i) in enumerate(shown)]
            row["boxes"] = [box for box, _ in sorted(boxes)]
            row["dice"] = [
                {"die": i, "value": values[i], "box": box, "stayed": i in event.stayed} for box, i in sorted(boxes)
            ]
        return row

    def _box(self, label: labels.Label, at: float) -> list[float]:
        x0, y0, x1, y1 = label.box
        corners = np.array([[x0, y0, 1], [x1, y0, 1], [x0, y1, 1], [x1, y1, 1]], np.float64)
        pixels: Array = corners @ self.shoot.motion.matrix(self.play.stage, at).T
        return [round(float(v), 1) for v in (*pixels.min(0), *pixels.max(0))]


def film(
    script: Sequence[ScriptedThrow],
    seed: int,
    number: int = 0,
    *,
    size: tuple[int, int] = (640, 480),
    textures: str | None = None,
    manners: Manners | None = None,
    dice: int | None = None,
) -> Film:
    """A film of any script, a turn or a whole game; the same arguments give the same film.

    size: width and height; dice: their number, default as many as ever lie. Raises ValueError if the script makes no
    sense, or cannot be played so that every die is visible.
    """
    most = dice or max((len(step.thrown) for step in script), default=1)
    while True:
        try:
            check(script, most)
            break
        except ValueError:
            if dice or most >= max(12, max((len(step.thrown) for step in script), default=1)):
                raise
            most += 1
    for attempt in range(ATTEMPTS):
        stage = any_stage(seed, number, attempt, size, textures, most)
        rng = np.random.default_rng([seed, number, attempt, _PLAY])
        try:
            played = play(rng, stage, script, manners or Manners())
        except UnplayableError:
            continue
        made = _develop(played, seed, number, attempt)
        if made:
            return made
    raise ValueError("the script could not be played so that every die can be read")


def save(made: Film, path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    """Writes `path` (mp4), then its labels with these facts beside it (json), whole or not at all; returns the
    labels."""
    part = path.with_name(f".{path.stem}.part.mp4")
    made.write(part)
    part.replace(path)
    found = {**facts, **made.events()}
    note = path.with_name(f".{path.stem}.part.json")
    note.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    note.replace(path.with_suffix(".json"))
    return found


def _develop(played: Play, seed: int, number: int, attempt: int) -> Film | None:
    """The film of a play, unless the pips of a die would be too faint."""
    stage = played.stage
    empty = stage.trace([], stage.plate, _SAMPLES, 1)
    first = next(event for event in played.events if event.event == "settled")
    table = _Table(played, empty, seed)
    light = table.light_at(first.at + 1e-3, 0.0)
    rng = np.random.default_rng([seed, number, attempt, _SHOOT])
    shoot = any_shoot(rng, played)
    sensor = Sensor(rng, stage, light)
    sights = stage.sights([body for body, _ in played.bodies(first.at + 1e-3)])
    seen = labels.with_contrast([sight.label for sight in sights.values()], sensor.still(light))
    if any(label.contrast < CONTRAST for label in seen):
        return None
    return Film(played, shoot, sensor, empty, seed)


class _Table:
    """The plate with the dice that lie on it, traced anew only where one has come or gone."""

    def __init__(self, played: Play, empty: Image, seed: int) -> None:
        self.play, self.stage, self.seed = played, played.stage, seed
        self.canvas = empty.copy()
        self.lying: dict[Key, Solid] = {}

    def light_at(self, time: float, shutter: float) -> Image:
        """The plate's light at a time; dice that move are blurred over the shutter's seconds before it."""
        bodies = self.play.bodies(time)
        still = {key: body for body, key in bodies if key[2]}
        self._lay(still)
        moving = [(body, key) for body, key in bodies if not key[2]]
        if not moving:
            return self.canvas
        count, coarse = self._blur(moving, time, shutter)
        times = [time - shutter * k / count for k in range(count)]
        shots = [[body for body, key in self.play.bodies(t) if not key[2] or key in still] for t in times]
        parts = union(
            [self.stage.touched_area(b) for shot in shots for b in shot if not any(b is s for s in still.values())]
        )
        picture = self.canvas.copy()
        for part in parts:
            self._paste(picture, part, shots, coarse)
        return picture

    def _paste(self, picture: Image, part: Rect, shots: list[list[Solid]], coarse: int) -> None:
        x0, y0, x1, y1 = part
        samples = 2 if len(shots) == 1 else 1
        total = sum(self.stage.trace(shot, part, samples, self.seed + k, coarse) for k, shot in enumerate(shots))
        light: Image = np.asarray(total, np.float32) / np.float32(len(shots))
        if coarse > 1:
            light = cv2.resize(light, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_LINEAR)
        picture[y0:y1, x0:x1] = light[: y1 - y0, : x1 - x0]

    def _lay(self, still: dict[Key, Solid]) -> None:
        """Brings the canvas to these dice."""
        changed = [self.lying[key] for key in self.lying if key not in still]
        changed += [still[key] for key in still if key not in self.lying]
        self.lying = still
        for x0, y0, x1, y1 in union([self.stage.touched_area(body) for body in changed]):
            part = (x0, y0, x1, y1)
            self.canvas[y0:y1, x0:x1] = self.stage.trace(list(still.values()), part, _SAMPLES, self.seed)

    def _blur(self, moving: list[tuple[Solid, Key]], time: float, shutter: float) -> tuple[int, int]:
        """How many pictures are averaged, and how coarse they may be, by how far the fastest die goes."""
        before = {key[:2]: body for body, key in self.play.bodies(time - shutter)}
        far = 0.0
        for body, key in moving:
            last = before.get(key[:2])
            if last is not None:
                turned = float(np.linalg.norm(body.rotation - last.rotation)) * body.half[0]
                far = max(far, turned + float(np.linalg.norm(body.position - last.position)))
        pixels = far * self.stage.edge
        return int(np.clip(np.ceil(pixels / _BLUR), 1, _MOST_BLUR)), 2 if pixels > 2 * _BLUR else 1


__all__ = ["FPS", "Film", "Manners", "ScriptedThrow", "film", "save"]
