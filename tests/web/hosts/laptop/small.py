"""A small server: uvicorn with our connections in a thread of the test, so that the times can be short."""

from __future__ import annotations

import socket
import tempfile
import threading
from pathlib import Path
from typing import Any

import uvicorn

from tests.web.served import UNCHECKED
from web.hosts.laptop import protocol
from web.hosts.laptop.application import Application, Probes
from web.hosts.laptop.asgi import answer
from web.hosts.laptop.certificates import own_certificate
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.server import Server
from web.pages.keys import Keys

ASKED = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Small:
    """`with Small() as small:` answers each request with `answer`, once its body has come."""

    answer = b"ok"

    def __init__(self, https: bool = False, answer: bytes | None = None) -> None:
        self.https = https
        if answer is not None:
            self.answer = answer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await answer(send, 200, [(b"content-length", b"%d" % len(self.answer))], self.answer)

    def __enter__(self) -> Small:
        with tempfile.TemporaryDirectory() as folder:
            about: dict[str, Any] = {}
            if self.https:
                cert, key = own_certificate(Path(folder), ["127.0.0.1"])
                about = {"ssl_certfile": str(cert), "ssl_keyfile": str(key)}
            config = uvicorn.Config(
                self,
                http=protocol.Protocol,
                log_level="critical",
                lifespan="off",
                ws="none",
                timeout_keep_alive=30,
                **about,
            )
            config.load()
        self.listening = socket.create_server(("127.0.0.1", 0))
        probes = Probes(lambda: None, lambda: None, lambda: None)
        application = Application(self, Hub(), Keys(), probes, None, secure=False)  # type: ignore[arg-type]
        self.server = Server(config, application)
        self.thread = threading.Thread(target=lambda: self.server.run(sockets=[self.listening]), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(10)
        self.listening.close()

    def connect(self, receive_buffer: int | None = None) -> socket.socket:
        """A connection whose handshake, if there is one, is over. `receive_buffer`: bytes that may wait to be taken."""
        plain = socket.socket()
        if receive_buffer is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plain.settimeout(10)
        plain.connect(self.listening.getsockname())
        return UNCHECKED.wrap_socket(plain) if self.https else plain
