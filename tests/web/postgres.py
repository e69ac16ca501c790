"""A PostgreSQL of the tests' own: made in a temporary folder, without a password, gone with the tests."""

import functools
import importlib.util
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.web.served import free_port
from tests.web.waiting import wait_until

ENGINES = ("sqlite", "postgresql")
# Marks a test of what differs between the engines: CONTRIBUTING, "Tests".
both_engines = pytest.mark.parametrize("database", ENGINES, indirect=True)
WANTED = ("initdb", "postgres")
DEBIANS = Path("/usr/lib/postgresql")
UNPRIVILEGED = ("postgres", "nobody")  # PostgreSQL does not run as root
START_WITHIN_S = 60
PACKAGES = ("psycopg",)
# A test's store need not outlive this machine; what a killed PostgreSQL keeps is tested with `durable`.
SETTINGS = {"max_connections": "200", "shared_buffers": "32MB", "timezone": "UTC", "autovacuum": "on"}
HASTY = {"fsync": "off", "full_page_writes": "off"}
_numbers = itertools.count(1)


@functools.cache
def missing() -> str | None:
    """Why there can be no PostgreSQL here, or None."""
    if sys.platform == "win32":
        return "the tests start PostgreSQL on POSIX systems only"
    if lacking := [name for name in PACKAGES if importlib.util.find_spec(name) is None]:
        return f"the extra `cluster` is not installed ({', '.join(lacking)})"
    if _programs() is None:
        return "PostgreSQL is not installed"
    if os.getuid() == 0 and _user() is None:
        return "PostgreSQL does not run as root, and there is no other user"
    return None


class Postgres:
    """One PostgreSQL on a free port of this machine. `durable`: whether it waits for the disk."""

    def __init__(self, folder: Path, durable: bool = False) -> None:
        self.folder = folder
        self._user = _user()
        programs = _programs()
        assert programs is not None
        self.programs = programs
        if self._user is not None:
            shutil.chown(folder, self._user)
        self._run("initdb", "-D", str(self._data), "-U", "rollcall", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        settings = {**SETTINGS, **({} if durable else HASTY)}
        self.port = free_port()
        settings |= {"port": str(self.port), "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        self._settings = [each for name, value in settings.items() for each in ("-c", f"{name}={value}")]
        self.start()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Starts it, also again after `kill`."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self._data, *self._settings],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self._user,
                start_new_session=True,
            )
        until = time.monotonic() + START_WITHIN_S
        while not self._answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "PostgreSQL did not start"
            time.sleep(0.05)

    def kill(self) -> None:
        """Ends it as a power cut would, with all its processes."""
        # Each of its processes leads a session of its own, and would answer on until it misses the first one.
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
        family = [self.process.pid, *(pid for pid, parent in pairs if parent == self.process.pid)]
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(60)
        wait_until(lambda: not (any(_runs(pid) for pid in family)), START_WITHIN_S)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)  # fast: connections are ended
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def new(self, copied: str = "template1") -> str:
        """The address of a new database, `copied` from another one of this server."""
        name = f"rollcall_{os.getpid()}_{next(_numbers)}"
        self.do(f"CREATE DATABASE {name} TEMPLATE {copied}")
        return self.address(name)

    def drop(self, address: str) -> None:
        """Fails if somebody is still connected after five seconds: a test has left something open."""
        self.do(f"DROP DATABASE {address.rpartition('/')[2]}")

    def address(self, name: str) -> str:
        return f"postgresql+psycopg://rollcall@127.0.0.1:{self.port}/{name}"

    def do(self, statement: str) -> None:
        """One statement, outside of any transaction."""
        import psycopg

        with psycopg.connect(self._plain(), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    def _plain(self) -> str:
        return f"postgresql://rollcall@127.0.0.1:{self.port}/postgres"

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self._plain(), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        made = subprocess.run(
            [self.programs / program, *arguments], cwd=self.folder, user=self._user, capture_output=True, text=True
        )
        assert made.returncode == 0, made.stderr


@contextmanager
def postgres(durable: bool = False) -> Iterator[Postgres]:
    """A PostgreSQL in a temporary folder, where `missing` says nothing."""
    # Not below the folder of pytest, which nobody but its owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="rollcall-postgres-"))
    try:
        server = Postgres(folder, durable)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs: the newest of Debian's, which are on nobody's path, or those of the path."""
    folders = sorted(DEBIANS.glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    on_path = shutil.which("initdb")
    folders += [Path(on_path).resolve().parent] if on_path else []
    return next((folder for folder in folders if all((folder / name).exists() for name in WANTED)), None)


def _user() -> str | None:
    """Who PostgreSQL is to run as where we are root."""
    if os.getuid() != 0:
        return None
    there = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in UNPRIVILEGED if name in there), None)


def _runs(pid: int) -> bool:
    """Whether there is such a process; one that has ended, but that nobody waited for, is none."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(shown) and not shown.startswith("Z")
