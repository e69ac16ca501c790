"""Names of players as people take them: “Eva” and “eva” are one person, however a phone wrote them."""

import unicodedata
from collections.abc import Iterable


def folded(name: str) -> str:
    """What every way of writing a name has in common: case, spaces and how its accents are encoded do not count."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def alike(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two of these names that people take for one and that are not written the same, or None."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(folded(name), name)
        if other != name:
            return other, name
    return None


def distinct(names: Iterable[str]) -> list[str]:
    """Each name once, as it comes first."""
    seen: dict[str, str] = {}
    for name in names:
        seen.setdefault(folded(name), name)
    return list(seen.values())
