"""Starts Rollcall in Home Assistant's add-on: as nobody, and with Home Assistant's own MQTT broker if there is one."""

import json
import os
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

DATA = Path("/data")  # Home Assistant keeps it, and copies it with its backups
NOBODY = 65534
SUPERVISOR = "http://supervisor"
INGRESS = "172.30.32.2"  # where the Supervisor shows the pages from, always
WITHIN_S = 10


def main() -> None:
    games, password = DATA / "games", DATA / "mqtt-password"
    games.mkdir(mode=0o700, exist_ok=True)
    password.unlink(missing_ok=True)
    command = ["rollcall", "serve", "--data", str(games), "--ingress", INGRESS]
    broker = broker_of_home() if json.loads((DATA / "options.json").read_text())["tell_home"] else None
    if broker is not None:
        user = f"{broker['username']}@" if broker.get("username") else ""
        command += ["--mqtt", f"mqtt://{user}{broker['host']}:{broker['port']}"]
        if broker.get("password"):
            password.touch(mode=0o600)
            password.write_text(broker["password"])
            command += ["--mqtt-password", str(password)]
    if os.geteuid() == 0:
        for path in (games, *games.rglob("*"), *([password] if password.exists() else [])):
            shutil.chown(path, NOBODY, NOBODY)
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    os.execvp(command[0], command)


def broker_of_home() -> dict[str, Any] | None:
    """Host, port, username and password of the broker that Home Assistant knows; None if it knows none."""
    headers = {"Authorization": f"Bearer {os.environ.get('SUPERVISOR_TOKEN', '')}"}
    try:
        with urllib.request.urlopen(
            urllib.request.Request(f"{SUPERVISOR}/services/mqtt", headers=headers), timeout=WITHIN_S
        ) as answer:
            found: dict[str, Any] = json.load(answer)["data"]
            return found
    except (OSError, ValueError, KeyError) as error:
        print(f"Home Assistant names no MQTT broker: {error}", file=sys.stderr)
        return None


if __name__ == "__main__":
    main()
