"""Commands in a clean Debian that the fixture `root` made."""

import subprocess
from pathlib import Path

PLAYER = "1000:1000"
HOME = "home/player"


def inside(root: Path, *command: str, user: str = "0:0") -> list[str]:
    """The command line that runs a command in the system, with its own /proc."""
    entered = f'mount -t proc proc "$0/proc" && exec chroot --userspec={user} "$0" "$@"'
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", entered, str(root), *command]


def as_root(root: Path, *command: str) -> str:
    done = subprocess.run(
        inside(root, "env", "DEBIAN_FRONTEND=noninteractive", *command),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
