"""A phone on a stand, for tests: it posts the frames of a film as `web/static/camera/stand.js` posts its camera's."""

import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import cv2

import vision
from tests.web.phones import JSON, Phone

EVERY_S = 0.2
LONGEST = 640
AFTER_S = 2.0  # that frames are sent after the last change
CHANGED = 40  # of 255: a pixel that differs by more than a camera's noise


@dataclass
class StandPhone:
    """The phone at a table, with the id that it chose. `at`: seconds of its clock; `answer`: the last one it got."""

    phone: Phone
    stand: str = "a-phone-on-a-stand"
    at: float = 0.0
    answer: dict[str, Any] = field(default_factory=dict)
    frames: int = 0
    bytes: int = 0
    pictures: int = 0
    sends_pictures: bool = True
    to: str = "frames"  # where its frames go
    _sent: Any = None
    _changed_at: float = 0.0
    _asked: str | None = None

    def start(self) -> Any:
        self._sent = None
        return self.phone.post("watch", on=True, stand=self.stand)

    def post(self, data: bytes) -> Any:
        """Posts a frame, or b"" for a sign of life."""
        where = f"/api/v1{self.phone.base}/{self.to}?stand={self.stand}&at={self.at:.3f}"
        response = self.phone.client.post(where, data=data, content_type="image/jpeg", headers=JSON)
        if response.status_code == 200:
            self.answer = json.loads(response.data)
        return response

    def post_picture(self, wanted: str, data: bytes) -> Any:
        where = f"/api/v1{self.phone.base}/rest?stand={self.stand}&picture={wanted}"
        return self.phone.client.post(where, data=data, content_type="image/jpeg", headers=JSON)

    def show(self, photo: vision.Photo) -> None:
        """The camera's next picture: sends what the page would."""
        self.at += EVERY_S
        small = cv2.resize(photo.pixels, _small_size(photo), interpolation=cv2.INTER_AREA)
        if self._sent is None or (cv2.absdiff(small, self._sent) > CHANGED).any():
            self._changed_at = self.at
        elif self.at - self._changed_at > AFTER_S and not self.answer.get("more"):
            return
        data = coded(small, 75)
        response = self.post(data)
        assert response.status_code == 200, response.get_data(as_text=True)
        self._sent, self.frames, self.bytes = small, self.frames + 1, self.bytes + len(data)
        wanted = self.answer.get("picture")
        if wanted is not None and wanted != self._asked and self.sends_pictures:
            self._asked, full = wanted, coded(photo.pixels, 90)
            assert self.post_picture(wanted, full).status_code == 204
            self.pictures, self.bytes = self.pictures + 1, self.bytes + len(full)

    def play(self, film: Iterable[tuple[float, vision.Photo]]) -> None:
        """Shows a film of many pictures a second at the page's own pace."""
        begin, next_at = self.at, 0.0
        for at, photo in film:
            if at >= next_at:
                self.show(photo)
                next_at += EVERY_S
        assert self.at > begin


def coded(pixels: Any, quality: int) -> bytes:
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


def _small_size(photo: vision.Photo) -> tuple[int, int]:
    scale = LONGEST / max(photo.width, photo.height)
    return round(photo.width * scale), round(photo.height * scale)


def until(phone: Phone, holds: Callable[[dict[str, Any]], Any], what: str, tries: int = 3000) -> dict[str, Any]:
    """The state of the table as soon as something holds of it."""
    import time

    for _ in itertools.repeat(None, tries):
        if holds(phone.look()):
            return phone.state
        time.sleep(0.02)
    raise AssertionError(f"{what}: {phone.state['watched']}")
