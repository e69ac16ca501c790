"""Which phone asks, while its request is answered: the table that it asks about refuses one that may not come."""

from contextvars import ContextVar
from contextvars import Token as ContextToken

# Which phone asks, while its request is answered, and about which table: that of the request's address, else any.
_asking: ContextVar[tuple[str, str | None] | None] = ContextVar("asking", default=None)
Token = ContextToken[tuple[str, str | None] | None]


def ask_as(device: str, table: str | None = None) -> Token:
    """From now on what is done here at the table with this key, or at any, is asked for by this phone ("": one without
    an id), until `ask_no_more` is given the token."""
    return _asking.set((device, table))


def ask_no_more(token: Token) -> None:
    _asking.reset(token)


def asking(table: str) -> str | None:
    """The phone that asks for something at the table with this key; None: the server itself looks."""
    asked = _asking.get()
    return asked[0] if asked is not None and asked[1] in (None, table) else None
