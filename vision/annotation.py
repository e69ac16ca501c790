"""A photo with its reading drawn in."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont

from vision.photo import Photo
from vision.reading import Reading

_LONGEST = 2000  # pixels: as much as a screen shows
_SURE, _ASKS, _INK = "#12b886", "#ff922b", "#ffffff"


def annotate(photo: Photo, reading: Reading) -> bytes:
    """A JPEG of the photo with a box and the value at every die. An unsure die has a broken box and a question mark."""
    picture = Image.fromarray(photo.view(_LONGEST))
    if max(picture.size) > _LONGEST:
        picture.thumbnail((_LONGEST, _LONGEST))
    draw = ImageDraw.Draw(picture)
    across, down = picture.width / reading.width, picture.height / reading.height
    line = max(2, round(max(picture.size) / 400))
    for die in reading.dice:
        x0, y0, x1, y1 = die.box[0] * across, die.box[1] * down, die.box[2] * across, die.box[3] * down
        colour, text = (_SURE, str(die.value)) if die.sure else (_ASKS, f"{die.value}?")
        if die.sure:
            draw.rectangle((x0, y0, x1, y1), outline=colour, width=line)
        else:
            _draw_corners(draw, (x0, y0, x1, y1), colour, line)
        font = ImageFont.load_default(size=max(14.0, min(0.5 * (y1 - y0), 40.0 * line / 3)))
        left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
        wide, tall = right - left + 2 * line, bottom - top + 2 * line
        x, y = min(x0, picture.width - wide), y0 - tall if y0 >= tall else y1
        draw.rectangle((x, y, x + wide, y + tall), fill=colour)
        draw.text((x + line - left, y + line - top), text, fill=_INK, font=font)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=88)
    return out.getvalue()


def _draw_corners(draw: ImageDraw.ImageDraw, box: tuple[float, float, float, float], colour: str, line: int) -> None:
    """Draws only the corners of the box."""
    x0, y0, x1, y1 = box
    for x, inward in ((x0, 1), (x1, -1)):
        for y, downward in ((y0, 1), (y1, -1)):
            draw.line((x, y, x + inward * (x1 - x0) * 0.3, y), fill=colour, width=line)
            draw.line((x, y, x, y + downward * (y1 - y0) * 0.3), fill=colour, width=line)
