"""Asks an eye, judges what it saw, and asks again where that helps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vision.eye import Eye, EyePicture, FindsDice
from vision.judging.ask_reasons import around_dice, light_obstacles, reasons_to_ask
from vision.judging.chances import chance, log_odds
from vision.judging.crop_views import classify
from vision.judging.cut import find_cut
from vision.judging.dice_memory import DiceMemory, Trace
from vision.judging.framing import (
    Frame,
    closer_frame,
    large_side,
    misses_large,
    to_photo,
    too_small,
    wants_wider_frame,
    wider_frame,
)
from vision.judging.interpretation import camera_elevation, interpret, left_out
from vision.judging.overlap import Box, neighbours, suppress
from vision.judging.seen import Answers, Candidates, Places, Seen
from vision.judging.weights import Calibration
from vision.reading import Reading, check_throw

_NEARLY_THE_SAME = 0.6  # intersection over union
_SAME_THING = 0.5  # intersection over union from which two passes mean the same thing
_MISSED, _HIGHEST = 0.02, 0.999  # the score of a candidate in a pass that missed it; the highest score that counts
_FLAT = 20.0  # degrees: from lower, upper faces are so narrow that this is why a reading is not sure
_LEFT_OUT = 1.0  # log-odds of being some part of a die, from which on a glance that leaves a thing out does not do
_COARSE = 128  # longer side of a small picture, in which large dice are found


@dataclass(frozen=True)
class Expected:
    """What is known of a throw before it is seen: the dice count `dice`, values of dice that may lie `aside`, and the
    `memory` of the table's dice. Raises ValueError for numbers that no throw has."""

    dice: int | None = None
    aside: Sequence[int] = ()
    memory: DiceMemory | None = None

    def __post_init__(self) -> None:
        check_throw(self.dice, self.aside)


@dataclass
class Judge:
    """Reads photos with one eye; photos are of the eye's own kind."""

    eye: Eye
    calibration: Calibration

    async def read(self, photo: EyePicture, expected: Expected) -> tuple[Reading, Seen]:
        """The reading, not yet examined for what keeps the photo from showing all dice; and what was seen first."""
        glance = None
        if expected.dice is not None:
            glance = await self.glance(photo)
            first = self.interpret(glance, expected, self.calibration.glance)
            rest = left_out(glance, [*first.dice, *first.aside])
            if first.sure and rest < _LEFT_OUT and not await self._large_side(photo, first):
                return first, glance
        seen = await self.detect(photo, glance=glance)
        first = self.interpret(seen, expected)
        large = await self._large_side(photo, first)
        wider = large > 0 or wants_wider_frame(first, seen)
        frame = wider_frame(photo, large) if wider else closer_frame(first, seen)
        reading = None if frame is None else await self._read_frame(photo, frame, expected)
        reading = reading or await self._read_again(photo, seen, first, expected)
        if misses_large(reading, large):
            reading = replace(reading, obstacles=("too-close",))
        return reading, seen

    async def _large_side(self, photo: EyePicture, reading: Reading) -> float:
        """How large the largest die may be beside which those of the reading are pips; 0 if they are dice."""
        if sum(die.sure for die in reading.dice) > 1:  # from afar, a few dice look like the pips of a large one
            return 0.0
        return large_side(await find(self.eye, photo, _COARSE, _MISSED), reading)

    async def _read_frame(self, photo: EyePicture, frame: Frame, expected: Expected) -> Reading | None:
        """The reading of a frame of the photo, with boxes in the photo; None if it shows no dice."""
        part = await self.eye.cut(photo, frame)
        seen = await self.detect(part)
        first = self.interpret(seen, expected)
        reading = await self._read_again(part, seen, first, expected)
        return to_photo(frame, reading, photo) if reading.dice else None

    async def _read_again(self, photo: EyePicture, seen: Seen, first: Reading, expected: Expected) -> Reading:
        """The reading of the `first` pass, or that of the second if the first is not sure."""
        if first.sure:
            return first
        return self.interpret(await self.detect_again(photo, seen), expected, self.calibration.second_pass)

    async def examine(
        self,
        photo: EyePicture,
        reading: Reading,
        seen: Seen,
        dice: int | None = None,
        counts: Callable[[Places], Places] = lambda places: places,
    ) -> Reading:
        """The reading with the reasons why it asks, not sure if something in the photo keeps it from showing all dice
        surely. `seen`: what was first seen in the photo. `counts`: those of some places at which dice count."""
        light, cut = await self.eye.light(photo, around_dice(reading)), None
        found = reading.obstacles or light_obstacles(light)
        if not found and not reading.sure and camera_elevation(reading, seen) < _FLAT:
            found = ("from-the-side",)
        if reading.dice and not found:
            places = await self.eye.look_along_border(photo, [die.box for die in reading.dice])
            cut = find_cut(reading, seen, counts(places))
            found = ("cut",) if cut else ()
        reading = replace(reading, obstacles=found)
        return reading if reading.sure else replace(reading, asks=reasons_to_ask(light, reading, dice, cut))

    async def with_reasons(self, photo: EyePicture, reading: Reading, dice: int | None) -> Reading:
        """The reading with the reasons why it asks."""
        if reading.sure:
            return reading
        return replace(reading, asks=reasons_to_ask(await self.eye.light(photo, around_dice(reading)), reading, dice))

    def interpret(
        self, seen: Seen, expected: Expected, calibration: Calibration | None = None, certain: bool = False
    ) -> Reading:
        """The reading of what was seen. `calibration`: that of a pass. `certain`: a person confirmed the dice count, so
        the likeliest candidates are given as dice."""
        likeness, calibration = self.eye.likeness, calibration or self.calibration
        kept = None if expected.memory is None else expected.memory.kept_by(likeness)
        if kept is not None:
            calibration = calibration.with_memory
            seen = replace(seen, logits=tuple(map(kept.adjust, seen.logits, seen.vectors)))
        reading = interpret(seen, calibration, expected.dice, expected.aside, certain)
        obstacles = ("too-small",) if too_small(reading, seen, expected.dice) else ()
        return replace(reading, trace=Trace(seen.pixels, seen.vectors, likeness.mark), obstacles=obstacles)

    async def glance(self, photo: EyePicture) -> Seen:
        """What detector and classifier find when the detector sees the photo at the last size alone."""
        found = await find(self.eye, photo, self.calibration.image_sizes[-1], self.calibration.candidate)
        return replace(await self._classify(photo, fuse([found])[0], {}), last=found)

    async def detect(self, photo: EyePicture, most: int | None = None, glance: Seen | None = None) -> Seen:
        """The first pass: what detector and classifier find in the photo. `most`: classifies only the best so many
        candidates; None: all. `glance`: what was seen before at the last size."""
        last, answers = (None, {}) if glance is None else (glance.last, glance.answers)
        sizes, least = self.calibration.image_sizes, self.calibration.candidate
        found = await find_at_sizes(self.eye, photo, sizes, least, last=last)
        return await self._classify(photo, Candidates(found.boxes[:most], found.scores[:most]), answers)

    async def detect_again(self, photo: EyePicture, before: Seen) -> Seen:
        """The second pass: the detector also gets the mirrored photo, the classifier crops of several sizes. `before`:
        the first pass."""
        sizes, least = self.calibration.image_sizes, self.calibration.candidate
        mirrored = await find_at_sizes(self.eye, photo, sizes, least, mirrored=True)
        found, _ = fuse([Candidates(before.boxes, before.scores), mirrored])
        return await self._classify(photo, found, before.answers, closer=True)

    async def _classify(self, photo: EyePicture, found: Candidates, before: Answers, closer: bool = False) -> Seen:
        answers = dict(before)
        looks = await classify(self.eye, photo, found.boxes, found.scores, answers, closer)
        features = tuple(look.features for look in looks)
        vectors, set_vectors = await self.eye.compare(features)
        return Seen(
            photo.width,
            photo.height,
            found.boxes,
            found.scores,
            tuple(look.logits for look in looks),
            features,
            vectors,
            set_vectors,
            self.eye.likeness.set_between,
            tuple(look.elevations for look in looks),
            tuple(look.shares for look in looks),
            min(1.0, max(self.calibration.image_sizes) / max(photo.width, photo.height)),
            answers,
        )


async def find(eye: FindsDice, photo: EyePicture, side: int, least: float, mirrored: bool = False) -> Candidates:
    """What the detector finds in the photo, scaled to a longer `side`; nearly equal boxes are one."""
    found = await eye.detect(photo, side, least, mirrored)
    # Only nearly equal boxes go: a pip taken for a die must not hide the die. The classifier decides between them.
    kept = suppress(found.boxes, found.scores, iou=_NEARLY_THE_SAME, of_smaller=2.0)
    return Candidates(tuple(_in_photo(found.boxes[i]) for i in kept), tuple(found.scores[i] for i in kept))


def _in_photo(box: Box) -> Box:
    x0, y0, x1, y1 = (min(max(side, 0.0), 1.0) for side in box)
    return x0, y0, x1, y1


async def find_at_sizes(
    eye: FindsDice,
    photo: EyePicture,
    sizes: Sequence[int],
    least: float,
    mirrored: bool = False,
    last: Candidates | None = None,
) -> Candidates:
    """Candidates that score at least `least` in pictures of each size (multi-scale), best first. A die is seen at
    several sizes, a lookalike often at only one; so a score is the mean log-odds of all passes. `last`: what was found
    before at the last size."""
    passes = [await find(eye, photo, side, least, mirrored) for side in (sizes if last is None else sizes[:-1])]
    return fuse(passes if last is None else [*passes, last])[0]


def fuse(passes: Sequence[Candidates]) -> tuple[Candidates, list[dict[int, int]]]:
    """Fuses several passes over one picture (multi-scale fusion): first the boxes of the first pass, then others. And
    for each candidate, its place in each of the passes that found it, by their numbers."""
    found = [
        (number, place, box, score)
        for number, one in enumerate(passes)
        for place, (box, score) in enumerate(zip(one.boxes, one.scores, strict=True))
    ]
    near = neighbours([box for _, _, box, _ in found])
    kept: dict[int, tuple[float, dict[int, int]]] = {}
    for thing, (number, place, _, score) in enumerate(found):
        if any(
            other in kept and iou >= _NEARLY_THE_SAME and found[other][0] < number
            for other, (iou, _) in near[thing].items()
        ):
            continue
        best = {number: (score, place)}
        for other, (iou, _) in near[thing].items():
            if iou >= _SAME_THING:
                one, its_place, _, its_score = found[other]
                best[one] = max(best.get(one, (0.0, 0)), (its_score, its_place))
        odds = sum(log_odds(best.get(one, (0.0, 0))[0], _MISSED, _HIGHEST) for one in range(len(passes)))
        kept[thing] = chance(odds / len(passes)), {one: at for one, (_, at) in best.items()}
    order = sorted(kept, key=lambda thing: -kept[thing][0])
    candidates = Candidates(tuple(found[thing][2] for thing in order), tuple(kept[thing][0] for thing in order))
    return candidates, [kept[thing][1] for thing in order]
