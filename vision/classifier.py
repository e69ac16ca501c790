"""The crop classifier: reads each candidate, cut out of the photo at the photo's own resolution.

It gives each crop's value, or "no pipped die", and the direction that is up in it. The up direction tells a die's upper
face from its sides. All candidates of a photo together tell how the camera was held (docs/detector.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Pixels
from vision.crops import ROOM, SIDE, crops
from vision.photo import Photo

Outputs = Callable[[Pixels], tuple[Floats, ...]]  # what `vision.backend.Network.outputs` is
# The network's outputs for the crops of one photo: views (views, 7 + DIRECTIONS) and its other outputs side by side,
# first the features (FEATURES + ELEVATIONS + 1 + len(SHARES),). Older networks give features alone. Keys: the
# width of the photo that was cut, the box in it, degrees of turn, and whether quarter turns follow.
Answers = dict[tuple[int, bytes, int, bool], tuple[Floats, Floats]]

NONE = 6  # the class of what is no die
ELEVATIONS = 9  # bands of the camera's elevation above the table, 10 degrees each, from table height up
# Bounds of the share of a die that is in sight, of classes 1, 2, ...; class 0 is no die at all.
SHARES = (0.9, 0.65, 0.4, 0.0)
DIRECTIONS = 12  # possible up directions, counter-clockwise from the crop's top
FEATURES = 192
_OTHERS = FEATURES + ELEVATIONS + 1 + len(SHARES)
_UPRIGHT = 2  # upright views of each crop: as it is, and mirrored; further views are turned to either side
_QUARTER = DIRECTIONS // 4
_STRAIGHT = 0.9  # prior probability that a photo's top is up
_UP_WEIGHT = 0.7  # weight of each candidate's up direction: those of one photo err together
_TURNED = 0.8  # probability from which on the camera is taken to have been turned
_LIKELY = 0.1  # the detector's score from which on a candidate shows how large dice are and where up is
_CLOSER = (0.9, 1.1)  # sizes of further upright crops in the second pass, as multiples of the usual side
_CERTAIN = 0.999  # probability of a value, or of none, from which on the second pass does not crop again
_CROP_MARGIN = 0.75  # a crop comes from a view in which the die has at least this share of the crop's pixels

# From straight above, each die shows the side turned to the photo's centre, and up points away from the centre.
_FOCAL = 0.9  # focal length by the photo's longer side: between a phone's 0.7 and a webcam's or a cropped photo's
_LEANS = 12.0  # degrees off the view's axis from which on a candidate shows where up is
_SEVERAL = 3  # candidates needed for that: one or two may as well be seen from aslant
_MAYBE = 0.25  # the detector's score and the probability of being a die from which on a candidate counts for that
_ABOVE_ODDS = -1.0  # prior log-odds that a photo of several candidates is from straight above
_ABOVE_WEIGHT = 0.5  # weight of the up directions for that; how clearly the dice are read counts whole
_CLEAR, _PLAIN = 0.99, 0.98  # probabilities of a value and of being a die that no other view would change
_HINTS = 1.0  # log-odds of the up directions, from which on clear dice are read from straight above too


@dataclass(frozen=True)
class Classification:
    """What the classifier says of n candidates. `logits` (n, 7): of the values 1..6 and of no die, averaged over the
    views. `features` (n, FEATURES): the input of its last layer for the upright views. `elevations` (n, ELEVATIONS):
    logits of the camera's elevation above the table. `shares` (n, 1 + len(SHARES)): logits of how much of a die is in
    sight. An older network gives neither: (n, 0)."""

    logits: Floats
    features: Floats
    elevations: Floats
    shares: Floats

    @classmethod
    def from_outputs(cls, logits: Floats, others: Floats) -> Classification:
        """`others`: the network's other outputs side by side."""
        features, elevations, shares = np.split(others, [FEATURES, FEATURES + ELEVATIONS], axis=1)
        return cls(logits, features, elevations, shares)


@dataclass(frozen=True)
class _ViewOutputs:
    upright: Floats  # logits (views, n, 7)
    turned: Floats  # logits of the views turned to either side
    directions: Floats  # (views, n, DIRECTIONS): as it is, mirrored, turned
    others: Floats  # (n, ...) the other outputs, of the upright views

    @property
    def classified(self) -> Classification:
        return Classification.from_outputs(average_views(self.upright, self.turned), self.others)


def classify(
    network: Outputs,
    photo: Photo,
    boxes: Floats,
    scores: Floats,
    answers: Answers | None = None,
    closer: bool = False,
) -> Classification:
    """Reads the candidates in `boxes` (n, 4), fractions of the photo's sides, of the detector's `scores` (n,).
    `answers`: the network's outputs of an earlier pass, which are reused; new ones are added. `closer`: crops of
    other sizes are read too."""
    if not len(boxes):
        return Classification.from_outputs(np.zeros((0, NONE + 1), np.float32), np.zeros((0, _OTHERS), np.float32))
    longest = max(photo.width, photo.height)
    sides = (boxes[:, 2:] - boxes[:, :2]) * np.array([photo.width, photo.height], np.float32)
    likely = scores >= min(_LIKELY, float(scores.max()))
    smallest = max(float(np.median(sides[likely].max(1))), 1.0)
    view = photo.view(min(round(longest * _CROP_MARGIN * SIDE / ROOM / smallest), longest))
    places = boxes * np.array([view.shape[1], view.shape[0]] * 2, np.float32)
    reader = _CropReader(network, view, {} if answers is None else answers, closer)
    seen = reader.read_at(places)
    turn = camera_turn(seen.directions[:, likely])
    if turn:  # turn the dice as in an upright photo: only so can the upper face be told from a side face
        return reader.refine(reader.read_at(places, turn), places, turn).classified
    return _from_above(reader, places, scores, seen)


def _from_above(reader: _CropReader, places: Floats, scores: Floats, seen: _ViewOutputs) -> Classification:
    """Mixes two readings by their probability: upright, and as if the camera looked straight down."""
    chances = softmax(seen.classified.logits)
    height, width = reader.view.shape[:2]
    across = ((places[:, :2] + places[:, 2:]) - np.array([width, height], np.float32)) / (2 * max(height, width))
    away = np.degrees(np.arctan2(-across[:, 0], -across[:, 1]))
    leans = np.clip(np.degrees(np.arctan(np.hypot(*across.T) / _FOCAL)) / _LEANS, 0, 1)
    counted = (scores >= _MAYBE) & (chances[:, NONE] <= 1 - _MAYBE)
    if counted.sum() < _SEVERAL:
        return reader.refine(seen, places).classified
    up = _up_log_chances(seen.directions)
    radial = np.log((1 - leans) / DIRECTIONS + leans * np.exp(_interpolate(up, away)))
    hint = float((radial - up[:, 0])[counted].sum())
    clear = (_likeliest(chances) >= _CLEAR) & (chances[:, NONE] <= 1 - _PLAIN)
    if hint < _HINTS and clear[counted].all():
        return reader.refine(seen, places).classified
    # The up direction is known here, so the upright views suffice.
    above = reader.read_at(places[counted], away[counted], quarters=False)
    clearer = (_clarity(softmax(above.classified.logits)) - _clarity(chances[counted])).sum()
    share = 1 / (1 + np.exp(-(_ABOVE_ODDS + _ABOVE_WEIGHT * hint + clearer)))
    if share > 0.5:
        above = reader.refine(above, places[counted], away[counted])
    else:
        seen = reader.refine(seen, places)
    chances, others = softmax(seen.classified.logits), seen.others.copy()
    chances[counted] = share * softmax(above.classified.logits) + (1 - share) * chances[counted]
    if share > 0.5:
        others[counted] = above.others
    return Classification.from_outputs(np.log(np.maximum(chances, 1e-9)).astype(np.float32), others)


def _likeliest(chances: Floats) -> Floats:
    """From probabilities (n, 7): the largest probability of a value, given that it is a die (n,)."""
    return np.asarray(chances[:, :NONE].max(1) / np.maximum(1 - chances[:, NONE], 1e-6))


def _clarity(chances: Floats) -> Floats:
    """Log-probabilities (n,) that each candidate is a die and shows its value."""
    return np.asarray(np.log(_likeliest(chances) + 1e-6) + np.log(1 - chances[:, NONE] + 1e-4))


@dataclass(frozen=True)
class _CropReader:
    """Cuts crops out of a photo and asks the network about each one once."""

    network: Outputs
    view: Pixels
    answers: Answers
    closer: bool

    def read_at(self, places: Floats, turn: float | Floats = 0.0, quarters: bool = True) -> _ViewOutputs:
        """Reads the candidates in `places` (n, 4), in pixels, turned by `turn` degrees, or each by its own (n,). The
        views: as it is, mirrored, and with `quarters` turned a quarter to either side."""
        turns = np.broadcast_to(np.asarray(turn), len(places))
        width = self.view.shape[1]
        keys = [(width, place.tobytes(), round(float(own)), quarters) for place, own in zip(places, turns, strict=True)]
        new = [i for i, key in enumerate(keys) if key not in self.answers]
        if new:
            outputs, others = _run_network(self.network, crops(self.view, places[new], turns[new]), quarters)
            self.answers.update((keys[i], (outputs[:, k], others[k])) for k, i in enumerate(new))
        outputs = np.stack([self.answers[key][0] for key in keys], axis=1)
        logits, directions = outputs[..., : NONE + 1], outputs[..., NONE + 1 :]
        others = np.stack([self.answers[key][1] for key in keys])
        return _ViewOutputs(logits[:_UPRIGHT], logits[_UPRIGHT:], directions, others)

    def refine(self, seen: _ViewOutputs, places: Floats, turn: float | Floats = 0.0) -> _ViewOutputs:
        """Adds crops of other sizes to the outputs `seen`, if `closer`."""
        if not self.closer:
            return seen
        worth = np.flatnonzero(softmax(seen.classified.logits).max(1) < _CERTAIN)
        if not len(worth):
            return seen
        turns = np.broadcast_to(np.asarray(turn), len(places))[worth]
        sized = np.concatenate([_resize(places[worth], times) for times in _CLOSER])
        more = self.read_at(sized, np.tile(turns, len(_CLOSER)), quarters=False)
        # Certain candidates repeat the views they have.
        upright = np.repeat(seen.upright[None], len(_CLOSER), axis=0)
        upright[:, :, worth] = more.upright.reshape(_UPRIGHT, len(_CLOSER), len(worth), -1).swapaxes(0, 1)
        others = np.repeat(seen.others[None], len(_CLOSER), axis=0)
        others[:, worth] = more.others.reshape(len(_CLOSER), len(worth), -1)
        return _ViewOutputs(
            np.concatenate([seen.upright, *upright]),
            seen.turned,
            seen.directions,
            np.concatenate([seen.others[None], others]).mean(0),
        )


def _resize(places: Floats, times: float) -> Floats:
    """Boxes (n, 4) of so many `times` the side, around the same middles."""
    middles, reach = (places[:, :2] + places[:, 2:]) / 2, (places[:, 2:] - places[:, :2]) * (times / 2)
    return np.concatenate([middles - reach, middles + reach], axis=1).astype(np.float32)


def _run_network(network: Outputs, cut: Pixels, quarters: bool) -> tuple[Floats, Floats]:
    """The network's outputs for the views of crops (n, SIDE, SIDE, 3): (views, n, 7 + DIRECTIONS), and the others
    (n, ...) side by side, of the upright views."""
    turns = (1, 3) if quarters else ()
    views = np.concatenate([cut, cut[:, :, ::-1], *(np.rot90(cut, quarter, axes=(1, 2)) for quarter in turns)])
    outputs, *others = (given.reshape(-1, len(cut), given.shape[1]) for given in network(views))
    return outputs, np.concatenate([given[:_UPRIGHT].mean(0) for given in others], axis=1).astype(np.float32)


def _up_log_chances(directions: Floats) -> Floats:
    """Log-probabilities (n, DIRECTIONS) of the up direction in the photo, from `directions` (views, n, DIRECTIONS)."""
    chances = directions - _log_of_sum(directions)[..., None]
    mirrored = (-np.arange(DIRECTIONS)) % DIRECTIONS
    back = [chances[0], chances[1][:, mirrored], np.roll(chances[2], -_QUARTER, 1), np.roll(chances[3], _QUARTER, 1)]
    return np.asarray(np.mean(back, 0))


def _interpolate(up: Floats, degrees: Floats) -> Floats:
    """The log-probability in `up` (n, DIRECTIONS) at the direction `degrees` (n,), between two of the twelve."""
    place = (degrees / 360 * DIRECTIONS) % DIRECTIONS
    before = np.floor(place).astype(int) % DIRECTIONS
    share = place - np.floor(place)
    rows = np.arange(len(up))
    return np.asarray((1 - share) * up[rows, before] + share * up[rows, (before + 1) % DIRECTIONS])


def camera_turn(directions: Floats) -> float:
    """Degrees that the camera was turned counter-clockwise about its view; 0 if that is unclear. `directions`
    (views, n, DIRECTIONS): logits of the up direction. All candidates in a photo share one up direction, so several
    of them tell what one alone cannot."""
    up = _up_log_chances(directions).sum(0) * _UP_WEIGHT
    up += np.log(np.where(np.arange(DIRECTIONS) == 0, _STRAIGHT, (1 - _STRAIGHT) / (DIRECTIONS - 1)))
    chance = softmax(up[None].astype(np.float32))[0]
    if chance[[-1, 0, 1]].sum() > 1 - _TURNED:
        return 0.0
    angles = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    middle = complex((chance * np.exp(1j * angles)).sum())
    return float(np.degrees(np.angle(middle)))


def average_views(upright: Floats, turned: Floats) -> Floats:
    """Averages logits (views, n, 7) of upright and turned views into (n, 7). The value comes from upright views
    only: these tell the upper face from a side. Whether it is a die comes from all."""
    odds = [(views[..., NONE] - _log_of_sum(views[..., :NONE])).mean(0) for views in (upright, turned) if len(views)]
    values = upright[..., :NONE].mean(0)
    none = np.mean(odds, axis=0) + _log_of_sum(values)
    return np.concatenate([values, none[:, None]], axis=1).astype(np.float32)


def softmax(logits: Floats) -> Floats:
    """Probabilities (n, k) of logits (n, k); n may be 0."""
    powers = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf)) if len(logits) else logits
    return (powers / powers.sum(1, keepdims=True)).astype(np.float32) if len(logits) else logits


def _log_of_sum(logits: Floats) -> Floats:
    largest = logits.max(-1)
    return np.asarray(largest + np.log(np.exp(logits - largest[..., None]).sum(-1)))
