"""Fixtures that read like sentences: an application with an empty data folder, a phone at a table.

Hundreds of tests make an application of their own. What is the same in all of them is made once in a test run.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from flask import Flask
from flask.templating import Environment
from flask.testing import FlaskClient
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule

import scorer
import web.app
from scorer.advice import shelf
from scorer.advice.solution import Solution
from scorer.game import Game
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


class _Compiled(BytecodeCache):
    """Compiled templates, in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


class _Route(Rule):
    """A route whose address builder, a function that werkzeug compiles, is shared with equal routes."""

    _builders: ClassVar[dict[tuple[object, ...], Callable[..., tuple[str, str]]]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        wanted = (self.rule, self.subdomain, repr(self.defaults), append_unknown)
        if wanted not in self._builders:
            self._builders[wanted] = super()._compile_builder(append_unknown)
        return self._builders[wanted]


@pytest.fixture(scope="session", autouse=True)
def routes_and_templates_are_compiled_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "url_rule_class", _Route)
        patch.setattr(Flask, "jinja_environment", partial(Environment, bytecode_cache=_Compiled()))
        yield


@pytest.fixture(scope="session", autouse=True)
def solved_games_are_loaded_once() -> Iterator[None]:
    """Those that Rollcall brings, and those that are solved in a moment; a data folder's own are read each time."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("kept", "find"):
            patch.setattr(shelf, name, _once(getattr(shelf, name)))
        yield


@pytest.fixture(scope="session", autouse=True)
def the_reader_is_loaded_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(web.app, "_default_reader", cache(web.app._default_reader))
        yield


_Look = Callable[..., Solution | None]


def _once(look: _Look) -> _Look:
    @lru_cache(maxsize=6)  # up to 40 MB each
    def brought(key: str, settings: str, players: int) -> Solution | None:
        return look(scorer.game(key, **json.loads(settings)), [shelf.BROUGHT], players)

    def found(game: Game[Any], folders: Sequence[Path], players: int = 1) -> Solution | None:
        solution = None
        if shelf.BROUGHT in folders:
            solution = brought(game.key, json.dumps(game.settings, sort_keys=True), min(players, 2))
        return solution or look(game, folders, players)

    return found
