"""What one visitor may do in a while: bounded, told in one sentence, and never in the way of a family."""

import io
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import JSON, Phone, end, start
from tests.web.postgres import both_engines
from web.limits import visitor_limits
from web.limits.visitor_limits import Limit, Limits
from web.pages import table_api, views
from web.problems.problem import Problem

STRANGER = {"REMOTE_ADDR": "203.0.113.7"}
FEW = Limit("table", 3, 5, 3600, "too-many-tables")


def count_or_refusal(counts: Limits, address: str, phone: str) -> bool:
    try:
        counts.count(FEW, address, phone)
    except Problem as problem:
        return problem.status != 429
    return True


def test_a_phone_and_an_address_have_their_share_and_others_theirs() -> None:
    counts = Limits()
    assert [count_or_refusal(counts, "203.0.113.7", "ada") for _ in range(4)] == [True, True, True, False]
    assert [count_or_refusal(counts, "203.0.113.7", "bob") for _ in range(3)] == [True, True, False]
    assert not count_or_refusal(counts, "203.0.113.7", "")
    assert count_or_refusal(counts, "203.0.113.8", "bob")
    assert not count_or_refusal(counts, "203.0.113.9", "ada"), "the phone is the same in another network"


def test_an_ipv6_host_has_one_share_whatever_addresses_it_takes() -> None:
    counts = Limits()
    assert [count_or_refusal(counts, f"2001:db8::{number}", f"phone-{number}") for number in range(6)] == [True] * 5 + [
        False
    ]


def test_this_machine_itself_is_not_counted() -> None:
    counts = Limits()
    assert all(count_or_refusal(counts, address, "ada") for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1") * 10)


def test_the_next_span_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = Limits()
    monkeypatch.setattr(visitor_limits.time, "monotonic", lambda: 7000.0)
    assert [count_or_refusal(counts, "203.0.113.7", "ada") for _ in range(4)] == [True, True, True, False]
    monkeypatch.setattr(visitor_limits.time, "monotonic", lambda: 7300.0)
    assert count_or_refusal(counts, "203.0.113.7", "ada")


def test_no_family_comes_near_its_bounds() -> None:
    """An evening of a hundred tables behind one router, each phone acting every ten seconds."""
    assert visitor_limits.TABLES.of_address >= 4 * 100
    assert visitor_limits.STEPS.of_address >= 2 * 100 * 4 * 6
    assert visitor_limits.PHOTOS.of_phone >= 10 * 10


@pytest.mark.parametrize("path", ["/tables", "/import", "again"])
def test_who_starts_tables_without_end_is_told_to_wait(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(views, "TABLES", FEW)
    base = start(client, "sequence", "Ada")
    record = client.get(f"{base}/record.json").get_data()

    def once() -> Any:
        if path == "/tables":
            return client.post(path, data={"game": "farkle", "player": "Ada"}, environ_overrides=STRANGER)
        if path == "/import":
            sent = {"record": (io.BytesIO(record), "game.json")}
            return client.post(path, data=sent, environ_overrides=STRANGER)
        fresh = start(client, "sequence", "Ada")
        end(client, fresh)
        return client.post(f"{fresh}/again", data={"begins": "0"}, environ_overrides=STRANGER)

    answers = [once() for _ in range(4)]
    assert [answer.status_code for answer in answers] == [303, 303, 303, 429]
    assert "Wait an hour" in answers[-1].get_data(as_text=True)


@both_engines
def test_steps_and_photos_are_bounded_and_a_game_loses_nothing(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_api, "STEPS", Limit("step", 2, 100, 60, "too-many-steps"))
    phone = Phone(client, start(client, "sequence", "Ada"))
    answers = []
    for number in range(3):
        body = {
            "version": number,
            "request": f"request-{number}",
            "action": {"do": "throw", "dice": [1, 2, 3, 4, 6, 6]},
        }
        answers.append(client.post(f"/api/v1{phone.base}/actions", json=body, headers=JSON, environ_overrides=STRANGER))
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1].get_json()["reason"] == "too-many-steps"
    assert phone.look()["version"] == 2
    assert phone.throw(1, 2, 3, 4, 6, 6).status_code == 200
