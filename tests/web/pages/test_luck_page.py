"""Was it luck? The page of any table: whole where its game is solved, one sentence where it is not."""

import random
import re
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from tests.web.phones import JSON, Phone, any_legal, start
from web.pages import luck_page
from web.pages.luck_page import choice_in_words, round_to_sum
from web.services import services
from web.statistics import luck

GAMES = [info.key for info in scorer.games()]


def page(client: FlaskClient, base: str) -> str:
    answer = client.get(f"{base}/luck")
    assert answer.status_code == 200
    assert "Refresh" not in answer.headers
    return answer.get_data(as_text=True)


def play_some(client: FlaskClient, game: str, steps: int, *players: str) -> Phone:
    phone, dice = Phone(client, start(client, game, *players)), random.Random(7)
    while not phone.standing["over"] and phone.state["version"] < steps:
        assert phone.act(**any_legal(phone.standing, dice)).status_code == 200
    return phone


def bill(text: str) -> dict[str, list[float]]:
    """The numbers of each line, by its name."""
    lines = re.findall(r'<tr(?: class="sum")?><th scope="row">([A-Z][^<]+)</th>((?:<td>[^<]*</td>)+)</tr>', text)
    return {
        name: [float(each.replace("\u2212", "-").replace(",", "").rstrip("%")) for each in re.findall(r">([^<]+)<", of)]
        for name, of in lines
    }


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
def test_every_game_tells_luck_and_mistakes_that_add_up(client: FlaskClient, game: str) -> None:
    phone = play_some(client, game, 24, "Ada", "<Bob>")
    text = page(client, phone.base)
    lines = bill(text)
    assert {"Before the first throw", "Luck", "Mistakes"} <= lines.keys()
    sums = lines.pop("Result" if phone.standing["over"] else "Expected now")
    for player, result in enumerate(sums):
        assert sum(line[player] for line in lines.values()) == pytest.approx(result, abs=0.01)
    assert "<Bob>" not in text
    assert 'role="img" aria-labelledby="luck-title luck-desc"' in text


def test_a_finished_sheet_is_told_to_its_score(client: FlaskClient) -> None:
    phone = play_some(client, "kosci", 900, "Ada")
    assert phone.standing["over"]
    lines = bill(page(client, phone.base))
    assert lines["Result"] == [phone.standing["players"][0]["score"]]
    assert lines["Before the first throw"] == [250.2]


def test_turns_are_counted_as_people_do(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "drapky", "Ada"))
    phone.throw(1, 2, 3, 4, 5, 6)
    phone.act(do="keep", dice=[1])
    phone.throw(1, 1, 2, 3, 3)
    text = page(client, phone.base)
    lines = bill(text)
    assert lines["Before the first throw"][0] == pytest.approx(18.6, abs=0.1)
    assert lines["Mistakes"][0] > 0, "more turns"
    assert lines["Expected now"][0] > lines["Before the first throw"][0]
    assert "The expected result, throw by throw" in text
    assert re.search(r'choice cost: <strong class="whole">\d', text)


def test_the_throw_of_the_evening_and_the_costliest_choice(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "yahtzee", "Ada"))
    phone.throw(6, 6, 6, 6, 6)
    phone.act(do="score", category="chance")
    text = page(client, phone.base)
    assert re.search(r"The luckiest throw.*?6\xa06\xa06\xa06\xa06", text, re.DOTALL)
    assert "Ada, with 6\xa06\xa06\xa06\xa06: “write Chance”. “write Yahtzee” would have brought more." in text
    assert re.search(r'choice cost: <strong class="whole">\d+\xa0points', text)
    phone.post("undo")
    assert "No choice cost anything." in page(client, phone.base), "what was undone was not chosen"


def test_a_table_without_throws_says_so(client: FlaskClient) -> None:
    assert "No dice were thrown yet." in page(client, start(client))


def test_a_game_that_somebody_joined_is_told_in_one_sentence(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence"))
    phone.throw(1, 2, 3, 4, 6, 6)
    assert phone.act(do="adjust", what="player-added", name="Dan").status_code == 200
    assert "Players joined, left or changed places" in page(client, phone.base)


def test_a_game_without_end_is_told_in_one_sentence(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = play_some(client, "sequence", 5)
    monkeypatch.setattr(luck, "MOST_STEPS", 4)
    assert "too long for luck to be worked out" in page(client, phone.base)


def test_the_end_of_a_server_waits_for_no_analysis(app: Flask, client: FlaskClient) -> None:
    phone = play_some(client, "sequence", 5)
    services(app).luck.close()
    answer = client.get(f"{phone.base}/luck", headers=JSON)
    assert (answer.status_code, answer.get_json()["reason"]) == (503, "busy")


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "what", [{"what": "turn-skipped"}, {"what": "player-removed", "player": 1}, {"what": "game", "over": True}]
)
def test_what_is_settled_among_players_is_no_hindrance(client: FlaskClient, game: str, what: dict[str, object]) -> None:
    phone = play_some(client, game, 3, "Ada", "Bob", "Eva")
    phone.act(do="adjust", **what)
    page(client, phone.base)


def test_nobody_waits_while_another_game_is_worked_out(app: Flask, client: FlaskClient) -> None:
    phone = play_some(client, "kosci", 5)
    luck_analyzer = services(app).luck
    with luck_analyzer._work.enter():
        answer = client.get(f"{phone.base}/luck")
    assert "This is being worked out." in answer.get_data(as_text=True)
    assert int(answer.headers["Refresh"]) > 0
    assert "Before the first throw" in page(client, phone.base)


def test_what_is_not_solved_is_solved_once_beside_the_server(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solver that takes as long as the test wants stands for the true one, which takes half a minute."""
    phone = Phone(client, start(client, "kosci", "Ada", first_general_is_joker="true"))
    phone.throw(1, 2, 3, 4, 6)
    asked: list[str] = []
    go_on = threading.Event()

    def solve(command: Sequence[str]) -> bool:
        asked.append(" ".join(command))
        go_on.wait(60)
        return False

    monkeypatch.setattr(services(app).solutions._solver, "_solve", solve)
    for _ in range(2):
        answer = client.get(f"{phone.base}/luck")
        assert "Best play with these house rules is being worked out" in answer.get_data(as_text=True)
        assert int(answer.headers["Refresh"]) > 0
    go_on.set()
    deadline = time.monotonic() + 60
    while "Refresh" in (answer := client.get(f"{phone.base}/luck")).headers and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "could not be worked out" in answer.get_data(as_text=True)
    (command,) = asked
    assert "rollcall solve kosci" in command
    assert "--race" not in command
    assert "--option=first_general_is_joker=true" in command


def test_the_chances_to_win_with_another_target_come_as_soon_as_they_are_known(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "ones-and-fives", target=1000))
    phone.throw(1, 1, 1, 2, 3, 4)
    assert "The chances to win are being worked out" in page(client, phone.base)
    deadline = time.monotonic() + 120
    while "in points" in (text := page(client, phone.base)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert "Everything in chances to win" in text
    assert "are being worked out" not in text
    assert 50 < bill(text)["Before the first throw"][0] < 60


def test_rounded_parts_add_up() -> None:
    assert round_to_sum([0.4, 0.4, 0.4, -0.2]) == [1, 0, 0, 0]
    dice = random.Random(1)
    for _ in range(200):
        parts = [dice.uniform(-500, 500) for _ in range(5)]
        whole = round_to_sum(parts)
        assert sum(whole) == round(sum(parts))
        assert all(abs(each - part) < 1 for each, part in zip(whole, parts, strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_of_every_game_has_words(game: str) -> None:
    table, dice, said = scorer.Table(scorer.game(game), ["Ada", "Bob"]), random.Random(3), set()
    while not table.over and table.version < 300:
        action = any_legal(table.standing(), dice)
        if action["do"] != "throw":
            said.add(choice_in_words(table.game, action))
        table.do(action)
    assert "" not in said


def standing_of(*players: tuple[float, float], unit: str = "points", over: bool = True) -> Any:
    """An analysis in which each player's dice brought and mistakes cost so much."""
    parts = [{"mean": 0.0, "luck": luck, "mistakes": cost, "others": 0, "settled": 0} for luck, cost in players]
    return {"players": parts, "unit": unit, "over": over}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (standing_of((1500.4, 100), (-200, 40)), "Mostly luck: Ada threw better than Bob."),
        (standing_of((10, 40), (-20, 700)), "Mostly choices: Ada chose better than Bob."),
        (standing_of((0.3, 0.1), (-0.2, 0.4), unit="win"), "Mostly luck: Ada threw better than Bob."),
        (standing_of((0.2, 0.1), (0.2, 0.1)), ""),
        (standing_of((1500, 0), (0, 0), over=False), ""),
        (standing_of((1500, 0)), ""),
    ],
)
def test_the_question_is_answered_in_one_sentence(app: Flask, found: Any, said: str) -> None:
    with app.test_request_context():
        assert luck_page.answer(found, ["Ada", "Bob"][: len(found["players"])]) == said


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((2, 0, 1), "Ada: 2\u00a0lucky throws, 1\u00a0costly choice."),
        ((0, 1, 3), "Ada: 1\u00a0unlucky throw, 3\u00a0costly choices."),
        ((0, 0, 0), "Ada: throws and choices as usual."),
    ],
)
def test_each_player_has_one_sentence(app: Flask, counts: tuple[int, int, int], said: str) -> None:
    with app.test_request_context():
        player = dict(zip(("lucky", "unlucky", "costly"), counts, strict=True))
        assert luck_page.sentences({"players": [player]}, ["Ada"]) == [said]


def test_what_stands_out_is_counted() -> None:
    actions = [{"player": 0, "luck": each} for each in (1.0, -1.0, 9.0, 1.0)]
    actions += [{"player": 1, "luck": -9.0, "loss": 0.1}, {"player": 1, "loss": 5.0}]
    found = {"players": [{}, {}], "actions": actions}
    luck._count(found)
    assert found["players"] == [{"lucky": 1, "unlucky": 0, "costly": 0}, {"lucky": 0, "unlucky": 1, "costly": 1}]


def test_the_sentences_come_alone_for_the_end_of_a_game(client: FlaskClient) -> None:
    phone = play_some(client, "sequence", 900, "Ada", "<Bob>")
    answer = client.get(f"{phone.base}/luck?part=1")
    text = answer.get_data(as_text=True)
    assert "<html" not in text
    assert text.count("<li>") == 2
    assert "&lt;Bob&gt;" in text
