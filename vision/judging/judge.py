"""Asks an eye, judges what it saw, and asks again where that helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.eye import Eye, EyePicture, FindsDice
from vision.judging import framing
from vision.judging.ask_reasons import TOO_DARK, around_dice, reasons_to_ask, without_pips
from vision.judging.chances import chance, log_odds, softmax
from vision.judging.crop_views import classify
from vision.judging.cut import Counts, find_cut
from vision.judging.dice_memory import DiceMemory, Trace
from vision.judging.interpretation import Search, interpret
from vision.judging.overlap import SAME_THING, Box, clip, neighbours, suppress
from vision.judging.seen import NONE, Candidates, Seen
from vision.judging.weights import Calibration
from vision.reading import Reading, check_throw

_NEARLY_THE_SAME = 0.6  # intersection over union
_MISSED = 0.02  # the score of a candidate in a pass that missed it
_LONG = 1.2  # times as long as wide: a box that may hold more than a die
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
            glance = await self.look(photo, Search.GLANCE)
            first = self.interpret(glance, expected, Search.GLANCE)
            if first.sure and not await self._large_side(photo, first):
                return first, glance
        seen = await self.look(photo, before=glance)
        first = self.interpret(seen, expected)
        large = await self._large_side(photo, first)
        wider = large > 0 or framing.wants_wider_frame(first)
        frame = framing.wider_frame(photo, large) if wider else framing.closer_frame(first, seen)
        reading = None if frame is None else await self._read_frame(photo, frame, expected, wider)
        reading = reading or await self._read_again(photo, seen, first, expected)
        if large and not any(die.sure for die in reading.dice):
            reading = replace(reading, obstacles=("too-close",))
        return reading, seen

    async def _read_frame(
        self, photo: EyePicture, frame: framing.Frame, expected: Expected, wider: bool
    ) -> Reading | None:
        """The reading of a part of the photo, or of a `wider` picture around it; None if that shows no dice."""
        part = await self.eye.cut(photo, frame)
        seen = await self.look(part, Search.GLANCE if wider else Search.FIRST)  # the last size does for large dice
        reading = await self._read_again(part, seen, self.interpret(seen, expected), expected)
        return framing.to_photo(frame, reading, photo) if reading.dice else None

    async def _large_side(self, photo: EyePicture, reading: Reading) -> float:
        """How large the largest die may be beside which those of the reading are pips; 0 if they are dice."""
        if sum(die.sure for die in reading.dice) > 1:  # from afar, a few dice look like the pips of a large one
            return 0.0
        return framing.large_side(await find(self.eye, photo, _COARSE, self.calibration.die), reading)

    async def _read_again(self, photo: EyePicture, seen: Seen, first: Reading, expected: Expected) -> Reading:
        """The reading of the `first` pass; or that of the second if something else than values is in doubt: what was
        found is not cut out again."""
        if first.dice and first.complete and {ask.reason for ask in first.asks} <= {"doubtful-value"}:
            return first
        return self.interpret(await self.look(photo, Search.AGAIN, seen), expected, Search.AGAIN)

    async def examine(
        self, photo: EyePicture, reading: Reading, seen: Seen, dice: int | None = None, counts: Counts = None
    ) -> Reading:
        """The reading with the reasons why it asks, not sure if something in the photo keeps it from showing all dice
        surely. `seen`: what was first seen in the photo. `counts`: the places at which dice count; None: all."""
        light, cut = await self.eye.light(photo, around_dice(reading)), None
        dark = light.brightness < TOO_DARK
        found = reading.obstacles or ("dark",) * dark or ("no-pips",) * without_pips(reading, seen)
        if reading.dice and not found:
            complete = reading.sure and len(reading.dice) == dice
            cut = await find_cut(self.eye, photo, reading, seen, self.calibration.cut, complete, counts)
            found = ("cut",) if cut else ()
        reading = replace(reading, obstacles=found)
        return reading if reading.sure else replace(reading, asks=reasons_to_ask(light, reading, dice, cut))

    async def with_reasons(self, photo: EyePicture, reading: Reading, dice: int | None) -> Reading:
        """The reading with the reasons why it asks."""
        if reading.sure:
            return reading
        return replace(reading, asks=reasons_to_ask(await self.eye.light(photo, around_dice(reading)), reading, dice))

    def interpret(self, seen: Seen, expected: Expected, search: Search = Search.FIRST) -> Reading:
        """The reading of what was seen."""
        likeness, calibration = self.eye.likeness, self.calibration
        kept = None if expected.memory is None else expected.memory.kept_by(likeness)
        if kept is not None:
            calibration = calibration.with_memory
            seen = replace(seen, logits=tuple(map(kept.adjust, seen.logits, seen.vectors)))
        reading = interpret(seen, calibration, expected.dice, expected.aside, search)
        if framing.too_small(reading, seen, expected.dice):
            reading = replace(reading, obstacles=("too-small",))
        return replace(reading, trace=Trace(seen.pixels, seen.vectors, likeness.mark))

    async def look(
        self, photo: EyePicture, search: Search = Search.FIRST, before: Seen | None = None, most: int | None = None
    ) -> Seen:
        """What detector and classifier find in the photo. A die is seen in several passes of the detector, a lookalike
        often in only one; so a score is the mean log-odds of all. `before`: what an earlier search saw, none of which
        is asked again. `most`: classifies only the best so many candidates; None: all."""
        found, answers = ({}, {}) if before is None else (dict(before.passes), dict(before.answers))
        sizes, more = self.calibration.image_sizes, Candidates((), ())
        passes = [(size, False) for size in (sizes[-1:] if search is Search.GLANCE else sizes)]
        if before is not None and search is Search.AGAIN:
            passes, more = [*sorted(found, reverse=True), (sizes[-1], True)], reframe(before)
        for size, mirrored in passes:
            if (size, mirrored) not in found:
                found[size, mirrored] = await find(self.eye, photo, size, self.calibration.candidate, mirrored)
        things, _ = fuse([found[one] for one in passes])
        boxes, scores = (*things.boxes[:most], *more.boxes), (*things.scores[:most], *more.scores)
        looks = await classify(self.eye, photo, boxes, scores, answers, self.calibration.sure)
        features = tuple(look.answer.features for look in looks)
        vectors, set_vectors = await self.eye.compare(features)
        return Seen(
            photo.width,
            photo.height,
            boxes,
            scores,
            tuple(look.logits for look in looks),
            features,
            vectors,
            set_vectors,
            self.eye.likeness.set_between,
            tuple(look.answer.elevations for look in looks),
            tuple(look.answer.shares for look in looks),
            min(1.0, max(sizes) / max(photo.width, photo.height)),
            answers,
            found,
        )


def reframe(seen: Seen) -> Candidates:
    """Squares at both ends of the long boxes that the classifier takes for some part of a die, but for no die: the
    detector framed a die together with its shadow, say."""
    boxes, scores = list[Box](), list[float]()
    for (x0, y0, x1, y1), score, logits, shares in zip(seen.boxes, seen.scores, seen.logits, seen.shares, strict=True):
        wide, tall = (x1 - x0) * seen.width, (y1 - y0) * seen.height
        side = min(wide, tall)
        if max(wide, tall) > _LONG * side and softmax(logits)[NONE] > 0.5 > softmax(shares)[0]:
            across, down = side / seen.width, side / seen.height
            boxes += [(x0, y0, x0 + across, y0 + down), (x1 - across, y1 - down, x1, y1)]
            scores += [score, score]
    return Candidates(tuple(boxes), tuple(scores))


async def find(eye: FindsDice, photo: EyePicture, side: int, least: float, mirrored: bool = False) -> Candidates:
    """What the detector finds in the photo, scaled to a longer `side`; nearly equal boxes are one."""
    found = await eye.detect(photo, side, least, mirrored)
    # Only nearly equal boxes go: a pip taken for a die must not hide the die. The classifier decides between them.
    kept = suppress(found.boxes, found.scores, iou=_NEARLY_THE_SAME, of_smaller=2.0)
    return Candidates(tuple(clip(found.boxes[i]) for i in kept), tuple(found.scores[i] for i in kept))


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
        if any(other in kept and iou >= _NEARLY_THE_SAME for other, (iou, _) in near[thing].items()):
            continue
        best = {number: (score, place)}
        for other, (iou, _) in near[thing].items():
            if iou >= SAME_THING:
                one, its_place, _, its_score = found[other]
                best[one] = max(best.get(one, (0.0, 0)), (its_score, its_place))
        odds = sum(log_odds(best.get(one, (0.0, 0))[0], _MISSED) for one in range(len(passes)))
        kept[thing] = chance(odds / len(passes)), {one: at for one, (_, at) in best.items()}
    order = sorted(kept, key=lambda thing: -kept[thing][0])
    candidates = Candidates(tuple(found[thing][2] for thing in order), tuple(kept[thing][0] for thing in order))
    return candidates, [kept[thing][1] for thing in order]
