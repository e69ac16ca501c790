"""Numbers and commands as people write them, for the templates; `number` of web/static/shared/text.js does the same."""

import re

from markupsafe import Markup, escape

from web.texts.languages import current

THIN = "\u202f"  # between thousands; it never breaks a line
DECIMAL_COMMA = ("cs", "pl")  # and a thin space between thousands, where English has a comma
LONG_NUMBER = re.compile(r"(?<![\w=.,])\d{4,}(?!\w)")
COMMAND = re.compile(r"--[a-z]+")


def points(value: int) -> str:
    """A number with its thousands separated in the language of the request: 10,000 or 10 000."""
    return f"{value:,}".replace(",", THIN if current() in DECIMAL_COMMA else ",").replace("-", "\u2212")


def mean(value: float) -> str:
    """A mean with one decimal in the language of the request: 1,234.5 or 1 234,5."""
    text = f"{value:.1f}".replace(".", "," if current() in DECIMAL_COMMA else ".").replace("-", "\u2212")
    return group_thousands(text)


def group_thousands(text: str) -> str:
    """A sentence with the thousands of its long numbers separated."""
    return LONG_NUMBER.sub(lambda found: points(int(found.group())), text)


def commands(text: str) -> Markup:
    """A sentence with its `--options` marked as code, so that no line breaks inside one."""
    return Markup(COMMAND.sub(lambda found: f"<code>{found.group()}</code>", str(escape(text))))
