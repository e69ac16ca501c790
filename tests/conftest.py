"""What every test starts from."""

from __future__ import annotations

import PIL.Image
import pytest
from hypothesis import settings

_OPEN = PIL.Image.open

# The same examples in each run, however slow the machine is.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")


@pytest.fixture(autouse=True)
def pillow_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """ultralytics puts its own function in the place of Pillow's; the server never loads it."""
    monkeypatch.setattr(PIL.Image, "open", _OPEN)
