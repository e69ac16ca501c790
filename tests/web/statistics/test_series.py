"""A rematch: who begins, and how often each has won."""

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, end, start
from tests.web.postgres import both_engines
from web.services import services
from web.statistics.summaries import series


def setup_of(client: FlaskClient, base: str) -> dict[str, Any]:
    """What the table's script is told."""
    text = client.get(base).get_data(as_text=True)
    return json.loads(text.split('id="setup">')[1].split("</script>")[0])


def win(client: FlaskClient, base: str, winner: str) -> None:
    """Ends a game of Sequence in its first round."""
    phone = Phone(client, base)
    while not phone.standing["over"]:
        name = phone.standing["players"][phone.standing["to_act"][0]]["name"]
        phone.throw(*((1, 2, 3, 4, 5, 6) if name == winner else (2, 2, 3, 4, 5, 6)))


def again(client: FlaskClient, base: str, **form: str) -> str:
    """The address of the next table; a game that still runs is ended for it."""
    if not Phone(client, base).standing["over"]:
        end(client, base)
    return str(client.post(f"{base}/again", data=form).headers["Location"])


def names(client: FlaskClient, base: str) -> list[str]:
    return [player["name"] for player in Phone(client, base).standing["players"]]


@pytest.mark.parametrize("begins", ["3", "-1", "x", ""])
def test_nobody_else_begins(client: FlaskClient, begins: str) -> None:
    base = start(client, "sequence", "Ada", "Bob", "Eva")
    end(client, base)
    assert client.post(f"{base}/again", data={"begins": begins}).status_code == 400
    assert Phone(client, base).state["next"] is None


@both_engines
def test_a_series_counts_who_won_whoever_began(client: FlaskClient) -> None:
    base = start(client, "sequence", "Anna", "Bob", target=25)
    assert setup_of(client, base)["series"] == {"games": 0, "names": ["Anna", "Bob"], "wins": [0, 0]}
    for winner, begins in (("Anna", "1"), ("Anna", "1"), ("Bob", "0")):
        win(client, base, winner)
        base = again(client, base, begins=begins)
    assert names(client, base) == ["Anna", "Bob"]
    assert setup_of(client, base)["series"] == {"games": 3, "names": ["Anna", "Bob"], "wins": [2, 1]}
    win(client, base, "Bob")
    text = client.get(f"{base}/statistics").get_data(as_text=True)
    told = text.split('class="series"')[1].split("</p>")[0]
    assert "Series of 4 games:" in told
    assert "Anna <strong>2</strong>" in told
    assert "Bob <strong>2</strong>" in told


def test_a_game_that_was_not_finished_or_whose_end_was_undone_counts_for_nobody(client: FlaskClient) -> None:
    first = start(client, "sequence", "Anna", "Bob", target=25)
    second = again(client, first)
    Phone(client, first).post("undo")
    win(client, second, "Bob")
    third = again(client, second)
    assert setup_of(client, third)["series"] == {"games": 1, "names": ["Anna", "Bob"], "wins": [0, 1]}
    Phone(client, second).post("undo")
    assert setup_of(client, third)["series"] == {"games": 0, "names": ["Anna", "Bob"], "wins": [0, 0]}


@both_engines
def test_a_series_ends_where_other_people_played(app: Flask, client: FlaskClient) -> None:
    """Whatever a store says came before: a table that was changed by hand or by a later Rollcall."""
    first = start(client, "sequence", "Anna", "Bob", target=25)
    win(client, first, "Anna")
    fresh = again(client, first)
    store = services(app).store
    row = services(app).runner.row(fresh.rsplit("/", 1)[1])
    assert series(store, row).games == 1
    with store.write() as connection:
        connection.exec_driver_sql('UPDATE tables SET players = \'["Anna", "Eva"]\' WHERE next_key IS NOT NULL')
    assert series(store, row).games == 0
