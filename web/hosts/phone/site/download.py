"""The pages that offer a release's files for computers, one in each language: part of `make site`.

    python -m web.hosts.phone.site.download out/site/download --release out/dist

A visitor's own system comes first. Each file has its size, its checksum, and what was tried there, as README.md has
it. Without a release the pages say how to run the source.
"""

import argparse
import hashlib
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scorer.texts import N_
from web.texts.language_table import TABLE
from web.texts.languages import translations
from web.texts.release import VERSION

TEMPLATES = Path(__file__).with_name("templates")


class ReleaseFile(NamedTuple):
    """A file of a release. `size`: in bytes. `digest`: SHA-256, in hexadecimal digits."""

    name: str
    size: int
    digest: str

    @property
    def shown(self) -> str:
        return f"{self.name} · {max(self.size / 1e6, 0.1):.{0 if self.size >= 10e6 else 1}f} MB"


class Download(NamedTuple):
    """What a file is for. `pattern`: of its name. `system`: as the page's script names a visitor's."""

    pattern: str
    system: str
    title: str
    opens: str
    tried: str


OFFERS = (
    Download(
        "*_amd64.deb",
        "linux",
        "Debian, Ubuntu, Mint",
        N_("Open it, install it, and choose “Rollcall” in the menu."),
        N_("Tests install, update and remove it in a clean Debian 12 and 13, and play there."),
    ),
    Download(
        "*-linux-x86_64.tar.xz",
        "linux",
        N_("Another Linux"),
        N_("Unpack it, and start “rollcall” in its folder."),
        N_("It holds the files of the package for Debian, which tests install and play."),
    ),
    Download(
        "*_arm64.deb",
        "linux",
        "Raspberry Pi OS",
        N_("Open it, install it, and choose “Rollcall” in the menu."),
        N_("Tried under emulation only: it installs, reads a photo, plays, and goes on after it is killed."),
    ),
    Download(
        "*-windows-x86_64.exe",
        "windows",
        "Windows",
        N_("Open it. Windows warns of programs that nobody signed: choose “More info”, then “Run anyway”."),
        N_("The installer was tried under Wine, the program was not."),
    ),
    Download(
        "*-macos-arm64.tar.xz",
        "mac",
        "macOS",
        N_("Unpack it, and start “rollcall” in its folder."),
        N_("Nobody has tried it yet."),
    ),
    Download(
        "*-any-system.zip",
        "any",
        N_("Windows, Mac, and any other system"),
        N_("Unpack it, and open “start-rollcall.bat” on Windows, “start-rollcall.command” on a Mac."),
        N_("Tests start it in a clean Debian. Nobody has tried it on Windows or a Mac yet."),
    ),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--release", type=Path, help="the folder of the files, or JSON: their name, size and digest")
    parser.add_argument(
        "--repository", default="", help="the address of the source, such as https://example.org/rollcall"
    )
    asked = parser.parse_args()
    try:
        files = [] if asked.release is None else release_files(asked.release)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"{asked.release} is no folder of files, and no list of name, size and digest: {error}", file=sys.stderr)
        return 2
    asked.folder.mkdir(parents=True, exist_ok=True)
    for language in TABLE:
        page = page_in(language, files, asked.repository.rstrip("/"))
        (asked.folder / f"{language}.html").write_text(page, encoding="utf-8")
    for name in ("download.css", "download.js"):
        shutil.copyfile(TEMPLATES / name, asked.folder / name)
    return 0


def release_files(release: Path) -> list[ReleaseFile]:
    """The files of a release by name. Raises OSError, and ValueError, KeyError or TypeError for another document."""
    if release.is_dir():
        found = [
            ReleaseFile(path.name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
            for path in release.iterdir()
            if path.is_file()
        ]
    else:
        found = [
            ReleaseFile(str(each["name"]), int(each["size"]), str(each["digest"]).removeprefix("sha256:"))
            for each in json.loads(release.read_text(encoding="utf-8"))
        ]
    return sorted(found)


def offers_of(files: Iterable[ReleaseFile]) -> list[tuple[Download, ReleaseFile]]:
    known = list(files)
    return [(offer, file) for offer in OFFERS for file in known if fnmatch(file.name, offer.pattern)]


def page_in(language: str, files: Sequence[ReleaseFile], repository: str) -> str:
    offers = offers_of(files)
    templates = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    fetch = [f"git clone {repository} rollcall", "cd rollcall"] if repository else []
    return templates.get_template("download.html").render(
        t=translations(language).gettext,
        language=language,
        languages=TABLE.values(),
        guide="play.html" if language == "en" else f"{language}/play.html",
        offers=offers,
        others=[file for file in files if file not in {offered for _, offered in offers}],
        repository=repository,
        version=f"Rollcall {VERSION}",
        hash_name="SHA-256",
        commands="\n".join([*fetch, "make serve"]),
    )


if __name__ == "__main__":
    sys.exit(main())
