"""The steps of both container files in a clean Debian, without a container engine; then as nobody in a read-only root.

Debian's own Python stands where the image `python` has its: `/usr/local`. What an engine itself does is not tried.
"""

import json
import re
import shutil
import subprocess
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.release.clean_system import as_root, inside
from tests.reliability.driving import Phone, new_table
from tests.reliability.test_failures import upload, wait_until_read
from tests.test_wheel import build_wheel
from tests.web.served import ROOT, Served
from tests.web.waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("root", ["bookworm"], indirect=True),  # that of the images
]

DICE = [1, 1, 2, 4, 5, 5]  # in the picture that `upload` sends
PICTURE = ROOT / "tests" / "pictures" / "throw-112455.jpg"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
NOBODY = "65534"
# The root is read-only but for /data and /tmp, as compose.yaml has it.
READ_ONLY = """mount --bind "$0" "$0" && mount --bind "$0/data" "$0/data" && mount -t tmpfs tmpfs "$0/tmp" &&
mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && mount -o remount,bind,ro "$0" && exec chroot "$0" "$@"
"""
WITHOUT_RIGHTS = ("--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all")


@dataclass
class Image:
    """What a container file made: a root, and how a program runs there."""

    root: Path
    folder: str = "/"
    user: str = "0"
    environment: dict[str, str] = field(default_factory=dict)
    entrypoint: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def command(self, *command: str, alone: bool = False) -> list[str]:
        """A command in the read-only root, by the image's user. `alone`: in a network of its own."""
        surroundings = ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent"]
        rights = (
            [] if self.user == "0" else ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", *WITHOUT_RIGHTS]
        )
        network = ["--net"] if alone else []
        script = ("ip link set lo up && " if alone else "") + READ_ONLY
        entered = ["unshare", "--mount", *network, "--propagation", "private", "sh", "-c", script, str(self.root)]
        return [*entered, *rights, *surroundings, *command]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*command), capture_output=True, text=True, stdin=subprocess.DEVNULL)


def build(root: Path, file: Path, context: Path) -> Image:
    """Does what a container file says, but for its first line."""
    as_root(root, "apt-get", "update")
    as_root(root, "apt-get", "install", "--yes", "--no-install-recommends", "python3", "python3-venv")
    as_root(root, "python3", "-m", "venv", "/usr/local")
    if CERTIFICATES.is_file():  # a house may have a certificate of its own
        (root / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
        shutil.copy(CERTIFICATES, root / str(CERTIFICATES).lstrip("/"))
    image = Image(root)
    for word, told in instructions(file):
        do(image, word, told, context)
    return image


def instructions(file: Path) -> list[tuple[str, str]]:
    text = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", file.read_text(), flags=re.MULTILINE))
    found = [line.partition(" ")[::2] for line in text.splitlines() if line.strip()]
    assert found[0] == ("FROM", "python:3.12-slim-bookworm")
    return found[1:]


def do(image: Image, word: str, told: str, context: Path) -> None:
    if word == "RUN":
        settings = [f"{name}={value}" for name, value in image.environment.items()]
        pip = [f"PIP_CERT={CERTIFICATES}"] if CERTIFICATES.is_file() else []
        path = "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        as_root(image.root, "env", path, *settings, *pip, "sh", "-c", f"cd {image.folder} && {told}")
    elif word == "WORKDIR":
        image.folder = told
        (image.root / told.lstrip("/")).mkdir(parents=True, exist_ok=True)
    elif word == "COPY":
        *sources, target = told.split()
        into = image.root / (Path(image.folder) / target).as_posix().lstrip("/")
        into.mkdir(parents=True, exist_ok=True)
        for path in [each for source in sources for each in ([context] if source == "." else context.glob(source))]:
            if path.is_dir():
                shutil.copytree(path, into, dirs_exist_ok=True)
            else:
                shutil.copy(path, into)
    elif word == "ARG":
        name, _, value = told.partition("=")
        image.environment[name] = value.strip('"')
    elif word == "USER":
        image.user = told
    elif word == "HEALTHCHECK":
        image.health = json.loads(told.partition("CMD ")[2])
    elif word == "ENTRYPOINT":
        image.entrypoint = json.loads(told)
    else:
        assert word in ("VOLUME", "EXPOSE"), word


class Contained(Served):
    """The image's program with a port that is free here."""

    def __init__(self, image: Image) -> None:
        super().__init__(image.root / "data")
        self._command = image.command(*image.entrypoint, "--host", "127.0.0.1", "--port", str(self.port))


def rights_of(pid: int) -> dict[str, str]:
    """Users, capabilities and whether a process may gain further ones, as Linux tells them."""
    status = Path(f"/proc/{pid}/status").read_text()
    return {name: value for name, _, value in (line.partition(":\t") for line in status.splitlines())}


def test_the_container_runs_without_rights_in_a_read_only_root(root: Path, tmp_path: Path) -> None:
    context = tmp_path / "context"
    left_out = {line for line in (ROOT / ".dockerignore").read_text().splitlines() if line.isidentifier()}
    assert {"docs", "tests", "out"} <= left_out
    for name in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines():
        if name.partition("/")[0] not in left_out:
            (context / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, context / name)
    image = build(root, ROOT / "Dockerfile", context)
    assert image.user not in ("0", "")
    shutil.copy(PICTURE, root / "data/throw.jpg")
    read = image.run("rollcall", "read", "/data/throw.jpg", "--json")
    assert (read.returncode, json.loads(read.stdout)["values"]) == (0, DICE), read.stderr
    assert image.run("touch", "/app/file").returncode != 0, "the root is read-only"
    assert image.run("python", "-c", "import paho.mqtt.client, zeroconf").returncode == 0

    with Contained(image) as served:
        health = [part.replace(":8000/", f":{served.port}/") for part in image.health]
        assert health != image.health
        assert image.run(*health).returncode == 0
        rights = rights_of(served.process.pid)
        assert set(rights["Uid"].split()) == {image.user}
        assert (int(rights["CapEff"], 16), int(rights["CapBnd"], 16), rights["NoNewPrivs"]) == (0, 0, "1")
        with Phone(served.port, new_table(served)) as phone:
            phone.look()
            wait_until(lambda: phone.look()["reader"])
            upload(phone)
            assert sorted(die["value"] for die in wait_until_read(phone)["dice"]) == DICE
            assert phone.act(do="throw", dice=DICE).status == 200
            stood = phone.look()["standing"]
            served.kill()
            assert image.run(*health).returncode != 0
            served.start()
            assert phone.look()["standing"] == stood


def test_the_add_on_starts_as_nobody(root: Path, tmp_path: Path) -> None:
    release = pytest.importorskip("deploy.release.build", reason="a release is built with Python 3.11 or newer")
    wheel = build_wheel(tmp_path / "wheel")
    packed = tmp_path / "add-on.zip"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1800000000")
        release.make_add_on(ROOT, wheel, "9.9", packed)
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path)
    image = build(root, tmp_path / "rollcall" / "Dockerfile", tmp_path / "rollcall")
    (root / "data").mkdir()
    (root / "data/options.json").write_text('{"tell_home": false}')
    shutil.copy(PICTURE, root / "data/throw.jpg")
    read = image.run("rollcall", "read", "/data/throw.jpg", "--json")
    assert (read.returncode, json.loads(read.stdout)["values"]) == (0, DICE), read.stderr

    console = tmp_path / "console"
    command = image.command(*image.entrypoint, alone=True)
    with console.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT) as running:
        try:
            network = ["nsenter", f"--net=/proc/{running.pid}/ns/net"]
            health = [*network, *inside(root, "/usr/local/bin/python", *image.health[1:])]

            def is_well() -> bool:
                assert running.poll() is None, console.read_text()
                return subprocess.run(health, capture_output=True).returncode == 0

            wait_until(is_well)
            rights = rights_of(running.pid)
            assert set(rights["Uid"].split()) == {NOBODY}
            assert int(rights["CapEff"], 16) == 0
            assert (root / "data/games/rollcall.db").stat().st_uid == int(NOBODY)
        finally:
            running.kill()
