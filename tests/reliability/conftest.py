"""Where a test names `database`, it runs on both engines of the store, as in `tests/web`."""

from __future__ import annotations

from tests.web.conftest import database, prepared, server, shared

__all__ = ["database", "prepared", "server", "shared"]
