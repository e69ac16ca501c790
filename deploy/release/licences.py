"""The licence texts of all that PyInstaller packs: a part that has none ends the build, which names it."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

# A file of a package with its licence, or with those of its parts.
NAME = re.compile(r"(?:^|/)(?:licen[cs]es?/.+|[^/]*(?:licen[cs]e|copying|notice|copyright)[^/]*)$", re.IGNORECASE)
NO_TEXTS = {".py", ".pyc", ".pyi", ".so", ".pyd", ".dll", ".h", ".json", ".html", ".js"}
BOOTLOADER = "pyinstaller"  # a part of the packed program
SHARED_TEXT = re.compile(r"/usr/share/common-licenses/([A-Z][\w.-]*\w)")  # to which Debian's texts point
STANDARD = {
    "Apache-2.0": r"Apache License\s+Version 2\.0, January 2004",
    "GPL-3.0": r"GNU GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007",
    "LGPL-3.0": r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007",
}
# Packages that name a standard licence and lack its text. It stands whole in that of another part.
BY_NAME = {"flatbuffers": ("Apache-2.0",), "pi-heif": ("LGPL-3.0", "GPL-3.0")}
MICROSOFT = "Distributable code of Microsoft Visual C++, under the licence terms of Visual Studio."


class Lacking(SystemExit):
    """A part has no licence text."""


def texts_of_parts(
    files: Iterable[Path], libraries: Iterable[Path] = (), packages: Iterable[str] = ()
) -> dict[str, str]:
    """The licence texts by part, of packed files, packed libraries, and further packages. Raises Lacking.

    A file of no package is Python's; so is a library, unless a package of Debian brought it.
    """
    owners, libraries = owners_of_files(), list(libraries)
    found = {*(owners[path] for path in {*files, *libraries} & owners.keys()), *map(distribution, packages)}
    parts = {"Python": python_text(), **{name_of(each): texts_of(each) for each in found}}
    for path in libraries:
        if path not in owners:
            parts.update([system_part(path)])
    for name in {shared for text in parts.values() for shared in SHARED_TEXT.findall(text)}:
        parts[name] = Path("/usr/share/common-licenses", name).read_text(encoding="utf-8")
    for package, licences in BY_NAME.items():
        for name in (name for name in parts if name.startswith(f"{package}-")):
            parts[name] += "".join(f"\n{licence}: see {where(licence, parts)}.txt\n" for licence in licences)
    lacking = sorted(name for name, text in parts.items() if not text.strip())
    if lacking:
        raise Lacking(f"no licence text of {', '.join(lacking)}: deploy/release/licences.py says where it may be")
    return parts


@cache
def owners_of_files() -> dict[Path, Distribution]:
    owners = {}
    for each in distributions():
        folder = Path(str(each.locate_file(""))).resolve()
        owners.update(dict.fromkeys((folder / file for file in each.files or ()), each))
    return owners


def name_of(package: Distribution) -> str:
    return f"{package.metadata['Name'].lower().replace('_', '-')}-{package.version}"


def texts_of(package: Distribution) -> str:
    """All licence files of an installed package, each text once; empty if it has none."""
    found: dict[str, str] = {}
    for file in package.files or ():
        path = Path(str(package.locate_file(file)))
        if NAME.search(file.as_posix()) and path.suffix.lower() not in NO_TEXTS and path.is_file():
            found.setdefault(path.read_text(encoding="utf-8", errors="replace").strip(), file.name)
    return "\n\n".join(f"{name}\n\n{text}\n" for text, name in found.items() if text)


def python_text() -> str:
    places = (Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt")
    return next((each.read_text(encoding="utf-8") for each in places if each.is_file()), "")


def system_part(library: Path) -> tuple[str, str]:
    """The part that a library of no Python package is of, and its text; empty if nobody knows it."""
    for path in (library, Path("/", *library.parts[2:])):  # packages may know /usr/lib as /lib
        try:
            said = subprocess.run(["dpkg", "--search", path], capture_output=True, text=True).stdout
        except OSError:
            break
        if said:
            package = said.partition(":")[0]
            text = Path("/usr/share/doc", package, "copyright")
            return package, text.read_text(encoding="utf-8") if text.is_file() else ""
    if library.is_relative_to(Path(sys.base_prefix).resolve()):
        return "Python", python_text()
    if sys.platform == "win32":
        return "Microsoft Visual C++", MICROSOFT
    return library.name, ""


def where(licence: str, parts: dict[str, str]) -> str:
    """The part in which the standard text of a licence stands. Raises Lacking."""
    for name, text in sorted(parts.items()):
        if re.search(STANDARD[licence], text):
            return name
    raise Lacking(f"no part has the text of {licence}")


def write_texts(packed: Iterable[tuple[str, str, str]], folder: Path) -> Iterator[tuple[str, str, str]]:
    """Writes the texts of what PyInstaller packs, entries of (name, source, kind); yields them as further entries."""
    entries = [(Path(source).resolve(), kind) for _, source, kind in packed if source and kind != "SYMLINK"]
    libraries = [path for path, kind in entries if kind in ("BINARY", "EXTENSION")]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts_of_parts((path for path, _ in entries), libraries, [BOOTLOADER]).items():
        file = folder / f"{name}.txt"
        file.write_text(text, encoding="utf-8")
        yield f"licences/{file.name}", str(file), "DATA"
