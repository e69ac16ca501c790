"""The documentation tells the truth where a machine can check it: links, commands, games, versions."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import rollcall
import scorer
from web.texts.language_table import TABLE

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path for pattern in ("*.md", "docs/*.md", "datasets/docs/*.md", "models/**/*.md") for path in ROOT.glob(pattern)
)
COMMANDS = {*(run.__name__ for run, *_ in rollcall.COMMANDS), "workshop"}
TRANSLATED = sorted((ROOT / "docs").glob("??/*.md"))
WHOLE = [code for code, each in TABLE.items() if not each.partly]
MOST_LINES_OF_ALL = 4_000
MOST_WORDS = 25  # of a change in the changelog
LINK = re.compile(r'!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)|<img src="([^"]+)"')
SECTION_LINK = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

RELIABILITY = ROOT / "docs" / "reliability.md"
MOST_LINES = 300
MOST_LINES_OF_STORES = 60
NOT_PROMISED = re.compile(r"^Not promised:\n\n(?:- .*\n(?:  .*\n)*)+", re.MULTILINE)
PROMISE = re.compile(r"^(?:- .*(?:\n  .*)*|\|.*)", re.MULTILINE)  # an item of a list, or a row of a table
TABLE_HEAD = re.compile(r"^\|.*\n\|[-:| ]+\|$", re.MULTILINE)
NAMED_TEST = re.compile(r"`((?:\w+/)*(?:test_\w+\.py|[\w-]+\.test\.mjs))(?:::(\w+))?`")


def test_all_pages_together_stay_short() -> None:
    """Who adds a page takes out what nobody reads: figures and experiments of before are in the history."""
    lines = sum(len(page.read_text(encoding="utf-8").splitlines()) for page in PAGES)
    assert lines <= MOST_LINES_OF_ALL, "shorten any page: all pages in English together have a budget"


@pytest.mark.parametrize("page", [*PAGES, *TRANSLATED], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = [link or image for link, image in LINK.findall(page.read_text(encoding="utf-8"))]
    missing = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert missing == []


@pytest.mark.parametrize("page", [*PAGES, *TRANSLATED], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_sections(page: Path) -> None:
    links = SECTION_LINK.findall(page.read_text(encoding="utf-8"))
    targets = [(page.parent / name if name else page, section) for name, section in links if "://" not in name]
    assert [f"{path.name}#{section}" for path, section in targets if section not in sections(path)] == []


def sections(page: Path) -> set[str]:
    """What a link writes after `#` for each heading of a page, as GitHub makes it."""
    headings = re.findall(r"^#+ (.+)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_row_stands_in_a_table(page: Path) -> None:
    """A table is broken by an empty line: the rows after it are shown as text."""
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    tables = re.findall(r"^\|.*(?:\n\|.*)*", prose, re.MULTILINE)
    assert [table for table in tables if not re.match(r".*\n\|[-:| ]+\|$", table, re.MULTILINE)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_commands_and_targets_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = set(re.findall(r"[`\s]rollcall ([a-z]+)\b", " ".join(re.findall(r"`[^`]*`|```.*?```", text, re.DOTALL))))
    assert commands <= COMMANDS
    assert set(re.findall(r"rollcall workshop ([a-z]+)", text)) <= rollcall.WORKSHOP.keys()
    targets = set(re.findall(r"`make ([a-z]+)", text))
    assert targets <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_last_steps_of_the_training_can_be_typed() -> None:
    script = (ROOT / "datasets" / "docs" / "last-steps.sh").read_text(encoding="utf-8")
    printing = 'rollcall() { printf "%q " "$@"; echo; }\n'
    told = subprocess.run(["bash", "-c", printing + script], check=True, capture_output=True, text=True).stdout
    commands = [shlex.split(line) for line in told.splitlines()]
    for command in commands:
        rollcall.build_parser(command).parse_args(command)
    trained = [command[2] for command in commands if command[1] == "train"]
    assert trained == ["border", "cut", "likeness", "calibration", "memory"]


def test_the_changelog_is_of_dated_releases_and_short_lines() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("- ") and len(line.split()) > MOST_WORDS + 1] == []
    assert [line for line in lines if not re.match(r"(# |##|- |$|What people)", line)] == [], "a change takes one line"


def rules_by_game(folder: str) -> dict[str, str]:
    text = (ROOT / "docs" / folder / "rules.md").read_text(encoding="utf-8")
    games = dict(re.findall(r"\n## \d+\. `([a-z-]+)`\n(.*?)(?=\n## |\Z)", text, re.DOTALL))
    (hands,) = re.findall(r"`\[contest\]`.*?\n```\n.*?\n```\n(.*?)(?=\n### )", text, re.DOTALL)
    return {**games, "hands": hands}


@pytest.mark.parametrize("language", [each for each in WHOLE if each != "en"])
def test_translated_rules_have_the_same_games_and_words(language: str) -> None:
    def words(folder: str) -> dict[str, set[str]]:
        return {key: set(re.findall(r"`[^`]+`", text)) for key, text in rules_by_game(folder).items()}

    assert words(language) == words("")


@pytest.mark.parametrize("name", ["play", "phone-alone", "make-your-own-game", "share-games", "what-is-kept", "rules"])
def test_a_page_for_families_leads_to_itself_in_each_language(name: str) -> None:
    pages = {ROOT / "docs" / each.replace("en", "") / f"{name}.md" for each in WHOLE}
    for page in pages:
        leads = {(page.parent / link).resolve() for link, _ in LINK.findall(page.read_text(encoding="utf-8"))}
        assert pages - leads <= {page}


def test_the_rules_name_every_game_option_and_category() -> None:
    sections, text = rules_by_game(""), (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert set(sections) == {info.key for info in scorer.games()} | {"hands"}
    for info in scorer.games():
        assert [option.name for option in info.options if f"`{option.name}`" not in text] == [], info.key
        categories = getattr(scorer.game(info.key), "categories", ())
        named = set(re.findall(r"`([a-z-]+)`", text)) | {"twos", "threes", "fours", "fives"}  # "`ones` to `sixes`"
        assert {category.key for category in categories} <= named, info.key


def test_the_interfaces_name_every_command_and_action() -> None:
    text = (ROOT / "docs" / "interfaces.md").read_text(encoding="utf-8")
    assert {command for command in COMMANDS if f"`rollcall {command}" not in text} == set()
    actions = {action for info in scorer.games() for action in scorer.game(info.key).actions}
    assert {action for action in actions if f'"do": "{action}"' not in text} == set()


def test_every_promise_names_its_test() -> None:
    promises = PROMISE.findall(TABLE_HEAD.sub("", NOT_PROMISED.sub("", CODE.sub("", RELIABILITY.read_text("utf-8")))))
    assert len(promises) > 100
    assert [promise for promise in promises if not NAMED_TEST.search(promise)] == []


def test_the_tests_of_promises_exist() -> None:
    """Each name means one file below `tests`, and a function that is defined there."""
    files = [path for pattern in ("test_*.py", "*.test.mjs") for path in (ROOT / "tests").rglob(pattern)]
    wrong = []
    for name, function in NAMED_TEST.findall(RELIABILITY.read_text("utf-8")):
        meant = [path for path in files if f"/{path.relative_to(ROOT).as_posix()}".endswith(f"/{name}")]
        if len(meant) != 1 or (function and f"\ndef {function}(" not in meant[0].read_text("utf-8")):
            wrong.append(f"{name}::{function}: {len(meant)} files")
    assert wrong == []


def test_promises_stay_short() -> None:
    text = RELIABILITY.read_text("utf-8")
    stores = text.partition("\n## Stores\n")[2].partition("\n## ")[0]
    assert len(text.splitlines()) < MOST_LINES
    assert 0 < len(stores.splitlines()) <= MOST_LINES_OF_STORES
