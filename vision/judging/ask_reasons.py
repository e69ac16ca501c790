"""Why a reading asks, if a person can do something about it."""

from __future__ import annotations

from vision.judging.chances import softmax
from vision.judging.overlap import APART, Box, hull, overlap
from vision.judging.seen import MAYBE, NONE, Seen, Visibility
from vision.reading import Ask, Reading

_DARK = 45.0  # of 255: the brightness around the dice
TOO_DARK = 16.0  # the same, below which no reading is sure: a black or pale die may be lost in the noise
_BLURRED = 0.012  # the sharpness around the dice


def reasons_to_ask(light: Visibility, reading: Reading, dice: int | None, cut: Box | None = None) -> tuple[Ask, ...]:
    """Why the unsure `reading` asks, most helpful first: what a person can mend, then what is in doubt. `light`: that
    around the dice. `dice`: the dice count, or None. `cut`: where a die seems cut off that is none of the reading's."""
    if "no-pips" in reading.obstacles:  # then neither the count nor a value means anything
        return (Ask("no-pips"),)
    found, every = len(reading.dice), (*reading.dice, *reading.aside)
    asks = [Ask(name, box=cut if name == "cut" else None) for name in reading.obstacles]
    if not found:
        asks.append(Ask("no-dice"))
    elif dice is not None and found != dice:
        asks.append(Ask("too-few" if found < dice else "too-many", {"found": found, "dice": dice}))
    doubtful = [die for die in reading.dice if not die.sure] or reading.dice
    if any(overlap(die.box, other.box)[1] > APART for die in doubtful for other in every if other is not die):
        asks.append(Ask("touching"))
    if light.brightness < _DARK or light.sharpness < _BLURRED:
        asks.append(Ask("dark" if light.brightness < _DARK else "blurred"))
    asks += reading.asks
    if cut is not None:  # that is the thing
        asks = [ask for ask in asks if ask.reason != "doubtful-thing"]
    first: dict[tuple[object, ...], Ask] = {}
    for ask in asks:
        first.setdefault((ask.reason, *ask.params.values()), ask)
    return tuple(first.values())


def without_pips(reading: Reading, seen: Seen) -> bool:
    """Whether what lies there looks like dice, but none is read and none looks like one that has pips."""
    if any(die.sure for die in reading.dice) or max(seen.scores, default=0.0) < MAYBE:
        return False
    pipped = (score * max(softmax(row)[:NONE]) for score, row in zip(seen.scores, seen.logits, strict=True))
    return max(pipped) < MAYBE


def around_dice(reading: Reading) -> Box | None:
    """The box that holds all dice, in pixels of the photo; None without dice."""
    boxes = [die.box for die in (*reading.dice, *reading.aside)]
    return hull(boxes) if boxes else None
