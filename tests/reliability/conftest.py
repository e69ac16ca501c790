"""Where a test names `database`, it runs on both engines of the store, as in `tests/web`; what all applications have
alike is made once, as there."""

from __future__ import annotations

from tests.web.conftest import (
    database,
    prepared,
    routes_and_templates_are_compiled_once,
    server,
    shared,
    statements_are_compiled_once,
)

__all__ = [
    "database",
    "prepared",
    "routes_and_templates_are_compiled_once",
    "server",
    "shared",
    "statements_are_compiled_once",
]
