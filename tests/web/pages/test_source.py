"""Who uses Rollcall over a network may have its source."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from web.pages import source


def names_in(archive: bytes) -> set[str]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        return {name.partition("/")[2] for name in opened.getnames()}


def test_the_source_is_what_runs_here(client: FlaskClient) -> None:
    answer = client.get("/source.tar.gz")
    assert (answer.status_code, answer.mimetype) == (200, "application/gzip")
    names = names_in(answer.data)
    needed = {"rollcall.py", "LICENSE", "pyproject.toml", "deploy/release/build.py", "scorer/table.py", "vision/eye.py"}
    assert needed | {"web/pages/source.py", "web/static/table/table.js", "web/templates/help.html"} <= names
    assert [name for name in names if "__pycache__" in name or name.endswith(".onnx")] == []
    assert source.archive_of(source.ROOT) == answer.data, "the same bytes each time"


def test_beside_packages_of_others_it_is_of_rollcall_alone(tmp_path: Path) -> None:
    for name in ("rollcall.py", "web/app.py", "deploy/theirs.py", "LICENSE", "flask/app.py", "web/.env", "web/tls.key"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    assert names_in(source.archive_of(tmp_path)) == {"rollcall.py", "web/app.py"}


def test_a_packed_program_brings_its_source_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "source.tar.gz").write_bytes(b"as it was packed")
    monkeypatch.setattr(source, "PACKED", tmp_path / "source.tar.gz")
    source.archive.cache_clear()
    assert source.archive() == b"as it was packed"
    source.archive.cache_clear()
