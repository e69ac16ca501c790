"""Whatever is said of a game that people made is said in their own words, in the language of each phone."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from tests.web.phones import JSON, Phone, any_legal, send_record, start
from web.pages.errors import sentence
from web.programs.mqtt.home_entities import home_table
from web.services import services

MARKED = re.compile(r"\b(?:the|cell)-[a-z]+-(?:en|cs|pl)\b")


def texts(english: str) -> str:
    """A text of a file. Each language's has a mark of its own."""
    return f'{{ en = "{english}-en", cs = "{english}-cs", pl = "{english}-pl" }}'


def cell(key: str, more: str) -> str:
    return f'[[rules.cell]]\nkey = "{key}"\ntitle = {texts("cell-" + key)}\n{more}\n'


CELLS = cell("general", "alike = 5\npoints = 50") + cell("chance", "")
FILE = f"""family = "sheet"
title = {texts("the-game")}
summary = {texts("the-summary")}
text = [{texts("the-paragraph")}]
[rules]
RULES
{CELLS}
[[option]]
name = "level"
title = {texts("the-rule")}
[[option.value]]
name = "usual"
title = {texts("the-usual")}
[[option.value]]
name = "quick"
title = {texts("the-quick")}
rules = {{ throws = 2 }}
"""


def with_rules(rules: str) -> str:
    return FILE.replace("RULES", rules)


FORCED = with_rules('joker = "forced"')


class Table(NamedTuple):
    app: Flask
    client: FlaskClient
    phone: Phone
    key: str
    language: str


@pytest.fixture
def seat(app: Flask, client: FlaskClient) -> Callable[..., Table]:
    """Takes a phone to a table of a game with these rules: one whose language is neither a file's first nor English."""
    language = "pl"

    def sit(file: str = FORCED, **options: Any) -> Table:
        made = client.post("/own-games", json={"name": "ours", "toml": file}).get_json()
        client.set_cookie("language", language)
        return Table(app, client, Phone(client, start(client, made["key"], **options)), made["key"], language)

    return sit


def check(said: str, language: str, *wanted: str) -> None:
    said = said.replace("\u00a0", " ").lower()
    for text in wanted:
        assert f"{text}-{language}" in said
    assert not [each for each in MARKED.findall(said) if not each.endswith(language)]


def played(phone: Phone, *steps: tuple[str, list[int]]) -> None:
    """Turns of both players in turn: a throw, and the cell that it is written into."""
    for category, dice in steps:
        assert phone.throw(*dice).status_code == 200
        assert phone.act(do="score", category=category).status_code == 200


MIXED, ONES, TWOS = [1, 2, 3, 4, 6], [1] * 5, [2] * 5
REFUSALS: list[tuple[str, str, list[tuple[str, list[int]]], list[int], str, list[str]]] = [
    ("cell-filled", "", [("chance", MIXED), ("chance", MIXED)], MIXED, "chance", ["cell-chance"]),
    (
        "cell-not-next",
        'upper = []\ncolumn = [{ order = "down" }]',
        [],
        MIXED,
        "chance",
        ["cell-general", "cell-chance"],
    ),
    ("zero-while-something-fits", "zero_only_if_nothing_fits = true", [], MIXED, "general", ["cell-general"]),
    ("joker-own-cell-first", 'joker = "forced"', [("general", ONES), ("chance", MIXED)], ONES, "chance", []),
    (
        "joker-lower-first",
        'joker = "forced"',
        [("general", ONES), ("chance", MIXED), ("ones", ONES), ("ones", MIXED)],
        ONES,
        "twos",
        [],
    ),
]


@pytest.mark.parametrize(
    ("reason", "rules", "before", "dice", "category", "named"), REFUSALS, ids=[each[0] for each in REFUSALS]
)
def test_a_refusal_names_cells(
    seat: Callable[..., Table],
    reason: str,
    rules: str,
    before: list[tuple[str, list[int]]],
    dice: list[int],
    category: str,
    named: list[str],
) -> None:
    table = seat(with_rules(rules))
    played(table.phone, *before)
    table.phone.throw(*dice)
    action = {"do": "score", "category": category}
    error = table.phone.act(**action).get_json()
    assert error["reason"] == reason
    check(error["detail"], table.language, *named)
    body = {"action": action, "version": table.phone.state["version"], "request": "a-program-asks"}
    key = table.phone.key
    told = table.client.post(f"/api/v1/tables/{key}/actions", json=body, headers=JSON).get_json()
    assert told["reason"] == reason
    check(told["detail"], table.language, *named)


def test_a_cell_that_is_settled_by_hand(seat: Callable[..., Table]) -> None:
    table = seat()
    played(table.phone, ("chance", MIXED), ("chance", MIXED))
    settled = {"do": "adjust", "what": "turn", "player": 0, "category": "chance", "points": 1, "bonus": 0}
    check(table.phone.act(**settled).get_json()["detail"], table.language, "cell-chance")


def test_a_correction_says_why_later_steps_cannot_stay(seat: Callable[..., Table]) -> None:
    table = seat()
    played(table.phone, ("ones", MIXED), ("ones", MIXED), ("chance", MIXED))
    wanted = {"step": 2, "action": {"do": "score", "category": "chance"}, "said": [None]}
    answer = table.phone.post("corrections/preview", **wanted)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    told = [each["because"]["message"] for each in answer.get_json()["settled"] if each["because"]]
    assert told
    check(" ".join(told), table.language, "cell-chance")


def test_a_house_rule_is_refused(seat: Callable[..., Table]) -> None:
    table = seat()
    form = {"game": table.key, "player": ["Ada"], f"{table.key}.level": "no such"}
    answer = table.client.post("/tables", data=form, headers=JSON)
    assert answer.status_code == 422
    check(answer.get_json()["detail"], table.language, "the-rule")
    with pytest.raises(scorer.Refusal) as refused:  # as when a program starts a table
        scorer.game(table.key, file=FORCED, level="no such")
    with table.app.test_request_context(headers={"Accept-Language": table.language}):
        check(sentence(refused.value), table.language, "the-rule")


EVERYWHERE: dict[str, tuple[str, list[str]]] = {
    "start page": ("/?all=1", ["the-game", "the-summary", "the-rule", "the-quick"]),
    "start of the table": ("{base}/rules", ["cell-chance", "cell-general", "the-paragraph"]),
    "rules of the game": ("/rules/{key}", ["cell-chance", "cell-general", "the-paragraph"]),
    "page of the game": ("/g/{digest}", ["the-game", "cell-general", "the-paragraph"]),
    "luck": ("{base}/luck", ["the-game"]),
    "statistics": ("{base}/statistics", ["the-game"]),
    "games of this phone": ("/history", ["the-game"]),
    "a player": ("/history/player?name=Ada&game={key}", ["the-game"]),
    "spreadsheet": ("/history.csv", ["the-game"]),
    "finished games for programs": ("/history.json", ["the-game"]),
}


@pytest.mark.parametrize("where", EVERYWHERE)
def test_pages_and_files(seat: Callable[..., Table], where: str) -> None:
    table = seat(level="quick")
    played(table.phone, ("chance", MIXED), ("chance", MIXED))
    chance = random.Random(1)
    while not table.phone.standing["over"]:
        assert table.phone.act(**any_legal(table.phone.standing, chance)).status_code == 200
    address, wanted = EVERYWHERE[where]
    digest = table.key.rpartition(".")[2]
    answer = table.client.get(address.format(base=table.phone.base, key=table.key, digest=digest))
    assert answer.status_code == 200
    check(answer.get_data(as_text=True).replace(f"{table.key}", ""), table.language, *wanted)


@pytest.mark.parametrize("page", ["", "/board", "/print", "/camera"])
def test_what_scripts_are_given(seat: Callable[..., Table], page: str) -> None:
    """Scripts say offers, steps, the sheet, and what is read aloud with these texts."""
    table = seat(level="quick")
    text = table.client.get(table.phone.base + page).get_data(as_text=True)
    setup = json.loads(text.partition('id="setup">')[2].partition("</script>")[0])
    check(setup["title"], table.language, "the-game")
    told = " ".join(each["text"] for each in setup["sentences"]["titles"]["category"].values())
    check(told, table.language, *(f"cell-{key}" for key in ("general", "chance")))
    if page == "/print":
        check(text.partition('id="state"')[0], table.language, "the-rule", "the-quick")


def test_a_smart_home(seat: Callable[..., Table]) -> None:
    table = seat()
    state = services(table.app).runner.look(table.phone.key)
    check(home_table(state, table.language).game, table.language, "the-game")


def test_the_form_that_changes_it(seat: Callable[..., Table]) -> None:
    table = seat()
    digest = table.key.rpartition(".")[2]
    page = table.client.get(f"/g/{digest}/edit").get_data(as_text=True)
    setup = json.loads(page.partition('id="setup">')[2].partition("</script>")[0])
    check(" ".join(each["title"] for each in setup["looks"]), table.language, "cell-general")
    tried = {"definition": setup["tables"] | {"title": "Another name"}, "before": digest, "throw": ONES}
    tried["definition"]["rules"]["throws"] = 4  # which the house rule would take back
    told = table.client.post("/games/try", json=tried).get_json()
    check(" ".join(part["title"] for part in told["own"]["how"]), table.language, "cell-general")
    check(" ".join(part["title"] for each in told["worth"] for part in each["how"]), table.language)
    check(" ".join(told["left_out"]), table.language, "the-rule")
    check(" ".join(each["title"] for each in told["looks"]), table.language, "cell-general")


def test_a_record_whose_step_breaks_its_rules(seat: Callable[..., Table]) -> None:
    """A program is told the refusal of the rules."""
    table = seat()
    played(table.phone, ("chance", MIXED), ("chance", MIXED))
    record = table.phone.record()
    record["actions"] += [{"do": "throw", "dice": MIXED}, {"do": "score", "category": "chance"}]
    answer = send_record(table.client, record, **JSON)
    assert answer.status_code == 422
    check(answer.get_json()["detail"], table.language, "cell-chance")


def test_nothing_of_it_is_said_of_games_that_come_along() -> None:
    game = scorer.game("kniffel")
    with pytest.raises(scorer.Refusal) as refused:
        game.apply(game.start(1), {"do": "score", "category": "chance"})
    assert not refused.value.wordings
