"""Which phone asks, while its request is answered: the table that it asks about refuses one that may not come."""

from contextvars import ContextVar
from contextvars import Token as ContextToken

# Which phone asks, while its request is answered, and about which table: that of the request's address, else any.
_requester: ContextVar[tuple[str, str | None] | None] = ContextVar("requester", default=None)
Token = ContextToken[tuple[str, str | None] | None]


def set_requester(device: str, table: str | None = None) -> Token:
    """From now on what is done here at the table with this key, or at any, is asked for by this phone ("": one without
    an id), until `reset_requester` is given the token."""
    return _requester.set((device, table))


def reset_requester(token: Token) -> None:
    _requester.reset(token)


def requester_at(table: str) -> str | None:
    """The phone that asks for something at the table with this key; None: the server itself looks."""
    asked = _requester.get()
    return asked[0] if asked is not None and asked[1] in (None, table) else None
