"""The pages for families do what they say: each command runs, each quoted word is on a button, and they stay short."""

import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

import rollcall
import scorer
from scorer.definitions.trial import playable_game
from tests.web.api.test_api_examples import Played
from tests.web.programs.mqtt.mosquitto import HomeListener, Mosquitto, missing
from tests.web.served import UNPREPARED, Served, _free_port
from tests.web.waiting import wait_until
from web.texts.catalogues import messages
from web.texts.languages import read_catalogue

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
TYPED_HERE = [DOCS / f"{name}.md" for name in ("play", "make-your-own-game", "at-home")]
# Its commands want a system to change: tests/release/test_service.py types them into one.
PAGES = [*TYPED_HERE, DOCS / "raspberry-pi.md"]
TRANSLATED = [page for page in sorted(DOCS.glob("??/*.md")) if page.stem != "rules"]
COMMAND_PAGES = [ROOT / "README.md", *TYPED_HERE]
MOST_LINES = 100
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r'"([^"]+)"')
PARAMETER = re.compile(r"\\?\{\w+\\?\}")
TAG = re.compile(r"<img[^>]*>")
# On buttons of Windows and macOS, and in the menu of a desktop.
OF_OTHERS = {"More info", "Run anyway", "Privacy & Security", "Open Anyway", "Rollcall"}
# `make test` is what runs this.
NOT_RUN = {"make test"}


def blocks(page: Path, language: str = "") -> list[str]:
    return [body for kind, body in FENCED.findall(page.read_text(encoding="utf-8")) if kind == language]


def commands() -> list[str]:
    """Each line of the pages that is to be typed, without its comment."""
    lines = [line for page in COMMAND_PAGES for block in blocks(page) for line in block.splitlines()]
    return [line.partition("  #")[0].rstrip() for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_short_and_has_a_picture(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert TAG.search(text)


@pytest.fixture(scope="module")
def known() -> re.Pattern[str]:
    """Matches every text of the pages, with a word in the place of each parameter."""
    texts = {text for message in messages() for text in message if text} | {info.title for info in scorer.games()}
    # Of a text that is parameters alone nothing could be told.
    telling = [text for text in texts if re.search(r"[a-z]{3}", PARAMETER.sub("", text))]
    patterns = [PARAMETER.sub(r"\\S+", re.escape(text)) for text in telling]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


@pytest.mark.whole
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_quotes_stands_on_a_page_of_rollcall(page: Path, known: re.Pattern[str]) -> None:
    prose = TAG.sub("", FENCED.sub("", page.read_text(encoding="utf-8")))
    quoted = {words.rstrip(",.") for words in QUOTED.findall(prose)} - OF_OTHERS
    assert quoted
    assert sorted(words for words in quoted if not known.fullmatch(words)) == []


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_what_a_translated_page_quotes_stands_in_its_language(page: Path) -> None:
    """It is no longer than its original, and does not count among all pages (tests/test_docs.py)."""
    text = page.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= len((DOCS / page.name).read_text(encoding="utf-8").splitlines())
    said = {
        form
        for each in read_catalogue(page.parent.name)
        for form in ((each.string,) if isinstance(each.string, str) else each.string)
    }
    patterns = [
        PARAMETER.sub(r"\\S+", re.escape(form.rstrip(".")))
        for form in said
        if re.search(r"\w{3}", PARAMETER.sub("", form))
    ]
    known = re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
    quoted = {words.rstrip(",.") for words in re.findall(r"„([^“”]+)[“”]", text)}
    assert quoted
    assert sorted(words for words in quoted if not known.fullmatch(words)) == []


@pytest.mark.parametrize("page", sorted(DOCS.glob("??/make-your-own-game.md")), ids=lambda page: page.parent.name)
def test_the_game_of_a_translated_page_can_be_played(page: Path) -> None:
    (game,) = blocks(page, "toml")
    assert playable_game(game, "two-dice").most_players == 12


def test_every_game_stands_on_the_page_for_players() -> None:
    text = (DOCS / "play.md").read_text(encoding="utf-8")
    assert [info.key for info in scorer.games() if not named(info.title, text)] == []


def named(title: str, text: str) -> bool:
    """A row may name several games at once: "Kości: one column, three columns, with jokers"."""
    row = next((row for row in text.splitlines() if row.startswith("|") and title.split(",")[0].split()[0] in row), "")
    return all(word in row for word in re.findall(r"\w+", title))


def test_the_files_for_players_are_those_of_the_newest_release() -> None:
    version = re.search(r"^## (\d\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    text = "".join((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("play", "raspberry-pi"))
    files = re.findall(r"(rollcall[_-]\d[^`\s]*)", text)
    assert files
    assert [name for name in files if not re.match(rf"rollcall[_-]{re.escape(version[1])}[_-]", name)] == []


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("data") / "data", program=UNPREPARED) as server:
        yield server


def start(command: str, played: Played | None = None, **others: str) -> subprocess.Popen[str]:
    """Runs a program of the examples as the page says, with a real address, table and token in the place of its own."""
    meant = {"TABLE": played.table, "TOKEN": played.token, "http://192.168.1.20:8000": played.server} if played else {}
    words = [(others | meant).get(word, word) for word in shlex.split(command)]
    words[0] = sys.executable if words[0] == "python" else words[0]
    return subprocess.Popen(
        words, cwd=DOCS / "examples", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    )


def says(program: subprocess.Popen[str], *words: str) -> None:
    """Reads until the program has said all these, in lines of their own, and ends it."""
    for word in words:
        assert any(word in line for line in program.stdout), word
    program.kill()
    program.wait()
    program.stdout.close()


def listens(command: str, served: Served, tmp_path: Path) -> None:
    played = Played(served)
    played.bust()
    played.end()
    says(start(command, played), "listening", "throw-confirmed", "game-over")


def lists_scores(command: str, served: Served, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    says(start(command, Played(served)), "1 Ada 0", "1 Bob 0")


def draws(command: str, served: Served, tmp_path: Path) -> None:
    says(start(command, Played(served)), "http://127.0.0.1:")


def flashes(command: str, served: Served, tmp_path: Path) -> None:
    played = Played(served)
    asked = []

    class Light(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()

    Light.log_message = lambda *_: None  # type: ignore[method-assign, assignment]
    with HTTPServer(("127.0.0.1", 0), Light) as light:
        Thread(target=light.serve_forever, daemon=True).start()
        program = start(command, played, **{"http://192.168.1.30": f"http://127.0.0.1:{light.server_port}"})
        assert program.stdout.readline() == "listening\n"
        played.bust()
        says(program, "bust: Ada")
        light.shutdown()
    assert set(asked) == {"/json/state"}


def is_told(command: str, served: Served, tmp_path: Path) -> None:
    port = _free_port()
    program = start(command, SECRET="whsec_c2VjcmV0", **{"8123": str(port)})

    def refused() -> bool:
        try:
            urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/", b"{}"), timeout=30)
        except urllib.error.HTTPError as error:
            return error.code == 401
        except OSError:
            return False  # it does not listen yet
        return False

    wait_until(refused)
    says(program)


def tells_this_computer(command: str, served: Served, tmp_path: Path) -> None:
    _, _, *arguments = shlex.split(command)
    port = _free_port()
    with Served(tmp_path / "data", program=UNPREPARED, arguments=arguments) as server:
        played = Played(server)
        hook = {"name": "hook", "address": f"http://127.0.0.1:{port}/"}
        address = f"/api/v1/tables/{played.key}/webhooks"
        made = played.program.ask("POST", address, hook, Cookie=played.program.cookie)[1]
        program = start("python -u webhook.py SECRET PORT", SECRET=made["secret"], PORT=str(port))
        played.bust()
        says(program, "throw-confirmed Ada", "bust Ada")


def checks_a_game(command: str, served: Served, tmp_path: Path) -> None:
    _, *words = shlex.split(command)
    write_game(tmp_path)
    done = subprocess.run([sys.executable, "-m", "rollcall", *words], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout[:5], done.stderr) == (0, "fine:", "")


def offers_games(command: str, served: Served, tmp_path: Path) -> None:
    _, _, option, folder = shlex.split(command)
    (tmp_path / folder).mkdir()
    write_game(tmp_path / folder)
    with Served(tmp_path / "data", program=UNPREPARED, arguments=[option, str(tmp_path / folder)]) as server:
        assert "Two Dice" in urllib.request.urlopen(f"{server.base}/", timeout=60).read().decode()


def write_game(folder: Path) -> None:
    (game,) = blocks(DOCS / "make-your-own-game.md", "toml")
    (folder / "two-dice.toml").write_text(game, encoding="utf-8")


def tells_a_home(command: str, served: Served, tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    _, _, option, _ = shlex.split(command)
    with Mosquitto(tmp_path) as broker:
        arguments = [option, broker.address]
        with HomeListener(broker.port) as home, Served(tmp_path / "data", program=UNPREPARED, arguments=arguments):
            home.wait_for(lambda: home.status() == ["online"])


def is_served(command: str, served: Served, tmp_path: Path) -> None:
    if subprocess.run(["make", "--question", ".venv/serve.stamp"], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("`make serve` would install packages first")
    port = _free_port()
    arguments = f"ARGS=--host 127.0.0.1 --port {port} --data {shlex.quote(str(tmp_path / 'data'))}"
    says(subprocess.Popen([*shlex.split(command), arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True), str(port))


RUN: dict[str, Callable[[str, Served, Path], None]] = {
    "make serve": is_served,
    "rollcall games check two-dice.toml": checks_a_game,
    "rollcall serve --games my-games": offers_games,
    "rollcall serve --mqtt mqtt://BROKER": tells_a_home,
    "python listener.py http://192.168.1.20:8000 TABLE TOKEN": listens,
    "sh scores.sh http://192.168.1.20:8000 TABLE TOKEN": lists_scores,
    "python last_throw.py http://192.168.1.20:8000 TABLE TOKEN": draws,
    "python flash.py http://192.168.1.20:8000 TABLE http://192.168.1.30 TOKEN": flashes,
    "python webhook.py SECRET 8123": is_told,
    "rollcall serve --webhooks-to 127.0.0.1": tells_this_computer,
}


def test_every_command_is_run() -> None:
    assert sorted(commands()) == sorted([*RUN, *NOT_RUN])


@pytest.mark.whole
@pytest.mark.parametrize("command", RUN)
def test_a_command_does_what_its_page_says(command: str, served: Served, tmp_path: Path) -> None:
    RUN[command](command, served, tmp_path)


EVERY_PAGE = [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *(ROOT / "datasets" / "docs").glob("*.md")]


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.stem)
def test_the_command_takes_what_a_page_types(page: Path) -> None:
    """On the other pages: names, options and how many there are. What they name need not be there."""
    for block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("rollcall ") and "--help" not in line:
                words = shlex.split(line, comments=True)[1:]
                rollcall.build_parser(words).parse_args(words)
