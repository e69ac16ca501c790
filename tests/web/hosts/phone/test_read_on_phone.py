"""A phone at a laptop's table that looks into its photos itself, in Chromium."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.playing import PICTURES, discard, open_entry, ready, start_table
from tests.web.hosts.phone.conftest import PhoneBrowser
from tests.web.served import UNPREPARED, Served
from web.hosts.laptop.phone_site import FOLDER

PHOTOS = ["throw-113466.jpg", "throw-12345.jpg", "throw-224444.jpg"]

pytestmark = [pytest.mark.whole, pytest.mark.browser]


def pending_of(page: Any, photo: str) -> dict[str, Any]:
    """What was read in a photo that this page sends."""
    page.locator("#photo").set_input_files(PICTURES / photo)
    page.wait_for_selector("#review-photo")
    asked = 'async () => (await fetch(JSON.parse(document.getElementById("setup").textContent).base.replace('
    found: dict[str, Any] = page.evaluate(f'{asked}"/tables/", "/api/v1/tables/"))).json()')["pending"]
    discard(page)
    page.locator(".reading-row").wait_for(state="detached")
    return found


def test_a_phone_reads_its_own_photos(site: Path, tmp_path: Path, new_browser: Callable[[], PhoneBrowser]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / FOLDER).symlink_to(site)
    with Served(data, program=UNPREPARED) as server:
        page = new_browser().context.new_page()
        start_table(page, server.base, "ones-and-fives", "Ada")
        theirs = [pending_of(page, photo) for photo in PHOTOS]
        open_entry(page, "phone")
        eye = page.locator('[data-setting="eye"]')
        assert not eye.is_checked()
        eye.check()
        page.locator('[data-act="phone-save"]').click()
        asked: list[str] = []
        page.on("response", lambda response: note(response, asked))
        page.reload()
        ready(page)
        while not asked:  # until the eye has come, the computer reads
            pending_of(page, PHOTOS[0])
        asked.clear()
        ours = [pending_of(page, photo) for photo in PHOTOS]
        assert asked.count("") == asked.count("light") == len(PHOTOS)
        assert "border" in asked
    for mine, its in zip(ours, theirs, strict=True):
        assert (mine["sure"], mine["width"], mine["height"]) == (its["sure"], its["width"], its["height"])
        assert [(die["value"], die["sure"]) for die in mine["dice"]] == [
            (die["value"], die["sure"]) for die in its["dice"]
        ]
        for one, other in zip(mine["dice"], its["dice"], strict=True):
            assert one["box"] == pytest.approx(other["box"], abs=1)


def note(response: Any, asked: list[str]) -> None:
    if response.url.endswith("/seen"):
        asked.append(json.loads(response.text())["name"])
