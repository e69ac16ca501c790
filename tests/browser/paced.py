"""`rollcall` with a camera that waits for whoever looks: a video file is shown frame after frame, however long each
look takes, with the file's own times, so that a busy machine sees what a quick one does.

`python -m tests.browser.paced serve --camera FILE`. FILE.until beside it holds the seconds up to which it is shown;
there the last picture stays, and the clock goes on.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import vision
from vision.frames import Frame, frames
from vision.watch import EVERY

PAUSE_S = 0.02  # before each frame, so that others get on as well
STEP = 0.9 * EVERY  # seconds from one frame to the next, or somewhat more


class Camera:
    """What takes the place of `vision.Camera`."""

    def __init__(self, source: str) -> None:
        self._until = Path(f"{source}.until")
        self._frames = self._pace(frames(source, STEP))
        self._lock = threading.Lock()

    def next_photo(self) -> vision.Photo:
        return self.next_frame()[1]

    def next_frame(self) -> Frame:
        time.sleep(PAUSE_S)
        with self._lock:
            return next(self._frames)

    def _pace(self, film: Iterator[Frame]) -> Iterator[Frame]:
        stood = 0.0  # seconds that pictures stayed
        last, photo = next(film)
        yield last, photo
        for at, following in film:
            while at > self._shown_until():
                stood += EVERY
                yield last + stood, photo
            last, photo = at, following
            yield last + stood, photo
        while True:
            stood += EVERY
            yield last + stood, photo

    def _shown_until(self) -> float:
        with contextlib.suppress(OSError, ValueError):  # it may be written this moment
            return float(self._until.read_text())
        return 0.0


if __name__ == "__main__":
    vision.Camera = Camera  # type: ignore[assignment,misc]
    import rollcall

    sys.exit(rollcall.main())
