"""The phone whose request is being answered, so that a table can refuse it."""

from contextvars import ContextVar
from contextvars import Token as ContextToken

# The phone, and the key of the table in the request's address; None: any table.
_requester: ContextVar[tuple[str, str | None] | None] = ContextVar("requester", default=None)
Token = ContextToken[tuple[str, str | None] | None]


def set_requester(device: str, table: str | None = None) -> Token:
    """Makes this phone ("": one without an id) the requester at this table, or at any, until `reset_requester`."""
    return _requester.set((device, table))


def reset_requester(token: Token) -> None:
    _requester.reset(token)


def requester_at(table: str) -> str | None:
    """The phone that asks at the table with this key; None: the server itself."""
    asked = _requester.get()
    return asked[0] if asked is not None and asked[1] in (None, table) else None
