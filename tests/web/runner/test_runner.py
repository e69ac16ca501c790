"""The tables in memory: each is loaded once, whoever asks, and one that cannot be loaded stands in nobody's way."""

import threading
import time
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, start
from tests.web.waiting import wait_until
from web.hosts.laptop.serving import asgi_application
from web.problems.problem import Problem
from web.services import services

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # what is in memory knows no store


def test_a_table_is_loaded_once_for_all_who_ask_and_others_need_not_wait(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = (Phone(client, start(client)).base.rsplit("/", 1)[1] for _ in range(2))
    runner = services(app).runner
    runner._cache.clear()
    opened, goes_on, load = [], threading.Event(), runner.store.open

    def open_slowly(row: Any, pace: Any) -> Any:
        opened.append(row.key)
        if row.key == slow:
            goes_on.wait(30)
        return load(row, pace)

    monkeypatch.setattr(runner.store, "open", open_slowly)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(runner._load(slow))) for _ in range(8)]
    for thread in threads:
        thread.start()
    wait_until(lambda: opened == [slow])
    assert runner.look(quick).version == 0, "another table is loaded meanwhile"
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
    runner = services(app).runner
    runner._cache.clear()

    def fail(row: Any, pace: Any) -> Any:
        raise Problem("store-busy", 503)

    with monkeypatch.context() as patch:
        patch.setattr(runner.store, "open", fail)
        with pytest.raises(Problem):
            runner.look(key)
        assert runner._cache.all() == []
    assert runner.look(key).row.key == key


def test_a_log_that_takes_too_long_is_told_and_not_tried_again(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    long, other = (Phone(client, start(client)) for _ in range(2))
    for phone in (long, other):
        phone.act(do="throw", dice=[1, 1, 2, 3, 4, 6])
    runner = services(app).runner
    runner._cache.clear()
    opened, load = [], runner.store.open
    monkeypatch.setattr(runner.store, "open", lambda row, pace: opened.append(row.key) or load(row, pace))
    with monkeypatch.context() as patch:
        patch.setattr("web.runner.runner.READ_WITHIN_S", 0.0)
        answer = client.get(f"/api/v1{long.base}")
    assert (answer.status_code, answer.get_json()["reason"]) == (422, "log-too-long")
    page = client.get(long.base, headers={"Accept-Language": "cs"})
    assert (page.status_code, len(opened)) == (422, 1)
    assert client.get(f"/api/v1{other.base}").status_code == 200
    assert len(opened) == 2


def test_logs_are_given_up_when_the_server_ends(app: Flask, client: FlaskClient) -> None:
    phone = Phone(client, start(client))
    phone.act(do="throw", dice=[1, 1, 2, 3, 4, 6])
    runner = services(app).runner
    runner._cache.clear()
    asgi_application(app, services(app).hub).close()
    with pytest.raises(Problem) as told:
        runner.look(phone.key)
    assert (told.value.reason, told.value.status) == ("ending", 503)
