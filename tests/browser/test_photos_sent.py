"""How a photo gets to the server: as it is, shrunk by the phone, or dropped and pasted on a computer.

What is cancelled, too late, kept or one of two: `tests/scripts/photo-sender.test.mjs`.
"""

import base64
import functools
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import (
    PICTURES,
    discard,
    start_table,
    state,
    tap_dice,
    tap_throw,
    values,
    wait_for_toast,
    wait_until_closed,
)
from tests.web.served import Served
from tests.web.waiting import wait_until
from web.photos.metadata import remove_metadata

PICTURE = PICTURES / "throw-113466.jpg"
# As a person does it: once the page has loaded what listens, which comes a moment after its first view.
HAND_OVER = """async ([bytes, type, how, name = "throw.jpg"]) => {
  const data = new DataTransfer();
  const content = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
  data.items.add(new File([content], name, { type }));
  const told = { bubbles: true, cancelable: true };
  const over = () => new DragEvent("dragover", { ...told, dataTransfer: data });
  for (let tries = 0; document.body.dispatchEvent(over()); tries += 1) {
    if (tries > 1000) throw new Error("the browser would leave the page for the photo");
    await new Promise((done) => setTimeout(done, 50));
  }
  const drop = new DragEvent("drop", { ...told, dataTransfer: data });
  const paste = new ClipboardEvent("paste", { ...told, clipboardData: data });
  document.body.dispatchEvent(how === "drop" ? drop : paste);
}"""


Kept = Callable[[], list[Path]]


@pytest.fixture
def kept(served: Served) -> Kept:
    """Lists the files in the server's folder of those photos that have come since the test began."""
    folder = served.data / "photos"
    before = {_id_of(path) for path in folder.iterdir()}
    return lambda: [path for path in folder.iterdir() if _id_of(path) not in before]


def _id_of(path: Path) -> str:
    return path.name.split(".")[0]


def originals(kept: Kept) -> list[Path]:
    """The photos as they came, without the smaller ones that the pages show."""
    return [path for path in kept() if path.suffix == ".photo"]


def write_large_photo(path: Path, turned: bool = False, picture: Path = PICTURE) -> Path:
    """Dice as a phone takes them: 4000x3000, 2 MB with its sensor's noise; with `turned` stored lying on its side."""
    path.write_bytes(camera_photo(turned, picture))
    return path


@functools.cache
def camera_photo(turned: bool, picture: Path) -> bytes:
    image = Image.open(picture).resize((4000, 3000), Image.Resampling.BICUBIC)
    noise = Image.effect_noise((1000, 750), 18).resize(image.size, Image.Resampling.NEAREST)
    image = Image.blend(image, Image.merge("RGB", [noise] * 3), 0.25)
    exif = Image.Exif()
    exif[0x0132] = "2026:07:28 20:15:00"  # when it was taken
    if turned:
        image = image.transpose(Image.Transpose.ROTATE_90)  # the camera was turned, and says so
        exif[0x0112] = 6
    out = io.BytesIO()
    image.save(out, "JPEG", quality=92, exif=exif)
    return out.getvalue() + b"and a film of the moment before"


NEVER_SHRUNK = "window.createImageBitmap = () => new Promise(() => {});"
SLOW = {"offline": False, "latency": 5, "downloadThroughput": 1e6, "uploadThroughput": 2.5e5}


def throttle(page: Any, **conditions: float) -> Callable[..., None]:
    """Has the page's network be slow (2 Mbit/s), or what `conditions` say; gives back what changes them."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def change(**conditions: float) -> None:
        session.send("Network.emulateNetworkConditions", {**SLOW, **conditions})

    change(**conditions)
    return change


def photo_requests(page: Any) -> list[Any]:
    """The requests that carry a photo, from now on."""
    seen: list[Any] = []
    page.on("request", lambda request: seen.append(request) if request.url.endswith("/photos") else None)
    return seen


def test_in_a_quick_network_a_large_photo_travels_as_it_is(
    served: Served, page: Any, tmp_path: Path, kept: Kept
) -> None:
    page.add_init_script(NEVER_SHRUNK)  # it need not wait for that
    start_table(page, served.base, "ones-and-fives", "Ada")
    photo = write_large_photo(tmp_path / "large.jpg", turned=True)
    page.locator("#photo").set_input_files(photo)
    page.wait_for_selector("#review-photo")
    pending = state(page)["pending"]
    assert (pending["width"], pending["height"]) == (4000, 3000), "upright"
    (original,) = originals(kept)
    assert original.read_bytes() == remove_metadata(photo.read_bytes()), (
        "what the camera tells besides stays on the phone"
    )
    assert sorted(values(page)) == [1, 1, 3, 4, 6, 6]


def test_in_a_slow_network_a_large_photo_is_shrunk_and_the_other_stopped(
    served: Served, page: Any, tmp_path: Path, kept: Kept
) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    throttle(page)
    sent, said = photo_requests(page), served.output()
    photo = write_large_photo(tmp_path / "large.jpg", turned=True)
    page.locator("#photo").set_input_files(photo)
    page.wait_for_selector("#review-photo")
    pending = state(page)["pending"]
    assert (pending["width"], pending["height"]) == (2560, 1920), "upright, and as large as the reader needs it"
    assert [bool(request.failure) for request in sent] == [True, False], "the first was stopped on its way"
    (original,) = originals(kept)
    assert original.stat().st_size < photo.stat().st_size / 2
    with Image.open(original) as smaller:
        assert smaller.getexif().get(0x0112, 1) == 1
    assert sorted(values(page)) == [1, 1, 3, 4, 6, 6]
    page.locator('[data-act="review-confirm"]').click()
    page.wait_for_selector('body[data-version="1"]')
    until = time.monotonic() + 60
    while kept():
        assert time.monotonic() < until, "the photo of a confirmed throw goes, and of the other there is nothing"
        time.sleep(0.05)
    assert served.output() == said, "nobody was told of what was stopped"


def test_a_large_photo_that_broke_off_on_its_way_is_sent_again(
    served: Served, page: Any, tmp_path: Path, kept: Kept
) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    network = throttle(page, uploadThroughput=1e5)
    with page.expect_request("**/photos"):
        page.locator("#photo").set_input_files(write_large_photo(tmp_path / "large.jpg"))
    served.kill()
    wait_for_toast(page, "No connection.")
    served.start()
    network(uploadThroughput=-1, downloadThroughput=-1)
    page.wait_for_selector("#review-photo")
    assert len(originals(kept)) == 1


# How many photos the browser keeps, which it does a moment after the page shows one.
KEPT = """async () => {
  const answerOf = (asked) => new Promise((done) => asked.addEventListener("success", () => done(asked.result)));
  if (!(await indexedDB.databases()).length) return 0;
  const base = await answerOf(indexedDB.open("rollcall.photos"));
  const count = await answerOf(base.transaction("unsent").objectStore("unsent").count());
  base.close();
  return count;
}"""

CARD = "nav.actions .on-its-way"


def on_its_way(page: Any, base: str, photo: Path, **network: float) -> Callable[..., None]:
    """Starts a table, and sends a photo so slowly that it stays on its way; gives back what changes the network."""
    start_table(page, base, "ones-and-fives", "Ada", "Bob")
    change = throttle(page, uploadThroughput=2e4, **network)
    page.locator("#photo").set_input_files(photo)
    page.locator(f"{CARD} progress").wait_for()
    return change


def quick(change: Callable[..., None]) -> None:
    change(uploadThroughput=-1, downloadThroughput=-1, latency=0)


def sees_picture(page: Any, place: str) -> None:
    page.wait_for_function("(place) => document.querySelector(place + ' img')?.naturalWidth > 0", arg=place)


def test_a_photo_on_its_way_is_seen_and_how_far_it_is(served: Served, page: Any, tmp_path: Path) -> None:
    change = on_its_way(page, served.base, write_large_photo(tmp_path / "large.jpg"))
    sees_picture(page, CARD)
    box = page.locator(CARD).bounding_box()
    assert 0 <= box["y"] <= 844 - box["height"], "where it is seen without scrolling"
    page.wait_for_function(
        """(card) => {
          const far = document.querySelector(card + " progress");
          return far?.value > 0 && far.value < far.max;
        }""",
        arg=CARD,
    )
    expect(page.locator(f"{CARD} .soft")).to_contain_text(" kB")
    assert page.locator("nav.actions .primary").count() == 0, "nothing asks for a second photo"
    assert page.locator(f'{CARD} [data-act="photo-cancel"]').bounding_box()["height"] >= 44
    quick(change)
    page.wait_for_selector("#review-photo")
    expect(page.locator(CARD)).to_have_count(0)


def test_a_review_does_not_open_over_what_a_person_is_doing(served: Served, page: Any, tmp_path: Path) -> None:
    change = on_its_way(page, served.base, write_large_photo(tmp_path / "large.jpg"))
    page.locator('[data-act="pad"]').click()
    page.locator('#panel [data-act="pad-key"][data-arg="1"]').click()
    quick(change)
    page.locator('[data-act="review"]').wait_for(state="attached")
    expect(page.locator('.slots [data-act="pad-remove"]')).to_have_count(1)
    page.locator('#panel [data-act="close"]').click()
    page.locator('[data-act="review"]').click()
    page.wait_for_selector("#review-photo")


def test_a_photo_that_cannot_be_sent_is_kept_over_a_reload(served: Served, page: Any, tmp_path: Path) -> None:
    change = on_its_way(page, served.base, write_large_photo(tmp_path / "large.jpg"))
    wait_until(lambda: page.evaluate(KEPT) == 1)
    page.reload()
    expect(page.locator(CARD)).to_contain_text("not sent yet. It is kept on this phone.")
    sees_picture(page, CARD)
    quick(change)
    page.locator('[data-act="photo-send"]').click()
    page.wait_for_selector("#review-photo")
    assert sorted(values(page)) == [1, 1, 3, 4, 6, 6]
    wait_until(lambda: page.evaluate(KEPT) == 0)
    page.reload()
    page.wait_for_selector('[data-act="review"]')
    expect(page.locator(CARD)).to_have_count(0)
    assert state(page)["pending"] is not None


def test_what_takes_a_while_is_seen(served: Served, page: Any) -> None:
    """The page is marked as busy while a change is on its way: for eyes too, with a dialog over it or without."""
    start_table(page, served.base, "ones-and-fives", "Ada", "Bob")
    seen = """(place) => {
      const line = getComputedStyle(document.querySelector(place), "::before");
      return line.content !== "none" && line.height === "5px" && Number(line.opacity) > 0.3;
    }"""
    held: list[Any] = []
    page.route("**/actions", lambda route: held.append(route))
    tap_dice(page, *(1, 1, 6, 6, 3, 4))
    assert not page.evaluate(seen, "#panel")
    page.locator('[data-act="pad-confirm"]').click()
    page.wait_for_function(seen, arg="#panel")
    page.wait_for_function(seen, arg="body")
    held[0].continue_()
    page.wait_for_selector('body[data-version="1"]')
    page.wait_for_selector("body:not([aria-busy])")
    assert not page.evaluate(seen, "body")


def test_what_the_browser_cannot_decode_is_for_the_server_to_judge(served: Served, page: Any, tmp_path: Path) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    avif = tmp_path / "photo.jpg"
    avif.write_bytes(b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00" + bytes(500_000))
    page.locator("#photo").set_input_files(avif)
    expect(page.locator(".notice").filter(has_text="AVIF")).to_be_visible()


@pytest.mark.parametrize("how", ["drop", "paste"])
def test_a_photo_may_be_dropped_or_pasted(served: Served, new_phone: NewPhone, how: str) -> None:
    page = new_phone(viewport={"width": 1024, "height": 768}, is_mobile=False, has_touch=False)
    start_table(page, served.base, "ones-and-fives", "Ada")
    content = base64.b64encode(PICTURE.read_bytes()).decode()
    page.evaluate(HAND_OVER, [content, "image/jpeg", how])
    page.wait_for_selector("#review-photo")
    assert state(page)["pending"]["status"] == "read"
    page.evaluate(HAND_OVER, [content, "image/jpeg", how])  # while that one is looked at
    wait_for_toast(page, "No photo is needed now.", exactly=True)
    discard(page)
    wait_until_closed(page)
    tap_throw(page, 1, 1, 6, 6, 3, 4)  # now dice are to be set aside: no throw may come
    version = state(page)["version"]
    page.evaluate("window.said = []")
    page.evaluate(HAND_OVER, [content, "image/jpeg", how])
    wait_for_toast(page, "No photo is needed now.", exactly=True)
    assert state(page)["version"] == version
    assert state(page)["pending"] is None


HEIC = PICTURE.with_name("throw-2345.heic")


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "computer"])
def test_a_heic_photo_of_the_library_is_chosen_and_read(served: Served, new_phone: NewPhone, phone: bool) -> None:
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


def test_where_no_throw_may_come_no_stored_photo_is_asked_for(served: Served, page: Any) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    tap_throw(page, 1, 1, 6, 6, 3, 4)
    page.wait_for_selector(".choice")
    page.locator('[data-act="menu"]').click()
    page.wait_for_selector(".menu")
    assert page.locator("#library").count() == 0


def test_a_dropped_heic_photo_that_the_computer_does_not_know_is_taken(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 1024, "height": 768}, is_mobile=False, has_touch=False)
    start_table(page, served.base, "ones-and-fives", "Ada")
    page.evaluate(HAND_OVER, [base64.b64encode(HEIC.read_bytes()).decode(), "", "drop", "IMG_1.HEIC"])
    page.wait_for_selector("#review-photo")
    assert sorted(values(page)) == [2, 3, 4, 5]
