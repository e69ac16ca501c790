"""Metrics and the log for programs: what they tell, and what stands in neither."""

import http.client
import json
import re
import signal
import sys
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import rollcall
from tests.web.postgres import missing
from tests.web.served import UNPREPARED, Served, ask, new_table, throw
from web.hosts.laptop import server_log
from web.hosts.laptop.metrics import OTHER, Paths, RequestSummary
from web.hosts.laptop.serve_options import ServeError, ServeOptions, check

pytestmark = pytest.mark.whole

TOKEN = "a-token-of-the-operator"
PHONE = "AphoneOfSomebody_0123456789"
RULES = ["/", "/tables/<key>/state", "/j/<code>", "/static/<path:name>"]
PASSWORD = "pass-word-9"


def test_what_no_route_has_is_left_out_of_a_path() -> None:
    paths = Paths(RULES)
    for path, shown, route in (
        ("/tables/Qx7_-aaaaBBBBccccDDDD1234/state", "/tables/…/state", "/tables/…/state"),
        ("/Qx7_-aaaaBBBBccccDDDD1234/tables", "/…/tables", OTHER),
        ("/j/ABCDEF", "/j/…", "/j/…"),
        ("/static/sheets/all.js", "/static/…/…", "/static/…"),
        ("/tables/state/" + 50 * "state/", None, OTHER),
        ("", "", OTHER),
    ):
        assert shown is None or paths.redact(path) == shown
        assert paths.route(path) == route


def test_a_flood_of_requests_is_not_a_flood_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(server_log.time, "monotonic", lambda: now[0])
    out = StringIO()
    journal = server_log.LineFormatter(out)
    for _ in range(server_log.MOST_A_SECOND + 7):
        journal.note(RequestSummary("GET", "/", "/", 200, 0.0123))
    now[0] += 1
    journal.note(RequestSummary("GET", "/", "/", 200, 0.0123))
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(lines) == server_log.MOST_A_SECOND + 1
    assert lines[0] | {"at": ""} == {
        "at": "",
        "event": "request",
        "method": "GET",
        "path": "/",
        "status": 200,
        "ms": 12.3,
    }
    assert lines[-1]["left_out"] == 7


def test_an_event_is_a_line_and_tells_no_secret() -> None:
    import logging

    journal = server_log.LineFormatter(StringIO(), [PASSWORD])
    key = "Qx7_-aaaaBBBBccccDDDD1234"
    try:
        raise RuntimeError(f"rollcall:{PASSWORD}@db\n{key}")
    except RuntimeError:
        record = logging.LogRecord("web", logging.ERROR, "", 0, "%s /j/ABCDEF", (key,), sys.exc_info())
    line = journal.format(record)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["level"], told["message"]) == ("error", "… /j/…")
    assert "RuntimeError: rollcall:…@db\n…" in told["error"]


def page(served: Served, token: str | None, method: str = "GET") -> tuple[int, str]:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)) as connection:
        connection.request(method, "/metrics", headers=headers)
        response = connection.getresponse()
        return response.status, response.read().decode()


def number(text: str, series: str) -> float:
    found = re.search(rf"^{re.escape(series)} (\S+)$", text, re.M)
    assert found is not None, text
    return float(found[1])


def test_prometheus_is_told_by_the_token_and_nobody_else(tmp_path: Path) -> None:
    pytest.importorskip("prometheus_client")
    environment = {"ROLLCALL_METRICS_TOKEN": TOKEN}
    arguments = ["--metrics"]
    with Served(tmp_path, arguments=arguments, environment=environment, program=UNPREPARED) as served:
        base = new_table(served)
        throw(served, base, 0, [1, 1, 6, 6, 3, 4])
        body = {"version": 0, "request": "too-late-0001", "action": {"do": "bank"}}
        assert ask(served, "POST", f"/api/v1{base}/actions", body)[0] == 409
        assert [page(served, token)[0] for token in (None, "", TOKEN + "x", TOKEN)] == [401, 401, 401, 200]
        assert [page(served, token, "HEAD") for token in ("", TOKEN)] == [(401, ""), (200, "")]
        _, told = page(served, TOKEN)
        assert number(told, 'rollcall_actions_total{kind="action"}') == 1
        refused = 'rollcall_requests_total{method="POST",route="/api/v1/tables/…/actions",status="409"}'
        assert number(told, refused) == 1
        assert number(told, 'rollcall_request_seconds_count{route="/api/v1/tables/…/actions"}') == 2
        assert number(told, "rollcall_streams") == 0
        assert number(told, "rollcall_photos_waiting") == 0
        assert base.rpartition("/")[2] not in told
        assert TOKEN not in told


def test_readings_that_a_person_confirmed_are_counted_with_their_sureness() -> None:
    pytest.importorskip("prometheus_client")
    from web.hosts.laptop.metrics import Metrics

    metrics = Metrics(lambda: 3, lambda: 2, TOKEN)
    metrics.count_reading(sure=True, corrected=False)
    metrics.count_reading(sure=True, corrected=True)
    told = metrics.page().decode()
    assert number(told, 'rollcall_readings_total{corrected="yes",sure="yes"}') == 1
    assert (number(told, "rollcall_streams"), number(told, "rollcall_photos_waiting")) == (3, 2)


def test_without_the_option_there_is_no_such_page(tmp_path: Path) -> None:
    with Served(tmp_path, environment={"ROLLCALL_METRICS_TOKEN": TOKEN}, program=UNPREPARED) as served:
        assert page(served, TOKEN)[0] == 404


def test_a_short_token_is_one_clear_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ServeError, match="20 characters"):
        check(ServeOptions(data=tmp_path, host="127.0.0.1", port=0, metrics="short"))
    assert rollcall.explain_missing(ImportError(name="prometheus_client")).startswith("--metrics needs")


def secrets_of(served: Served, base: str) -> list[str]:
    """Asks for much that has a secret in it, and tells these."""
    key = base.rpartition("/")[2]
    cookie = {"Cookie": f"device={PHONE}"}
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)) as connection:
        connection.request("GET", f"{base}/board", headers=cookie)
        shown = re.search(r'class="code">([A-Z]{6})<', connection.getresponse().read().decode())
    code = shown[1]
    for method, path in (
        ("GET", f"/j/{code}"),
        ("GET", f"/join?code={code}"),
        ("POST", "/join"),
        ("GET", f"/{key}/{code}"),
        ("POST", f"/history/forget/{key}"),
        ("GET", f"/api/v1{base}?stamp={key}"),
        ("GET", f"/api/v1/tables/{key}x/states"),
        ("GET", f"/ready?{key}"),
    ):
        ask(served, method, path, {"code": code} if method == "POST" else None, cookie)
    throw(served, base, 0, [1, 1, 6, 6, 3, 4])
    return [key, code, PHONE, "request-0"]


def lines(served: Served) -> list[dict[str, Any]]:
    return [json.loads(line) for line in served.output().splitlines() if line.startswith("{")]


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_no_line_has_a_key_a_code_a_cookie_or_a_password(
    tmp_path: Path, engine: str, request: pytest.FixtureRequest
) -> None:
    arguments = ["--log", "json"]
    if engine == "postgresql":
        if reason := missing():
            pytest.skip(reason)
        address = request.getfixturevalue("server").new().replace("rollcall@", f"rollcall:{PASSWORD}@")
        arguments += ["--database", address]
    with Served(tmp_path, arguments=arguments, program=UNPREPARED) as served:
        new_path = f"/api/v1{(base := new_table(served))}"
        secrets = [*secrets_of(served, base), PASSWORD]
        if engine == "postgresql":  # so that it has something to complain about
            server = request.getfixturevalue("server")
            server.do(f"DROP DATABASE {address.rpartition('/')[2]} WITH (FORCE)")
            assert ask(served, "GET", new_path)[0] == 503
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(30) == 0
        told = lines(served)
        requests = [line for line in told if line["event"] == "request"]
        acted = {"method": "POST", "path": "/api/v1/tables/…/actions", "status": 200}
        assert any(acted.items() <= line.items() for line in requests)
        assert len(requests) >= 11
        assert engine == "sqlite" or any(line["event"] == "log" for line in told)
        for secret in secrets:
            assert secret not in served.output().partition("End with Ctrl+C.")[2], secret
