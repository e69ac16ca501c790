"""What each reason to ask is worth, and how the reader is compared with earlier ones."""

import json
import shutil
from pathlib import Path

import pytest

from datasets.measuring import reader_check
from datasets.measuring.reader_check import falls, in_words
from datasets.measuring.reason_figures import as_text
from rollcall import main

PICTURES = Path(__file__).resolve().parents[2] / "pictures"
SETS = {"plain": {"throw-235.jpg": "2 3 5"}, "low": {"front-3.jpg": "6", "throw-15.jpg": "1 5"}}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Two sets of the repository's own pictures."""
    for name, values in SETS.items():
        (tmp_path / name / "images").mkdir(parents=True)
        for picture in values:
            (found,) = PICTURES.rglob(picture)
            shutil.copy(found, tmp_path / name / "images")
        lines = [f"{picture},{shown}" for picture, shown in values.items()]
        (tmp_path / name / "values.csv").write_text("\n".join(["file,values", *lines]))
    return tmp_path


def test_the_command_counts_what_a_reason_alone_made_unsure(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["workshop", "evaluate", "--questions", "--json", str(photos / "plain"), str(photos / "low")]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["set"] for row in rows} == {"low"}, "a sure reading asks nothing"
    counted = [row for row in rows if row["count"] == "with the count"]
    assert [(row["reason"], row["right"], row["wrong"], row["photos"]) for row in counted] == [
        ("doubtful-value", 0, 1, ["front-3.jpg"])
    ]


def test_sums_of_all_sets_are_told() -> None:
    rows = [
        {"set": name, "count": "with the count", "reason": "cut", "right": right, "wrong": wrong}
        for name, right, wrong in (("a", 2, 0), ("b", 1, 4))
    ]
    assert as_text(rows).splitlines()[-1].split() == ["all", "with", "the", "count", "cut", "3", "4"]


@pytest.mark.parametrize(
    ("now", "fallen"),
    [
        ((50, 49, 39, 0), 0),  # one photo may be lost
        ((50, 48, 40, 0), 1),
        ((50, 50, 38, 1), 1),
        ((50, 50, 50, 2), 1),
        ((50, 40, 30, 3), 3),
    ],
)
def test_a_set_falls_behind_the_best_reader_before(now: tuple[int, ...], fallen: int) -> None:
    assert len(falls(now, [(50, 48, 40, 1), (50, 50, 30, 0)])) == fallen


def test_the_check_fails_if_one_set_fell_and_says_which(
    photos: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    best = {name: {count: [len(values)] * 3 + [0] for count in reader_check.COUNTS} for name, values in SETS.items()}
    best["low"] = {count: [4, 4, 4, 0] for count in reader_check.COUNTS}
    monkeypatch.setattr(reader_check, "BASELINES", tmp_path / "baselines.json")
    reader_check.BASELINES.write_text(json.dumps({"before": best}))
    assert reader_check.main([str(photos), "plain"]) == 0
    assert reader_check.main([str(photos)]) == 1
    said = capsys.readouterr().out
    assert "fallen behind: low, with the count: 1 instead of 4 photos are sure" in said
    assert "fallen behind: plain" not in said


def test_without_the_photos_it_says_why_nothing_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reader_check.main([str(tmp_path)]) == 0
    assert "not part of this repository" in capsys.readouterr().out


def test_the_shipped_figures_are_of_the_same_photos() -> None:
    tables = list(json.loads(reader_check.BASELINES.read_text()).values())
    assert len(tables) > 1
    for name, counts in tables[0].items():
        for count, row in counts.items():
            assert {table[name][count][0] for table in tables} == {row[0]}
            assert in_words(row)
