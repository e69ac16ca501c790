"""The engines of the store, and what all applications have alike, as in `tests/web`."""

from collections.abc import Iterator

import pytest

from tests.web.conftest import (
    database,
    prepared,
    routes_and_templates_are_compiled_once,
    server,
    shared,
    statements_are_compiled_once,
)
from tests.web.postgres import Postgres, postgres

__all__ = [
    "database",
    "prepared",
    "routes_and_templates_are_compiled_once",
    "server",
    "shared",
    "statements_are_compiled_once",
]


@pytest.fixture
def durable_server() -> Iterator[Postgres]:
    """A PostgreSQL that waits for the disk, and may be killed."""
    with postgres(durable=True) as made:
        yield made
