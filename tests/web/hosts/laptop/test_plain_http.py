"""Plain http at a server with a certificate is answered: by how the phone will warn, and the way to https."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.apps import create_app
from tests.web.served import UNPREPARED, Served, connection_to, new_table
from web.pages.gate import BROWSERS, browser_of
from web.services import services

AGENTS = {
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0"
    " Mobile Safari/537.36": "chrome",
    "Mozilla/5.0 (Linux; Android 13; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0"
    " Mobile Safari/537.36": "samsung",
    "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0": "firefox",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5"
    " Mobile/15E148 Safari/604.1": "safari",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0"
    " Mobile/15E148 Safari/604.1": "chrome",
    "curl/8.5.0": "chrome",
}


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("secure") / "data", https=True, program=UNPREPARED) as server:
        yield server


def ask_plainly(served: Served, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, str]:
    with closing(connection_to(served.port, False, 60)) as connection:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        return response, response.read().decode()


def test_a_page_says_how_the_phone_warns_and_leads_to_https(secure: Served) -> None:
    response, body = ask_plainly(secure, "/join?code=ABC&browser=safari")
    assert response.status == 200
    assert f'href="https://127.0.0.1:{secure.port}/join?code=ABC"' in body
    assert "Show Details" in body
    assert "Set-Cookie" not in response.headers
    style = body.split('rel="stylesheet" href="')[1].split('"')[0]
    assert ask_plainly(secure, style)[0].status == 200


@pytest.mark.parametrize("agent", AGENTS)
def test_the_warning_is_that_of_the_phones_browser(secure: Served, agent: str) -> None:
    assert browser_of(agent) == AGENTS[agent]
    body = ask_plainly(secure, "/", **{"User-Agent": agent})[1]
    assert f'<div class="mock {AGENTS[agent]}"' in body
    assert body.count("<option value=") >= len(BROWSERS), "and another can be chosen"


def test_of_no_table_anything_is_told(secure: Served) -> None:
    table = new_table(secure, "ones-and-fives", "Zdeňka", "Bob")
    for path in (table, f"{table}/board", f"{table}/record.json", "/history"):
        response, body = ask_plainly(secure, path)
        assert response.status == 200
        assert "Zdeňka" not in body
        assert f"https://127.0.0.1:{secure.port}{path}" in body
    known, unknown = (ask_plainly(secure, f"/tables/{key}/camera")[1] for key in (table.split("/")[-1], "unknown"))
    assert known.replace(table.split("/")[-1], "unknown") == unknown, "not even whether there is one"
    for path in ("", "/states", "/photos/any"):
        response, body = ask_plainly(secure, f"/api/v1{table}{path}", Accept="application/json")
        assert response.status == 403
        assert '"https-wanted"' in body
    response, body = ask_plainly(secure, "/tables", "POST")
    assert (response.status, "Location" in response.headers) == (403, False)
    assert ask_plainly(secure, "/ready")[1].startswith("<!doctype html>"), "a supervisor must ask over https"


def test_a_name_that_is_not_ours_is_refused(secure: Served) -> None:
    response, body = ask_plainly(secure, "/", Host="evil.example")
    assert response.status == 421
    assert "https://evil.example" not in body


def test_what_is_neither_is_told_so_or_hung_up(secure: Served) -> None:
    with closing(socket.create_connection(("127.0.0.1", secure.port), 60)) as plain:
        plain.sendall(b"\x00\x01\x02\r\n\r\n")
        assert plain.recv(4096).startswith(b"HTTP/1.1 400 ")
    with closing(secure.connect()) as connection:
        connection.request("GET", "/join")
        assert connection.getresponse().status == 200, "it goes on"


def test_with_a_certificate_that_phones_trust_it_leads_there_at_once(tmp_path: Path) -> None:
    app = create_app(tmp_path / "data", secure=True, own_certificate=False)
    answer = app.test_client().get("/join?code=ABC")
    assert (answer.status_code, answer.headers["Location"]) == (302, "https://localhost/join?code=ABC")
    assert app.test_client().post("/join").status_code == 403
    services(app).close()


def test_the_start_names_the_page(secure: Served, tmp_path: Path) -> None:
    line = "A phone as the camera: a table's menu, 'Use this phone as the camera'.\n"
    assert line in secure.output()
    with Served(tmp_path / "data", program=UNPREPARED) as plain:
        assert "camera" not in plain.output()
