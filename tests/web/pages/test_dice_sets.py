"""What the people call their dice, and how evenly these fell in all games with them."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.pages.test_statistics_pages import page, won_by
from tests.web.phones import JSON, Phone, end, start
from web.table.names import LONGEST_DICE_SET


def test_the_name_is_stored_beside_the_game_and_goes_along(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "kosci", "Ada"))
    assert phone.state["settings"]["dice_set"] == ""
    assert phone.post("settings", dice_set="  the red  ones ").get_json()["settings"]["dice_set"] == "the red ones"
    assert phone.state["version"] == 0, "it is no step of the game"
    end(client, phone.base)
    fresh = Phone(client, client.post(f"{phone.base}/again", data={"begins": "0"}).headers["Location"])
    assert fresh.state["settings"]["dice_set"] == "the red ones"
    assert fresh.post("settings", dice_set="").status_code == 200
    assert phone.look()["settings"]["dice_set"] == "the red ones"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x" * (LONGEST_DICE_SET + 1), f"at most {LONGEST_DICE_SET} letters"),
        ("red\u202eones", "invisible character"),
        ("\x00", "invisible character"),
    ],
)
def test_a_name_that_nobody_can_read_is_refused(phone: Phone, name: str, words: str) -> None:
    refused = phone.post("settings", dice_set=name)
    assert refused.status_code == 422
    assert words in refused.get_json()["detail"]
    assert phone.look()["settings"]["dice_set"] == ""
    for wrong in ("7", "null", '["red"]', '"\\ud800"'):
        body = f'{{"dice_set": {wrong}}}'
        answer = phone.client.post(
            f"/api/v1{phone.base}/settings", data=body, content_type="application/json", headers=JSON
        )
        assert answer.status_code in (400, 422), wrong


def test_all_games_with_the_same_dice_are_counted_together(app: Flask, client: FlaskClient) -> None:
    for name in ("Red", "red ", "blue", ""):
        won_by(client, "Ada").post("settings", dice_set=name)
    running = Phone(client, start(client, "sequence", "Ada"))
    client.get(running.base)
    assert "Give your dice a name" in page(client, f"{running.base}/statistics")
    running.post("settings", dice_set="RED")
    running.throw(1, 2, 3, 4, 6, 6)
    text = page(client, f"{running.base}/statistics")
    assert "In 3 games with these dice:" in text
    assert "6 dice were thrown." in text
    assert "18 dice were thrown." in text
    assert '<title id="same-dice-title">RED</title>' in text
    other = app.test_client()
    strange = Phone(other, start(other, "sequence", "Eva"))
    other.get(strange.base)
    strange.post("settings", dice_set="red")
    strange.throw(1, 2, 3, 4, 6, 6)
    assert "games with these dice" not in page(other, f"{strange.base}/statistics"), "those were tables of others"
