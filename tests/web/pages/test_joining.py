"""Getting to a table, and not getting to one."""

import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from scorer.games.knaster import LINE_POINTS
from tests.web.apps import create_app
from tests.web.phones import Phone, bring, end, start
from tests.web.postgres import both_engines
from web.services import services
from web.store import stamps, store
from web.texts import release


@both_engines
def test_a_short_code_leads_to_the_table(app: Flask, phone: Phone) -> None:
    code = services(app).runner.row(phone.key).code
    assert len(code) == 6
    other = app.test_client()
    for typed in (f" {code.lower()} ", f"{code[:3]} {code[3:]}"):
        joined = other.post("/join", data={"code": typed})
        assert joined.status_code == 303
        assert joined.headers["Location"] == phone.base
    assert other.get(f"/j/{code}").headers["Location"] == phone.base


class Clock:
    """Stands in for the time of the store: what is stored and what is measured go on together."""

    def __init__(self) -> None:
        self.at = time.time()

    def time(self) -> float:
        return self.at

    monotonic = time


@pytest.mark.parametrize("opened", ["", "/qr.svg"], ids=["the table", "its invitation"])
@pytest.mark.parametrize("restarted", [False, True])
def test_who_opens_a_table_renews_its_short_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: str, restarted: bool, database: str | None
) -> None:
    clock = Clock()
    for module in (store, stamps):
        monkeypatch.setattr(module, "time", clock)
    application = create_app(tmp_path / "evening", database=database, reads=True)
    phone = Phone(application.test_client(), start(application.test_client()))
    code = services(application).runner.row(phone.key).code
    for _ in range(2):  # the next evening, and the one after
        clock.at += 24 * 3600
        for _ in range(2):
            refused = application.test_client().post("/join", data={"code": code})
            assert refused.status_code == 404, "trying it does not renew it"
        assert application.test_client().get(f"/j/{code}").status_code == 404
        assert phone.client.get(phone.base + opened).status_code == 200
        clock.at += 11 * 3600
        if restarted:
            services(application).close()
            application = create_app(tmp_path / "evening", database=database, reads=True)
            phone.client = application.test_client()
        joined = application.test_client().post("/join", data={"code": code})
        assert joined.headers["Location"] == phone.base
    services(application).close()


def test_a_phone_that_comes_again_is_remembered_for_another_year(client: FlaskClient) -> None:
    start(client)
    given = [client.get(path).headers["Set-Cookie"] for path in ("/history", "/history")]
    assert given[0].split(";")[0] == given[1].split(";")[0], "the same phone"
    assert all("Max-Age=31536000" in cookie for cookie in given)


def test_wrong_names_and_options_are_said_on_the_page(client: FlaskClient) -> None:
    target = client.post("/tables", data={"game": "farkle", "player": ["Ada"], "farkle.target": "many"})
    assert target.status_code == 422
    assert client.post("/tables", data={"game": "chess", "player": ["Ada"]}).status_code == 422


class Fields(HTMLParser):
    """What a page's form would send as it stands, and whether its section of house rules is open."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: dict[str, list[str]] = {}
        self.open = False
        self.pressed: list[str | None] = []
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "details" and given.get("class") == "house":
            self.open = "open" in given
        if tag == "select":
            self._select = name
        if tag == "option" and "selected" in given:
            self.sent.setdefault(self._select, []).append(value)
        if tag == "input" and (given.get("type") not in ("radio", "checkbox") or "checked" in given):
            self.sent.setdefault(name, []).append(value)
        if tag == "button" and given.get("aria-pressed") == "true":
            self.pressed.append(given.get("data-name"))


def test_a_refused_form_keeps_everything_that_was_chosen(client: FlaskClient) -> None:
    start(client, "farkle", "Ada", "Bob")  # names to tap
    fresh = Fields(client.get("/?all=1").get_data(as_text=True))
    assert not fresh.open
    other: dict[str, str] = {}
    for info in scorer.games():
        for option in (part for each in info.options for part in each.parts):
            name, kind = f"{info.key}.{option.name}", option.kind()
            if kind["kind"] == "flag":
                other[name] = "false" if option.default else "true"
            elif kind["kind"] == "choice":
                other[name] = next(value for value in kind["choices"] if value != option.default)
            else:
                other[name] = str(kind["high"])
            assert fresh.sent[name] == [option.default_text], name
    assert len(other) > 10
    form = {**other, "game": "kosci", "player": ["Ada", "Ada"], "keep_corrections": "yes"}
    refused = client.post("/tables", data=form)
    assert refused.status_code == 422
    kept = Fields(refused.get_data(as_text=True))
    assert kept.open
    assert kept.pressed == ["Ada"]
    assert {name: kept.sent.get(name) for name in other} == {name: [value] for name, value in other.items()}
    assert kept.sent["game"] == ["kosci"]
    assert kept.sent["keep_corrections"] == ["yes"]
    assert [name for name in kept.sent["player"] if name] == ["Ada", "Ada"]


def test_the_points_of_knaster_are_given_line_by_line(client: FlaskClient) -> None:
    form = {"game": "knaster", "player": ["Ada"], "knaster.line_points.r1": "7", "knaster.line_points.d2": ""}
    key = client.post("/tables", data=form).headers["Location"]
    assert client.get(f"{key}/record.json").get_json()["options"] == {"line_points": {**LINE_POINTS, "r1": 7}}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "“points printed at the lines: column 2” must be a whole number from 0 to 1000, not 5,000"),
        ("cs", "„body vytištěné u\u00a0řad: sloupec 2“ má být celé číslo od 0 do 1000, zadáno 5\u202f000"),
        ("pl", "„punkty wydrukowane przy liniach: kolumna 2” ma być: liczba całkowita od 0 do 1000, podano 5\u202f000"),
    ],
)
def test_a_wrong_number_is_refused_by_its_title(client: FlaskClient, language: str, said: str) -> None:
    client.set_cookie("language", language)
    form = {"game": "knaster", "player": ["Ada"], "knaster.line_points.c2": "5000"}
    refused = client.post("/tables", data=form)
    assert refused.status_code == 422
    page = Fields(refused.get_data(as_text=True))
    assert said in refused.get_data(as_text=True)
    assert page.open
    assert page.sent["knaster.line_points.c2"] == ["5000"]


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ({}, False),
        ({"keep_corrections": "yes"}, True),
        ({"advice": "best"}, True),
        ({"advice": "all"}, False),
        ({"dice_set": "", "keeps_pictures": "true"}, True),
        ({"farkle.target": "10000"}, True),
        ({"zilch.target": "1"}, False),
    ],
)
def test_the_section_is_open_again_where_it_was(client: FlaskClient, chosen: dict[str, str], shown: bool) -> None:
    form = {"game": "farkle", "player": ["Ada", "Ada"], **chosen}
    assert Fields(client.post("/tables", data=form).get_data(as_text=True)).open is shown


def shown_address(app: Flask, base_url: str) -> str:
    """What a table's page says that another phone should type."""
    client = app.test_client()
    page = client.get(start(client), base_url=base_url).get_data(as_text=True)
    setup = json.loads(page.split('id="setup">')[1].split("</script>")[0])
    assert f">{setup['short']}<" in client.get(f"{setup['base']}/board", base_url=base_url).get_data(as_text=True)
    return str(setup["short"])


def test_with_https_the_whole_address_is_shown_to_be_typed(app: Flask) -> None:
    """A browser takes an address without its scheme for http, which the server's port does not speak then."""
    assert shown_address(app, "https://192.168.1.5:8000") == "https://192.168.1.5:8000"
    assert shown_address(app, "http://192.168.1.5:8000") == "192.168.1.5:8000"
    page = app.test_client().get("/help", base_url="https://192.168.1.5:8000").get_data(as_text=True)
    assert "https://192.168.1.5:8000/" in page
    assert "http://" not in page.split('id="connect"')[1].split("</section>")[0]


def test_the_help_names_the_computers_other_addresses(tmp_path: Path) -> None:
    urls = ["http://192.168.1.5:8000/", "http://10.8.0.2:8000/"]
    application = create_app(tmp_path / "other", base_url=urls[0], other_urls=urls[1:])
    client = application.test_client()
    connecting = '<section id="connect">'
    assert urls[1] in client.get("/help").get_data(as_text=True).split(connecting)[1]
    page = client.get(start(client)).get_data(as_text=True)
    setup = json.loads(page.split('id="setup">')[1].split("</script>")[0])
    assert (setup["server"], setup["others"]) == (urls[0], urls[1:]), "for those who are not in yet, in the invitation"
    reached = client.get("/help", base_url=urls[1]).get_data(as_text=True).split(connecting)[1]
    assert urls[0] in reached
    services(application).close()


def test_a_table_has_one_next_table_whoever_asks_first(app: Flask, client: FlaskClient) -> None:
    """Every phone at the ended table is told of it, and is led to the same one."""
    phone = Phone(client, start(client, "sequence", "Ada", "Bob", target=25))
    other = Phone(app.test_client(), phone.base)
    phone.throw(1, 2, 3, 4, 5, 6)
    assert phone.state["next"] is None
    before = other.look()
    fresh = phone.client.post(f"{phone.base}/again").headers["Location"]
    told = other.look()
    assert f"/tables/{told['next']}" == fresh
    assert told["version"] == before["version"], "it is no step of the game"
    assert told["stamp"] != before["stamp"], "but news"
    assert other.client.post(f"{phone.base}/again").headers["Location"] == fresh
    assert Phone(client, fresh).state["next"] is None
    end(client, fresh)
    third = client.post(f"{fresh}/again").headers["Location"]
    assert third not in (fresh, phone.base), "and so on"


def phone_at_the_end(client: FlaskClient) -> Phone:
    """A phone at a game that is over."""
    phone = Phone(client, start(client, "sequence", "Ada", "Bob", target=25))
    phone.client.get(phone.base)
    phone.throw(1, 2, 3, 4, 5, 6)
    assert phone.standing["over"]
    return phone


def counts(client: FlaskClient) -> list[str]:
    """How many games the list of players counts for each."""
    page = client.get("/history").get_data(as_text=True)
    return re.findall(r"Sequence</span></th><td>(\d+)</td>", page)


@both_engines
def test_what_is_taken_off_the_list_still_counts_and_can_be_put_back(client: FlaskClient) -> None:
    phone = phone_at_the_end(client)
    key = phone.key
    listed, counted = "Remove from this list", ["1", "1"]
    assert listed in client.get("/history").get_data(as_text=True)
    assert counts(client) == counted
    after = client.post(f"/history/forget/{key}").headers["Location"]
    page = client.get(after).get_data(as_text=True)
    assert listed not in page
    assert "was removed from this list" in page
    assert "has not been at a table" not in page
    assert page.count(f"/history/restore/{key}") == 2, "it is offered at once, and later"
    later = client.get("/history").get_data(as_text=True)
    assert phone.base in later, "the address, which nobody could guess, is not lost"
    assert counts(client) == counted
    assert client.post(f"/history/restore/{key}").status_code == 303
    assert listed in client.get("/history").get_data(as_text=True)
    client.post(f"/history/forget/{key}")
    client.get(phone.base)
    assert listed in client.get("/history").get_data(as_text=True), "who opens a table has it in the list again"


def test_a_game_that_is_imported_counts_once(app: Flask, client: FlaskClient) -> None:
    phone = phone_at_the_end(client)
    record = phone.record()
    bring(client, record)
    assert counts(client) == ["1", "1"], "it is the game that was played here"
    stranger = app.test_client()
    copy = bring(stranger, dict(reversed(record.items())))
    bring(stranger, record)
    assert counts(stranger) == ["1", "1"], "whoever has copies only has the game once"
    copy.post("undo")
    assert counts(stranger) == ["1", "1"]
    copy.throw(1, 1, 2, 3, 4, 6)
    while not copy.standing["over"]:
        copy.throw(1, 2, 3, 4, 5, 6)
    assert counts(stranger) == ["2", "2"], "another end is another game"


def test_two_games_that_happen_to_be_alike_count_both(client: FlaskClient) -> None:
    phone_at_the_end(client)
    phone_at_the_end(client)
    assert counts(client) == ["2", "2"]


def test_a_game_that_was_imported_unfinished_counts_when_it_is_over(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "Bob", target=25))
    other = bring(client, phone.record())
    assert counts(client) == []
    other.throw(1, 2, 3, 4, 5, 6)
    assert counts(client) == ["1", "1"]


def test_help_names_the_program(client: FlaskClient) -> None:
    page = client.get("/help").get_data(as_text=True)
    assert f"Rollcall {release.full_version()}</p>" in page
    assert 'href="/source.tar.gz"' in page
    assert "AGPL" in page
