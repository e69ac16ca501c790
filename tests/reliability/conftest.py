"""The engines of the store, and what all applications have alike, as in `tests/web`."""

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
