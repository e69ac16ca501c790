"""The tables in memory: each is loaded once, whoever asks, and one that cannot be loaded stands in nobody's way."""

import threading
import time
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, start
from web.common.problems import Problem
from web.services import services

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # what is in memory knows no store


def test_a_table_is_loaded_once_for_all_who_ask_and_others_need_not_wait(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = (Phone(client, start(client)).base.rsplit("/", 1)[1] for _ in range(2))
    sessions = services(app).sessions
    sessions._cache.clear()
    opened, goes_on, load = [], threading.Event(), sessions.store.open

    def open_slowly(row: Any) -> Any:
        opened.append(row.key)
        if row.key == slow:
            goes_on.wait(30)
        return load(row)

    monkeypatch.setattr(sessions.store, "open", open_slowly)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(sessions._load(slow))) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert sessions.look(quick).version == 0, "another table is loaded meanwhile"
    time.sleep(0.1)
    assert sorted(opened) == sorted([slow, quick])
    goes_on.set()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1
    assert sorted(opened) == sorted([slow, quick])


def test_a_table_that_cannot_be_loaded_is_tried_again(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = Phone(client, start(client)).base.rsplit("/", 1)[1]
    sessions = services(app).sessions
    sessions._cache.clear()

    def fail(row: Any) -> Any:
        raise Problem("store-busy", 503)

    with monkeypatch.context() as patch:
        patch.setattr(sessions.store, "open", fail)
        with pytest.raises(Problem):
            sessions.look(key)
        assert sessions._cache.all() == []
    assert sessions.look(key).row.key == key
