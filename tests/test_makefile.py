"""`make serve` makes its environment anew where it died, and only there. Its packages are one program that says so."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

# A Python whose environments have in the place of pip a module that installs such a program, and notes it.
PYTHON = """#!/bin/sh
case "$1 $2" in "-m venv") set -- -m venv --without-pip .venv ;; esac
{python} "$@" || exit
case "$1 $2" in "-m venv") cp pip.py .venv/lib/python*/site-packages ;; esac
"""
PIP = """
import pathlib, sys

print("installs", file=sys.stderr)
program = pathlib.Path(".venv/bin/rollcall")
program.write_text(f"#!{sys.prefix}/bin/python\\nprint('serves')\\n")
program.chmod(0o755)
"""
OTHER_PYTHON = """#!/bin/sh
[ "$1" = -c ] && { echo "$PWD/.venv cpython-39"; exit; }
echo "No module named 'rollcall'"
exit 1
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which `make serve` was there already."""
    folder = tmp_path / "rollcall"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "web/texts/languages.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "pip.py").write_text(PIP)
    (folder / "python").write_text(PYTHON.format(python=sys.executable))
    (folder / "python").chmod(0o755)
    assert serve(folder) == "installs serves"
    assert serve(folder) == "serves"
    return folder


def serve(folder: Path) -> str:
    command = ["make", "--silent", "serve", "PYTHON=./python"]
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return " ".join(line for line in (*done.stderr.split(), *done.stdout.split()) if line in ("installs", "serves"))


def test_in_a_renamed_folder_it_is_made_anew(checkout: Path) -> None:
    renamed = checkout.rename(checkout.with_name("games"))
    assert serve(renamed) == "installs serves"
    assert serve(renamed) == "serves"


def test_a_copy_does_not_run_the_program_of_the_first_folder(checkout: Path) -> None:
    copied = shutil.copytree(checkout, checkout.with_name("copy"), symlinks=True)
    assert serve(copied) == "installs serves"
    assert serve(checkout) == "serves"


def test_with_another_python_or_none_it_is_made_anew(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.write_text(OTHER_PYTHON)
    python.chmod(0o755)
    assert serve(checkout) == "installs serves"
    python.unlink()
    python.symlink_to("/usr/bin/python-of-an-older-system")
    assert serve(checkout) == "installs serves"
    assert serve(checkout) == "serves"


def test_what_the_packages_are_made_of_is_looked_at_again_when_it_changes(checkout: Path) -> None:
    (checkout / "constraints.txt").write_text("")
    assert serve(checkout) == "installs installs serves", "the packages, then Babel with the languages there are now"


def test_a_site_is_refused_before_anything_is_installed_if_node_or_npm_is_missing(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    for missing in ("node", "npm"):
        command = [str(shutil.which("make")), "site", "PYTHON=./python"]
        done = subprocess.run(
            command, cwd=tmp_path, text=True, capture_output=True, env={"PATH": str(tools)}, timeout=60
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"make site needs {missing}, which is not installed: ")
        assert not (tmp_path / ".venv").exists()
        (tools / missing).write_text("#!/bin/sh\n")
        (tools / missing).chmod(0o755)
