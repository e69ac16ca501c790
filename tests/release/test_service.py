"""The packaged service under a real systemd: in a container that is killed, as a power cut would do it."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.release.clean_system import as_root
from tests.release.test_release_files import MOST_EXPOSED
from tests.reliability.driving import Phone
from tests.reliability.test_failures import upload, wait_until_read
from tests.web.served import Served, new_table
from tests.web.waiting import wait_until

pytestmark = pytest.mark.slow

BOOTS = ("systemd-sysv", "dbus")
BOOTED_WITHIN_S = 300
DICE = [1, 1, 2, 4, 5, 5]  # in the picture that `upload` sends
# The container has this machine's network, so it takes ports that are free here: for Rollcall, and for a shell.
FILES = {
    "rollcall.service.d/port.conf": (
        "[Service]\nExecStart=\nExecStart=/usr/bin/rollcall serve --data /var/lib/rollcall --port {port}\n"
    ),
    "shell.socket": "[Socket]\nListenStream=127.0.0.1:{shell}\nAccept=yes\n[Install]\nWantedBy=sockets.target\n",
    "shell@.service": "[Service]\nExecStart=-/bin/sh\nStandardInput=socket\nStandardError=socket\n",
}


class Machine(Served):
    """The system in `root`, booted by systemd-nspawn."""

    def __init__(self, root: Path) -> None:
        super().__init__(root.parent)
        self._shell = Served(root.parent).port
        for name, text in FILES.items():
            path = root / "etc/systemd/system" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.format(port=self.port, shell=self._shell))
        self._command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", f"--directory={root}", "--boot"]

    def start(self) -> None:
        """Boots, and waits until the service answers."""
        self._out = (self.data / "console").open("w+b")
        self.process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=self._out, stderr=subprocess.STDOUT
        )
        wait_until(self.answers, BOOTED_WITHIN_S)

    def kill(self) -> None:
        """Ends all at once: with a container's first process the others end, which outlive nspawn itself."""
        pid = self.process.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        super().kill()
        wait_until(lambda: not self.reachable())

    def answers(self) -> bool:
        assert self.process.poll() is None, self.output()
        return self.reachable()

    def reachable(self) -> bool:
        try:
            with closing(self.connect(5)) as connection:
                connection.request("GET", "/health")
                return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False

    def run(self, command: str) -> str:
        """What a command prints that root runs in the machine."""
        with socket.create_connection(("127.0.0.1", self._shell), 300) as shell:
            shell.sendall(f"{command}\n".encode())
            shell.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: shell.recv(65536), b"")).decode()


@pytest.fixture
def machine(root: Path, deb: Path) -> Iterator[Machine]:
    """Rollcall is installed in it, and its service enabled."""
    if shutil.which("systemd-nspawn") is None:
        pytest.skip("systemd-nspawn is not installed")
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    as_root(root, "apt-get", "update")
    as_root(root, "apt-get", "install", "--yes", "--no-install-recommends", *BOOTS)
    shutil.copy(deb, root / "tmp/rollcall.deb")
    as_root(root, "dpkg", "--install", "/tmp/rollcall.deb")
    made = Machine(root)
    as_root(root, "systemctl", "enable", "rollcall.service", "shell.socket")
    with made:
        yield made


def test_the_service_outlives_kills_and_keeps_to_its_sandbox(machine: Machine) -> None:
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
        assert exposed is not None
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
        print(f"answers {time.monotonic() - began:.1f} s after the machine was switched on again")
        assert phone.look()["standing"] == stood
    machine.run("dpkg --purge rollcall")
    assert machine.run("test -e /var/lib/private/rollcall/rollcall.db && echo kept").strip() == "kept"
    assert not machine.reachable()
