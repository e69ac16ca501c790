"""Foreign names, foreign sites, and the headers of every answer."""

import pytest
from flask.testing import FlaskClient

from tests.web.phones import JSON, Phone
from web.security import Hosts


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


def test_a_foreign_host_gets_no_page(client: FlaskClient) -> None:
    answer = client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "evil.example" in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_change_nothing(phone: Phone, headers: dict[str, str]) -> None:
    body = {"version": 0, "request": "from-elsewhere", "action": {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}}
    answer = phone.client.post(f"{phone.base}/actions", json=body, headers={**JSON, **headers})
    assert answer.status_code == 403
    assert phone.look()["version"] == 0


def test_every_page_is_kept_to_itself(phone: Phone) -> None:
    for path in ("/", phone.base, f"{phone.base}/state", "/nothing", "/static/x/table.js"):
        with phone.client.get(path) as answer:
            headers = answer.headers
        policy = headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_pages_have_no_inline_script_or_style(phone: Phone) -> None:
    for path in ("/", phone.base, f"{phone.base}/board", f"{phone.base}/print", "/history", "/help", "/join"):
        text = phone.client.get(path).get_data(as_text=True)
        assert "style=" not in text
        assert "<style" not in text
        assert " onclick" not in text
        for script in text.split("<script")[1:]:
            assert "src=" in script.split(">")[0] or 'type="application/json"' in script.split(">")[0]


def test_names_are_escaped(client: FlaskClient) -> None:
    answer = client.post("/tables", data={"game": "kosci", "player": ["<b>Ada</b>", "</script><script>"]})
    page = client.get(answer.headers["Location"]).get_data(as_text=True)
    assert "<b>Ada" not in page
    assert "</script><script>" not in page.replace("</script>\n<script", "")


def test_the_first_page_is_light(phone: Phone) -> None:
    """Under 150 kB with everything that the table's page loads."""
    import re
    from pathlib import Path

    from web import static

    page = phone.client.get(phone.base).get_data()
    css = (static.FOLDER / "rollcall.css").read_bytes()
    scripts = b"".join(path.read_bytes() for path in Path(static.FOLDER).rglob("*.js"))
    match = re.search(rb'"texts": ?"([^"]+)"', page)
    assert match is not None
    texts = phone.client.get(match.group(1).decode()).get_data()
    assert len(page) + len(css) + len(scripts) + len(texts) < 150_000
