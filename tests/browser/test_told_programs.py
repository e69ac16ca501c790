"""A program that is told at its own address is connected, seen and disconnected in the table's menu."""

from __future__ import annotations

import time
from typing import Any

from tests.browser.conftest import NewPhone
from tests.browser.test_stream_and_television import start
from tests.web.phones import api_of
from tests.web.programs.webhooks.test_webhooks import Receiver
from tests.web.served import UNPREPARED, Served
from tests.web.waiting import wait_until


def test_a_program_is_told_at_its_address(tmp_path: Any, new_phone: NewPhone) -> None:
    # Nobody listens at port 9 of this machine.
    with Served(tmp_path / "data", program=UNPREPARED, arguments=["--webhooks-to", "127.0.0.1"]) as served:
        phone = new_phone(locale="cs-CZ")
        phone.goto(base := start(phone, served, "Ada", "Bob"))
        phone.click('[data-act="menu"]')
        phone.locator("#panel .more > summary").click()
        phone.click('[data-act="programs"]')
        assert not phone.is_visible("#program-address")
        phone.fill("#program-name", "Lampa")
        phone.check('[name="program-may"][value="told"]')
        phone.fill("#program-address", "http://8.8.8.8/")
        assert phone.locator("#program-address").bounding_box()["height"] >= 44
        phone.click('[data-act="program-connect"]')
        phone.wait_for_function("() => window.said?.length")
        phone.fill("#program-address", "http://127.0.0.1:9/rollcall")
        phone.click('[data-act="program-connect"]')
        assert phone.inner_text("#secret").startswith("whsec_")
        body = {"version": 0, "request": "request-1", "action": {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}}
        assert phone.context.request.post(f"{api_of(base)}/actions", data=body).ok
        until = time.monotonic() + 60
        while not (told := phone.context.request.get(f"{api_of(base)}/webhooks").json()["items"])[0]["failure"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert told[0]["failure"] == "no-answer"
        phone.goto(base)
        phone.click('[data-act="menu"]')
        phone.locator("#panel .more > summary").click()
        phone.click('[data-act="programs"]')
        line = phone.inner_text('[data-key^="webhook-"]')
        assert "Neodpověděl." in line
        assert "http://127.0.0.1:9/rollcall" in line
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        phone.click('[data-act="webhook-out"]')
        phone.wait_for_selector('[data-key^="webhook-"]', state="detached")


def test_a_program_that_was_given_up_is_told_again_by_a_button(tmp_path: Any, new_phone: NewPhone) -> None:
    receiver = Receiver()
    receiver.answers = [410]  # it wants no more
    with Served(tmp_path / "data", program=UNPREPARED, arguments=["--webhooks-to", "127.0.0.1"]) as served:
        phone = new_phone(locale="cs-CZ")
        phone.goto(base := start(phone, served, "Ada", "Bob"))
        body = {"name": "Světlo nad stolem v obývacím pokoji", "address": receiver.address}
        assert phone.context.request.post(f"{api_of(base)}/webhooks", data=body).ok
        body = {"version": 0, "request": "request-1", "action": {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}}
        assert phone.context.request.post(f"{api_of(base)}/actions", data=body).ok
        wait_until(lambda: phone.context.request.get(f"{api_of(base)}/webhooks").json()["items"][0]["given_up"])
        phone.goto(base)
        phone.click('[data-act="menu"]')
        phone.locator("#panel .more > summary").click()
        phone.click('[data-act="programs"]')
        again = phone.locator('[data-act="webhook-again"]')
        assert again.inner_text() == "Zkusit znovu"
        for button in (again, phone.locator('[data-act="webhook-out"]')):
            assert min(button.bounding_box()[side] for side in ("width", "height")) >= 44
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        phone.evaluate("document.documentElement.style.fontSize = '200%'")
        phone.set_viewport_size({"width": 320, "height": 568})
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for button in (again, phone.locator('[data-act="webhook-out"]')):
            assert (box := button.bounding_box())["x"] >= 0
            assert box["x"] + box["width"] <= 320
        again.scroll_into_view_if_needed()
        again.click()
        wait_until(lambda: receiver.told)
        assert receiver.told[0]["event"] == "throw-confirmed"
        again.wait_for(state="detached")
    receiver.close()
