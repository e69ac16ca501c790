"""The packed program and the phone's site carry the licence text of each part; one without a text ends the build."""

import re
import sys
from importlib.metadata import distribution, distributions, requires
from pathlib import Path

import pytest

from tests.release.conftest import RELEASE

sys.path.insert(0, str(RELEASE))
licences = __import__("licences")


def packages() -> set[str]:
    """What players get, by name: Rollcall with the extra `home`, and what that needs."""
    found: set[str] = set()
    waiting = ["rollcall-dice"]
    while waiting:
        name = waiting.pop()
        if name in found or not any(distributions(name=name)):  # such as what other systems need
            continue
        found.add(name)
        for each in requires(name) or ():
            wanted, _, condition = each.partition(";")
            if "extra" not in condition or (name == "rollcall-dice" and re.search(r"extra == .home.", condition)):
                waiting.append(re.match(r"[\w.-]+", wanted)[0].lower().replace("_", "-"))
    return found


def files_of(*names: str) -> list[Path]:
    return [
        Path(str(each.locate_file(file))).resolve()
        for each in map(distribution, names)
        for file in each.files or ()
        if file.suffix == ".py"
    ]


def test_each_package_that_players_get_has_its_text() -> None:
    pytest.importorskip("zeroconf", reason="the extra `home` is not installed")
    wanted = packages()
    assert {"onnxruntime", "pillow", "pi-heif", "numpy", "flask", "zeroconf"} <= wanted
    parts = licences.texts_of_parts(files_of(*wanted))
    texts = {name.rpartition("-")[0] or name: text for name, text in parts.items()}
    assert {"Python", "opencv-python", "flatbuffers", *wanted - {"rollcall-dice"}} <= texts.keys()
    assert "FFmpeg is redistributed within all opencv-python packages." in texts["opencv-python"]
    assert "Name: libheif" in texts["pi-heif"]
    assert re.search(r"LGPL-3.0: see opencv-python-\S+\.txt", texts["pi-heif"])
    assert "Microsoft Corporation" in texts["onnxruntime"]
    assert "Apache-2.0: see " in texts["flatbuffers"]
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in texts["Python"]


def install(folder: Path, name: str, **files: str) -> Path:
    """A package of one module; returns the module's file."""
    place = folder / f"{name}-1.0.dist-info"
    place.mkdir(parents=True)
    (folder / f"{name}.py").touch()
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    for file, text in files.items():
        (place / file).write_text(text)
    names = (f"{name}.py", *(f"{place.name}/{file}" for file in ("METADATA", *files)))
    (place / "RECORD").write_text("".join(f"{each},,\n" for each in names))
    return (folder / f"{name}.py").resolve()


def test_a_part_without_a_text_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    good = install(tmp_path, "good", LICENSE="All may use it.")
    bad = install(tmp_path, "bad", AUTHORS="Nobody", COPYING="  \n")
    licences.owners_of_files.cache_clear()
    assert "All may use it." in licences.texts_of_parts([good])["good-1.0"]
    with pytest.raises(licences.Lacking, match=r"no licence text of bad-1\.0:"):
        licences.texts_of_parts([good, bad])
    library = tmp_path / "libnobody.so.1"
    library.touch()
    with pytest.raises(licences.Lacking, match=r"no licence text of libnobody\.so\.1:"):
        licences.texts_of_parts([good], [library])
    licences.owners_of_files.cache_clear()
