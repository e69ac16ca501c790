"""One number is one program: what has a date in CHANGELOG.md does not change, and a program names its commit."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy.schema import CreateIndex, CreateTable

from web.clubs.night_events import Happening, Written
from web.hosts.cluster import shared_schema
from web.store import schema
from web.table.events import Stored
from web.texts import release

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
NEXT = "Next"
# A heading names the form of the store of the release, as `web.store.schema.VERSION` does.
DATED = re.compile(r"(\d+\.\d+\.\d+) \((20\d\d-\d\d-\d\d), store (\d+)\)")


FORM = 101, "6929069380c51afa"  # `schema.VERSION`, and `form()`


def numbers(version: str) -> list[int]:
    return [int(each) for each in version.partition(".dev")[0].split(".")]


def complaints(changes: str, version: str, form: str, later_commits: int) -> Iterator[str]:
    """What is wrong with a version, its changes and its form of the store. `later_commits`: since it was set."""
    newest, *others = re.findall(r"^## (.+)$", changes, re.MULTILINE)
    releases = [DATED.fullmatch(each) for each in (others if newest == NEXT else (newest, *others))]
    last = releases[0]
    if last is None or None in releases:
        yield f"headings are `## {NEXT}` and `## 0.5.0 (2026-12-24, store 7)`"
        return
    if newest == NEXT:
        if not re.fullmatch(r"\d+\.\d+\.\d+\.dev0", version) or numbers(version) <= numbers(last[1]):
            yield f"after {last[1]} the version is that of the next release with .dev0, got {version}"
        return
    if version != last[1]:
        yield f"the version is that of the newest release, {last[1]}, got {version}"
    if form != last[3]:
        yield f"{version} has a date with the store {last[3]}; its form changes in a version of development, got {form}"
    if later_commits:
        yield f"{version} has a date: begin `## {NEXT}`, and the version of the next release with .dev0"


def commits_since_set(version: str) -> int:
    """How many commits followed the one that set the version; 0 without git, or without that commit."""
    if not (ROOT / ".git").exists():
        return 0
    git = ["git", "-C", str(ROOT)]
    setting = [*git, "log", "-1", "--format=%H", f"-S{version}", "--", "web/texts/release.py"]
    try:
        commit = subprocess.run(setting, text=True, capture_output=True, check=True, timeout=60).stdout.strip()
        counting = [*git, "rev-list", "--count", f"{commit}..HEAD"]
        return int(subprocess.run(counting, text=True, capture_output=True, check=True, timeout=60).stdout)
    except (OSError, subprocess.SubprocessError):
        return 0


def test_the_version_its_changes_and_its_store_fit_together() -> None:
    assert (
        list(complaints(CHANGES, release.VERSION, str(schema.VERSION), commits_since_set(f'"{release.VERSION}"'))) == []
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == release.VERSION


def form() -> str:
    """A hash of what a store holds: its tables, and the kinds of events with all fields, not what documents them."""
    tables = [*schema.metadata.sorted_tables, *shared_schema.metadata.sorted_tables]
    made = [*map(CreateTable, tables), *(CreateIndex(index) for table in tables for index in table.indexes)]
    kinds = [*Stored.__subclasses__(), *Happening.__subclasses__(), Written]
    said = json.dumps([sorted(map(str, made)), *msgspec.json.schema_components(kinds)], sort_keys=True)
    return hashlib.sha256(re.sub(r'"description": "(\\.|[^"])*"', "", said).encode()).hexdigest()[:16]


def test_another_form_of_the_store_has_another_number() -> None:
    """What is stored has changed: raise VERSION as CONTRIBUTING.md says, and note both here."""
    assert (schema.VERSION, form()) == FORM


@pytest.mark.parametrize(
    ("newest", "version", "form", "later", "told"),
    [
        ("Next", "0.6.0.dev0", "8", 5, None),
        ("0.6.0 (2026-12-24, store 8)", "0.6.0", "8", 0, None),
        ("0.6.0 (2026-12-24, store 8)", "0.6.0", "9", 0, "its form changes in a version of development"),
        ("0.6.0 (2026-12-24, store 8)", "0.6.0", "8", 1, "begin `## Next`"),
        ("0.6.0 (2026-12-24, store 8)", "0.6.0.dev0", "8", 0, "that of the newest release"),
        ("0.6.0 (2026-12-24)", "0.6.0", "8", 0, "headings are"),
        ("Next", "0.5.0", "8", 0, "with .dev0"),
        ("Next", "0.5.0.dev0", "8", 0, "with .dev0"),
        ("0.6.0", "0.6.0", "8", 0, "headings are"),
    ],
)
def test_a_wrong_number_is_told(newest: str, version: str, form: str, later: int, told: str | None) -> None:
    changes = "\n".join(f"## {each}\n" for each in (newest, "0.5.0 (2026-12-01, store 7)"))
    found = list(complaints(changes, version, form, later))
    assert (told or "") in " ".join(found)
    assert bool(found) == (told is not None)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    """A Rollcall that lies in no checkout, and has not been asked yet."""
    monkeypatch.setattr(release, "ROOT", tmp_path)
    release.commit.cache_clear()
    yield monkeypatch
    release.commit.cache_clear()


def test_an_archive_has_the_commit_in_it(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost", "-C", str(tmp_path)]
    place = tmp_path / "web" / "texts" / "release.py"
    place.parent.mkdir(parents=True)
    for name in (".gitattributes", "web/texts/release.py"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    try:
        for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message=x", "--no-verify"]):
            subprocess.run([*git, *command], check=True, timeout=60)
    except OSError:
        pytest.skip("git is not installed")
    assert (known := release.commit()) is not None
    assert release.full_version() == f"{release.VERSION} ({known.name})"
    archive = subprocess.run([*git, "archive", "HEAD", "web"], check=True, capture_output=True, timeout=60).stdout
    assert f'ARCHIVED = "{known.name} {known.day}"'.encode() in archive
    fresh.setattr(release, "ARCHIVED", "1a2b3c4d 2026-12-24")
    release.commit.cache_clear()
    assert release.commit() == ("1a2b3c4d", "2026-12-24")


def test_nothing_is_said_of_a_commit_that_nobody_knows(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert (release.commit(), release.full_version()) == (None, release.VERSION)
    (tmp_path / ".git").touch()  # what git cannot read
    release.commit.cache_clear()
    assert release.commit() is None
