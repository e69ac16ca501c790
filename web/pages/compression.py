"""Compressed responses: gzip shrinks scripts, styles and texts to a third, which helps on a weak Wi-Fi."""

import functools
import gzip

from flask import Response, request

WORTH_IT = 512  # bytes; shorter bodies stay as they are
KEEP_S = 365 * 24 * 3600  # browsers keep what never changes under its address


def compressed_response(body: bytes, mimetype: str, keep: bool = False) -> Response:
    """A response with `body`, gzipped if the browser accepts it. Only for bodies that are public and the same for all.

    `keep`: the body never changes under this address, and browsers may keep it.
    """
    small = len(body) >= WORTH_IT and request.accept_encodings.quality("gzip") > 0
    response = Response(_compress(body) if small else body, mimetype=mimetype)
    response.vary.add("Accept-Encoding")
    if small:
        response.content_encoding = "gzip"
    if keep:
        response.headers["Cache-Control"] = f"public, max-age={KEEP_S}, immutable"
    return response


@functools.lru_cache(maxsize=128)
def _compress(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
