"""Live streams that the service worker sends on: what each is sent next is collected here, and taken by the shell."""

from collections.abc import Callable
from dataclasses import dataclass

from web.pages.live import HEARTBEAT, Stream, last_event, state_event
from web.problems.problem import Problem
from web.table.access_list import AccessList

RETRY = b"retry: 1000\n\n"


@dataclass
class Sent:
    """Events for the stream `id`; `last`: it ends after them."""

    id: str
    body: bytes
    last: bool = False


class Streams:
    """The live streams of all tabs, a `PhoneHub`. `id`: the shell's own, of the request that began one."""

    def __init__(self) -> None:
        self._open: dict[str, Stream] = {}
        self._news: list[Sent] = []

    def begin(self, id: str, stream: Stream) -> bytes:
        """Opens a stream. Returns its first events. Raises `Problem` if its phone may not come."""
        first = stream.first()
        self._open[id] = stream
        return RETRY + first

    def close(self, id: str) -> None:
        self._open.pop(id, None)

    def take(self) -> list[Sent]:
        """What is to be sent since the last call."""
        taken, self._news = self._news, []
        return taken

    def beat(self) -> None:
        """Shows all pages that the application is there, and programs what is new."""
        for id, stream in list(self._open.items()):
            self._send(id, stream, lambda: HEARTBEAT)

    def announce(self, key: str, view: bytes) -> None:
        for id, stream in self._streams_at(key):
            self._send(id, stream, lambda: state_event(view))

    def turn_out(self, key: str, access: AccessList) -> None:
        for id, stream in self._streams_at(key):
            try:
                access.check(stream.phone)
            except Problem as problem:
                self._part(id, problem)

    def end_table(self, key: str, problem: Problem) -> None:
        for id, _ in self._streams_at(key):
            self._part(id, problem)

    def _streams_at(self, key: str) -> list[tuple[str, Stream]]:
        return [(id, stream) for id, stream in self._open.items() if stream.table == key]

    def _send(self, id: str, stream: Stream, tell: Callable[[], bytes]) -> None:
        """Sends what `tell` returns, or to a program what is new for it."""
        try:
            self._news.append(Sent(id, (stream.read() or HEARTBEAT) if stream.read else tell()))
        except Problem as problem:
            self._part(id, problem)

    def _part(self, id: str, problem: Problem) -> None:
        del self._open[id]
        self._news.append(Sent(id, last_event(problem), last=True))
