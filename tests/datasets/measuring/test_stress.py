"""Photos that `rollcall workshop evaluate --stress` makes harder."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from datasets.measuring.stress import VARIANTS, cut_die
from datasets.photos import write_values
from rollcall import main

PICTURES = Path(__file__).resolve().parents[2] / "pictures"


def test_one_die_is_cut_and_the_others_stay_whole() -> None:
    pixels = np.zeros((300, 400, 3), np.uint8)
    pixels[100:140, 60:100] = 100  # two dice
    pixels[200:240, 250:290] = 200
    boxes = np.array([[60, 100, 100, 140], [250, 200, 290, 240]], np.float64)
    for seed in range(8):
        cut = cut_die(pixels, boxes, np.random.default_rng(seed), left=0.35)
        assert cut is not None
        assert sorted((cut == level).all(2).sum() for level in (100, 200)) == [40 * 14, 40 * 40]


def test_a_die_between_others_cannot_be_cut_alone() -> None:
    boxes = np.array([[10, 10, 50, 50], [12, 12, 48, 48]], np.float64)
    assert cut_die(np.zeros((60, 60, 3), np.uint8), boxes, np.random.default_rng(1), left=0.65) is None


@pytest.mark.whole
def test_the_command_measures_every_kind_and_always_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "images").mkdir()
    shutil.copy(PICTURES / "throw-235.jpg", tmp_path / "images")
    write_values(tmp_path / "values.csv", {"throw-235.jpg": (2, 3, 5)})
    printed = []
    for _ in range(2):
        assert main(["workshop", "evaluate", "--stress", "--limit", "1", "--json", str(tmp_path)]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    rows = json.loads(printed[0])
    assert {row["kind"] for row in rows if row["photos"]} == {"as it is", *VARIANTS}
    assert [row["sure"] for row in rows if (row["kind"], row["count"]) == ("as it is", "without")] == [1]
