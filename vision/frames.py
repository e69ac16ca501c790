"""Frames with their times: a video file as fast as it can be read, a camera or a stream as it comes."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.camera import Camera
from vision.photo import Photo
from vision.reasons import CameraError

Frame = tuple[float, Photo]  # seconds of the source's own clock

_LATE = 0.9  # of the time from one frame to the next: frames do not come to the millisecond
_RATE = 25.0  # frames a second where a file does not tell


def frames(source: str, every: float = 0.0) -> Iterator[Frame]:
    """The frames of a source, `every` so many seconds or somewhat more.

    `source`: the number of a camera, a video file, or an address. A file, and what an address gives as a file, is read
    to its end and its own times are given; of others the time since the first frame, for ever. Raises CameraError.
    """
    if source.isdigit():
        return _live_frames(source, every)
    if "://" not in source and not Path(source).exists():
        raise CameraError("camera-missing", source=source)
    capture = cv2.VideoCapture()
    capture.setExceptionMode(False)
    if not capture.open(source):
        raise CameraError("camera-missing", source=source)
    if "://" in source and not capture.get(cv2.CAP_PROP_FRAME_COUNT) > 0:
        capture.release()
        return _live_frames(source, every)
    return _file_frames(source, capture, every)


def silence_opencv() -> None:
    """Keeps OpenCV and its decoders from writing of their own on standard error; before the first source is opened."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def _file_frames(source: str, capture: cv2.VideoCapture, every: float) -> Iterator[Frame]:
    with contextlib.closing(_Capture(capture)) as opened:
        last, told = -np.inf, 0
        for at in opened.times():
            if at < last + _LATE * every and at >= last:
                continue
            arrived, picture = capture.retrieve()
            if arrived:
                last, told = at, told + 1
                yield at, Photo(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8))
        if not told:
            raise CameraError("camera-empty", source=source)


class _Capture:
    """A file that is read frame by frame."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def times(self) -> Iterator[float]:
        """Takes one frame after the other, not decoded to pixels yet, and gives the seconds of each: those that the
        file tells, or where it tells none, by its frames a second."""
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        step = 1 / (rate if 0 < rate <= 1000 else _RATE)
        before, number = -1.0, 0
        while self._capture.grab():
            told = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            before = told if told > before else max(before, 0.0) + step if number else 0.0
            number += 1
            yield before

    def close(self) -> None:
        self._capture.release()


def _live_frames(source: str, every: float) -> Iterator[Frame]:
    with Camera(source) as camera:
        photo, began = camera.next_photo(), time.monotonic()
        at = 0.0
        while True:
            yield at, photo
            time.sleep(max(0.0, at + every - (time.monotonic() - began)))
            photo, at = camera.next_photo(), time.monotonic() - began
