"""A table's memory of its own dice."""

from __future__ import annotations

import dataclasses
import zlib
from pathlib import Path

import numpy as np
import pytest

from vision.classifier import FEATURES, NONE, softmax
from vision.dice_memory import MOST, DiceMemory, DiceSample, Likeness, Trace
from vision.reader import LIKENESS as FILE
from vision.reader import MODELS
from vision.reasons import ModelError

SHIPPED = Likeness.load(MODELS / FILE)
SIZE = SHIPPED.across.shape[1]
# The shipped one's numbers are trained to serve; vectors drawn at random are as the rule has them only with these.
LIKENESS = dataclasses.replace(
    SHIPPED,
    between=np.geomspace(8, 0.1, SIZE).astype(np.float32),
    share=np.full(SIZE, 0.15, np.float32),
    die_share=np.full(SIZE, 0.6, np.float32),
    concentration=0.5,
    none=0.5,
)
LOGO = [0.0, 0, 0, 0, 0, 0, 5]  # what the classifier says of a face that it does not know: no die


def faces(seed: int, count: int, face: int = 0) -> np.ndarray:
    """Vectors (count, k) of one face of one set of dice, as the model has them: its mean, and 1 about it."""
    mean = np.random.default_rng([seed, face]).normal(size=SIZE) * np.sqrt(LIKENESS.between)
    return (mean + np.random.default_rng([seed, face, count]).normal(size=(count, SIZE))).astype(np.float32)


def sample(vectors: np.ndarray, cls: int) -> DiceSample:
    return DiceSample(np.full(len(vectors), cls, np.uint8), vectors, LIKENESS.mark)


def test_an_empty_memory_changes_nothing() -> None:
    logits = np.array([LOGO, [9.0, 0, 0, 0, 0, 0, 0]], np.float32)
    memory = DiceMemory.from_samples([])
    assert len(memory) == 0
    assert memory.adjust_logits(LIKENESS, logits, faces(1, 2)) is logits


def test_a_confirmed_logo_is_read_and_more_of_it_is_surer() -> None:
    logits, chances = np.array([LOGO], np.float32), []
    for throws in (0, 1, 3, 10):
        of_sets = []
        for seen in (faces(seed, 11) for seed in range(400)):
            memory = DiceMemory.from_samples([sample(seen[:throws], 0)] if throws else [])
            of_sets.append(softmax(memory.adjust_logits(LIKENESS, logits, seen[10:]))[0, 0])
        chances.append(float(np.median(of_sets)))
    assert chances == sorted(chances)
    assert chances[0] < 0.01
    assert chances[-1] > 0.7


def test_what_looks_like_nothing_kept_is_read_as_before() -> None:
    """The classifier's word stands, for a die and for none."""
    memory = DiceMemory.from_samples([sample(faces(1, 10, face), face) for face in range(6)])
    stranger = faces(2, 1, face=9)
    clear = np.array([[0.0, 0, 9, 0, 0, 0, 0]], np.float32)
    assert softmax(memory.adjust_logits(LIKENESS, clear, stranger))[0].argmax() == 2
    assert softmax(memory.adjust_logits(LIKENESS, np.array([LOGO], np.float32), stranger))[0].argmax() == NONE


def test_two_throws_do_not_overrule_a_clear_reading() -> None:
    memory = DiceMemory.from_samples([sample(faces(3, 1, 5), 5), sample(faces(3, 1, 4), 4)])
    clear = np.array([[9.0, 0, 0, 0, 0, 0, 0]], np.float32)
    assert softmax(memory.adjust_logits(LIKENESS, clear, faces(4, 1)))[0].argmax() == 0


def test_a_rejected_thing_is_remembered_as_none() -> None:
    boxes = np.array([[0, 0, 10, 10], [20, 0, 30, 10], [40, 0, 50, 10], [43, 3, 53, 13]], np.float32)
    trace = Trace(boxes, faces(1, 4), LIKENESS.mark)
    learnt = trace.sample([(3, (0, 0, 10, 10)), (5, (41, 0, 51, 10)), (6, (80, 80, 90, 90))])
    assert learnt.classes.tolist() == [2, NONE, 4]  # the fourth is neither clearly that die nor clearly none
    assert np.array_equal(learnt.vectors, trace.vectors[:3])
    assert trace.sample([], [(1, (20, 0, 30, 10))]).classes.tolist() == [NONE, 0, NONE, NONE]


def test_no_candidates_teach_nothing() -> None:
    empty = Trace(np.zeros((0, 4), np.float32), np.zeros((0, SIZE), np.float32), 1)
    assert len(empty.sample([(1, (0, 0, 9, 9))]).classes) == 0
    assert len(DiceMemory.from_samples([empty.sample([])])) == 0


def test_traces_and_samples_come_back_as_they_were_and_are_small() -> None:
    boxes = np.random.default_rng(1).uniform(0, 4000, (20, 4)).astype(np.float32)
    trace = Trace(boxes, faces(1, 20).astype(np.float16).astype(np.float32), LIKENESS.mark)
    again = Trace.from_text(trace.to_text())
    assert np.array_equal(again.boxes, boxes)
    assert np.array_equal(again.vectors, trace.vectors)
    assert again.mark == trace.mark
    assert len(trace.to_text()) < 4000
    learnt = trace.sample([(2, tuple(map(float, boxes[0])))])
    back = DiceSample.from_bytes(learnt.to_bytes())
    assert np.array_equal(back.classes, learnt.classes)
    assert np.array_equal(back.vectors, learnt.vectors)
    assert back.mark == learnt.mark


@pytest.mark.parametrize("bad", ["", "nonsense", "é", "00000000"])
def test_a_damaged_trace_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=r"damaged|not a trace"):
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
    with pytest.raises(ValueError, match="damaged"):
        DiceSample.from_bytes(Trace(np.zeros((1, 4), np.float32), faces(1, 1), 1).to_text().encode())


def test_the_newest_are_kept() -> None:
    samples = [sample(faces(1, 40, face % 6), face % 6) for face in range(MOST // 40 + 3)]
    memory = DiceMemory.from_samples(samples)
    assert MOST <= len(memory) < MOST + 40
    assert memory.samples[-1] is samples[-1]


def test_samples_of_another_likeness_say_nothing() -> None:
    """A retrained network gives other features: what was kept of the former one's cannot be compared with them."""
    logits, known = np.array([LOGO], np.float32), sample(faces(1, 10), 0)
    other = DiceSample(known.classes, known.vectors, LIKENESS.mark + 1)
    assert DiceMemory.from_samples([other]).adjust_logits(LIKENESS, logits, faces(1, 1)) is logits
    mixed = DiceMemory.from_samples([other, known]).adjust_logits(LIKENESS, logits, faces(1, 1))
    assert np.array_equal(mixed, DiceMemory.from_samples([known]).adjust_logits(LIKENESS, logits, faces(1, 1)))


def test_the_value_and_whether_it_is_a_die_have_shares_of_their_own() -> None:
    """Of the log-ratios: each changes its own answer and leaves the other."""
    memory = DiceMemory.from_samples(
        [sample(faces(1, 4), 0), sample(faces(1, 4, face=1), NONE), sample(faces(1, 4, face=2), 4)]
    )
    logits, seen = np.array([[1.0, 0, 0, 0, 2, 0, 3]], np.float32), faces(1, 1)

    def value_and_none(share: float, die_share: float) -> tuple[np.ndarray, float]:
        shares = {"share": np.full(SIZE, share, np.float32), "die_share": np.full(SIZE, die_share, np.float32)}
        chances = softmax(memory.adjust_logits(dataclasses.replace(LIKENESS, **shares), logits, seen))[0]
        return chances[:NONE] / chances[:NONE].sum(), float(chances[NONE])

    values, none = value_and_none(share=0.2, die_share=0.2)
    surer, same_none = value_and_none(share=0.6, die_share=0.2)
    same_values, less_none = value_and_none(share=0.2, die_share=0.6)
    assert surer[0] > values[0]
    assert same_none == pytest.approx(none, rel=1e-4)
    assert np.allclose(same_values, values, rtol=1e-4)
    assert less_none < none


def test_features_become_vectors() -> None:
    assert LIKENESS.vectors(np.zeros((3, FEATURES), np.float32)).shape == (3, SIZE)


def test_ratios_are_those_of_two_normal_distributions() -> None:
    """One of a vector that goes with the kept one, one of a vector that stands alone; each direction's share counts."""
    vectors, kept = faces(1, 3), faces(1, 4)
    share = np.random.default_rng(2).uniform(0, 1, SIZE).astype(np.float32)
    marginal = 1 + LIKENESS.between.astype(np.float64)
    rho = LIKENESS.between / marginal
    spread = marginal * (1 - rho**2)

    def log_normal(x: np.ndarray, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
        return -0.5 * ((x - mean) ** 2 / variance + np.log(variance))

    x = vectors[:, None]
    expected = (share * (log_normal(x, rho * kept[None], spread) - log_normal(x, np.zeros(1), marginal))).sum(2)
    assert np.allclose(LIKENESS.ratios(vectors, kept, share), expected, rtol=1e-3, atol=2e-3)


def test_an_older_file_has_no_network_and_one_share(tmp_path: Path) -> None:
    """What tables kept by it still counts: its mark is the same."""
    size = {"middle": np.ones(FEATURES), "across": np.ones((FEATURES, 4)), "between": np.ones(4)}
    np.savez(tmp_path / "old.npz", **size, share=0.5, concentration=1.0, none=0.5)
    old = Likeness.load(tmp_path / "old.npz")
    assert np.array_equal(old.share, np.full(4, 0.5))
    assert np.array_equal(old.die_share, old.share), "the oldest files have one share for both"
    assert old.vectors(np.zeros((2, FEATURES), np.float32)) == pytest.approx(-FEATURES)
    both = [np.asarray(size[name], np.float32).tobytes() for name in ("middle", "across")]
    assert old.mark == zlib.crc32(both[1], zlib.crc32(both[0]))


@pytest.mark.parametrize("kept", [0, 5000])
def test_a_file_that_a_full_disk_cut_off_is_broken(tmp_path: Path, kept: int) -> None:
    (tmp_path / FILE).write_bytes((MODELS / FILE).read_bytes()[:kept])
    with pytest.raises(ModelError, match=FILE):
        Likeness.load(tmp_path / FILE)
