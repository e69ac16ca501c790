"""The machine's own camera: a webcam, a video file, or a stream at an address."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np

from vision.photo import Photo
from vision.reasons import CameraError

_PATIENCE = 5.0  # seconds without a picture, then `next_photo` raises
# Seconds without a picture, then the source is reopened; also between two such tries; and for which `close` waits for a
# read under way.
_OPEN_AGAIN = 1.0


class Camera:
    """The newest pictures of a source; several threads may ask for them. A video file plays at its own speed from
    the first picture on, and begins again when it has ended."""

    def __init__(self, source: str | int) -> None:
        """`source`: the number of a webcam, a video file, or an address that OpenCV opens. Raises CameraError."""
        self._source = int(source) if str(source).isdigit() else str(source)
        self._capture = cv2.VideoCapture()
        self._capture.setExceptionMode(False)
        self._lock = threading.Condition()
        self._picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None = None
        self._taken = 0
        self._taken_at = time.monotonic()
        self._closed = False
        if not self._open():
            raise CameraError("camera-missing", source=source)
        self._thread = threading.Thread(target=self._read_on, name=f"camera {source}", daemon=True)
        self._thread.start()

    def next_photo(self) -> Photo:
        """The next picture. Raises CameraError if none comes within five seconds."""
        return self.next_frame()[1]

    def next_frame(self) -> tuple[float, Photo]:
        """The next picture with its time, in seconds of the monotonic clock. Raises CameraError as `next_photo`."""
        with self._lock:
            if self._taken and time.monotonic() - self._taken_at > _PATIENCE:
                raise CameraError("camera-silent", source=self._source, seconds=round(_PATIENCE))
            before, end = self._taken, time.monotonic() + _PATIENCE
            while self._taken == before and not self._closed:
                left = end - time.monotonic()
                if left <= 0 or not self._lock.wait(left):
                    raise CameraError("camera-silent", source=self._source, seconds=round(_PATIENCE))
            if self._closed or self._picture is None:
                raise CameraError("camera-ended", source=self._source)
            picture, at = self._picture, self._taken_at
        return at, Photo(np.ascontiguousarray(picture[:, :, ::-1]))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._lock.notify_all()
        self._thread.join(_OPEN_AGAIN)
        if not self._thread.is_alive():  # a driver or network may block the thread: then it ends with the program
            self._capture.release()

    def __enter__(self) -> Camera:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _open(self) -> bool:
        if isinstance(self._source, int):
            opened = self._capture.open(self._source)
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1280)
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 720)
        elif "://" in self._source:
            silent = round(1000 * _PATIENCE)  # milliseconds; OpenCV's own limit is half a minute
            patience = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, silent, cv2.CAP_PROP_READ_TIMEOUT_MSEC, silent]
            opened = self._capture.open(self._source, cv2.CAP_FFMPEG, patience) or self._capture.open(self._source)
        else:
            opened = self._capture.open(self._source)
        return bool(opened)

    def _read_on(self) -> None:
        """Reads on, so that buffered pictures are never old. Reopens a source that was lost."""
        recorded = isinstance(self._source, str) and self._capture.get(cv2.CAP_PROP_FRAME_COUNT) > 0
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        pause = 1 / rate if recorded and 0 < rate < 240 else 0.0
        misses, opened_at = 0, time.monotonic()
        while not self._closed:
            arrived, picture = self._capture.read()
            if arrived:
                misses = 0
                with self._lock:
                    self._picture, self._taken = np.asarray(picture, np.uint8), self._taken + 1
                    self._taken_at = time.monotonic()
                    self._lock.notify_all()
                if pause:
                    time.sleep(pause)
                continue
            misses += 1
            if recorded and misses == 1:
                self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
                continue
            time.sleep(0.1)
            if misses > 1 and time.monotonic() - max(opened_at, self._taken_at) > _OPEN_AGAIN and not self._closed:
                self._capture.release()
                self._open()
                opened_at = time.monotonic()
