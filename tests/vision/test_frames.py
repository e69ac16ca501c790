"""Frames with their times, of files as fast as they can be read, of cameras as they come."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.scenes import grey_film
from vision import CameraError
from vision import frames as frames_module
from vision.camera import Camera
from vision.frames import frames


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """A second and a half."""
    return grey_film(tmp_path / "throw.avi", frames=30, step=6)


def test_a_file_is_read_to_its_end_with_its_own_times(video: Path) -> None:
    taken = list(frames(str(video)))
    assert [at for at, _ in taken] == pytest.approx([n / 20 for n in range(30)])
    red, _, blue = taken[0][1].pixels[24, 50].astype(int)
    assert blue > red + 150
    light = [int(photo.pixels[24, 10, 0]) for _, photo in taken]
    assert light == sorted(light)


def test_every_so_many_seconds(video: Path) -> None:
    assert [at for at, _ in frames(str(video), 0.2)] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4])


def test_times_that_a_file_does_not_tell_are_counted(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Timeless:
        """A capture that tells no times."""

        left = 4

        def get(self, what: int) -> float:
            return 10.0 if what == cv2.CAP_PROP_FPS else 0.0

        def grab(self) -> bool:
            self.left -= 1
            return self.left >= 0

    times = list(frames_module._frame_times(Timeless()))  # type: ignore[arg-type]
    assert times == pytest.approx([0, 0.1, 0.2, 0.3])


@pytest.mark.parametrize("source", ["no-such-file.mp4", "987", "rtsp://127.0.0.1:1/none"])
def test_what_does_not_answer_is_told_in_one_sentence(source: str) -> None:
    with pytest.raises(CameraError, match="no camera or video answers at") as caught:
        list(frames(source))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_video_is_told(tmp_path: Path) -> None:
    path = tmp_path / "throw.mp4"
    for data in (b"", b"no video at all" * 100):
        path.write_bytes(data)
        with pytest.raises(CameraError, match=r"throw\.mp4"):
            list(frames(str(path)))


def test_a_camera_gives_its_frames_as_they_come(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames_module, "Camera", lambda _: Camera(str(video)))  # a file stands in for a webcam
    taken = list(itertools.islice(frames("0", 0.1), 4))
    steps = np.diff([at for at, _ in taken])
    assert taken[0][0] == 0
    assert (steps >= 0.09).all()
