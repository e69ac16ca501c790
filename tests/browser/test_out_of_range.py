"""A phone that slept, walked out of range or lost its server, and comes back: nothing is lost, nothing counts twice."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import NewPhone
from tests.browser.games import PLAYERS
from tests.browser.playing import (
    PICTURES,
    start_table,
    state,
    tap_dice,
    tap_throw,
    visit,
    wait_for_toast,
    wait_for_version,
    wait_until_closed,
)
from tests.browser.range import Range
from tests.web.served import Served

THROW = (1, 1, 6, 6, 3, 4)
SENT_LATER = "No connection. This will be sent as soon as the phone is back."


@pytest.fixture
def way(served: Served) -> Iterator[Range]:
    with Range(served.port) as way:
        yield way


@pytest.fixture
def near(served: Served, new_phone: NewPhone) -> Any:
    """A phone that always reaches the server, at a table that it has started."""
    page = new_phone()
    start_table(page, served.base, "ones-and-fives", *PLAYERS)
    return page


@pytest.fixture
def far(served: Served, near: Any, way: Range, new_phone: NewPhone) -> Any:
    """A phone at the same table whose way to the server may be lost."""
    page = new_phone(patient=False)
    visit(page, near.url.replace(served.base, way.base))
    return page


def test_out_of_range_and_back_the_sheet_is_right(near: Any, far: Any, way: Range) -> None:
    way.lose()
    tap_throw(near, *THROW)
    near.locator(".choice").first.click()
    wait_for_version(near, 2)
    assert far.locator("body").get_attribute("data-version") == "0"
    way.regain()
    wait_for_version(far, 2)
    assert state(far)["standing"] == state(near)["standing"]


def test_rules_that_cannot_be_had_are_told(far: Any) -> None:
    far.context.set_offline(True)
    far.locator('header [data-act="rules"]').click()
    wait_for_toast(far, "No connection to the server. Is this phone on the same Wi-Fi?", exactly=True)


def test_a_throw_told_out_of_range_counts_once(near: Any, far: Any, way: Range) -> None:
    way.lose()
    tap_dice(far, *THROW)
    far.locator('[data-act="pad-confirm"]').click()
    wait_for_toast(far, SENT_LATER, exactly=True)
    assert far.locator("#panel .slots button").count() == len(THROW), "the dice are still there"
    far.locator('[data-act="pad-confirm"]').click()  # an impatient second tap
    way.regain()
    wait_for_version(far, 1)
    wait_until_closed(far)
    wait_for_version(near, 1)
    assert sorted(state(near)["standing"]["turn"]["throw"]) == sorted(THROW)
    assert state(near)["steps"] == 1


def test_a_photo_taken_out_of_range_is_read_when_the_phone_is_back(far: Any) -> None:
    far.context.set_offline(True)
    far.locator("#photo").set_input_files(PICTURES / "throw-113466.jpg")
    wait_for_toast(far, SENT_LATER, exactly=True)
    far.context.set_offline(False)
    far.wait_for_selector("#review-photo")


def test_a_phone_that_slept_is_right_when_it_wakes(near: Any, far: Any, way: Range) -> None:
    # As it is put to sleep, the page hears that it is hidden; its stream is lost meanwhile.
    far.evaluate(
        """() => {
          window.asleep = true;
          Object.defineProperty(document, "hidden", {get: () => window.asleep, configurable: true});
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    way.lose()
    tap_throw(near, *THROW)
    way.regain()
    far.evaluate("() => { window.asleep = false; document.dispatchEvent(new Event('visibilitychange')); }")
    wait_for_version(far, 1)
