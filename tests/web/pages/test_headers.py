"""Headers that cannot be read are left out before anything reads them; `tests/reliability` sends them by thousands."""

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.http import parse_cookie

from tests.web.apps import create_app
from web.pages.gate import READERS, make_sound
from web.services import services

DEVICE = "a" * 24
FILE = "/static/x/table/table.js"
UNREADABLE_DATES = [
    "Thu, 01 Jan 99999999999 00:00:00 GMT",
    "Thu, 01 Jan 2020 00:00:99999999999999999999 GMT",
    "Thu, 01 Jan 2020 99999999999999999999:00:00 GMT",
    "Thu, 01 Jan 2020 00:00:00 +99999999999999",
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    app: Flask = create_app(tmp_path_factory.mktemp("data"))
    services(app).close()  # nothing here asks the store
    return app.test_client()


def ask_file(client: FlaskClient, **headers: str) -> tuple[int, bytes]:
    """The status and the content of a file."""
    with client.get(FILE, headers=headers) as answer:
        return answer.status_code, answer.data


@pytest.mark.parametrize("date", UNREADABLE_DATES)
@pytest.mark.parametrize("name", ["If-Modified-Since", "If-Unmodified-Since", "Date"])
def test_a_file_is_given_whole_to_who_names_no_date(client: FlaskClient, name: str, date: str) -> None:
    assert ask_file(client, **{name: date}) == ask_file(client)


@pytest.mark.parametrize("date", UNREADABLE_DATES)
def test_a_range_of_an_answer_of_no_date_is_given_whole(client: FlaskClient, date: str) -> None:
    """What the phone has may be another version, of which no piece would fit."""
    assert ask_file(client, **{"If-Range": date, "Range": "bytes=0-3"}) == ask_file(client)


def test_dates_and_ranges_that_can_be_read_stay_what_they_are(client: FlaskClient) -> None:
    status, whole = ask_file(client)
    assert status == 200
    with client.get(FILE) as answer:
        changed, tag = answer.headers["Last-Modified"], answer.headers["ETag"]
    assert ask_file(client, **{"If-Modified-Since": changed})[0] == 304
    assert ask_file(client, **{"If-None-Match": tag})[0] == 304
    assert ask_file(client, **{"If-Range": changed, "Range": "bytes=0-3"}) == (206, whole[:4])


@pytest.mark.parametrize("other", [b"other=\xff", b"\xff=\xff", b"other=\x80\x81", b'other="\\377"', b"\xed\xa0\x80"])
def test_a_phone_is_known_whatever_other_cookies_its_browser_sends(other: bytes) -> None:
    environ = {"HTTP_COOKIE": (other + b"; device=" + DEVICE.encode()).decode("latin-1")}
    make_sound(environ)
    assert parse_cookie(environ["HTTP_COOKIE"])["device"] == DEVICE


def test_sound_headers_are_handed_on_as_they_came() -> None:
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "\xff",
        "CONTENT_TYPE": "application/json",
        "HTTP_ACCEPT_LANGUAGE": "cs, pl;q=0.5",
        "HTTP_COOKIE": f"device={DEVICE}; device-name=" + "Žofie".encode().decode("latin-1"),
        "HTTP_USER_AGENT": "Ž".encode().decode("latin-1"),
        "HTTP_X_UNKNOWN": "\x01",
    }
    before = dict(environ)
    make_sound(environ)
    assert environ == before


@pytest.mark.parametrize("variable", READERS)
def test_long_headers_are_looked_at_too(variable: str) -> None:
    environ = {variable: "Thu, 01 Jan 2020 00:00:" + "9" * 400 + " GMT"}
    make_sound(environ)
    READERS[variable](environ.get(variable, ""))
