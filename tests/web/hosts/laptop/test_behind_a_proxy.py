"""The server behind a reverse proxy: for whom the phones are taken that it calls for."""

import http.client
import json
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.served import UNPREPARED, Served, connection_to
from web.limits.guesses import GUESSES_A_MINUTE

pytestmark = pytest.mark.whole


def guess(served: Served, told: str, source: str = "127.0.0.1") -> http.client.HTTPResponse:
    """Guesses a short code wrong, and says who asks."""
    with closing(connection_to(served.port, False, 60, source)) as phone:
        headers = {"X-Forwarded-For": told, "X-Forwarded-Proto": "https", "Host": "dice.example"}
        phone.request("GET", "/j/AAAAAA", headers={**headers, "Accept": "application/json"})
        answer = phone.getresponse()
        answer.read()
    return answer


def lock_out(served: Served, told: str, source: str = "127.0.0.1") -> int:
    """The last answer's status of one guess too many."""
    return [guess(served, told, source).status for _ in range(GUESSES_A_MINUTE + 1)][-1]


def test_behind_a_proxy_that_was_named_each_phone_counts_for_itself(tmp_path: Path) -> None:
    arguments = ["--behind", "127.0.0.1", "--name", "dice.example"]
    with Served(tmp_path / "data", arguments=arguments, program=UNPREPARED) as served:
        assert lock_out(served, "192.168.1.7") == 429
        assert guess(served, "192.168.1.8").status == 404
        # Whom the proxy does not name is one for all such, and neither the proxy nor this machine.
        assert lock_out(served, "unknown") == 429
        assert guess(served, "_hidden").status == 429
        assert guess(served, "127.0.0.1").status == 404
        # Who is not the proxy is who he is, whatever he says.
        assert lock_out(served, "192.168.1.9", source="127.0.0.2") == 429
        assert guess(served, "192.168.1.10", source="127.0.0.2").status == 429
        assert guess(served, "192.168.1.9").status == 404


@pytest.mark.parametrize("arguments", [[], ["--behind", "127.0.0.1"]])
def test_cookies_are_for_https_where_a_known_proxy_says_so(tmp_path: Path, arguments: list[str]) -> None:
    with (
        Served(tmp_path / "data", arguments=arguments, program=UNPREPARED) as served,
        closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)) as phone,
    ):
        phone.request("GET", "/", headers={"X-Forwarded-Proto": "https"})
        answer = phone.getresponse()
        answer.read()
    cookies = answer.headers.get_all("Set-Cookie") or []
    assert cookies
    assert all(("Secure" in cookie) == bool(arguments) for cookie in cookies)


def test_home_assistant_shows_the_pages_below_its_path(tmp_path: Path) -> None:
    root, own = "/api/hassio_ingress/abc_DEF-123", {"Host": "homeassistant.local:8123"}
    with Served(tmp_path / "data", arguments=["--ingress", "127.0.0.1"], program=UNPREPARED) as served:

        def ask(
            method: str, path: str, headers: dict[str, str], source: str, body: str | None = None
        ) -> tuple[int, str, str]:
            with closing(connection_to(served.port, False, 60, source)) as phone:
                phone.request(method, path, body, {**own, **headers})
                answer = phone.getresponse()
                told = answer.headers
                assert all(f"Path={root}/" in each for each in told.get_all("Set-Cookie") or [])
                return answer.status, answer.read().decode(), f"{told['Content-Security-Policy']} {told['Location']}"

        within = {"X-Ingress-Path": root, "X-Forwarded-For": "192.168.1.50, 172.30.32.1"}
        status, page, policy = ask("GET", "/", within, "127.0.0.1")
        assert status == 200
        assert f'data-root="{root}"' in page
        assert "frame-ancestors 'self'" in policy
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": "http://homeassistant.local:8123"}
        settings = ("POST", "/settings", {**within, **form}, "127.0.0.1", "language=pl&back=%2Fhistory")
        assert ask(*settings)[::2] == (303, f"{policy.split(' None')[0]} {root}/history")
        elsewhere = {**form, "Origin": "http://evil.example"}
        assert ask("POST", "/settings", {**within, **elsewhere}, "127.0.0.1", "language=pl")[0] == 403
        for headers, source in (({}, "127.0.0.1"), (within, "127.0.0.2"), ({"X-Ingress-Path": "//evil"}, "127.0.0.1")):
            assert ask("GET", "/", headers, source)[0] == 421


def test_without_a_proxy_nobody_is_believed(tmp_path: Path) -> None:
    with Served(tmp_path / "data", arguments=["--name", "dice.example"], program=UNPREPARED) as served:
        assert lock_out(served, "192.168.1.7") == 429
        assert guess(served, "192.168.1.8").status == 429


def test_the_stream_of_a_phone_behind_a_proxy_counts_for_the_phone(tmp_path: Path) -> None:
    """Wrong keys of streams, too, are counted against the phone: another phone is told of its own."""
    with Served(tmp_path / "data", arguments=["--behind", "127.0.0.1"], program=UNPREPARED) as served:
        for told, status in [("192.168.1.7", 204)] * GUESSES_A_MINUTE + [("192.168.1.7", 429), ("192.168.1.8", 204)]:
            with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)) as phone:
                phone.request("GET", "/api/v1/tables/wrong/states", headers={"X-Forwarded-For": told})
                answer = phone.getresponse()
                assert answer.status == status, json.dumps(dict(answer.headers))
