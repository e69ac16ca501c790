"""The systems and Pythons that are promised: one list, and whether all packages can be had for them."""

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
INSTALLING = ROOT / "docs" / "on-a-computer.md"
tomllib = pytest.importorskip("tomllib", reason="deploy/platforms.py needs Python 3.11 or newer")
platforms = pytest.importorskip("deploy.platforms")

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_documents_promise_the_systems_that_are_resolved() -> None:
    section = INSTALLING.read_text().partition("## Systems\n")[2].partition("\n#")[0]
    assert re.findall(r"^- (.+)$", section, re.MULTILINE) == [*platforms.platforms(PROJECT)]


def test_everybody_names_the_same_pythons() -> None:
    first, *_, last = platforms.pythons(PROJECT)
    for page in (ROOT / "README.md", INSTALLING):
        text = page.read_text()
        assert set(re.findall(r"Python (3\.\d+[^.\n]*?3\.\d+)", text)) == {f"{first} to {last}"}
        assert "Python 3" not in text.replace(f"Python {first} to {last}", "")
    wanted = PROJECT["project"]["requires-python"]
    for script in ("start-rollcall.sh", "start-rollcall.bat"):
        assert re.findall(r'--python "(>.+?)"', (ROOT / "deploy" / "release" / script).read_text()) == [wanted]
    makefile = (ROOT / "Makefile").read_text()
    low, high = re.findall(r"\((3, \d+)\)", makefile)
    assert f">={low},<{high}".replace(", ", ".") == wanted
    assert f"Rollcall needs Python {first} to {last};" in makefile


def test_every_dependency_with_a_marker_is_pinned_for_each_system() -> None:
    """Else the start scripts would install what nobody tested."""
    systems = [("darwin", "x86_64"), ("darwin", "arm64"), ("linux", "x86_64"), ("linux", "aarch64"), ("win32", "AMD64")]
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    pins = [Requirement(line) for line in lines]
    given = PROJECT["project"]
    wanted = map(Requirement, [*given["dependencies"], *given["optional-dependencies"]["home"]])
    for requirement in wanted:
        for system, machine in systems:
            for python in platforms.pythons(PROJECT):
                here = {"sys_platform": system, "platform_machine": machine, "python_version": python}
                if requirement.marker is None or requirement.marker.evaluate(here):
                    mine = [pin for pin in pins if pin.name == requirement.name]
                    valid = [pin for pin in mine if pin.marker is None or pin.marker.evaluate(here)]
                    assert len(valid) == 1, (requirement.name, here, [*map(str, valid)])


@pytest.mark.whole
@pytest.mark.parametrize(
    ("system", "missing"), [("Linux, x86-64, glibc 2.28 or newer", None), ("aarch64-pc-windows-msvc", r"no .*wheels")]
)
def test_what_does_not_resolve_is_told(system: str, missing: str | None) -> None:
    if shutil.which("uv") is None:
        pytest.skip("uv is not installed: .ci/platforms resolves the packages")
    platform = platforms.platforms(PROJECT).get(system, system)
    status, why = platforms.fault(system, platform, platforms.pythons(PROJECT)[-1])
    if status == platforms.UNKNOWN:
        pytest.skip(f"the package index does not answer: {why}")
    assert status == (missing is not None), why
    assert missing is None or re.search(missing, why), why


def test_without_the_package_index_nothing_is_claimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("uv") is None:
        pytest.skip("uv is not installed: .ci/platforms resolves the packages")
    nowhere = {"UV_DEFAULT_INDEX": "http://127.0.0.1:9", "UV_HTTP_RETRIES": "0", "UV_CACHE_DIR": str(tmp_path)}
    for name, value in nowhere.items():
        monkeypatch.setitem(os.environ, name, value)
    (name, platform), *_ = platforms.platforms(PROJECT).items()
    assert platforms.fault(name, platform, "3.12")[0] == platforms.UNKNOWN
