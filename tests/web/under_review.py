"""Puts photos under review without a reader, for tests."""

from typing import Any

from flask import Flask
from msgspec import convert

from web.services import services
from web.table.commands import ChangePhoto
from web.table.photo_state import PHOTO, PhotoDetails, Read, ReadingResult, UnderReview, Waiting


def put(app: Flask, key: str, photo: UnderReview | dict[str, Any]) -> None:
    """Has this photo under review at the table with this key, whatever was there. A dict: what a test says of one."""
    shown = _photo_of(photo) if isinstance(photo, dict) else photo
    services(app).runner.do(key, ChangePhoto(shown, None))


def _photo_of(said: dict[str, Any]) -> UnderReview:
    details = convert({"source": PHOTO, "device": "", "version": 0, "expects": 0, **said}, PhotoDetails)
    if said["status"] == "waiting":
        return Waiting(details)
    return Read(details, said.get("width", 0), said.get("height", 0), convert(said, ReadingResult))
