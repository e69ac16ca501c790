"""How a photo gets to the server: shrunk by the phone, or dropped and pasted on a computer."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.playing import PICTURES, start_table, state, tap_throw, values
from tests.web.served import Served

PICTURE = PICTURES / "throw-113466.jpg"
HAND_OVER = """([bytes, type, how, name = "throw.jpg"]) => {
  const data = new DataTransfer();
  const content = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
  data.items.add(new File([content], name, { type }));
  const told = { bubbles: true, cancelable: true };
  if (how === "paste") {
    document.body.dispatchEvent(new ClipboardEvent("paste", { ...told, clipboardData: data }));
    return;
  }
  const over = new DragEvent("dragover", { ...told, dataTransfer: data });
  document.body.dispatchEvent(over);
  if (!over.defaultPrevented) throw new Error("the browser would leave the page for the photo");
  document.body.dispatchEvent(new DragEvent("drop", { ...told, dataTransfer: data }));
}"""


def large(path: Path, turned: bool) -> Path:
    """Six dice as a phone takes them: 4000x3000; with `turned` stored lying on its side."""
    image = Image.open(PICTURE).resize((4000, 3000), Image.Resampling.BICUBIC)
    exif = Image.Exif()
    if turned:
        image = image.transpose(Image.Transpose.ROTATE_90)  # the camera was turned, and says so
        exif[0x0112] = 6
    image.save(path, "JPEG", quality=95, exif=exif)
    return path


@pytest.mark.parametrize("turned", [False, True])
def test_a_large_photo_is_shrunk_before_it_travels(
    own_served: Served, new_phone: Callable[..., Any], tmp_path: Path, turned: bool
) -> None:
    page = new_phone()
    start_table(page, own_served.base, "ones-and-fives", "Ada")
    photo = large(tmp_path / "large.jpg", turned)
    page.locator("#photo").set_input_files(photo)
    page.wait_for_selector("#review-photo")
    pending = state(page)["pending"]
    assert (pending["width"], pending["height"]) == (2560, 1920), "upright, and as large as the reader needs it"
    (kept,) = (own_served.data / "photos").glob("*.photo")
    assert kept.stat().st_size < photo.stat().st_size / 2
    with Image.open(kept) as sent:
        assert sent.getexif().get(0x0112, 1) == 1
    assert sorted(values(page)) == [1, 1, 3, 4, 6, 6]


def test_a_small_photo_is_sent_as_it_is(own_served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone()
    start_table(page, own_served.base, "ones-and-fives", "Ada")
    page.locator("#photo").set_input_files(PICTURE)
    page.wait_for_selector("#review-photo")
    (kept,) = (own_served.data / "photos").glob("*.photo")
    assert kept.read_bytes() == PICTURE.read_bytes()


def test_what_the_browser_cannot_decode_is_for_the_server_to_judge(
    served: Served, new_phone: Callable[..., Any], tmp_path: Path
) -> None:
    page = new_phone()
    start_table(page, served.base, "ones-and-fives", "Ada")
    avif = tmp_path / "photo.jpg"
    avif.write_bytes(b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00" + bytes(500_000))
    page.locator("#photo").set_input_files(avif)
    expect(page.locator(".notice").filter(has_text="AVIF")).to_be_visible()


@pytest.mark.parametrize("how", ["drop", "paste"])
def test_a_photo_may_be_dropped_or_pasted(served: Served, new_phone: Callable[..., Any], how: str) -> None:
    page = new_phone(viewport={"width": 1024, "height": 768}, is_mobile=False, has_touch=False)
    start_table(page, served.base, "ones-and-fives", "Ada")
    content = base64.b64encode(PICTURE.read_bytes()).decode()
    page.evaluate(HAND_OVER, [content, "image/jpeg", how])
    page.wait_for_selector("#review-photo")
    assert state(page)["pending"]["status"] == "read"
    page.evaluate(HAND_OVER, [content, "image/jpeg", how])  # while that one is looked at
    page.wait_for_function("() => (window.said ?? []).includes('No photo is wanted now.')")
    page.locator('[data-act="review-discard"]').click()
    page.wait_for_selector("#panel:not([open])", state="attached")
    tap_throw(page, 1, 1, 6, 6, 3, 4)  # now dice are to be set aside: no throw may come
    version = state(page)["version"]
    page.evaluate("window.said = []")
    page.evaluate(HAND_OVER, [content, "image/jpeg", how])
    page.wait_for_function("() => (window.said ?? []).includes('No photo is wanted now.')")
    assert state(page)["version"] == version
    assert state(page)["pending"] is None


HEIC = PICTURE.with_name("throw-2345.heic")


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "computer"])
def test_a_heic_photo_of_the_library_is_chosen_and_read(
    served: Served, new_phone: Callable[..., Any], phone: bool
) -> None:
    page = (
        new_phone() if phone else new_phone(viewport={"width": 1024, "height": 768}, is_mobile=False, has_touch=False)
    )
    start_table(page, served.base, "ones-and-fives", "Ada")
    camera = page.locator("#photo")
    offered = camera.get_attribute("accept").split(",")
    assert "image/heic" in offered
    assert camera.get_attribute("capture") == ("environment" if phone else None)
    assert (".heic" in offered) is not phone, "Android asks which camera where a name stands among the types"
    page.locator('[data-act="menu"]').click()
    library = page.locator("#library")
    assert library.get_attribute("capture") is None, "a phone would open its camera instead"
    assert {"image/heic", ".heic"} <= set(library.get_attribute("accept").split(","))
    library.set_input_files(HEIC)
    page.wait_for_selector("#review-photo")
    assert sorted(values(page)) == [2, 3, 4, 5]


def test_where_no_throw_may_come_no_stored_photo_is_asked_for(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone()
    start_table(page, served.base, "ones-and-fives", "Ada")
    tap_throw(page, 1, 1, 6, 6, 3, 4)
    page.wait_for_selector(".choice")
    page.locator('[data-act="menu"]').click()
    page.wait_for_selector(".menu")
    assert page.locator("#library").count() == 0


def test_a_dropped_heic_photo_that_the_computer_does_not_know_is_taken(
    served: Served, new_phone: Callable[..., Any]
) -> None:
    page = new_phone(viewport={"width": 1024, "height": 768}, is_mobile=False, has_touch=False)
    start_table(page, served.base, "ones-and-fives", "Ada")
    page.evaluate(HAND_OVER, [base64.b64encode(HEIC.read_bytes()).decode(), "", "drop", "IMG_1.HEIC"])
    page.wait_for_selector("#review-photo")
    assert sorted(values(page)) == [2, 3, 4, 5]
