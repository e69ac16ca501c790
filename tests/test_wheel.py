"""What players install: a wheel of the product without the workshop; another package may be called `datasets`."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

import rollcall

pytestmark = pytest.mark.whole

pytest.importorskip("setuptools", minversion="77", reason="building the wheel needs setuptools 77 (the extra `test`)")

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"scorer", "vision", "web", "models"}


def run(*arguments: str, path: Path | None = None, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs Python, outside the checkout, with `path` before all other packages."""
    surroundings = {**os.environ, **({} if path is None else {"PYTHONPATH": _first(path)})}
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=surroundings, capture_output=True, text=True)


def _first(path: Path) -> str:
    return os.pathsep.join(filter(None, [str(path), os.environ.get("PYTHONPATH")]))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def build_wheel(folder: Path) -> Path:
    """The wheel, built without a network."""
    copy, out = copied(folder), folder / "out"
    built = run("-c", f"from setuptools import build_meta; build_meta.build_wheel({str(out)!r})", cwd=copy)
    assert built.returncode == 0, built.stderr
    (made,) = out.glob("*.whl")
    return made


def copied(folder: Path) -> Path:
    """A copy of the source in `folder`: a build leaves folders beside what it builds."""
    copy = folder / "copy"
    copy.mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE", "rollcall.py", "MANIFEST.in", "Makefile"):
        shutil.copy(ROOT / name, copy)
    for name in (*PACKAGES, "datasets", "deploy"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages: the wheel's, and a stranger's `datasets`."""
    folder = tmp_path_factory.mktemp("installed")
    (folder / "datasets").mkdir()
    (folder / "datasets" / "__init__.py").write_text("OWNER = 'a stranger'\n")
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target", str(folder))
    done = run(*pip, str(wheel), cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_holds_the_product_alone(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {*PACKAGES, "rollcall.py"}
    for folder, ending in (
        ("models", ".onnx"),
        ("web/templates", ".html"),
        ("web/programs/overlay/templates", ".html"),
        ("web/static", ".js"),
        ("web/translations", ".po"),
    ):
        assert any(name.startswith(f"{folder}/") and name.endswith(ending) for name in names), folder


def test_the_source_archive_has_what_builds_packages(tmp_path: Path) -> None:
    copy = copied(tmp_path)
    built = run("-c", f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})", cwd=copy)
    assert built.returncode == 0, built.stderr
    (made,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "deploy").rglob("*") if path.is_file()}
    files = {name for name in files if "__pycache__" not in name}
    assert files
    assert (
        files | {"Makefile", "web/hosts/phone/site/licences/pyodide.txt", "web/hosts/phone/shell/worker.js"}
    ) <= names
    assert [name for name in names if name.startswith(("tests/", "datasets/"))] == []


def test_no_package_index_takes_the_packages() -> None:
    """Their names at the top, such as `web`, are those of others too: README says how to install Rollcall."""
    assert '"Private :: Do Not Upload"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_commands_run_beside_another_package_of_that_name(installed: Path, tmp_path: Path) -> None:
    which = run(
        "-c", "import rollcall, scorer; print(rollcall.__file__, scorer.__file__)", path=installed, cwd=tmp_path
    )
    assert which.stdout.count(str(installed)) == 2
    explained = run("-m", "rollcall", "--help", path=installed, cwd=tmp_path)
    assert (explained.returncode, explained.stderr) == (0, "")
    assert explained.stdout.startswith("usage: rollcall")
    assert "workshop" not in explained.stdout
    scored = run("-m", "rollcall", "score", "kosci", "1", "2", "3", "4", "5", "--json", path=installed, cwd=tmp_path)
    assert (scored.returncode, scored.stderr) == (0, "")
    stranger = run("-c", "import datasets; print(datasets.OWNER)", path=installed, cwd=tmp_path)
    assert stranger.stdout == "a stranger\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["corrections", "out"]])
@pytest.mark.parametrize("command", rollcall.WORKSHOP)
def test_the_workshop_says_that_it_runs_from_a_checkout(
    command: str, arguments: list[str], installed: Path, tmp_path: Path
) -> None:
    done = run("-m", "rollcall", "workshop", command, *arguments, path=installed, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"rollcall workshop {command} runs from a checkout" in done.stderr
    assert "CONTRIBUTING.md" in done.stderr


def test_a_checkout_has_its_own_datasets(installed: Path, tmp_path: Path) -> None:
    """Also when the stranger's package comes first."""
    path = Path(os.pathsep.join([str(tmp_path), str(ROOT)]))
    shutil.copytree(installed / "datasets", tmp_path / "datasets")
    done = run("-m", "rollcall", "workshop", "dataset", "--help", path=path, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "corrections" in done.stdout
