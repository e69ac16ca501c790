"""How a table's own dice look: one lesson for each confirmed photo, and the memory that the reader is given of them."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from web.problems import Problem
from web.session.photo import Read, from_json
from web.session.playing import Playing
from web.session.replay import Json

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

HELD_TABLES = 20  # whose lessons stay in memory, each at most a megabyte
PLACED = 2.0  # pixels of a box's side, at least: a die that nobody pointed at stands in one of a single pixel

Place = tuple[int, tuple[float, float, float, float]]


@dataclass
class _Held:
    """The lessons of one table by number, None where one is damaged, and the memory that those of `seqs` make."""

    lessons: "dict[int, vision.Lesson | None]" = field(default_factory=dict)
    seqs: list[int] = field(default_factory=list)
    memory: "vision.Memory | None" = None


class Memories:
    """The memories of the tables that photos were read for lately. Each lesson is taken from the store once."""

    def __init__(self, playing: Playing) -> None:
        self._playing = playing
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, key: str) -> "vision.Memory | None":
        """What a table has learnt of its dice; None where that is nothing or cannot be had: photos are read without."""
        with self._lock:
            try:
                return self._of(key)
            except (Problem, ImportError) as problem:
                logger.warning("what a table's photos taught could not be looked up: %s", problem)
                return None

    def _of(self, key: str) -> "vision.Memory | None":
        held = self._held.setdefault(key, _Held())
        self._held.move_to_end(key)
        while len(self._held) > HELD_TABLES:
            self._held.popitem(last=False)
        seqs = self._playing.taught(key)
        if seqs != held.seqs:
            missing = [seq for seq in seqs if seq not in held.lessons]
            bodies = self._playing.store.samples(self._playing.row(key).id, missing)
            held.lessons.update((seq, _lesson(body)) for seq, body in bodies.items())
            held.lessons = {seq: held.lessons[seq] for seq in seqs if seq in held.lessons}
            held.memory, held.seqs = _memory(held.lessons.values()), seqs
        return held.memory


def taught(settled: Json, action: Json, evidence: Json) -> bytes | None:
    """What the photo of a throw that was just confirmed teaches, as the store keeps it; None where that is nothing.

    Whatever is wrong with it, the throw counts: it is noted in the server's log alone.
    """
    try:
        photo = from_json(settled)
        trace = photo.found.trace if isinstance(photo, Read) else None
        if not trace or sorted(_values(evidence)) != sorted(action["dice"]):
            return None
        thrown, aside = _places(evidence["dice"]), _places(evidence["aside"])
        if not thrown:
            return None
        import vision

        return vision.Trace.from_text(trace).lesson(thrown, aside).to_bytes()
    except Exception as error:
        logger.warning("a photo taught nothing: %r", error)
        return None


def _lesson(body: bytes) -> "vision.Lesson | None":
    import vision

    try:
        return vision.Lesson.from_bytes(body)
    except ValueError as error:
        logger.warning("a lesson on a table's dice is damaged: %s", error)
        return None


def _memory(lessons: "Iterable[vision.Lesson | None]") -> "vision.Memory | None":
    import vision

    sound = [lesson for lesson in lessons if lesson is not None]
    return vision.Memory.of(sound) if sound else None


def _values(evidence: Json) -> list[int]:
    return [die["value"] for die in evidence["dice"]]


def _places(dice: list[Json]) -> list[Place]:
    """Values and boxes of the dice whose place in the photo is known."""
    places: list[Place] = []
    for die in dice:
        x0, y0, x1, y1 = die["box"]
        if x1 - x0 >= PLACED and y1 - y0 >= PLACED:
            places.append((die["value"], (x0, y0, x1, y1)))
    return places
