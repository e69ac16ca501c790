"""Every setting of the training, in one JSON file beside the code: `training.json`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TypeVar

DEFAULT = Path(__file__).with_name("training.json")

_Block = TypeVar("_Block")
_FORMER = {"spoiled": "augmented", "forgetful": "incomplete_labels"}  # settings by the names that they once had
_LISTS = ("held_out", "from_above", "complete_labels", "crops_only")
_OPTIONAL = (*_LISTS, "likeness", "held_back", "device", "workers", "validate_every")


@dataclass(frozen=True)
class DetectorSettings:
    """How the detector is built and trained. Sizes in pixels."""

    steps: int
    batch: int = 16
    rate: float = 0.002
    warm_up: int = 150  # steps
    decay: float = 0.3  # the last share of the steps, over which the rate falls to nearly nothing
    weight_decay: float = 0.02
    average: float = 0.998  # per step, of the weights that are kept
    width: float = 0.1875  # of yolo11's channels
    depth: float = 0.5
    bins: int = 8  # of the distribution over each side's distance, in strides
    size: int = 320
    smallest: float = 10.0
    largest: float = 288.0
    pasted: float = 0.3
    extra: float = 0.25
    augmented: float = 0.9


@dataclass(frozen=True)
class CropSettings:
    """How the crop classifier is built and trained."""

    steps: int
    batch: int = 64
    rate: float = 0.002
    warm_up: int = 150
    decay: float = 0.3
    weight_decay: float = 0.02
    average: float = 0.998
    widths: tuple[int, ...] = (24, 48, 96, 160)


@dataclass(frozen=True)
class LikenessSettings:
    """How the likeness of two things is built and trained; a step takes `batch` evenings."""

    steps: int = 2400
    passes: int = 22  # over all evenings, at most: where they are few, more would teach it these by heart
    batch: int = 8
    rate: float = 0.003
    decay: float = 0.7
    weight_decay: float = 0.02
    dimensions: int = 48  # numbers that are kept of each thing
    hidden: int = 128  # rectified units
    dropout: float = 0.5  # of these
    noise: float = 0.3  # added to each feature, in its standard deviations


@dataclass(frozen=True)
class TrainingSettings:
    """One training: the seed, the sampling weight of each set of photos (without one, a set is left out), both networks
    and the likeness.

    `incomplete_labels`: sets in which some dice have no label, so that finds beside the labels prove nothing.
    `complete_labels`: sets in which each die has a label, so that every other find is none.
    `from_above`: sets of photos from straight above. `crops_only`: sets that teach the crop classifier alone.
    `held_out`: sets that never teach; every `validate_every` steps the training prints how well they do. `held_back`:
    patterns of the names of a set's photos that never teach either, one scene of each set. `device`:
    torch's name ("cpu", "cuda", "cuda:1", "mps"), or "auto": a GPU if there is one. `workers`: processes that make
    pictures.
    """

    seed: int
    sets: dict[str, float]
    incomplete_labels: tuple[str, ...]
    detector: DetectorSettings
    crops: CropSettings
    likeness: LikenessSettings = LikenessSettings()
    held_out: tuple[str, ...] = ()
    from_above: tuple[str, ...] = ()
    complete_labels: tuple[str, ...] = ()
    crops_only: tuple[str, ...] = ()
    held_back: dict[str, tuple[str, ...]] = field(default_factory=dict)
    device: str = "auto"
    workers: int = 1
    validate_every: int = 500
    source: Path = field(default=DEFAULT, compare=False)

    def is_held_back(self, photo: Path) -> bool:
        """Whether a photo, SET/images/NAME, must not teach."""
        return any(fnmatch(photo.name, pattern) for pattern in self.held_back.get(photo.parts[-3], ()))


@dataclass(frozen=True)
class Task:
    """What one network is taught, and with what.

    `photos`: folders that hold the sets that the settings name; `textures`: a folder of pictures of table tops; `run`:
    the folder of the run, which continues if it is there. A new run begins with the weights of the network `start`, or
    from scratch. `hard_examples`: a reader's folder; its hard examples come more often. `false_positives`: a reader's
    folder; the things that its detector takes for dice are taught to the crop classifier as no die.
    """

    settings: TrainingSettings
    photos: Sequence[Path]
    textures: Path
    run: Path
    start: Path | None = None
    hard_examples: Path | None = None
    false_positives: Path | None = None


def read_settings(path: Path = DEFAULT) -> TrainingSettings:
    """The settings of a file. Raises ValueError with one sentence if the file has another form."""
    try:
        table = _by_present_names(json.loads(path.read_text()))
    except (OSError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: no settings of a training: {error}") from error
    unknown = set(table) - {"seed", "sets", "incomplete_labels", "detector", "crops", *_OPTIONAL}
    if unknown:
        raise ValueError(f"{path}: unknown settings {', '.join(sorted(unknown))}")
    detector = _block(DetectorSettings, table["detector"], path)
    crops = _block(CropSettings, table["crops"], path)
    likeness = _block(LikenessSettings, table.get("likeness", {}), path)
    sets = {str(name): float(weight) for name, weight in table["sets"].items()}
    lists = {kind: tuple(str(name) for name in table.get(kind, ())) for kind in _LISTS}
    if overlap := sorted(set(lists["held_out"]) & set(sets)):
        raise ValueError(f"{path}: held out and taught at once: {', '.join(overlap)}")
    return TrainingSettings(
        int(table["seed"]),
        sets,
        tuple(table["incomplete_labels"]),
        detector,
        crops,
        likeness,
        **lists,
        held_back={str(name): tuple(patterns) for name, patterns in table.get("held_back", {}).items()},
        device=str(table.get("device", TrainingSettings.device)),
        workers=_at_least_one(table, "workers", path),
        validate_every=_at_least_one(table, "validate_every", path),
        source=path,
    )


def _at_least_one(table: dict[str, Any], name: str, path: Path) -> int:
    number = table.get(name, getattr(TrainingSettings, name))
    if type(number) is not int or number < 1:
        raise ValueError(f"{path}: {name} must be a whole number, 1 or more")
    return number


def _block(kind: type[_Block], values: dict[str, Any], path: Path) -> _Block:
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    values = _by_present_names(values)
    unknown = set(values) - known
    if unknown:
        raise ValueError(f"{path}: {kind.__name__} knows {', '.join(sorted(known))}, not {', '.join(sorted(unknown))}")
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in values.items()})


def _by_present_names(values: dict[str, Any]) -> dict[str, Any]:
    return {_FORMER.get(name, name): value for name, value in values.items()}
