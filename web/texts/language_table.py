"""The table of languages, `languages.txt`: read by the program, by what packs it and by the tests."""

from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("languages.txt")


class Language(NamedTuple):
    """`code`: as in ISO 639, such as cs. `country`: whose form browsers and voices take. `partly`: some texts are not
    translated yet, so phones show them in English."""

    code: str
    country: str
    name: str
    partly: bool = False

    @property
    def tag(self) -> str:
        """As browsers name it: cs-CZ."""
        return f"{self.code}-{self.country}"


def read_table(text: str) -> dict[str, Language]:
    """The languages by their codes. Raises ValueError for a line that is none."""
    found: dict[str, Language] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        code, country, name, *more = line.split()
        if more not in ([], ["partly"]):
            raise ValueError(f"{FILE.name}, line {number}: a language is its code, a country and its name")
        found[code] = Language(code, country, name, bool(more))
    return found


TABLE = read_table(FILE.read_text(encoding="utf-8"))


def locale_names() -> tuple[str, ...]:
    """Babel's files that the languages need, without their ending."""
    return ("root", *(name for each in TABLE.values() for name in (each.code, each.tag.replace("-", "_"))))
