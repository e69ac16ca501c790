"""The documents as a site in out/docs/site, which opens in a browser without a server or the internet.

    make docs

Needs the extra `docs`. An argument names another folder. A link that leads nowhere fails the build, and so does a page
that mkdocs.yml does not list.
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
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
ASSETS = [f"docs/site/{name}" for name in ("iframe-worker.js", "rollcall.css")] + [
    f"web/static/icon{name}" for name in (".svg", "-192.png")
]  # those of mkdocs.yml


def main(out: Path = ROOT / "out" / "docs") -> int:
    pages = out / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    for name in [*ASSETS, *documents()]:
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, pages / name)
    # Its makers' warning is of another mkdocs than the pinned one.
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "true", "PAGES": str(pages)}
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(ROOT / "mkdocs.yml")]
    return subprocess.run([*build, "--site-dir", str(out / "site")], env=environment).returncode


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
