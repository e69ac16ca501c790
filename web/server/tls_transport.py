"""Writes over TLS piece by piece, as the other side receives it.

asyncio encrypts an answer as a whole and counts it as sent. So nobody would notice if a phone does not receive a large
answer, and closing would cut it off.
"""

import asyncio
from collections import deque
from typing import Any

PIECE = 1 << 16  # bytes; nobody learns whether the last three were received


class TlsTransport:
    """A transport around asyncio's. Its protocol tells it when asyncio's pauses and resumes writing."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._left: deque[memoryview] = deque()
        self._closing = False
        self.paused = False  # true while anything is left

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if data and not self.is_closing():
            self._left.append(memoryview(data))
            self._go_on()

    def close(self) -> None:
        """Closes it once all that was written is passed on."""
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
        """Passes on what is left; `paused` is false if the other side received all of it."""
        self.paused = False
        self._go_on()

    def forget(self) -> None:
        """Drops what was written: the connection is over."""
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
