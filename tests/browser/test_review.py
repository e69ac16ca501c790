"""The photo under review: labels that mislead nobody, dice that lie aside, why the reader asks.

What it says and asks of which dice: `tests/scripts/review.test.mjs`.
"""

import io
import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import (
    PICTURES,
    open_entry,
    photograph,
    start_table,
    state,
    tap_throw,
    values,
    visit,
    wait_for_toast,
    wait_for_version,
    wait_until_closed,
)
from tests.browser.test_best_move import CHOICE
from tests.browser.test_every_page import LONGEST
from tests.web import under_review
from tests.web.apps import create_app
from tests.web.phones import Phone, start
from tests.web.served import UNPREPARED, Served
from web.services import services

SIZE = (1200, 900)
PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}

Json = dict[str, Any]


def grid(columns: int, rows: int, side: float, left: float = 420, top: float = 300) -> list[list[float]]:
    """Boxes of dice that touch each other on all sides."""
    places = itertools.product(range(rows), range(columns))
    return [[left + x * side, top + y * side, left + (x + 1) * side, top + (y + 1) * side] for y, x in places]


def read_die(value: int, box: list[float], **told: Any) -> Json:
    others = [(value + step - 1) % 6 + 1 for step in (3, 1, 4, 2, 5)]
    return {"value": value, "confidence": 0.9, "sure": True, "box": box, "alternatives": others, **told}


def read_dice(values: Sequence[int], boxes: list[list[float]], unsure: int | None = None) -> list[Json]:
    """Dice of these values; the reader is not sure of those that show `unsure`."""
    return [read_die(value, box, sure=value != unsure) for value, box in zip(values, boxes, strict=True)]


def draw_photo(dice: list[Json]) -> bytes:
    """A photo of these dice."""
    image = Image.new("RGB", SIZE, "#2b5d3a")
    pen = ImageDraw.Draw(image)
    for die in dice:
        x0, y0, x1, y1 = die["box"]
        side = x1 - x0
        pen.rounded_rectangle((x0 + 2, y0 + 2, x1 - 2, y1 - 2), side * 0.15, fill="#f4f0e6")
        for pip in PIPS[die["value"]]:
            row, column = divmod("abcdefghi".index(pip), 3)
            x, y, r = x0 + side * (0.25 + 0.25 * column), y0 + side * (0.25 + 0.25 * row), side * 0.09
            pen.ellipse((x - r, y - r, x + r, y + r), fill="#151515")
    out = io.BytesIO()
    image.save(out, "JPEG", quality=90)
    return out.getvalue()


def review(dice: list[Json], aside: Sequence[Json] = (), game: str = "ones-and-fives", **told: Any) -> Json:
    """A photo of these dice that waits to be confirmed, and the game of its table; `told`: what the reader said."""
    photo = {"status": "read", "place": 1, "source": "photo", "device": "", "version": 0, "sure": True, "problem": None}
    photo |= {"width": SIZE[0], "height": SIZE[1], "dice": dice, "aside": [*aside], "asks": []}
    return {"game": game, "photo": {**photo, "beside": [die["value"] for die in aside], **told}}


def put_under_review(data: Path, reviews: dict[str, Json]) -> dict[str, str]:
    """Starts a table for each photo, which needs no reader; gives their paths."""
    application = create_app(data)
    parts = services(application)
    paths = {}
    for number, (name, what) in enumerate(reviews.items()):
        phone = Phone(application.test_client(), start(application.test_client(), what["game"]))
        photo = {"id": f"photo-of-dice-{number}", "expects": phone.standing["turn"]["expects"], **what["photo"]}
        under_review.put(application, phone.key, photo)
        parts.photos.files.put_original(photo["id"], b"x")
        parts.photos.files.put_shown(photo["id"], draw_photo([*photo["dice"], *photo["aside"]]))
        paths[name] = phone.base
    parts.close()
    return paths


OpenReview = Callable[[Any, str], None]


@pytest.fixture(scope="module")
def open_review(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenReview]:
    """Opens one of `REVIEWS` by its name, on a server with all of them. Each test has a photo of its own."""
    data = tmp_path_factory.mktemp("reviews") / "data"
    paths = put_under_review(data, REVIEWS)

    def open_named(page: Any, name: str) -> None:
        visit(page, served.base + paths[name])
        page.locator('[data-act="review"]').click()
        page.wait_for_selector("#review-photo")

    with Served(data, program=UNPREPARED) as served:
        yield open_named


def doubtful(count: int, sure: int = 0) -> list[Json]:
    """So many dice, all doubtful but the first ones."""
    return [read_die(i % 6 + 1, box, sure=i < sure) for i, box in enumerate(grid(3, 2, 200)[:count])]


ASKS = [
    {"reason": "too-few", "params": {"found": 5, "dice": 6}, "text": "?"},
    {"reason": "touching", "params": {}, "text": "?"},
    {"reason": "blurred", "params": {}, "text": "?"},
]
# The dice, and those aside, of reviews from which the dice are photographed again.
AGAIN: dict[str, tuple[list[Json], list[Json]]] = {
    "sure": (doubtful(6, sure=6), []),
    "doubtful": (doubtful(6, sure=3), []),
    "too few": (doubtful(3, sure=3), []),
    "none": ([], []),
    "aside": (doubtful(5, sure=5), doubtful(6, sure=6)[5:]),
}
BLOCK = grid(3, 2, 150)
REVIEWS = {
    "asks": review(
        [read_die(i + 1, box, sure=i != 1) for i, box in enumerate(grid(2, 3, 250, left=300, top=60))],
        asks=ASKS,
        sure=False,
    ),
    "one aside": review(read_dice((1, 3, 3, 4, 6), BLOCK[:5]), [read_die(1, BLOCK[5])], expects=6),
    "two doubtful": review(doubtful(6, sure=4), sure=False),
    **{f"again, {name}": review(*told) for name, told in AGAIN.items()},
    "doubtful sixes": review(read_dice((6, 6, 6, 5, 5), grid(5, 1, 110), unsure=6), game="yahtzee", sure=False),
}


def test_labels_stand_beside_the_dice_and_can_be_read(open_review: OpenReview, page: Any) -> None:
    """Where they stand in any heap: `tests/scripts/dialogs.test.mjs`."""
    open_review(page, "two doubtful")
    told = page.locator("#review-photo .box text").evaluate_all("all => all.map((one) => one.textContent)")
    assert told == ["1", "2", "3", "4", "5 ?", "6 ?"]
    wrong = page.evaluate(
        """() => {
          const [svg, ...others] = ["#review-photo", "#review-photo .tag", "#review-photo .box .line"]
            .map((parts) => [...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect()));
          const [tags, dice] = others;
          const within = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1
            && a.bottom <= b.bottom + 1;
          const meet = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
          return tags.filter((tag) => !within(tag, svg[0]) || tag.height < 18 || dice.some((die) => meet(tag, die)));
        }"""
    )
    assert wrong == [], "each label is in the picture, on no die, and large enough to be read"


def thrown_and_aside(page: Any) -> tuple[list[int], list[int]]:
    """The values in the row of dice: those that were thrown, and those that lie aside."""
    told = [
        page.locator(f".reading-row {place} button").evaluate_all("all => all.map((one) => one.ariaLabel)")
        for place in ("> ", ".beside ")
    ]
    return tuple(sorted(int(label.split(": ")[1][0]) for label in labels) for labels in told)  # type: ignore[return-value]


def test_dice_that_lie_aside_are_left_out_and_one_tap_counts_them(open_review: OpenReview, page: Any) -> None:
    open_review(page, "one aside")
    assert thrown_and_aside(page) == ([1, 3, 3, 4, 6], [1])
    expect(page.locator(".count")).to_have_text("1 die is missing")
    expect(page.locator(".beside")).to_contain_text("lie aside")
    aside = page.locator("#review-photo .lies-aside")
    assert aside.count() == 1
    dashes = aside.locator(".line").get_attribute("stroke-dasharray")
    others = page.locator("#review-photo .box:not(.lies-aside) .line").first.get_attribute("stroke-dasharray")
    assert dashes != others, "not by colour alone"
    assert "lies aside" in str(aside.get_attribute("aria-label"))
    aside.locator(".line").click(force=True)
    assert thrown_and_aside(page) == ([1, 1, 3, 3, 4, 6], [])
    page.locator('#review-photo [data-key="b5"] .line').click(force=True)
    assert thrown_and_aside(page) == ([1, 3, 3, 4, 6], [1])
    page.locator(".beside button").click()
    assert thrown_and_aside(page) == ([1, 1, 3, 3, 4, 6], [])
    page.locator('.reading-row [data-arg="3"]').click()
    page.locator('[data-act="review-aside"]').click()
    assert thrown_and_aside(page) == ([1, 1, 3, 3, 6], [4]), "any die may lie aside"
    page.locator(".beside button").click()
    with page.expect_request(lambda request: request.url.endswith("/actions")) as sent:
        page.locator('[data-act="review-confirm"]').click()
    wait_until_closed(page)
    told = sent.value.post_data_json
    assert told["action"]["dice"] == [1, 3, 3, 4, 6, 1]
    assert told["evidence"]["aside"] == []


def test_kept_dice_in_view_stay_out_of_the_throw(served: Served, page: Any) -> None:
    start_table(page, served.base, "yahtzee", "Ada")
    tap_throw(page, 1, 2, 4, 4, 6)
    for die in (0, 1):
        page.locator(f'[data-act="keep-toggle"][data-arg="{die}"]').click()
    photograph(page, "throw-12345.jpg")  # the kept one and two are still on the table
    assert thrown_and_aside(page) == ([3, 4, 5], [1, 2])
    page.locator('[data-act="review-confirm"]').click()
    wait_until_closed(page)
    assert sorted(state(page)["standing"]["turn"]["dice"]) == [1, 2, 3, 4, 5]


PIPS_UNDER_A_MARK = """() => {
  const marks = [...document.querySelectorAll(".reading-row .mark")];
  if (!marks.length) return "no die is marked";
  return marks.flatMap((mark) => {
    const over = mark.getBoundingClientRect();
    return [...mark.parentElement.querySelectorAll("svg circle")].filter((pip) => {
      const { left, right, top, bottom } = pip.getBoundingClientRect();
      return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
    });
  }).length;
}"""


def test_why_it_asks_is_said_and_all_that_can_be_done_is_in_sight(open_review: OpenReview, new_phone: NewPhone) -> None:
    page = new_phone(locale=LONGEST)
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        open_review(page, "asks")
        assert page.evaluate(PIPS_UNDER_A_MARK) == 0, "a 2 would look like a 1"
        asks = page.locator(".asks").inner_text()
        assert asks.count(" · ") == 1, "two at most"
        assert "?" not in asks, "each is said in the phone's language"
        assert "6" not in asks, "that some are missing is said above"
        page.wait_for_function(
            """() => [...document.querySelectorAll(".under-photo .row.end button")].every(
              (button) => button.getBoundingClientRect().bottom <= innerHeight,
            )"""
        )
    page.locator(".reading-row button").nth(1).click()
    page.locator('[data-act="review-value"][data-arg="2"]').click()
    expect(page.locator(".asks")).to_have_count(0)


def test_a_doubtful_throw_offers_cells_once_each_doubtful_die_was_told(open_review: OpenReview, page: Any) -> None:
    open_review(page, "doubtful sixes")
    for number in range(3):
        expect(page.locator(CHOICE)).to_have_count(0)
        page.locator(".reading-row button").nth(number).click()
        page.locator('[data-act="review-value"][data-arg="6"]').click()
    expect(page.locator(CHOICE).first).to_be_visible()
    page.locator(CHOICE, has_text="Full house").click()
    wait_for_version(page, 2)
    assert state(page)["standing"]["players"][0]["score"] == 25


def test_the_dice_are_forgotten_from_the_menu_and_all_phones_hear_it(served: Served, new_phone: NewPhone) -> None:
    page, other = new_phone(), new_phone()
    address = start_table(page, served.base, "sequence", "Ada", "Bob")
    visit(other, address)
    page.locator('[data-act="menu"]').click()
    expect(page.locator('[data-act="forget-dice"]')).to_have_count(0)
    page.locator('[data-act="close"]').click()
    photograph(page, "throw-113466.jpg")
    page.locator('[data-act="review-confirm"]').click()
    wait_until_closed(page)
    assert state(page)["learnt"] == 1
    open_entry(page, "forget-dice")
    expect(page.locator("#panel")).to_contain_text("From 1 confirmed photo")
    page.locator('[data-act="forget-dice-now"]').click()
    wait_until_closed(page)
    for phone in (page, other):
        wait_for_toast(phone, "forgotten these dice")
    assert state(page)["learnt"] == 0


# The head's doubt and its close button stand in one line, the button at the right.
BESIDE = """() => {
  const parts = [".count.doubt", "[data-act=close]"].map((one) => document.querySelector(`.review-head ${one}`));
  const [at, beside] = parts.map((one) => one?.getBoundingClientRect());
  return at && beside && beside.right > innerWidth - 24 && beside.left >= at.right && beside.top < at.bottom;
}"""


@pytest.mark.parametrize("language", ["pl", "de"])
def test_the_close_button_stands_at_the_right_beside_the_doubt(
    open_review: OpenReview, new_phone: NewPhone, language: str
) -> None:
    page = new_phone(locale=language)
    open_review(page, "two doubtful")
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(BESIDE)


def test_the_dice_can_be_photographed_again_from_every_review(open_review: OpenReview, page: Any) -> None:
    for name in AGAIN:
        open_review(page, f"again, {name}")
        again = page.locator("#panel label", has_text="Photograph again")
        expect(again).to_be_visible()
        assert again.bounding_box()["height"] >= 44
    page.locator("#again").set_input_files(PICTURES / "throw-113466.jpg")
    page.wait_for_function(
        """() => document.querySelectorAll('#panel[open] .reading-row button').length === 6
          && !document.querySelector('#review-photo image').href.baseVal.includes('photo-of-dice')"""
    )
    assert sorted(values(page)) == [1, 1, 3, 4, 6, 6], "without a question: the person has said which one counts"
