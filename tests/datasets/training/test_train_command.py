"""`rollcall workshop train`: what is wrong with an argument is one line."""

from pathlib import Path

import pytest

import rollcall


def test_a_missing_folder_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rollcall.main(["workshop", "train", "calibration", str(tmp_path / "nowhere")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "nowhere" in err
