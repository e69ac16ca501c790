"""The add-on of Home Assistant: its description, its texts, and how it starts Rollcall."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.test_container import HADOLINT
from web.texts.languages import LANGUAGES

ROOT = Path(__file__).resolve().parents[1]
ADD_ON = ROOT / "deploy" / "home-assistant"


# The keys that we use of those that Home Assistant documents for an add-on: the type of each, and what it is if it is
# missing, which the add-on linter (frenck/action-addon-linter) refuses to read again. None: it must be there, or has no
# such value. The linter itself cannot be had from a package index.
KNOWN: dict[str, tuple[type, object]] = {
    **dict.fromkeys(("name", "version", "slug", "description"), (str, None)),
    **dict.fromkeys(("init", "panel_admin", "apparmor"), (bool, True)),
    **dict.fromkeys(("host_network", "ingress", "ingress_stream"), (bool, False)),
    **dict.fromkeys(("ports", "ports_description"), (dict, None)),
    **dict.fromkeys(("options", "schema"), (dict, {})),
    **dict.fromkeys(("arch", "services"), (list, None)),
    "ingress_port": (int, 8099),
    "panel_icon": (str, "mdi:puzzle"),
    "backup": (str, "hot"),
}
SERVICE = re.compile(r"(mqtt|mysql):(provide|want|need)")
SLUG = re.compile(r"[-_.A-Za-z0-9]+")


def test_the_description_is_whole() -> None:
    """What the Supervisor requires, and none of what the linter calls obsolete, needless or contrary."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    config = yaml.safe_load((ADD_ON / "config.yaml").read_text())
    assert {"arch", "description", "name", "slug", "version"} <= config.keys()
    for key, value in config.items():
        assert key in KNOWN, f"{key} is not documented, or has to be written here first"
        kind, usual = KNOWN[key]
        assert type(value) is kind, key
        assert value != usual, f"{key} is so by itself"
    assert config["ingress"]
    assert config["host_network"]
    assert "webui" not in config
    assert list(config["ports"]) == [f"{config['ingress_port']}/tcp"] == list(config["ports_description"])
    assert all(map(SERVICE.fullmatch, config["services"]))
    assert SLUG.fullmatch(config["slug"])
    assert config["backup"] == "cold"
    assert set(config["arch"]) == {"aarch64", "amd64"}
    assert config["options"].keys() == config["schema"].keys()
    assert {path.stem for path in (ADD_ON / "translations").glob("*.yaml")} <= LANGUAGES.keys()
    for path in (ADD_ON / "translations").glob("*.yaml"):
        told = yaml.safe_load(path.read_text(encoding="utf-8"))["configuration"]
        assert told.keys() == config["schema"].keys()
        assert all(each.keys() == {"name", "description"} for each in told.values())


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_the_container_file_is_well_formed() -> None:
    done = subprocess.run([str(HADOLINT), str(ADD_ON / "Dockerfile")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_archive_is_a_folder_for_home_assistant(tmp_path: Path) -> None:
    build = pytest.importorskip("deploy.release.build", reason="a release is built with Python 3.11 or newer")
    wheel, out = tmp_path / "rollcall_dice-9.9-py3-none-any.whl", tmp_path / "add-on.zip"
    wheel.write_bytes(b"a wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1800000000")
        build.make_add_on(ROOT, wheel, "9.9", out)
    with zipfile.ZipFile(out) as archive:
        names = {name.removeprefix("rollcall/") for name in archive.namelist()}
        assert {"config.yaml", "Dockerfile", "start.py", "constraints.txt", wheel.name, "translations/cs.yaml"} <= names
        assert b'version: "9.9"' in archive.read("rollcall/config.yaml")


@pytest.fixture
def supervisor() -> Iterator[str]:
    """Answers as Home Assistant's Supervisor does, for those who bring its token."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = (self.path, self.headers["Authorization"]) == ("/services/mqtt", "Bearer the-token")
            self.send_response(200 if known else 403)
            self.end_headers()
            broker = {"host": "core-mosquitto", "port": 1883, "username": "addons", "password": "Secret7"}
            self.wfile.write(json.dumps({"result": "ok", "data": broker}).encode())

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def data() -> Iterator[Path]:
    """Where nobody may enter, too: not below the folder of pytest."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    program = folder / "rollcall"
    program.write_text('#!/bin/sh\nid -u\necho "$@"\n')
    program.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def start(data: Path, supervisor: str, token: str, tell_home: bool) -> list[str]:
    (data / "options.json").write_text(json.dumps({"tell_home": tell_home}))
    script = "import pathlib, start; start.DATA = pathlib.Path({!r}); start.SUPERVISOR = {!r}; start.main()"
    surroundings = {"PATH": f"{data}:/usr/bin:/bin", "PYTHONPATH": str(ADD_ON), "SUPERVISOR_TOKEN": token}
    command = [sys.executable, "-c", script.format(str(data), supervisor)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
    return done.stdout.splitlines()


@pytest.mark.skipif(os.name == "nt", reason="a container of Linux")
def test_it_starts_as_nobody_with_the_broker_of_the_house(data: Path, supervisor: str) -> None:
    user, arguments = start(data, supervisor, "the-token", tell_home=True)
    assert user == ("65534" if os.geteuid() == 0 else str(os.geteuid()))
    wanted = f"--mqtt mqtt://addons@core-mosquitto:1883 --mqtt-password {data}/mqtt-password"
    assert arguments == f"serve --data {data}/games --ingress 172.30.32.2 {wanted}"
    password = data / "mqtt-password"
    assert (password.read_text(), password.stat().st_mode & 0o777) == ("Secret7", 0o600)
    assert password.stat().st_uid == int(user)


@pytest.mark.skipif(os.name == "nt", reason="a container of Linux")
@pytest.mark.parametrize(("token", "tell_home"), [("the-token", False), ("another", True)])
def test_without_a_broker_it_plays_all_the_same(data: Path, supervisor: str, token: str, tell_home: bool) -> None:
    assert start(data, supervisor, token, tell_home)[1] == f"serve --data {data}/games --ingress 172.30.32.2"
    assert not (data / "mqtt-password").exists()
