"""Foreign names, foreign sites, and the headers of every answer."""

import gzip
import re

import pytest
from flask.testing import FlaskClient

from tests.web.phones import Phone
from web.pages.host_names import Hosts
from web.texts.languages import LANGUAGES


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost:8000", True),
        ("192.168.1.20:8000", True),
        ("[fe80::1]:8000", True),
        ("127.0.0.1", True),
        ("dice.example:8000", True),
        ("evil.example", False),
        ("192.168.1.20.evil.example", False),
        ("", False),
        ("[", False),
    ],
)
def test_only_own_names_are_answered(host: str, allowed: bool) -> None:
    assert Hosts(["dice.example"]).allows(host) is allowed


def test_names_are_escaped(client: FlaskClient) -> None:
    answer = client.post("/tables", data={"game": "kosci", "player": ["<b>Ada</b>", "</script><script>"]})
    page = client.get(answer.headers["Location"]).get_data(as_text=True)
    assert "<b>Ada" not in page
    assert "</script><script>" not in page.replace("</script>\n<script", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_is_light(phone: Phone, language: str) -> None:
    """Under 150 kB with everything that the table's page loads, as it travels."""
    headers = {"Accept-Language": language, "Accept-Encoding": "gzip"}
    page = phone.client.get(phone.base, headers=headers).get_data()
    addresses = set(re.findall(r'"(/(?:static|texts)/[^"]+)"', gzip.decompress(page).decode()))
    assert any(address.endswith("table.js") for address in addresses)
    assert any(address.startswith("/texts/") for address in addresses)
    size = len(page)
    for address in addresses:
        with phone.client.get(address, headers=headers) as answer:
            size += len(answer.get_data())
    assert size < 150_000


def test_what_travels_packed_is_the_same(phone: Phone) -> None:
    page = phone.client.get(phone.base).get_data(as_text=True)
    (style,) = re.findall(r'"(/static/[^"]+[.]css)"', page)
    for address in (style, phone.base):
        plain = phone.client.get(address)
        small = phone.client.get(address, headers={"Accept-Encoding": "br, gzip"})
        assert "Content-Encoding" not in plain.headers
        assert small.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(small.get_data()) == plain.get_data()
        assert small.headers["Vary"] == plain.headers["Vary"]
        assert "Accept-Encoding" in plain.headers["Vary"]
        assert small.headers["Cache-Control"] == plain.headers["Cache-Control"]


def test_pages_whose_address_is_no_secret_do_not_travel_packed(phone: Phone) -> None:
    for address in ("/", "/history", "/history/players", "/help"):
        answer = phone.client.get(address, headers={"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.headers.get("Content-Encoding")) == (200, None), address
