"""Each reason for which the reader asks has a photo that gives it."""

import io
from collections.abc import Callable

import pytest
from PIL import Image, ImageFilter

from tests.vision.judging.test_ask_reasons import PICTURES, numbered
from vision import Photo, Reader
from vision.reasons import ASKS

pytestmark = pytest.mark.whole

SIX = PICTURES / "throw-112455.jpg"  # 1280 x 960; the dice have about 170 pixels
DICE = 6
MOST_SHOWN = 2  # of the reasons, on the page
# Set aside before, so that fewer dice are thrown, and some lie beside them.
THREES = [3, 3, 3]


def six(change: Callable[[Image.Image], Image.Image] = lambda picture: picture) -> Image.Image:
    with Image.open(SIX) as picture:
        return change(picture.convert("RGB"))


def blurred(picture: Image.Image) -> Image.Image:
    return picture.filter(ImageFilter.GaussianBlur(picture.width / 90))


def far(picture: Image.Image) -> Image.Image:
    small = picture.resize((picture.width // 12, picture.height // 12), Image.Resampling.LANCZOS)
    field = Image.new("RGB", (640, 480), small.resize((1, 1)).getpixel((0, 0)))
    field.paste(small, (260, 200))
    return field


def close() -> Image.Image:
    """Most of a die's upper face, and nothing around it."""
    with Image.open(PICTURES / "throw-4.jpg") as picture:
        return picture.convert("RGB").crop((338, 278, 458, 400)).resize((1600, 1600))


def two_faces(picture: Image.Image) -> Image.Image:
    """A five shines through a one."""
    place = (124, 446, 325, 632)
    picture.paste(Image.blend(picture.crop(place), picture.crop((126, 143, 327, 329)), 0.3), place[:2])
    return picture


def hardly_a_die(picture: Image.Image, radius: int = 16) -> Image.Image:
    """One die is a pale spot."""
    place = (124, 446, 325, 632)
    picture.paste(picture.crop(place).filter(ImageFilter.GaussianBlur(radius)), place[:2])
    return picture


def seven(picture: Image.Image) -> Image.Image:
    picture.paste(picture.crop((124, 446, 325, 632)), (1010, 120))
    return picture


def touching(picture: Image.Image) -> Image.Image:
    picture.paste(picture.crop((126, 143, 305, 315)), (230, 385))
    return picture


def from_the_side() -> Image.Image:
    with Image.open(PICTURES / "from-the-side" / "five.jpg") as picture:
        return picture.convert("RGB")


def four() -> Image.Image:
    with Image.open(PICTURES / "throw-2345.jpg") as picture:
        return picture.convert("RGB")


# reason: the photo, and what was set aside before it.
PHOTOS: dict[str, tuple[Callable[[], Image.Image], list[int]]] = {
    "no-dice": (lambda: Image.new("RGB", (1200, 900), (120, 90, 60)), []),
    "no-pips": (lambda: six(numbered), []),
    "too-few": (four, []),
    "too-many": (lambda: six(seven), []),
    "touching": (lambda: six(touching), []),
    "cut": (lambda: six(lambda picture: picture.crop((0, 0, 1073, 960))), []),
    "dark": (lambda: six(lambda picture: picture.point(lambda value: value * 0.06)), []),
    "blurred": (lambda: six(blurred), []),
    "too-small": (lambda: six(far), []),
    "too-close": (close, []),
    "from-the-side": (from_the_side, []),
    "doubtful-value": (lambda: six(two_faces), []),
    "doubtful-die": (lambda: six(hardly_a_die), []),
    "doubtful-thing": (lambda: six(lambda picture: hardly_a_die(picture, 21)), []),
    "doubtful-aside": (six, THREES),
}


def jpeg(picture: Image.Image) -> bytes:
    made = io.BytesIO()
    picture.save(made, "JPEG", quality=92)
    return made.getvalue()


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def test_each_reason_has_a_photo() -> None:
    assert PHOTOS.keys() == ASKS.keys()


@pytest.mark.parametrize("reason", PHOTOS)
def test_a_photo_gives_its_reason(reader: Reader, reason: str) -> None:
    picture, aside = PHOTOS[reason]
    reading = reader.read(Photo.decode(jpeg(picture())), DICE - len(aside), aside)
    asks = [ask.reason for ask in reading.asks]
    assert not reading.sure
    assert reason in asks[:MOST_SHOWN], asks
