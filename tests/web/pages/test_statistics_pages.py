"""The pages of statistics, and what they give away as files."""

import csv
import io
import random
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, any_legal, device_of, end, start
from tests.web.statistics.results import results_of
from web.services import services
from web.statistics import luck
from web.statistics.fairness import LEAST_DICE


def page(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


def rows(client: FlaskClient, path: str, delimiter: str = ",") -> list[list[str]]:
    answer = client.get(path)
    assert answer.mimetype == "text/csv"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert answer.data.startswith(b"\xef\xbb\xbf"), "without it a spreadsheet spoils Czech and Polish letters"
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")), delimiter=delimiter))


def won_by(client: FlaskClient, *players: str, winner: int = 0) -> Phone:
    """A finished game of Sequence that this player won in the first round."""
    phone = Phone(client, start(client, "sequence", *players, target=25))
    client.get(phone.base)
    for _ in range(winner):
        phone.throw(1, 2, 4, 4, 6, 6)
    phone.throw(1, 2, 3, 4, 5, 6)
    assert phone.standing["over"]
    return phone


def test_a_table_without_throws_says_so(client: FlaskClient) -> None:
    text = page(client, f"{start(client)}/statistics")
    assert "No turn is finished yet." in text
    assert "No dice were thrown yet." in text
    assert "<svg class" not in text.split("<main>")[1]


def test_the_score_history_and_the_dice_of_a_running_game(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "<Bob>"))
    phone.throw(1, 2, 3, 4, 6, 6)
    phone.throw(2, 2, 3, 4, 6, 6)
    text = page(client, f"{phone.base}/statistics")
    assert '<title id="course-title">The course of the game</title>' in text
    assert "Points after each turn. Now: Ada: 15; &lt;Bob&gt;: 0." in text
    assert re.search(r'<tr><th scope="row">1</th><td>15</td><td>0</td></tr>', text), "the numbers as a table"
    assert "12 dice were thrown." in text
    assert f"It takes {LEAST_DICE} thrown dice" in text
    assert re.search(r'<th scope="row">6</th><td>4</td><td>2.0</td>', text)
    phone.throw(1, 1, 1, 1, 1, 1)
    assert "Now: Ada: 15;" in page(client, f"{phone.base}/statistics")
    phone.post("undo")
    assert "12 dice were thrown." in page(client, f"{phone.base}/statistics"), "what was undone was not thrown"


def test_uneven_dice_are_told(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada"))
    for _ in range(6):
        phone.throw(6, 6, 6, 6, 6, 5)
    text = page(client, f"{phone.base}/statistics")
    assert (
        "Fair dice would fall at least this unevenly less than 0.1% of the time. That is rare: are they fair?" in text
    )
    even = Phone(client, start(client, "sequence", "Ada"))
    for _ in range(6):
        even.throw(6, 1, 2, 3, 5, 5)
    text = page(client, f"{even.base}/statistics")
    assert re.search(r"this unevenly \d+\.\d% of the time. That is nothing unusual\.", text)


def test_the_picture_alone_is_for_the_board_and_the_end_of_a_game(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada"))
    assert page(client, f"{phone.base}/statistics?part=1").strip() == ""
    phone.throw(1, 2, 3, 4, 6, 6)
    part = page(client, f"{phone.base}/statistics?part=1").strip()
    assert part.startswith("<figure")
    assert part.endswith("</figure>")


def test_a_player_in_a_game(client: FlaskClient) -> None:
    won_by(client, "Eva", "Bob")
    won_by(client, "eva ", "Bob", winner=1)
    won_by(client, "Bob", "EVA", "Ada", winner=1)
    assert "/history/player?name=EVA&amp;game=sequence" in page(client, "/history")
    text = page(client, "/history/player?name=eva&game=sequence")
    told = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+?)\s*<", text))
    assert told == {"Played": "3", "Won": "2", "Best": "25", "Mean": "18.3", "Best turn": "25"}
    assert "the oldest first: 25, 5, 25. A star stands at a win." in text
    opponents = re.findall(r'<th scope="row">(\w+)</th><td>(\d)</td><td>(\d)</td><td>(\d)</td>', text)
    assert opponents == [("Ada", "1", "0", "0"), ("Bob", "2", "1", "0")]


def test_busts_are_counted_where_a_turn_can_be_lost(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "farkle", "Ada", target=3000))
    client.get(phone.base)
    phone.throw(2, 2, 3, 3, 4, 6)
    for _ in range(2):
        phone.throw(1, 2, 3, 4, 5, 6)
        phone.act(do="set-aside", dice=[1, 2, 3, 4, 5, 6])
        phone.act(do="bank")
    assert phone.standing["over"]
    text = page(client, "/history/player?name=Ada&game=farkle")
    assert re.search(r'<dt>Busts</dt><dd>1 <span class="soft">of 3</span>', text)
    assert re.search(r"<dt>Best turn</dt><dd>1,500</dd>", text)


def played_out(client: FlaskClient, seed: int, *players: str) -> None:
    phone, dice = Phone(client, start(client, "kosci", *players)), random.Random(seed)
    client.get(phone.base)
    while not phone.standing["over"]:
        assert phone.act(**any_legal(phone.standing, dice)).status_code == 200


def figures(text: str) -> dict[str, float]:
    found = re.findall(r"<dt>((?:Luck|Mistakes) a game)</dt><dd>([^<]+)</dd>", text)
    return {name: float(value.replace("\u2212", "-").rstrip("%")) for name, value in found}


def test_luck_and_mistakes_over_all_games_of_a_player(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_out(client, 1, "Ada")
    played_out(client, 2, "Bob", "ada")
    path = "/history/player?name=Ada&game=kosci"
    asked = page(client, path)
    assert figures(asked) == {}
    assert "/history/player?name=Ada&amp;game=kosci&amp;luck=1#luck" in asked
    monkeypatch.setattr(luck, "SUMS_AT_ONCE_S", 0.0)
    first = client.get(f"{path}&luck=1")
    assert "1 of 2 games are worked out." in first.get_data(as_text=True)
    assert int(first.headers["Refresh"]) > 0
    with services(app).luck._work.enter():
        assert "1 of 2 games are worked out." in page(client, f"{path}&luck=1"), "nobody waits for another one's work"
    page(client, f"{path}&luck=1")
    whole = client.get(f"{path}&luck=1")
    assert "Refresh" not in whole.headers
    text = whole.get_data(as_text=True)
    assert "Average of 2 games, in points." in text
    results = results_of(services(app).store, device_of(client))
    mean = sum(result.score for result in results if result.name.lower() == "ada") / 2
    told = figures(text)
    assert told["Luck a game"] - told["Mistakes a game"] == pytest.approx(mean - 250.2161, abs=0.11)


def test_games_that_somebody_joined_have_no_luck_to_tell(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", target=25))
    client.get(phone.base)
    assert phone.act(do="adjust", what="player-added", name="Dan").status_code == 200
    phone.throw(1, 2, 3, 4, 5, 6)
    assert phone.standing["over"]
    answer = client.get("/history/player?name=Ada&game=sequence&luck=1")
    assert "None of these games could be analysed." in answer.get_data(as_text=True)
    assert "Refresh" not in answer.headers


def test_nobody_looks_at_players_of_other_tables(app: Flask, client: FlaskClient) -> None:
    won_by(client, "Eva", "Bob")
    stranger = app.test_client()
    assert stranger.get("/history/player?name=Eva&game=sequence").status_code == 404
    assert client.get("/history/player?name=Eva&game=farkle").status_code == 404
    assert client.get("/history/player").status_code == 404
    assert len(rows(stranger, "/history.csv")) == 1


def summary_on(text: str) -> dict[str, str]:
    """The figures of a player's page, by their names."""
    return dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]*)</dd>", text))


def test_a_game_that_was_ended_early_is_marked_and_never_counted(client: FlaskClient) -> None:
    won_by(client, "Ada", "Bob", winner=1)
    joke = Phone(client, start(client, "sequence", "Ada", "Eva"))
    client.get(joke.base)
    joke.throw(1, 2, 3, 4, 5, 6)
    end(client, joke.base)
    lists = page(client, "/history")
    assert lists.count("ended early · ") == 1
    assert re.search(r'name=Ada[^<]*">Ada</a>.*?</th><td>1</td><td>0</td><td>5</td>', lists)
    assert "name=Eva" not in lists
    address = re.search(r'href="(/history/player[^"]*name=Ada[^"]*)"', lists)[1].replace("&amp;", "&")
    assert summary_on(page(client, address)).items() >= {"Won": "0", "Played": "1", "Best": "5"}.items()
    assert '<th scope="row">Eva</th>' not in page(client, address)
    assert client.get("/history/player?game=sequence&name=Eva").status_code == 404
    assert [line[5] for line in rows(client, "/history.csv")[1:]] == ["", "", "yes", "yes"]
    assert "This game was ended early" in page(client, f"{joke.base}/statistics")


@pytest.mark.parametrize("most", [1000, 0], ids=["few visits", "many visits"])
def test_early_ends_hide_no_others(client: FlaskClient, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr("web.store.visits.FEW_VISITS", most)
    for letter in "ab":
        joke = start(client, "farkle", *(f"{letter}{number}" for number in range(12)))
        client.get(joke)
        end(client, joke)
    assert "All results (CSV)" in page(client, "/history")
    won_by(client, "Zoe")
    assert page(client, "/history").count("player-link") == page(client, "/history").count("name=Zoe") == 1


def test_a_game_that_goes_on_after_its_end_was_undone_counts_as_played_out(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", target=25))
    client.get(phone.base)
    end(client, phone.base)
    assert "ended early · " in page(client, "/history")
    phone.look()
    phone.post("undo")
    phone.throw(1, 2, 3, 4, 5, 6)
    assert phone.standing["over"]
    assert "ended early" not in page(client, "/history")


def test_results_turns_and_throws_as_csv(client: FlaskClient) -> None:
    phone = won_by(client, "Kateřina", "Bob", winner=1)
    heads, *lines = rows(client, "/history.csv")
    assert heads == ["Time", "Game", "Player", "Points", "Place", "Ended early", "BoardGameGeek"]
    assert [line[1:] for line in lines] == [
        ["Sequence", "Kateřina", "5", "2", "", ""],
        ["Sequence", "Bob", "25", "1", "", ""],
    ]
    assert rows(client, f"{phone.base}/turns.csv")[1:] == [["1", "Kateřina", "5", "5"], ["1", "Bob", "25", "25"]]
    thrown = rows(client, f"{phone.base}/throws.csv")[1:]
    assert [(line[0], line[1], line[3]) for line in thrown] == [
        ("1", "Kateřina", "1 2 4 4 6 6"),
        ("2", "Bob", "1 2 3 4 5 6"),
    ]


def test_a_file_is_as_the_spreadsheets_of_its_language_want_it(client: FlaskClient) -> None:
    phone = won_by(client, "Ada")
    client.set_cookie("language", "cs")
    assert rows(client, f"{phone.base}/turns.csv", ";")[0] == ["Tah", "Hráč", "Body", "Celkem"]
