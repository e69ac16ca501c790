"""Puts photos under review without a reader, for tests."""

from typing import Any

from flask import Flask

from web.services import services
from web.table.commands import ChangePhoto
from web.table.photo_state import UnderReview, from_json


def put(app: Flask, key: str, photo: UnderReview | dict[str, Any]) -> None:
    """Has this photo under review at the table with this key, whatever was there."""
    shown = from_json(photo) if isinstance(photo, dict) else photo
    services(app).sessions.do(key, ChangePhoto(shown, None))
