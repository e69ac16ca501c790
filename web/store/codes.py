"""The keys in the addresses of tables and the short codes to type, from a random source."""

import hashlib
import secrets

from sqlalchemy import Connection, func, select

from web.store import schema

KEY_BYTES = 18  # 144 bits in the address: nobody guesses a table
CODE_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"  # without I, O and Q, which people misread
CODE_LENGTH = 6
MARK_LENGTH = 16


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def mark_of(key: str) -> str:
    """The code of a table in corrected photos and deletions, from which nobody can tell its key."""
    return hashlib.sha256(key.encode()).hexdigest()[:MARK_LENGTH]


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def free_code(connection: Connection) -> str:
    while True:
        code = new_code()
        query = select(func.count()).select_from(schema.tables).where(schema.tables.c.code == code)
        if connection.execute(query).scalar_one() == 0:
            return code
