"""The documents as a site in out/docs/site, which opens in a browser without a server or the internet.

    make docs

Needs the extra `docs`. An argument names another folder for it, a second one the folder of the site itself: it lies in
`docs` beside a phone's Rollcall then (`make site`), whose address the pages name. A link that leads nowhere fails the
build, and so does a page that mkdocs.yml does not list.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINKED = re.compile(r'\]\(([^)#\s]+)|<img src="([^"]+)"')
ADDRESS = re.compile("<!-- address -->(.*?)<!-- /address -->")  # how a family comes to the phone's Rollcall
PHONE = {  # instead of it, where the phone's Rollcall lies beside the documents
    "": 'Open <a href="{up}index.html">Rollcall for phones</a> on the phone.',
    "cs": 'Otevři v telefonu <a href="{up}index.html">Rollcall pro telefony</a>.',
    "pl": 'Otwórz w telefonie <a href="{up}index.html">Rollcalla dla telefonów</a>.',
    "de": 'Öffne auf dem Handy <a href="{up}index.html">Rollcall für Handys</a>.',
}
FAMILIES = ("play", "phone-alone", "make-your-own-game", "share-games", "what-is-kept")
FIRST = "---\nsearch:\n  boost: 3\n---\n\n"  # before a page: the search names it before those for engineers
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
ASSETS = [f"docs/site/{name}" for name in ("iframe-worker.js", "rollcall.css")] + [
    f"web/static/icon{name}" for name in (".svg", "-192.png")
]  # those of mkdocs.yml


def main(out: Path = ROOT / "out" / "docs", site: Path | None = None) -> int:
    pages = out / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    for name in [*ASSETS, *documents()]:
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, pages / name)
    if site is not None:
        for language, text in PHONE.items():
            link = text.format(up="../" * (2 + bool(language)))
            for page in (pages / "docs" / language).glob("*.md"):
                page.write_text(ADDRESS.sub(link, page.read_text(encoding="utf-8")), encoding="utf-8")
    for page in (each for name in FAMILIES for each in (pages / "docs").rglob(f"{name}.md")):
        page.write_text(FIRST + page.read_text(encoding="utf-8"), encoding="utf-8")
    # Its makers' warning is of another mkdocs than the pinned one.
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "true", "PAGES": str(pages)}
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(ROOT / "mkdocs.yml")]
    made = site or out / "site"
    code = subprocess.run([*build, "--site-dir", str(made)], env=environment).returncode
    for each in made.rglob("*.map"):  # for developers of the theme
        each.unlink()
    for page in made.glob("docs/??/*.html"):  # mkdocs knows one language of a site
        page.write_text(page.read_text(encoding="utf-8").replace('lang="en"', f'lang="{page.parent.name}"', 1), "utf-8")
    return code


def documents() -> list[str]:
    """README.md, and each page, picture and file below the repository to which a page of them links."""
    found, wanted = list[str](), ["README.md"]
    while wanted:
        name = wanted.pop()
        found.append(name)
        if name.endswith(".md"):
            wanted += [link for link in linked(name) if link not in found and link not in wanted]
    return sorted(found)


def linked(page: str) -> list[str]:
    text = CODE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    targets = [link or image for link, image in LINKED.findall(text) if "://" not in (link or image)]
    paths = [os.path.normpath(Path(page).parent / target) for target in targets]
    return [path for path in paths if (ROOT / path).is_file()]


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
