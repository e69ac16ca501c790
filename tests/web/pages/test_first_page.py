"""The first page: tables to go on with, joining, a new table; and names that people take for one."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from tests.web.phones import Phone, end, start
from tests.web.stored import log
from web.pages.my_tables import FIRST, GROUPS
from web.services import services
from web.store.stamps import now
from web.table.names import distinct, find_alike, name_key
from web.table.stored_table import Entry


def first_page(client: FlaskClient) -> str:
    return client.get("/").get_data(as_text=True)


def whole_first_page(client: FlaskClient) -> str:
    """With the games of all families, which else come when they are asked for."""
    return client.get("/?all=1").get_data(as_text=True)


def games_in_order(page: str) -> list[str]:
    return re.findall(r'name="game" value="([^"]+)"', page)


def test_whoever_scans_the_terminals_code_sees_how_to_join(app: Flask, client: FlaskClient) -> None:
    base = start(client)
    other = app.test_client()
    page = first_page(other)
    assert base not in page, "a phone is shown only the tables that it has been at"
    assert page.index('href="/join"') < page.index('id="new-table"')
    code = services(app).runner.row(base.rsplit("/", 1)[1]).code
    other.post("/join", data={"code": code}, follow_redirects=True)
    assert base in first_page(other)


def test_a_running_table_is_shown_with_its_game_names_scores_and_age(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "Bob"))
    client.get(phone.base)
    phone.throw(1, 2, 3, 4, 6, 6)
    card = first_page(client).split(f'href="{phone.base}"')[1].split("</a>")[0]
    assert "Sequence" in card
    assert re.search(r"Ada&nbsp;<strong>15</strong>.*Bob&nbsp;<strong>0</strong>", card)
    assert "1 minute ago" in card
    assert first_page(client).index(phone.base) < first_page(client).index('id="new-table"')


@pytest.mark.parametrize("page", ["/", "/history"])
def test_a_running_table_is_shown_with_who_plays_there_now(client: FlaskClient, page: str) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "Bob"))
    client.get(phone.base)
    assert client.get(page).get_data(as_text=True).count("Bob") > 0
    phone.act(do="adjust", what="player-renamed", player=0, name="Adela")
    phone.act(do="adjust", what="player-added", name="Cyril")
    phone.act(do="adjust", what="player-removed", player=1)
    card = client.get(page).get_data(as_text=True).split(f'href="{phone.base}"')[1].split("</a>")[0]
    assert [name for name in ("Ada", "Adela", "Bob", "Cyril") if re.search(rf"\b{name}\b", card)] == ["Adela", "Cyril"]
    phone.post("undo")
    card = client.get(page).get_data(as_text=True).split(f'href="{phone.base}"')[1].split("</a>")[0]
    assert "Bob" in card


def won(client: FlaskClient, game: str = "sequence", *players: str, base: str = "") -> Phone:
    """A phone at a table that its first throw has won."""
    phone = Phone(client, base or start(client, game, *players, target=25))
    phone.throw(1, 2, 3, 4, 5, 6)
    return phone


def test_a_finished_table_is_not_to_be_gone_on_with(client: FlaskClient) -> None:
    assert f'href="{won(client, "sequence", "Ada").base}"' not in first_page(client)


def offers(client: FlaskClient) -> list[tuple[str, str, str]]:
    """The games that the first page offers to play again: the address, who begins, and the words."""
    forms = re.findall(
        r'action="(/tables/[^"]+/again)".*?name="begins" value="(.)">(.*?)</form>', first_page(client), re.S
    )
    return [(action, begins, " ".join(re.sub(r"<[^>]*>", " ", words).split())) for action, begins, words in forms]


def test_a_finished_game_is_played_again_with_one_tap(app: Flask, client: FlaskClient) -> None:
    phone = won(client, "sequence", "Ada", "Bob", "Eva")
    assert offers(client) == [(f"{phone.base}/again", "1", "Sequence again Bob, Eva, Ada")]
    assert offers(app.test_client()) == [], "no other phone is told of it"
    action, begins, _ = offers(client)[0]
    there = client.post(action, data={"begins": begins}).headers["Location"]
    assert [player["name"] for player in Phone(client, there).standing["players"]] == ["Bob", "Eva", "Ada"]
    assert Phone(client, there).standing["options"]["target"] == 25, "the house rules stay"
    assert first_page(client).index(there) < first_page(client).index(action), "a running game comes first"


def test_whoever_missed_some_games_is_led_to_the_newest(client: FlaskClient) -> None:
    old = won(client, "sequence", "Ada", "Bob")
    second = won(client, base=client.post(f"{old.base}/again", data={"begins": "1"}).headers["Location"])
    third = client.post(f"{old.base}/again", data={"begins": "1"}).headers["Location"]
    assert third not in (old.base, second.base)
    assert [player["name"] for player in Phone(client, third).standing["players"]] == ["Ada", "Bob"]
    assert client.post(f"{old.base}/again", data={"begins": "0"}).headers["Location"] == third


def test_three_games_are_offered_each_once_and_none_that_is_closed(client: FlaskClient) -> None:
    for name in ("Ada", "Bob"):
        won(client, "sequence", name)
    for game in ("farkle", "zilch", "pig", "knaster"):
        end(client, start(client, game, "Ada"))
    assert [words for *_, words in offers(client)] == ["Knaster again Ada", "Pig again Ada", "Zilch again Ada"]
    base = offers(client)[0][0].removesuffix("/again")
    assert Phone(client, base).post("closed", closed=True).status_code == 200
    assert [words for *_, words in offers(client)] == ["Pig again Ada", "Zilch again Ada", "Farkle again Ada"]


def test_a_damaged_table_keeps_nobody_from_the_others(app: Flask, client: FlaskClient) -> None:
    sound, damaged = start(client, "farkle", "Ada"), start(client, "zilch", "Bob")
    runner = services(app).runner
    row = runner.row(damaged.rsplit("/", 1)[1])
    log(runner.store, row, store_entry({"do": {"do": "bank"}}))
    runner._cache.clear()
    page = first_page(client)
    assert sound in page
    assert damaged in page
    assert "Bob" in page.split(f'href="{damaged}"')[1].split("</a>")[0]


def store_entry(body: dict[str, object]) -> Entry:
    return Entry(1, "request-damaged", body, "", now())


def test_the_game_played_last_comes_first_then_those_played_most(client: FlaskClient) -> None:
    assert 'value="farkle" checked' in first_page(client)
    for game in ("zilch", "knaster", "zilch", "yatzy"):
        start(client, game)
    page = first_page(client)
    assert games_in_order(page)[:3] == ["yatzy", "zilch", "knaster"]
    assert games_in_order(page)[3:] == [game for game in FIRST if game not in ("knaster", "yatzy")][: len(FIRST) - 3]
    assert 'value="yatzy" checked' in page


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [("Eva", "eva", True), ("Eva  K.", " eva k.", True), ("Zoe\u0301", "Zo\u00e9", True), ("Eva", "Ewa", False)],
)
def test_names_that_people_take_for_one(name: str, other: str, same: bool) -> None:
    assert (name_key(name) == name_key(other)) is same
    assert find_alike([name, "Bob", other]) == ((name, other) if same else None)
    assert distinct([name, other]) == ([name] if same else [name, other])


def test_two_at_one_table_are_not_to_be_mistaken_for_each_other(client: FlaskClient) -> None:
    """Their statistics would be one person's; whoever asks for that has not seen it."""
    refused = client.post("/tables", data={"game": "kosci", "player": ["Eva", "Bob", "eva"]})
    assert refused.status_code == 422
    page = refused.get_data(as_text=True)
    assert "“Eva” and “eva” look like one player." in page
    assert 'value="eva"' in page, "what was typed stays"


def test_a_name_is_offered_once_as_it_was_written_last(client: FlaskClient) -> None:
    start(client, "farkle", "eva", "Bob")
    start(client, "farkle", "Eva")
    assert re.findall(r'data-name="([^"]+)"', first_page(client)) == ["Eva", "Bob"]


def families(page: str) -> tuple[str, list[str]]:
    """What stands before the families, and each family."""
    played, *found = page.split('<details class="family"')
    return played, found


def keys_in(part: str) -> list[str]:
    return re.findall(r'name="game" value="([^"]+)"', part)


def test_all_games_stand_in_families_with_a_sentence_each(client: FlaskClient) -> None:
    first, found = families(whole_first_page(client))
    assert keys_in(first) == list(FIRST)
    assert len(found) == len(GROUPS)
    of_families = [key for each in found for key in keys_in(each)]
    assert sorted([*of_families, *FIRST]) == sorted(info.key for info in scorer.all_games())
    sheets, races, short, hands, pads = (set(keys_in(each)) for each in found)
    assert {"kosci", "drapky", "kniffel"} <= sheets
    assert {"zilch", "six-dice", "greed"} <= races
    assert {"sequence", "forbidden-numbers", "pig", "bunco", "shut-the-box"} <= short
    assert {"threes", "mexico", "ship-captain-crew"} <= hands
    assert pads == {"score-pad"}
    assert [each.count("<br>") for each in found] == [1, 1, 1, 1, 1], "one sentence"


def test_the_games_of_families_and_house_rules_come_when_they_are_asked_for(client: FlaskClient) -> None:
    _, found = families(first_page(client))
    assert [keys_in(each) for each in found] == [[], [], [], [], []]
    lists = client.get("/?part=games").get_data(as_text=True).split("<div>")[1:]
    _, whole = families(whole_first_page(client))
    assert [keys_in(each) for each in lists] == [keys_in(each) for each in whole]
    assert 'class="options"' not in first_page(client)
    rules = client.get("/?part=options&game=zilch").get_data(as_text=True)
    assert re.findall(r'<fieldset data-options="([^"]+)"', rules) == ["zilch"]
    assert rules.strip() in whole_first_page(client)
    _, found = families(client.get("/?game=zilch").get_data(as_text=True))
    assert ["zilch" in keys_in(each) for each in found] == [False, True, False, False, False], "its family is open"


def test_games_that_were_played_here_stand_first(client: FlaskClient) -> None:
    start(client, "kniffel")
    start(client, "farkle")
    played, found = families(whole_first_page(client))
    assert keys_in(played) == ["farkle", "kniffel", "ones-and-fives", "yahtzee", "kosci-single", "yatzy"]
    assert 'value="farkle" checked' in played
    assert {"farkle", "kniffel"}.isdisjoint(key for each in found for key in keys_in(each))


def test_knaster_says_who_begins_before_it_is_started(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept-Language": "cs"}).get_data(as_text=True)
    said = re.findall(r'<p class="hint" data-options="([^"]+)">([^<]+)</p>', page)
    assert said == [("knaster", "Začíná nejmladší hráč.")]
