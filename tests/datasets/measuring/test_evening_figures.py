"""What `rollcall workshop evaluate --evenings` counts: throws of the same dice, each confirmed before the next."""

import json
from pathlib import Path

import pytest

from datasets.measuring.evaluation import compare_reading
from datasets.measuring.evening_figures import (
    MeasuredThrow,
    as_text,
    by_evening,
    confirm_reading,
    evenings,
    kind_of,
    tables,
)
from datasets.photos import LabelledPhoto
from rollcall import main
from tests.datasets.labelled import label_pictures, photo_of
from vision import Die, Reading, Trace

PICTURES = Path(__file__).resolve().parents[2] / "pictures"


def reading(*dice: tuple[int, float], sure: bool = True) -> Reading:
    return Reading(200, 100, tuple(Die(v, 0.9, (200 * x, 40, 200 * x + 20, 50), sure) for v, x in dice))


def throw(number: int, read: int, learned: int, kind: str = "skulls", sure: bool = True) -> MeasuredThrow:
    """A throw that shows a one."""
    outcomes = [compare_reading(photo_of((1, 0.1)), reading((value, 0.1), sure=sure)) for value in (read, learned)]
    return MeasuredThrow(f"evening of {kind}", kind, number, *outcomes)


def test_figures_go_by_throw_number_without_memory_and_with_it() -> None:
    throws = [throw(1, 2, 2), *(throw(n, 2, 1 if n > 2 else 2, sure=n > 3) for n in (2, 3, 4)), throw(5, 1, 1)]
    rows = {(row["throws"], row["memory"]): row for row in tables(throws)}
    assert list(rows) == [(span, memory) for span in ("1", "2-4", "5 on") for memory in (False, True)]
    assert [rows[span, True]["photos"] for span in ("1", "2-4", "5 on")] == [1, 3, 1]
    assert rows["2-4", False]["exact"] == 0
    assert rows["2-4", True]["exact"] == pytest.approx(2 / 3)
    assert rows["2-4", True]["sure"] == pytest.approx(1 / 3)
    assert rows["2-4", False]["silent_errors"] == 1
    assert rows["2-4", True]["silent_errors"] == 0
    assert rows["2-4", False]["misread"] == 3
    assert rows["2-4", True]["taps"] == pytest.approx(2 / 3)
    assert rows["5 on", True]["exact"] == 1
    json.dumps(tables(throws))


def test_kinds_of_evenings_have_rows_of_their_own() -> None:
    rows = tables([throw(1, 1, 1), throw(1, 2, 2, kind="logo ones")])
    assert [(row["evenings"], row["exact"]) for row in rows if row["memory"]] == [
        ("all", 0.5),
        ("logo ones", 0.0),
        ("skulls", 1.0),
    ]
    assert "logo ones" in as_text(rows)
    assert {row["evenings"] for row in tables([throw(1, 1, 1)])} == {"all"}


def test_the_page_of_failures_shows_what_was_read_with_memory() -> None:
    first, second = by_evening([throw(1, 2, 1), throw(2, 2, 2), throw(1, 1, 1, kind="logo ones")])
    assert [outcome.exact for outcome in first.outcomes] == [True, False]
    assert second.name == "evening of logo ones"


def test_a_throw_is_confirmed_with_its_true_values_at_the_true_boxes() -> None:
    """Read was a two where a one lies, and a five where nothing does; a three was seen and not given."""
    seen = ((20, 40, 40, 50), (100, 40, 120, 50), (160, 40, 180, 50))
    read = reading((2, 0.1), (5, 0.5))
    given = Reading(200, 100, read.dice, trace=Trace(seen, ((0, 1), (2, 3), (4, 5)), 1))
    sample = confirm_reading(photo_of((1, 0.1), (3, 0.8)), given)
    assert sample.classes == (0, 6, 2)
    assert sample.vectors == ((0, 1), (2, 3), (4, 5))


def test_a_throw_without_known_boxes_cannot_be_confirmed() -> None:
    with pytest.raises(ValueError, match="needs the boxes"):
        confirm_reading(LabelledPhoto(Path("a.jpg"), (1,)), reading((1, 0.1)))


def test_evenings_are_folders_or_lie_in_one(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / "all" / name / "images").mkdir(parents=True)
    both = [tmp_path / "all" / "a", tmp_path / "all" / "b"]
    assert list(evenings([tmp_path / "all"])) == both
    assert list(evenings([both[1], both[0]])) == [both[1], both[0]]
    with pytest.raises(ValueError, match="no such folder"):
        list(evenings([tmp_path / "nowhere"]))
    with pytest.raises(ValueError, match="no evenings in it"):
        list(evenings([both[0] / "images"]))


def test_details_say_what_kind_of_dice_an_evening_has(tmp_path: Path) -> None:
    (tmp_path / "details").mkdir()
    (tmp_path / "details" / "throw-000.json").write_text('{"kind": "skulls"}')
    assert kind_of(tmp_path / "images" / "throw-000.jpg") == "skulls"
    assert kind_of(tmp_path / "images" / "throw-001.jpg") == ""


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """Two of the repository's own pictures as an evening."""
    return label_pictures(tmp_path / "evening", {"throw-2345.jpg", "throw-235.jpg"})


@pytest.mark.whole
def test_the_command_reads_each_throw_with_the_memory_of_those_before(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["workshop", "evaluate", "--evenings", "--counted", "--json", str(evening)]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["throws"], row["memory"], row["photos"]) for row in rows] == [
        ("1", False, 1),
        ("1", True, 1),
        ("2-4", False, 1),
        ("2-4", True, 1),
    ]
    assert rows[0] == {**rows[1], "memory": False, "milliseconds": rows[0]["milliseconds"]}
    assert all(row["exact"] == 1 for row in rows)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--evenings", "nowhere"], "nowhere: no such folder"),
        (["--evenings", "--map", "nowhere"], "--map measures ordinary folders, not --evenings"),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_2(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["workshop", "evaluate", *arguments]) == 2
    assert capsys.readouterr().err == f"{complaint}\n"
