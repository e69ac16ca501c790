"""A table's owner may close it and remove phones; on both engines."""

import io
import re
from typing import Any

import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient

from tests.web.phones import JSON, Phone, device_of, start


def guest(app: Flask, base: str, name: str = "Bob") -> Phone:
    """Another phone, that has opened the table's page."""
    client = app.test_client()
    client.set_cookie("device-name", name)
    assert client.get(base).status_code == 200
    return Phone(client, base)


def owner_of(client: FlaskClient, *game: str) -> Phone:
    base = start(client, *game)
    client.get(base)
    return Phone(client, base)


def phones_by_name(owner: Phone) -> dict[str, dict[str, Any]]:
    phones = owner.get("phones")
    return {phone["name"]: phone for phone in phones}


def turn_out(owner: Phone, name: str, out: bool = True) -> Any:
    wanted = name if name == "others" else phones_by_name(owner)[name]["phone"]
    return owner.client.post(f"/api/v1{owner.base}/phones", json={"phone": wanted, "out": out}, headers=JSON)


def close(phone: Phone, closed: bool = True) -> Any:
    return phone.client.post(f"/api/v1{phone.base}/closed", json={"closed": closed}, headers=JSON)


def reason(response: Any) -> tuple[int, str]:
    return response.status_code, response.get_json()["reason"]


def statuses_of_views(phone: Phone) -> list[int]:
    """What a phone gets of everything that shows a table."""
    pages = ("", "/board", "/statistics", "/luck", "/record.json", "/print", "/qr.svg", "/rules")
    paths = [f"/api/v1{phone.base}", f"/api/v1{phone.base}/history", *(phone.base + page for page in pages)]
    return [phone.client.get(path, headers=JSON).status_code for path in paths]


def lines_of(picture: bytes) -> list[bytes]:
    """The lines that an SVG of a QR code is drawn with."""
    return re.findall(rb' d="([^"]+)"', picture)


def test_a_removed_phone_is_told_so_and_comes_back_neither_by_the_link_nor_without_its_cookie(
    app: Flask, client: FlaskClient
) -> None:
    owner = owner_of(client)
    bob, cyd = guest(app, owner.base), guest(app, owner.base, "Cyd")
    code = owner.look()["code"]
    assert reason(turn_out(bob, "others")) == (403, "owner-only")
    state = turn_out(owner, "Bob").get_json()
    assert state["guarded"] is True
    assert state["code"] != code
    assert set(statuses_of_views(bob)) == {403}
    assert reason(bob.throw(1, 1, 6, 6, 3, 4)) == (403, "phone-removed")
    page = bob.client.get(bob.base).get_data(as_text=True)
    assert "This phone was removed from the table." in page
    bob.client.delete_cookie("device")
    assert reason(bob.throw(1, 1, 6, 6, 3, 4)) == (403, "invitation-needed")
    assert bob.client.get(bob.base, headers=JSON).status_code == 403
    assert bob.client.get(f"/j/{code}", headers=JSON).status_code == 404
    assert cyd.throw(1, 1, 6, 6, 3, 4).status_code == 200, "those who stay notice nothing"
    assert cyd.client.get(cyd.base).status_code == 200
    assert owner.look()["version"] == 1


def test_new_phones_come_by_the_new_letters(app: Flask, client: FlaskClient) -> None:
    owner = owner_of(client)
    guest(app, owner.base)
    code = turn_out(owner, "Bob").get_json()["code"]
    late = app.test_client()
    assert late.get(owner.base, headers=JSON).status_code == 403
    assert late.get(f"/j/{code}").headers["Location"] == owner.base
    assert late.get(owner.base).status_code == 200
    assert Phone(late, owner.base).throw(1, 1, 6, 6, 3, 4).status_code == 200
    drawn = io.BytesIO()
    segno.make(f"http://localhost/j/{code}", error="m").save(
        drawn, kind="svg", border=2, omitsize=True, dark="#000", light="#fff"
    )
    assert lines_of(late.get(f"{owner.base}/qr.svg").get_data()) == lines_of(drawn.getvalue())


def test_all_others_can_be_removed_but_not_the_owner(app: Flask, client: FlaskClient) -> None:
    owner = owner_of(client)
    phones = [guest(app, owner.base), guest(app, owner.base, "Cyd")]
    assert turn_out(owner, "others").status_code == 200
    assert [phone.throw(1, 1, 6, 6, 3, 4).status_code for phone in phones] == [403, 403]
    assert owner.throw(1, 1, 6, 6, 3, 4).status_code == 200
    own = next(phone for phone in phones_by_name(owner).values() if phone["owner"])
    asked = {"phone": own["phone"]}
    assert reason(client.post(f"/api/v1{owner.base}/phones", json=asked, headers=JSON)) == (404, "no-such-phone")


def test_the_list_names_phones_as_the_others_do_and_tells_no_secret(app: Flask, client: FlaskClient) -> None:
    owner = owner_of(client)
    bob = guest(app, owner.base)
    bob.client.set_cookie("device-name", "Robert")
    bob.throw(1, 1, 6, 6, 3, 4)
    assert set(phones_by_name(owner)) == {"Computer", "Robert"}
    told = owner.client.get(f"/api/v1{owner.base}/phones", headers=JSON).get_data(as_text=True)
    secrets = [device_of(client), device_of(bob.client)]
    assert [secret for secret in secrets if secret in told + bob.client.get(bob.base).get_data(as_text=True)] == []
    assert reason(bob.client.get(f"/api/v1{bob.base}/phones", headers=JSON)) == (403, "owner-only")


@pytest.mark.parametrize("body", [{"phone": 7}, {}, {"phone": "x" * 200}, {"phone": ""}])
def test_a_wrong_phone_is_refused_and_removes_nobody(app: Flask, client: FlaskClient, body: dict[str, Any]) -> None:
    owner = owner_of(client)
    bob = guest(app, owner.base)
    assert client.post(f"/api/v1{owner.base}/phones", json=body, headers=JSON).status_code in (400, 404)
    assert bob.throw(1, 1, 6, 6, 3, 4).status_code == 200
