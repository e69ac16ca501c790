"""Dice with a paw for the one, four throws of one evening: the samples of three confirmed throws show them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from tests.vision.cached_reader import CachedReader
from vision import DiceMemory, DiceSample, Photo, Reader
from vision.judging.overlap import Box

pytestmark = pytest.mark.whole

PICTURES = Path(__file__).resolve().parent.parent / "pictures"
LOGO_DICE = PICTURES / "logo-dice"


def throws(folder: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads((folder / "pictures.json").read_text(encoding="utf-8"))
    return listed


def photo_of(throw: dict[str, Any], folder: Path) -> Photo:
    return Photo.decode((folder / throw["picture"]).read_bytes())


def correction_of(reader: Reader, throw: dict[str, Any], memory: DiceMemory) -> DiceSample:
    """The sample of a person who puts the reading of this throw right."""
    reading = reader.read(photo_of(throw, LOGO_DICE), len(throw["values"]), known=memory)
    assert reading.trace is not None
    dice: list[tuple[int, Box]] = [(die["value"], tuple(die["box"])) for die in throw["dice"]]
    return reading.trace.sample(dice)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return CachedReader()


@pytest.fixture(scope="module")
def memory(reader: Reader) -> DiceMemory:
    """Of the first three throws."""
    samples: list[DiceSample] = []
    for throw in throws(LOGO_DICE)[:3]:
        samples.append(correction_of(reader, throw, DiceMemory(samples)))
    return DiceMemory(samples)


def test_samples_of_three_confirmed_throws_show_the_logo(reader: Reader, memory: DiceMemory) -> None:
    fourth = throws(LOGO_DICE)[3]
    assert fourth["values"].count(1) == 3, "three logos"
    photo = photo_of(fourth, LOGO_DICE)
    before = reader.read(photo, dice=6)
    assert list(before.values) != fourth["values"]
    assert not before.sure
    assert "too-few" in [ask.reason for ask in before.asks]
    after = reader.read(photo, dice=6, known=memory)
    assert list(after.values) == fourth["values"]
    assert after.sure
    assert after.asks == ()
    labels = sorted(fourth["dice"], key=lambda die: die["box"][0] + die["box"][2])
    for die, label in zip(after.dice, labels, strict=True):
        assert die.value == label["value"]
        x0, y0, x1, y1 = label["box"]
        assert x0 < (die.box[0] + die.box[2]) / 2 < x1
        assert y0 < (die.box[1] + die.box[3]) / 2 < y1


@pytest.mark.parametrize("counted", [True, False])
def test_samples_of_logo_dice_harm_no_plain_throw(reader: Reader, memory: DiceMemory, counted: bool) -> None:
    for throw in throws(PICTURES):
        photo, dice = photo_of(throw, PICTURES), len(throw["values"]) if counted else None
        without, with_memory = reader.read(photo, dice), reader.read(photo, dice, known=memory)
        assert with_memory.values == without.values, throw["picture"]
        assert with_memory.sure == without.sure, throw["picture"]


def test_a_memory_of_another_classifier_changes_nothing(reader: Reader, memory: DiceMemory) -> None:
    """Nor does it bring the weights that count beside a memory."""
    photo = photo_of(throws(LOGO_DICE)[3], LOGO_DICE)
    strange = DiceMemory(tuple(dataclasses.replace(sample, mark=sample.mark + 1) for sample in memory.samples))
    assert reader.read(photo, dice=6, known=strange).dice == reader.read(photo, dice=6).dice
