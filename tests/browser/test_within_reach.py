"""What can be tapped is within a thumb's reach: on every page, in every dialog, at every size of screen and text.

Nothing here names a button: what a page shows is measured, and pages and dialogs are found by their links and menus.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any
from urllib.parse import urldefrag, urlsplit

import pytest

import scorer
from tests.browser.conftest import OUT, NewPhone
from tests.browser.games import import_record, record
from tests.browser.pages import ADDRESSES, NAMES, addresses
from tests.browser.playing import (
    close_dialogs,
    open_entry,
    photograph,
    set_text_size,
    start_table,
    visit,
    wait_for_version,
)
from tests.web.served import Served

# One of each family of games.
FAMILIES = ("ones-and-fives", "drapky", "sequence", "kosci-triple", "knaster", "skunk", "yahtzee", "score-pad", "bunco")
TWELVE = tuple(f"{name} {number}" for number in range(1, 5) for name in NAMES)
MOST_STUCK = 0.42  # of the height: what stays where it is while the rest scrolls
# What is wrong with the controls that are to be seen: `most` of the height may be held by what does not scroll.
FAULTS = """(most) => {
  const dialog = document.querySelector("dialog[open]");
  const scope = dialog ?? document.body;
  const box = dialog ?? document.scrollingElement;
  const wrong = [];
  const tell = (one, what) => wrong.push(`${what}: ${one.outerHTML.slice(0, 110).replace(/\\s+/g, " ")}`);
  const inText = (one) => one.matches("a") && getComputedStyle(one).display === "inline"
    && one.parentElement.textContent.trim() !== one.textContent.trim();
  const tapped = (one) => {
    const hit = one.querySelector(".hit");
    return hit ?? (one.matches("[type=radio], [type=checkbox], [type=file]") ? one.closest("label") ?? one : one);
  };
  const CONTROLS = "button, a[href], summary, select, textarea, input:not([type=hidden]), [role=button], [data-act]";
  const all = [...new Set([...scope.querySelectorAll(CONTROLS)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.closest(".hidden, .board .sheets")).map(tapped))]
    .filter((one) => one.getBoundingClientRect().width > 0);
  const layer = (one) => {
    for (let at = one; at && at !== scope; at = at.parentElement)
      if (["fixed", "sticky"].includes(getComputedStyle(at).position)
        || /auto|scroll/.test(getComputedStyle(at).overflow)) return at;
    return null;
  };

  // Wide parts scroll in a box of their own; the page does not.
  if (box.scrollWidth > box.clientWidth + 1) {
    const right = dialog ? dialog.getBoundingClientRect().right : innerWidth;
    const widest = [...scope.querySelectorAll("*")].find((one) => !one.closest(".hidden")
      && !one.parentElement.closest(".scroller") && one.getBoundingClientRect().right > right + 1
      && ![...one.children].some((child) => child.getBoundingClientRect().right > right + 1));
    tell(widest ?? scope, `${box.scrollWidth} px wide`);
  }

  // Names and points are there to be read: not beyond what cuts them off, nor shortened to nothing.
  for (const one of scope.querySelectorAll("h1, h2, .name, .score")) {
    const { left, right, width } = one.getBoundingClientRect();
    if (!one.checkVisibility() || one.closest(".hidden, .scroller, .strip, svg") || !one.textContent.trim()) continue;
    const edge = one.closest("li, section, header")?.getBoundingClientRect();
    if (width < 24 && one.textContent.trim().length > 2) tell(one, `${width.toFixed(0)} px wide`);
    // What has no box of its own cuts nothing off.
    if (edge?.width && (left < edge.left - 1 || right > edge.right + 1)) tell(one, "is cut off");
  }

  for (const one of all) {
    const { width, height } = one.getBoundingClientRect();
    // A small die in a photo has a large button below it.
    if (!inText(one) && !one.closest("svg") && (width < 43.9 || height < 43.9))
      tell(one, `${width.toFixed(1)}x${height.toFixed(1)} px`);
  }

  // No two lie over one another, among those that scroll together.
  const places = all.filter((one) => !one.closest("svg") && !inText(one))
    .map((one) => [one, layer(one), one.getBoundingClientRect()]);
  for (const [index, [one, its, a]] of places.entries())
    for (const [other, others, b] of places.slice(index + 1)) {
      if (its !== others || one.contains(other) || other.contains(one)) continue;
      const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (x > 1 && y > 1) tell(one, `${x.toFixed(0)}x${y.toFixed(0)} px lie over ${other.outerHTML.slice(0, 70)}`);
    }

  // Scrolled to, each is hit in its middle and near its edges.
  for (const one of all) {
    if (inText(one)) continue;
    one.scrollIntoView({ block: "center", inline: one.closest(".scroller") ? "center" : "nearest" });
    dispatchEvent(new Event("scroll"));  // headings that move with the page do so when they hear of it
    for (const moves of document.getAnimations()) if (moves instanceof CSSTransition) moves.finish();
    const { left, right, top, bottom } = one.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) tell(one, `from ${left.toFixed(0)} to ${right.toFixed(0)} px`);
    if (one.closest("svg")) continue;  // a die in a photo may lie before another one
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const sides = one.closest(".scroller") ? [] : [[left + 4, y], [right - 4, y]];  // names stay while cells scroll
    const [upper, lower] = [Math.max(top, 0) + 4, Math.min(bottom, innerHeight) - 4];
    for (const [px, py] of [[x, y], [x, upper], [x, lower], ...sides]) {
      const at = document.elementFromPoint(px, py);
      if (at && (one.contains(at) || at.contains(one) && !at.matches("body, main, dialog"))) continue;
      tell(one, `covered by ${at?.outerHTML.slice(0, 60)}`);
      break;
    }
  }

  // What does not move when the page does: over most of the width it leaves most of the height to the rest.
  const room = box.scrollHeight - box.clientHeight;
  if (room > 40) {
    const sticky = [...scope.querySelectorAll("*")].filter((one) =>
      ["fixed", "sticky"].includes(getComputedStyle(one).position) && getComputedStyle(one).pointerEvents !== "none"
        && one.checkVisibility());
    const tops = () => sticky.map((one) => one.getBoundingClientRect().top);
    box.scrollTop = room / 2;
    const before = tops();
    box.scrollTop += 20;
    const after = tops();
    const stuck = sticky.filter((_, index) => Math.abs(before[index] - after[index]) < 10)
      .map((one) => one.getBoundingClientRect());
    const frame = dialog ? dialog.getBoundingClientRect() : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const height = frame.bottom - frame.top;
    const held = [...Array(9).keys()].map((part) => {
      const x = frame.left + ((part + 0.5) / 9) * (frame.right - frame.left);
      let taken = 0;
      for (let y = frame.top + 2; y < frame.bottom; y += 4)
        if (stuck.some((at) => at.left <= x && x <= at.right && at.top <= y && y <= at.bottom)) taken += 4;
      return taken / height;
    }).sort((a, b) => a - b)[4];
    if (held > most) wrong.push(`${(100 * held).toFixed(0)} % of the height do not scroll`);
  }
  return wrong;
}"""
# How many set-asides are wholly in sight after a throw that offers five, with text of 100, 150 and 200 %.
IN_SIGHT = {
    (320, 568): (2, 1, 0),
    (360, 640): (4, 2, 1),
    (390, 664): (4, 1, 1),
    (390, 844): (5, 2, 1),
    (568, 320): (1, 0, 0),
    (640, 360): (2, 0, 0),
    (664, 390): (3, 0, 0),
    (844, 390): (3, 2, 0),
}
SEEN = """() => {
  scrollTo(0, 0);
  const end = document.querySelector("nav.actions").getBoundingClientRect().top + 0.5;
  const places = [...document.querySelectorAll("button.choice")].map((one) => one.getBoundingClientRect());
  return places.filter(({ top, bottom }) => top >= 0 && bottom <= end).length;
}"""
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20))))"
LINKS = """() => [...document.querySelectorAll("a[href]:not([download])")].map((one) => one.href)"""


class Ruler:
    """Measures what a page shows at every size of screen, and keeps what is wrong. `turns`: of how many rulers each
    measures some of the screens, in turn; `place`: of this one among them."""

    def __init__(
        self, page: Any, size: str, screens: Sequence[tuple[int, int]], turns: int = 1, place: int = 0
    ) -> None:
        self.page = page
        self.size = size
        self.screens = screens
        self.turns, self.place = turns, place
        self.wrong: list[str] = []

    def measure(self, name: str, shows: Callable[[tuple[int, int]], bool] = lambda _: True) -> None:
        """`shows`: whether a screen of this size shows what it must."""
        self.place += 1
        for width, height in self.screens[self.place % self.turns :: self.turns]:
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.evaluate(FRAMES)
            found = [] if shows((width, height)) else ["too little in sight"]
            found += self.page.evaluate(FAULTS, MOST_STUCK)
            if found:
                self.page.screenshot(path=OUT / "reach" / f"{name}-{width}x{height}-{self.size.replace('%', '')}.png")
            self.wrong += [f"{name}, {width}x{height}, {self.size}: {line}" for line in found]


def test_every_page_is_within_reach(served: Served, ruler: Ruler) -> None:
    """One page of each kind, and all pages to which they lead, each kind once."""
    page = ruler.page
    waiting = [*addresses(page, served.base).values()]
    page.route("**/manifest.webmanifest", lambda route: route.abort())  # or the page without a server goes on
    seen: set[str] = set()
    while waiting:
        address = urldefrag(waiting.pop(0)).url
        kind = re.sub(r"(clubs|tables|rules|games|g)/[^/]+", r"\1/*", urlsplit(address).path)
        if kind in seen or not address.startswith(served.base):
            continue
        seen.add(kind)
        if not unfold(page, address):
            continue  # a document that the browser shows in its own way
        waiting += page.evaluate(LINKS)
        ruler.measure(kind.strip("/").replace("/", "-") or "start")
    assert len(seen) > 12, seen
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


def unfold(page: Any, address: str) -> bool:
    """Opens a page and all that it folds up; whether it is one of ours."""
    answer = page.goto(address)
    if "text/html" not in answer.headers["content-type"]:
        return False
    page.wait_for_load_state()
    if address.endswith("/luck"):  # until it is worked out, the page loads itself anew, also in the midst of a test
        page.locator("table.bill").wait_for(state="attached")
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    return True


def test_pages_about_twelve_are_within_reach(served: Served, ruler: Ruler) -> None:
    """All that is told of a table, once there are as many players as there may be."""
    page = ruler.page
    about = [name for name, address in ADDRESSES.items() if re.search("{(table|running|key)}", address)]
    shown = addresses(page, served.base, TWELVE)
    for name in [*about, "history", "player", "players"]:
        unfold(page, shown[name])
        ruler.measure(f"{name}-twelve")
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


@pytest.mark.parametrize(("size", "which"), [("100%", 0), ("150%", 1), ("200%", 2)])
def test_the_choices_of_a_throw_are_in_sight(served: Served, new_phone: NewPhone, size: str, which: int) -> None:
    """However many play: one page, measured at all screens."""
    page = new_phone(is_mobile=False, locale="cs")
    set_text_size(page, size)
    ruler = Ruler(page, size, list(IN_SIGHT))
    throw = {"do": "throw", "dice": [1, 1, 5, 2, 3, 4]}
    for players in (2, 6, 12):
        names = [f"Bohumil {number}" for number in range(players)]
        told = {"format": 1, "game": "ones-and-fives", "players": names, "actions": [throw]}
        visit(page, import_record(page, served.base, told))
        ruler.measure(f"{players}-players", lambda screen: page.evaluate(SEEN) >= IN_SIGHT[screen][which])
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


def test_every_game_is_within_reach(served: Served, ruler: Ruler) -> None:
    """With three players, with as many as there may be, and with two."""
    page = ruler.page
    for game in FAMILIES:
        moments = ((0.0, NAMES), (0.55, TWELVE[: scorer.game(game).most_players]), (1.0, NAMES[:2]))
        for part, names in moments:
            visit(page, import_record(page, served.base, record(game, names, part)))
            ruler.measure(f"{game}-{part}-{len(names)}-players")
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


@pytest.mark.parametrize(
    ("game", "names"),
    [
        *(pytest.param(game, NAMES, marks=pytest.mark.slow) for game in ("kosci-triple", "ones-and-fives")),
        ("yahtzee", TWELVE),
    ],
)
def test_every_dialog_is_within_reach(served: Served, ruler: Ruler, game: str, names: Sequence[str]) -> None:
    """All that the menu opens, and what these dialogs open in turn."""
    page = ruler.page
    visit(page, import_record(page, served.base, record(game, names, 0.3)))
    for name in opened_by_menu(page):
        ruler.measure(f"{game}-{name}")
    close_dialogs(page)
    for name in chain(of_players(page), corrected(page)):
        ruler.measure(f"{game}-{name}")
    close_dialogs(page)
    page.locator('[data-act="undo"]').click()
    page.wait_for_selector('[data-act="undo-do"]:not([aria-disabled])')
    ruler.measure(f"{game}-undo")
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


def opened_by_menu(page: Any) -> Iterator[str]:
    menu = page.locator('header [data-act="menu"]')
    entries = page.locator("#panel .menu button[data-act]")
    menu.click()
    page.locator("#panel .more > summary").click()
    yield "menu"
    for act in entries.evaluate_all("all => all.map((one) => one.dataset.act)"):
        if not page.locator(f'#panel .menu [data-act="{act}"]').count():
            close_dialogs(page)
            menu.click()
            page.locator("#panel .more > summary").click()
        before = page.locator("#panel-content").inner_html()
        page.locator(f'#panel .menu [data-act="{act}"]').click()
        page.wait_for_function("before => document.getElementById('panel-content').innerHTML !== before", arg=before)
        yield f"menu-{act}"


def of_players(page: Any) -> Iterator[str]:
    open_entry(page, "players")
    page.locator('[data-act="player-open"]').first.click()
    page.locator('[data-act="player-rename"]').wait_for()
    yield "player"


def corrected(page: Any) -> Iterator[str]:
    close_dialogs(page)
    open_entry(page, "correct")
    yield "steps"
    die = page.locator('[data-act="correct-step"]').first
    value = int(die.get_attribute("aria-label")[-1]) % 6 + 1
    die.click()
    page.locator('[data-act="correct-value"]').first.wait_for()
    yield "correct-die"
    page.locator(f'[data-act="correct-value"][data-arg="{value}"]').click()
    page.wait_for_selector(".effect")
    yield "correct-preview"
    close_dialogs(page)
    open_entry(page, "correct")
    page.locator('[data-act="correct-other"]').first.click()
    page.locator('[data-act="correct-choose"], #brought').first.wait_for()
    yield "correct-other"


def test_telling_a_throw_is_within_reach(served: Served, ruler: Ruler) -> None:
    page = ruler.page
    start_table(page, served.base, "ones-and-fives", *NAMES[:2])
    ruler.measure("throw-due")
    page.locator('[data-act="pad"]').click()
    ruler.measure("pad")
    for value in (1, 1, 1, 5, 2, 4):
        page.locator(f'#panel [data-act="pad-key"][data-arg="{value}"]').click()
    ruler.measure("pad-full")
    page.locator('[data-act="pad-confirm"]').click()
    wait_for_version(page, 1)
    ruler.measure("choices")
    page.locator(".choice").first.click()
    wait_for_version(page, 2)
    ruler.measure("set-aside")
    page.context.set_offline(True)
    page.wait_for_selector(".offline")
    ruler.measure("offline")
    page.context.set_offline(False)
    page.wait_for_selector(".offline", state="detached")
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


def test_a_photo_is_within_reach(served: Served, ruler: Ruler) -> None:
    page = ruler.page
    start_table(page, served.base, "kosci-triple", *NAMES[:2])
    photograph(page, "throw-12345.jpg")
    ruler.measure("photo")
    page.locator(".reading-row button").first.click()
    page.locator(".chooser").wait_for()
    ruler.measure("photo-die")
    page.locator('[data-act="review-remove"]').click()
    ruler.measure("photo-missing")
    close_dialogs(page)
    ruler.measure("photo-waits")
    page.locator('[data-act="live"]').click()
    page.wait_for_function("() => document.getElementById('live')?.videoWidth > 0")
    ruler.measure("live")
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)
