"""The packaged service under a real systemd: in a container that is killed, as a power cut would do it.

It is installed, set up, copied and taken from the copy by the commands of docs/raspberry-pi.md, word for word.
"""

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.release.clean_system import as_root
from tests.release.test_installed import play
from tests.release.test_release_files import MOST_EXPOSED
from tests.reliability.driving import Phone
from tests.reliability.test_failures import upload, wait_until_read
from tests.test_users_pages import blocks
from tests.web.served import ROOT, Served, new_table
from tests.web.waiting import wait_until

pytestmark = pytest.mark.slow

BOOTS = ("systemd-sysv", "dbus")
BOOTED_WITHIN_S = 300
DICE = [1, 1, 2, 4, 5, 5]  # in the picture that `upload` sends
PAGE = ROOT / "docs" / "raspberry-pi.md"
DOWNLOADS = "/root/downloads"
# The container has this machine's network, so it takes ports that are free here: for Rollcall, and for a shell.
FILES = {
    "etc/default/rollcall": "OPTIONS=--port {port}\n",
    "etc/systemd/system/shell.socket": (
        "[Socket]\nListenStream=127.0.0.1:{shell}\nAccept=yes\n[Install]\nWantedBy=sockets.target\n"
    ),
    "etc/systemd/system/shell@.service": (
        f"[Service]\nExecStart=-/bin/sh\nStandardInput=socket\nStandardError=socket\nWorkingDirectory={DOWNLOADS}\n"
    ),
    "etc/apt/apt.conf.d/yes": 'APT::Get::Assume-Yes "true";\n',  # nobody is there to say so
    "usr/local/bin/sudo": '#!/bin/sh\nexec "$@"\n',
}


class Machine(Served):
    """The system in `root`, booted by systemd-nspawn."""

    def __init__(self, root: Path, architecture: str) -> None:
        """`architecture`: of the package in DOWNLOADS."""
        super().__init__(root.parent)
        self._architecture = architecture
        self._shell = Served(root.parent).port
        for name, text in FILES.items():
            path = root / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.format(port=self.port, shell=self._shell))
            path.chmod(0o755)
        self._command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", f"--directory={root}", "--boot"]

    def start(self) -> None:
        """Boots, and waits until the shell can be reached."""
        self._out = (self.data / "console").open("w+b")
        self.process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=self._out, stderr=subprocess.STDOUT
        )
        wait_until(self.is_up, BOOTED_WITHIN_S)

    def is_up(self) -> bool:
        assert self.process.poll() is None, self.output()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._shell), 5):
            return True
        return False

    def kill(self) -> None:
        """Ends all at once: with a container's first process the others end, which outlive nspawn itself."""
        pid = self.process.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        super().kill()
        wait_until(lambda: not self.answers())

    def answers(self, name: str = "127.0.0.1") -> bool:
        """Whether Rollcall does, to a phone that knows it by this name."""
        try:
            with closing(self.connect(5)) as connection:
                connection.request("GET", "/", headers={"Host": f"{name}:{self.port}"})
                return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False

    def run(self, command: str) -> str:
        """What a command prints that root runs in the machine."""
        with socket.create_connection(("127.0.0.1", self._shell), 600) as shell:
            shell.sendall(f"{command}\n".encode())
            shell.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: shell.recv(65536), b"")).decode()

    def follow(self, block: str) -> None:
        """Types a block of the page. What serves keeps its port, and the package is that of this processor."""
        typed = block.replace("_arm64.deb", f"_{self._architecture}.deb").replace(
            "--https", f"--https --port {self.port}"
        )
        said = self.run(f"set -e\n{typed}echo all done")
        assert said.endswith("all done\n"), said


@pytest.fixture
def with_systemd(root: Path) -> Path:
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    as_root(root, "apt-get", "update")
    as_root(root, "apt-get", "install", "--yes", "--no-install-recommends", *BOOTS)
    return root


@pytest.fixture
def machine(with_systemd: Path, deb: Path) -> Iterator[Machine]:
    """The package lies in it where the browser puts what it fetches."""
    if shutil.which("systemd-nspawn") is None:
        pytest.skip("systemd-nspawn is not installed")
    root = with_systemd
    (root / DOWNLOADS.lstrip("/")).mkdir()
    shutil.copy(deb, root / DOWNLOADS.lstrip("/"))
    made = Machine(root, deb.stem.rpartition("_")[2])
    as_root(root, "systemctl", "enable", "shell.socket")
    with made:
        yield made


def test_the_service_outlives_kills_and_keeps_to_its_sandbox(machine: Machine) -> None:
    install, to_https, with_webcam, copy, go_back = blocks(PAGE)
    machine.follow(install)
    wait_until(machine.answers)
    assert machine.answers("rollcall.local")
    assert not machine.answers("elsewhere.local")
    with Phone(machine.port, new_table(machine)) as phone:
        phone.look()
        wait_until(lambda: phone.look()["reader"])
        upload(phone)
        pending = wait_until_read(phone)
        assert sorted(die["value"] for die in pending["dice"]) == DICE
        evidence = {"reading": pending["id"]}
        assert phone.send("actions", action={"do": "throw", "dice": DICE}, evidence=evidence).status == 200
        stood = phone.look()["standing"]

        before = machine.run("systemctl show --value --property=MainPID rollcall").strip()
        began = time.monotonic()
        machine.run("systemctl kill --signal=KILL rollcall")
        wait_until(lambda: machine.run("systemctl show --value --property=NRestarts rollcall").strip() == "1")
        wait_until(machine.answers)
        print(f"\nanswers {time.monotonic() - began:.1f} s after it was killed")
        assert machine.run("systemctl show --value --property=MainPID rollcall").strip() not in ("0", before)
        assert phone.look()["standing"] == stood

        exposed = re.search(
            r"exposure level for rollcall.service: ([\d.]+)", machine.run("systemd-analyze security rollcall")
        )
        print(f"exposed {exposed[1]} of 10")
        assert float(exposed[1]) < MOST_EXPOSED
        assert machine.run("stat --format=%a /var/lib/private/rollcall").strip() == "700"
        assert machine.run("stat --format=%u /proc/$(systemctl show --value -p MainPID rollcall)").strip() != "0"
        assert machine.run("journalctl --unit rollcall | grep -c -i -E 'denied|not permitted|traceback'").strip() == "0"

        # The icon of a user's menu: the user has no browser there, and is told the address.
        machine.run("useradd --create-home player")
        told = machine.run(f"su player -c 'cd && rollcall serve --open --port {machine.port} </dev/null 2>&1'")
        assert told.startswith(f"Rollcall runs already: http://localhost:{machine.port}/"), told

        machine.kill()
        began = time.monotonic()
        machine.start()
        wait_until(machine.answers)
        print(f"answers {time.monotonic() - began:.1f} s after the machine was switched on again")
        assert phone.look()["standing"] == stood

        machine.follow(copy)
        play(phone)
        assert phone.look()["standing"] != stood
        machine.run("systemctl kill --signal=KILL rollcall")
        machine.follow(go_back)
        wait_until(machine.answers)
        assert phone.look()["standing"] == stood

    machine.follow(to_https)
    machine.https = True
    wait_until(machine.answers)
    machine.follow(with_webcam)  # there is none here
    wait_until(lambda: "no camera or video answers at 0" in machine.run("journalctl --unit rollcall"))
    allowed = machine.run("systemctl show --property=DeviceAllow,PrivateDevices,SupplementaryGroups rollcall")
    let_in = {"DeviceAllow=char-video4linux rwm", "PrivateDevices=no", "SupplementaryGroups=video"}
    assert let_in <= set(allowed.splitlines())
    machine.follow(to_https)
    wait_until(machine.answers)
    with Phone(machine.port, phone.base, https=True) as phone:
        assert phone.look()["standing"] == stood
    machine.run("dpkg --purge rollcall")
    assert machine.run("test -e /var/lib/private/rollcall/rollcall.db && echo kept").strip() == "kept"
    assert not machine.answers()


STAGE = ROOT / "deploy" / "raspberry-pi" / "stage-rollcall"
# The function of pi-gen that its scripts call.
AS_PI_GEN = 'on_chroot() { chroot "$ROOTFS_DIR" bash -e; }; export -f on_chroot; exec ./01-run.sh'
# In a network of its own, where port 80 is free.
AS_THE_CARD = """
ip link set lo up
sysctl --quiet --load="$0/etc/sysctl.d/90-rollcall.conf"
. "$0/etc/default/rollcall"
exec chroot --userspec=1000:1000 "$0" env HOME=/tmp rollcall serve --data /tmp/games $OPTIONS
"""


def test_the_stage_of_a_card_serves_at_the_port_of_browsers(with_systemd: Path, deb: Path, tmp_path: Path) -> None:
    step = shutil.copytree(STAGE, tmp_path / "stage") / "00-rollcall"
    shutil.copy(deb, step / "files" / "rollcall_1_arm64.deb")  # pi-gen's own is of that processor
    surroundings = {**os.environ, "ROOTFS_DIR": str(with_systemd)}
    done = subprocess.run(["bash", "-c", AS_PI_GEN], cwd=step, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (with_systemd / "etc/systemd/system/multi-user.target.wants/rollcall.service").is_symlink()
    assert not (with_systemd / "opt/rollcall.deb").exists(), "the card would hold it twice"

    with subprocess.Popen(["unshare", "--net", "sh", "-ec", AS_THE_CARD, with_systemd]) as card:
        try:
            there = ["nsenter", f"--net=/proc/{card.pid}/ns/net", sys.executable, "-c"]
            ask = "import urllib.request as r; print(r.urlopen('http://localhost/health', timeout=60).status)"
            wait_until(lambda: subprocess.run([*there, ask], capture_output=True, text=True).stdout == "200\n")
        finally:
            card.kill()
