"""The site of the documents: it builds without a warning, its links lead somewhere, nothing comes from elsewhere."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("material", reason="the extra `docs` is not installed")

ROOT = Path(__file__).resolve().parent.parent
# What families look for, and where they find it.
SOUGHT = {
    "uninstall": "what-is-kept.html#uninstall-rollcall",
    "delete a game": "what-is-kept.html#delete-a-game",
    "privacy": "what-is-kept.html",
    "odinstalovat": "cs/what-is-kept.html#odinstalovat-rollcall",
    "smazat hru": "cs/what-is-kept.html#smazat-hru",
    "soukromí": "cs/what-is-kept.html",
    "odinstalować": "pl/what-is-kept.html#jak-odinstalować-rollcalla",
    "usunąć grę": "pl/what-is-kept.html#jak-usunąć-grę",
    "prywatność": "pl/what-is-kept.html",
    "deinstallieren": "de/what-is-kept.html#rollcall-deinstallieren",
    "spiel löschen": "de/what-is-kept.html#ein-spiel-löschen",
    "datenschutz": "de/what-is-kept.html",
}


class Links(HTMLParser):
    """Where a page leads, and what a browser loads with it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.leads, self.loads = set[str](), set[str]()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        if tag == "a" and "href" in given:
            self.leads.add(given["href"])
        elif tag != "a":
            self.loads |= {given[name] for name in ("href", "src", "action", "poster") if name in given}


pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("docs")
    built = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "make_site.py"), str(out)], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stdout + built.stderr
    return out / "site"


def test_every_link_leads_to_a_file_of_the_site(site: Path) -> None:
    missing = set()
    for page in site.rglob("*.html"):
        for target in Links(page).leads | Links(page).loads:
            if not urlsplit(target).scheme and (path := unquote(urlsplit(target).path)):
                there = Path(os.path.normpath(site / path.lstrip("/") if path[0] == "/" else page.parent / path))
                if not there.exists() and page.name != "404.html":
                    missing.add(f"{page.name}: {target}")
    assert missing == set()


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    loaded = {target for page in pages for target in Links(page).loads}
    assert {target for target in loaded if urlsplit(target).netloc} == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert [url for url in re.findall(r"url\(([^)]+)\)", styles) if re.match(r"""["']?(https?:)?//""", url)] == []


def test_the_site_can_be_searched_as_a_file(site: Path) -> None:
    assert "Farkle" in (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert any("iframe-worker.js" in target for target in Links(site / "index.html").loads)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_search_leads_families_to_what_they_look_for(site: Path) -> None:
    script = ROOT / "tests" / "scripts" / "search-documents.mjs"
    asked = subprocess.run(
        ["node", script, site, *SOUGHT], check=True, capture_output=True, text=True, encoding="utf-8"
    )
    assert dict(zip(SOUGHT, asked.stdout.split(), strict=True)) == {
        query: f"docs/{place}" for query, place in SOUGHT.items()
    }


def test_a_page_says_its_language(site: Path) -> None:
    told = {
        page.relative_to(site).as_posix(): re.findall(r"<html lang=\"(\w+)", page.read_text(encoding="utf-8"))
        for page in (site / "docs").rglob("play.html")
    }
    assert told == {"docs/play.html": ["en"], **{f"docs/{each}/play.html": [each] for each in ("cs", "de", "pl")}}
