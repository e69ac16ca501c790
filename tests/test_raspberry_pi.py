"""The recipe of an image for a Raspberry Pi: laid out as pi-gen's README asks, and its scripts are clean.

tests/release/test_service.py runs the stage; pi-gen itself needs a machine of its own.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

RECIPE = Path(__file__).resolve().parents[1] / "deploy" / "raspberry-pi"
STAGE = RECIPE / "stage-rollcall"
STEP = STAGE / "00-rollcall"
SCRIPTS = [STAGE / "prerun.sh", STEP / "01-run.sh"]
# What pi-gen passes over in silence if it is called otherwise.
READ_BY_PI_GEN = {"prerun.sh", "EXPORT_IMAGE", "00-packages", "01-run.sh"}


def test_the_stage_holds_what_pi_gen_reads() -> None:
    files = {path for path in STAGE.rglob("*") if path.is_file() and path.suffix != ".deb"}
    assert {path.name for path in files if path.parent.name != "files"} == READ_BY_PI_GEN
    assert all(path.stat().st_mode & 0o111 for path in SCRIPTS), "pi-gen skips what is not executable"


def test_the_scripts_are_clean() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(["shellcheck", *SCRIPTS], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_configuration_names_this_stage() -> None:
    """As pi-gen reads it, with no variable set but the one that `config` asks for."""
    names = re.findall(r"^(\w+)=", (RECIPE / "config").read_text(), re.MULTILINE)
    assert {"IMG_NAME", "TARGET_HOSTNAME", "STAGE_LIST"} <= set(names)
    told = "; ".join(f'echo "${name}"' for name in names)
    command = ["bash", "-euc", f'. "$0/config"; {told}', RECIPE]
    done = subprocess.run(command, capture_output=True, text=True, env={"ROLLCALL": str(RECIPE)})
    assert done.returncode == 0, done.stderr
    values = dict(zip(names, done.stdout.splitlines(), strict=True))
    assert values["TARGET_HOSTNAME"] == "rollcall"
    assert Path(values["STAGE_LIST"].split()[-1]) == STAGE


def test_the_script_uses_each_file_beside_it() -> None:
    script = SCRIPTS[1].read_text()
    files = {path.name for path in (STEP / "files").iterdir() if path.suffix != ".deb"}
    assert set(re.findall(r"files/([\w.-]+) ", script)) == files
    assert "files/rollcall_*_arm64.deb" in script, "as build.py calls it"
