"""Fixtures that read like sentences: an application with an empty data folder, a phone at a table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, start
from web import create_app
from web.rooms import rooms


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    application = create_app(tmp_path / "data")
    yield application
    rooms(application).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    return Phone(client, start(client))
