"""Fetching a game from an address: how much, how long, and where a stranger's answer may lead."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from web.hosts.game_files import fetching
from web.hosts.game_files.fetching import NotFetchedError, fetch

MOST = 1000


class Answering(http.server.BaseHTTPRequestHandler):
    """Answers by the path."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self.close_connection = True
        kind, _, rest = self.path.removeprefix("/").partition("/")
        body, status, headers = b"a game", 200, {}
        if kind == "big":
            body = b"x" * int(rest)
        elif kind == "to":
            status, headers = 302, {"Location": rest.replace("PORT", str(self.server.server_address[1]))}
        elif kind == "status":
            status = int(rest)
        elif kind == "packed":
            headers = {"Content-Encoding": "gzip"}
        elif kind == "cut":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na game")
            return
        elif kind == "nonsense":
            self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
            return
        elif kind == "slow":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in range(100):
                try:
                    self.wfile.write(b"x")
                except OSError:
                    return
                time.sleep(0.05)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if kind != "endless":
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = http.server.ThreadingHTTPServer(("", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    server.server_close()
    thread.join()


def why(address: str) -> str:
    with pytest.raises(NotFetchedError) as refused:
        fetch(address, MOST)
    said = str(refused.value)
    assert "\n" not in said
    return said


def test_what_a_person_names_is_fetched_at_this_machine_too(port: int) -> None:
    assert fetch(f"http://127.0.0.1:{port}/game.toml", MOST) == b"a game"
    assert fetch(f"http://localhost:{port}/endless", MOST) == b"a game"
    assert fetch(f"http://127.0.0.1:{port}/big/{MOST}", MOST) == b"x" * MOST


def test_redirects_are_followed_to_the_machine_that_was_named(port: int) -> None:
    assert fetch(f"http://127.0.0.1:{port}/to//game.toml", MOST) == b"a game"
    assert fetch(f"http://127.0.0.1:{port}/to//to//to//game.toml", MOST) == b"a game"
    assert "more than 3 redirects" in why(f"http://127.0.0.1:{port}/to//to//to//to//game.toml")


@pytest.mark.parametrize("there", ["127.0.0.2:PORT", "[::1]:PORT", "10.1.2.3", "169.254.169.254", "192.168.1.1"])
def test_a_redirect_leads_nowhere_else_in_private_networks(port: int, there: str) -> None:
    assert "leads into a private network" in why(f"http://127.0.0.1:{port}/to/http://{there}/game.toml")


@pytest.mark.parametrize("there", ["file:///etc/passwd", "ftp://127.0.0.1/x", "javascript:alert(1)"])
def test_a_redirect_leads_to_no_other_protocol(port: int, there: str) -> None:
    assert "begins with http:// or https://" in why(f"http://127.0.0.1:{port}/to/{there}")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (f"big/{MOST + 1}", "more than 1,000 bytes"),
        ("status/404", "the answer is 404 Not Found"),
        ("status/500", "the answer is 500"),
        ("packed", "compressed"),
        ("cut", "the answer is not whole"),
        ("to/http://[x/", "leads to no address"),
        ("nonsense", "does not speak http"),
    ],
)
def test_what_is_no_file_is_refused_in_one_sentence(port: int, path: str, said: str) -> None:
    assert said in why(f"http://127.0.0.1:{port}/{path}")


@pytest.mark.parametrize(
    "address",
    [
        "http://",
        "http://a b/",
        "http://user:password@127.0.0.1/",
        f"http://a/{'x' * 300}",
        "http://a:99999/",
        "http://[a/",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert "begins with http:// or https://" in why(address)


def test_an_answer_in_drops_ends_with_the_time(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "WITHIN_S", 0.5)
    began = time.monotonic()
    assert "no answer within" in why(f"http://127.0.0.1:{port}/slow")
    assert time.monotonic() - began < 3


def test_nothing_that_listens_is_said(port: int) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), Answering) as closed:
        free = closed.server_port
    assert "Connection refused" in why(f"http://127.0.0.1:{free}/")
    assert "no such host" in why("http://no-such-host.invalid/")
    assert "does not speak http" in why(f"https://127.0.0.1:{port}/") or "SSL" in why(f"https://127.0.0.1:{port}/")
