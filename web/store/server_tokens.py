"""The tokens by which programs of the machine's owner may start tables and read statistics (`rollcall token`).

A data folder keeps only a hash of each. Any process may change the file while a server runs.
"""

import hashlib
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import json

from web.problems.problem import Problem
from web.store.disk import replace_file
from web.store.stamps import now

logger = logging.getLogger(__name__)

FILE = "tokens.json"  # in the data folder
PREFIX = "rollcall_"  # of all tokens, so that people and scanners know one when they see it
SECRET_BYTES = 32
MOST_TOKENS = 100
SHOWN = 10  # letters of a hash that name a token in lists


@dataclass(frozen=True)
class ServerToken:
    """A token as it is kept. `hash`: of the token, in hexadecimal digits."""

    name: str
    hash: str
    at: str


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(SECRET_BYTES)


def token_hash(token: str) -> str:
    """What is kept of a token. It has 256 random bits, so a fast hash keeps it secret."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_tokens(data: Path) -> list[ServerToken]:
    """The tokens of a data folder. Raises OSError and ValueError."""
    try:
        return json.decode((data / FILE).read_bytes(), type=list[ServerToken])
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise ValueError(f"{data / FILE} is damaged: move it away, and make new tokens") from error


def tokens_of(data: Path) -> list[ServerToken]:
    """As `read_tokens`, for a server. Raises `Problem`."""
    try:
        return read_tokens(data)
    except (OSError, ValueError) as error:
        logger.warning("the tokens of this server's owner cannot be read: %s", error)
        raise Problem("tokens-damaged", 503) from error


def matching_token(known: Sequence[ServerToken], token: str) -> ServerToken | None:
    """The one of these tokens that this one is. How long the comparison of hashes takes tells nothing of a token."""
    wanted = token_hash(token)
    return next((each for each in known if each.hash == wanted), None)


def token_shown_as(known: Sequence[ServerToken], shown: str) -> ServerToken:
    """The one of these tokens whose hash begins so. Raises ValueError."""
    meant = [each for each in known if len(shown) >= 4 and each.hash.startswith(shown)]
    if len(meant) != 1:
        raise ValueError(f"no token is called {shown[:SHOWN]}: `rollcall token list` says how each is")
    return meant[0]


def create_token(data: Path, name: str) -> str:
    """A new token of this name, which nobody can read again. Raises OSError and ValueError."""
    known = read_tokens(data)
    if len(known) >= MOST_TOKENS:
        raise ValueError(f"there are {MOST_TOKENS} tokens already: revoke one")
    token = new_token()
    _write(data, [*known, ServerToken(name, token_hash(token), now())])
    return token


def revoke_token(data: Path, shown: str) -> ServerToken:
    """Takes back the token whose hash begins so. Raises OSError and ValueError."""
    known = read_tokens(data)
    meant = token_shown_as(known, shown)
    _write(data, [each for each in known if each != meant])
    return meant


def _write(data: Path, tokens: list[ServerToken]) -> None:
    data.mkdir(parents=True, exist_ok=True)
    with replace_file(data / FILE) as part:
        part.write_bytes(json.format(json.encode(tokens), indent=1))
