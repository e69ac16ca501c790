"""What the site is made of: pinned as the rest of Rollcall is."""

import re
import zipfile
from pathlib import Path

import pytest

import tests.conftest
from web.hosts.phone.site.build import HERE, PINNED, SHELL, TEXTS, bill_of_materials, licences, own_files, shell_texts
from web.texts.release import commit


def test_packages_have_the_versions_that_rollcall_was_tested_with() -> None:
    constraints = (tests.conftest.ROOT / "constraints.txt").read_text(encoding="utf-8")
    tested = re.findall(r"^([\w.-]+)==([^ \n]+)", constraints, re.MULTILINE)
    known = {(name.lower().replace("_", "-"), version) for name, version in tested}
    lines = [each for each in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines() if each[0] != "#"]
    pinned = {PINNED.fullmatch(line).groups()[:2] for line in lines}  # type: ignore[union-attr]
    assert pinned
    assert pinned - known == set()


def test_the_bill_lists_each_package() -> None:
    listed = bill_of_materials()["components"]
    assert isinstance(listed, list)
    assert {each["name"] for each in listed} >= {"flask", "msgspec", "sqlalchemy", "pyodide", "qr"}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """The folder of the npm packages, as far as their licences go."""
    (tmp_path / "qr").mkdir()
    (tmp_path / "qr" / "LICENSE-MIT").write_text("MIT of qr")
    return tmp_path


def wheel(folder: Path, **files: str) -> Path:
    path = folder / "flask-3.1.3-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"flask-3.1.3.dist-info/{name}", text)
    return path


def test_the_site_has_the_licence_texts_of_all_its_parts(tmp_path: Path, packages: Path) -> None:
    pytest.importorskip("onnxruntime")
    told = licences([wheel(tmp_path, LICENSE="BSD of Flask")], packages)
    named = {"GNU AFFERO GENERAL PUBLIC LICENSE", "BSD of Flask", "MIT of qr", "Mozilla Public License Version 2.0"}
    named |= {"PYTHON SOFTWARE FOUNDATION LICENSE", "Emscripten", "xz-embedded", "THIRD PARTY SOFTWARE NOTICES"}
    assert {each for each in named if each not in told} == set()


def test_a_part_of_the_site_without_a_licence_ends_the_build(tmp_path: Path, packages: Path) -> None:
    pytest.importorskip("onnxruntime")
    (packages / "qr" / "LICENSE-MIT").write_text("\n")
    with pytest.raises(SystemExit, match="no licence text of flask, qr: "):
        licences([wheel(tmp_path, METADATA="Name: flask")], packages)


def test_the_shell_speaks_each_language() -> None:
    texts = shell_texts()
    assert (SHELL / "texts.js").read_text(encoding="utf-8").count(TEXTS) == 1
    assert texts["cs"]["Rollcall is starting."] == "Rollcall se spouští."
    assert texts["pl"].keys() == texts["cs"].keys()


def test_the_site_knows_the_commit_that_it_was_made_from() -> None:
    if (known := commit()) is None:
        pytest.skip("nobody knows the commit here")
    assert f'ARCHIVED = "{known.name} {known.day}"'.encode() in dict(own_files())["web/texts/release.py"]
