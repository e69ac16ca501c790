"""Frames with their times: a video file as fast as it can be read, a camera or stream as it comes."""

from __future__ import annotations

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

_LATE = 0.9  # of the interval: frames do not come to the millisecond
_RATE = 25.0  # frames a second of a file that does not say


def frames(source: str, every: float = 0.0) -> Iterator[Frame]:
    """The frames of a source, at intervals of `every` seconds or slightly more. `source`: the number of a camera, a
    video file, or an address. A file, also at an address, is read to its end and gives its own times. Other sources
    never end and give seconds since the first frame. Raises CameraError."""
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
    """Keeps OpenCV and its decoders from writing to standard error. Call it before a source is opened."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def _file_frames(source: str, capture: cv2.VideoCapture, every: float) -> Iterator[Frame]:
    try:
        last, count = -np.inf, 0
        for at in _frame_times(capture):
            if at < last + _LATE * every and at >= last:
                continue
            arrived, picture = capture.retrieve()
            if arrived:
                last, count = at, count + 1
                yield at, Photo(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), np.uint8))
        if not count:
            raise CameraError("camera-empty", source=source)
    finally:
        capture.release()


def _frame_times(capture: cv2.VideoCapture) -> Iterator[float]:
    """Grabs each frame, not yet decoded, and gives its seconds: the file's own, or else by its frame rate."""
    rate = capture.get(cv2.CAP_PROP_FPS)
    step = 1 / (rate if 0 < rate <= 1000 else _RATE)
    before, number = -1.0, 0
    while capture.grab():
        time_of_file = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        before = time_of_file if time_of_file > before else max(before, 0.0) + step if number else 0.0
        number += 1
        yield before


def _live_frames(source: str, every: float) -> Iterator[Frame]:
    with Camera(source) as camera:
        photo, began = camera.next_photo(), time.monotonic()
        at = 0.0
        while True:
            yield at, photo
            time.sleep(max(0.0, at + every - (time.monotonic() - began)))
            photo, at = camera.next_photo(), time.monotonic() - began
