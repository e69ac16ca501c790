"""When threads begin: none is started by what is only made, but the store's own."""

import threading
from pathlib import Path

import pytest

from tests.web.phones import Phone, start
from web.app import create_app
from web.services import services


def test_an_application_that_was_not_started_plays_without_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    begin = threading.Thread.start

    def noting(thread: threading.Thread) -> None:
        started.append(thread.name)
        begin(thread)

    monkeypatch.setattr(threading.Thread, "start", noting)
    app = create_app(tmp_path, starts=False)
    phone = Phone(app.test_client(), start(app.test_client()))
    assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
    assert started == ["store"]  # it looks after its file
    services(app).start()
    assert {"photos-under-review", "deletions", "webhooks"} <= set(started)
    services(app).close()


def test_an_application_that_was_not_started_ends_too(tmp_path: Path) -> None:
    services(create_app(tmp_path, starts=False)).close()
