"""Trains the detector from scratch: ultralytics' model and loss, newly mixed pictures, weights averaged over the
steps."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import DataLoader, Dataset
from ultralytics.cfg import get_cfg
from ultralytics.nn.tasks import DetectionModel
from ultralytics.utils import ROOT, YAML

from datasets.augmentation.cutout import Cutout
from datasets.augmentation.cutting_out import cutouts
from datasets.augmentation.mixing import Mixer, Recipe, TrainingPhoto
from datasets.finding import DiceFinder, overlaps
from datasets.photos import labelled_photos, load_pixels
from datasets.training.progress import device_of, follow, precision, rate_share, resume, save
from datasets.training.settings import DetectorSettings, Task, TrainingSettings
from datasets.training.starting import start_from
from datasets.training.validating import dice_found, validation_photos
from vision.arrays import Pixels
from vision.photo import Photo

_SAVE_EVERY = 100
_START_PICTURES = 64  # by which a network that is begun with gets its normalisations
_LONGEST_SIDE = 1280  # larger photos are shrunk when they are loaded
_CLIP = 10.0
_MOST_CUT = 1000  # photos of a set whose dice are cut out: it takes time, and more of them add little
_HARDLY_FOUND = 0.4  # a detector's score under which a die is as good as not found
_FOUND = 0.5  # intersection over union that a find has with its die, at least
_IN_SIGHT = 0.2  # share of a covered die that is to be found
_HARD = 4.0  # the sampling weight of a hard example, which a detector does not find


def train_detector(task: Task) -> Path:
    """Trains until the last step and returns the file of weights; continues a run that was stopped.

    Hard examples are the dice that the detector of that reader misses.
    """
    settings = task.settings
    task.run.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(settings.seed)
    cv2.setNumThreads(1)  # or OpenCV's own threads would be lost in the loader's process, which then waits for them
    chosen = settings.detector
    device = device_of(settings.device)
    model = new_detector(chosen)
    state = task.run / "state.pt"
    mixer = load_mixer(task)
    if task.start is not None and not state.is_file():
        samples = MixedPictures(mixer, settings.seed, _START_PICTURES, 0)
        start_from(model, task.start, _together([samples[i] for i in range(_START_PICTURES)])["img"])
    model.to(device)
    held_out = validation_photos(settings, task.photos)
    optimizer = torch.optim.AdamW(_groups(model, chosen.weight_decay), lr=chosen.rate, betas=(0.9, 0.99))
    average = deepcopy(model).requires_grad_(False)
    step = resume(state, model, average, optimizer)
    pictures = MixedPictures(mixer, settings.seed, (chosen.steps - step) * chosen.batch, step * chosen.batch)
    loader = DataLoader(
        pictures,
        chosen.batch,
        num_workers=settings.workers,
        collate_fn=_together,
        prefetch_factor=4,
        worker_init_fn=_one_thread,
    )
    model.train()
    began, shown = time.time(), np.zeros(3)
    for batch in loader:
        for group in optimizer.param_groups:
            group["lr"] = chosen.rate * rate_share(step, chosen.steps, chosen.warm_up, chosen.decay)
        with precision(device):
            losses, parts = model({name: values.to(device) for name, values in batch.items()})
        optimizer.zero_grad(set_to_none=True)
        losses.sum().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), _CLIP)
        optimizer.step()
        step += 1
        follow(average, model, min(chosen.average, (1 + step) / (10 + step)))
        shown = 0.98 * shown + 0.02 * _numbers(parts)
        if step % _SAVE_EVERY == 0 or step == chosen.steps:
            print(
                f"{step} of {chosen.steps}: box, class, edges {shown.round(3)}, {time.time() - began:.0f} s", flush=True
            )
            save(state, model, average, optimizer, step)
        if held_out and (step % settings.validate_every == 0 or step == chosen.steps):
            score = dice_found(average, held_out, device)
            print(f"{step} of {chosen.steps}: of what is not taught it finds {score}", flush=True)
    return state


def new_detector(settings: DetectorSettings) -> DetectionModel:
    """yolo11 with one class, fewer channels and bins, and ReLU, which costs a third less here than SiLU."""
    design = YAML.load(ROOT / "cfg" / "models" / "11" / "yolo11.yaml")
    del design["scales"]
    design.update(nc=1, depth_multiple=settings.depth, width_multiple=settings.width, reg_max=settings.bins)
    design["activation"] = "torch.nn.ReLU(inplace=True)"
    model = DetectionModel(design, nc=1, verbose=False)
    model.args = get_cfg()
    model.names = {0: "die"}
    return model.to(memory_format=torch.channels_last)


def load_averaged_detector(settings: DetectorSettings, state: Path) -> DetectionModel:
    """The network with the averaged weights of a run, ready for use."""
    model = new_detector(settings)
    model.load_state_dict(torch.load(state, weights_only=True, map_location="cpu")["average"])
    return model.eval()


def load_mixer(task: Task) -> Mixer:
    """The mixer over the sets that the settings name, in any of the folders of photos."""
    finder = None if task.hard_examples is None else DiceFinder.load(task.hard_examples)
    groups: list[tuple[float, Sequence[TrainingPhoto]]] = []
    cut: list[Cutout] = []
    for name, weight in task.settings.sets.items():
        if name in task.settings.crops_only:
            continue
        places = [folder / name for folder in task.photos if (folder / name).is_dir()]
        scenes = [scene for place in places for scene in load_scenes(place, task.settings)]
        if not scenes:
            print(f"no photos of {name}: left out", flush=True)
            continue
        if finder is not None:
            scenes = [dataclasses.replace(scene, weights=sampling_weights(finder, scene)) for scene in scenes]
        groups.append((weight, scenes))
        cut += _cutouts_of(scenes[:: 1 + len(scenes) // _MOST_CUT], task.run / f"cutouts-{name}.npz")
    tops = [load_pixels(path) for path in sorted(task.textures.rglob("*")) if path.suffix.lower() in {".png", ".jpg"}]
    print(f"{sum(len(s) for _, s in groups)} photos, {len(cut)} dice cut out, {len(tops)} table tops", flush=True)
    chosen = task.settings.detector
    recipe = Recipe(chosen.size, (chosen.smallest, chosen.largest), chosen.pasted, chosen.extra, chosen.augmented)
    return Mixer(groups, tops, cut, recipe)


def load_scenes(folder: Path, settings: TrainingSettings) -> list[TrainingPhoto]:
    """The photos of a set that have boxes and may teach, in memory; dice that something covers, or that are unclear,
    count too."""
    scenes = []
    for number, photo in enumerate(labelled_photos(folder)):
        if photo.boxes is None or settings.is_held_back(photo.path):
            continue
        pixels = load_pixels(photo.path)
        share = _LONGEST_SIDE / max(pixels.shape[:2])
        if share < 1:
            pixels = np.asarray(cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        if number % 2 and _has_speckles(pixels):
            pixels = np.asarray(cv2.medianBlur(pixels, 3), np.uint8)
        height, width = pixels.shape[:2]
        covered = photo.others[photo.others_seen[:, 1] >= _IN_SIGHT]
        boxes = np.concatenate([photo.boxes, covered, photo.unclear])
        scenes.append(TrainingPhoto(pixels, boxes * np.array([width, height, width, height], np.float32)))
    return scenes


def sampling_weights(finder: DiceFinder, scene: TrainingPhoto) -> npt.NDArray[np.float32]:
    """The sampling weight of each die (n,): higher for hard examples, which the detector misses."""
    found, _ = finder.find(Photo(scene.pixels), _HARDLY_FOUND)
    height, width = scene.pixels.shape[:2]
    iou, _ = overlaps(np.divide(scene.boxes, np.array([width, height] * 2), dtype=np.float32), found)
    return np.where(iou.max(1, initial=0.0) < _FOUND, _HARD, 1.0).astype(np.float32)


def _has_speckles(pixels: Pixels) -> bool:
    """Whether the photo has added salt and pepper, as many published sets have."""
    small = pixels[::2, ::2, 1]
    return bool((np.abs(small.astype(int) - cv2.medianBlur(small, 3)) > 60).mean() > 0.004)


def _cutouts_of(scenes: Sequence[TrainingPhoto], cache: Path) -> list[Cutout]:
    """The scenes' dice cut out; slow, so kept in `cache`."""
    if not cache.is_file():
        found = [cutout for scene in scenes for cutout in cutouts(scene).values()]
        arrays: dict[str, Any] = {}
        for i, cutout in enumerate(found):
            arrays[f"p{i}"], arrays[f"o{i}"], arrays[f"b{i}"] = cutout.pixels, cutout.opacity, np.array(cutout.box)
        np.savez(cache, **arrays)
    with np.load(cache) as kept:
        count = len(kept.files) // 3
        return [Cutout(kept[f"p{i}"], kept[f"o{i}"], tuple(kept[f"b{i}"].tolist())) for i in range(count)]


class MixedPictures(Dataset):
    """The run's pictures by number. The same number gives the same picture, so a resumed run continues exactly."""

    def __init__(self, mixer: Mixer, seed: int, count: int, first: int) -> None:
        self._mixer, self._seed, self._count, self._first = mixer, seed, count, first

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        if index >= self._count:
            raise IndexError(index)
        pixels, boxes = self._mixer.picture(np.random.default_rng([self._seed, self._first + index]))
        side = pixels.shape[0]
        centred = np.concatenate([(boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]], axis=1) / side
        return {"img": torch.from_numpy(pixels.transpose(2, 0, 1).copy()), "bboxes": torch.from_numpy(centred)}


def _together(samples: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """A batch as ultralytics' loss wants it."""
    boxes = torch.cat([s["bboxes"] for s in samples])
    index = torch.cat([torch.full((len(s["bboxes"]),), float(i)) for i, s in enumerate(samples)])
    pixels = torch.stack([s["img"] for s in samples]).float().div_(255).to(memory_format=torch.channels_last)
    return {"img": pixels, "bboxes": boxes, "batch_idx": index, "cls": torch.zeros(len(boxes), 1)}


def _one_thread(_: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def _numbers(parts: Any) -> np.ndarray[Any, Any]:
    values = list(parts.values()) if isinstance(parts, dict) else parts
    return np.array([float(v) for v in values], float)


def _groups(model: torch.nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Weights decay, biases and normalisations do not."""
    decayed = [p for p in model.parameters() if p.ndim > 1]
    free = [p for p in model.parameters() if p.ndim <= 1]
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": free, "weight_decay": 0.0}]
