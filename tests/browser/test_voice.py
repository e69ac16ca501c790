"""A phone that was told to says aloud what happened; after a correction the new total alone."""

from typing import Any

from tests.browser.playing import start_table, tap_throw, wait_for_version
from tests.web.served import Served

LISTEN = """() => {
  window.heard = [];
  speechSynthesis.speak = (said) => window.heard.push([said.lang, said.text]);
  localStorage.setItem("rollcall.settings", JSON.stringify({ voice: true }));
}"""
CORRECT = """async () => {
  const body = { version: 2, request: "correction-1", step: 1, action: { do: "throw", dice: [1, 2, 3, 4, 6, 6] }, said: [] };
  await fetch("/api/v1" + location.pathname + "/corrections", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}"""  # noqa: E501


def test_after_a_correction_only_the_new_total_is_said(served: Served, page: Any) -> None:
    page.add_init_script(f"({LISTEN})()")
    start_table(page, served.base, "sequence", "Ada", "Bob")
    tap_throw(page, 1, 2, 3, 4, 5, 6)
    wait_for_version(page, 1)
    tap_throw(page, 2, 2, 3, 3, 4, 4)
    wait_for_version(page, 2)
    said = page.evaluate("() => window.heard")
    assert said[0] == ["en-GB", "1, 2, 3, 4, 5, 6. Ada: +25. Bob plays. 6 dice to throw"]
    assert said[1][1].startswith("2, 2, 3, 3, 4, 4. ")
    page.evaluate(CORRECT)
    wait_for_version(page, 3)
    assert page.evaluate("() => window.heard")[2:] == [["en-GB", "Ada: 15"]]
