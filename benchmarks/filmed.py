"""`rollcall` with a camera that shows a film at the film's own speed; what a machine is too slow for is left out, as
with a real camera: `python -m benchmarks.filmed serve --camera FILE`.

The first picture stays until there is FILE.go; FILE.began then holds the time, in seconds since 1970, at which the film
began. At its end the last picture stays.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import cv2
import numpy as np

import vision

EVERY = 1 / 30  # seconds from one look whether it may begin to the next


class Camera(vision.Camera):
    def _follow(self) -> None:
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        arrived, picture = self._capture.read()
        while not self._closed and not Path(f"{self._source}.go").exists():
            self._show(picture)
            time.sleep(EVERY)
        began, shown = time.monotonic(), 0
        Path(f"{self._source}.began").write_text(repr(time.time()))
        while not self._closed:
            number = int((time.monotonic() - began) * rate)
            while arrived and shown < number:
                arrived, shown = self._capture.grab(), shown + 1
            if arrived:
                _, picture = self._capture.retrieve()
            self._show(picture)
            time.sleep(max(0.0, began + (shown + 1) / rate - time.monotonic()) if arrived else EVERY)

    def _show(self, picture: object) -> None:
        with self._lock:
            self._picture, self._taken = np.asarray(picture, np.uint8), self._taken + 1
            self._taken_at = time.monotonic()
            self._lock.notify_all()


if __name__ == "__main__":
    vision.Camera = Camera  # type: ignore[misc]
    import rollcall

    sys.exit(rollcall.main())
