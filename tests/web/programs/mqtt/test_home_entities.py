"""What Home Assistant is told has the form that it takes.

The keys are those of Home Assistant 2026.11, `homeassistant/components/mqtt`: schemas.py (DEVICE_DISCOVERY_SCHEMA,
MQTT_ENTITY_COMMON_SCHEMA, _MQTT_AVAILABILITY_SCHEMA, _MQTT_DEVICE_INFO_SCHEMA_BASE, MQTT_ORIGIN_INFO_SCHEMA), config.py
(MQTT_BASE_SCHEMA, MQTT_RO_SCHEMA), sensor.py, button.py and event.py (PLATFORM_SCHEMA_MODERN). Home Assistant takes
abbreviations for most of them (abbreviations.py); none is used here. The messages were also tried with the schemas of
2025.3.4 and in a running one, which lacks `default_entity_id` and passes it over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import msgspec
import pytest

import scorer
from tests.web.api.test_events import begun
from web.programs.mqtt.home_entities import LATEST, STATUSES, Topics, discovery_message, home_table, no_table
from web.table.commands import Act, Asker, Given
from web.table.deciding import decide
from web.table.happenings import Kind
from web.table.state import State, evolve
from web.texts.languages import LANGUAGES, translations

EXAMPLE = Path(__file__).resolve().parents[4] / "docs" / "examples" / "home-assistant-mqtt.yaml"
AVAILABILITY = {"availability", "availability_mode"}  # with `availability` no `availability_topic`
ROOT = AVAILABILITY | {"device", "components", "origin", "state_topic", "command_topic", "qos", "encoding"}
DEVICE = {
    *("identifiers", "connections", "manufacturer", "model", "model_id", "name", "hw_version", "serial_number"),
    *("sw_version", "via_device", "suggested_area", "configuration_url"),
}
ORIGIN = {"name", "sw_version", "support_url"}
COMMON = AVAILABILITY | {
    *("platform", "name", "unique_id", "default_entity_id", "icon", "entity_category", "enabled_by_default", "qos"),
    *("entity_picture", "json_attributes_topic", "json_attributes_template", "encoding", "visible_by_default"),
}
READS = {"state_topic", "value_template"}
ALLOWED = {
    "sensor": COMMON
    | READS
    | {
        *("device_class", "expire_after", "force_update", "last_reset_value_template", "options", "state_class"),
        *("suggested_display_precision", "unit_of_measurement"),
    },
    "event": COMMON | READS | {"device_class", "event_types"},
    "button": COMMON | {"command_topic", "command_template", "device_class", "payload_press", "retain"},
}
REQUIRED = {"sensor": {"state_topic"}, "event": {"state_topic", "event_types"}, "button": {"command_topic"}}
# Attributes that Home Assistant takes from nobody: entity.py, MQTT_ATTRIBUTES_BLOCKED.
BLOCKED = {"state", "available", "device_class", "icon", "entity_picture", "friendly_name", "supported_features"}
TOPICS = Topics("0123456789ab")
PLAYERS = ("Žofie", "Łukasz", "None")


def played(state: State, *actions: dict[str, Any]) -> State:
    for action in actions:
        command = Act(version=state.version, request=f"request-{state.version}", action=action)
        state = evolve(
            state, decide(state, command, Asker("phone", "Ada's phone"), Given("2026-01-01T00:00:00Z")).events
        )
    return state


def messages(language: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Of each game: the device of its table, and that of the latest one, each with what is told of the table."""
    for info in scorer.all_games():
        told = home_table(begun(info.key), language)
        document = json.loads(msgspec.json.encode(told))
        for table, page in ((told.table, "http://192.168.1.20:8000/"), (LATEST, None)):
            message = discovery_message(TOPICS, table, told, language, page, ["score_7"])
            yield table, json.loads(json.dumps(message)), document
    nobody = no_table(language)
    found = discovery_message(TOPICS, LATEST, nobody, language, None)
    yield LATEST, json.loads(json.dumps(found)), json.loads(msgspec.json.encode(nobody))


@pytest.mark.parametrize("language", LANGUAGES)
def test_home_assistant_takes_every_message(language: str) -> None:
    for table, message, _ in messages(language):
        assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", TOPICS.config(table))
        assert message.keys() <= ROOT
        assert {"device", "components", "origin"} <= message.keys()
        assert message["device"].keys() <= DEVICE
        assert message["device"]["identifiers"]
        assert re.fullmatch(r"https?://[^ ]+", message["device"].get("configuration_url", "http://x"))
        assert message["origin"].keys() <= ORIGIN
        assert message["origin"]["name"]
        check_availability(message)
        kept = [each for each in message["components"].values() if each.keys() != {"platform"}]
        assert len({each["unique_id"] for each in kept}) == len(kept)
        for component in kept:
            check_component(component)


def check_component(component: dict[str, Any]) -> None:
    allowed, required = ALLOWED[component["platform"]], REQUIRED[component["platform"]]
    assert component.keys() <= allowed
    assert required | {"name", "unique_id"} <= component.keys()
    assert component["name"].strip()
    assert re.fullmatch(r"mdi:[a-z0-9-]+", component.get("icon", "mdi:check"))
    for name in ("state_topic", "command_topic", "json_attributes_topic"):
        assert re.fullmatch(r"rollcall/[a-z0-9/]+", component.get(name, "rollcall/x"))
    if "options" in component:  # sensor.py, validate_sensor_state_and_device_class_config
        assert component["options"]
        assert (component["device_class"], "state_class" in component) == ("enum", False)
    if "default_entity_id" in component:
        assert re.fullmatch(rf"{component['platform']}\.[a-z0-9_]+", component["default_entity_id"])
    if component["platform"] == "event":
        assert component["event_types"] == list(Kind.__args__)
    check_availability(component)


def check_availability(message: dict[str, Any]) -> None:
    assert message.get("availability_mode", "latest") in ("all", "any", "latest")
    for each in message.get("availability", []):
        assert each.keys() <= {"topic", "payload_available", "payload_not_available", "value_template"}
        assert each["topic"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_finds_what_it_asks_for(language: str) -> None:
    said = {translations(language).gettext(text) for text in STATUSES.values()}
    for _, message, told in messages(language):
        assert not told.keys() & BLOCKED
        for component in message["components"].values():
            if "value_template" not in component:
                continue
            value = rendered(component["value_template"], value_json=told)
            assert len(value) <= 255
            if "options" in component:
                assert value in said
                assert value in component["options"]
            if "state_class" in component:
                assert re.fullmatch(r"-?\d+|None", value)


def test_the_button_is_there_while_a_throw_waits_and_names_its_photo() -> None:
    told = home_table(begun("zilch"), "en")
    button = discovery_message(TOPICS, told.table, told, "en", None)["components"]["confirm"]
    server, waiting = button["availability"]
    assert server == {"topic": TOPICS.status}
    for photo, there, sent in ((None, "offline", ""), ("photo-1", "online", "photo-1")):
        document = {"photo": photo, "dice": [1, 2]}
        assert rendered(waiting["value_template"], value_json=document) == there
        attributes = json.loads(rendered(button["json_attributes_template"], value_json=document))
        assert rendered(button["command_template"], this={"attributes": attributes}) == sent


def rendered(template: str, **values: Any) -> str:
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    environment.filters["tojson"] = json.dumps
    return environment.from_string(template).render(**values)


def test_a_device_is_the_same_after_every_start_and_loses_players_who_are_gone() -> None:
    state = played(begun("zilch"), {"do": "adjust", "what": "player-added", "name": "Cyril"})
    three = home_table(state, "en")
    before = discovery_message(TOPICS, three.table, three, "en", None)
    assert before == discovery_message(TOPICS, three.table, three, "en", None, before["components"])
    two = home_table(begun("zilch"), "en")
    after = discovery_message(TOPICS, two.table, two, "en", None, before["components"])
    assert after["components"]["score_2"] == {"platform": "sensor"}
    assert before["components"]["score_2"]["name"] == "Cyril"


def test_states_fit_into_home_assistant_however_long_names_are() -> None:
    state = begun("zilch")
    for number in range(9):
        name = f"{number}{'W' * 38}"
        state = played(state, {"do": "adjust", "what": "player-added", "name": name})
    told = home_table(state, "en")
    assert len(told.scores) == 255
    assert told.scores.endswith("…")
    assert len(discovery_message(TOPICS, told.table, told, "en", None)["device"]["name"]) <= 100


def test_the_table_of_a_topic_is_found_and_no_other_device() -> None:
    assert TOPICS.table_of(TOPICS.config("a1")) == "a1"
    assert TOPICS.table_of(TOPICS.config(LATEST)) == LATEST
    for other in ("homeassistant/device/lamp/config", "homeassistant/device/rollcall_ffffffffffff_a1/config"):
        assert TOPICS.table_of(other) is None


def test_the_example_names_what_is_there() -> None:
    yaml = pytest.importorskip("yaml")
    text = EXAMPLE.read_text(encoding="utf-8")
    told = home_table(begun("zilch"), "en")
    components = discovery_message(TOPICS, LATEST, told, "en", None)["components"].values()
    there = {each["default_entity_id"] for each in components}
    named = set(re.findall(r"\b\w+\.rollcall_\w+", text))
    assert named
    assert named <= there
    bust, waits, button = yaml.safe_load(text)["automation"]
    assert (bust["triggers"][0]["attribute"], bust["triggers"][0]["to"]) == ("event_type", "bust")
    assert bust["triggers"][0]["to"] in Kind.__args__
    assert (waits["triggers"][0]["attribute"], waits["triggers"][0]["to"] in STATUSES) == ("status", True)
    assert button["actions"][0]["action"] == "button.press"
    state = msgspec.to_builtins(told) | {"dice": [1, 5], "player": "Ada"}
    message = jinja2.Environment().from_string(waits["actions"][0]["data"]["message"])
    values = {"sensor.rollcall_player": "Ada"}
    assert message.render(states=values.get, state_attr=lambda _, name: state[name]) == "Ada: 1 5"
