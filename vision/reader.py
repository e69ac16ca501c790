"""The reader: two looks at a photo, and how far to trust what they saw.

The detector finds what may be dice; each of these is cut out of the photo at its own resolution and read by a second
network, which may also say that it sees no pipped die. A die is sure when both agree clearly enough; thresholds and
how they were chosen: docs/detector.md.
"""

from __future__ import annotations

import contextlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.backend import Network
from vision.boxes import overlaps, suppress, within_larger
from vision.crops import ROOM, SIDE, crops
from vision.detector import Detector, first_look
from vision.photo import Photo, Pixels
from vision.reading import Box, Die, Reading
from vision.reasons import ModelError

Floats = npt.NDArray[np.float32]

MODELS = Path(__file__).resolve().parent.parent / "models"
DETECTOR, CROP_READER, TRUST = "detector.onnx", "crop-reader.onnx", "trust.json"

_NONE = 6  # the second look's class of what is no die
_PIP = 0.12  # of a die's area: a thing this small within a die is a pip of it
_EDGE = 0.003  # of the photo's side: a die this near to the edge may go on beyond it
# The detector's score and the chance from which on what the edge cuts may well be a die: half a die the second look
# hardly believes, print and lace the detector.
_CUT_FOUND, _CUT_DIE = 0.2, 0.003
# The detector's score and the chance from which on a thing whose pips are read clearly makes a photo unsure: from
# straight above, in soft light, the second look may take a die for a printed one.
_CLEAR_FOUND, _CLEAR_DIE = 0.7, 0.01
_TANGLED = 0.5  # of the smaller of two dice: where more of it is the other's too, one of them may be none
_CUT = 0.8  # of its length is the width of such a die: more of it is cut off than can be read past
_UPRIGHT = 2  # views of each crop where up stays up, as it is and mirrored; those after it are turned to either side
DIRECTIONS = 12  # among which the second look says where up is, counter-clockwise from the crop's top
_QUARTER = DIRECTIONS // 4
_STRAIGHT = 0.9  # how probable it is, before anything was seen, that a photo's top is up
_TOLD_APART = 0.7  # how much each thing's word on where up is counts: those of one photo err together
_TURNED = 0.8  # from this probability on that the camera was turned, it is taken to have been
_FAR_FROM = 1.5  # a side so many times doubled or halved is as odd as any further from the others
_CROP_MARGIN = 0.75  # a crop is cut from a view in which the die has at least this share of the crop's pixels


@dataclass(frozen=True)
class Trust:
    """How the two looks are weighed, from `models/trust.json`."""

    sides: tuple[int, ...]  # of the detector's picture, one for each time that it looks
    candidate: float  # detector's score from which a thing is looked at twice
    temperature: float  # of the second look's logits
    detector_weight: float
    second_weight: float
    bias: tuple[float, ...]  # for each value that the second look sees: a one is harder to tell from other things
    odd_size: float  # how much it counts against a thing that it is not as large as the photo's dice
    die: float  # from this probability of being a die on, it is given as one
    doubt: float  # from this on, what is not given as a die makes the photo unsure
    sure_die: float
    sure_value: float

    @classmethod
    def read(cls, path: Path) -> Trust:
        try:
            fields = json.loads(path.read_text())
            lists = {"sides": tuple(map(int, fields["sides"])), "bias": tuple(map(float, fields["bias"]))}
            return cls(**{**fields, **lists})
        except FileNotFoundError as error:
            raise ModelError("model-missing", file=path.name) from error
        except (ValueError, TypeError, KeyError) as error:
            raise ModelError("model-broken", file=path.name) from error


@dataclass(frozen=True)
class Looks:
    """What both looks saw in a photo of `width` by `height` pixels: boxes (n, 4) as fractions of these, the detector's
    scores (n,), the second look's logits (n, 7), averaged over the crops of each."""

    width: int
    height: int
    boxes: Floats
    scores: Floats
    logits: Floats


class Reader:
    """Reads the dice in photos. The networks are loaded with the first photo; several threads may read at once."""

    def __init__(self, models: Path = MODELS) -> None:
        self._models = models
        self._lock = threading.Lock()
        self._loaded: tuple[Detector, Network, Trust] | None = None

    def load_meanwhile(self) -> None:
        """Begins to load the networks in a thread of its own, while the first photo is fetched and decoded; whatever is
        wrong with them, `read` tells."""

        def load() -> None:
            with contextlib.suppress(Exception):
                self._networks()

        threading.Thread(target=load, name="networks").start()

    def read(self, photo: Photo) -> Reading:
        """The dice in the photo. Raises ModelError when the networks' files are not there or not usable."""
        trust = self._networks()[2]
        return judged(self.look(photo), trust)

    def prepare(self, width: int, height: int) -> None:
        """Makes ready for photos of this size in pixels, as a camera gives them again and again: they are read a little
        faster. Raises ModelError as `read` does."""
        self._networks()[0].prepare(width, height)

    def look(self, photo: Photo) -> Looks:
        """What both looks saw, not yet judged: for measuring and calibrating."""
        detector, second, trust = self._networks()
        found = first_look(detector, photo, trust.candidate)
        return Looks(photo.width, photo.height, found.boxes, found.scores, second_look(second, photo, found.boxes))

    def _networks(self) -> tuple[Detector, Network, Trust]:
        with self._lock:
            if self._loaded is None:
                trust = Trust.read(self._models / TRUST)
                with ThreadPoolExecutor(1) as threads:
                    second = threads.submit(Network, self._models / CROP_READER)
                    detector = Detector(self._models / DETECTOR, trust.sides)
                self._loaded = detector, second.result(), trust
            return self._loaded


def load_detector(models: Path) -> Detector:
    """The detector of the reader in `models`, alone. Raises ModelError as the reader does."""
    return Detector(models / DETECTOR, Trust.read(models / TRUST).sides)


def second_look(network: Network, photo: Photo, boxes: Floats) -> Floats:
    """Logits (n, 7) for the things in `boxes` (n, 4), fractions of the photo's sides."""
    if not len(boxes):
        return np.zeros((0, _NONE + 1), np.float32)
    longest = max(photo.width, photo.height)
    sides = (boxes[:, 2:] - boxes[:, :2]) * np.array([photo.width, photo.height], np.float32)
    smallest = max(float(np.median(sides.max(1))), 1.0)
    view = photo.view(min(round(longest * _CROP_MARGIN * SIDE / ROOM / smallest), longest))
    places = boxes * np.array([view.shape[1], view.shape[0]] * 2, np.float32)
    seen = _seen(network, crops(view, places))
    turn = camera_turn(seen[..., _NONE + 1 :])
    if turn:  # the dice as they would lie in an upright photo: only so is the upper face told from a side face
        seen = _seen(network, crops(view, places, turn))
    return averaged(seen[..., : _NONE + 1])


def _seen(network: Network, cut: Pixels) -> Floats:
    """What the network gives (views, n, 7 + DIRECTIONS) for crops (n, SIDE, SIDE, 3): as they are, mirrored, turned a
    quarter to the left and to the right."""
    views = np.concatenate([cut, cut[:, :, ::-1], *(np.rot90(cut, quarter, axes=(1, 2)) for quarter in (1, 3))])
    return network(views).reshape(-1, len(cut), _NONE + 1 + DIRECTIONS)


def camera_turn(directions: Floats) -> float:
    """By how many degrees the camera was turned counter-clockwise about its view, 0 where that is not clear; from the
    logits (views, n, DIRECTIONS) of where up is in each view of each thing.

    All things in a photo have the same up: what one alone does not tell, several do.
    """
    chances = directions - _log_of_sum(directions)[..., None]
    mirrored = (-np.arange(DIRECTIONS)) % DIRECTIONS
    back = [chances[0], chances[1][:, mirrored], np.roll(chances[2], -_QUARTER, 1), np.roll(chances[3], _QUARTER, 1)]
    told = np.mean(back, 0).sum(0) * _TOLD_APART
    told += np.log(np.where(np.arange(DIRECTIONS) == 0, _STRAIGHT, (1 - _STRAIGHT) / (DIRECTIONS - 1)))
    chance = softmax(told[None].astype(np.float32))[0]
    if chance[[-1, 0, 1]].sum() > 1 - _TURNED:
        return 0.0
    angles = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    middle = complex((chance * np.exp(1j * angles)).sum())
    return float(np.degrees(np.angle(middle)))


def averaged(logits: Floats) -> Floats:
    """Logits (n, 7) of the views' (views, n, 7): the values as seen upright, since only what is up tells the upper face
    from a side face; whether it is a die at all as seen any way up."""
    odds = logits[..., _NONE] - _log_of_sum(logits[..., :_NONE])
    values = logits[:_UPRIGHT, :, :_NONE].mean(0)
    none = odds.mean(0) + _log_of_sum(values)
    return np.concatenate([values, none[:, None]], axis=1).astype(np.float32)


def _log_of_sum(logits: Floats) -> Floats:
    largest = logits.max(-1)
    sums: Floats = largest + np.log(np.exp(logits - largest[..., None]).sum(-1))
    return sums


def judged(looks: Looks, trust: Trust) -> Reading:
    """The reading that both looks together support."""
    weighed = weigh(looks, trust)
    dice = []
    for i in np.flatnonzero(weighed.given):
        order = np.argsort(-weighed.values[i], kind="stable")
        likeliest = float(weighed.values[i, order[0]])
        sure = bool(weighed.whole[i] and weighed.dieness[i] >= trust.sure_die and likeliest >= trust.sure_value)
        confidence = float(np.clip(weighed.dieness[i] * likeliest, 0, 1))
        others = tuple(int(v) + 1 for v in order[1:])
        dice.append(Die(int(order[0]) + 1, confidence, _box(looks, int(i)), sure, others))
    clear = (looks.scores >= _CLEAR_FOUND) & (weighed.values.max(1, initial=0.0) >= trust.sure_value)
    least = np.where(clear, min(_CLEAR_DIE, trust.doubt), trust.doubt)
    left_out = weighed.apart & ~weighed.given & (weighed.dieness > least)
    complete = not left_out.any() and not weighed.unclear
    return Reading(looks.width, looks.height, tuple(dice), complete)


@dataclass(frozen=True)
class Weighed:
    """What both looks come to together: for each thing (n,) how probable it is that it is a die, for each value (n, 6)
    how probable it is if it is one, whether it stands apart: no likelier thing is at the same place,
    whether it lies wholly in the photo, and whether it is given as a die. `unclear`: the photo shows something that no
    probability tells: what its edge cuts and may be a die, or two dice at nearly the same place. `odd_sizes` (n,): how
    far each thing is from being as large as the photo's other sure dice."""

    dieness: Floats
    values: Floats
    apart: npt.NDArray[np.bool_]
    whole: npt.NDArray[np.bool_]
    given: npt.NDArray[np.bool_]
    unclear: bool
    odd_sizes: Floats


def weigh(looks: Looks, trust: Trust) -> Weighed:
    chances = softmax(looks.logits / trust.temperature)
    not_none = 1 - chances[:, _NONE]
    sides = (looks.boxes[:, 2:] - looks.boxes[:, :2]) * np.array([looks.width, looks.height], np.float32)
    odds = _odds(looks, trust, chances)
    alone = _chance(odds)
    odd_sizes = _odd_sizes(sides, _apart(looks.boxes, alone, trust) & (alone >= trust.sure_die))
    dieness = _chance(odds - trust.odd_size * odd_sizes)
    apart = _apart(looks.boxes, dieness, trust)
    values = (chances[:, :_NONE] / np.maximum(not_none[:, None], 1e-9)).astype(np.float32)
    whole = np.asarray(((looks.boxes > _EDGE) & (looks.boxes < 1 - _EDGE)).all(1))
    cut = ~whole & (sides.min(1, initial=np.inf) < _CUT * sides.max(1, initial=0.0))
    given = apart & ~cut & (dieness >= trust.die)
    cut_off = apart & ~whole & ~given & (looks.scores >= _CUT_FOUND) & (dieness >= _CUT_DIE)
    _, shared = overlaps(looks.boxes[given], looks.boxes[given])
    tangled = (shared > _TANGLED).sum() > given.sum()  # each shares all of itself with itself
    return Weighed(dieness, values, apart, whole, given, bool(cut_off.any() or tangled), odd_sizes)


def _odd_sizes(sides: Floats, sure: npt.NDArray[np.bool_]) -> Floats:
    """How far each thing (n,) with `sides` (n, 2) is from being as large as the others that are `sure` dice (n,): the
    squared logarithm, to the base 2, of how many times their median side it has, less where they are few; 0 where there
    are none."""
    size = np.log2(np.maximum(sides.prod(1), 1)) / 2
    odd = np.zeros(len(size), np.float32)
    for i in range(len(size)):
        others = sure.copy()
        others[i] = False
        if count := int(others.sum()):
            step = min(abs(float(size[i] - np.median(size[others]))), _FAR_FROM)
            odd[i] = step**2 * count / (count + 1)
    return odd


def _odds(looks: Looks, trust: Trust, chances: Floats) -> Floats:
    """Log-odds (n,) of being a die, of each thing by itself; `chances` (n, 7): the second look's."""
    bias = np.array(trust.bias, np.float32)[chances[:, :_NONE].argmax(1)]
    odds: Floats = (
        trust.detector_weight * _logit(looks.scores) + trust.second_weight * _logit(1 - chances[:, _NONE]) + bias
    )
    return odds


def _chance(odds: Floats) -> Floats:
    return (1 / (1 + np.exp(-odds))).astype(np.float32)


def _apart(boxes: Floats, dieness: Floats, trust: Trust) -> npt.NDArray[np.bool_]:
    """Which things (n,) stand apart from all likelier ones."""
    rank = np.where(within_larger(boxes, dieness, trust.die, _PIP), 0, dieness)
    apart = np.zeros(len(dieness), bool)
    apart[suppress(boxes, rank)] = True
    return apart


def softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf)) if len(logits) else logits
    return (powers / powers.sum(1, keepdims=True)).astype(np.float32) if len(logits) else logits


def _logit(chance: Floats) -> Floats:
    safe = np.clip(chance, 1e-4, 1 - 1e-4)
    odds: Floats = np.log(safe / (1 - safe)).astype(np.float32)
    return odds


def _box(looks: Looks, i: int) -> Box:
    sides = np.array([looks.width, looks.height] * 2)
    x0, y0, x1, y1 = (float(v) for v in np.clip(looks.boxes[i], 0, 1) * sides)
    return x0, y0, min(x1, float(looks.width)), min(y1, float(looks.height))
