"""Fixtures that read like sentences: an application with an empty store, a phone at a table.

A test runs on SQLite; with `both_engines` (`tests.web.postgres`) on PostgreSQL too. Hundreds of tests make an
application of their own: what is the same in all of them is made once in a test run.
"""

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.templating import Environment
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import create_engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import Engine
from sqlalchemy.util import LRUCache

import scorer
import web.app
from scorer.advice import solution_cache
from scorer.advice.solution import Solution
from scorer.game import Game
from tests.web import apps
from tests.web.apps import create_app
from tests.web.phones import Phone, start
from tests.web.postgres import Postgres, missing, postgres
from web.hosts.checking_process import CheckingProcess
from web.hosts.threads import ThreadTask
from web.own_games.checker import BUSY_AGAIN_S
from web.own_games.process import Answer, Request
from web.problems.problem import Problem
from web.services import services
from web.store import sqlite_file
from web.store.maintenance import store_files
from web.store.sqlite import SqliteStore
from web.store.store import Store


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
    from web.hosts.cluster.shared_store import SharedStore

    address = server.new()
    SharedStore(address).close()
    return address.rpartition("/")[2]


@pytest.fixture
def shared(server: Postgres, prepared: str) -> Iterator[str]:
    """The address of a database with an empty store of its own."""
    address = server.new(prepared)
    yield address
    server.drop(address)


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str | None:
    """Where the games are: None for a file in the data folder, else the address of a database."""
    shared = getattr(request, "param", "sqlite") == "postgresql"
    return request.getfixturevalue("shared") if shared else None


@pytest.fixture
def open_store(tmp_path: Path, database: str | None) -> Iterator[Callable[[], Store]]:
    """Opens the store of this test; what is left open is closed."""
    opened: list[Store] = []

    def make() -> Store:
        if database is None:
            opened.append(SqliteStore(tmp_path / "data"))
        else:
            from web.hosts.cluster.shared_store import SharedStore

            opened.append(SharedStore(database))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty store, to be copied: a file is made more slowly than it is opened."""
    folder = tmp_path_factory.mktemp("empty") / "data"
    SqliteStore(folder).close()
    return folder


@pytest.fixture
def app(tmp_path: Path, database: str | None, empty: Path) -> Iterator[Flask]:
    if database is None:
        shutil.copytree(empty, tmp_path / "data", dirs_exist_ok=True)
    application = create_app(tmp_path / "data", database=database, reads=True)
    yield application
    services(application).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    return Phone(client, start(client))


class _Compiled(BytecodeCache):
    """Compiled templates, in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


def compile_pages_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_environment", partial(Environment, bytecode_cache=_Compiled()))
        yield


templates_are_compiled_once = pytest.fixture(scope="session", autouse=True)(compile_pages_once)


def compile_statements_once() -> Iterator[None]:
    """Each store has an engine of its own, with a dialect and compiled statements of its own, all of them alike."""
    kept: LRUCache[Any, Any] = LRUCache(2000)

    def make_engine(address: str, **options: Any) -> Engine:
        engine = create_engine(address, **options)
        engine._compiled_cache = kept
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLiteDialect_pysqlite, "__eq__", lambda self, other: type(self) is type(other))
        patch.setattr(SQLiteDialect_pysqlite, "__hash__", lambda self: hash(type(self)))
        for module in (sqlite_file, store_files):
            patch.setattr(module, "create_engine", make_engine)
        yield


statements_are_compiled_once = pytest.fixture(scope="session", autouse=True)(compile_statements_once)


@pytest.fixture(scope="session", autouse=True)
def solved_games_are_loaded_once() -> Iterator[None]:
    """Those that Rollcall brings, and those that are solved in a moment; a data folder's own are read each time."""
    with pytest.MonkeyPatch.context() as patch:
        kept = solution_cache.load_kept
        for name in ("load_kept", "find"):
            patch.setattr(solution_cache, name, _once(getattr(solution_cache, name), kept))
        yield


@pytest.fixture(scope="session", autouse=True)
def the_reader_is_loaded_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        load, loaded = web.app.Seeing.load, cache(web.app.Seeing().load)
        patch.setattr(web.app.Seeing, "load", lambda seeing: load(seeing) if seeing.reader else loaded())
        yield


class _SharedProcess:
    """What an application has of the process that checks the games of all: it goes on after the application's end."""

    def __init__(self, process: CheckingProcess, turn: threading.Lock) -> None:
        self._process, self._turn, self._closed = process, turn, False

    def answer(self, request: Request, gone: Callable[[], bool]) -> Answer:
        if self._closed:
            raise Problem("busy", 503, BUSY_AGAIN_S)
        with self._turn:
            return self._process.answer(request, gone)

    def close(self) -> None:
        self._closed = True


@pytest.fixture(scope="session", autouse=True)
def one_process_checks_games() -> Iterator[None]:
    """It is started when it is first needed: to start one for each application takes longer than its checks."""
    process, turn = CheckingProcess(ThreadTask), threading.Lock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(apps, "CheckingProcess", lambda later: _SharedProcess(process, turn))
        yield
    process.close()


_Look = Callable[..., Solution | None]


def _once(look: _Look, kept: _Look) -> _Look:
    @cache  # all of them together take 80 MB
    def shipped_solution(key: str, settings: str, players: int) -> Solution | None:
        return look(scorer.game(key, **json.loads(settings)), [solution_cache.SHIPPED], players)

    def find_or_load(game: Game[Any], folders: Sequence[Path], players: int = 1) -> Solution | None:
        solution = None
        if solution_cache.SHIPPED in folders and game.own_file is None:
            # What a folder has is better than what `find` solves in a moment: chances to win, not points.
            solution = kept(game, [each for each in folders if each != solution_cache.SHIPPED], players)
            solution = solution or shipped_solution(
                game.key, json.dumps(game.settings, sort_keys=True), min(players, 2)
            )
        return solution or look(game, folders, players)

    return find_or_load
