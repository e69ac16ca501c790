"""Which connections come from a table: those whose request names a key that a table accepted lately.

A flood has no key. So a phone at a table does not wait behind a flood from the same address.
"""

import re

from web.limits.recent import Recent

MOST_KEYS = 5000
OPENED = "rollcall.opened"  # in the environ: the key of the table that let this request's phone in
IN_PATH = re.compile(r"(?:(?:/api/v1)?/tables|/clubs)/([^/?]{1,64})")
IN_HEAD = re.compile(rb"[A-Z]{1,8} (?:https?://[^/ ]{1,255})?(?:(?:/api/v1)?/tables|/clubs)/([^/? ]{1,64})")


class Keys:
    """The `MOST_KEYS` latest keys that tables accepted. For the event loop alone."""

    def __init__(self) -> None:
        self._keys: Recent[str, None] = Recent(MOST_KEYS)

    def note(self, key: str) -> None:
        """Notes a key by which a table let a phone in. Anything else can be forged."""
        self._keys[key] = None

    def of_path(self, path: str) -> str:
        """The key in the path of a request, "" if it is unknown."""
        found = IN_PATH.match(path)
        return found[1] if found is not None and found[1] in self._keys else ""

    def of_head(self, head: bytes) -> str:
        """The same of the first bytes of a request."""
        found = IN_HEAD.match(head)
        key = "" if found is None else found[1].decode("latin-1")
        return key if key in self._keys else ""
