"""Samples of a table's own dice: one for each confirmed photo. The reader gets the dice memory made of them."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.limits.recent import Recent
from web.problems.problem import Problem
from web.runner.runner import Runner, TableChange
from web.table.commands import AddSample, MarkedDie
from web.table.events import DiceForgotten, PhotoRemoved, TableErased
from web.table.evidence import ConfirmedThrow, confirmed_throw
from web.table.photo_state import Read
from web.table.state import State

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

CACHED_TABLES = 20  # whose samples stay cached, each at most a megabyte
PLACED = 2.0  # least pixels of a box's side: a die that nobody pointed at has a box of one pixel

Place = tuple[int, tuple[float, float, float, float]]


@dataclass(frozen=True)
class _TableSamples:
    """The samples of one table by number (None: damaged), and the dice memory made of the samples `seqs`."""

    samples: "dict[int, vision.DiceSample | None]"
    seqs: list[int]
    dice_memory: "vision.DiceMemory | None" = None


class DiceMemories:
    """The dice memories of the tables whose photos were read lately. Each sample is loaded from the store once."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._tables: Recent[str, _TableSamples] = Recent(CACHED_TABLES)
        runner.follow(self._follow, PhotoRemoved, DiceForgotten, TableErased)

    def _follow(self, change: TableChange) -> None:
        """Stores the sample of a photo that was just confirmed, and forgets those that were deleted."""
        if any(isinstance(each, DiceForgotten | TableErased) for each in change.events):
            self._tables.pop(change.key)
            return
        confirmed = confirmed_throw(change.before, change.events)
        body = sample_of(confirmed) if confirmed else None
        if confirmed and body is not None:
            try:
                self._runner.do(change.key, AddSample(confirmed.line.seq, body))
            except Problem as problem:
                logger.warning("a photo's sample could not be kept: %s", problem)

    def for_table(self, state: State) -> "vision.DiceMemory | None":
        """A table's dice memory; None if there is none or it cannot be loaded."""
        try:
            return self._load(state) if state.samples else None
        except (Problem, ImportError) as problem:
            logger.warning("a table's samples could not be looked up: %s", problem)
            return None

    def _load(self, state: State) -> "vision.DiceMemory | None":
        cached = self._tables.get(state.row.key) or _TableSamples({}, [])
        seqs = sorted(state.samples)
        if seqs != cached.seqs:
            import vision

            missing = [seq for seq in seqs if seq not in cached.samples]
            bodies = self._runner.store.samples(state.row.id, missing)
            known = cached.samples | {seq: _parse_sample(body) for seq, body in bodies.items()}
            samples = {seq: known[seq] for seq in seqs if seq in known}
            sound = [sample for sample in samples.values() if sample is not None]
            cached = _TableSamples(samples, seqs, vision.DiceMemory(sound) if sound else None)
        self._tables[state.row.key] = cached
        return cached.dice_memory


def sample_of(confirmed: ConfirmedThrow) -> bytes | None:
    """The sample of a confirmed photo, as the store keeps it; None if the photo gives none.

    The throw counts whatever goes wrong here: errors go to the server's log alone.
    """
    try:
        photo, evidence = confirmed.photo, confirmed.evidence
        trace = photo.result.trace if isinstance(photo, Read) else None
        if not trace or sorted(die.value for die in evidence.dice) != sorted(confirmed.line.body["do"]["dice"]):
            return None
        thrown, aside = _placed_dice(evidence.dice), _placed_dice(evidence.aside)
        if not thrown:
            return None
        import vision

        return vision.Trace.from_text(trace).sample(thrown, aside).to_bytes()
    except Exception as error:
        logger.warning("a photo gave no sample: %r", error)
        return None


def _parse_sample(body: bytes) -> "vision.DiceSample | None":
    import vision

    try:
        return vision.DiceSample.from_bytes(body)
    except ValueError as error:
        logger.warning("a sample of a table's dice is damaged: %s", error)
        return None


def _placed_dice(dice: Sequence[MarkedDie]) -> list[Place]:
    return [(die.value, die.box) for die in dice if min(die.box[2] - die.box[0], die.box[3] - die.box[1]) >= PLACED]
