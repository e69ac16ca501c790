"""The Debian package in a clean system without Python: installed, started from the menu, killed, updated, removed."""

import configparser
import shutil
import subprocess
import time
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.release.clean_system import HOME, PLAYER, as_root, inside
from tests.reliability.driving import Phone, new_table
from tests.reliability.test_failures import READ_WITHIN_S, upload, wait_until_read
from tests.web.phones import any_legal
from tests.web.served import START_WITHIN_S, Served
from tests.web.waiting import WITHIN_S, wait_until
from web.limits.addresses import lan_addresses

pytestmark = pytest.mark.slow

DICE = [1, 1, 2, 4, 5, 5]  # in the picture that `upload` sends
SYSTEMS = ("bookworm", "trixie", "bookworm-arm64")
EMULATION_TAKES = 20  # times as long


class FromTheMenu(Served):
    """Rollcall as the entry of the desktop's menu starts it, for a user of the system."""

    def __init__(self, root: Path) -> None:
        super().__init__(root / HOME / ".local/share/rollcall")
        entry = configparser.ConfigParser(interpolation=None)
        entry.read(root / "usr/share/applications/rollcall.desktop", encoding="utf-8")
        command = entry["Desktop Entry"]["Exec"].split()
        surroundings = [f"HOME=/{HOME}", "PATH=/usr/bin:/bin", "BROWSER=/usr/local/bin/x-www-browser %s"]
        own_port = ["--port", str(self.port)]  # others may have 8000 on the machine of this test
        self._command = inside(root, "env", "-i", *surroundings, *command, *own_port, user=PLAYER)


@pytest.fixture
def newer(deb: Path, tmp_path: Path) -> Path:
    """The same package with a later version."""
    tree = tmp_path / "newer"
    subprocess.run(["dpkg-deb", "--raw-extract", deb, tree], check=True)
    control = tree / "DEBIAN" / "control"
    control.write_text(control.read_text().replace("\nVersion: ", "\nVersion: 1:"))
    made = tmp_path / "newer.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, made], check=True, capture_output=True)
    shutil.rmtree(tree)
    return made


@pytest.fixture
def times(system: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many times as long things may take there."""
    taken = EMULATION_TAKES if "-" in system else 1
    monkeypatch.setattr("tests.web.served.START_WITHIN_S", START_WITHIN_S * taken)
    monkeypatch.setattr("tests.reliability.test_failures.READ_WITHIN_S", READ_WITHIN_S * taken)
    return taken


@pytest.mark.parametrize("system", SYSTEMS, indirect=True)
def test_a_game_outlives_a_kill_an_update_and_the_removal(root: Path, deb: Path, newer: Path, times: int) -> None:
    shutil.copy(deb, root / "tmp/rollcall.deb")
    shutil.copy(newer, root / "tmp/newer.deb")
    began = time.monotonic()
    as_root(root, "dpkg", "--install", "/tmp/rollcall.deb")
    print(f"\ninstalled in {time.monotonic() - began:.1f} s")
    assert not list((root / "usr/bin").glob("python*"))
    assert "rollcall score" in as_root(root, "rollcall", "score", "--help")
    assert not (root / "etc/systemd/system/multi-user.target.wants/rollcall.service").exists()

    opened = root / HOME / "opened"
    began = time.monotonic()
    with FromTheMenu(root) as served:
        print(f"answers after {time.monotonic() - began:.2f} s")
        wait_until(opened.exists, WITHIN_S * times)
        host, path = f"http://localhost:{served.port}", opened.read_text().strip()
        assert path.startswith(f"{host}/welcome/open?token=")
        with closing(served.connect(60 * times)) as browser:
            browser.request("GET", path.removeprefix(host))
            entered = browser.getresponse()
            entered.read()
            cookie = {"Cookie": entered.headers["Set-Cookie"].partition(";")[0]}
            browser.request("GET", "/welcome", headers=cookie)
            assert b'src="/welcome/qr.svg"' in browser.getresponse().read() or not lan_addresses()
            browser.request("GET", "/welcome/qr.svg", headers=cookie)
            assert browser.getresponse().read().startswith(b"<svg")
        print(f"has shown the QR code {time.monotonic() - began:.2f} s after the start")
        with Phone(served.port, new_table(served), timeout=20 * times) as phone:
            phone.look()
            wait_until(lambda: phone.look()["reader"], WITHIN_S * times)
            upload(phone)
            pending = wait_until_read(phone)
            print(f"read a photo {time.monotonic() - began:.2f} s after the start")
            assert sorted(die["value"] for die in pending["dice"]) == DICE
            assert (
                phone.send("actions", action={"do": "throw", "dice": DICE}, evidence={"reading": pending["id"]}).status
                == 200
            )
            for _ in range(20):
                play(phone)
            stood = phone.look()["standing"]
            served.kill()

            as_root(root, "dpkg", "--install", "/tmp/newer.deb")
            assert "Version: 1:" in as_root(root, "dpkg", "--status", "rollcall")
            served.start()
            assert phone.look()["standing"] == stood

    as_root(root, "dpkg", "--purge", "rollcall")
    assert not (root / "usr/bin/rollcall").is_symlink()
    assert not (root / "usr/lib/rollcall").exists()
    assert (served.data / "rollcall.db").is_file(), "the games stay"
    as_root(root, "dpkg", "--install", "/tmp/rollcall.deb")
    with FromTheMenu(root) as served, Phone(served.port, phone.base, timeout=20 * times) as phone:
        assert phone.look()["standing"] == stood


CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
# What Debian with a desktop has: Python, the libraries that OpenCV wants, and certificates.
ON_A_DESKTOP = ("python3", "libgl1", "libglib2.0-0", "ca-certificates")
SURROUNDINGS = (
    f"HOME=/{HOME}",
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "BROWSER=/usr/local/bin/x-www-browser %s",
    f"SSL_CERT_FILE={CERTIFICATES}",
)


class ByTheScript(Served):
    """Rollcall as its start script runs it, for a user of the system, with `uv` on the path."""

    def __init__(self, root: Path, script: str) -> None:
        super().__init__(root / HOME / ".local/share/rollcall")
        self._command = inside(root, "env", "-i", *SURROUNDINGS, script, "--port", str(self.port), user=PLAYER)


def test_the_start_script_installs_and_starts_on_a_clean_desktop(root: Path, dist: Path) -> None:
    """The files of the archive for any system. `uv` is there; fetching it needs a host that tests do not ask."""
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    shutil.copy(uv, root / "usr/local/bin")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    as_root(root, "apt-get", "update")
    as_root(root, "apt-get", "install", "--yes", "--no-install-recommends", *ON_A_DESKTOP)
    if CERTIFICATES.is_file():  # a house may have a certificate of its own
        shutil.copy(CERTIFICATES, root / str(CERTIFICATES).lstrip("/"))
    (archive,) = dist.glob("*-any-system.zip")
    with ZipFile(archive) as packed:
        packed.extractall(root / HOME)
        (folder,) = {name.partition("/")[0] for name in packed.namelist()}
    script = f"/{HOME}/{folder}/start-rollcall.sh"
    (root / script.lstrip("/")).chmod(0o755)  # as `unzip` makes it
    as_root(root, "chown", "--recursive", PLAYER, f"/{HOME}")
    began = time.monotonic()
    said = subprocess.run(
        inside(root, "env", "-i", *SURROUNDINGS, script, "--help", user=PLAYER), capture_output=True, text=True
    )
    if "error sending request" in said.stderr or "Failed to fetch" in said.stderr:
        pytest.skip("the package index cannot be reached")
    assert said.returncode == 0, said.stderr
    print(f"\nthe script installed it in {time.monotonic() - began:.1f} s")
    with ByTheScript(root, script) as served, Phone(served.port, new_table(served)) as phone:
        wait_until((root / HOME / "opened").exists)
        wait_until(lambda: phone.look()["reader"])
        upload(phone)
        pending = wait_until_read(phone)
        assert sorted(die["value"] for die in pending["dice"]) == DICE


def play(phone: Phone) -> None:
    """One step of the game that is legal now."""
    if not phone.standing["over"]:
        answer = phone.act(**any_legal(phone.standing, phone.dice))
        assert answer.status == 200, answer
