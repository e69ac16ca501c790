"""Tests load where optional packages are missing, as on every machine that followed the README."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
MODULES = {"paho-mqtt": "paho", "prometheus-client": "prometheus_client"}  # where the module has another name
OPTIONAL = {
    MODULES.get(name, name)
    for extra in EXTRAS.keys() - {"test"}
    for name in (re.split(r"[\[<>=;\s]", requirement)[0] for requirement in EXTRAS[extra])
}
BROUGHT_ALONG = {"torch", "torchvision", "yaml"}  # by ultralytics
HIDABLE = sorted(OPTIONAL | BROUGHT_ALONG)

pytestmark = pytest.mark.whole

# Imports each module of the tests, and names those that neither load nor skip.
LOAD_ALL = """
import importlib, pathlib, sys
from importlib.machinery import PathFinder

import pytest

hidden = sys.argv[1:]
find = PathFinder.find_spec

def find_shown(name, path=None, target=None):
    return None if name.partition(".")[0] in hidden else find(name, path, target)

PathFinder.find_spec = find_shown
sys.path.insert(0, ".")
failed = []
for path in sorted(pathlib.Path("tests").rglob("*.py")):
    try:
        importlib.import_module(".".join(path.with_suffix("").parts))
    except pytest.skip.Exception:
        pass
    except Exception as error:
        failed.append(f"{path}: {error!r}")
print(*failed, sep="\\n", end="")
"""


def load_all(*hidden: str) -> str:
    """What fails when the modules of the tests are loaded without these packages."""
    done = subprocess.run([sys.executable, "-c", LOAD_ALL, *hidden], cwd=ROOT, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_without_any_optional_package_all_tests_load() -> None:
    assert load_all(*HIDABLE) == ""


@pytest.mark.slow
@pytest.mark.parametrize("package", HIDABLE)
def test_without_one_optional_package_all_tests_load(package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed: there is nothing to hide")
    assert load_all(package) == ""


# As OpenCV's own module says it where the dynamic loader finds no library.
WITHOUT_LIBRARIES = """
raise ImportError("libxcb.so.1: cannot open shared object file: No such file or directory", name="cv2")
"""
NEEDS_OPENCV = {
    "test_module.py": "import cv2\n\ndef test_nothing():\n    pass\n",
    "test_one.py": "def test_reads():\n    import vision\n    vision.Reader()\n\ndef test_other():\n    pass\n",
    "test_fixture.py": (
        "import pytest\n\n@pytest.fixture\ndef eye():\n    import vision.network_eye\n\ndef test_sees(eye):\n    pass\n"
    ),
    "test_program.py": (
        "import subprocess, sys\n\ndef test_command(tmp_path):\n    (tmp_path / 'a.jpg').touch()\n"
        "    command = [sys.executable, '-m', 'rollcall', 'read', str(tmp_path / 'a.jpg')]\n"
        "    assert subprocess.run(command, text=True, capture_output=True).stderr == 'no photo'\n"
    ),
}


@pytest.mark.parametrize(
    ("broken", "told"), [(WITHOUT_LIBRARIES, True), ("raise ImportError('numpy is too old', name='cv2')", False)]
)
def test_without_opencvs_system_libraries_tests_skip_and_name_the_packages(
    broken: str, told: bool, tmp_path: Path
) -> None:
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "cv2.py").write_text(broken)
    for name, text in NEEDS_OPENCV.items():
        (tmp_path / name).write_text(text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        "-rs",
        "--continue-on-collection-errors",
    ]
    # PYTEST_ADDOPTS is for the run outside: its lists of tests must not name these.
    env = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    env["PYTHONPATH"] = f"{tmp_path / 'hidden'}:{ROOT}"
    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), *map(str, sorted(tmp_path.glob("test_*.py")))],
        cwd=ROOT,
        text=True,
        capture_output=True,
        env=env,
        timeout=120,
    )
    if told:
        assert "1 passed, 4 skipped" in done.stdout, done.stdout
        assert done.stdout.count("sudo apt install libgl1 libglib2.0-0") == 4
    else:
        assert "1 error" in done.stdout, done.stdout
        assert "skipped" not in done.stdout
