"""What is to be deployed holds together: the container files name real commands; a cluster comes up and goes down."""

import ipaddress
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

import rollcall
from deploy.cluster import nginx, other_than_first
from tests.web.postgres import missing

pytestmark = pytest.mark.alone

ROOT = Path(__file__).resolve().parent.parent
WITHIN_S = 100  # below the 120 s for which a start is waited for

SETTINGS = {"POSTGRES_PASSWORD": "Secret7", "SITE": "games.example.org", "MQTT": "mqtt://broker"}
VARIABLE = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


@pytest.fixture
def composed() -> Any:
    """The compose file with the variables that hosting.md has people set."""
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with the training packages")
    return yaml.safe_load(VARIABLE.sub(lambda found: SETTINGS[found[1]], (ROOT / "compose.yaml").read_text()))


def test_the_containers_say_what_rollcall_knows(composed: Any) -> None:
    services = composed["services"]
    assert sum(name.startswith("server") for name in services) == 2
    assert services["reader"]["deploy"]["replicas"] == 2
    entry = json.loads(re.findall(r"^ENTRYPOINT (.*)$", (ROOT / "Dockerfile").read_text(), re.M)[0])
    proxy = services["proxy"]["networks"]["default"]["ipv4_address"]
    known = (ROOT / "deploy" / "nginx.conf").read_text()
    for name, service in services.items():
        if "build" not in service:
            continue
        program, *arguments = [*service.get("entrypoint", entry), *service.get("command", [])]
        assert program == "rollcall"
        args = rollcall.build_parser().parse_args(arguments)
        if name != "reader":
            assert args.behind == [proxy]
            assert f"server {name}:8000 " in known
        assert service["environment"]["ROLLCALL_DATABASE"].startswith("postgresql+psycopg://")
    brokers = {name: each["environment"].get("ROLLCALL_MQTT") for name, each in services.items() if "build" in each}
    assert brokers == {"server1": "mqtt://broker", "server2": None, "reader": None}


def test_one_server_on_this_machine_tells_a_broker() -> None:
    environment = {"ROLLCALL_DATABASE": "a database", "ROLLCALL_MQTT": "mqtt://broker"}
    assert other_than_first(environment) == {"ROLLCALL_DATABASE": "a database"}


def test_the_containers_find_one_another(composed: Any) -> None:
    """Names, addresses, volumes and the password are those of the other side; what is waited for tells when it is."""
    services, database = composed["services"], composed["services"]["database"]
    network = composed["networks"]["default"]["ipam"]["config"][0]
    subnet, others = (ipaddress.ip_network(network[name]) for name in ("subnet", "ip_range"))
    fixed = [each["networks"]["default"]["ipv4_address"] for each in services.values() if "networks" in each]
    assert len(set(fixed)) == 3, "nginx and each server, of which nginx looks the name up only once"
    assert others.subnet_of(subnet)
    for address in map(ipaddress.ip_address, fixed):
        assert address in subnet
        assert address not in others, "another container may have got it"
    for service in services.values():
        assert service["restart"] == "unless-stopped"
        assert ("build" in service) or re.search(r":\d", service["image"]), "no image without its version"
        needed = service.get("depends_on", {})
        for name in needed:
            assert name in services
        if needed and isinstance(needed, dict):
            assert needed == {"database": {"condition": "service_healthy"}}
        for volume in service.get("volumes", []):
            source, _, _ = volume.partition(":")
            assert source in composed["volumes"] or (ROOT / source).is_file()
    # By its socket the image's PostgreSQL answers while it is still made, and is started anew after that.
    assert database["healthcheck"]["test"][:4] == ["CMD", "pg_isready", "--host", "127.0.0.1"]
    told = urlsplit(services["server1"]["environment"]["ROLLCALL_DATABASE"])
    known = database["environment"]
    assert (told.hostname, told.port, told.path) == ("database", 5432, f"/{known['POSTGRES_USER']}")
    assert (told.username, told.password) == (known["POSTGRES_USER"], known["POSTGRES_PASSWORD"])
    guide = (ROOT / "docs" / "hosting.md").read_text()
    assert all(f"{name}=" in guide for name in SETTINGS)
    for ignored in (".gitignore", ".dockerignore"):
        assert ".env" in (ROOT / ignored).read_text().replace("/.env", ".env").splitlines(), "it holds the password"


def test_no_container_leaves_a_volume_without_a_name(composed: Any) -> None:
    """Each place that the image declares a volume is told what it is."""
    declared = re.findall(r"^VOLUME (\S+)$", (ROOT / "Dockerfile").read_text(), re.M)
    assert declared
    for name, service in composed["services"].items():
        if "build" in service:
            places = [volume.split(":")[1] for volume in service.get("volumes", [])] + service.get("tmpfs", [])
            assert set(declared) <= set(places), name


def test_no_log_grows_without_bound(composed: Any) -> None:
    for name, service in composed["services"].items():
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name
    conf = (ROOT / "deploy" / "nginx.conf").read_text()
    assert re.findall(r"^ *(access_log|error_log) (.*);$", conf, re.MULTILINE) == [
        ("access_log", "off"),
        ("error_log", "stderr emerg"),
    ]


def test_a_proxy_without_servers_writes_no_line_for_each_request(tmp_path: Path) -> None:
    port = free_ports(2)
    command = nginx(tmp_path, port, [port + 1])
    if command is None:
        pytest.skip("nginx is not installed")
    with (tmp_path / "stderr").open("wb") as told:
        proxy = subprocess.Popen(command, stdout=told, stderr=told)
    try:
        until = time.monotonic() + WITHIN_S
        answers = 0
        while answers < 200:
            assert time.monotonic() < until
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).close()
            except urllib.error.HTTPError as refused:
                answers += refused.code == 502
            except urllib.error.URLError:
                time.sleep(0.05)  # it does not listen yet
    finally:
        proxy.terminate()
        proxy.wait(WITHIN_S)
    written = sum(path.stat().st_size for path in (tmp_path / "stderr", tmp_path / "nginx.log") if path.exists())
    assert written < 2000, "200 requests would have left 40 kB"


def test_docker_compose_takes_the_file() -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        pytest.skip("docker compose is not installed")
    taken = subprocess.run(
        [docker, "compose", "config", "--quiet"],
        cwd=ROOT,
        env={**os.environ, **SETTINGS},
        capture_output=True,
        text=True,
    )
    assert (taken.returncode, taken.stderr) == (0, "")


def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    """That of the containers, but for the servers' names, which are looked up."""
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    conf = tmp_path / "nginx.conf"
    written, names = re.subn(r"server\d+:8000", "127.0.0.1:8000", (ROOT / "deploy" / "nginx.conf").read_text())
    assert names == 2
    conf.write_text(f"pid {tmp_path}/pid;\n{written}")
    taken = subprocess.run([program, "-t", "-e", "stderr", "-c", str(conf)], capture_output=True, text=True)
    assert taken.returncode == 0, taken.stderr


def free_ports(count: int = 4) -> int:
    """The first of so many ports in a row that nobody has: below those that the system gives to connections."""
    for first in random.sample(range(20000, 30000, count), 100):
        with ExitStack() as opened:
            try:
                for port in range(first, first + count):
                    opened.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return first
    raise AssertionError("no ports are free")


class Cluster(NamedTuple):
    """The folder and the first port of a cluster, and the commands that bring it up and take it down."""

    folder: Path
    port: int
    up: list[str]
    down: list[str]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    # Where PostgreSQL's user may enter: not below the folder of pytest.
    folder, port = Path("/tmp") / f"rollcall-failing-cluster-{os.getpid()}", free_ports()
    up, down = (
        [sys.executable, str(ROOT / "deploy" / "cluster.py"), command, "--folder", str(folder)]
        for command in ("up", "down")
    )
    yield Cluster(folder, port, [*up, "--port", str(port), "--readers", "1"], down)
    subprocess.run(down, check=True)
    subprocess.run(["rm", "-rf", str(folder)], check=True)


needs_postgresql = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@pytest.mark.whole
@needs_postgresql
def test_two_commands_bring_a_cluster_up_and_take_it_down(cluster: Cluster) -> None:
    up = run(*cluster.up, "--host", "0.0.0.0")
    assert up.returncode == 0, up.stderr
    addresses = re.findall(r"^http\S+$", up.stdout, re.M)
    assert addresses
    for address in addresses:
        with urllib.request.urlopen(address) as page:
            assert page.status == 200
    again = run(*cluster.up)
    assert (again.returncode, again.stderr[:15]) == (1, "it runs already")
    pids = [each["pid"] for each in process_notes(cluster.folder).values()]
    down = run(*cluster.down)
    assert (down.returncode, down.stderr) == (0, "")
    for pid in pids:
        state = Path(f"/proc/{pid}/stat")
        assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.whole
@needs_postgresql
def test_a_cluster_comes_up_again_after_a_power_cut(cluster: Cluster) -> None:
    up = [*cluster.up, "--servers", "1", "--readers", "0"]
    first = run(*up)
    assert first.returncode == 0, first.stderr
    pids = [each["pid"] for each in process_notes(cluster.folder).values()]
    pids.append(int((cluster.folder / "postgresql" / "data" / "postmaster.pid").read_text().split("\n", 1)[0]))
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    ended = run(*cluster.down)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert not listens(cluster.port), "nginx's workers outlive their killed master"
    # What is left of the killed PostgreSQL ends by itself; a power cut leaves nothing.
    until = time.monotonic() + 60
    while (again := run(*up)).returncode:
        assert time.monotonic() < until, again.stderr


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True)


def assert_nothing_is_left(folder: Path) -> None:
    assert not (folder / "processes.json").exists()
    assert not (folder / "postgresql" / "data" / "postmaster.pid").exists()


@pytest.mark.whole
@needs_postgresql
def test_a_server_that_ends_at_once_is_told_at_once(cluster: Cluster) -> None:
    folder, _, up, _ = cluster
    folder.mkdir()
    (folder / "server-2").write_text("no folder for games")
    begun = time.monotonic()
    failed = run(*up)
    assert time.monotonic() - begun < WITHIN_S
    assert (failed.returncode, failed.stdout) == (1, "")
    first, *last = failed.stderr.splitlines()
    assert first == f"server-2 ended by itself; its log, {folder / 'server-2.log'}, ends with:"
    assert f"the data folder {folder / 'server-2'} cannot be used" in "\n".join(last)
    assert_nothing_is_left(folder)


@pytest.mark.whole
@needs_postgresql
def test_a_reader_that_ends_before_it_reads_is_told(cluster: Cluster) -> None:
    folder, _, up, _ = cluster
    starting = subprocess.Popen(up, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (reader := process_notes(folder).get("reader-1")):
        assert starting.poll() is None
        time.sleep(0.05)
    os.kill(reader["pid"], signal.SIGKILL)
    told, failure = starting.communicate(timeout=WITHIN_S)
    assert (starting.returncode, told) == (1, "")
    assert failure == f"reader-1 ended by itself; it wrote nothing to {folder / 'reader-1.log'}\n"
    assert_nothing_is_left(folder)


@pytest.mark.whole
@needs_postgresql
def test_the_port_of_another_program_is_not_taken_for_the_clusters(cluster: Cluster) -> None:
    folder, port, up, _ = cluster
    with socket.socket() as other:
        other.bind(("127.0.0.1", port + 3))  # the second server's
        other.listen()
        failed = run(*up)
    assert (failed.returncode, failed.stdout) == (1, "")
    assert re.fullmatch(r"cannot listen on 127\.0\.0\.1 port \d+: .*; name others with --port\n", failed.stderr)
    assert_nothing_is_left(folder)


def listens(port: int) -> bool:
    with socket.socket() as phone:
        return phone.connect_ex(("127.0.0.1", port)) == 0


def process_notes(folder: Path) -> dict[str, Any]:
    try:
        processes: dict[str, Any] = json.loads((folder / "processes.json").read_text())
    except (FileNotFoundError, json.JSONDecodeError):  # it is just written
        return {}
    return processes
