"""The way between a phone and the server, which can be lost without a word, as when somebody walks out of the Wi-Fi."""

import contextlib
import socket
import threading
from types import TracebackType

CHUNK = 1 << 16


class Range:
    """`with Range(port) as way:` passes on what comes to `way.base`; between `lose()` and `regain()` nothing arrives.

    Connections stay open meanwhile and are merely silent; what was sent arrives after `regain`, as TCP sends it again.
    """

    def __init__(self, port: int, source: str = "") -> None:
        """`source`: this machine's address from which the server hears it, if not the usual one."""
        self._port = port
        self._source = (source, 0)
        self._clear = threading.Event()
        self._clear.set()
        self._sockets: list[socket.socket] = []
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._ear.getsockname()[1]}"

    def __enter__(self) -> "Range":
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._clear.set()
        _end(self._ear)
        for one in self._sockets:
            _end(one)

    def lose(self) -> None:
        self._clear.clear()

    def regain(self) -> None:
        self._clear.set()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._ear.accept()
            except OSError:
                return
            threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        self._sockets.append(near)
        self._clear.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self._port), source_address=self._source)
        except OSError:  # the server is not there: neither is the connection
            _end(near)
            return
        self._sockets.append(far)
        for one, other in ((near, far), (far, near)):
            threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(CHUNK):
                self._clear.wait()
                other.sendall(data)
        except OSError:
            pass  # either side is gone
        self._clear.wait()
        _end(other)


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it has ended already
        one.shutdown(socket.SHUT_RDWR)
    one.close()
