"""The pages for families do what they say: each command runs, each quoted word is on a button, and they stay short."""

import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

import rollcall
import scorer
from scorer.definitions.trial import playable_game
from tests.web.programs.mqtt.mosquitto import HomeListener, Mosquitto, missing
from tests.web.served import UNPREPARED, Served, free_port
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


def checks_a_game(command: str, tmp_path: Path) -> None:
    _, *words = shlex.split(command)
    write_game(tmp_path)
    done = subprocess.run([sys.executable, "-m", "rollcall", *words], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout[:5], done.stderr) == (0, "fine:", "")


def offers_games(command: str, tmp_path: Path) -> None:
    _, _, option, folder = shlex.split(command)
    (tmp_path / folder).mkdir()
    write_game(tmp_path / folder)
    with Served(tmp_path / "data", program=UNPREPARED, arguments=[option, str(tmp_path / folder)]) as server:
        assert "Two Dice" in urllib.request.urlopen(f"{server.base}/", timeout=60).read().decode()


def write_game(folder: Path) -> None:
    (game,) = blocks(DOCS / "make-your-own-game.md", "toml")
    (folder / "two-dice.toml").write_text(game, encoding="utf-8")


def tells_a_home(command: str, tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    _, _, option, _ = shlex.split(command)
    with Mosquitto(tmp_path) as broker:
        arguments = [option, broker.address]
        with HomeListener(broker.port) as home, Served(tmp_path / "data", program=UNPREPARED, arguments=arguments):
            home.wait_for(lambda: home.status() == ["online"])


def is_served(command: str, tmp_path: Path) -> None:
    if subprocess.run(["make", "--question", ".venv/serve.stamp"], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("`make serve` would install packages first")
    port = free_port()
    arguments = f"ARGS=--host 127.0.0.1 --port {port} --data {shlex.quote(str(tmp_path / 'data'))}"
    asked = [*shlex.split(command), arguments]
    with subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as make:
        try:
            assert any(str(port) in line for line in make.stdout)
        finally:
            os.killpg(make.pid, signal.SIGKILL)  # the server is a child of `make`


RUN: dict[str, Callable[[str, Path], None]] = {
    "make serve": is_served,
    "rollcall games check two-dice.toml": checks_a_game,
    "rollcall serve --games my-games": offers_games,
    "rollcall serve --mqtt mqtt://BROKER": tells_a_home,
}


def test_every_command_is_run() -> None:
    """Here, or by tests/web/api/test_api_examples.py."""
    there = [line for line in commands() if re.match(r"(python|sh) ", line) or "--webhooks-to" in line]
    assert len(there) == 6
    assert sorted(commands()) == sorted([*RUN, *NOT_RUN, *there])


@pytest.mark.whole
@pytest.mark.parametrize("command", RUN)
def test_a_command_does_what_its_page_says(command: str, tmp_path: Path) -> None:
    RUN[command](command, tmp_path)


EVERY_PAGE = [*ROOT.glob("*.md"), *DOCS.glob("*.md"), *(ROOT / "datasets" / "docs").glob("*.md")]


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: page.stem)
def test_the_command_takes_what_a_page_types(page: Path) -> None:
    """On the other pages: names, options and how many there are. What they name need not be there."""
    for block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("rollcall ") and "--help" not in line:
                words = shlex.split(line, comments=True)[1:]
                rollcall.build_parser(words).parse_args(words)
