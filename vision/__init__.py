"""Reads dice: photos and cameras, the detector and classifier, a table's dice memory, and watching of frames."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vision.reading import Ask, Die, Reading
from vision.reasons import CameraError, ModelError, PhotoError, VisionError

if TYPE_CHECKING:
    from vision.annotation import annotate
    from vision.backend import engine
    from vision.camera import Camera
    from vision.judging.dice_memory import DiceMemory, DiceSample, Trace
    from vision.photo import Photo
    from vision.reader import Reader
    from vision.region import Region
    from vision.watch import Watch, WatchEvent

__all__ = [
    "Ask",
    "Camera",
    "CameraError",
    "DiceMemory",
    "DiceSample",
    "Die",
    "ModelError",
    "Photo",
    "PhotoError",
    "Reader",
    "Reading",
    "Region",
    "Trace",
    "VisionError",
    "Watch",
    "WatchEvent",
    "annotate",
    "engine",
]

# Loaded when first asked for: OpenCV, Pillow and the runtime take a third of a second.
_LATER = {
    "Camera": "vision.camera",
    "WatchEvent": "vision.watch",
    "DiceSample": "vision.judging.dice_memory",
    "DiceMemory": "vision.judging.dice_memory",
    "Photo": "vision.photo",
    "Reader": "vision.reader",
    "Region": "vision.region",
    "Trace": "vision.judging.dice_memory",
    "Watch": "vision.watch",
    "annotate": "vision.annotation",
    "engine": "vision.backend",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'vision' has no attribute {name!r}")
    try:
        value = getattr(import_module(_LATER[name]), name)
    except ImportError as error:
        raise explain_import(error) from error
    globals()[name] = value
    return value


def explain_import(error: ImportError) -> ImportError:
    """Returns the error, or one that says what to install if OpenCV lacks a system library."""
    library = str(error).partition(":")[0]
    if not library.startswith("lib"):
        return error
    return ImportError(
        f"OpenCV needs a system library that is missing here ({library}): "
        "on Debian, Ubuntu and Raspberry Pi OS install it with: sudo apt install libgl1 libglib2.0-0",
        name="cv2",
    )
