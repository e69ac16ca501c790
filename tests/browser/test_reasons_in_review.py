"""Why the reader asks, on the page: whole, in the longest language, with large text."""

from pathlib import Path
from typing import Any

from tests.browser.conftest import OUT, PICTURED, NewPhone
from tests.browser.playing import set_text_size, start_table, visit
from tests.browser.test_every_page import LONGEST
from tests.browser.test_review import doubtful, put_under_review, review
from tests.browser.test_within_reach import FAULTS, MOST_STUCK
from tests.vision.test_photos_that_ask import PHOTOS, jpeg
from tests.web.served import UNPREPARED, Served
from vision.reasons import ASKS
from web.texts.languages import read_catalogue

PARAMS = {"found": 5, "dice": 6, "value": 3, "other": 5}


def test_each_reason_is_said_on_the_page(new_phone: NewPhone, tmp_path: Path) -> None:
    asked = {
        reason: review(doubtful(6), asks=[{"reason": reason, "params": PARAMS, "text": "?"}], sure=False)
        for reason in ASKS
    }
    paths = put_under_review(tmp_path / "data", asked)
    page = new_phone(is_mobile=False, locale=LONGEST)
    set_text_size(page, "200%")
    wrong = []
    with Served(tmp_path / "data", program=UNPREPARED) as served:
        for reason, path in paths.items():
            visit(page, served.base + path)
            page.locator('[data-act="review"]').click()
            page.wait_for_selector("#review-photo")
            told = page.locator(".asks").inner_text().replace("\u00a0", " ").strip()
            said = str(read_catalogue(LONGEST).get(ASKS[reason]).string).format(**PARAMS)
            if told.casefold() != said.replace("\u00a0", " ").casefold():
                wrong.append(told)
            wrong += [f"{reason}: {line}" for line in page.evaluate(FAULTS, MOST_STUCK)]
            if wrong or PICTURED:
                page.screenshot(path=OUT / "reasons" / f"{reason}.png")
    assert not wrong, "\n" + "\n".join(wrong)


def test_where_a_die_is_cut_off_is_marked_in_the_photo(served: Served, page: Any) -> None:
    """The only reason about what is no die of the reading, at a known place."""
    start_table(page, served.base, "ones-and-fives", "Ada", "Bob")
    picture, _ = PHOTOS["cut"]
    page.locator("#photo").set_input_files({"name": "a.jpg", "mimeType": "image/jpeg", "buffer": jpeg(picture())})
    page.wait_for_selector("#review-photo")
    assert "cut off" in page.locator(".asks").inner_text()
    photo, mark = (page.locator(at).bounding_box() for at in ("#review-photo image", ".spot .line"))
    assert abs(photo["x"] + photo["width"] - mark["x"] - mark["width"]) < 4, "at the photo's right side"
