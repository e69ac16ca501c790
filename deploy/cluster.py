"""A whole cluster on this machine, without containers: PostgreSQL, servers, readers, and nginx where it is installed.

    python deploy/cluster.py up [--folder .cluster] [--host 127.0.0.1] [--port 8080] [--servers 2] [--readers 2]
    python deploy/cluster.py down [--folder .cluster]

All of it lies in one folder, and so do the games: they are there again after the next `up`.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from web.limits import addresses

ROOT = Path(__file__).resolve().parent.parent
DEBIANS = Path("/usr/lib/postgresql")
UNPRIVILEGED = "postgres"  # whose PostgreSQL is where this is run by root, whom it refuses
WITHIN_S = 120
HERE = "127.0.0.1"
READS = "Photos are read."  # a reader's line when it is ready
LAST_LINES = 5  # of a log


class ClusterError(Exception):
    """One sentence: what is missing or went wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("up", "down"))
    parser.add_argument("--folder", type=Path, default=ROOT / ".cluster", help="where all of it lies")
    parser.add_argument("--host", default=HERE, help="where phones come in: 0.0.0.0 for all networks of this machine")
    parser.add_argument("--port", type=int, default=8080, help="the proxy's port; the others' follow it")
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--readers", type=int, default=2)
    args = parser.parse_args(arguments)
    folder = args.folder.resolve()
    try:
        if args.command == "down":
            down(folder)
        else:
            up(folder, args.host, args.port, args.servers, args.readers)
    except ClusterError as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


def up(folder: Path, host: str, port: int, servers: int, readers: int) -> None:
    """Starts everything and prints the address, or nothing stays."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(map(_lives, _noted(folder).values())):
        raise ClusterError(f"it runs already, or did not end well: make cluster-down (--folder {folder})")
    down(folder)  # what a power cut left
    ports = [port + 2 + number for number in range(servers)]
    for each, its_host in [(port, host), (port + 1, HERE), *((its_port, HERE) for its_port in ports)]:
        _check_free(each, its_host)
    try:
        first = {**os.environ, "ROLLCALL_DATABASE": _start_postgresql(folder, port + 1)}
        environment = other_than_first(first)
        for number, its_port in enumerate(ports, start=1):
            place = ["--data", str(folder / f"server-{number}"), "--host", HERE, "--port", str(its_port)]
            command = ["serve", *place, "--behind", HERE]
            _start(folder, f"server-{number}", command, first if number == 1 else environment)
        for number in range(1, readers + 1):
            _start(folder, f"reader-{number}", ["reader"], environment)
        for number, its_port in enumerate(ports, start=1):
            _wait_for(folder, f"server-{number}", functools.partial(_answers, its_port))
        for number in range(1, readers + 1):
            _wait_for(folder, f"reader-{number}", functools.partial(_reads, folder, f"reader-{number}"))
        behind = _start_nginx(folder, host, port, ports)
    except BaseException:
        down(folder)
        raise
    if behind:
        print("\n".join(f"http://{each}:{port}/" for each in addresses.shown_hosts(host)))
    else:
        print("nginx is not installed: these servers are the same tables")
        print("\n".join(f"http://{HERE}:{its_port}/" for its_port in ports))


def other_than_first(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of all but the first server, which alone tells an MQTT broker of the tables."""
    return {name: value for name, value in environment.items() if name != "ROLLCALL_MQTT"}


def down(folder: Path) -> None:
    """Ends what `up` has started, the proxy first, PostgreSQL last."""
    noted = _noted(folder)
    for name in sorted(noted):  # nginx, readers, servers
        _end(noted[name])
    for name in sorted(noted):
        _wait_for_end(name, noted[name])
    data = folder / "postgresql" / "data"
    if _postgresql_lives(data):
        _postgresql(folder, "pg_ctl", "stop", "-D", str(data), "-m", "fast", "-w")
    (folder / "processes.json").unlink(missing_ok=True)


def _start_postgresql(folder: Path, port: int) -> str:
    """Starts PostgreSQL, with a new store if there was none; returns the store's address."""
    place, secret = folder / "postgresql", folder / "password"
    if not (place / "data" / "PG_VERSION").exists():
        place.mkdir(exist_ok=True)
        secret.touch(0o600)
        secret.write_text(secrets.token_urlsafe(24))
        if _owner() is not None:
            shutil.chown(place, _owner())
            shutil.chown(secret, _owner())
        known = ["-U", "rollcall", "-A", "scram-sha-256", "--pwfile", str(secret)]
        _postgresql(folder, "initdb", "-D", str(place / "data"), *known, "-E", "UTF8", "--locale=C")
    options = f"-p {port} -c listen_addresses={HERE} -c unix_socket_directories=''"
    log = str(place / "log")
    _postgresql(folder, "pg_ctl", "start", "-D", str(place / "data"), "-o", options, "-l", log, "-w")
    import psycopg

    address = f"postgresql://rollcall:{secret.read_text()}@{HERE}:{port}"
    with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = 'rollcall'").fetchone() is None:
            connection.execute("CREATE DATABASE rollcall")
    return address.replace("postgresql://", "postgresql+psycopg://") + "/rollcall"


def _postgresql(folder: Path, program: str, *arguments: str) -> None:
    found = sorted(DEBIANS.glob(f"*/bin/{program}"), key=lambda path: float(path.parts[-3]))
    path = str(found[-1]) if found else shutil.which(program)
    if path is None:
        raise ClusterError("PostgreSQL is not installed; on Debian and Ubuntu: sudo apt install postgresql")
    with (folder / "postgresql.log").open("a") as log:  # no pipe: PostgreSQL would hold it open
        done = subprocess.run([path, *arguments], cwd="/", user=_owner(), stdout=log, stderr=log)
    if done.returncode:
        raise ClusterError(f"{program} failed; {folder / 'postgresql.log'} says why")


def _owner() -> str | None:
    """Who PostgreSQL is to run as, None for who runs this."""
    if os.getuid() != 0:
        return None
    if UNPRIVILEGED not in {entry.pw_name for entry in pwd.getpwall()}:
        raise ClusterError(f"PostgreSQL does not run as root, and there is no user {UNPRIVILEGED}")
    return UNPRIVILEGED


def _start_nginx(folder: Path, host: str, port: int, ports: Sequence[int]) -> bool:
    """Starts the proxy, if nginx is installed."""
    command = nginx(folder, port, ports, host)
    if command is not None:
        _launch(folder, "nginx", command, os.environ)
        _wait_for(folder, "nginx", functools.partial(_answers, port, HERE if host in addresses.ALL else host))
    return command is not None


def nginx(folder: Path, port: int, ports: Sequence[int], host: str = HERE) -> list[str] | None:
    """The command of a proxy at `port` before servers at `ports`, whose configuration is written to `folder`.

    None where nginx is not installed.
    """
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        return None
    servers = "".join(f"server {HERE}:{each} max_fails=1 fail_timeout=2s;\n" for each in ports)
    told = (ROOT / "deploy" / "nginx.conf").read_text().replace("listen 8000;", f"listen {host}:{port};")
    told = re.sub(r"( *server server\d+:8000[^\n]*\n)+", lambda _: servers, told)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    told = told.replace(
        "http {\n", "http {\n" + "".join(f"{kind}_temp_path {folder}/nginx-{kind};\n" for kind in kinds)
    )
    user = "user root;\n" if os.getuid() == 0 else ""  # nobody else may enter this folder
    conf = folder / "nginx.conf"
    conf.write_text(f"{user}pid {folder}/nginx.pid;\ndaemon off;\n{told}")
    return [program, "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(conf)]


def _start(folder: Path, name: str, arguments: Sequence[str], environment: Any) -> None:
    _launch(folder, name, [sys.executable, "-m", "rollcall", *arguments], environment)


def _launch(folder: Path, name: str, command: Sequence[str], environment: Any) -> None:
    with (folder / f"{name}.log").open("ab") as log:
        already = log.tell()
        begun = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True)
    noted = {**_noted(folder), name: {"pid": begun.pid, "begun": _begun(begun.pid), "log": already}}
    (folder / "processes.json").write_text(json.dumps(noted))


def _noted(folder: Path) -> dict[str, Any]:
    """What `up` has started: each process with its number and the moment at which it began."""
    try:
        noted: dict[str, Any] = json.loads((folder / "processes.json").read_text())
    except FileNotFoundError:
        return {}
    return noted


def _begun(pid: int) -> str | None:
    """When a process began, in the system's own count; None where there is none. A number may be given anew."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def _lives(process: Any) -> bool:
    begun = process["begun"]  # None: it had ended before that could be noted
    return begun is not None and _begun(process["pid"]) == begun


def _members(process: Any) -> list[int]:
    """It and what it has started, where that outlived it: nginx's workers go on serving when their master is killed."""
    number = process["pid"]
    if _lives(process):
        return [number]
    if _begun(number) is not None:
        return []  # another program's by now
    return [each for each in map(int, filter(str.isdecimal, os.listdir("/proc"))) if _is_left_of(number, each)]


def _is_left_of(leader: int, number: int) -> bool:
    """Whether the process belongs to the session of `leader`, which has ended, and began in this folder as all do."""
    try:
        session = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[3]
        return int(session) == leader and _begun(number) is not None and Path(f"/proc/{number}/cwd").readlink() == ROOT
    except OSError:
        return False


def _postgresql_lives(data: Path) -> bool:
    """Whether PostgreSQL runs on this folder: after a power cut its note of that is still there."""
    try:
        number = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
        return _begun(number) is not None and Path(f"/proc/{number}/comm").read_text().startswith("postgres")
    except (OSError, ValueError):
        return False


def _end(process: Any) -> None:
    for number in _members(process):
        os.kill(number, signal.SIGTERM)


def _wait_for_end(name: str, process: Any) -> None:
    until = time.monotonic() + WITHIN_S
    while _members(process):
        if time.monotonic() > until:
            raise ClusterError(f"{name} (process {process['pid']}) does not end")
        time.sleep(0.1)


def _wait_for(folder: Path, name: str, ready: Callable[[], bool]) -> None:
    """Waits until `name` is ready; raises ClusterError as soon as it, or another process of this cluster, has ended."""
    until = time.monotonic() + WITHIN_S
    while not ready():
        _check_alive(folder)
        if time.monotonic() > until:
            raise ClusterError(f"{name} is not ready after {WITHIN_S} s; {_ending(folder, name)}")
        time.sleep(0.2)
    _check_alive(folder)  # what answered may be another program


def _check_alive(folder: Path) -> None:
    for name, process in _noted(folder).items():
        if not _lives(process):
            raise ClusterError(f"{name} ended by itself; {_ending(folder, name)}")


def _ending(folder: Path, name: str) -> str:
    """Where the log of a process is, and what it wrote there last since it began."""
    last = "\n".join(_told(folder, name).rstrip().splitlines()[-LAST_LINES:])
    return f"its log, {folder / name}.log, ends with:\n{last}" if last else f"it wrote nothing to {folder / name}.log"


def _told(folder: Path, name: str) -> str:
    """What a process wrote to its log since it began."""
    with (folder / f"{name}.log").open("rb") as log:
        log.seek(_noted(folder)[name]["log"])
        return log.read().decode(errors="replace")


def _answers(port: int, host: str = HERE) -> bool:
    try:
        urllib.request.urlopen(f"http://{host}:{port}/", timeout=5).close()
    except (urllib.error.URLError, OSError):
        return False
    return True


def _reads(folder: Path, name: str) -> bool:
    return READS in _told(folder, name)


def _check_free(port: int, host: str) -> None:
    """Raises ClusterError where another program listens: its answers would be taken for the cluster's."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as all of them do
        try:
            sock.bind((host, port))
        except OSError as error:
            reason = error.strerror or str(error)
            raise ClusterError(f"cannot listen on {host} port {port}: {reason}; name others with --port") from error
        except OverflowError as error:
            raise ClusterError(f"there is no port {port}; name others with --port") from error


if __name__ == "__main__":
    sys.exit(main())
