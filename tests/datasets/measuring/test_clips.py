"""`rollcall workshop evaluate` of clips: what is counted."""

import json
from pathlib import Path

import numpy as np
import pytest

from datasets.measuring.clips import ClipEvent, ClipFigures, as_text, compare, labels
from rollcall import main
from tests.vision.scenes import Film

pytestmark = pytest.mark.whole


def test_dice_rest_when_the_last_of_them_stopped_though_a_hand_lingers(tmp_path: Path) -> None:
    event = {"at": 3.1, "rest": 2.2, "event": "settled", "values": [5, 2], "stayed": []}
    cleared = {"at": 6.0, "event": "cleared"}
    (tmp_path / "one.json").write_text(json.dumps({"events": [event, cleared]}))
    assert labels(tmp_path / "one.json") == [
        ClipEvent(2.2, "settled", (2, 5), seen=3.1),
        ClipEvent(6.0, "cleared", seen=6.0),
    ]


def test_what_was_reported_is_paired_with_what_happened() -> None:
    figures = ClipFigures("mine")
    true = [
        ClipEvent(1.0, "settled", (1, 2, 5)),
        ClipEvent(3.0, "settled", (5,), (5,)),
        ClipEvent(5.0, "settled", (3, 4, 5), (5,)),
        ClipEvent(7.0, "cleared"),
        ClipEvent(9.0, "settled", (6,)),
    ]
    reported = [
        ClipEvent(1.4, "settled", (1, 2, 5)),
        ClipEvent(1.8, "settled", (1, 2, 5)),  # doubled
        ClipEvent(3.2, "settled", (5,), (5,)),
        ClipEvent(5.3, "settled", (3, 4, 5), (4, 5)),
        ClipEvent(7.1, "cleared"),
        ClipEvent(8.0, "settled", (1,)),  # invented
        ClipEvent(8.5, "cleared"),
    ]
    compare(figures, "a.mp4", true, reported)
    table = figures.table()
    assert (table["clips"], table["throws"], table["cleared"]) == (1, 3, 1)
    assert table["throws_exact"] == pytest.approx(2 / 3)  # the last was missed
    assert table["stayed_exact"] == 0.5
    assert (table["missed"], table["invented"], table["extra"]) == (1, 2, 1)
    assert table["delay"] == pytest.approx(0.25)
    text = as_text([table])
    assert "a.mp4 at 9.00 s: settled 6; reported: nothing" in text
    assert "a.mp4 at 8.00 s: nothing; reported: settled 1" in text


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    """One clip: a die rolls to where it rests."""
    film = Film().last(0.1)
    film.roll(4, [(300 - 300 * np.sin(s), 0) for s in np.linspace(0, np.pi / 2, 20)])
    rests = film.shots[-1][0]
    film.last(0.8).save(tmp_path / "one.mp4")
    event = {"at": rests, "event": "settled", "values": list(film.values()), "stayed": []}
    (tmp_path / "one.json").write_text(json.dumps({"fps": 30, "events": [event]}))
    return tmp_path


def test_a_folder_of_clips_is_measured(clips: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["workshop", "evaluate", str(clips), "--json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)
    assert (table["clips"], table["throws"], table["throws_exact"], table["invented"]) == (1, 1, 1.0, 0)
    assert 0 <= table["delay"] < 0.5


@pytest.mark.parametrize("text", ["", "[]", '{"events": [{"event": "settled"}]}'])
def test_labels_that_are_none_are_told_in_one_line(clips: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (clips / "one.json").write_text(text)
    with pytest.raises(ValueError, match=r"one\.json: not the labels of a clip"):
        labels(clips / "one.json")
    assert main(["workshop", "evaluate", str(clips)]) == 2
    (clips / "one.json").unlink()
    assert main(["workshop", "evaluate", str(clips)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
