"""What the server tells and is asked is what is declared, and so are its schema and the scripts' types."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

import scorer
from docs import json_schema
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, any_legal, start
from web.advising.advisor import TableAdvice
from web.services import services
from web.table.view import CorrectionPreview, GameHistory, ListedPhone, ThrowPreview, UndoPreview

ROOT = Path(__file__).resolve().parent.parent
STEPS = 31  # an odd number: a throw waits for its choice


def test_the_schema_and_the_types_of_the_scripts_are_those_that_are_declared() -> None:
    made = json_schema.files()
    there = {path: path.read_text(encoding="utf-8") for path in made if path.exists()}
    assert there == made, "docs/json_schema.py writes them anew"
    released = {json_schema.SCHEMA / "openapi-released.json"}  # which nothing writes
    assert {path for path in made if path.suffix == ".json"} == set(json_schema.SCHEMA.iterdir()) - released


def test_the_interfaces_name_what_each_address_is_asked() -> None:
    text = (ROOT / "docs" / "interfaces.md").read_text(encoding="utf-8")
    assert [kind.__name__ for kind in json_schema.COMMANDS if f"`{kind.__name__}`" not in text] == []


@pytest.mark.whole
@pytest.mark.parametrize("game", [info.key for info in scorer.games()])
def test_whatever_a_table_tells_is_as_declared(tmp_path: Path, game: str) -> None:
    app = create_app(tmp_path / "data")
    client = app.test_client()
    dice = random.Random(game)
    phone = Phone(client, start(client, game, "Ada", "Bohouš 💥"))  # checks each state
    phone.post("settings", advice="odds")
    for _ in range(STEPS):
        if phone.standing["over"]:
            break
        assert phone.act(**any_legal(phone.standing, dice)).status_code == 200
    ask_document(client, f"/api/v1{phone.base}/advice", TableAdvice)
    ask_document(client, f"/api/v1{phone.base}/undo/preview", UndoPreview)
    move = ask_document(client, f"/api/v1{phone.base}/history", GameHistory).moves[0]
    ask_document(client, f"/api/v1{phone.base}/corrections/preview", CorrectionPreview, step=1, action=move.action)
    ask_document(client, f"/api/v1{phone.base}/would", ThrowPreview, dice=[1, 2, 3, 4, 5])
    client.get(phone.base)  # a phone comes
    phone.post("undo")
    assert ask_document(client, f"/api/v1{phone.base}/history", GameHistory).log[-1].changed is not None
    assert ask_document(client, f"/api/v1{phone.base}/phones", list[ListedPhone])[0].owner
    services(app).close()


def ask_document(client: FlaskClient, address: str, kind: Any, **body: Any) -> Any:
    answer = client.post(address, json=body, headers=JSON) if body else client.get(address, headers=JSON)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return msgspec.json.decode(answer.data, type=kind)
