"""A score pad at a table: what phones ask of it, and what history, statistics, programs and the camera tell of it."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

import scorer
from tests.web.phones import Phone, start
from web.table import umpire
from web.table.score_history import ScoreHistory, score_history


def wrote(player: int, points: int) -> dict[str, Any]:
    return {"do": "write", "player": player, "points": points}


def play(phone: Phone, *actions: dict[str, Any]) -> None:
    for action in actions:
        answer = phone.act(**action)
        assert answer.status_code == 200, answer.get_json()


CLOSE = {"do": "close-round"}


def history_of(phone: Phone) -> ScoreHistory:
    return score_history(scorer.Table.from_record(phone.record()))


def test_a_pad_is_played_to_its_end_and_told(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob", "Eva", rounds=3))
    play(phone, wrote(0, 9), CLOSE, wrote(2, 5), wrote(1, 20), CLOSE)
    play(phone, {"do": "adjust", "what": "note", "round": 2, "text": "Bob dealt"})
    play(phone, wrote(1, 1), CLOSE)
    assert (phone.standing["over"], phone.standing["winners"]) == (True, [1])
    ending = phone.get("ending")
    assert ending["best"] is None
    assert ending["decided"] == {"player": 1, "turn": 2, "turns": 3, "points": 20}
    history = history_of(phone)
    assert history.totals == ((9, 9, 9), (0, 20, 21), (0, 5, 5))
    assert history.by_hand == ((0, 0, 0),) * 3
    moves = phone.get("history")["moves"]
    assert [move["player"] for move in moves if move["action"]["do"] == "adjust"] == [None], "a note is nobody's"


def test_totals_settled_by_hand_and_rounds_won_are_in_the_score_history(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob", wins="rounds"))
    play(phone, wrote(0, 3), wrote(1, 5), wrote(0, 9), CLOSE)
    play(phone, {"do": "adjust", "what": "total", "player": 0, "points": 4})
    history = history_of(phone)
    assert (history.totals, history.by_hand) == (((0, 4), (1, 1)), ((0, 3), (0, 0)))
    assert [history.gains(player) for player in (0, 1)] == [[0, 1], [1, 0]]


@pytest.mark.parametrize(("low_wins", "best"), [(False, 45), (True, None)])
def test_few_points_are_no_best_turn_where_they_lose(client: FlaskClient, low_wins: bool, best: int | None) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob", low_wins=low_wins))
    play(phone, wrote(0, 45), wrote(1, 3))
    history = history_of(phone)
    assert history.best_turn(0) == best
    assert client.get(f"{phone.base}/statistics").status_code == 200


def test_a_cell_is_settled_within_bounds(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob"))
    answer = phone.act(do="adjust", what="cell", player=0, round=1, points=10**9)
    assert (answer.status_code, answer.get_json()["reason"]) == (422, "points-out-of-bounds")


def test_luck_and_odds_are_not_told_of_a_pad(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "score-pad", "Ada", "Bob"))
    play(phone, wrote(0, 3))
    assert "it does not know what is played" in client.get(f"{phone.base}/luck").get_data(as_text=True)


def test_a_camera_proposes_nothing_on_a_pad() -> None:
    table = scorer.Table(scorer.game("score-pad"), ["Ada", "Bob"])
    lying = tuple(umpire.RestingDie(value, (value * 50, 0, value * 50 + 40, 40)) for value in (6, 4))
    seen = umpire.conclude(table, umpire.UmpireMemory(), umpire.DiceAtRest(lying, True))
    assert (seen.actions, seen.alternatives, seen.question, seen.refused) == ((), (), None, None)
