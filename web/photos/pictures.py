"""JPEGs of pixels alone, without metadata: of photos, and the small ones that a table keeps of its throws."""

import io
from typing import Any

from web.table.proof import LONGEST_SIDE, MOST_BYTES

JPEG_QUALITY = 85
QUALITIES = (80, 65, 50, 35, 20)  # of a small picture: the first by which it is small enough


def jpeg(pixels: Any, longest: int | None = None, quality: int = JPEG_QUALITY) -> bytes:
    """`longest`: pixels of the longer side, at most."""
    from PIL import Image

    image = Image.fromarray(pixels)
    if longest is not None:
        image.thumbnail((longest, longest), Image.Resampling.BILINEAR)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


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
