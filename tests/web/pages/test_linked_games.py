"""Games that come by a link: from one server to another, checked there, kept with one tap."""

from __future__ import annotations

import html
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.definitions.game_link import link_of
from scorer.games import text_of
from tests.scorer.definitions.test_game_link import packed
from tests.web.apps import create_app
from tests.web.pages.test_own_games import OURS, page_of, save, whole_game
from tests.web.phones import JSON, Phone, bring, send_record, start
from web.services import services

LANGUAGE = {"Accept-Language": "cs"}


def link_on_page(client: FlaskClient, address: str) -> str:
    found = re.search(r'id="game-link" href="([^"]*)"', page_of(client, address))
    assert found
    return html.unescape(found[1])


def look(client: FlaskClient, link: str, **headers: str) -> Any:
    return client.post("/game", json={"link": link}, headers=headers)


def test_a_game_goes_from_one_server_to_another_by_its_link(client: FlaskClient, tmp_path: Path) -> None:
    made = save(client).get_json()
    link = link_on_page(client, made["page"])
    assert link == f"/#{link_of(OURS, 'our-farkle')}"
    elsewhere = create_app(tmp_path / "elsewhere").test_client()
    assert 'id="linked-game"' in page_of(elsewhere, "/game")
    shown = look(elsewhere, link)
    assert shown.status_code == 200
    part = shown.get_json()["part"]
    assert "<h1>Our Farkle</h1>" in part
    assert f"{OURS.count('[[example]]')} examples hold" in part
    assert "Push your luck" in part
    assert made["key"] not in page_of(elsewhere, "/"), "who only looks keeps nothing"
    hidden = re.search(r'name="link" value="([^"]*)"', part)
    assert hidden
    kept = elsewhere.post("/game/keep", data={"link": html.unescape(hidden[1])})
    assert kept.headers["Location"] == f"/?game={made['key']}", "the same game has the same key everywhere"
    assert f'value="{made["key"]}" checked' in page_of(elsewhere, kept.headers["Location"])
    services(elsewhere.application).close()


def test_the_address_of_a_page_at_this_machine_is_one_that_others_reach(tmp_path: Path) -> None:
    app = create_app(tmp_path / "data", base_url="http://192.168.1.5:8000/")
    client = app.test_client()
    assert link_on_page(client, save(client).get_json()["page"]).startswith("http://192.168.1.5:8000/#g=our-farkle.")
    services(app).close()


def test_a_pasted_link_leads_to_its_page_without_reaching_the_address(client: FlaskClient) -> None:
    link = link_of(OURS, "our-farkle")
    answer = client.post("/game/open", data={"link": f"Our game: http://10.0.0.1/#{link}\n"})
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/game#{link}"
    wrong = client.post("/game/open", data={"link": "http://10.0.0.1/g/0123456789ab"}, headers=LANGUAGE)
    assert wrong.status_code == 422
    assert "#g=" in wrong.get_data(as_text=True)


@pytest.mark.parametrize(
    ("link", "said"),
    [("", "#g="), (packed(zlib.compress(OURS.replace("worth = 1", "worth = 7").encode(), 9)), "the rules make it")],
)
def test_what_is_no_game_is_refused_in_one_sentence(client: FlaskClient, link: str, said: str) -> None:
    for answer in (look(client, link), client.post("/game/keep", data={"link": link}, headers=JSON)):
        assert answer.status_code == 422
        assert said in answer.get_json()["detail"].replace("\u00a0", " ")


def test_a_link_is_counted_and_cut_before_its_game_is_checked(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(services(app).limits, "count", lambda limit, *_: counted.append(limit.what))
    checked: list[str] = []
    monkeypatch.setattr(services(app).checker, "ask", lambda payer, question, text, *_: checked.append(text))
    assert look(client, "#g=cut.abc").status_code == 422
    assert (counted, checked) == (["try"], [])
    assert look(client, str(link_of(OURS, "ours"))).status_code == 200
    assert (counted, checked) == (["try"] * 2, [OURS])


def test_texts_of_a_linked_game_are_shown_as_text(client: FlaskClient) -> None:
    file = text_of("fifty").replace('title = "Fifty"', 'title = "<img src=x onerror=alert(1)> "', 1)
    assert "<img src=x" in file
    part = look(client, str(link_of(file, "ours"))).get_json()["part"]
    assert "<img src=x" not in part


def test_a_game_too_large_for_a_link_says_what_helps(client: FlaskClient) -> None:
    noise = "".join(f"# {zlib.crc32(str(each).encode()):x} {each}\n" for each in range(900))
    shown = page_of(client, save(client, OURS + noise).get_json()["page"])
    assert 'id="game-link"' not in shown
    assert "too large for a link" in shown


def test_a_table_goes_on_elsewhere_from_the_record_of_a_made_game(client: FlaskClient, tmp_path: Path) -> None:
    made = save(client).get_json()
    phone = Phone(client, start(client, made["key"]))
    phone.throw(1, 1, 2, 3, 4, 6)
    record = phone.record()
    assert record["file"] == OURS
    elsewhere = create_app(tmp_path / "elsewhere").test_client()
    there = bring(elsewhere, record)
    assert there.standing["turn"] == phone.standing["turn"]
    whole_game(there, 5)
    following = elsewhere.post(f"{there.base}/again", data={"begins": "1"}).headers["Location"]
    assert Phone(elsewhere, following).standing["game"] == "our-farkle"
    wrong = {**record, "file": OURS.replace("worth = 1", "worth = 7")}
    assert send_record(elsewhere, wrong).status_code == 422
    services(elsewhere.application).close()
