"""Makes the small pictures that a table keeps of its throws: JPEGs of the pixels alone, without metadata."""

import io
from typing import Any

from web.table.proof import LONGEST_SIDE, MOST_BYTES

QUALITIES = (80, 65, 50, 35, 20)  # the first whose picture is small enough


def small_picture(pixels: Any) -> bytes | None:
    """A JPEG of at most LONGEST_SIDE pixels a side and MOST_BYTES; None if none is that small."""
    from PIL import Image

    image = Image.fromarray(pixels)
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    for quality in QUALITIES:
        out = io.BytesIO()
        image.save(out, "JPEG", quality=quality, optimize=True)
        if out.tell() <= MOST_BYTES:
            return out.getvalue()
    return None


def pixels_of(picture: bytes) -> Any:
    """The pixels of a JPEG of our own making."""
    import numpy
    from PIL import Image

    return numpy.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
