"""Tests load where optional packages are missing, as on every machine that followed the README."""

from __future__ import annotations

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

# Imports each module of the tests, and names those that neither load nor skip.
LOAD_ALL = """
import importlib, pathlib, sys
from importlib.machinery import PathFinder

import pytest

pattern, *hidden = sys.argv[1:]
find = PathFinder.find_spec

def find_shown(name, path=None, target=None):
    return None if name.partition(".")[0] in hidden else find(name, path, target)

PathFinder.find_spec = find_shown
sys.path.insert(0, ".")
failed = []
for path in sorted(pathlib.Path("tests").rglob(pattern)):
    try:
        importlib.import_module(".".join(path.with_suffix("").parts))
    except pytest.skip.Exception:
        pass
    except Exception as error:
        failed.append(f"{path}: {error!r}")
print(*failed, sep="\\n", end="")
"""


def load_all(*hidden: str, pattern: str = "*.py") -> str:
    """What fails when the modules of the tests of this pattern are loaded without these packages."""
    done = subprocess.run([sys.executable, "-c", LOAD_ALL, pattern, *hidden], cwd=ROOT, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_without_any_optional_package_all_tests_load() -> None:
    assert load_all(*HIDABLE) == ""


@pytest.mark.slow
@pytest.mark.parametrize("package", HIDABLE)
def test_without_one_optional_package_all_tests_load(package: str) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed: there is nothing to hide")
    assert load_all(package) == ""


def test_a_module_that_needs_a_hidden_package_is_named() -> None:
    assert "tests/conftest.py: ModuleNotFoundError" in load_all("hypothesis", pattern="conftest.py")
