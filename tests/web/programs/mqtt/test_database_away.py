"""The database is away while a home is to be told: what phones were told is done is told later, once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.apps import create_app
from tests.web.phones import Phone
from tests.web.postgres import Postgres, missing, postgres
from tests.web.programs.mqtt.mosquitto import HomeListener
from tests.web.programs.webhooks.test_webhooks import host
from tests.web.waiting import wait_until
from web.services import services
from web.table.access_list import table_id

pytestmark = [pytest.mark.whole, pytest.mark.skipif(missing() is not None, reason=str(missing()))]


@pytest.fixture
def lost() -> Iterator[Postgres]:
    """A database that may be away."""
    with postgres() as server:
        yield server


@pytest.fixture
def app(lost: Postgres, tmp_path: Path) -> Iterator[Flask]:
    made = create_app(tmp_path / "data", database=lost.new())
    yield made
    services(made).close()


def said(caplog: pytest.LogCaptureFixture, name: str) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == name and each.levelno >= logging.WARNING]


def goes_on(lost: Postgres, phone: Phone) -> None:
    """The database is back, and the phone's next step is done."""
    lost.start()
    wait_until(lambda: phone.look() and phone.act(do="set-aside", dice=[1, 1, 1]).status_code == 200)


def test_a_home_is_told_later(
    app: Flask, lost: Postgres, publish: Callable[..., Any], home: HomeListener, caplog: pytest.LogCaptureFixture
) -> None:
    phone = host(app)
    table = table_id(phone.key)
    publish(app)
    home.wait_for(lambda: table in home.states())
    assert phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4]).status_code == 200
    home.wait_for(lambda: home.states()[table]["throw"] == "1 1 1 2 3 4")
    lost.kill()
    wait_until(lambda: said(caplog, "web.programs.mqtt.mqtt_publisher"))
    time.sleep(1)  # ten further looks
    goes_on(lost, phone)
    home.wait_for(lambda: home.states()[table]["points"] == 1000)
    home.wait_for(lambda: [each["event_type"] for each in home.events(table)] == ["throw-confirmed", "set-aside"])
    (sentence,) = said(caplog, "web.programs.mqtt.mqtt_publisher")
    assert sentence.startswith("the MQTT broker is told later of the tables: ")
