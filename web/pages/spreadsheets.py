"""CSV that people open in a spreadsheet, and in which nothing is computed: names come from everybody at the table."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from flask import Response

from web.texts.languages import current
from web.texts.numbers import DECIMAL_COMMA

# What a spreadsheet takes for the beginning of a formula, in full width and as a small form too.
SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"
# After what a cell may begin: whichever separator the spreadsheet goes by, quotes, and what it drops or nobody sees.
BEFORE = r"\x00-\x20!-&(-*,./:;<>?\[\\\]^`{-~\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
FORMULA = re.compile(rf"(?:^(?=[\t\r])|(?:^|(?<=[{BEFORE}]))(?=[{SIGNS}]))")


def as_csv(name: str, heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> Response:
    """A file that a spreadsheet in the language of the request opens: with its separator, and marked as UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if current() in DECIMAL_COMMA else ",")
    writer.writerow(heads)
    writer.writerows([plain(value) for value in line] for line in lines)
    response = Response(out.getvalue().encode("utf-8-sig"), mimetype="text/csv")
    response.headers["Content-Disposition"] = f"attachment; filename=rollcall-{name}.csv"
    return response


def plain(value: Any) -> Any:
    """A value of which no part is a formula, whatever separator it is cut by: an apostrophe before it makes it text."""
    return FORMULA.sub("'", value) if isinstance(value, str) else value
