"""The pages that offer a release's files: in each language, of a folder or of a list, and without a release."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from web.hosts.phone.site.download import ReleaseFile, main, offers_of, page_in, release_files
from web.texts.language_table import TABLE

DEB = "rollcall_1.0_amd64.deb"
FILES = [
    ReleaseFile(DEB, 105_800_000, "ab" * 32),
    ReleaseFile("rollcall-1.0-any-system.zip", 1, "cd"),
    ReleaseFile("SHA256SUMS", 9, "ef"),
]


def test_files_are_offered_in_the_order_of_the_systems_that_were_tried() -> None:
    offered = offers_of(reversed(FILES))
    assert [(offer.system, file.name) for offer, file in offered] == [("linux", DEB), ("any", FILES[1].name)]


@pytest.mark.parametrize("language", TABLE)
def test_a_page_has_size_checksum_and_what_was_tried(language: str) -> None:
    page = page_in(language, FILES, "https://example.org/rollcall")
    assert f'href="https://example.org/rollcall/releases/latest/download/{DEB}"' in page
    for part in (
        "106 MB",
        "ab" * 32,
        "SHA256SUMS",
        f'lang="{language}"',
        f'<a href="{language}.html" lang="{language}"',
    ):
        assert part in page
    assert ("Tests install, update" in page) == (language == "en" or TABLE[language].partly)


def test_without_a_release_the_source_takes_two_commands() -> None:
    page = page_in("en", [], "https://example.org/rollcall")
    assert "git clone https://example.org/rollcall rollcall" in page
    assert "make serve" in page
    assert "git clone" not in page_in("en", [], "")


def test_a_folder_and_a_list_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dist = tmp_path / "dist"
    dist.mkdir()
    (dist / DEB).write_bytes(b"package")
    digest = hashlib.sha256(b"package").hexdigest()
    (tmp_path / "release.json").write_text(json.dumps([{"name": DEB, "size": 7, "digest": f"sha256:{digest}"}]))
    assert release_files(dist) == release_files(tmp_path / "release.json") == [ReleaseFile(DEB, 7, digest)]
    monkeypatch.setattr("sys.argv", ["download", str(tmp_path / "out"), "--release", str(dist)])
    assert main() == 0
    assert {path.stem for path in (tmp_path / "out").iterdir()} == {*TABLE, "download"}


@pytest.mark.parametrize("text", ["{", "[1]", '[{"name": "x"}]', '[{"name": "x", "size": "many", "digest": ""}]'])
def test_a_wrong_list_is_told_in_one_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "release.json").write_text(text)
    monkeypatch.setattr("sys.argv", ["download", str(tmp_path / "out"), "--release", str(tmp_path / "release.json")])
    assert main() == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists()
