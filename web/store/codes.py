"""The keys in the addresses of tables and the short codes to type, from a random source."""

import secrets

KEY_BYTES = 18  # 144 bits in the address: nobody guesses a table
CODE_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"  # without I, O and Q, which people misread
CODE_LENGTH = 6


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
