"""What neighbours in the same Wi-Fi, other sites and guessing strangers get: nothing. Over all routes, from the map."""

import http.client
import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.routing import Rule

from tests.reliability.driving import Served, database_variable, new_table
from tests.reliability.fuzzing import ARGUMENT
from tests.web import under_review
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, start
from tests.web.postgres import both_engines
from tests.web.served import UNPREPARED, connection_to
from web.limits import origins
from web.limits.guesses import (
    GUESSES_A_MINUTE,
    GUESSES_AN_HOUR,
    GUESSES_OF_ALL,
    HOUR_S,
    MINUTE_S,
    MOST_OF_ADDRESS,
    SHARE_AN_HOUR,
    Guesses,
)
from web.problems.problem import Problem
from web.services import services
from web.store import schema
from web.store.codes import KEY_BYTES
from web.store.maintenance.copies import FOLDER
from web.store.sqlite import FILE_NAME
from web.texts.languages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "web").rglob("templates/*.html"))
NAMES = ("Zdeňka", "Władysław")  # of the players whom nobody else may learn of
PHOTO = "what is in the photo's file"
ASIDE = {"do": "set-aside", "dice": [1, 1]}
# What is the same for everybody and may be kept by a phone; everything else must not be.
KEPT = {"static.file", "texts.texts", "pages.service_worker"}


@pytest.fixture
def phone(app: Flask) -> Phone:
    client = app.test_client()
    phone = Phone(client, start(client, "ones-and-fives", *NAMES))
    phone.throw(1, 1, 6, 6, 3, 4)
    return phone


def routes(app: Flask, phone: Phone, **other: str) -> Iterator[tuple[Rule, str]]:
    """Every route, its arguments filled in so that it leads to this phone's table."""
    known = {
        "key": phone.key,
        "table": other.get("key", phone.key),
        "token": "x",
        "code": services(app).runner.row(phone.key).code,
        "game": "farkle",
        "digest": "00",
        "tag": "x",
        "name": "table/table.js",
        "reading": "none",
        "photo": "none",
        "seq": "1",
        "line": "1",
        "part": "later",
        "night": "none",
        "what": "draw",
        **other,
    }
    for rule in app.url_map.iter_rules():
        values = {**known, "code": "cs"} if rule.endpoint == "texts.texts" else known
        assert rule.arguments <= set(values), f"{rule} has an argument that this harness does not know: add it"
        yield rule, ARGUMENT.sub(lambda found, values=values: values[found[1]], rule.rule)  # type: ignore[misc]


def changing(rule: Rule) -> set[str]:
    return (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}


def everything(app: Flask, data: Path) -> list[str]:
    """All that is stored, without the copy of the day: a server that has run for long enough makes it by itself."""
    with services(app).store.read() as connection:
        rows = [row for table in schema.metadata.sorted_tables for row in connection.execute(select(table)).all()]
    assert len(rows) > 3
    files = [path for path in data.rglob("*") if FILE_NAME not in path.name]
    return [*sorted(map(repr, rows)), *sorted(str(path) for path in files if data / FOLDER not in (path, path.parent))]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "https://localhost.evil.example"},
        {"Origin": "http://localhost:8001"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://["},
        {"Origin": "file://"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
    ],
)
def test_other_sites_change_nothing_by_any_route(
    app: Flask, phone: Phone, tmp_path: Path, headers: dict[str, str]
) -> None:
    before, stored = phone.look(), everything(app, tmp_path / "data")
    tried = 0
    body = {"version": before["version"], "request": "from-elsewhere", "action": ASIDE}
    form = {"game": "farkle", "player": "Eve", "code": "AAAAAA", "name": "Eve", "language": "cs"}
    for rule, path in routes(app, phone):
        for method in changing(rule):
            for given in ({"json": body}, {"data": form}):
                answer = phone.client.open(path, method=method, headers={**JSON, **headers}, **given)
                assert answer.status_code == 403, f"{method} {path}"
                told = answer.get_json()
                assert told["reason"] == "cross-site"
                assert "Set-Cookie" not in answer.headers
                tried += 1
    assert tried >= 20
    assert everything(app, tmp_path / "data") == stored
    assert phone.look() == before


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://localhost"}, {}])
def test_ones_own_pages_and_programs_may_change_things(phone: Phone, headers: dict[str, str]) -> None:
    body = {"version": phone.state["version"], "request": "from-my-own-page", "action": ASIDE}
    assert phone.client.post(f"/api/v1{phone.base}/actions", json=body, headers={**JSON, **headers}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.nip.example", "[::1", "", "\xff", "a b"]
)
def test_no_route_answers_to_a_name_that_is_not_its_own(app: Flask, phone: Phone, host: str) -> None:
    """DNS rebinding: a foreign name that leads to this machine."""
    for rule, path in routes(app, phone):
        for method in (rule.methods or set()) - {"OPTIONS"}:
            answer = phone.client.open(path, method=method, headers={"Host": host})
            assert answer.status_code == 421, f"{method} {path}"
            assert not any(name in answer.data.decode(errors="replace") for name in NAMES)


def test_every_answer_says_that_it_is_to_be_kept_to_itself(app: Flask, phone: Phone) -> None:
    tried = 0
    for rule, path in [*routes(app, phone), *routes(app, phone, key="wrong"), *[(None, "/nothing-here")]]:
        for method in {"GET"} if rule is None else rule.methods or set():
            answer = phone.client.open(path, method=method)
            assert_kept_to_itself(dict(answer.headers), path)
            cached = answer.headers["Cache-Control"]
            if rule is None or rule.endpoint not in KEPT or answer.status_code >= 400:
                assert cached == "no-store", f"{method} {path} {answer.status_code}: {cached}"
            answer.close()
            tried += 1
    assert tried > 100


def assert_kept_to_itself(headers: dict[str, str], path: str) -> None:
    policy = dict((*part.split(None, 1), "")[:2] for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'", path
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self'"
    assert policy["connect-src"] == "'self'"
    assert policy["form-action"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    allowed = {"'none'", "'self'", "blob:", "data:"}
    assert {source for sources in policy.values() for source in sources.split()} <= allowed
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin", "the address of a table is its key"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


class Inline(HTMLParser):
    """Collects what a strict policy would not run, and every address that leads elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and not given.get("src") and given.get("type") != "application/json":
            self.found.append("an inline script")
        if tag in ("style", "base", "iframe", "object", "embed"):
            self.found.append(f"<{tag}>")
        for name, value in given.items():
            if name == "style" or name.startswith("on"):
                self.found.append(f'{name}="{value}"')
            address = (value or "").strip().lower()
            if name in ("href", "src", "action", "formaction", "poster") and re.match(r"[a-z+.-]+:|//", address):
                self.found.append(f'{name}="{value}"')


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_has_inline_scripts_styles_or_handlers(app: Flask, phone: Phone, language: str) -> None:
    pages = 0
    for rule, path in [*routes(app, phone), *routes(app, phone, key="wrong")]:
        if "GET" in (rule.methods or set()):
            answer = phone.client.get(path, headers={"Accept": "text/html", "Accept-Language": language})
            if answer.mimetype == "text/html":
                found = Inline()
                found.feed(answer.get_data(as_text=True))
                assert found.found == [], path
                pages += 1
            answer.close()
    assert pages > 15


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_inline_scripts_styles_or_handlers(template: Path) -> None:
    """Also where no page shows it at the moment; and nothing goes into a template without being escaped."""
    text = template.read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|\|\s*safe\b|autoescape\s+false", text, re.IGNORECASE)
    for script in re.findall(r"<script[^>]*>", text):
        assert "src=" in script or 'type="application/json"' in script


def test_no_script_makes_code_or_styles_from_text() -> None:
    for script in (ROOT / "web" / "static").rglob("*.js"):
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"\beval\(|new Function\(|document\.write|setAttribute\(\s*[\"'](style|on)", text), script


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_are_for_this_server_alone(app: Flask, secure: bool) -> None:
    client = app.test_client()
    base = "https://localhost" if secure else "http://localhost"
    given = client.get("/", base_url=base).headers.getlist("Set-Cookie")
    settings = {"language": "cs", "name": "Ada's phone", "back": "/help"}
    given += client.post("/settings", data=settings, base_url=base).headers.getlist("Set-Cookie")
    cookies = {cookie.split("=", 1)[0]: cookie.split("; ")[1:] for cookie in given}
    assert set(cookies) == {"device", "language", "device-name"}
    for name, attributes in cookies.items():
        assert "SameSite=Lax" in attributes
        assert "Path=/" in attributes
        assert ("Secure" in attributes) is secure
        assert not any(attribute.startswith("Domain") for attribute in attributes)
        # The name that a phone shows to others is set by its own page, too.
        assert ("HttpOnly" in attributes) is (name != "device-name")


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "https://evil.example",
        "evil",
        "/ /x",
    ],
)
def test_forms_lead_nowhere_else(app: Flask, back: str) -> None:
    answer = app.test_client().post("/settings", data={"back": back})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


@pytest.mark.parametrize("key", ["", "wrong", "%", "..", "' OR 1=1 --", "\0", "A" * 24, "*"])
def test_without_its_key_nothing_of_a_table_is_readable(app: Flask, phone: Phone, key: str) -> None:
    stranger = app.test_client()
    pending = {"id": "a-reading", "status": "read", "device": "", "dice": [], "version": 1}
    under_review.put(app, phone.key, pending)
    before = phone.look()["pending"]
    services(app).photos.files.put_shown("a-reading", PHOTO.encode())
    for rule, path in routes(app, phone, key=key, reading="a-reading", code="AAAAAA"):
        for method in (rule.methods or set()) - {"OPTIONS"}:
            answer = stranger.open(path, method=method, headers={"Accept": "text/html"})
            assert_nothing_of(phone, answer.data.decode(errors="replace"), f"{method} {path}")
            assert phone.key not in str(answer.headers)
            if "key" in rule.arguments:
                assert answer.status_code in (404, 405, 308, 429), f"{method} {path}"
            answer.close()
    assert phone.look()["pending"] == before
    assert before["id"] == "a-reading"


def test_another_tables_key_opens_that_table_alone(app: Flask, phone: Phone) -> None:
    stranger = app.test_client()
    other = Phone(stranger, start(stranger, "ones-and-fives", "Eve"))
    under_review.put(app, phone.key, {"id": "a-reading", "status": "read", "device": "", "dice": []})
    services(app).photos.files.put_shown("a-reading", PHOTO.encode())
    before = phone.look()
    for rule, path in routes(app, other, reading="a-reading"):
        for method in (rule.methods or set()) - {"OPTIONS"}:
            answer = stranger.open(path, method=method, headers={"Accept": "text/html"})
            assert_nothing_of(phone, answer.data.decode(errors="replace"), f"{method} {path}")
            if rule.endpoint == "api.picture":
                assert answer.status_code == 404
            answer.close()
    assert phone.look() == before


def assert_nothing_of(phone: Phone, text: str, where: str) -> None:
    for secret in (*NAMES, phone.key, PHOTO):
        assert secret not in text, where


@pytest.mark.parametrize(
    "name",
    [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "..%5capp.py",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "sheets/../../app.py",
        ".",
    ],
)
def test_static_files_are_those_of_their_folder(app: Flask, name: str) -> None:
    answer = app.test_client().get(f"/static/x/{name}")
    assert answer.status_code in (404, 308)
    assert b"import" not in answer.get_data()


def test_a_tables_key_cannot_be_guessed(app: Flask, phone: Phone) -> None:
    assert KEY_BYTES * 8 >= 128
    client = app.test_client()
    keys = {start(client).rsplit("/", 1)[1] for _ in range(20)}
    assert len(keys) == 20
    assert all(len(key) * 6 >= KEY_BYTES * 8 for key in keys)


def ask(served: Served, source: str, method: str, path: str, body: str = "") -> tuple[int, str]:
    """One request from another address of this machine: the status and where it leads."""
    connection = connection_to(served.port, False, 60, source)
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
    connection.request(method, path, body or None, headers)
    response = connection.getresponse()
    response.read(200)
    connection.close()
    return response.status, response.headers.get("Location", "")


@both_engines
def test_guessing_is_throttled_and_those_who_know_are_let_in(tmp_path: Path, database: str | None) -> None:
    """From two addresses of this machine: a guesser, and a phone at the table."""
    guesser, friend = "127.0.0.2", "127.0.0.1"
    with Served(tmp_path / "data", environment=database_variable(database), program=UNPREPARED) as served:
        try:
            ask(served, guesser, "GET", "/help")
        except OSError:
            pytest.skip("this system has one loopback address only")
        base = new_table(served)
        page = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        page.request("GET", base)
        found = re.search(rb'"code":"([A-Z]{6})"', page.getresponse().read())
        page.close()
        code = found[1].decode()

        right = urlencode({"code": code})
        wrong = [ask(served, guesser, "POST", "/join", urlencode({"code": f"AAAA{n:02}"}))[0] for n in range(30)]
        assert wrong == [404] * GUESSES_A_MINUTE + [429] * (30 - GUESSES_A_MINUTE)
        assert ask(served, guesser, "POST", "/join", right) == (429, ""), "not even a hit is told any more"
        assert ask(served, guesser, "GET", f"/j/{code}") == (429, "")
        assert ask(served, friend, "POST", "/join", right) == (303, base)
        assert ask(served, friend, "GET", f"/j/{code}") == (303, base)

        for path, status, source in (("", 404, guesser), ("/states", 204, "127.0.0.3")):
            wrong = [ask(served, source, "GET", f"/api/v1/tables/guess-{n}{path}")[0] for n in range(30)]
            assert wrong == [status] * GUESSES_A_MINUTE + [429] * (30 - GUESSES_A_MINUTE)
            assert ask(served, source, "GET", f"/api/v1{base}")[0] == 200, "who has a key is let in all the same"
        assert ask(served, friend, "GET", f"/api/v1{base}")[0] == 200


def test_guesses_are_forgotten_after_a_while_and_add_up_over_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("web.limits.guesses.time.monotonic", lambda: now[0])
    guesses = Guesses()
    made = 0
    while made < GUESSES_AN_HOUR:
        for _ in range(GUESSES_A_MINUTE):
            guesses.check("code", "192.168.1.9")
            guesses.wrong("code", "192.168.1.9")
            made += 1
        with pytest.raises(Problem, match="wrong codes"):
            guesses.check("code", "192.168.1.9")
        guesses.check("code", "192.168.1.10")
        now[0] += MINUTE_S + 1
    with pytest.raises(Problem, match="wrong codes"):
        guesses.check("code", "192.168.1.9")
    now[0] += HOUR_S
    guesses.check("code", "192.168.1.9")


def test_many_addresses_together_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("web.limits.guesses.time.monotonic", lambda: now[0])
    guesses = Guesses()
    for number in range(GUESSES_OF_ALL):
        address = f"10.0.{number // 250}.{number % 250}"
        guesses.check("code", address)
        guesses.wrong("code", address)
    for _ in range(SHARE_AN_HOUR - 1):
        guesses.wrong("code", "10.0.1.1")
    with pytest.raises(Problem):
        guesses.check("code", "10.0.1.1")
    with pytest.raises(Problem):
        guesses.check("code", "fe80::9", "a host may have any number of these")
    guesses.check("code", "10.9.9.9")
    guesses.check("key", "10.0.1.1")
    now[0] += MINUTE_S + 1
    guesses.check("code", "10.0.1.1", "another phone")


def test_one_guest_does_not_lock_out_the_others_behind_his_address() -> None:
    guesses = Guesses()
    for phone in ("", "one", "two", "three", "four", "five"):
        guesses.check("code", "10.0.0.1", "a guest")
        for _ in range(GUESSES_A_MINUTE):
            guesses.check("code", "10.0.0.1", phone)
            guesses.wrong("code", "10.0.0.1", phone)
        with pytest.raises(Problem):
            guesses.check("code", "10.0.0.1", phone)
    guesses.check("code", "10.0.0.1", "a guest")
    guesses.wrong("code", "10.0.0.1", "a guest")
    with pytest.raises(Problem):
        guesses.check("code", "10.0.0.1", "a guest")
    for number in range(MOST_OF_ADDRESS):
        guesses.wrong("code", "10.0.0.1", f"forged {number}")
    with pytest.raises(Problem):
        guesses.check("code", "10.0.0.1", "whoever")


IMAGE = {"Accept": "image/avif,image/webp,image/*,*/*;q=0.8"}
FRAME = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.mark.parametrize("headers", [IMAGE, FRAME, LINK])
def test_other_sites_cannot_use_up_what_a_person_may_type(app: Flask, phone: Phone, headers: dict[str, str]) -> None:
    client = app.test_client()
    found = re.search(r'"code":"([A-Z]{6})"', client.get(phone.base).get_data(as_text=True))
    for number in range(2 * GUESSES_A_MINUTE):
        assert client.get(f"/j/AAAA{number:02}", headers=headers).status_code in (403, 404, 429)
    assert client.get(f"/j/{found[1]}", headers=headers).status_code == (429 if headers is LINK else 403)
    assert client.post("/join", data={"code": found[1]}).status_code == 303


def test_a_link_in_a_message_leads_to_the_table(app: Flask, phone: Phone) -> None:
    client = app.test_client()
    found = re.search(r'"code":"([A-Z]{6})"', client.get(phone.base).get_data(as_text=True))
    assert client.get(f"/j/{found[1]}", headers=LINK).status_code == 303


def test_one_host_has_many_ipv6_addresses_and_one_count() -> None:
    guesses = Guesses()
    for number in range(GUESSES_A_MINUTE):
        guesses.wrong("code", f"2001:db8:0:1::{number:x}")
    with pytest.raises(Problem):
        guesses.check("code", "2001:db8:0:1:ffff::1")
    guesses.check("code", "2001:db8:0:2::1")
    guesses.wrong("code", "::ffff:192.168.1.9")
    assert origins.origin_of("::ffff:192.168.1.9") == origins.origin_of("192.168.1.9")
    assert origins.origin_of("fe80::1%eth0") != origins.origin_of("fe80::2%eth0"), "all of a Wi-Fi share that network"


@both_engines
def test_the_live_stream_is_kept_to_itself_too(tmp_path: Path, database: str | None) -> None:
    with Served(tmp_path / "data", environment=database_variable(database), program=UNPREPARED) as served:
        base = new_table(served)
        for path, host, status in (
            (f"/api/v1{base}/states", "127.0.0.1", 200),
            (f"/api/v1{base}/states", "evil.example", 421),
            ("/api/v1/tables/wrong/states", "127.0.0.1", 204),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
            connection.request("GET", path, headers={"Host": host})
            response = connection.getresponse()
            assert response.status == status
            headers = {name.title(): value for name, value in response.headers.items()}
            assert_kept_to_itself(headers, path)
            assert headers["Cache-Control"] == "no-store"
            if status == 421:
                assert json.loads(response.read())["reason"] == "host-unknown"
            response.close()
            connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_data_folder_is_for_its_user_alone(tmp_path: Path) -> None:
    """What is not ours stays as it is."""
    data = tmp_path / "data"
    services(create_app(data)).close()
    (data / "a-letter").touch()
    for path in (data, *data.rglob("*")):
        path.chmod(0o755)
    services(create_app(data)).close()
    assert {path.name for path in (data, *data.rglob("*")) if path.stat().st_mode & 0o077} == {"a-letter"}
