"""CSV for spreadsheets, safe against formulas: everybody at a table may type names into it."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from flask import Response

from web.texts.languages import current
from web.texts.numbers import DECIMAL_COMMA

# Signs that begin a formula, also in full width and as small forms.
SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"
# Characters after which a cell may begin: any separator, quotes, and characters that are dropped or invisible.
BEFORE = r"\x00-\x20!-&(-*,./:;<>?\[\\\]^`{-~\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
FORMULA = re.compile(rf"(?:^(?=[\t\r])|(?:^|(?<=[{BEFORE}]))(?=[{SIGNS}]))")


def as_csv(name: str, heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> Response:
    """A CSV file for a spreadsheet in the language of the request, with its separator and a UTF-8 mark."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if current() in DECIMAL_COMMA else ",")
    writer.writerow(heads)
    writer.writerows([plain(value) for value in line] for line in lines)
    response = Response(out.getvalue().encode("utf-8-sig"), mimetype="text/csv")
    response.headers["Content-Disposition"] = f"attachment; filename=rollcall-{name}.csv"
    return response


def plain(value: Any) -> Any:
    """The value with an apostrophe before each possible formula, whatever separator splits it."""
    return FORMULA.sub("'", value) if isinstance(value, str) else value
