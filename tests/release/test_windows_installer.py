"""The installer for Windows, compiled and run silently under Wine: installed, updated, removed, and the games kept.

The program that it installs is a placeholder. Debian has Wine (`apt install wine wine32:i386 xvfb`); npm has Inno Setup
(`npm install innosetup-compiler`, or $ROLLCALL_ISCC names its ISCC.exe).
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "deploy" / "release" / "rollcall.iss"
ISCC = Path(os.environ.get("ROLLCALL_ISCC") or ROOT / "node_modules/innosetup-compiler/bin/ISCC.exe")
SILENT = ("/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART")
GONE = r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not all(map(shutil.which, ("wine", "wineserver", "xvfb-run"))), reason="Wine is not installed"),
    pytest.mark.skipif(not ISCC.is_file(), reason="Inno Setup is not installed"),
]

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a program of Windows in a new Windows, until all that it started has ended; returns what it printed."""
    surroundings = {**os.environ, "HOME": str(tmp_path), "WINEPREFIX": str(tmp_path / "prefix"), "WINEDEBUG": "-all"}

    def in_windows(*command: str | Path, status: int = 0) -> str:
        done = subprocess.run(
            ["xvfb-run", "--auto-servernum", "wine", *command],
            capture_output=True,
            text=True,
            errors="replace",
            env=surroundings,
            stdin=subprocess.DEVNULL,
            timeout=300,
        )
        subprocess.run(["wineserver", "--wait"], env=surroundings, timeout=300)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    in_windows("wineboot", "--init")
    return in_windows


def in_wine(path: Path) -> str:
    return "Z:" + str(path).replace("/", "\\")


def test_it_installs_updates_and_leaves_the_games(run: Run, tmp_path: Path) -> None:
    source, packed = tmp_path / "source", tmp_path / "packed"
    (source / "deploy/release").mkdir(parents=True)
    shutil.copy(RECIPE, source / "deploy/release")
    shutil.copy(ROOT / "LICENSE", source)
    (packed / "_internal").mkdir(parents=True)
    (packed / "rollcall.exe").write_bytes(b"MZ: a placeholder")
    (packed / "_internal/new.dll").write_bytes(b"a library")
    named = ["/DVersion=9.9", f"/DPacked={in_wine(packed)}", in_wine(source / "deploy/release/rollcall.iss")]
    told = run(ISCC, *named)
    assert "Warning" not in told
    assert "Successful compile" in told
    setup = source / "dist/rollcall-9.9-windows-x86_64.exe"

    disk = tmp_path / "prefix/drive_c"
    home = next(path for path in (disk / "users").iterdir() if path.name != "Public")
    games = home / "AppData/Local/rollcall/rollcall.db"
    games.parent.mkdir(parents=True)
    games.write_text("the games")
    folder = disk / "Program Files/Rollcall"
    log = tmp_path / "setup.log"
    run(setup, *SILENT, f"/LOG={in_wine(log)}")
    assert (folder / "rollcall.exe").is_file()
    assert len([*disk.rglob("Rollcall.lnk")]) == 1, "an entry of the menu, and none on the desktop"
    told = log.read_text(encoding="utf-8-sig", errors="replace")
    rule = 'add rule name="Rollcall" dir=in action=allow protocol=TCP localport=8000 profile=private'
    assert rule in told
    assert told.index('delete rule name="Rollcall"') < told.index(rule)
    assert "Rollcall" in run("reg", "query", GONE, "/s", "/reg:64")

    (folder / "_internal/old.dll").write_bytes(b"a library of the version before")
    run(setup, *SILENT)
    assert [path.name for path in (folder / "_internal").iterdir()] == ["new.dll"]

    run(folder / "unins000.exe", *SILENT)
    assert not folder.exists()
    assert not [*disk.rglob("Rollcall.lnk")]
    assert "Rollcall" not in run("reg", "query", GONE, "/s", "/reg:64")
    assert games.read_text() == "the games"
