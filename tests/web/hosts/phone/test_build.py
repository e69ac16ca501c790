"""What the site is made of: pinned as the rest of Rollcall is."""

import json
import re
import zipfile
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

import tests.conftest
from web.hosts.phone.site.build import (
    HERE,
    PINNED,
    SHELL,
    TEXTS,
    android_app,
    bill_of_materials,
    licences,
    link_apps,
    own_files,
    shell_texts,
)
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


SIGNED = ":".join(["AB"] * 32)


def test_the_site_names_the_android_packages_that_may_show_it(tmp_path: Path) -> None:
    link_apps(tmp_path, [])
    assert list(tmp_path.iterdir()) == []
    link_apps(tmp_path, [android_app(f"org.example.{name}={SIGNED}") for name in ("store", "f_droid")])
    first, second = json.loads((tmp_path / ".well-known" / "assetlinks.json").read_text())
    target = {"namespace": "android_app", "package_name": "org.example.store", "sha256_cert_fingerprints": [SIGNED]}
    assert first == {"relation": ["delegate_permission/common.handle_all_urls"], "target": target}
    assert second["target"]["package_name"] == "org.example.f_droid"


@pytest.mark.parametrize("wrong", ["org.example.rollcall", f"rollcall={SIGNED}", f"org.example={SIGNED.lower()}"])
def test_a_package_without_its_whole_fingerprint_is_refused(wrong: str) -> None:
    with pytest.raises(ArgumentTypeError, match=r"must be like org\.example\.rollcall=AB:CD"):
        android_app(wrong)
