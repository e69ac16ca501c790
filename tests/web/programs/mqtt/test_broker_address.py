"""Addresses of brokers are read as people write them; a refusal never says the password."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rollcall
from web.hosts.laptop.serve_options import ServeError, ServeOptions, check, secrets_of
from web.programs.mqtt.broker_address import BrokerAddress, parse_broker


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("mqtt://broker", BrokerAddress("broker", 1883)),
        ("mqtt://broker/", BrokerAddress("broker", 1883)),
        ("mqtts://broker", BrokerAddress("broker", 8883, True)),
        ("mqtt://[fe80::1]:1884", BrokerAddress("fe80::1", 1884)),
        ("mqtt://dice:p%40%3A@192.168.1.5:99", BrokerAddress("192.168.1.5", 99, False, "dice", "p@:")),
        ("mqtt://dice@broker", BrokerAddress("broker", 1883, False, "dice")),
    ],
)
def test_an_address_is_read(text: str, meant: BrokerAddress) -> None:
    assert parse_broker(text) == meant


@pytest.mark.parametrize(
    "text",
    [
        *("broker", "http://u:secret@broker", "mqtt://", "mqtt://u:secret@broker:port", "mqtt://u:secret@broker/topic"),
        *("mqtt://:secret@broker", "mqtt://u:secret@broker:99999", "mqtt://u:secret@broker?x=1", ""),
    ],
)
def test_another_one_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="mqtt://") as refused:
        parse_broker(text)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_password_comes_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("p:@/w\nmore\n")
    assert parse_broker("mqtt://dice@broker", tmp_path / "password").password == "p:@/w"
    with pytest.raises(ValueError, match="user"):
        parse_broker("mqtt://broker", tmp_path / "password")
    with pytest.raises(FileNotFoundError):
        parse_broker("mqtt://dice@broker", tmp_path / "missing")


def test_what_is_wrong_with_the_options_is_one_sentence(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"mqtt_password": tmp_path / "password"}, "--mqtt-password needs --mqtt"),
        ({"mqtt": "http://broker"}, "--mqtt: a broker is mqtt://HOST"),
        ({"mqtt": "mqtt://dice@broker", "mqtt_password": tmp_path / "missing"}, "No such file"),
    ]
    for settings, sentence in wrong:
        with pytest.raises(ServeError, match=sentence):
            check(ServeOptions(data=tmp_path / "data", host="127.0.0.1", port=0, **settings))
    assert not (tmp_path / "data").exists()
    missing = rollcall.explain_missing(ImportError(name="paho"))
    assert missing.startswith("--mqtt needs paho-mqtt, of the extra `home`; install it with: ")


def test_no_line_of_the_log_has_the_password() -> None:
    assert secrets_of(None, "a token", "a password") == ["a token", "a password"]
