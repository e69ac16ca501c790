"""Errors of photos, cameras and networks: reason -> English sentence with {parameters}."""

from __future__ import annotations

from typing import Any

MAX_BYTES = 40 << 20  # of a photo's file

REASONS: dict[str, str] = {
    "photo-empty": "the file is empty; a photo is wanted, such as a JPEG",
    "photo-too-large": "the file has {megabytes} MB; at most {limit} MB are taken",
    "photo-too-many-pixels": "the photo has {megapixels} megapixels; at most {limit} are taken, "
    "so let the camera take smaller ones",
    "photo-too-many-for-format": "the photo has {megapixels} megapixels; in {format} at most {limit} are taken, "
    "so send it smaller or as a plain JPEG",
    "photo-too-small": "the picture has {width}x{height} pixels; at least {limit} on each side are needed to see dice",
    "photo-heic": "this HEIC or AVIF photo cannot be read here; let the phone take JPEG "
    "(on an iPhone: Settings, Camera, Formats, Most Compatible)",
    "photo-format": "the file is no JPEG, PNG, WebP, HEIC, AVIF, TIFF or BMP photo",
    "photo-unreadable": "this {format} file is damaged or of a rare kind; send it as a JPEG",
    "photo-damaged": "the photo is damaged or was not transferred to its end; take or send it again",
    "model-missing": "the detector's file {file} is missing; install Rollcall again",
    "model-broken": "the detector's file {file} cannot be loaded; install Rollcall again",
    "camera-missing": "no camera or video answers at {source}; give the number of a webcam (0 is the first), "
    "a video file or the address of a stream",
    "camera-silent": "the camera {source} sent no picture for {seconds} seconds",
    "camera-ended": "the video {source} has ended",
    "camera-empty": "{source} holds no picture that can be read; a video file is wanted",
}

# Why a reading asks, if a person can do something about it.
ASKS: dict[str, str] = {
    "no-dice": "no dice were found; photograph all of them from above",
    "no-pips": "no pips can be read here; if the dice have numbers or symbols, type them",
    "too-few": "only {found} of {dice} dice are clear",
    "too-many": "{found} dice are seen, {dice} were thrown",
    "touching": "dice touch or hide each other; push them apart",
    "cut": "a die is cut off by the edge of the photo; show all of it",
    "dark": "the photo is too dark; switch on a light",
    "blurred": "the photo is blurred; hold still a moment",
    "too-small": "the dice are too small; go nearer",
    "too-close": "the camera is too close; hold it further away",
    "from-the-side": "the dice are seen from the side; hold the phone above them",
    "doubtful-value": "one die shows {value} or {other}",
    "doubtful-die": "what looks like a {value} may be no die",
    "doubtful-thing": "something else may be a die; move it away from the dice",
    "doubtful-aside": "it is not clear which dice were put aside; move them further away",
}
HINTS = frozenset({"touching", "dark", "blurred"})  # of ASKS: may be said of an unsure reading, and do not make it so


class VisionError(Exception):
    """A photo, camera or network is unusable. `reason` is a key of REASONS; `params` fill its sentence, which is
    str()."""

    def __init__(self, reason: str, **params: Any) -> None:
        super().__init__(REASONS[reason].format(**params))
        self.reason = reason
        self.params = params


class PhotoError(VisionError):
    """The file holds no readable photo."""


class ModelError(VisionError):
    """A network's file is missing or unusable."""


class CameraError(VisionError):
    """The camera is missing or sends no picture."""
