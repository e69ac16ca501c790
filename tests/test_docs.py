"""The documentation tells the truth where a machine can check it: links, commands, games, versions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rollcall
import scorer

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(path for pattern in ("*.md", "docs/*.md", "models/**/*.md") for path in ROOT.glob(pattern))
LINK = re.compile(r'!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)|<img src="([^"]+)"')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = [link or image for link, image in LINK.findall(page.read_text(encoding="utf-8"))]
    missing = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_commands_and_targets_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    commands = set(re.findall(r"[`\s]rollcall ([a-z]+)\b", " ".join(re.findall(r"`[^`]*`|```.*?```", text, re.DOTALL))))
    known = set(re.findall(r"\n    ([a-z]+) ", rollcall.build_parser(chosen=None).format_help()))
    assert commands <= known
    targets = set(re.findall(r"`make ([a-z]+)", text))
    assert targets <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_readme_names_every_game() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [info.key for info in scorer.games() if f"`{info.key}`" not in text] == []


def test_the_changelog_begins_with_this_version() -> None:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    newest = re.search(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    assert newest
    assert newest[1] == version[1]
