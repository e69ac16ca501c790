"""What people remember of a game: each kind of moment once, nothing of what was undone, the ending of each game."""

from typing import Any

import pytest
from flask.testing import FlaskClient

import scorer
from tests.browser.games import record
from tests.web.phones import Phone, bring, start

GAMES = [info.key for info in scorer.games()]


def kinds(phone: Phone) -> list[tuple[Any, ...]]:
    return [(each["kind"], each["player"], each.get("points") or each.get("dice")) for each in phone.look()["moments"]]


def turn(phone: Phone, *dice: int) -> None:
    """A turn of six dice of which the ones are set aside and banked."""
    phone.throw(*dice)
    phone.act(do="set-aside", dice=[value for value in dice if value == 1])
    phone.act(do="bank")


def test_moments_are_of_the_last_step_and_an_undo_has_none(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "ones-and-fives", "Ada", "Bob", minimum=0, bank_with_at_most=6))
    for dice in ((1, 1, 2, 3, 4, 6), (1, 2, 3, 4, 6, 6)):
        turn(phone, *dice)
        assert kinds(phone) == []
    turn(phone, 1, 2, 3, 4, 6, 6)
    assert kinds(phone) == [], "a better turn is worth telling after two others"
    turn(phone, 1, 1, 1, 2, 3, 4)
    assert kinds(phone) == [("lead", 1, None)], "once all have had as many turns"
    turn(phone, 1, 1, 1, 2, 3, 4)
    assert kinds(phone) == [("best-turn", 0, 1000)]
    phone.post("undo")
    assert kinds(phone) == []
    phone.act(do="bank")
    phone.throw(1, 1, 1, 1, 1, 2)
    assert kinds(phone) == [("alike", 1, [1, 1, 1, 1, 1, 2])]
    phone.act(do="set-aside", dice=[1, 1, 1, 1, 1])
    assert kinds(phone) == []
    phone.throw(2)
    assert [(kind, player) for kind, player, _ in kinds(phone)] == [("bust", 1), ("lead", 0)]
    assert phone.look()["moments"][0]["points"] > 0


def test_five_alike_count_with_those_that_were_kept(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "yahtzee", "Ada", "Bob"))
    phone.throw(4, 4, 4, 4, 1)
    assert kinds(phone) == []
    phone.act(do="keep", dice=[4, 4, 4, 4])
    phone.throw(4)
    assert kinds(phone) == [("alike", 0, [4, 4, 4, 4, 4])]


def test_the_best_throw_and_what_decided(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "ones-and-fives", "Ada", "Bob", minimum=0, bank_with_at_most=6, target=2000))
    for dice in ((1, 1, 2, 3, 4, 6), (1, 2, 3, 4, 6, 6), (1, 2, 3, 4, 6, 6), (1, 1, 1, 2, 3, 4)):
        turn(phone, *dice)
    turn(phone, 1, 2, 3, 4, 6, 6)
    turn(phone, 1, 1, 1, 1, 2, 3)
    found = phone.get("ending")
    assert phone.standing["over"]
    assert found["best"] == {"player": 1, "dice": [1, 1, 1, 1, 2, 3], "points": found["best"]["points"]}
    assert found["best"]["points"] >= 1000
    assert found["decided"] == {"player": 1, "turn": 2, "turns": 3, "points": 1000}
    assert phone.look()["moments"] == [], "the end itself is told"
    phone.post("undo")
    assert phone.get("ending")["decided"] is None


def test_who_led_from_the_first_round_decided_there_and_each_throw_of_a_turn_counts_alone(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "ones-and-fives", "Ada", "Bob", minimum=0, bank_with_at_most=6, target=2000))
    phone.throw(1, 1, 1, 2, 3, 4)
    phone.act(do="set-aside", dice=[1, 1, 1])
    for dice in ((1, 3, 4), (1, 2, 3, 4, 6, 6), (1, 1, 1, 2, 3, 4), (1, 2, 3, 4, 6, 6)):
        turn(phone, *dice)
    found = phone.get("ending")
    assert (found["best"]["points"], found["decided"]["turn"], found["decided"]["points"]) == (1000, 1, 1100)


def test_the_best_throw_is_by_its_points_where_rounds_are_won(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "bunco", "Ada", "Bob"))
    for dice in ((1, 1, 2), (2, 3, 4), (1, 1, 1), (2, 2, 3)):
        phone.throw(*dice)
    found = phone.get("ending")
    assert found["best"] == {"player": 1, "dice": [1, 1, 1], "points": 21}


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("players", [["Ada"], ["Ada", "Bob", "Eva"]], ids=len)
def test_every_game_has_an_ending(client: FlaskClient, key: str, players: list[str]) -> None:
    whole = record(key, players)
    found = bring(client, whole).get("ending")
    table = scorer.Table.from_record(whole)
    best, decided = found["best"], found["decided"]
    if best is not None:
        assert best["dice"]
        assert best["points"] > 0
    assert (best is None) is (key in ("knaster", "shut-the-box", "skunk"))
    if len(players) == 1 or len(table.winners) > 1:
        assert decided is None
    else:
        assert decided["player"] == table.winners[0]
        assert 1 <= decided["turn"] <= decided["turns"]
