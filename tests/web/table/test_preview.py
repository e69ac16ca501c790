"""What a throw that waits to be confirmed would allow, told with it."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

import scorer
from tests.web.phones import JSON, Phone, any_legal, start
from web.table.photo_state import PHOTO, FoundDie, PhotoDetails, Read, ReadingResult, UnderReview, Waiting
from web.table.showing import outcome_of_photo, outcome_of_throw

FIRST: dict[str, Any] = {"do": "throw", "dice": [1, 1, 2, 3, 6]}


def pending(*dice: int, sure: bool = True, source: str = PHOTO, keep: list[int] | None = None) -> Read:
    found = [FoundDie(value=value, confidence=0.9, sure=True, box=(0, 0, 9, 9), alternatives=[]) for value in dice]
    return Read(PhotoDetails("x", source, "", 0, 0, keep=keep), 0, 0, ReadingResult(found, sure=sure))


def table(game: str, *actions: dict[str, Any]) -> scorer.Table:
    began = scorer.Table(scorer.game(game), ["Ada", "Bob"])
    for action in actions:
        began.do(action)
    return began


def test_the_cells_are_those_of_the_game_after_the_throw() -> None:
    before = table("yahtzee")
    shown = outcome_of_photo(before, pending(1, 2, 3, 4, 5))
    points = {entry["category"]: entry["points"] for entry in shown.legal if entry["do"] == "score"}
    assert points["large-straight"] == 40
    assert before.version == 0, "nothing is done at the table itself"


def test_what_was_kept_for_the_throw_counts() -> None:
    before = table("kosci", FIRST)
    shown = outcome_of_photo(before, pending(1, 1, 4, keep=[1, 1]))
    assert shown.turn["dice"] == [1, 1, 1, 1, 4]
    assert outcome_of_photo(before, pending(1, 1, 4, keep=[5, 5])) is None, "there are no such dice"


def test_in_knaster_the_cells_of_everybody_wait() -> None:
    shown = outcome_of_photo(table("knaster"), pending(1, 5))
    assert shown.to_act == [0, 1]
    assert shown.turn["sum"] == 6


@pytest.mark.parametrize(
    ("game", "waits"),
    [
        ("yahtzee", None),
        ("yahtzee", Waiting(pending().details)),
        ("yahtzee", pending(1, 2, 3, 4, 5, sure=False)),
        ("yahtzee", pending(1, 2, 3, 4, 5, source="watch")),
        ("yahtzee", pending(1, 2, 3, 4)),
    ],
    ids=["no photo", "not read", "unsure", "watched", "too few"],
)
def test_else_nothing_is_to_be_chosen_before_it_is_confirmed(game: str, waits: UnderReview | None) -> None:
    assert outcome_of_photo(table(game), waits) is None


@pytest.mark.parametrize(
    ("game", "before", "dice", "sensible"),
    [
        ("farkle", (), (2, 2, 4, 4, 4, 4), [("bank", 1500, 0), ("set-aside", 1500, 6), ("set-aside", 1000, 2)]),
        ("farkle", (), (1, 2, 2, 3, 3, 3), [("set-aside", 400, 2), ("set-aside", 100, 5), ("set-aside", 300, 3)]),
        ("farkle", (), (2, 2, 3, 3, 4, 6), []),
        ("six-dice", (), (1, 2, 2, 3, 3, 3), [("bank", 400, 0)]),
        ("six-dice", (), (1, 2, 3, 4, 5, 6), []),
        ("sequence", (), (1, 2, 3, 4, 6, 6), []),
        ("pig", (), (4,), [("bank", 4, 0)]),
        ("yahtzee", (), (1, 2, 3, 4, 5), []),
    ],
    ids=[
        "bank or go on",
        "too few to bank",
        "bust",
        "set aside by itself",
        "confirm first",
        "one throw",
        "pig",
        "sheet",
    ],
)
def test_a_throw_tells_what_may_be_done_with_it_the_sensible_first(
    game: str, before: tuple[dict[str, Any], ...], dice: tuple[int, ...], sensible: list[tuple[str, int, int]]
) -> None:
    shown = outcome_of_photo(table(game, *before), pending(*dice))
    found = [(each.actions[-1]["do"], each.points, each.dice_left) for each in shown.choices]
    assert found[:3] == sensible


@pytest.mark.parametrize("game", [info.key for info in scorer.all_games()])
def test_every_choice_is_what_the_rules_do(game: str) -> None:
    """In random games, each choice is legal after its throw, and brings what it says."""
    dice, playing = random.Random(game), table(game)
    for _ in range(60):
        standing = playing.standing()
        if playing.over:
            break
        action = any_legal(standing, dice)
        before = playing.copy()
        playing.do(action)
        if action["do"] != "throw":
            continue
        would = outcome_of_throw(before, action["dice"], None)
        assert (would.to_act, would.turn) == (playing.to_act, playing.turn)
        for choice in would.choices:
            trial = playing.copy()
            for each in choice.actions:
                trial.do(each)
            # The first turn is the player's: a round that ends with it tells his again.
            events = {event["event"]: event for event in reversed(trial.steps[-1].events)}
            turn, ended = trial.turn, events.get("scored", events.get("turn"))  # a hand counts what it scored
            points = ended.get("round_points", ended["points"]) if "turn" in events and ended else turn["points"]
            brings = (points, 0 if "turn" in events else turn["expects"])
            assert (choice.points, choice.dice_left) == brings
        assert before.version == playing.version - 1


def ask(phone: Phone, **body: Any) -> Any:
    """What a throw would allow."""
    answer = phone.client.post(f"/api/v1{phone.base}/would", json=body, headers=JSON)
    return answer.get_json() if answer.status_code == 200 else answer.status_code


def test_a_phone_asks_what_a_throw_would_allow_that_was_put_right(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "kosci"))
    phone.throw(1, 1, 2, 3, 6)
    before = phone.look()
    told = ask(phone, dice=[1, 1, 4], keep=[1, 1])
    assert told["would"]["turn"]["dice"] == [1, 1, 1, 1, 4]
    assert (told["keep"], told["stayed"]) == ([1, 1], [])
    assert ask(phone, dice=[1, 1, 9], keep=[1, 1])["would"] is None
    assert [ask(phone), ask(phone, dice="1 1 4"), ask(phone, dice=[True]), ask(phone, dice=[1] * 7)] == [400] * 4
    assert phone.look() == before, "nothing is done"


@pytest.mark.parametrize(
    ("lay", "thrown", "keep", "stayed"),
    [
        ([5, 5, 1, 3, 4], 3, None, [[5, 5], [1, 3], [1, 4], [1, 5], [3, 4], [3, 5], [4, 5]]),
        ([5, 5, 5, 5, 5], 4, [5], [[5]]),
        ([5, 5, 1, 1, 4], 3, None, [[1, 1], [5, 5], [1, 4], [1, 5], [4, 5]]),
        ([1, 2, 3, 4, 6], 4, None, [[1], [2], [3], [4], [6]]),
        ([1, 2, 3, 4, 6], 5, [], []),
    ],
    ids=["two alike", "one way only", "two pairs", "any", "all thrown"],
)
def test_fewer_dice_than_were_told_ask_which_stayed(
    client: FlaskClient, lay: list[int], thrown: int, keep: list[int] | None, stayed: list[list[int]]
) -> None:
    phone = Phone(client, start(client, "yahtzee"))
    phone.throw(*lay)
    told = ask(phone, dice=[2, 3, 6, 6, 6][:thrown], keep=[])
    assert (told["keep"], told["stayed"]) == (keep, stayed)
    assert (told["would"] is None) is (keep is None)
    if keep and told["would"]:
        assert told["would"]["turn"]["dice"] == sorted([*keep, *[2, 3, 6, 6, 6][:thrown]])


def test_nothing_stays_where_no_dice_may_be_kept(client: FlaskClient) -> None:
    race = Phone(client, start(client, "farkle"))
    assert ask(race, dice=[1, 2, 3]) == {"would": None, "keep": None, "stayed": []}
    sheet = Phone(client, start(client, "yahtzee"))
    assert ask(sheet, dice=[1, 2, 3])["stayed"] == [], "nothing has been thrown"
    for dice in ((1, 2, 3, 4, 6), (1, 2), (1, 2)):
        sheet.post("actions", action={"do": "throw", "dice": list(dice)}, keep=[3, 4, 6][: 5 - len(dice)])
    assert ask(sheet, dice=[1, 2, 3])["stayed"] == [], "there is no throw left"


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
    again = phone.get("history")["moves"][-1]
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
