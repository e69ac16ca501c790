"""Renders what a camera sees that stands well, and one that does not: a picture of docs/hands-free.md.

    .venv/bin/python docs/camera_pictures.py

Needs the packages of the extra `train`. The same dice on the same table, from above and too flat.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

from datasets.render.compose import Composition, aim, compose  # noqa: E402
from datasets.render.picture import develop  # noqa: E402
from datasets.render.presets import PRESETS  # noqa: E402
from datasets.render.scene import PinholeCamera, RenderScene  # noqa: E402

OUT = Path(__file__).resolve().parent / "screenshots" / "camera-angle.webp"
VALUES, SEED = (1, 2, 3, 4, 5, 6), 4
FRAME, GAP, SAMPLES, QUALITY = (480, 360), 8, 16, 70
WHITE = (255, 255, 255)
FAR, FOCAL = 14.0, 560.0  # sides of a die from the camera to the table; pixels
TILTS = (14.0, 74.0)  # degrees from straight above


def main() -> None:
    rng = np.random.default_rng(SEED)
    composed = compose(rng, PRESETS["plain"], FRAME[0], None, VALUES, FRAME)
    scenes = [replace(composed.scene, camera=camera(tilt)) for tilt in TILTS]
    width, height = FRAME
    picture = Image.new("RGB", (len(scenes) * (width + GAP) - GAP, height), WHITE)
    for number, scene in enumerate(scenes):
        picture.paste(taken(composed, scene), (number * (width + GAP), 0))
    picture.save(OUT, quality=QUALITY, method=6)
    print(f"{OUT}: {OUT.stat().st_size // 1000} kB")


def camera(tilt: float) -> PinholeCamera:
    """One that looks at the dice, so many degrees from straight above."""
    return aim(tilt, 0.0, -np.pi / 2, FAR, FOCAL, FRAME, 1.0, np.zeros(2))


def taken(composed: Composition, scene: RenderScene) -> Image.Image:
    rng = np.random.default_rng(SEED)
    far = float(np.linalg.norm(scene.camera.position))
    composition = replace(composed, scene=scene, focus=far)
    return Image.fromarray(develop(rng, composition, [], SAMPLES).pixels)


if __name__ == "__main__":
    main()
