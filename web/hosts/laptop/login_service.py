"""Starts Rollcall when a person logs in to this computer, by a service of systemd's for users."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

NAME = "rollcall.service"
WITHIN_S = 10
UNIT = """[Unit]
Description=Rollcall, which keeps score for real dice

[Service]
# The page of the first start is there, and nothing opens it.
Environment=BROWSER=true
ExecStart={command}
Restart=on-failure

[Install]
WantedBy=default.target
"""


def is_available() -> bool:
    """Whether this user's services are run by a systemd."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return bool(runtime) and (Path(runtime) / "systemd").is_dir() and shutil.which("systemctl") is not None


def is_enabled() -> bool:
    return _systemctl("is-enabled", NAME) == "enabled"


def enable(command: Sequence[str]) -> bool:
    """Has `command` started at each login, from the next one on. Returns whether systemd took it."""
    path = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "systemd" / "user" / NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(UNIT.format(command=" ".join(map(_quote, command))), encoding="utf-8")
    except OSError:
        return False
    _systemctl("daemon-reload")
    _systemctl("enable", NAME)
    return is_enabled()


def disable() -> bool:
    """Undoes `enable`. Returns whether it is off."""
    _systemctl("disable", NAME)
    return not is_enabled()


def _systemctl(*arguments: str) -> str:
    try:
        asked = subprocess.run(
            ["systemctl", "--user", *arguments],
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip()


def _quote(word: str) -> str:
    """A word of a command as systemd reads it (systemd.service, "Command lines")."""
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("$", "$$")):
        word = word.replace(sign, written)
    return f'"{word}"'
