"""The engines of the store, and what all applications have alike, as in `tests/web`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.web.apps import create_app
from tests.web.conftest import (
    database,
    prepared,
    server,
    shared,
    statements_are_compiled_once,
    templates_are_compiled_once,
)
from tests.web.postgres import Postgres, postgres
from web.services import services

__all__ = ["database", "prepared", "server", "shared", "statements_are_compiled_once", "templates_are_compiled_once"]


@pytest.fixture
def app(tmp_path: Path, database: str | None) -> Iterator[Flask]:
    application = create_app(tmp_path / "data", database=database)
    yield application
    services(application).close()


@pytest.fixture
def durable_server() -> Iterator[Postgres]:
    """A PostgreSQL that waits for the disk, and may be killed."""
    with postgres(durable=True) as made:
        yield made
