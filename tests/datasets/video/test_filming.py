"""Videos of turns: they are written, can be read, are always the same, and show what their labels say."""

import json
from argparse import ArgumentParser
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render.cli import add_arguments, run
from datasets.video.acting import Manners, ScriptedThrow
from datasets.video.command import film_game
from datasets.video.filming import FPS, Film, film, save

TINY = (192, 144)
QUIET = Manners(push=0.0, outside=0.0, wait=1.0, linger=0.0, disturb=0.0, lost=0.0, clear=0.0)
SCRIPT = [ScriptedThrow((1, 1, 6, 4), (1, 1)), ScriptedThrow((5, 3), ())]


@pytest.fixture(scope="module")
def turn() -> Film:
    return film(SCRIPT, 5, size=TINY, manners=QUIET)


@pytest.fixture(scope="module")
def written(turn: Film, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("films") / "turn-0001.mp4"
    save(turn, path, {"game": "kosci"})
    return path


def frames(path: Path) -> list[np.ndarray]:
    video = cv2.VideoCapture(str(path))
    found = []
    while True:
        there, frame = video.read()
        if not there:
            return found
        found.append(frame)


def test_a_video_can_be_read_and_is_small(written: Path) -> None:
    labels = json.loads(written.with_suffix(".json").read_text(encoding="utf-8"))
    video = cv2.VideoCapture(str(written))
    assert video.get(cv2.CAP_PROP_FPS) == labels["fps"] == FPS
    seen = frames(written)
    assert len(seen) == round(labels["seconds"] * FPS)
    assert seen[0].shape == (TINY[1], TINY[0], 3)
    assert written.stat().st_size < 12_000 * len(seen)
    assert sorted(path.name for path in written.parent.iterdir()) == ["turn-0001.json", "turn-0001.mp4"]


def test_events_tell_what_the_script_says(turn: Film) -> None:
    events = turn.events()["events"]
    assert [event["event"] for event in events] == ["moving", "settled"] * 3
    thrown, kept, again = events[1::2]
    assert thrown["values"] == [1, 1, 4, 6]
    assert thrown["stayed"] == []
    assert kept["values"] == kept["stayed"] == [1, 1]
    assert again["values"] == [1, 1, 3, 5]
    assert again["stayed"] == [1, 1]
    assert all(len(event["boxes"]) == len(event["values"]) for event in events[1::2])
    times = [event["at"] for event in events]
    assert times == sorted(times)


def test_the_picture_is_still_while_dice_lie_and_moves_before(turn: Film, written: Path) -> None:
    pictures = [frame.astype(float) for frame in frames(written)]
    noise = turn.play.stage.look.noise
    for event in turn.events()["events"]:
        k = int(event["at"] * FPS) + 2
        if event["event"] == "settled":
            steps = [np.abs(cv2.blur(pictures[j + 1] - pictures[j], (9, 9))).max() for j in range(k, k + 20)]
            assert np.median(steps) < 6 + 200 * noise
        else:
            assert max(np.abs(cv2.blur(pictures[k + j] - pictures[k - 4], (9, 9))).max() for j in range(8)) > 20


def test_the_same_arguments_make_the_same_video(turn: Film) -> None:
    again = film(SCRIPT, 5, size=TINY, manners=QUIET)
    assert again.events() == turn.events()
    for _, first, second in zip(range(25), turn.frames(), again.frames(), strict=False):
        assert np.array_equal(first, second)


def test_a_whole_game_is_one_video_from_a_script(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    script = [((1, 4, 2), (1,)), ((5, 5), ()), ((6, 3, 3), ())]
    labels = film_game(path, script, 2, size=(128, 96), manners=QUIET, game="made-up")
    assert json.loads(path.with_suffix(".json").read_text(encoding="utf-8")) == labels
    assert labels["game"] == "made-up"
    rests = [event["values"] for event in labels["events"] if event["event"] != "moving"]
    assert rests == [[1, 2, 4], [1], [1, 5, 5], [], [3, 3, 6]]
    assert len(frames(path)) == round(labels["seconds"] * FPS)


def test_the_command_writes_turns_and_leaves_those_that_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    # the eighth turn is of the game of single throws
    line = [str(tmp_path), "--video", "--first", "7", "--count", "1", "--seed", "1", "--size", "128x96"]
    for made in (1, 0):
        assert run(parser.parse_args([*line, "--workers", "1"])) == 0
        assert capsys.readouterr().out.startswith(f"{made} videos in")
    labels = json.loads((tmp_path / "turn-0008.json").read_text(encoding="utf-8"))
    assert labels["game"] == "sequence"
    assert labels["fps"] == 30
    settled = [event["values"] for event in labels["events"] if event["event"] == "settled" and not event["spoilt"]]
    assert settled == [sorted(action["dice"]) for action in labels["record"]]


def test_a_size_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    with pytest.raises(SystemExit, match="2"):
        parser.parse_args(["x", "--size", "640x"])
    assert "a size is a number of pixels or WxH, as 640 or 640x480, got '640x'" in capsys.readouterr().err
