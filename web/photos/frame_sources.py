"""Where the frames of a watched table come from: the server's camera, or a phone on a stand that posts them."""

import logging
import threading
import time
from typing import TYPE_CHECKING, Protocol

from web.problems.problem import Problem

if TYPE_CHECKING:
    import vision
    from vision.frames import Frame

logger = logging.getLogger(__name__)

MOST_FRAME_BYTES = 1 << 16  # longer bodies would wait on the disk
MOST_FRAME_SIDE = 1024  # pixels
TICK_S = 0.2  # after which a table is looked after though its stand sends no frame
SILENT_S = 15.0  # without a word from a stand, after which phones are told; it says something every 5 s
LOST_S = 15 * 60.0  # after which its place is given up
WATCHED_WITHIN_S = 20.0  # that a phone waits until its frame was watched


class FrameSource(Protocol):
    """What a table is watched with."""

    @property
    def stand(self) -> str | None:
        """The id that the phone on a stand chose; None: the server's camera."""

    def next_frame(self) -> "Frame | None":
        """The next frame, with its seconds by the source's own clock; None: nothing new for a while.

        Raises `Problem` if the source gives no picture.
        """

    def finish_frame(self) -> None:
        """Notes that the frame that came last was watched."""

    def close(self) -> None: ...


class CameraFrames:
    """The frames of the server's camera."""

    stand = None

    def __init__(self, camera: "vision.Camera") -> None:
        self._camera = camera

    def next_frame(self) -> "Frame | None":
        try:
            return self._camera.next_frame()
        except Exception as error:
            logger.warning("the camera gives no picture: %s", error)
            raise Problem("camera-failed", 503) from error

    def finish_frame(self) -> None: ...

    def close(self) -> None: ...  # others take photos with the camera


class StandFrames:
    """The frames that a phone on a stand posts, one after the other, kept in memory until they were watched.

    `phone`: the id in its cookie, "" without one; `name`: as others see it.
    """

    def __init__(self, stand: str, phone: str, name: str) -> None:
        self.stand, self.phone, self.name = stand, phone, name
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._taken = self._woken = self._closed = False
        self._heard_at = time.monotonic()

    @property
    def silent_s(self) -> float:
        """Seconds since the phone said something."""
        return time.monotonic() - self._heard_at

    def note_phone(self) -> None:
        self._heard_at = time.monotonic()

    def put(self, at: float, photo: "vision.Photo") -> None:
        """Hands over a frame, and waits until it was watched. Raises Problem("busy") while another one is, and
        Problem("not-watched") once the watching has ended."""
        with self._changed:
            if self._closed:
                raise Problem("not-watched", 409)
            if self._frame is not None:
                raise Problem("busy", 503, again_s=1)
            self._frame, self._taken = (at, photo), False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closed or self._frame is None, WATCHED_WITHIN_S)
            self._frame = None
            self.note_phone()

    def wake(self) -> None:
        """Ends the wait for a frame: there is something else to do."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def next_frame(self) -> "Frame | None":
        with self._changed:
            self._changed.wait_for(lambda: self._woken or (self._frame is not None and not self._taken), TICK_S)
            self._woken = False
            if self._frame is not None and not self._taken:
                self._taken = True
                return self._frame
        if self.silent_s > SILENT_S:
            raise Problem("stand-silent", 503, device=self.name)
        return None

    def finish_frame(self) -> None:
        with self._changed:
            if self._taken:
                self._frame = None
                self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
