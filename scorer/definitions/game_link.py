"""A game's file as the end of a link: it travels in the address's fragment, which no browser sends to a server.

Such an end is `g=NAME.DATA.1`: the name of the file without its ending; its text in UTF-8, compressed by zlib (RFC
1950) and written in base64url (RFC 4648) without padding; and the form's number, which says that nothing was cut off.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib

from scorer.definitions.definition import MOST_BYTES, DefinitionError, text_of_file
from scorer.definitions.shapes import LONGEST_WORD, WORD

MOST_DATA = 4000  # characters; what messages carry whole. The longest file that comes along takes half of that
MOST_AROUND = 20_000  # characters of what a person pastes, the link in it
BEGINS = re.compile(r"(?:^|[\s#])g=")
WHOLE = re.compile(rf"({WORD.pattern})\.([A-Za-z0-9_-]+)\.1\b")


def link_of(text: str, name: str) -> str | None:
    """The end of a link that carries the file with this text and name; None if it would be too long for a message."""
    data = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return f"g={name}.{data}.1" if len(data) <= MOST_DATA else None


def link_in(pasted: str) -> str:
    """The end of the link that stands in a text, such as an address or a message. Raises DefinitionError."""
    name, data = _parts_in(pasted)
    return f"g={name}.{data}.1"


def file_in_link(pasted: str) -> tuple[str, str]:
    """The name of the game's file that a link carries, without its ending, and its text.

    `pasted`: any text with the link's end in it. Nothing is unpacked beyond what a file may have. Raises
    DefinitionError.
    """
    name, data = _parts_in(pasted)
    unpacking = zlib.decompressobj()
    try:
        unpacked = unpacking.decompress(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), MOST_BYTES + 1)
    except (zlib.error, binascii.Error):
        raise DefinitionError("link-cut-off") from None
    text = text_of_file(unpacked, f"{name}.toml")
    if not unpacking.eof:
        raise DefinitionError("link-cut-off")
    return name, text


def _parts_in(pasted: str) -> tuple[str, str]:
    if len(pasted) > MOST_AROUND:
        raise DefinitionError("link-too-long", most=MOST_DATA)
    begins = BEGINS.search(pasted)
    if begins is None:
        raise DefinitionError("link-none")
    found = WHOLE.match(pasted, begins.end())
    if found is None or len(found[1]) > LONGEST_WORD:
        raise DefinitionError("link-cut-off")
    if len(found[2]) > MOST_DATA:
        raise DefinitionError("link-too-long", most=MOST_DATA)
    return found[1], found[2]
