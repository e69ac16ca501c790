"""Whose program on this computer a connection comes from, where the system says so (Linux)."""

import os
from pathlib import Path

CONNECTIONS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
# The columns of these files: the addresses end with the port in hexadecimal digits.
LOCAL, REMOTE, USER = 1, 2, 7
SYSTEM = 0  # its administrator may do everything anyway, and sockets that are closing belong to nobody else


def is_of_other_user(port: int, server: int) -> bool:
    """Whether a connection from this computer belongs to another user of it. False if the system does not say so.

    `port`: where the connection begins; `server`: the port that it leads to.
    """
    users = _users(port, server)
    return bool(users) and not users & {os.getuid(), SYSTEM}


def _users(port: int, server: int) -> set[int]:
    found = set()
    for path in CONNECTIONS:
        try:
            lines = path.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[LOCAL].endswith(f":{port:04X}") and fields[REMOTE].endswith(f":{server:04X}"):
                found.add(int(fields[USER]))
    return found
