"""A PgBouncer of the tests' own, in transaction mode before their PostgreSQL."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.postgres import UNPRIVILEGED, Postgres

START_WITHIN_S = 60
CONNECTIONS = 3  # to PostgreSQL: fewer than the servers hold, so that they change hands
SETTINGS = """
[databases]
* = host=127.0.0.1 port={postgres}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
"""


def program() -> str | None:
    """Where PgBouncer is, or None. Debian puts it where only root looks."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@contextmanager
def pgbouncer(server: Postgres) -> Iterator[int]:
    """The port of a PgBouncer that leads to `server`."""
    folder = Path(tempfile.mkdtemp(prefix="rollcall-pgbouncer-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    settings = folder / "settings.ini"
    # `auth_type = any` wants to be told who is who at PostgreSQL.
    told = SETTINGS.format(postgres=f"{server.port} user=rollcall", port=port, connections=CONNECTIONS)
    settings.write_text(told)
    there = {entry.pw_name for entry in pwd.getpwall()}
    user = next((name for name in UNPRIVILEGED if name in there), None) if os.getuid() == 0 else None
    if user is not None:
        for path in (folder, settings):
            shutil.chown(path, user)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([str(program()), settings], stdout=log, stderr=log, user=user)
    try:
        until = time.monotonic() + START_WITHIN_S
        while not _listens(port):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, "PgBouncer did not start"
            time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
