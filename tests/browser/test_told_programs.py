"""A program that is told at its own address is connected, seen and disconnected in the table's menu."""

from __future__ import annotations

import time
from typing import Any

from tests.browser.conftest import NewPhone
from tests.browser.test_stream_and_television import start
from tests.web.bounded import bounds
from tests.web.phones import api_of
from tests.web.served import Served

BOUNDED = ("-m", "tests.web.bounded")


def test_a_program_is_told_at_its_address(tmp_path: Any, new_phone: NewPhone) -> None:
    # Nobody listens at port 9 of this machine.
    soon, allowed = bounds(webhook_sender__PAUSES_S=[0.1, 0.1]), ["--webhooks-to", "127.0.0.1"]
    with Served(tmp_path / "data", program=BOUNDED, environment=soon, arguments=allowed) as served:
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
        while not (told := phone.context.request.get(f"{api_of(base)}/webhooks").json()["items"])[0]["missed"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert (told[0]["failure"], told[0]["missed"]) == ("no-answer", 1)
        phone.goto(base)
        phone.click('[data-act="menu"]')
        phone.locator("#panel .more > summary").click()
        phone.click('[data-act="programs"]')
        line = phone.inner_text('[data-key^="webhook-"]')
        assert "Neodpověděl. Nedorazila k němu 1 událost." in line.replace("\N{NO-BREAK SPACE}", " ")
        assert "http://127.0.0.1:9/rollcall" in line
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        out = phone.locator('[data-act="webhook-out"]')
        assert min(out.bounding_box()[side] for side in ("width", "height")) >= 44
        out.click()
        phone.wait_for_selector('[data-key^="webhook-"]', state="detached")
