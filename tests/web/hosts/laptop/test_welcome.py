"""The page of the first start: for this computer's own browser alone; copies; the end."""

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, start
from web.hosts.laptop import welcome
from web.hosts.laptop.this_machine import ThisMachine, opening_url
from web.hosts.laptop.welcome import COPY_LIMIT, FORM_AROUND
from web.services import services
from web.texts import release

ROOT = Path(__file__).resolve().parents[4]
LAN = "192.168.1.5"
PHONE = {"REMOTE_ADDR": "192.168.1.77"}
POSTED = ("/welcome/copy", "/welcome/games", "/welcome/end")


def open_machine(data: Path) -> Flask:
    machine = ThisMachine("http://localhost:8000/welcome")
    return create_app(data, base_url=f"http://{LAN}:8000/", other_urls=["http://10.8.0.2:8000/"], machine=machine)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    application = open_machine(tmp_path / "data")
    yield application
    services(application).close()


@pytest.fixture
def here(app: Flask) -> FlaskClient:
    """The browser that Rollcall opened."""
    return opened_browser(app)


def opened_browser(app: Flask) -> FlaskClient:
    client = app.test_client()
    opened = client.get(token_path(app))
    assert (opened.status_code, opened.headers["Location"]) == (303, "/welcome")
    return client


def token_path(app: Flask) -> str:
    """What a browser is to open, once."""
    machine = app.extensions[welcome.EXTENSION]
    return opening_url(machine.url, machine.secret).removeprefix("http://localhost:8000")


def text(client: FlaskClient, path: str = "/welcome") -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.get_data(as_text=True)


def test_the_page_has_the_address_the_version_and_where_the_games_are(here: FlaskClient, tmp_path: Path) -> None:
    page = text(here)
    assert f"http://{LAN}:8000/" in page
    assert str(tmp_path / "data") in page
    assert f"Rollcall {release.full_version()}" in page
    other = text(here, "/welcome?address=1")
    assert '<p class="address">http://10.8.0.2:8000/</p>' in other
    codes = [here.get(f"/welcome/qr.svg{which}").data for which in ("", "?address=1", "?address=7")]
    assert codes[0] != codes[1]
    assert codes[0] == codes[2]


@pytest.mark.parametrize(
    ("environ", "headers"),
    [
        (PHONE, {}),
        ({}, {"Host": f"{LAN}:8000"}),  # by another name than the opened one
        ({}, {"X-Forwarded-For": "192.168.1.77"}),  # a proxy on this computer
        ({}, {"Host": "evil.example"}),  # a name that leads here, by DNS rebinding
    ],
    ids=["a phone", "another name", "a proxy", "a foreign name"],
)
def test_nobody_else_gets_the_page_or_does_what_it_does(
    here: FlaskClient, environ: dict[str, str], headers: dict[str, str]
) -> None:
    """Not even with the cookie of the browser that may, or with a token that nobody has used."""
    Phone(here, start(here))
    refusal = 421 if "evil" in str(headers) else 403
    asked: dict[str, Any] = {"environ_overrides": environ, "headers": headers}
    for path in ("/welcome", token_path(here.application)):
        led = here.get(path, **asked)
        assert led.headers.get("Location") == (None if refusal == 421 else "/")
        assert "welcome-8000" not in led.headers.get("Set-Cookie", "")
    assert here.get("/welcome/qr.svg", **asked).status_code == refusal
    for path in POSTED:
        refused = here.post(path, **asked)
        assert refused.status_code == refusal
        assert b"SQLite" not in refused.data


def routes(app: Flask) -> list[tuple[str, str]]:
    """All requests that the page makes: method and path."""
    found = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("welcome.")]
    methods = [(method, rule.rule) for rule in found for method in rule.methods or ()]
    return [(method, path) for method, path in methods if method != "OPTIONS"]


@pytest.mark.parametrize("cookies", ["", "welcome-8000=", "welcome-8000=guessed", "welcome-8000=\xff"])
def test_no_other_program_of_this_computer_gets_the_page_or_does_what_it_does(app: Flask, cookies: str) -> None:
    """It has the address 127.0.0.1 too, but neither the token nor the cookie."""
    opened_browser(app)  # its cookie is another one's
    Phone(phone := app.test_client(), start(phone))
    program = app.test_client(use_cookies=False)
    assert len(routes(app)) >= 6
    for method, path in routes(app):
        refused = program.open(path, method=method, headers={"Accept": "application/json", "Cookie": cookies})
        assert refused.status_code == 403, (method, path)
        assert "Set-Cookie" not in refused.headers or "welcome" not in refused.headers["Set-Cookie"]
        if method != "HEAD":
            assert refused.get_json()["reason"] == "not-opened"
    shown = program.get("/welcome")
    assert shown.status_code == 403
    assert "Start Rollcall once more" in shown.get_data(as_text=True)


def test_a_token_opens_one_browser(app: Flask) -> None:
    path = token_path(app)
    browser, second = app.test_client(), app.test_client()
    assert second.get(f"{path}0").status_code == 403
    assert second.get(path.replace("token=", "token=0")).status_code == 403
    assert second.get("/welcome/open?token=").status_code == 403
    opened = browser.get(path)
    cookie = opened.headers["Set-Cookie"]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=Strict", "Path=/welcome"))
    assert "Secure" not in cookie
    assert browser.get(path).headers["Location"] == "/welcome", "the same browser goes back in its history"
    assert browser.post("/welcome/copy").status_code == 200


def test_who_used_a_token_that_another_browser_brings_is_kept_out(app: Flask) -> None:
    """A program that read the address from the list of processes was quicker: it does not stay."""
    path = token_path(app)
    stranger, browser = app.test_client(), app.test_client()
    assert stranger.get(path).status_code == 303
    assert browser.get(path).status_code == 403
    assert stranger.post("/welcome/copy").status_code == 403
    assert opened_browser(app).post("/welcome/copy").status_code == 200


def test_a_cookie_opens_no_server_after_it(app: Flask, tmp_path: Path) -> None:
    client = app.test_client()
    cookie = client.get(token_path(app)).headers["Set-Cookie"].partition(";")[0]
    again = open_machine(tmp_path / "again")
    assert again.test_client(use_cookies=False).get("/welcome", headers={"Cookie": cookie}).status_code == 403
    services(again).close()


def test_over_https_the_cookie_stays_there(app: Flask) -> None:
    opened = app.test_client().get(token_path(app), base_url="https://localhost:8000")
    assert "Secure" in opened.headers["Set-Cookie"]


def test_a_port_that_was_taken_is_told(app: Flask, here: FlaskClient) -> None:
    machine = app.extensions[welcome.EXTENSION]
    assert "uses port" not in text(here)
    machine.taken_port = 7999
    assert "Another program on this computer uses port 7999." in text(here)


def test_a_server_whose_browser_was_not_opened_has_no_such_page(tmp_path: Path) -> None:
    app = create_app(tmp_path / "data")
    client = app.test_client()
    assert client.get("/welcome").headers["Location"] == "/"
    assert {client.post(path).status_code for path in POSTED} == {403}
    services(app).close()


def test_a_copy_is_made_and_brought(here: FlaskClient, tmp_path: Path) -> None:
    phone = Phone(here, start(here))
    phone.throw(1, 1, 6, 6, 3, 4)
    made = here.post("/welcome/copy")
    assert re.fullmatch(r"attachment; filename=rollcall-\d{4}-\d\d-\d\d\.db", made.headers["Content-Disposition"])
    other = open_machine(tmp_path / "other")
    there = opened_browser(other)
    sent = {"data": {"copy": (io.BytesIO(made.data), "rollcall.db")}}
    brought = there.post("/welcome/games", **sent)
    assert brought.status_code == 303
    assert "1 game came." in text(there, brought.headers["Location"])
    assert there.get(f"/api/v1{phone.base}", headers=JSON).get_json()["standing"] == phone.standing
    again = there.post("/welcome/games", data={"copy": (io.BytesIO(made.data), "a")}, headers=JSON)
    assert again.get_json() == {"came": 0, "here": 1, "deleted": 0, "games": 0}
    services(other).close()


def test_a_wrong_copy_is_refused_in_one_sentence(here: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = here.post("/welcome/games", data={"copy": (io.BytesIO(b"no copy"), "letter.txt")})
    assert refused.status_code == 422
    assert "This file is no copy of Rollcall" in refused.get_data(as_text=True)
    assert here.post("/welcome/games", headers=JSON).get_json()["reason"] == "copy-not-ours"
    monkeypatch.setattr(welcome, "COPY_LIMIT", -FORM_AROUND)
    refused = here.post("/welcome/games", data={"copy": (io.BytesIO(b"no copy"), "letter.txt")}, headers=JSON)
    assert (refused.status_code, refused.get_json()["reason"]) == (413, "copy-too-large")
    assert COPY_LIMIT > 0


@pytest.mark.skipif(os.name == "nt", reason="this system limits no files of a process")
def test_a_disk_without_room_for_a_copy_is_told_on_the_page(here: FlaskClient) -> None:
    import resource

    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, usual[1]))
    try:
        refused = here.post("/welcome/games", data={"copy": (io.BytesIO(bytes(8192)), "copy.db")})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    page = refused.get_data(as_text=True)
    assert refused.status_code == 503
    assert "the device with the games has no room left" in page
