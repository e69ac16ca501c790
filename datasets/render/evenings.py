"""Evenings: many throws of one set of dice on one table, as a phone held over the table sees them. Bowls: the same with
twenty dice and more, close together.

The dice, the table, the things on it, the light and the phone come from the evening's seed. The camera's place, the
fall of the dice and the steadiness of the hand come from the throw's seed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from datasets.render import compose, dice_styles, glyphs, labels, lights, logos, lookalikes, picture, post, tables
from datasets.render import layout as at
from datasets.render.compose import Composition
from datasets.render.dice_styles import DieStyle
from datasets.render.picture import Picture
from datasets.render.presets import BOWL, EVENING, Preset
from datasets.render.scene import Array, PinholeCamera, RenderScene, Solid

KINDS: Final = ("logo ones", "logo sixes", "skulls", "two-coloured", "very dark", "ordinary odd")  # in equal shares
NEARER, FARTHER = 1.3, 0.72  # how much larger and smaller the dice get from throw to throw
_LAYOUTS, _DEVELOPED = 200, 6  # how often dice are laid out anew, and pictures traced, until each die can be read
_FRAMES: Final = [(4, 3), (3, 4), (1, 1), (16, 9)]


@dataclass(frozen=True)
class Evening:
    """The parts of an evening that are the same in each throw.

    edge: usual size of a die in pixels where the camera looks, in a picture 640 long; tilt, azimuth: how the camera is
    usually held (degrees, radians); contrast: the least step between a pip and the face round it.
    """

    preset: Preset
    seed: int
    number: int
    kind: str
    styles: tuple[DieStyle, ...]
    edge: float
    tilt: float
    azimuth: float
    focal: float
    frame: tuple[int, int]
    look: post.PhotoStyle
    light: str
    patterned: bool
    prints: bool
    thing: bool
    contrast: float
    place: str = ""  # "bowl", "heap", or scattered over the table

    def rng(self, *part: int) -> np.random.Generator:
        """The random numbers of one part of the evening, always the same."""
        return np.random.default_rng([self.preset.number, self.seed, self.number, *part])


_SPEC, _TABLE, _THING, _LIGHT, _THROW, _BOWL = range(6)  # the parts that have random numbers of their own


def any_evening(seed: int, number: int, preset: Preset = EVENING) -> Evening:
    """Evening `number` of a seed; the number decides its kind."""
    rng = np.random.default_rng([preset.number, seed, number, _SPEC])
    kind = KINDS[number % len(KINDS)]
    count = int(rng.choice(len(preset.counts), p=np.array(preset.counts) / sum(preset.counts)))
    styles = _set_of_dice(rng, kind, count)
    # this many dice need this much room, also when the phone comes near
    most = min(preset.largest, 0.62 * 480 / np.sqrt(count)) / NEARER
    dark = kind == "very dark"
    least = (1.6 if dark else 1.0) * preset.smallest / FARTHER
    edge = float(np.exp(rng.uniform(np.log(least), np.log(most))))
    look = replace(post.any_look(rng, True), grey=False, round_view=0.0, flicker=0.0)
    if dark:
        # a phone that smoothed as well would take the faint pips away
        exposure = float(rng.uniform(0.4, 0.54))
        look = replace(look, exposure=exposure, contrast=min(look.contrast, 1.1), noise=min(look.noise, 0.015))
        look = replace(look, denoise=0.0)
    moods = ["dim", "lamp", "overcast"] if dark else ["room", "lamp", "window", "overcast", "sun", "flash"]
    shares = [0.5, 0.25, 0.25] if dark else [0.35, 0.3, 0.15, 0.1, 0.05, 0.05]
    return Evening(
        preset,
        seed,
        number,
        kind,
        styles,
        edge,
        tilt=float(rng.choice([rng.uniform(0, 15), rng.uniform(15, 35), rng.uniform(35, 50)], p=[0.4, 0.4, 0.2])),
        azimuth=float(rng.uniform(0, 2 * np.pi)),
        focal=float(rng.uniform(0.75, 1.5)),
        frame=_FRAMES[int(rng.choice(len(_FRAMES), p=[0.4, 0.35, 0.15, 0.1]))],
        look=look,
        light=str(rng.choice(moods, p=shares)),
        patterned=bool(rng.random() < 0.25),
        prints=bool(rng.random() < 0.3),
        thing=bool(rng.random() < 0.35),
        contrast=12.0 if dark else preset.contrast,
    )


def any_bowl(seed: int, number: int) -> Evening:
    """Twenty or 24 dice of one set, with a logo for the one or, every second time, for the six."""
    rng = np.random.default_rng([BOWL.number, seed, number, _SPEC])
    kind = KINDS[number % 2]
    styles = _set_of_dice(rng, kind, int(rng.choice([20, 24])))
    # the whole bowl has to be in the picture, also when the phone comes near
    most = 0.92 * 480 / (2 * _reach(len(styles)) + 1.2)
    look = replace(post.any_look(rng, True), grey=False, round_view=0.0, flicker=0.0, small=1.0)
    return Evening(
        BOWL,
        seed,
        number,
        kind,
        styles,
        edge=float(rng.uniform(BOWL.smallest, most)),
        tilt=float(rng.uniform(0, 25)),
        azimuth=float(rng.uniform(0, 2 * np.pi)),
        focal=float(rng.uniform(0.85, 1.5)),
        frame=_FRAMES[int(rng.integers(3))],
        look=look,
        light=str(rng.choice(["room", "lamp", "window", "overcast"], p=[0.4, 0.3, 0.15, 0.15])),
        patterned=bool(rng.random() < 0.2),
        prints=False,
        thing=False,
        contrast=BOWL.contrast,
        place="bowl" if rng.random() < 0.65 else "heap",
    )


def render_evening(
    evening: Evening, throw: int, *, longest: int = 640, textures: str | None = None, samples: int = 4
) -> Picture:
    """Renders one throw of an evening; the same size, samples and textures give the same picture.

    It tries several times: the first picture in which every die reads with ease wins, else the clearest one. Raises
    ValueError if the dice cannot be laid out so that each can be seen.
    """
    best: tuple[float, Picture] | None = None
    developed = 0
    for attempt in range(_LAYOUTS):
        rng = evening.rng(_THROW, throw, attempt)
        composition = compose_throw(rng, evening, longest, textures)
        found = labels.settle(composition.scene, False)
        if sum(label.value is not None for label in found) < len(evening.styles):
            continue
        made = picture.develop(rng, composition, found, samples)
        weakest = min(label.contrast for label in made.labels if label.value)
        if best is None or weakest > best[0]:
            best = weakest, made
        developed += 1
        if weakest >= evening.contrast or developed == _DEVELOPED:
            break
    if best is None:
        raise ValueError(f"throw {throw} of evening {evening.number} could not be laid out so that each die is seen")
    return best[1]


def compose_throw(rng: np.random.Generator, evening: Evening, longest: int, textures: str | None) -> Composition:
    """Composes one throw."""
    edge, camera, facts = _camera(rng, evening, longest)
    scene_table = _table(evening, longest, textures)
    reach = 0.6 * 640 / evening.edge
    values = [dice_styles.lying(rng) for _ in evening.styles]
    if evening.place:
        bodies, outline = _bowl(evening)
        compose.fill_with_dice(rng, values, evening.styles, bodies, outline)
    else:
        bodies = _thing(evening)
        compose.lay_dice(rng, evening.preset, values, evening.styles, camera, bodies, None, whole=True)
    mean = scene_table.linear[::16, ::16].reshape(-1, 3).mean(0).astype(np.float64)
    mood = lights.any_mood(evening.rng(_LIGHT), mean, camera.position, reach, evening.light)
    gobos = mood.gobos if rng.random() < 0.5 else []
    room = replace(mood.room, table_f0=scene_table.f0, table_rough=scene_table.rough)
    scene = RenderScene(
        camera, bodies, mood.lights, mood.windows, gobos, room, scene_table.linear, scene_table.per_unit, glyphs.tiles()
    )
    return Composition(scene, _look(rng, evening, edge, longest), float(np.linalg.norm(camera.position)), False, facts)


def _set_of_dice(rng: np.random.Generator, kind: str, count: int) -> tuple[DieStyle, ...]:
    """The dice of an evening, each with its own grain."""
    make = dice_styles.odd_style(rng) if rng.random() < 0.4 else dice_styles.common_style(rng)
    makes = [make] * count
    if kind == "logo ones" or kind == "skulls":
        names = logos.GRIM if kind == "skulls" else _emblems()
        makes = [
            dice_styles.with_logo(rng, make, 1, glyphs.index(str(rng.choice(names)), int(rng.integers(2))))
        ] * count
    elif kind == "logo sixes":
        makes = [
            dice_styles.with_logo(rng, make, 6, glyphs.index(str(rng.choice(_emblems())), int(rng.integers(2))))
        ] * count
    elif kind == "two-coloured":
        second = dice_styles.odd_style(rng) if rng.random() < 0.5 else dice_styles.common_style(rng)
        second = replace(second, size=make.size)
        if rng.random() < 0.5:
            makes = [dice_styles.two_coloured(rng, make, second)] * count
        else:
            makes = [(make, second)[k % 2] for k in range(count)]
    elif kind == "very dark":
        makes = [dice_styles.dim_style(rng)] * count
    elif kind == "ordinary odd":
        makes = [dice_styles.odd_style(rng)] * count
    return tuple(compose.copy(rng, make) for make in makes)


def _emblems() -> tuple[str, ...]:
    """Marks that may stand for a value: our logos, letters, and the marks of other dice. No numerals."""
    marks = [name for name in glyphs.SYMBOLS if name not in ("skull", "bars", "frame")]
    return (*logos.EMBLEMS, *glyphs.LETTERS, *marks, *glyphs.EMBLEMS)


def _camera(rng: np.random.Generator, evening: Evening, longest: int) -> tuple[float, PinholeCamera, dict[str, float]]:
    """The edge of a die in pixels, and where the phone is held for this throw."""
    a, b = evening.frame if rng.random() < 0.8 else evening.frame[::-1]
    width, height = round(longest * a / max(a, b)), round(longest * b / max(a, b))
    tilt = float(np.clip(evening.tilt + rng.normal(0, 8), 0, evening.preset.steepest))
    roll = float(rng.normal(0, 10)) + (90.0 * int(rng.integers(4)) if rng.random() < 0.15 else 0.0)
    # now and then someone on another side of the table takes the picture
    azimuth = evening.azimuth + float(rng.normal(0, 0.35)) + (float(rng.uniform(0, 6.28)) if rng.random() < 0.2 else 0)
    farther, nearer = (0.85, 1.0) if evening.place else (FARTHER, NEARER)
    edge = evening.edge * float(np.exp(rng.uniform(np.log(farther), np.log(nearer)))) * longest / 640
    focal = evening.focal * longest
    camera = compose.aim(tilt, roll, azimuth, focal / edge, focal, (width, height), 1.0, rng.uniform(-0.06, 0.06, 2))
    # the phone is not held over the same spot each time
    aside = rng.normal(0, 0.01 if evening.place else 0.12, 2) * 640 / evening.edge
    camera = replace(camera, position=camera.position + np.array([*aside, 0.0]))
    return edge, camera, {"tilt": tilt, "roll": roll, "focal": evening.focal, "edge": edge}


@dataclass(frozen=True)
class _Ground:
    """A finished table top: linear colours, texels a unit, its gloss."""

    linear: Array
    per_unit: float
    f0: float
    rough: float


@lru_cache(2)
def _table(evening: Evening, longest: int, textures: str | None) -> _Ground:
    """The evening's table top, with its pattern and what lies flat on it."""
    rng = evening.rng(_TABLE)
    per_unit = evening.edge * longest / 640
    table = tables.any_table(rng, int(2.2 * longest), per_unit, textures)
    if evening.patterned:
        tables.pattern(rng, table)
    if evening.place == "bowl" and rng.random() < 0.8:
        tables.fill(table, _bowl(evening)[1], rng)
    if evening.prints:
        tables.print_on(rng, table, rng.normal(0, 3.0, 2))
    return _Ground(table.linear(), per_unit, table.f0, table.rough)


def _reach(count: int) -> float:
    """How far this many dice of edge 1 reach from their middle if they lie close together but have room to fall."""
    return float(np.sqrt(count / (0.38 * np.pi)))


def _bowl(evening: Evening) -> tuple[list[Solid], Array]:
    """The walls round many dice, if any, and the outline (k, 2) of their place on the table."""
    rng = evening.rng(_BOWL)
    reach = _reach(len(evening.styles))
    if evening.place == "heap":
        angles = np.arange(24) * 2 * np.pi / 24
        radii = reach * rng.uniform(0.92, 1.12, 24)
        return [], np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None]
    return lookalikes.tray(rng, 0.0, 0.0, 0.95 * reach, highest=0.45)


def _thing(evening: Evening) -> list[Solid]:
    """A thing that lies on the table in each throw and is no die: a counter with the set's own logo, a toy, another
    die."""
    if not evening.thing:
        return []
    rng = evening.rng(_THING)
    x, y = (float(v) for v in rng.normal(0, 0.16, 2) * 640 / evening.edge)
    style = evening.styles[0]
    if style.logo and rng.random() < 0.5:
        return [_counter(style, x, y)]
    return list(lookalikes.pick(rng, lookalikes.LIKE)(rng, x, y))


def _counter(style: DieStyle, x: float, y: float) -> Solid:
    """A round counter with the logo that the dice have, in their colours."""
    assert style.logo is not None  # only sets with a logo have one
    return Solid(
        "counter",
        np.array([x, y, 0.1]),
        np.eye(3),
        (0.7, 0.7, 0.1),
        replace(style.material, ink_size=0.65, pattern=at.PLAIN, trans=0.0),
        kind=at.CYLINDER,
        radius=0.08,
        tiles={4: style.logo[1]},
        like=True,
    )


def _look(rng: np.random.Generator, evening: Evening, edge: float, longest: int) -> post.PhotoStyle:
    """The evening's phone, with the unsteadiness and the exposure of this throw."""
    base, now = evening.look, post.any_look(rng, True)
    unit, bear = longest / 640, edge * 0.035
    red, green, blue = base.balance
    return replace(
        base,
        exposure=float(np.clip(base.exposure + rng.normal(0, 0.04), 0.32, 0.95)),
        balance=(red * (1 + float(rng.normal(0, 0.015))), green, blue * (1 + float(rng.normal(0, 0.015)))),
        miss=min(now.miss * unit, bear),
        shake=min(now.shake * unit, bear * 3.0),
        shake_angle=now.shake_angle,
        focus_blur=min(now.focus_blur * unit, bear * 3.0),
        small=max(base.small, min(1.0, 18.0 / edge)),
    )
