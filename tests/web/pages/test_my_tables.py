"""The lists of a phone with many games: windows that lead to one another, files that follow one another."""

import csv
import io
import re
from collections.abc import Callable
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import Phone, bring, start
from tests.web.postgres import both_engines
from web.pages import my_tables, statistics_pages
from web.statistics import player_games
from web.table.score_history import ScoreHistory

PHONE = "a-phone-that-played-a-lot"
GAME = "sequence"
GAMES = 9


def play(app: Flask, *players: str) -> str:
    """A game that the first of these players won at once. Returns its key."""
    client = app.test_client()
    client.set_cookie("device", PHONE)
    phone = Phone(client, start(client, GAME, *players, target=25))
    client.get(phone.base)
    phone.throw(1, 2, 3, 4, 5, 6)
    assert phone.standing["over"]
    return phone.key


@pytest.fixture
def keys(app: Flask) -> list[str]:
    """Finished games of Ada against one other player each, the newest first."""
    return [play(app, "Ada", f"Player {number}") for number in range(GAMES)][::-1]


@pytest.fixture
def regular(app: Flask) -> FlaskClient:
    """The phone that was at all these tables."""
    client = app.test_client()
    client.set_cookie("device", PHONE)
    return client


def text_of(client: FlaskClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.get_data(as_text=True)


def link(text: str, label: str) -> str | None:
    found = re.search(f'<a class="button"[^>]*href="([^"]+)"[^>]*>{re.escape(label)}</a>', text)
    return None if found is None else unescape(found[1])


def shown_keys(text: str) -> list[str]:
    """The keys of the tables that a list shows."""
    return re.findall(r'class="card" href="/tables/([^"/]+)"', text)


def windows(client: FlaskClient, path: str, label: str, find: Callable[[str], list[str]]) -> list[list[str]]:
    """What each window shows, following the link of this label to the end."""
    found = []
    at: str | None = path
    while at is not None:
        text = text_of(client, at)
        found.append(find(text))
        at = link(text, label)
    return found


@both_engines
def test_finished_games_come_in_windows(
    app: Flask, regular: FlaskClient, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(my_tables, "TABLES", 4)
    found = windows(regular, "/history", "Older games", shown_keys)
    assert found == [keys[:4], keys[4:8], keys[8:]]
    older = link(text_of(regular, "/history"), "Older games")
    assert older is not None
    play(app, "Ada", "Somebody new")
    assert shown_keys(text_of(regular, older)) == keys[4:8], "what ends meanwhile moves nothing"
    assert link(text_of(regular, older), "Newest games") == "/history"


@both_engines
def test_running_and_removed_tables_have_windows_of_their_own(
    app: Flask, regular: FlaskClient, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(my_tables, "TABLES", 2)
    begun = []
    for _ in range(5):
        begun.append(start(regular, GAME, "Ada").rpartition("/")[2])
        regular.get(f"/tables/{begun[-1]}")
    begun.reverse()
    found = windows(regular, f"/history?running={10**9}", "Older games", shown_keys)
    assert found == [begun[:2], begun[2:4], begun[4:]]
    for key in keys:
        assert regular.post(f"/history/forget/{key}").status_code == 303
    found = windows(regular, f"/history?removed={10**9}", "Older games", shown_keys)
    assert [key for window in found for key in window] == keys
    assert keys[-1] not in text_of(regular, "/history")
    assert f"/history/restore/{keys[-1]}" in text_of(regular, f"/history?taken={keys[-1]}"), "however old it is"


@both_engines
def test_players_come_in_windows(regular: FlaskClient, keys: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(keys) == GAMES
    monkeypatch.setattr(player_games.persons, "__defaults__", (4,))

    def names(text: str) -> list[str]:
        return re.findall(r'class="player-link"[^>]*>([^<]+)<', text)

    everybody = ["Ada", *(f"Player {number}" for number in range(GAMES))]
    found = windows(regular, "/history", "More players", names)
    assert found == [everybody[:4], everybody[4:8], everybody[8:]]
    assert names(text_of(regular, "/history/players")) == everybody[:4]
    assert "There are no further players." in text_of(regular, "/history/players?after=zzz")


@both_engines
def test_the_games_of_a_player_come_in_windows_and_count_all(
    regular: FlaskClient, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics_pages, "SHOWN_RESULTS", 4)

    def tables(text: str) -> list[str]:
        assert re.search(rf"<dt>Played</dt><dd>{GAMES}</dd>", text), "the figures count every game"
        assert "<dt>Best turn</dt><dd>25</dd>" in text
        return re.findall(r'href="/tables/([^"/]+)/statistics"', text)

    found = windows(regular, f"/history/player?name=Ada&game={GAME}", "Older games", tables)
    assert found == [keys[:4], keys[4:8], keys[8:]]


def lines(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))[1:]


def test_files_of_results_follow_one_another(
    regular: FlaskClient, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = regular.get("/history.csv")
    assert "Link" not in whole.headers
    assert link(text_of(regular, "/history"), "All results (CSV)") == "/history.csv"
    monkeypatch.setattr(my_tables, "GAMES_OF_A_FILE", 4)
    found: list[list[list[str]]] = []
    path = "/history.csv"
    while path:
        answer = regular.get(path)
        found.append(lines(answer.data))
        path, _, relation = answer.headers.get("Link", "").partition(">; rel=")
        path = path.removeprefix("<")
        assert relation in ('"next"', "")
    assert [len(each) for each in found] == [8, 8, 2], "two players a game"
    assert [line for each in found for line in each] == lines(whole.data)
    assert link(text_of(regular, "/history"), "All results (CSV)") == "/history/files"
    files = re.findall(r'download href="([^"]+)"', text_of(regular, "/history/files"))
    assert [lines(regular.get(each).data) for each in files] == found
    assert len(keys) == GAMES


def test_a_copy_counts_once_in_whichever_file_it_would_stand(
    app: Flask, regular: FlaskClient, keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(my_tables, "GAMES_OF_A_FILE", 4)
    before = lines(regular.get("/history.csv").data)
    record = regular.get(f"/tables/{keys[-1]}/record.json").data
    regular.get(bring(regular, record).base)
    assert lines(regular.get("/history.csv").data) == before
    text = text_of(regular, f"/history/player?name=Ada&game={GAME}")
    assert re.search(rf"<dt>Played</dt><dd>{GAMES}</dd>", text)


@pytest.mark.whole
@both_engines
def test_odd_arguments_show_the_beginning_or_nothing(regular: FlaskClient, keys: list[str]) -> None:
    for odd in ("x", "-1", "9" * 30, "%00", "1%00", ""):
        for path in ("/history?finished=", "/history?running=", "/history?removed=", "/history?taken="):
            assert keys[0] in text_of(regular, path + odd)
        assert regular.get(f"/history/players?after={odd}").status_code == 200
        assert len(lines(regular.get(f"/history.csv?after={odd}").data)) == 2 * GAMES
        assert regular.get(f"/history/player?game={GAME}&name={odd}").status_code == 404
        assert keys[0] in text_of(regular, f"/history/player?game={GAME}&name=Ada&before={odd}")


def test_many_turns_make_a_file_in_linear_time(
    app: Flask, regular: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What each player's turns brought is worked out once, and not for each line."""
    phone = Phone(regular, start(regular, GAME, "Ada", "Bob", target=1000))
    for _ in range(30):
        phone.throw(2, 2, 3, 3, 4, 6)
    asked: list[int] = []
    gains = ScoreHistory.gains

    def count_and_answer(history: ScoreHistory, player: int) -> list[int]:
        asked.append(player)
        return gains(history, player)

    monkeypatch.setattr(ScoreHistory, "gains", count_and_answer)
    assert len(lines(regular.get(f"{phone.base}/turns.csv").data)) == 30
    assert asked == [0, 1]
