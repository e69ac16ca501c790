"""Over TLS: what is written goes on piece by piece, as the other side takes it.

asyncio encrypts all that is written, hands it to the connection below as one, and calls that sent. So of a large answer
nobody would be told that it is not taken, and closing would cut it off.
"""

import asyncio
from collections import deque
from typing import Any

PIECE = 1 << 16  # bytes; up to three of them lie below, of which nobody is told whether they are taken


class TlsTransport:
    """A transport for one that is asyncio's. Its protocol tells it when that one pauses writing, and resumes."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._left: deque[memoryview] = deque()
        self._closing = False
        self.paused = False  # while anything is left, it is

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if data and not self.is_closing():
            self._left.append(memoryview(data))
            self._go_on()

    def close(self) -> None:
        """Closes it once all that was written has gone on."""
        self._closing = True
        self._go_on()

    def abort(self) -> None:
        self.forget()
        self._transport.abort()

    def is_closing(self) -> bool:
        return self._closing or self._transport.is_closing()

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        """Goes on with what is left; `paused` tells whether the other side took all of it."""
        self.paused = False
        self._go_on()

    def forget(self) -> None:
        """Keeps nothing of what was written: the connection is over."""
        self._closing = True
        self._left.clear()

    def _go_on(self) -> None:
        while self._left and not self.paused:
            first = self._left.popleft()
            if len(first) > PIECE:
                self._left.appendleft(first[PIECE:])
            self._transport.write(first[:PIECE])  # which may pause it
        if self._closing and not self._left:
            self._transport.close()
