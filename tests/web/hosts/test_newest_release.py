"""Whether there is a newer release: what forges and files answer, and what wrong answers are told as."""

from __future__ import annotations

import http.server
import json
import socket
import threading
from collections.abc import Callable, Iterator

import pytest

import rollcall
from web.common.release import RELEASES, VERSION
from web.hosts import newest_release
from web.hosts.newest_release import Release

PAGE = "https://forge.example/rollcall/releases/tag/v99.1"
FORGE = {"tag_name": "v99.1", "html_url": PAGE, "draft": False, "prerelease": False, "assets": []}


@pytest.fixture
def address_with() -> Iterator[Callable[[bytes], str]]:
    """Makes an address of this machine that answers so."""
    servers = []

    def serve(body: bytes) -> str:
        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path == "/releases" else 404)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None: ...

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/releases"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = rollcall.main(["update", *arguments])
    return (status, *capsys.readouterr())


@pytest.mark.parametrize(
    ("answer", "newest"),
    [
        (FORGE, Release("99.1", PAGE)),
        (
            [{**FORGE, "tag_name": "v98"}, FORGE, {**FORGE, "tag_name": "v100.0", "prerelease": True}],
            Release("99.1", PAGE),
        ),
        ([{**FORGE, "tag_name": "v100.0", "draft": True}, {**FORGE, "tag_name": "0.10.0"}], Release("0.10.0", PAGE)),
        ({**FORGE, "html_url": "javascript:alert(1)"}, Release("99.1")),
        ({**FORGE, "html_url": "https://x.example/\x1b[2J"}, Release("99.1")),
        ("99.1\n", Release("99.1")),
        ("v99.1.2\nWhat is new: all", Release("99.1.2")),
        ("\ufeff99.1\r\n", Release("99.1")),
    ],
)
def test_forges_and_files_are_understood(address_with: Callable[[bytes], str], answer: object, newest: Release) -> None:
    body = answer if isinstance(answer, str) else json.dumps(answer)
    assert newest_release.newest_release(address_with(body.encode())) == newest


@pytest.mark.parametrize(
    ("one", "other"),
    [("0.10.0", "0.9.9"), ("1.0.1", "1.0"), ("0.5.0", "0.4.12"), ("2.0", "1.99.99"), ("1.0.0.1", "1.0")],
)
def test_versions_are_compared_by_their_numbers(one: str, other: str) -> None:
    assert Release(one).is_newer(other)
    assert not Release(other).is_newer(one)
    assert not Release(one).is_newer(one)
    assert not Release("1.0.0").is_newer("1.0")


def test_what_there_is_is_said(address_with: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]) -> None:
    address = address_with(json.dumps(FORGE).encode())
    said = f"Rollcall 99.1 is there; this is {VERSION}: {PAGE}\n"
    assert run(capsys, "--from", address) == (0, said, "")
    status, out, _ = run(capsys, "--from", address, "--json")
    assert (status, json.loads(out)) == (0, {"version": VERSION, "newest": "99.1", "newer": True, "page": PAGE})
    for known in (VERSION, "0.0.1"):
        assert run(capsys, "--from", address_with(known.encode())) == (0, f"{VERSION} is the newest\n", "")


@pytest.mark.parametrize(
    "answer",
    [
        *(
            b"",
            b"{}",
            b"[]",
            b"[1, null]",
            b"{",
            b"[" * 100_000,
            b"newest",
            b"<!doctype html>",
            b"1",
            b"\xff\xfe",
            b"null",
        ),
        *(
            b'{"tag_name": 5}',
            b'{"tag_name": "v1.x"}',
            b'{"tag_name": "v9.9", "draft": true}',
            b"9.9.9.9.9",
            b"1.0\x1b[2J",
            "\u0669.\u0661".encode(),
        ),
        *(b"9" * 7 + b".0", b'{"message": "rate limit"}', b"0.5.0 " + b" " * 1_000_000),
    ],
)
def test_a_wrong_answer_is_one_sentence(
    address_with: Callable[[bytes], str], capsys: pytest.CaptureFixture[str], answer: bytes
) -> None:
    status, out, err = run(capsys, "--from", address_with(answer))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("http://127.0.0.1:")


def test_addresses_that_are_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    for address in (
        "http://forge.example/releases",
        "ftp://forge.example",
        "forge.example",
        "https\x1b://x",
        "https://[x",
        "",
    ):
        status, out, err = run(capsys, "--from", address)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "https://" in err
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        status, _, err = run(capsys, "--from", f"http://127.0.0.1:{nobody.getsockname()[1]}/")
    assert (status, err.count("\n")) == (2, 1)


def test_who_answers_slowly_is_not_waited_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_release, "WITHIN_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        status, _, err = run(capsys, "--from", f"http://127.0.0.1:{silent.getsockname()[1]}/")
    assert (status, err) == (2, err)
    assert "no answer within" in err


def test_without_an_address_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    if RELEASES:
        pytest.skip("the project has an address now")
    status, out, err = run(capsys)
    assert (status, out) == (2, "")
    assert "--from https://" in err
