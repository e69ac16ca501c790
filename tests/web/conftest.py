"""Fixtures that read like sentences: an application with an empty store, a phone at a table.

Whatever starts from `app` runs on both engines of the store.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, start
from tests.web.postgres import Postgres, missing, postgres
from web import create_app
from web.rooms import rooms
from web.tables.store import Ledger, Store

ENGINES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of this process."""
    if reason := missing():
        pytest.skip(reason)
    with postgres() as made:
        yield made


@pytest.fixture(scope="session")
def prepared(server: Postgres) -> str:
    """The name of a database with an empty store, to be copied."""
    from web.cluster.store import SharedStore

    address = server.new()
    SharedStore(address).close()
    return address.rpartition("/")[2]


@pytest.fixture
def shared(server: Postgres, prepared: str) -> Iterator[str]:
    """The address of a database with an empty store of its own."""
    address = server.new(prepared)
    yield address
    server.drop(address)


@pytest.fixture(params=ENGINES)
def database(request: pytest.FixtureRequest) -> str | None:
    """Where the games are: None for a file in the data folder, else the address of a database."""
    found: str | None = None if request.param == "sqlite" else request.getfixturevalue("shared")
    return found


@pytest.fixture
def open_store(tmp_path: Path, database: str | None) -> Iterator[Callable[[], Ledger]]:
    """Opens the store of this test; what is left open is closed."""
    opened: list[Ledger] = []

    def make() -> Ledger:
        if database is None:
            opened.append(Store(tmp_path / "data"))
        else:
            from web.cluster.store import SharedStore

            opened.append(SharedStore(database))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.fixture
def app(tmp_path: Path, database: str | None) -> Iterator[Flask]:
    application = create_app(tmp_path / "data", database=database, reads=True)
    yield application
    rooms(application).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    return Phone(client, start(client))
