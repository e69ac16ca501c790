"""Getting to a table, and not getting to one."""

from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import JSON, Phone, start
from web.app import rooms
from web.security import GUESSES_A_MINUTE


def test_a_short_code_leads_to_the_table(app: Flask, phone: Phone) -> None:
    code = rooms(app).playing.row(phone.base.rsplit("/", 1)[1]).code
    assert len(code) == 6
    other = app.test_client()
    joined = other.post("/join", data={"code": f" {code.lower()} "})
    assert joined.status_code == 303
    assert joined.headers["Location"] == phone.base
    assert other.get(f"/j/{code}").headers["Location"] == phone.base


def test_guessing_codes_and_keys_is_slowed_down(client: FlaskClient) -> None:
    base = start(client)
    statuses = [client.post("/join", data={"code": "AAAAAA"}).status_code for _ in range(GUESSES_A_MINUTE)]
    assert statuses == [404] * GUESSES_A_MINUTE
    assert client.post("/join", data={"code": "AAAAAA"}).status_code == 429
    assert client.get("/tables/guess/state").status_code == 404, "an old page's key does not keep a phone from codes"
    statuses = [client.get("/tables/guess/state").status_code for _ in range(GUESSES_A_MINUTE)]
    assert statuses == [404] * (GUESSES_A_MINUTE - 1) + [429]
    assert client.get(f"{base}/state").status_code == 200, "who has a key is let in all the same"


def test_a_wrong_key_says_what_to_do(client: FlaskClient) -> None:
    page = client.get("/tables/nothing-here")
    assert page.status_code == 404
    assert "Ask for the QR code" in page.get_data(as_text=True)
    answer = client.get("/tables/nothing-here/state", headers=JSON)
    assert answer.get_json()["error"]["reason"] == "table-unknown"


def test_the_list_of_tables_is_this_phones_own(app: Flask, client: FlaskClient) -> None:
    base = start(client, "farkle", "Zdeněk", "Ewa")
    assert "Zdeněk" in client.get("/history").get_data(as_text=True)
    stranger = app.test_client()
    assert "Zdeněk" not in stranger.get("/history").get_data(as_text=True)
    stranger.get(base)
    assert "Zdeněk" in stranger.get("/history").get_data(as_text=True)
    key = base.rsplit("/", 1)[1]
    assert stranger.post(f"/history/forget/{key}").status_code == 303
    assert "Zdeněk" not in stranger.get("/history").get_data(as_text=True)


def test_players_are_remembered_and_counted(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "Bob", target=25))
    phone.throw(1, 2, 3, 4, 5, 6)
    assert phone.standing["over"]
    page = client.get("/history").get_data(as_text=True)
    assert "1. Ada 25" in page
    assert 'data-name="Ada"' in client.get("/").get_data(as_text=True)
    phone.post("undo")
    assert "1. Ada 25" not in client.get("/history").get_data(as_text=True)


def test_wrong_names_and_options_are_said_on_the_page(client: FlaskClient) -> None:
    twice = client.post("/tables", data={"game": "kosci", "player": ["Ada", "Ada"]})
    assert twice.status_code == 422
    assert "two players are called Ada" in twice.get_data(as_text=True).replace("Two", "two")
    target = client.post("/tables", data={"game": "farkle", "player": ["Ada"], "farkle.target": "many"})
    assert target.status_code == 422
    assert client.post("/tables", data={"game": "chess", "player": ["Ada"]}).status_code == 422


def test_the_same_players_may_play_again(client: FlaskClient) -> None:
    table = start(client, "ones-and-fives", "Ada", "Bob", target=5000)
    answer = client.post(f"{table}/again")
    assert answer.status_code == 303
    again = Phone(client, answer.headers["Location"])
    assert answer.headers["Location"] != table
    assert [player["name"] for player in again.standing["players"]] == ["Ada", "Bob"]
    assert again.standing["options"]["target"] == 5000
    assert again.state["version"] == 0
