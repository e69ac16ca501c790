"""Each reason for which the reader asks, by a photo that gives it: said in every language, whole, with large text."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image, ImageFilter

from tests.browser.conftest import OUT, PICTURED, NewPhone
from tests.browser.playing import PICTURES, ready, send, set_text_size, visit
from tests.browser.test_every_page import LANGUAGES
from tests.browser.test_within_reach import FAULTS, MOST_STUCK
from tests.vision.judging.test_ask_reasons import numbered
from tests.web.served import Served, new_table
from vision.reasons import ASKS
from web.texts.languages import read_catalogue

SIX = PICTURES / "throw-112455.jpg"  # 1280 x 960; the dice have about 170 pixels
DICE = 6
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


def photographed(page: Any, served: Served, picture: Image.Image, aside: list[int]) -> str:
    """The address of a table of this phone with the photo under review."""
    address = served.base + new_table(served)
    visit(page, address)
    if aside:
        send(page, {"do": "throw", "dice": [*aside, 2, 2, 4, 6][:DICE]})
        send(page, {"do": "set-aside", "dice": aside})
        page.reload()
        ready(page)
    page.locator("#photo").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": jpeg(picture)})
    page.wait_for_selector("#review-photo")
    return address


def sentence(language: str, reason: str) -> str:
    """A pattern of the sentence, whatever numbers are in it."""
    message = None if language == "en" else read_catalogue(language).get(ASKS[reason])
    words = str(message.string) if message else ASKS[reason]
    return re.sub(r"\\\{\w+\\\}", r"\\d+", re.escape(words.replace("\u00a0", " ")))


def test_each_reason_has_a_photo() -> None:
    assert PHOTOS.keys() == ASKS.keys()


@pytest.mark.parametrize("reason", PHOTOS)
def test_each_reason_is_said_on_the_page(served: Served, new_phone: NewPhone, reason: str) -> None:
    picture, aside = PHOTOS[reason]
    address = photographed(new_phone(), served, picture(), aside)
    wrong = []
    for number, language in enumerate(LANGUAGES, start=[*PHOTOS].index(reason)):
        size = ("100%", "200%")[number % 2]  # each reason and each language in both
        page = new_phone(is_mobile=False, locale=language)
        set_text_size(page, size)
        visit(page, address)
        page.locator('[data-act="review"]').click()
        page.wait_for_selector("#review-photo")
        told = page.locator(".asks").inner_text().replace("\u00a0", " ")
        if not re.search(sentence(language, reason), told, re.IGNORECASE):
            wrong.append(f"{language}: {told}")
        if reason == "cut":  # the only one about what is no die of the reading, at a known place
            photo, mark = (page.locator(at).bounding_box() for at in ("#review-photo image", ".spot .line"))
            assert abs(photo["x"] + photo["width"] - mark["x"] - mark["width"]) < 4, "at the photo's right side"
        wrong += [f"{language}, {size}: {line}" for line in page.evaluate(FAULTS, MOST_STUCK)]
        if wrong or PICTURED:
            page.screenshot(path=OUT / "reasons" / f"{reason}-{language}-{size.rstrip('%')}.png")
        page.context.close()
    assert not wrong, "\n" + "\n".join(wrong)
