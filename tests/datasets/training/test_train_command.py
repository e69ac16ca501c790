"""datasets/training/train_command.py: what parts and options are called, and what they were called before."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

import rollcall
from datasets.training import train_command

USUAL = ["--photos", "photos", "--textures", "tops", "--run", "run"]


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    train_command.add_arguments(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("part", "option", "name"),
    [
        ("detector", "--hard-examples", "hard_examples"),
        ("detector", "--missed", "hard_examples"),
        ("crops", "--hard-examples", "hard_examples"),
        ("crops", "--misread", "hard_examples"),
        ("crops", "--false-positives", "false_positives"),
        ("crops", "--mistakes", "false_positives"),
    ],
)
def test_options_have_their_former_names_too(part: str, option: str, name: str) -> None:
    assert getattr(parse(part, *USUAL, option, "models"), name) == Path("models")


@pytest.mark.parametrize("part", ["calibration", "trust"])
def test_the_calibration_answers_to_both_names(part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rollcall.main(["train", part, str(tmp_path / "nowhere")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "nowhere" in err
