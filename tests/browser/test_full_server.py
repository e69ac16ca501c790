"""A server that has no place for a phone's stream: the phone asks now and then, sees what the others do, and acts at
once. And a browser that has no connection left for another tab."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import PATIENCE_MS, NewPhone
from tests.browser.games import PLAYERS
from tests.browser.playing import start_table, state, tap_throw, visit, wait_for_version
from tests.reliability.test_bounds import served_with
from tests.web.served import Served
from web.limits import ledger

THROW = (1, 1, 6, 6, 3, 4)
TABS = 8  # more than a browser has connections for to one server
# Notes what comes by streams, and which are open.
STREAMS = """window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    window.streams.push(this);
    this.addEventListener("state", () => { window.streamed = true; });
  }
};"""
HIDDEN = """(hidden) => {
  Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Served]:
    """A server with a place for one stream."""
    with served_with(
        tmp_path, held={ledger.STREAMS: (2000, 1, 100, 4)}, quotas__FIRST_S=2, quotas__LONGEST_S=4
    ) as served:
        yield served


def test_a_phone_without_a_stream_sees_what_the_others_do_and_acts_at_once(full: Served, new_phone: NewPhone) -> None:
    near, far = new_phone(), new_phone()
    asked: list[str] = []
    far.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1].split("?")[0]))
    for page in (near, far):
        page.add_init_script(STREAMS)
    address = start_table(near, full.base, "ones-and-fives", *PLAYERS)
    near.wait_for_function("() => window.streamed")
    visit(far, address)
    tap_throw(near, *THROW)
    wait_for_version(far, 1)
    far.locator(".choice").first.click()
    wait_for_version(near, 2)
    wait_for_version(far, 2)
    assert state(far)["standing"] == state(near)["standing"]
    assert far.evaluate("window.streamed") is None, "it was told without a stream"
    assert far.locator(".offline").count() == 0, "nothing is wrong with its connection"
    began = len(asked)
    far.wait_for_timeout(6000)
    since = asked[began:]
    assert since.count("states") <= 4, "it waits as long as it is told"
    assert since.count(address.rpartition("/")[2]) <= 3, "and asks seldom meanwhile"
    near.context.close()
    far.wait_for_function("() => window.streamed", timeout=PATIENCE_MS)  # now there is a place for it


def test_many_tabs_of_one_phone_leave_one_another_a_connection(own_served: Served, new_phone: NewPhone) -> None:
    first = new_phone()
    first.add_init_script(STREAMS)
    address = start_table(first, own_served.base, "ones-and-fives", *PLAYERS)
    tabs = [first]
    for _ in range(TABS - 1):
        tabs[-1].evaluate(HIDDEN, True)  # as a tab in front of which another one opens
        tabs.append(first.context.new_page())
        tabs[-1].set_default_timeout(PATIENCE_MS)
        tabs[-1].add_init_script(STREAMS)
        visit(tabs[-1], address)
    tap_throw(tabs[-1], *THROW)
    wait_for_version(tabs[-1], 1)
    opened = [tab.evaluate("window.streams.filter((stream) => stream.readyState !== 2).length") for tab in tabs]
    assert sum(opened) <= 4, opened
    assert opened[-1] == 1
    tabs[-1].evaluate(HIDDEN, True)
    tabs[0].evaluate(HIDDEN, False)
    wait_for_version(tabs[0], 1)  # shown again, it is right
