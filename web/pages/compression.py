"""Compressed responses: gzip shrinks scripts, styles and texts to a third, which helps on a weak Wi-Fi."""

import functools
import gzip
from collections.abc import Callable

from flask import Response, request

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
