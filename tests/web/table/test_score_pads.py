"""A score pad at a table: what phones ask of it, and what history, statistics, programs and the camera tell of it."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

import scorer
from tests.web.phones import Phone, start
from web.statistics.score_history import score_history
from web.table import umpire


def wrote(player: int, points: int) -> dict[str, Any]:
    return {"do": "write", "player": player, "points": points}


def play(phone: Phone, *actions: dict[str, Any]) -> None:
    for action in actions:
        answer = phone.act(**action)
        assert answer.status_code == 200, answer.get_json()


CLOSE = {"do": "close-round"}


def test_a_pad_is_played_to_its_end_and_told(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob", "Eva", rounds=3))
    play(phone, wrote(0, 9), CLOSE, wrote(2, 5), wrote(1, 20), CLOSE)
    play(phone, {"do": "adjust", "what": "note", "round": 2, "text": "Bob dealt"})
    play(phone, wrote(1, 1), CLOSE)
    assert (phone.standing["over"], phone.standing["winners"]) == (True, [1])
    ending = client.get(f"/api/v1{phone.base}/ending").get_json()
    assert ending["best"] is None
    assert ending["decided"] == {"player": 1, "turn": 2, "turns": 3, "points": 20}
    history = score_history(scorer.Table.from_record(client.get(f"{phone.base}/record.json").get_json()))
    assert history.totals == ((9, 9, 9), (0, 20, 21), (0, 5, 5))
    assert history.by_hand == ((0, 0, 0),) * 3
    moves = client.get(f"/api/v1{phone.base}/history").get_json()["moves"]
    assert [move["player"] for move in moves if move["action"]["do"] == "adjust"] == [None], "a note is nobody's"


def test_totals_settled_by_hand_and_rounds_won_are_in_the_score_history(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob", wins="rounds"))
    play(phone, wrote(0, 3), wrote(1, 5), wrote(0, 9), CLOSE)
    play(phone, {"do": "adjust", "what": "total", "player": 0, "points": 4})
    history = score_history(scorer.Table.from_record(client.get(f"{phone.base}/record.json").get_json()))
    assert (history.totals, history.by_hand) == (((0, 4), (1, 1)), ((0, 3), (0, 0)))
    assert [history.gains(player) for player in (0, 1)] == [[0, 1], [1, 0]]


@pytest.mark.parametrize(("game", "best"), [("score-pad", 45), ("shut-the-box", None)])
def test_few_points_are_no_best_turn_where_they_lose(client: FlaskClient, game: str, best: int | None) -> None:
    phone = Phone(client, start(client, game, "Ada", "Bob"))
    play(phone, wrote(0, 45), wrote(1, 3))
    history = score_history(scorer.Table.from_record(client.get(f"{phone.base}/record.json").get_json()))
    assert history.best_turn(0) == best
    assert client.get(f"{phone.base}/statistics").status_code == 200


def test_points_for_other_players_go_along_and_the_same_players_do_not(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob", "Eva"))
    seen = phone.look()["version"]
    play(phone, wrote(0, 3))
    assert phone.post("actions", version=seen, action=wrote(1, 4)).status_code == 200
    refused = phone.post("actions", version=seen, action=wrote(0, 5))
    assert (refused.status_code, refused.get_json()["reason"]) == (409, "stale")


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (wrote(0, 10**9), "not-in-range"),
        ({"do": "adjust", "what": "cell", "player": 0, "round": 1, "points": 10**9}, "points-out-of-bounds"),
        ({"do": "adjust", "what": "note", "round": 1, "text": "a\u0007"}, "note-unprintable"),
        ({"do": "adjust", "what": "note", "round": 1, "text": "x" * 61}, "note-too-long"),
        ({"do": "adjust", "what": "note", "round": 2, "text": "x"}, "not-in-range"),
    ],
)
def test_hostile_values_are_refused_in_a_sentence(client: FlaskClient, action: dict[str, Any], reason: str) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob"))
    answer = phone.act(**action)
    assert (answer.status_code, answer.get_json()["reason"]) == (422, reason)
    assert phone.look()["version"] == 0


def test_luck_and_odds_are_not_told_of_a_pad(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob"))
    play(phone, wrote(0, 3))
    assert "it does not know what is played" in client.get(f"{phone.base}/luck").get_data(as_text=True)


def test_a_camera_proposes_nothing_on_a_pad() -> None:
    for key in ("score-pad", "shut-the-box"):
        table = scorer.Table(scorer.game(key), ["Ada", "Bob"])
        lying = tuple(umpire.RestingDie(value, (value * 50, 0, value * 50 + 40, 40)) for value in (6, 4))
        seen = umpire.conclude(table, umpire.UmpireMemory(), umpire.DiceAtRest(lying, True))
        assert (seen.actions, seen.alternatives, seen.question, seen.refused) == ((), (), None, None)
