"""A table's memory of its own dice."""

from __future__ import annotations

import dataclasses
from base64 import b85decode
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from vision.arrays import as_boxes, as_row, as_rows
from vision.judging.chances import softmax
from vision.judging.dice_memory import MOST, MOST_RATIO, Compared, DiceMemory, DiceSample, Likeness, Trace
from vision.judging.seen import NONE
from vision.likeness_map import LikenessMap
from vision.network_eye import LIKENESS as FILE
from vision.reader import MODELS
from vision.reasons import ModelError

SHIPPED = LikenessMap.load(MODELS / FILE)
SIZE = SHIPPED.across.shape[1]
# The shipped one's numbers are trained to serve; vectors drawn at random are as the rule has them only with these.
BETWEEN = np.geomspace(8, 0.1, SIZE)
LIKENESS = Likeness(as_row(BETWEEN), (0.15,) * SIZE, (0.6,) * SIZE, concentration=0.5, none=0.5, mark=SHIPPED.mark)
LOGO = [0.0, 0, 0, 0, 0, 0, 5]  # what the classifier says of a face that it does not know: no die


def faces(seed: int, count: int, face: int = 0) -> np.ndarray:
    """Vectors (count, k) of one face of one set of dice, as the model has them: its mean, and 1 about it."""
    mean = np.random.default_rng([seed, face]).normal(size=SIZE) * np.sqrt(BETWEEN)
    return (mean + np.random.default_rng([seed, face, count]).normal(size=(count, SIZE))).astype(np.float32)


def sample(vectors: np.ndarray, cls: int) -> DiceSample:
    return DiceSample((cls,) * len(vectors), as_rows(vectors), LIKENESS.mark)


def chances(memory: DiceMemory, logits: Sequence[float], vector: np.ndarray) -> tuple[float, ...]:
    """The probabilities (7) of a candidate by its logits, its vector (1, k) and the memory."""
    kept = memory.kept_by(LIKENESS)
    return softmax(tuple(logits) if kept is None else kept.adjust(tuple(logits), as_row(vector[0])))


def test_a_confirmed_logo_is_read_and_more_of_it_is_surer() -> None:
    of_throws = []
    for throws in (0, 1, 3, 10):
        of_sets = []
        for seen in (faces(seed, 11) for seed in range(400)):
            memory = DiceMemory([sample(seen[:throws], 0)] if throws else [])
            of_sets.append(chances(memory, LOGO, seen[10:])[0])
        of_throws.append(float(np.median(of_sets)))
    assert of_throws == sorted(of_throws)
    assert of_throws[0] < 0.01
    assert of_throws[-1] > 0.7


def test_what_looks_like_nothing_kept_is_read_as_before() -> None:
    """The classifier's word stands, for a die and for none."""
    memory = DiceMemory([sample(faces(1, 10, face), face) for face in range(6)])
    stranger = faces(2, 1, face=9)
    assert np.argmax(chances(memory, [0, 0, 9, 0, 0, 0, 0], stranger)) == 2
    assert np.argmax(chances(memory, LOGO, stranger)) == NONE


def test_two_throws_do_not_overrule_a_clear_reading() -> None:
    memory = DiceMemory([sample(faces(3, 1, 5), 5), sample(faces(3, 1, 4), 4)])
    assert np.argmax(chances(memory, [9, 0, 0, 0, 0, 0, 0], faces(4, 1))) == 0


def test_a_rejected_thing_is_remembered_as_none() -> None:
    boxes = ((0, 0, 10, 10), (20, 0, 30, 10), (40, 0, 50, 10), (43, 3, 53, 13))
    trace = Trace(boxes, as_rows(faces(1, 4)), LIKENESS.mark)
    made = trace.sample([(3, (0, 0, 10, 10)), (5, (41, 0, 51, 10)), (6, (80, 80, 90, 90))])
    assert made.classes == (2, NONE, 4)  # the fourth is neither clearly that die nor clearly none
    assert made.vectors == trace.vectors[:3]
    assert trace.sample([], [(1, (20, 0, 30, 10))]).classes == (NONE, 0, NONE, NONE)


def test_traces_and_samples_come_back_as_they_were_and_are_small() -> None:
    boxes = as_boxes(np.random.default_rng(1).uniform(0, 4000, (20, 4)).astype(np.float32))
    trace = Trace(boxes, as_rows(faces(1, 20).astype(np.float16)), LIKENESS.mark)
    again = Trace.from_text(trace.to_text())
    assert again == trace
    assert len(trace.to_text()) < 4000
    made = trace.sample([(2, boxes[0])])
    assert DiceSample.from_bytes(made.to_bytes()) == made
    nothing = Trace((), (), 7)
    assert Trace.from_text(nothing.to_text()) == nothing


@pytest.mark.parametrize("bad", ["", "nonsense", "é", "00000000"])
def test_a_damaged_trace_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=r"damaged|base85|ASCII"):
        Trace.from_text(bad)


def test_a_damaged_sample_is_refused() -> None:
    data = sample(faces(1, 5), 2).to_bytes()
    refused = 0
    for place in range(len(data)):
        try:
            again = DiceSample.from_bytes(data[:place] + bytes([data[place] ^ 16]) + data[place + 1 :])
        except ValueError:
            refused += 1
        else:  # a bit that means nothing to whoever unpacks it
            assert again.to_bytes() == data
    assert refused >= len(data) - 4
    trace = b85decode(Trace(((0, 0, 1, 1),), as_rows(faces(1, 1)), 1).to_text())
    for data in (trace, DiceSample((0,), ((float("nan"),),), 1).to_bytes()):
        with pytest.raises(ValueError, match="damaged"):
            DiceSample.from_bytes(data)


def test_the_newest_are_kept() -> None:
    samples = [sample(faces(1, 40, face % 6), face % 6) for face in range(MOST // 40 + 3)]
    memory = DiceMemory(samples)
    assert MOST <= len(memory) < MOST + 40
    assert memory.samples[-1] is samples[-1]


def test_samples_of_another_likeness_say_nothing() -> None:
    """A retrained network gives other features: what was kept of the former one's cannot be compared with them."""
    known = sample(faces(1, 10), 0)
    other = DiceSample(known.classes, known.vectors, LIKENESS.mark + 1)
    assert DiceMemory([other]).kept_by(LIKENESS) is None
    mixed, alone = DiceMemory([other, known]), DiceMemory([known])
    assert chances(mixed, LOGO, faces(1, 1)) == chances(alone, LOGO, faces(1, 1))


def test_the_value_and_whether_it_is_a_die_have_shares_of_their_own() -> None:
    """Of the log-ratios: each changes its own answer and leaves the other."""
    memory = DiceMemory([sample(faces(1, 4), 0), sample(faces(1, 4, face=1), NONE), sample(faces(1, 4, face=2), 4)])
    logits, seen = (1.0, 0, 0, 0, 2, 0, 3), as_row(faces(1, 1)[0])

    def value_and_none(share: float, die_share: float) -> tuple[np.ndarray, float]:
        other = dataclasses.replace(LIKENESS, share=(share,) * SIZE, die_share=(die_share,) * SIZE)
        kept = memory.kept_by(other)
        assert kept is not None
        values = np.array(softmax(kept.adjust(logits, seen)))
        return values[:NONE] / values[:NONE].sum(), float(values[NONE])

    values, none = value_and_none(share=0.2, die_share=0.2)
    surer, same_none = value_and_none(share=0.6, die_share=0.2)
    same_values, less_none = value_and_none(share=0.2, die_share=0.6)
    assert surer[0] > values[0]
    assert same_none == pytest.approx(none, rel=1e-4)
    assert np.allclose(same_values, values, rtol=1e-4)
    assert less_none < none


def test_ratios_are_those_of_two_normal_distributions() -> None:
    """One of a vector that goes with the kept one, one of a vector that stands alone; each direction's share counts."""
    vectors, kept = faces(1, 3), faces(1, 4)
    share = np.random.default_rng(2).uniform(0, 1, SIZE)
    marginal = 1 + BETWEEN
    rho = BETWEEN / marginal
    spread = marginal * (1 - rho**2)

    def log_normal(x: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
        return -0.5 * ((x - mean) ** 2 / variance + np.log(variance))

    x = vectors[:, None]
    expected = (share * (log_normal(x, rho * kept[None], spread) - log_normal(x, np.zeros(1), marginal))).sum(2)
    compared = Compared(LIKENESS, as_row(share), list(enumerate(as_rows(kept))))
    for vector, logs in zip(as_rows(vectors), expected, strict=True):
        alike = np.exp(logs.clip(-MOST_RATIO, MOST_RATIO))
        assert compared.likeness_sums(vector)[: len(kept)] == pytest.approx(alike.tolist(), rel=1e-6)


@pytest.mark.parametrize("kept", [0, 5000])
def test_a_file_that_a_full_disk_cut_off_is_broken(tmp_path: Path, kept: int) -> None:
    (tmp_path / FILE).write_bytes((MODELS / FILE).read_bytes()[:kept])
    with pytest.raises(ModelError, match=FILE):
        LikenessMap.load(tmp_path / FILE)
