"""What a throw that waits to be confirmed would allow, told with it."""

from typing import Any

import pytest
from flask.testing import FlaskClient

import scorer
from tests.web.phones import JSON, Phone, start
from web.table.photo_state import UnderReview, from_json
from web.table.showing import outcome_of_photo

FIRST: dict[str, Any] = {"do": "throw", "dice": [1, 1, 2, 3, 6]}


def pending(*dice: int, **told: Any) -> UnderReview:
    waits = {"id": "x", "status": "read", "source": "photo", "sure": True, "keep": None, **told}
    die = {"confidence": 0.9, "sure": True, "box": [0, 0, 9, 9], "alternatives": []}
    return from_json({**waits, "dice": [{"value": value, **die} for value in dice]})


def table(game: str, *actions: dict[str, Any]) -> scorer.Table:
    began = scorer.Table(scorer.game(game), ["Ada", "Bob"])
    for action in actions:
        began.do(action)
    return began


def test_the_cells_are_those_of_the_game_after_the_throw() -> None:
    before = table("yahtzee")
    shown = outcome_of_photo(before, pending(1, 2, 3, 4, 5))
    assert shown is not None
    points = {entry["category"]: entry["points"] for entry in shown.legal if entry["do"] == "score"}
    assert points["large-straight"] == 40
    assert before.version == 0, "nothing is done at the table itself"


def test_what_was_kept_for_the_throw_counts() -> None:
    before = table("kosci", FIRST)
    shown = outcome_of_photo(before, pending(1, 1, 4, keep=[1, 1]))
    assert shown is not None
    assert shown.turn["dice"] == [1, 1, 1, 1, 4]
    assert outcome_of_photo(before, pending(1, 1, 4, keep=[5, 5])) is None, "there are no such dice"


def test_in_knaster_the_cells_of_everybody_wait() -> None:
    shown = outcome_of_photo(table("knaster"), pending(1, 5))
    assert shown is not None
    assert shown.to_act == [0, 1]
    assert shown.turn["sum"] == 6


@pytest.mark.parametrize(
    ("game", "waits"),
    [
        ("yahtzee", None),
        ("yahtzee", pending(1, 2, 3, 4, 5, status="waiting")),
        ("yahtzee", pending(1, 2, 3, 4, 5, sure=False)),
        ("yahtzee", pending(1, 2, 3, 4, 5, source="watch")),
        ("yahtzee", pending(1, 2, 3, 4)),
        ("six-dice", pending(1, 2, 3, 4, 5, 6)),
        ("ones-and-fives", pending(1, 1, 5, 5, 2, 4)),
    ],
    ids=["no photo", "not read", "unsure", "watched", "too few", "no choice", "one tap anyway"],
)
def test_else_nothing_is_to_be_chosen_before_it_is_confirmed(game: str, waits: UnderReview | None) -> None:
    assert outcome_of_photo(table(game), waits) is None


def test_a_phone_asks_what_a_throw_would_allow_that_was_put_right(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "kosci"))
    phone.throw(1, 1, 2, 3, 6)

    def would(**body: Any) -> Any:
        answer = client.post(f"/api/v1{phone.base}/would", json=body, headers=JSON)
        return answer.get_json()["would"] if answer.status_code == 200 else answer.status_code

    before = phone.look()
    told = would(dice=[1, 1, 4], keep=[1, 1])
    assert told["turn"]["dice"] == [1, 1, 1, 1, 4]
    assert would(dice=[1, 1, 4], keep=[5, 5]) is None
    assert would(dice=[1, 1, 9], keep=[1, 1]) is None
    assert [would(), would(dice="1 1 4"), would(dice=[True]), would(dice=[1] * 7)] == [400] * 4
    assert phone.look() == before, "nothing is done"


def corrected(phone: Phone, step: int, dice: list[int]) -> tuple[Any, Any]:
    """The preview of a corrected throw, and the state after it, done as phones do it."""
    action = {"do": "throw", "dice": dice}
    told = phone.client.post(
        f"/api/v1{phone.base}/corrections/preview", json={"step": step, "action": action}, headers=JSON
    ).get_json()
    answer = phone.post("corrections", step=step, action=action, said=[], forced=True)
    assert answer.status_code == 200
    return told, answer.get_json()


def test_a_corrected_bust_says_whose_turn_it_will_be_and_sets_the_only_die_aside(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "farkle", "Ada", "Bob"))
    phone.throw(1, 1, 1, 2, 3, 4)
    phone.act(do="set-aside", dice=[1, 1, 1])
    phone.throw(2, 4, 6)  # a bust
    assert phone.standing["to_act"] == [1]
    told, state = corrected(phone, 3, [1, 4, 6])
    assert told["before"] == told["after"], "nobody has banked anything"
    assert told["turn"] == [{"to_act": [1], "points": 0}, {"to_act": [0], "points": 400}]
    assert (told["set_aside"]["dice"], told["set_aside"]["points"]) == ([1], 100)
    assert (state["standing"]["to_act"], state["standing"]["turn"]["points"]) == ([0], 400)
    assert (state["last_move"]["action"], state["last_move"]["gained"]) == ({"do": "set-aside", "dice": [1]}, 100)
    again = phone.client.get(f"/api/v1{phone.base}/history", headers=JSON).get_json()["moves"][-1]
    assert again == state["last_move"], "the same after the log is read again"
    assert phone.post("undo").get_json()["standing"]["turn"]["throw"] == [1, 4, 6]


def test_a_choice_after_a_correction_is_left_to_people(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "farkle", "Ada", "Bob"))
    phone.throw(2, 2, 3, 3, 4, 6)
    told, state = corrected(phone, 1, [1, 1, 3, 3, 4, 6])
    assert (told["turn"][1], told["set_aside"]) == ({"to_act": [0], "points": 0}, None)
    assert (state["steps"], state["standing"]["turn"]["set_aside"]) == (1, [])


def test_a_correction_says_which_places_change(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "Bob"))
    phone.throw(1, 2, 3, 4, 6, 6)
    phone.throw(1, 2, 3, 6, 6, 6)
    told, _ = corrected(phone, 2, [1, 2, 3, 4, 5, 6])
    assert [(each["score"], each["place"]) for each in told["before"]] == [(15, 1), (10, 2)]
    assert [each["place"] for each in told["after"]] == [2, 1]
    assert told["turn"][0] == told["turn"][1]
