"""The tokens of the owner of a database's servers, in the database: each of the servers knows them."""

from sqlalchemy import delete, func, insert, select

from web.hosts.cluster.shared_schema import owner_tokens
from web.hosts.cluster.shared_store import SharedStore
from web.store.server_tokens import MOST_TOKENS, ServerToken, new_token, token_hash, token_shown_as
from web.store.stamps import now


class SharedTokens:
    """The same as `web.store.server_tokens` does with a data folder. Raises `Problem` too."""

    def __init__(self, store: SharedStore) -> None:
        self._store = store

    def read(self) -> list[ServerToken]:
        with self._store.read() as connection:
            rows = connection.execute(select(owner_tokens).order_by(owner_tokens.c.at, owner_tokens.c.hash)).all()
        return [ServerToken(row.name, row.hash, row.at) for row in rows]

    def create(self, name: str) -> str:
        """A new token of this name, which nobody can read again. Raises ValueError."""
        token = new_token()
        with self._store.write() as connection:
            if connection.execute(select(func.count()).select_from(owner_tokens)).scalar_one() >= MOST_TOKENS:
                raise ValueError(f"there are {MOST_TOKENS} tokens already: revoke one")
            connection.execute(insert(owner_tokens).values(name=name, hash=token_hash(token), at=now()))
        return token

    def revoke(self, shown: str) -> ServerToken:
        """Takes back the token whose hash begins so. Raises ValueError."""
        meant = token_shown_as(self.read(), shown)
        with self._store.write() as connection:
            connection.execute(delete(owner_tokens).where(owner_tokens.c.hash == meant.hash))
        return meant
