"""Answers that are more than a page: compressed ones, pictures of QR codes, and tables for spreadsheets."""

import csv
import functools
import gzip
import io
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import segno
from flask import Response, request

from web.texts.languages import current
from web.texts.numbers import separators

WORTH_IT = 512  # bytes; shorter bodies stay as they are
KEEP_S = 365 * 24 * 3600  # browsers keep what never changes under its address


def compressed_response(body: bytes, mimetype: str, keep: bool = False) -> Response:
    """A response with `body`, gzipped if the browser accepts it. Only for bodies that are public and the same for all.

    `keep`: the body never changes under this address, and browsers may keep it.
    """
    response = _response(body, mimetype, _compress_once)
    if keep:
        response.headers["Cache-Control"] = f"public, max-age={KEEP_S}, immutable"
    return response


def compressed_page(page: str) -> Response:
    """A page, gzipped if the browser accepts it. Only for pages whose address is their secret.

    The length of a compressed page tells strangers what it repeats. Over https they learn a page's secrets so, if they
    can make a browser ask for it again and again with their guesses in it (the attack BREACH). For this they need its
    address, and whoever has the address of a table has the right to read all of it.
    """
    return _response(page.encode(), "text/html", _compress)


def _response(body: bytes, mimetype: str, compress: Callable[[bytes], bytes]) -> Response:
    small = len(body) >= WORTH_IT and request.accept_encodings.quality("gzip") > 0
    response = Response(compress(body) if small else body, mimetype=mimetype)
    response.vary.add("Accept-Encoding")
    if small:
        response.content_encoding = "gzip"
    return response


def _compress(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


_compress_once = functools.lru_cache(maxsize=128)(_compress)


def download(body: bytes | str, mimetype: str, name: str, **headers: str) -> Response:
    return Response(body, mimetype=mimetype, headers={"Content-Disposition": f"attachment; filename={name}", **headers})


def qr_picture(address: str) -> Response:
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", border=2, xmldecl=False, svgns=True, omitsize=True, dark="#000", light="#fff"
    )
    return Response(out.getvalue(), mimetype="image/svg+xml")


# Signs that begin a formula, also in full width and as small forms.
SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"
# Characters after which a cell may begin: any separator, quotes, and characters that are dropped or invisible.
BEFORE = r"\x00-\x20!-&(-*,./:;<>?\[\\\]^`{-~\x7f-\xa0\xad\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
FORMULA = re.compile(rf"(?:^(?=[\t\r])|(?:^|(?<=[{BEFORE}]))(?=[{SIGNS}]))")


def as_csv(name: str, heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> Response:
    """A CSV file for a spreadsheet in the language of the request, with its separator and a UTF-8 mark."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";" if separators(current())[1] == "," else ",")
    writer.writerow(heads)
    writer.writerows([plain(value) for value in line] for line in lines)
    return download(out.getvalue().encode("utf-8-sig"), "text/csv", f"rollcall-{name}.csv")


def plain(value: Any) -> Any:
    """The value with an apostrophe before each possible formula, whatever separator splits it."""
    return FORMULA.sub("'", value) if isinstance(value, str) else value
