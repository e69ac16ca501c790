"""Rollcall in Home Assistant's own page, below its path: played there, and on a phone that comes by the port."""

import re
from pathlib import Path
from typing import Any

from tests.browser.conftest import NewPhone
from tests.browser.ingress import ROOT, Ingress
from tests.browser.playing import PICTURES, confirm_review, tap_throw
from tests.web.served import UNPREPARED, Served


def test_a_throw_is_played_in_home_assistants_page(new_phone: NewPhone, tmp_path: Path) -> None:
    with (
        Served(tmp_path / "data", arguments=["--ingress", "127.0.0.1"], program=UNPREPARED) as served,
        Ingress(served.port) as home,
    ):
        page = new_phone()
        page.goto(home.base)
        frame = page.frame("addon")
        frame.wait_for_selector("body[data-ready]")
        frame.locator('[name="language"]').select_option("pl")
        frame.wait_for_selector("html[lang=pl] body[data-ready]")
        frame.locator('[name="language"]').select_option("en")
        frame.wait_for_selector("html[lang=en] body[data-ready]")
        for number, name in enumerate(("Ada", "Bob")):
            frame.locator("#seats input").nth(number).fill(name)
        frame.locator("#new-table button.primary").click()
        frame.wait_for_url(f"**{ROOT}/tables/*")
        frame.wait_for_selector("body[data-ready]")
        tap_throw(frame, 2, 3, 3, 4, 6, 6)
        frame.wait_for_selector('body[data-version="1"]')

        # A phone comes by the port, and its throw is shown in the frame at once.
        frame.locator('header [data-act="invite"]').click()
        code = frame.locator("#panel img").get_attribute("src")
        assert code.startswith(f"{ROOT}/tables/")
        setup = frame.evaluate("JSON.parse(document.getElementById('setup').textContent)")
        assert ROOT not in setup["address"]
        assert re.fullmatch(r"http://[^/]+/tables/[\w-]+", setup["address"]), setup["address"]
        frame.locator('#panel [data-act="close"]').first.click()
        phone = new_phone()
        phone.goto(served.base + setup["address"][setup["address"].index("/tables/") :])
        phone.wait_for_selector('body[data-ready][data-version="1"]')
        tap_throw(phone, 2, 3, 3, 4, 6, 6)
        frame.wait_for_selector('body[data-version="2"]')

        with page.expect_file_chooser() as chooser:
            frame.locator('label:has(input[type="file"])').first.click()
        chooser.value.set_files(PICTURES / "throw-112455.jpg")
        confirm_review(frame)
        frame.wait_for_selector('body[data-version="3"]')

        # All links of the pages lead below the path.
        for address in ("/", "/history", "/help", "/join", "/api", setup["base"].removeprefix(ROOT) + "/board"):
            frame.goto(home.base + ROOT + address)
            assert astray_links(frame) == [], address
        assert home.astray == []
        cookies = {each["name"]: each["path"] for each in page.context.cookies(home.base + ROOT + "/")}
        assert cookies["device"] == f"{ROOT}/"


def astray_links(frame: Any) -> list[str]:
    """The addresses in a page that leave the path."""
    found: list[str] = frame.evaluate(
        """(root) => [...document.querySelectorAll("[href], [src], [action]")]
          .map((each) => new URL(each.getAttribute("href") ?? each.getAttribute("src") ?? each.getAttribute("action"),
            location.href))
          .filter((url) => url.origin === location.origin && !url.pathname.startsWith(root + "/"))
          .map((url) => url.pathname)""",
        ROOT,
    )
    return found


def test_nobody_else_names_a_path(new_phone: NewPhone, tmp_path: Path) -> None:
    """Not even a proxy; of others: `tests/web/hosts/laptop/test_proxies.py`."""
    with Served(tmp_path / "data", arguments=["--behind", "127.0.0.1"], program=UNPREPARED) as served:
        page = new_phone(extra_http_headers={"X-Ingress-Path": "/evil"})
        page.goto(served.base)
        assert page.locator("a.home").get_attribute("href") == "/"
        assert page.locator("html[data-root]").count() == 0
