"""A home sees the tables by MQTT, and confirms sure throws; a broker that is away costs nobody anything."""

from __future__ import annotations

import gc
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web import under_review
from tests.web.apps import create_app
from tests.web.phones import Phone, end, start
from tests.web.programs.mqtt.mosquitto import HomeListener, Mosquitto, missing
from tests.web.served import Served
from tests.web.waiting import wait_until
from web.hosts.laptop.certificates import own_certificate
from web.pages.host_names import AUTHORITY
from web.services import services
from web.table.access_list import table_id

pytestmark = [pytest.mark.whole, pytest.mark.skipif(missing() is not None, reason=str(missing()))]
MOST_STEPS = 400


def read_photo(*dice: int, sure: bool = True, **more: Any) -> dict[str, Any]:
    """A photo under review in which these dice were read."""
    found = [
        {"value": value, "confidence": 1.0, "sure": sure, "box": [i * 10.0, 0.0, i * 10.0 + 9, 9.0], "alternatives": []}
        for i, value in enumerate(dice)
    ]
    about = {"id": "photo-1", "status": "read", "device": "Ada's phone", "expects": len(dice), "version": 0}
    return {**about, "dice": found, "sure": sure, "width": 100, "height": 100, **more}


@pytest.fixture
def told(app: Flask, client: FlaskClient, publish: Callable[..., Any], home: HomeListener) -> tuple[Phone, str]:
    """A phone at a table that the home sees, and the table's id."""
    phone = Phone(client, start(client))
    publish(app)
    table = table_id(phone.key)
    home.wait_for(lambda: table in home.states() and "latest" in home.states())
    return phone, table


def test_a_table_is_seen_and_then_every_step(told: tuple[Phone, str], home: HomeListener) -> None:
    phone, table = told
    first = home.states()[table]
    assert (first["status"], first["player"], first["points"], first["throw"]) == ("playing", "Ada", 0, "")
    assert home.status() == ["online"]
    phone.throw(1, 1, 1, 2, 3, 4)
    phone.act(do="set-aside", dice=[1, 1, 1])
    home.wait_for(lambda: home.states()[table]["points"] == 1000)
    phone.throw(2, 3, 4)
    home.wait_for(lambda: len(home.events("latest")) >= 5 and home.states()["latest"]["throw"] == "2 3 4")
    now = home.states()[table]
    assert (now["player"], now["throw"], now["scores"]) == ("Bob", "2 3 4", "Ada 0, Bob 0")
    assert [each["event_type"] for each in home.events(table)] == [
        *("throw-confirmed", "set-aside", "throw-confirmed", "bust", "turn-begins")
    ]
    assert home.states()["latest"] == now
    assert home.events("latest") == home.events(table)


def test_no_message_has_the_right_to_a_table(told: tuple[Phone, str], home: HomeListener) -> None:
    phone, table = told
    phone.throw(1, 1, 1, 2, 3, 4)
    home.wait_for(lambda: home.events(table))
    said = repr((home.kept, home.passed))
    assert phone.key not in said
    assert phone.state["code"] not in said


def test_the_button_confirms_the_throw_that_its_presser_saw(
    app: Flask, told: tuple[Phone, str], home: HomeListener
) -> None:
    phone, table = told
    key = phone.key
    home.press(table, "photo-1")  # there is nothing to confirm
    home.press("latest", "")
    under_review.put(app, key, read_photo(1, 1, 1, 2, 3, 4))
    home.wait_for(lambda: home.states()[table]["photo"] == "photo-1")
    assert home.states()[table]["status"] == "confirm"
    home.press(table, "another-photo")
    home.press("latest", "PRESS")
    home.press("latest", "photo-1")
    home.press(table, "photo-1")
    home.wait_for(lambda: home.states()[table]["version"])
    now = home.states()[table]
    assert (now["version"], now["throw"], now["status"], now["photo"]) == (1, "1 1 1 2 3 4", "playing", None)
    (line,) = services(app).runner.look(key).entries
    assert (line.device, line.body["do"]["dice"]) == ("MQTT", [1, 1, 1, 2, 3, 4])


@pytest.mark.parametrize(
    ("photo", "state"),
    [
        (read_photo(1, 1, 1, 2, 3, 4, sure=False), "look"),
        (read_photo(1, 1, 1, 2, 3, expects=6), "look"),
        (read_photo(problem={"reason": "no-dice", "params": {}}), "look"),
        ({"id": "photo-1", "status": "failed", "device": "", "problem": {"reason": "x", "params": {}}}, "look"),
        ({"id": "photo-1", "status": "waiting", "device": "", "expects": 6, "version": 0}, "reading"),
    ],
    ids=["unsure", "too-few", "nothing-read", "failed", "waiting"],
)
def test_the_button_confirms_nothing_that_a_person_must_look_at(
    app: Flask, told: tuple[Phone, str], home: HomeListener, photo: dict[str, Any], state: str
) -> None:
    phone, table = told
    under_review.put(app, phone.key, photo)
    home.wait_for(lambda: home.states()[table]["status"] == state)
    assert home.states()[table]["photo"] is None
    home.press(table, "photo-1")
    phone.throw(1, 1, 1, 2, 3, 4)  # a change after the press
    home.wait_for(lambda: home.states()[table]["version"] == 1)
    assert phone.look()["version"] == 1


def test_a_closed_table_takes_no_confirmation(app: Flask, told: tuple[Phone, str], home: HomeListener) -> None:
    phone, table = told
    under_review.put(app, phone.key, read_photo(1, 1, 1, 2, 3, 4))
    home.wait_for(lambda: home.states()[table]["photo"])
    assert phone.client.post(f"/api/v1{phone.base}/closed", json={"closed": True}).status_code == 200
    home.wait_for(lambda: home.states()[table]["status"] == "closed")
    home.press(table, "photo-1")
    assert phone.client.post(f"/api/v1{phone.base}/closed", json={"closed": False}).status_code == 200
    home.wait_for(lambda: home.states()[table]["status"] == "playing")
    assert phone.look()["version"] == 0


def test_a_deleted_table_goes_and_comes_back(
    app: Flask, client: FlaskClient, told: tuple[Phone, str], home: HomeListener
) -> None:
    phone, table = told
    assert phone.client.post(f"/api/v1{phone.base}/deleted", json={"deleted": True}).status_code == 200
    home.wait_for(lambda: table not in home.states() and table not in home.devices())
    home.wait_for(lambda: home.states()["latest"]["status"] == "none")
    assert phone.client.post(f"/api/v1{phone.base}/deleted", json={"deleted": False}).status_code == 200
    home.wait_for(lambda: table in home.states() and table in home.devices())
    home.wait_for(lambda: home.states()["latest"]["table"] == table)


def test_a_game_that_ended_a_day_ago_goes(
    app: Flask, client: FlaskClient, publish: Callable[..., Any], home: HomeListener, monkeypatch: pytest.MonkeyPatch
) -> None:
    import web.programs.mqtt.mqtt_publisher

    bases = start(client), start(client)
    over, running = (table_id(base.rsplit("/", 1)[1]) for base in bases)
    end(client, bases[0])
    publish(app)
    home.wait_for(lambda: {over, running} <= home.devices().keys())
    assert home.states()[over]["status"] == "over"
    really = web.programs.mqtt.mqtt_publisher.time.time

    class Later:
        monotonic = staticmethod(web.programs.mqtt.mqtt_publisher.time.monotonic)

        @staticmethod
        def time() -> float:
            return really() + 25 * 3600

    monkeypatch.setattr(web.programs.mqtt.mqtt_publisher, "time", Later)
    home.wait_for(lambda: over not in home.devices() and over not in home.states())
    assert running in home.devices()


def test_what_an_earlier_start_told_of_tables_that_are_gone_is_taken_away(
    app: Flask, client: FlaskClient, publish: Callable[..., Any], home: HomeListener
) -> None:
    table = table_id(start(client).rsplit("/", 1)[1])
    first = publish(app)
    home.wait_for(lambda: table in home.devices() and "latest" in home.states())
    before = dict(home.kept)
    first.close()
    home.wait_for(lambda: home.status() == ["offline"])
    for topic in (first.topics.config("0123456789abcdef"), first.topics.state("0123456789abcdef")):
        home.client.publish(topic, '{"components": {}}', qos=1, retain=True).wait_for_publish(30)
    gone: list[str] = []
    home.client.message_callback_add(
        "homeassistant/device/+/config",
        lambda client, userdata, message: (
            gone.append(message.topic) if not message.payload else None,
            home._note(message),
        ),
    )
    publish(app)
    home.wait_for(lambda: home.status() == ["online"] and gone)
    assert gone == [first.topics.config("0123456789abcdef")]  # and never those of tables that are there
    home.wait_for(lambda: home.kept.keys() == before.keys())


def test_a_broker_that_comes_later_and_goes_is_told_anew(
    app: Flask, client: FlaskClient, publish: Callable[..., Any], broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    import web.programs.mqtt.broker_connection

    monkeypatch.setattr(web.programs.mqtt.broker_connection, "LONGEST_PAUSE_S", 1)
    broker.stop()
    phone = Phone(client, start(client))
    table = table_id(phone.key)
    made = publish(app)
    phone.throw(1, 1, 1, 2, 3, 4)  # nobody waits for the broker
    broker.start()
    with HomeListener(broker.port) as home:
        home.wait_for(lambda: table in home.states())
        assert home.states()[table]["throw"] == "1 1 1 2 3 4"
        assert home.passed == []  # nobody wants to hear what happened before
        broker.stop()
        phone.act(do="set-aside", dice=[1, 1, 1])
        home.kept.clear()
        broker.start()
        home.wait_for(lambda: home.states().get(table, {}).get("points") == 1000)
        phone.throw(2, 3, 4)
        home.wait_for(lambda: [each["event_type"] for each in home.events(table)][-2:] == ["bust", "turn-begins"])
    assert len(made._changed) <= 1


def test_a_broker_that_hangs_is_told_the_newest_and_nothing_piles_up(
    app: Flask,
    client: FlaskClient,
    publish: Callable[..., Any],
    broker: Mosquitto,
    home: HomeListener,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import web.programs.mqtt.broker_connection

    monkeypatch.setattr(web.programs.mqtt.broker_connection, "MOST_QUEUED", 30)
    phone = Phone(client, start(client))
    table = table_id(phone.key)
    made = publish(app)
    home.wait_for(lambda: table in home.states() and "latest" in home.states())
    broker.hang()
    for _ in range(10):
        for dice in ((1, 1, 1, 2, 3, 4), None, (2, 3, 4)):
            action = {"do": "set-aside", "dice": [1, 1, 1]} if dice is None else {"do": "throw", "dice": list(dice)}
            assert phone.act(**action).status_code == 200
    wait_until(lambda: len(made._connection.client._out_messages) >= 20)
    assert len(made._connection.client._out_messages) <= 30
    broker.go_on()
    home.wait_for(lambda: home.states()[table]["version"] == 30)
    numbers = [each["number"] for each in home.events(table)]
    assert numbers == sorted(numbers)
    broker.hang()
    made.close()  # it does not wait for long
    broker.go_on()
    home.wait_for(lambda: home.status() == ["offline"])


def test_what_takes_connections_and_never_answers_holds_nobody_up(
    app: Flask, client: FlaskClient, publish: Callable[..., Any]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        made = publish(app, f"mqtt://127.0.0.1:{silent.getsockname()[1]}")
        phone = Phone(client, start(client))
        assert phone.throw(1, 1, 1, 2, 3, 4).status_code == 200
        wait_until(lambda: not made._changed)  # nothing is kept for it
        made.close()
    assert "mqtt" not in {thread.name for thread in threading.enumerate()}


def test_a_broker_that_dies_keeps_the_will(tmp_path: Path, broker: Mosquitto, home: HomeListener) -> None:
    server = Served(tmp_path / "data", arguments=["--mqtt", broker.address])
    with server:
        home.wait_for(lambda: home.status() == ["online"])
        server.kill()
        home.wait_for(lambda: home.status() == ["offline"])
        server.start()
        home.wait_for(lambda: home.status() == ["online"])
    home.wait_for(lambda: home.status() == ["offline"])


# The client leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_broker_over_tls_is_told_if_its_certificate_is_trusted(
    app: Flask,
    client: FlaskClient,
    tmp_path: Path,
    publish: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    start(client)
    folder = tmp_path / "tls"
    folder.mkdir()
    cert, key = own_certificate(folder, ["127.0.0.1"])
    trusted = folder / "trusted.pem"
    trusted.write_text(ssl.DER_cert_to_PEM_cert((folder / AUTHORITY).read_bytes()))
    with Mosquitto(folder, ["allow_anonymous true", f"certfile {cert}", f"keyfile {key}"]) as secure:
        address = f"mqtts://127.0.0.1:{secure.port}"
        with caplog.at_level("WARNING"):
            publish(app, address).close()
            wait_until(lambda: "cannot be reached" in caplog.text)
            gc.collect()
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        made = publish(app, address)
        wait_until(lambda: made.topics.state("latest") in made._sent)


def test_one_of_two_servers_tells_what_is_done_at_both(
    shared: str, tmp_path: Path, publish: Callable[..., Any], home: HomeListener
) -> None:
    apps = [create_app(tmp_path / name, database=shared) for name in ("first", "second")]
    try:
        phone = Phone(apps[0].test_client(), start(apps[0].test_client()))
        table = table_id(phone.key)
        publish(apps[1])
        home.wait_for(lambda: table in home.states())
        phone.throw(1, 1, 1, 2, 3, 4)  # at the first server
        home.wait_for(lambda: home.states()[table]["throw"] == "1 1 1 2 3 4")
        phone = Phone(apps[1].test_client(), phone.base)
        phone.look()
        phone.act(do="set-aside", dice=[1, 1, 1])
        home.wait_for(lambda: home.states()[table]["points"] == 1000)
        home.wait_for(lambda: [each["event_type"] for each in home.events(table)] == ["throw-confirmed", "set-aside"])
    finally:
        for each in apps:
            services(each).close()


def test_a_password_is_wanted_and_given(
    app: Flask, client: FlaskClient, tmp_path: Path, publish: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    maker = shutil.which("mosquitto_passwd")
    assert maker is not None  # it comes with the broker
    passwords, folder = tmp_path / "passwords", tmp_path / "second"
    folder.mkdir()
    subprocess.run([maker, "-b", "-c", str(passwords), "dice", "p:@/w"], check=True, capture_output=True)
    start(client)
    with Mosquitto(folder, ["allow_anonymous false", f"password_file {passwords}"]) as guarded:
        with caplog.at_level("WARNING"):
            publish(app, f"mqtt://dice:wrong@127.0.0.1:{guarded.port}")
            wait_until(lambda: "the MQTT broker refuses" in caplog.text)
            assert "wrong" not in caplog.text
        publish(app, f"mqtt://dice:p%3A%40%2Fw@127.0.0.1:{guarded.port}")
        with HomeListener(guarded.port, "dice", "p:@/w") as home:
            home.wait_for(lambda: "latest" in home.states())
