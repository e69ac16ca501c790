"""The real server in a process of its own: live streams, ending cleanly, being killed."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from tests.web.phones import api_of
from tests.web.served import UNPREPARED, Served, ask, new_table, throw
from tests.web.waiting import wait_until
from web.hosts.laptop.certificates import own_certificate
from web.hosts.laptop.serve_options import ServeError, ServeOptions, check
from web.pages.operations import RECORD_LIMIT

pytestmark = pytest.mark.whole

END = "-----END CERTIFICATE-----"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served") / "data", program=UNPREPARED) as server:
        yield server


@pytest.fixture
def ending(tmp_path: Path) -> Iterator[Served]:
    """A server that the test ends."""
    with Served(tmp_path / "data", program=UNPREPARED) as server:
        yield server


class Stream:
    """One phone's event stream, read in a thread."""

    def __init__(self, served: Served, base: str) -> None:
        self.states: list[dict[str, Any]] = []
        self.arrived = threading.Condition()
        self.socket = served.open(timeout=20)
        self.socket.sendall(f"GET {api_of(base)}/states HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self.lines = self.socket.makefile("rb")
        assert self.lines.readline().split()[1] == b"200"
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self) -> None:
        for line in self.lines:
            if line.startswith(b"data: {"):
                with self.arrived:
                    self.states.append(json.loads(line[6:]))
                    self.arrived.notify_all()

    def wait_for(self, version: int) -> None:
        with self.arrived:
            assert self.arrived.wait_for(lambda: self.states and self.states[-1]["version"] >= version, timeout=30)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # the server may have ended it
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(5)
        self.lines.close()
        self.socket.close()


def test_it_starts_and_prints_the_address(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        assert f"http://127.0.0.1:{served.port}/" in served.output()
        assert "▄" in served.output(), "the QR code"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to send")
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_though_phones_listen(ending: Served, sign: signal.Signals) -> None:
    stream = Stream(ending, new_table(ending))
    ending.process.send_signal(sign)
    assert ending.process.wait(30) == 0
    stream.thread.join(5)
    stream.lines.close()
    stream.socket.close()


STUCK = """
from tests.web.unprepared import run
from web.hosts.laptop.wsgi_bridge import WsgiBridge
answer = WsgiBridge._answer
def stick(self, environ):
    if environ["PATH_INFO"] == "/help":
        print("stuck", flush=True)
        while True: pass
    return answer(self, environ)
WsgiBridge._answer = stick
raise SystemExit(run())
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to send")
def test_it_waits_for_no_stuck_request_at_its_end(tmp_path: Path) -> None:
    with Served(tmp_path / "data", program=("-c", STUCK)) as stuck, stuck.open() as phone:
        phone.sendall(b"GET /help HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        wait_until(lambda: "stuck" in stuck.output(), 60)
        stuck.process.terminate()
        assert stuck.process.wait(60) == 0


def test_twelve_phones_hear_every_change(served: Served) -> None:
    """How soon, `benchmarks/bench_pages.py` tells."""
    base = new_table(served)
    streams = [Stream(served, base) for _ in range(12)]
    for version in range(1, 6):
        if version % 2:
            throw(served, base, version - 1, [1, 1, 6, 6, 3, 4])
        else:
            ask(served, "POST", f"/api/v1{base}/undo", {"version": version - 1, "request": f"undo-number-{version}"})
        for stream in streams:
            stream.wait_for(version)
    for stream in streams:
        stream.close()


def test_https_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    with Served(tmp_path, https=True, program=UNPREPARED) as served:
        context = ssl.create_default_context(cafile=str(tmp_path / "https-cert.pem"))
        connection = http.client.HTTPSConnection("127.0.0.1", served.port, timeout=10, context=context)
        connection.request("GET", "/")
        response = connection.getresponse()
        assert response.status == 200
        response.read()
        connection.close()
        assert f"https://127.0.0.1:{served.port}/" in served.output()


def test_https_with_a_certificate_that_is_named(tmp_path: Path) -> None:
    cert, key = own_certificate(tmp_path / "bought", ["127.0.0.1"])
    with Served(tmp_path / "data", arguments=["--cert", str(cert), "--key", str(key)], program=UNPREPARED) as served:
        context = ssl.create_default_context(cafile=str(cert))
        connection = http.client.HTTPSConnection("127.0.0.1", served.port, timeout=10, context=context)
        connection.request("GET", "/help")
        assert connection.getresponse().status == 200
        presented = connection.sock.getpeercert(binary_form=True)
        connection.close()
        assert presented == ssl.PEM_cert_to_DER_cert(cert.read_text().partition(END)[0] + END)
        assert f"https://127.0.0.1:{served.port}/" in served.output()
    assert not (tmp_path / "data" / "https-cert.pem").exists(), "none of our own was made"


def test_a_key_or_a_certificate_that_does_not_do_is_one_clear_sentence(tmp_path: Path) -> None:
    cert, key = own_certificate(tmp_path / "bought", ["127.0.0.1"])
    _, other = own_certificate(tmp_path / "other", ["127.0.0.1"])
    locked = tmp_path / "locked.pem"
    private = load_pem_private_key(key.read_bytes(), None)
    password = BestAvailableEncryption(b"secret")
    locked.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, password))
    for named, said in (
        ({"key": key}, "--key needs --cert"),
        ({"cert": cert}, "name its private key with --key"),
        ({"cert": cert, "key": other}, "--key must be its own"),
        ({"cert": cert, "key": locked}, "without a password"),
        ({"cert": cert, "key": tmp_path / "none.pem"}, re.escape("there is no file")),
    ):
        with pytest.raises(ServeError, match=said):
            check(ServeOptions(data=tmp_path / "data", host="127.0.0.1", port=0, **named))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
def test_ending_it_in_the_middle_of_an_upload_is_no_failure(ending: Served) -> None:
    base = new_table(ending)
    with socket.create_connection(("127.0.0.1", ending.port), 10) as upload:
        head = f"POST /api/v1{base}/photos HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        head += "Content-Type: multipart/form-data; boundary=x\r\n"
        upload.sendall(f"{head}Content-Length: 3000000\r\n\r\n--x\r\n".encode() + bytes(100_000))
        assert ask(ending, "GET", f"/api/v1{base}")[0] == 200
        ending.process.send_signal(signal.SIGINT)
        assert ending.process.wait(30) == 0
        assert ending.output().partition("End with Ctrl+C.")[2].strip() == ""


def answer_to(served: Served, request: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", served.port), 20) as connection:
        connection.sendall(request)
        connection.settimeout(20)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def test_head_is_get_without_its_body(served: Served) -> None:
    for path in ("/health", "/ready", "/help"):
        get, head = (
            answer_to(served, f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            for method in ("GET", "HEAD")
        )
        headers, end, body = head.partition(b"\r\n\r\n")
        assert headers.startswith(b"HTTP/1.1 200 "), head
        assert (end, body) == (b"\r\n\r\n", b"")
        assert _names(headers) == _names(get.partition(b"\r\n\r\n")[0])


def _names(head: bytes) -> list[bytes]:
    return sorted(line.partition(b":")[0].lower() for line in head.split(b"\r\n")[1:])


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8000", "LOCALHOST", "[::1]:8000"])
def test_what_is_asked_for_by_its_whole_address_is_what_its_path_names(served: Served, host: str) -> None:
    """RFC 9112, section 3.2.2; the Host header, which names nobody here, does not count then."""
    base = new_table(served)
    page = answer_to(served, b"GET /help HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").decode()
    script = re.search(r'src="(/static/\w+/pages/app\.js)"', page)
    for path, said in (
        ("", b"<html"),
        ("?x=1", b"<html"),
        ("/help", b"<html"),
        ("/health", b'"ok"'),
        ("/ready", b'"ready": true'),
        (f"/api/v1{base}", b'"version":0'),
        (script[1], b"text/javascript"),
    ):
        request = f"GET http://{host}{path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n"
        answer = answer_to(served, f"{request}Accept: application/json, text/html\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 200 "), (path, answer)
        assert said in answer, (path, answer)
    stream = Stream(served, f"HTTP://{host}{base}")
    throw(served, base, 0, [1, 1, 6, 6, 3, 4])
    stream.wait_for(1)
    stream.close()


def test_the_host_of_a_whole_address_is_checked_as_any_other(served: Served) -> None:
    base = new_table(served)
    for authority in ("evil.example", "", "evil.example:80", "127.0.0.1@evil.example", "[::1"):
        for path in ("/help", f"/api/v1{base}", f"/api/v1{base}/states"):
            head = f"GET http://{authority}{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            answer = answer_to(served, f"{head}Accept: application/json\r\n\r\n".encode())
            assert answer.startswith(b"HTTP/1.1 421 "), (authority, path, answer)
    old = answer_to(served, b"GET http://evil.example/help HTTP/1.0\r\n\r\n")
    assert old.startswith(b"HTTP/1.1 421 "), old
    other_site = f"POST http://127.0.0.1{base}/undo HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n"
    answer = answer_to(served, f"{other_site}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 403 "), answer


@pytest.mark.parametrize("target", ["*", "http://127.0.0.1"])
def test_the_server_itself_may_be_asked_what_it_can(served: Served, target: str) -> None:
    head = f"OPTIONS {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    answer = answer_to(served, head.encode())
    assert answer.startswith(b"HTTP/1.1 200 "), answer
    assert b"allow: GET, HEAD, OPTIONS, POST" in answer
    assert answer.endswith(b"\r\n\r\n")


def test_a_body_in_chunks_is_refused_before_it_is_read(served: Served) -> None:
    head = b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = answer_to(served, head + b"1\r\na\r\n" * 1000)
    assert answer.startswith(b"HTTP/1.1 411 "), answer
    assert b'"length-required"' in answer


def test_large_bodies_are_for_photos_of_known_tables(served: Served) -> None:
    base = new_table(served)
    for path, status, reason in (
        (f"/api/v1{base}/actions", 413, b'"too-much"'),
        ("/api/v1/tables/nothing/photos", 404, b'"table-unknown"'),
        ("/import", 422, b'"record-size"'),
    ):
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nConnection: close\r\n"
        answer = answer_to(served, f"{head}Content-Length: {RECORD_LIMIT + 1_000_000}\r\n\r\n".encode())
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()), (path, answer)
        assert reason in answer


def test_starting_loads_neither_the_detector_nor_the_camera_library_nor_advice() -> None:
    heavy = "('cv2', 'onnxruntime', 'PIL', 'cryptography', 'numpy')"
    code = f"import sys, web.hosts.laptop.serving; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
