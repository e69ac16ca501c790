"""Names of players, phones and dice. “Eva” and “eva” are one person, however a phone wrote the name.

All names from outside are checked here.
"""

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from scorer.texts import BLANK, is_blank
from web.problems.problem import Problem

JOINERS = "\u200c\u200d"  # which emoji and some scripts need between two signs
UNJOINED = ("LATIN", "GREEK", "CYRILLIC", "DIGIT")  # what no joiner belongs to
FLAG, TAGS = "\U0001f3f4", range(0xE0020, 0xE0080)  # the flags of England, Scotland and Wales end in tags
LONGEST_DICE_SET = 40  # letters of the name of a table's dice
BLANKS = frozenset(BLANK)
UNSEEN = ("Cf", "Cc", "Cs", "Zl", "Zp")  # JSON can hold lone surrogates, of which no text can be made


def name_key(name: str) -> str:
    """The name without differences of case, spaces and encoding of accents: equal for equal names."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def find_alike(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that people take for one though they are written differently; None if there are none."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name_key(name), name)
        if other != name:
            return other, name
    return None


def distinct(names: Iterable[str]) -> list[str]:
    """Each name once, as it is written first."""
    seen: dict[str, str] = {}
    for name in names:
        seen.setdefault(name_key(name), name)
    return list(seen.values())


def first_hidden(names: Iterable[str]) -> str | None:
    """The first name with hidden characters, without them; None if there is none.

    Hidden are invisible characters and those that change the direction of writing. Marks on letters are not, nor are
    joiners and tags if emoji and scripts need them.
    """
    for name in names:
        shown = name.isprintable() and not BLANKS.intersection(name)
        seen = name if shown else "".join(each for at, each in enumerate(name) if not _is_hidden(name, at))
        if seen != name or is_blank(name):
            return seen
    return None


def check_shown(*names: str) -> None:
    """Raises `Problem` for a name that `first_hidden` finds."""
    if (hidden := first_hidden(names)) is not None:
        raise Problem("name-hidden", 422, name=hidden)


def names_given(actions: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names that players get by these actions. The rules refuse names that are no text."""
    names = (action.get("name") for action in actions if action.get("do") == "adjust")
    return [name.strip() for name in names if isinstance(name, str) and name.strip()]


# Under these keys events have names of people and phones.
NAMED = ("name", "names", "players", "device", "dice_set")


def replace_names(value: Any, keys: Collection[str], by: str, named: bool = False) -> Any:
    """The JSON `value` of an event with `by` in place of each name with one of these keys (`name_key`)."""
    if isinstance(value, dict):
        return {name: replace_names(each, keys, by, name in NAMED) for name, each in value.items()}
    if isinstance(value, list):
        return [replace_names(each, keys, by, named) for each in value]
    return by if named and isinstance(value, str) and name_key(value) in keys else value


def program_name(text: str) -> str:
    """The name of a program as people see it. Raises `Problem`."""
    name = " ".join(text.split())
    if not name:
        raise Problem("bad-request", 400, detail="a program has a name")
    check_shown(name)
    return name


def dice_set_name(text: str) -> str:
    """The name of a table's dice, "" for none. Raises `Problem`."""
    name = " ".join(text.split())
    if len(name) > LONGEST_DICE_SET:
        raise Problem("dice-set-long", 422, most=LONGEST_DICE_SET)
    if name:
        check_shown(name)
    return name


def clean_name(name: str, longest: int) -> str:
    """A name that came without a person to ask: at most `longest` characters, without hidden ones; "" if none is
    left."""
    while True:
        name = " ".join(name.split())[:longest].rstrip()
        seen = first_hidden([name])
        if seen is None:
            return name
        if seen == name:  # marks alone, or nothing
            return ""
        name = seen


def _is_hidden(name: str, at: int) -> bool:
    each = name[at]
    if each in JOINERS:
        return not (0 < at < len(name) - 1) or unicodedata.name(name[at - 1], "").startswith(UNJOINED)
    if ord(each) in TAGS:
        return FLAG not in name[:at]
    return each in BLANK or unicodedata.category(each) in UNSEEN
