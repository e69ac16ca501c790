"""Live updates, as pages and a host pass them on: server-sent events of whole states.

Every event carries the whole state of the table: a phone that missed some is right again with the next one. A phone
that cannot stream asks for the state now and then.
"""

from collections.abc import Callable
from dataclasses import dataclass

from web.problems.problem import Problem, as_body

# A line now and then keeps routers from forgetting the connection, and tells us of phones that are gone.
HEARTBEAT_S = 15.0
RECHECKED_S = 4.0  # the same where another process may take the right to listen, and tells nobody
EVENTS = "text/event-stream"
HEARTBEAT = b"event: here\ndata: 1\n\n"
STREAM = "rollcall.stream"  # in the environ: the `Stream` as which the answer of a page goes on

Reader = Callable[[], bytes]  # what a listener is sent next, as events


@dataclass(frozen=True)
class Stream:
    """What one listener is sent: `first()`, then each state that is announced to `table`, or else `read()`.

    Both are called in threads, `read` also now and then. They raise `Problem` for a listener that may not come.
    `phone`: the id of the listener, which `Guests` know.
    """

    table: str
    phone: str
    first: Reader
    read: Reader | None = None
    heartbeat_s: float = HEARTBEAT_S


class NoPhones:
    """The hub of a host that shows phones nothing live: a `PhoneHub`."""

    def announce(self, *about: object, **named: object) -> None:
        """Does nothing."""

    turn_out = end_table = announce


def state_event(state: bytes) -> bytes:
    return b"event: state\ndata: " + state + b"\n\n"


def wait_event(seconds: int) -> bytes:
    """Tells a phone when to reconnect: the browser by `retry`, the script by the event."""
    return b"retry: %d\nevent: wait\ndata: %d\n\n" % (seconds * 1000, seconds)


def last_event(problem: Problem) -> bytes:
    """Tells a phone why its stream ends, and whether to come again."""
    return wait_event(problem.again_s) if problem.again_s else b"event: gone\ndata: " + as_body(problem) + b"\n\n"
