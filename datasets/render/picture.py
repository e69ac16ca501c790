"""One rendered picture from its seed, or of a throw with given values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from datasets.render import labels, post, tracer
from datasets.render.compose import Composition, compose
from datasets.render.labels import Label
from datasets.render.presets import PRESETS, Preset
from datasets.render.scene import pack, pack_lights

ATTEMPTS: Final = 12  # how often a picture is put together anew until each of its dice can be read


@dataclass(frozen=True)
class Picture:
    """A finished picture: RGB uint8 (h, w, 3), its JPEG quality, its labels, and facts about the camera."""

    pixels: npt.NDArray[np.uint8]
    quality: int
    labels: list[Label]
    facts: dict[str, float]

    def jpeg(self) -> bytes:
        return post.encode(self.pixels, self.quality)

    def to_json(self) -> dict[str, Any]:
        """Size, camera, dice and lookalikes as plain JSON data."""
        height, width = self.pixels.shape[:2]
        camera = {key: round(value, 2) for key, value in self.facts.items()}
        return {"width": width, "height": height, "camera": camera, **labels.to_json(self.labels)}


def render_picture(
    preset: Preset | str, seed: int, number: int, *, longest: int = 640, textures: str | None = None, samples: int = 4
) -> Picture:
    """Renders picture `number` of a seed; the same preset, size, samples and textures give the same picture."""
    preset = PRESETS[preset] if isinstance(preset, str) else preset
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng([preset.number, seed, number, attempt])
        composition = compose(rng, preset, longest, textures)
        thrown = any(body.what == "die" for body in composition.scene.bodies)
        found = labels.settle(composition.scene, composition.keep_cut, preset.hidden_tops)
        if thrown and not any(label.value for label in found) and attempt < ATTEMPTS - 1:
            continue
        if preset.views:
            found += labels.mirror_images(composition.scene, found)
        picture = develop(rng, composition, found, samples)
        if all(label.contrast >= preset.contrast for label in picture.labels if label.value):
            break
    return picture


def render_throw(
    values: Sequence[int],
    seed: int,
    *,
    preset: str = "plain",
    frame: tuple[int, int] = (1280, 960),
    textures: str | None = None,
    samples: int = 8,
) -> Picture:
    """Renders a picture of exactly these values; raises ValueError if they cannot be laid out so that each can be
    read."""
    for number in range(40):
        rng = np.random.default_rng([1000 + PRESETS[preset].number, seed, number])
        composition = compose(rng, PRESETS[preset], max(frame), textures, values, frame)
        found = labels.settle(composition.scene, False)
        if sorted(label.value for label in found if label.value) == sorted(values):
            return develop(rng, composition, found, samples)
    raise ValueError(f"could not lay out dice {' '.join(map(str, values))} so that each can be read")


def develop(rng: np.random.Generator, composition: Composition, found: list[Label], samples: int) -> Picture:
    """The finished picture of a scene and its labels."""
    scene = composition.scene
    camera = scene.camera
    packed = pack(scene.bodies)
    lights, gobos, env, windows = pack_lights(scene)
    light, depth = tracer.render(
        camera.row(),
        packed.bodies,
        packed.planes,
        packed.pips,
        packed.faces,
        packed.decals,
        scene.tiles,
        lights,
        gobos,
        env,
        windows,
        scene.table,
        scene.per_unit,
        camera.width,
        camera.height,
        samples,
        max(1, samples // 2),
        int(rng.integers(1 << 20)),
    )
    pixels = post.develop(light, depth, composition.focus, composition.look, rng)
    return Picture(pixels, composition.look.jpeg, labels.with_contrast(found, pixels), composition.facts)
