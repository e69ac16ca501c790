"""Debian's MQTT broker on a free port of this machine, and a program of a home that listens to it."""

from __future__ import annotations

import importlib.util
import json
import shutil
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.web.served import free_port
from tests.web.waiting import wait_until

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")


def missing() -> str | None:
    """Why there can be no broker here, or None."""
    if importlib.util.find_spec("paho") is None:
        return "the extra `home` is not installed"
    return None if PROGRAM else "mosquitto is not installed (Debian: apt install mosquitto)"


class Mosquitto:
    """`with Mosquitto(folder) as broker:` runs one without any memory of earlier ones. `settings`: further lines of its
    file."""

    def __init__(self, folder: Path, settings: Sequence[str] = ("allow_anonymous true",)) -> None:
        self.port, self._file = free_port(), folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        lines = ["user root", f"listener {self.port} 127.0.0.1", "persistence false", *settings]
        self._file.write_text("\n".join(lines) + "\n")
        self.address = f"mqtt://127.0.0.1:{self.port}"

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        assert PROGRAM is not None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", str(self._file)], stdout=log, stderr=log)
        wait_until(lambda: b"running" in self._log.read_bytes())

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(60)
        self._log.unlink()

    def hang(self) -> None:
        """Keeps its connections and answers nobody, until `go_on`."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)


class HomeListener:
    """What a program of the home knows: all that the broker keeps, by topic, and all that it only passed on."""

    def __init__(self, port: int, user: str | None = None, password: str | None = None) -> None:
        import paho.mqtt.client as mqtt
        from paho.mqtt.enums import CallbackAPIVersion

        self.kept: dict[str, Any] = {}
        self.passed: list[tuple[str, Any]] = []
        self._changing = threading.Condition()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2)
        if user is not None:
            self.client.username_pw_set(user, password)
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.on_message = lambda client, userdata, message: self._note(message)
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def __enter__(self) -> HomeListener:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def _note(self, message: Any) -> None:
        told = json.loads(message.payload) if message.payload[:1] == b"{" else message.payload.decode()
        passes = message.topic.endswith(("/event", "/confirm"))
        with self._changing:
            if passes:
                self.passed.append((message.topic, told))
            elif message.payload:
                self.kept[message.topic] = told
            else:
                self.kept.pop(message.topic, None)
            self._changing.notify_all()

    def wait_for(self, holds: Any, within_s: float = 60) -> None:
        """Returns as soon as `holds()` does, which is looked at after each message."""
        with self._changing:
            assert self._changing.wait_for(holds, within_s), (self.states(), self.passed)

    def states(self) -> dict[str, Any]:
        """The states of all tables, by their ids."""
        return {topic.split("/")[2]: told for topic, told in self.kept.items() if topic.endswith("/state")}

    def devices(self) -> dict[str, Any]:
        """The discovery messages of all tables, by their ids."""
        return {
            topic.split("/")[2].rpartition("_")[2]: told
            for topic, told in self.kept.items()
            if topic.startswith("homeassistant/")
        }

    def events(self, table: str) -> list[dict[str, Any]]:
        return [told for topic, told in self.passed if topic.endswith(f"/{table}/event")]

    def status(self) -> list[str]:
        return [told for topic, told in self.kept.items() if topic.endswith("/status")]

    def press(self, table: str, payload: str) -> None:
        home = next(topic.split("/")[1] for topic in self.kept if topic.endswith("/status"))
        self.client.publish(f"rollcall/{home}/{table}/confirm", payload, qos=1).wait_for_publish(30)
