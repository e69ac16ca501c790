"""What every test starts from."""

from __future__ import annotations

import PIL.Image
import pytest

_OPEN = PIL.Image.open


@pytest.fixture(autouse=True)
def pillow_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """ultralytics puts its own function in the place of Pillow's; the server never loads it."""
    monkeypatch.setattr(PIL.Image, "open", _OPEN)
