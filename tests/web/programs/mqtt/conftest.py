from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.programs.mqtt.mosquitto import HomeListener, Mosquitto, missing
from web.hosts.threads import ThreadTask
from web.services import services


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    if reason := missing():
        pytest.skip(reason)
    with Mosquitto(tmp_path) as made:
        yield made


@pytest.fixture
def home(broker: Mosquitto) -> Iterator[HomeListener]:
    with HomeListener(broker.port) as made:
        yield made


@pytest.fixture
def publish(broker: Mosquitto, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Has an application tell the broker of its tables: it looks often, and waits little for a broker that hangs."""
    from web.programs.mqtt.broker_address import parse_broker
    from web.programs.mqtt.mqtt_publisher import MqttPublisher

    monkeypatch.setattr("web.programs.mqtt.mqtt_publisher.POLL_S", 0.1)
    monkeypatch.setattr("web.programs.mqtt.broker_connection.ENDS_WITHIN_S", 0.5)
    with ExitStack() as until:

        def start(app: Flask, address: str = broker.address, language: str = "en", page: str | None = None) -> Any:
            parts = services(app)
            made = MqttPublisher(parts.store, parts.runner, parse_broker(address), language, ThreadTask, page)
            until.callback(made.close)
            return made

        yield start
