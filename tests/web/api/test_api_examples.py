"""The examples in docs/examples run as they stand, against a server."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jinja2
import pytest

from tests.web.api.test_events import Program
from tests.web.served import Served, free_port
from web.table.access_list import table_id

pytestmark = pytest.mark.whole

DOCS = Path(__file__).resolve().parents[3] / "docs"
EXAMPLES = DOCS / "examples"
BUST = ({"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}, {"do": "set-aside", "dice": [1, 1, 1]})


def typed(begins: str, played: Played | None = None, **others: str) -> list[str]:
    """The command of docs/at-home.md that begins so, with a real address, table and token in the place of its own."""
    (line,) = (
        each for each in (DOCS / "at-home.md").read_text(encoding="utf-8").splitlines() if each.startswith(begins)
    )
    meant = {"python": sys.executable, **others}
    if played:
        meant |= {"TABLE": played.table, "TOKEN": played.token, "http://192.168.1.20:8000": played.server}
    return [meant.get(word, word) for word in shlex.split(line, comments=True)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("data") / "data"
    with Served(data, arguments=typed("rollcall serve --webhooks-to")[2:]) as made:
        yield made


class Played:
    """A table with a token, at which Ada has set dice aside."""

    def __init__(self, server: Served) -> None:
        self.program, self.server = Program(server), server.base
        self.key = self.program.start()
        cookie = {"Cookie": self.program.cookie}
        made = self.program.ask("POST", f"/api/v1/tables/{self.key}/programs", {"name": "lamp"}, **cookie)[1]
        self.table, self.token = table_id(self.key), made["token"]
        for number, action in enumerate(BUST):
            self.program.throw(self.key, number, number, action)

    def bust(self) -> None:
        self.program.throw(self.key, 2, 2, {"do": "throw", "dice": [2, 3, 4]})

    def end(self) -> None:
        self.program.throw(self.key, 3, 3, {"do": "adjust", "what": "game", "over": True})


@pytest.fixture
def played(server: Served) -> Played:
    return Played(server)


def test_all_are_short() -> None:
    assert len(list(EXAMPLES.iterdir())) >= 5
    for path in EXAMPLES.iterdir():
        assert path.is_dir() or len(path.read_text(encoding="utf-8").splitlines()) < 60, path.name


def test_the_listener_says_a_whole_game(played: Played) -> None:
    played.bust()
    played.end()
    command = typed("python listener.py", played)
    said = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=60, check=True).stdout
    assert [line.split()[0] for line in said.splitlines()] == [
        *("throw-confirmed", "set-aside", "throw-confirmed", "bust", "turn-begins", "settled", "game-over")
    ]
    command[-1] = "rollcall_wrong"
    refused = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=60)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "This token is unknown" in refused.stderr


def test_a_light_flashes_at_a_bust(played: Played) -> None:
    shown: list[dict[str, Any]] = []

    class Light(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            shown.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Light) as light:
        thread = threading.Thread(target=light.serve_forever, daemon=True)
        thread.start()
        light_address = {"http://192.168.1.30": f"http://127.0.0.1:{light.server_port}"}
        command = typed("python flash.py", played, **light_address)
        with subprocess.Popen(
            command, cwd=EXAMPLES, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as flashing:
            assert flashing.stdout.readline() == "listening\n"
            played.bust()
            assert flashing.stdout.readline() == "bust: Ada 1000\n"
            flashing.terminate()
        light.shutdown()
        thread.join()
    assert [state["on"] for state in shown] == [True, False] * 3


def test_a_webhook_knows_who_tells_it(played: Played) -> None:
    port = free_port()
    body = {"name": "hook", "address": f"http://127.0.0.1:{port}/"}
    made = played.program.ask("POST", f"/api/v1/tables/{played.key}/webhooks", body, Cookie=played.program.cookie)[1]
    command = typed("python webhook.py", SECRET=made["secret"], **{"8123": str(port)})
    with subprocess.Popen(command, cwd=EXAMPLES, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as told:
        until = time.monotonic() + 30
        while True:
            assert time.monotonic() < until
            with contextlib.suppress(OSError):
                forged = urllib.request.Request(f"http://127.0.0.1:{port}/", b'{"events": []}', method="POST")
                with pytest.raises(urllib.error.HTTPError, match="401"):
                    urllib.request.urlopen(forged, timeout=30)
                break
            time.sleep(0.1)
        played.bust()
        said = [told.stdout.readline() for _ in range(3)]
        told.terminate()
    assert said == ["throw-confirmed Ada [2, 3, 4]\n", "bust Ada \n", "turn-begins Bob \n"]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_a_shell_line_lists_the_scores(played: Played) -> None:
    command = typed("sh scores.sh", played)
    said = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=60, check=True).stdout
    assert said == "1 Ada 0\n1 Bob 0\n"


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize(
    ("address", "token", "part"),
    [
        (None, "wrong", "refused: "),
        (None, "", "refused: "),
        ("http://127.0.0.1:9", None, "curl: "),
        ("/", None, "curl: "),
    ],
)
def test_a_shell_line_says_in_one_line_what_is_wrong(
    played: Played, address: str | None, token: str | None, part: str
) -> None:
    given = (address or played.server, played.table, played.token if token is None else token)
    done = subprocess.run(["sh", str(EXAMPLES / "scores.sh"), *given], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert done.stderr.startswith(part)


def test_home_assistant_gets_what_its_templates_ask_for(played: Played) -> None:
    yaml = pytest.importorskip("yaml")
    played.bust()
    text = (EXAMPLES / "home-assistant.yaml").read_text(encoding="utf-8")
    told = yaml.safe_load(text.replace("TABLE", played.table).replace("TOKEN", played.token))
    values = {}
    for resource in told["rest"]:
        path = resource["resource"].partition(":8000")[2]
        status, answer = played.program.ask("GET", path, **resource["headers"])
        assert status == 200
        for sensor in resource["sensor"]:
            values[sensor["name"]] = jinja2.Template(sensor["value_template"]).render(value_json=answer)
    assert values == {"Dice player": "Bob", "Dice leader": "Bob", "Dice busts": "1"}
    assert told["automation"][0]["triggers"][0]["entity_id"] == "sensor.dice_busts"


def test_a_page_draws_the_last_throw(played: Played) -> None:
    command = typed("python last_throw.py", played)
    with subprocess.Popen(command, cwd=EXAMPLES, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as shown:
        address, until = shown.stdout.readline().strip(), time.monotonic() + 30
        while "⚀⚀⚀⚁⚂⚃" not in (page := urllib.request.urlopen(address, timeout=30).read().decode()):
            assert time.monotonic() < until, page
            time.sleep(0.1)
        assert "<p>Ada</p>" in page
        assert played.token not in page
        shown.terminate()
