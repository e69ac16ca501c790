"""Cameras: pictures from a video file stand in for a webcam."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.vision.scenes import grey_film
from vision import Camera, CameraError
from vision import camera as camera_module


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """One second."""
    return grey_film(tmp_path / "throw.avi", frames=20, step=8)


def test_pictures_are_upright_rgb_photos(video: Path) -> None:
    with Camera(str(video)) as camera:
        photo = camera.next_photo()
    assert (photo.width, photo.height) == (64, 48)
    red, _, blue = photo.pixels[24, 50].astype(int)
    assert blue > red + 150


def test_a_photo_is_the_newest_picture_not_the_next(video: Path) -> None:
    gone_on = []
    with Camera(str(video)) as camera:
        while len(gone_on) < 10 and max(gone_on, default=0) < 8 * 4:  # the film may begin again, or the machine stall
            first = camera.next_photo().pixels[24, 10, 0]
            time.sleep(0.4)
            gone_on.append(int(camera.next_photo().pixels[24, 10, 0]) - int(first))
    assert gone_on[-1] >= 8 * 4, gone_on


def test_a_video_begins_again(video: Path) -> None:
    with Camera(str(video)) as camera:
        camera.next_photo()
        time.sleep(1.3)
        assert camera.next_photo().width == 64


@pytest.mark.parametrize("source", ["no-such-file.mp4", "987"])
def test_what_does_not_answer_is_refused_in_one_sentence(source: str) -> None:
    with pytest.raises(CameraError, match=f"no camera or video answers at {source}") as caught:
        Camera(source)
    assert caught.value.reason == "camera-missing"
    assert "\n" not in str(caught.value)


class Silent:
    """A source that is there and sends nothing."""

    def read(self) -> tuple[bool, None]:
        return False, None

    def set(self, *_: float) -> bool:
        return True

    def release(self) -> None:
        pass


def test_a_silent_camera_is_refused(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Camera(str(video)) as camera:
        camera.next_photo()
        monkeypatch.setattr(camera_module, "_PATIENCE", 0.2)
        monkeypatch.setattr(camera_module, "_OPEN_AGAIN", 600.0)
        monkeypatch.setattr(camera, "_capture", Silent())
        with pytest.raises(CameraError, match="sent no picture"):
            camera.next_photo()


def test_a_closed_camera_gives_no_more_pictures(video: Path) -> None:
    camera = Camera(str(video))
    camera.close()
    with pytest.raises(CameraError, match="ended"):
        camera.next_photo()
