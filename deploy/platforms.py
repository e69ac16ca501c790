"""Resolves what `make serve` and the start scripts install, for each promised system and Python, from wheels alone.

`python deploy/platforms.py [SYSTEM ...]`: the systems stand in pyproject.toml (`tool.rollcall.platforms`), the Pythons
in its `requires-python`; SYSTEM is another one by uv's name. Exits with 1 if one does not resolve or a package of it is
not pinned, with 2 if that cannot be found out. Needs `uv` and the package index.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import tomllib  # so this needs Python 3.11; Rollcall itself needs less

ROOT = Path(__file__).resolve().parent.parent
AT_ONCE = 4  # uv mostly waits for the package index
UNKNOWN = 2


def main(systems: list[str]) -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    promised = {name: name for name in systems} or platforms(project)
    checks = list(product(promised, pythons(project)))
    with ThreadPoolExecutor(AT_ONCE) as threads:
        found = threads.map(lambda check: fault(check[0], promised[check[0]], check[1]), checks)
        worst = 0
        for (name, python), (status, why) in zip(checks, found, strict=True):
            print(f"{name}, Python {python}: {why or 'resolves'}", flush=True)
            worst = max(worst, status)
    return worst


def platforms(project: Mapping[str, Any]) -> dict[str, str]:
    """The promised systems: how docs/on-a-computer.md names them, to uv's name."""
    return dict(project["tool"]["rollcall"]["platforms"])


def pythons(project: Mapping[str, Any]) -> list[str]:
    """The Pythons that `requires-python` takes, such as "3.10"."""
    bounds = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", project["project"]["requires-python"])
    assert bounds is not None, "requires-python must be like >=3.10,<3.15"
    return [f"3.{minor}" for minor in range(int(bounds[1]), int(bounds[2]))]


def fault(name: str, platform: str, python: str) -> tuple[int, str]:
    """What the exit status would be for this system and Python, and what is wrong; "" if nothing is."""
    command = ("uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--only-binary", ":all:")
    given = ("--constraint", "constraints.txt", "--extra", "home", "--extra", "club", "pyproject.toml")
    system = ("--python-platform", platform, "--python-version", python)
    # uv takes wheels for this macOS and older ones.
    macos = re.search(r"macOS (\d+)", name)
    environment = os.environ | ({"MACOSX_DEPLOYMENT_TARGET": f"{macos[1]}.0"} if macos else {})
    done = subprocess.run([*command, *given, *system], cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode == 0:
        loose = names(done.stdout) - names((ROOT / "constraints.txt").read_text())
        return (1, f"constraints.txt does not pin {', '.join(sorted(loose))}") if loose else (0, "")
    why = " ".join(done.stderr.split("hint:")[0].split())
    return 1 if "No solution found" in why else UNKNOWN, why


def names(requirements: str) -> set[str]:
    return {name.lower().replace("_", "-") for name in re.findall(r"^([\w.-]+)==", requirements, re.MULTILINE)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
