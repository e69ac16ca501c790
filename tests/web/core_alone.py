"""Plays at a table with the core alone, as a host without threads and without packages in machine code would.

A program of its own: `python -m tests.web.core_alone FOLDER`.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, ClassVar

from web.tasks.background import ENDS_WITHIN_S, Step

GONE = {"numpy", "cv2", "cryptography", "onnxruntime", "psycopg", "paho", "zeroconf"}


class NotThere(MetaPathFinder):
    """In the place of packages that a phone's browser lacks."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] in GONE:
            raise ModuleNotFoundError(f"{name} is not there", name=name)
        return None


class Turns:
    """A task whose steps are done between two requests, when `all_woken` is called."""

    _all: ClassVar[list["Turns"]] = []

    def __init__(self, name: str, step: Step) -> None:
        self._step, self._is_woken = step, False
        self._all.append(self)

    def wake(self) -> None:
        self._is_woken = True

    def end(self, within_s: float = ENDS_WITHIN_S) -> None:
        self._all[:] = [each for each in self._all if each is not self]

    @classmethod
    def all_woken(cls) -> None:
        for each in list(cls._all):
            if each._is_woken:
                each._is_woken = False
                each._is_woken = each._step() == 0.0


def refuse(started: object, *_: object, **__: object) -> None:
    raise RuntimeError(f"a {type(started).__name__} was started")


def play(folder: Path) -> None:
    from tests.web.phones import Phone, start
    from web.app import create_app
    from web.services import services

    subprocess.Popen.__init__ = refuse  # type: ignore[method-assign,assignment]
    app = create_app(folder, Turns)
    client = app.test_client()
    ada = Phone(client, start(client, "ones-and-fives", "Ada", "Bob"))

    def act(**action: Any) -> dict[str, Any]:
        answer = ada.act(**action)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        Turns.all_woken()
        return ada.standing

    act(do="throw", dice=[1, 1, 1, 5, 2, 3])
    act(do="set-aside", dice=[1, 1, 1, 5])
    assert act(do="bank")["players"][0]["score"] == 1050
    act(do="throw", dice=[2, 2, 3, 3, 4, 6])
    for done in (ada.post("undo"), ada.post("corrections", step=1, action={"do": "throw", "dice": [1, 1, 1, 5, 5, 3]})):
        assert done.status_code == 200, done.get_data(as_text=True)
    assert ada.post("settings", advice="best").status_code == 200
    advice = client.get(f"/api/v1{ada.base}/advice").json
    assert advice["without"] == "computer"
    assert advice["odds"] or advice["choices"]
    act(do="adjust", what="game", over=True)
    won = Phone(client, start(client, "sequence", "Ada", target=25))
    client.get(won.base)
    won.throw(1, 2, 3, 4, 5, 6)
    for page in (
        ada.base,
        f"{ada.base}/luck",
        f"{ada.base}/statistics",
        "/games/farkle/edit",
        "/history",
        "/history/player?name=Ada&game=sequence",
    ):
        answer = client.get(page)
        assert answer.status_code == 200, (page, answer.get_data(as_text=True))
    Turns.all_woken()
    services(app).close()
    again = create_app(folder, Turns)
    assert Phone(again.test_client(), ada.base).standing == ada.standing
    services(again).close()


if __name__ == "__main__":
    sys.meta_path.insert(0, NotThere())
    threading.Thread.start = refuse  # type: ignore[method-assign]
    del time.thread_time
    play(Path(sys.argv[1]))
    print("played", sorted(GONE & {name.partition(".")[0] for name in sys.modules}))
