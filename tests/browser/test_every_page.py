"""Every page in every language, light and dark: checked by axe and `accessibility`, and pictured for people.

With `--pictures` they go to out/screenshots, which the repository does not keep; without, those of what is wrong.
"""

from pathlib import Path
from typing import Any

import pytest

import scorer
from tests.browser.accessibility import faults
from tests.browser.conftest import OUT, PICTURED, NewPhone
from tests.browser.games import import_record, record
from tests.browser.pages import NAMES, addresses
from tests.browser.playing import (
    PICTURES,
    close_dialogs,
    discard,
    open_entry,
    photograph,
    ready,
    show_card,
    start_table,
    visit,
    wait_for_version,
    wait_until_closed,
)
from tests.web.phones import api_of
from tests.web.served import Served
from web.texts.language_table import TABLE
from web.texts.languages import COOKIE

# What dark mode may change; all other rules are about what the page says, which is the same in both.
OF_COLOURS = ("color-contrast", "link-in-text-block")
# What a language may change: names of controls, which a translation could lack, and what scrolls where words are long.
OF_LANGUAGES = (
    *("html-has-lang", "html-lang-valid", "valid-lang", "document-title", "scrollable-region-focusable"),
    *("button-name", "link-name", "label", "select-name", "summary-name", "image-alt", "svg-img-alt", "role-img-alt"),
    *("aria-command-name", "aria-dialog-name", "aria-input-field-name", "aria-toggle-field-name"),
)
GAMES = [info.key for info in scorer.games()]
LANGUAGES = tuple(TABLE)
LONGEST = "de"  # the language with the longest words: here all rules are checked, and dark mode
OTHERS = [language for language in LANGUAGES if language != LONGEST]
# `make test` walks through states in the longest language alone, and sees pages and sheets in one of the others too.
in_each_language = pytest.mark.parametrize(
    "language", [LONGEST, *(pytest.param(language, marks=pytest.mark.slow) for language in OTHERS)]
)
# Of all drawings of a sheet and of a turn one game each.
UNLIKE = (
    *("ones-and-fives", "drapky", "sequence", "forbidden-numbers", "kosci-triple", "knaster", "yahtzee"),
    *("shut-the-box", "skunk"),
)
PHONE = {"width": 390, "height": 844}
TABLET = {"width": 1024, "height": 768}
# Two frames, and the end of what they began: the colours have changed, and what slides in has arrived.
SETTLED = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))"""
# Controls with text that reaches beyond them, and those that reach beyond the screen's side.
CUT_OFF = """() => [...document.querySelectorAll("button, a.button, label.button, h1, h2, h3, .name, .score, .notice")]
  .filter((one) => one.offsetParent && !one.closest(".scroller, .hidden"))
  .filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < -1 || box.right > innerWidth + 1 || (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
      && getComputedStyle(one).textOverflow !== "ellipsis" && getComputedStyle(one).display !== "inline");
  })
  .map((one) => one.outerHTML.slice(0, 120))"""
# What makes the page wider than the screen.
BEYOND = """() => (document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")])
  .filter((one) => !one.parentElement.closest(".scroller") && one.getBoundingClientRect().right > innerWidth)
  .map((one) => `${one.outerHTML.slice(0, 200)} ${one.getBoundingClientRect().right} of ${innerWidth}`)"""
# What can be tapped and is smaller than 44 px either way. Links in running text are as high as their line (WCAG 2.5.8).
TOO_SMALL = """() => [...(document.querySelector("dialog[open]") || document).querySelectorAll(
    "button, a, summary, select, input:not([type=hidden]), label.button, [role=button]")]
  .filter((one) => !one.closest(".board .sheets"))  // nothing there is to be tapped
  .filter((one) => !(one.matches("a") && getComputedStyle(one).display === "inline"
    && one.parentElement.textContent.trim() !== one.textContent.trim()))
  .map((one) => (one.matches("[type=radio], [type=checkbox], [type=file]") ? one.closest("label") : one))
  .map((one) => one.querySelector(".hit") || one)
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 43.9 || box.width < 43.9))
  .map(([one, box]) => `${one.outerHTML.slice(0, 120)} ${box.width.toFixed(1)}x${box.height.toFixed(1)}`)"""
TALLEST = 6000  # pixels of a picture


class Gallery:
    """Examines a page: pictures of it, what axe finds, targets too small, and what is read badly.

    In the language with the longest words it checks all rules, and the colours of dark mode too.
    In the others it checks the rules that depend on the language.
    """

    def __init__(self, page: Any, language: str, every_rule: bool = False) -> None:
        """`every_rule`: also in another language than the longest."""
        self.page = page
        self.language = language
        self.every_rule = every_rule or language == LONGEST
        self.place = 0
        self.wrong: list[str] = []
        page.add_init_script(axe_script())  # sooner than sent to each page anew

    def take(self, name: str, address: str | None = None) -> None:
        """Examines what is shown, or a page at an address. A picture is of what a person sees and, where the page is
        longer, of all of it."""
        if address is not None:
            self.page.goto(address)
            self.page.wait_for_load_state()
        schemes = {"light": (), "dark": OF_COLOURS} if self.every_rule else {"light": OF_LANGUAGES}
        for scheme, rules in schemes.items():
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            self.page.evaluate(SETTLED)
            found = findings(self.page, rules)
            if found or PICTURED:
                self._picture(OUT / f"{self.language}-{scheme}", name)
            self.wrong += [f"{name}, {scheme}: {line}" for line in found]
        self._look(name)

    def take_in_another(self, name: str) -> None:
        """Looks for what is read badly on this page in one of the other languages, each in its turn."""
        if self.language != LONGEST or PICTURED:
            return
        self.place += 1
        other = OTHERS[self.place % len(OTHERS)]
        drawn = self.page.locator("body[data-ready]").count()
        self.page.context.add_cookies([{"name": COOKIE, "value": other, "url": self.page.url}])
        self.page.reload()
        if drawn:
            ready(self.page)
        self.page.context.clear_cookies(name=COOKIE)
        self._look(f"{name} in {other}")

    def _look(self, name: str) -> None:
        self.wrong += [f"{name}: too small a target: {line}" for line in self.page.evaluate(TOO_SMALL)]
        self.wrong += [f"{name}: {line}" for line in faults(self.page)]

    def _picture(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=folder / f"{name}.png")
        # A taller window instead of a stitched picture: what sticks to its edges stays there.
        size = self.page.viewport_size
        height = self.page.evaluate("document.querySelector('dialog[open]') ? 0 : document.body.scrollHeight")
        if height > size["height"]:
            self.page.set_viewport_size({**size, "height": min(height, TALLEST)})
            self.page.screenshot(path=folder / f"{name}-whole.png")
            self.page.set_viewport_size(size)


def axe_script() -> str:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    return str(axe.Axe().axe_script)


def findings(page: Any, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe finds, as lines; by these of its rules alone, if any are given."""
    # Not where on the page it is, nor all that is right: that takes as long as the rules.
    options = {"resultTypes": ["violations"], "selectors": False, **({"runOnly": rules} if rules else {})}
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(axe_script())
    found = page.evaluate("(options) => axe.run(options).then((found) => found.violations)", options)
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}" for one in found]


@in_each_language
def test_every_page_is_sound(served: Served, new_phone: NewPhone, language: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    gallery.take("history-empty", f"{served.base}/history")
    # The page without a server goes on by itself as soon as the server answers what it asks.
    page.route("**/manifest.webmanifest", lambda route: route.abort())
    for name, address in addresses(page, served.base).items():
        gallery.take(name, address)
        gallery.take_in_another(name)
    assert gallery.wrong == []


@in_each_language
def test_every_form_is_sound(served: Served, new_phone: NewPhone, language: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    visit(page, f"{served.base}/")
    page.locator("details.house summary").click()
    page.locator('details.import:has(input[name="record"]) summary').click()
    for key in ("six-dice", "knaster"):
        show_card(page, key)
        page.locator(f'label.game:has([value="{key}"])').click()
        gallery.take(f"start-house-{key}")
    for seat in range(2):
        page.locator("#seats input").nth(seat).fill("Ada")
    page.locator("#new-table button.primary").click()
    page.wait_for_selector("[role=alert]")
    gallery.take("start-refused")
    assert gallery.wrong == []


@in_each_language
def test_everything_at_a_table_is_sound(served: Served, new_phone: NewPhone, language: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    table = start_table(page, served.base, "ones-and-fives", *NAMES[:2])
    gallery.take("table")
    page.locator('[data-act="pad"]').click()
    gallery.take("pad")
    for value in (1, 1, 1, 5, 2, 4):
        page.locator(f'#panel [data-act="pad-key"][data-arg="{value}"]').click()
    gallery.take("pad-full")
    page.locator('[data-act="pad-confirm"]').click()
    wait_for_version(page, 1)
    gallery.take("choices")
    page.locator(".choice").first.click()
    wait_for_version(page, 2)
    gallery.take("aside")
    page.locator('[data-act="undo"]').click()
    page.wait_for_selector('[data-act="undo-do"]:not([aria-disabled])')
    gallery.take("undo")
    close_dialogs(page)
    page.locator('header [data-act="menu"]').click()
    gallery.take("menu")
    close_dialogs(page)
    shown = {"invite": ".invite", "rules": ".rules", "correct": ".steps", "phone": "#device-name"}
    for sheet, content in shown.items():
        open_entry(page, sheet)
        page.wait_for_selector(f"#panel {content}")
        gallery.take(sheet)
        if sheet == "correct":
            page.locator('#panel [data-act="correct-step"]').first.click()
            gallery.take("correct-editor")
            page.locator('[data-act="correct-value"][data-arg="2"]').click()
            page.wait_for_selector(".effect")
            gallery.take("correct-preview")
        close_dialogs(page)
        wait_until_closed(page)
    page.context.set_offline(True)
    page.wait_for_selector(".offline")
    gallery.take("offline")
    page.context.set_offline(False)
    page.wait_for_selector(".offline", state="detached")
    _somebody_undoes(page, table)
    page.wait_for_selector(".events")
    gallery.take("undone-by-another")
    open_entry(page, "phone")
    page.locator('[name="plays-for"][value="1"]').check()
    page.locator('[data-act="phone-save"]').click()
    page.wait_for_selector(".waiting")
    gallery.take("waiting-for-another")
    visit(page, f"{table}/board")
    gallery.take("board")
    visit(page, f"{table}/camera")
    gallery.take("camera-setup")
    visit(page, f"{table}/print")
    gallery.take("print")
    assert gallery.wrong == []


@in_each_language
def test_every_photo_is_sound(served: Served, new_phone: NewPhone, language: str, tmp_path: Path) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    start_table(page, served.base, "ones-and-fives", *NAMES[:2])
    no_photo = tmp_path / "photo.jpg"
    no_photo.write_text("this is no photo")
    page.locator("#photo").set_input_files(no_photo)
    page.wait_for_selector('.notice [data-act="discard"]')
    gallery.take("photo-failed")
    discard(page, "discard")
    photograph(page, "throw-112455.jpg")
    gallery.take("photo")
    page.locator(".reading-row button").first.click()
    gallery.take("photo-die")
    page.locator('[data-act="review-remove"]').click()
    gallery.take("photo-die-missing")
    page.locator('[data-act="close"]').click()
    gallery.take("photo-waits")
    page.locator('[data-act="review"]').click()
    discard(page)  # a die is still missing there
    wait_until_closed(page)
    photograph(page, "throw-112455.jpg")
    page.locator('[data-act="review-confirm"]').click()
    wait_for_version(page, 1)
    page.locator(".choice").first.click()
    wait_for_version(page, 2)
    page.locator("#photo").set_input_files(PICTURES / "throw-112455.jpg")
    page.wait_for_selector("#review-photo")
    gallery.take("photo-too-many")
    discard(page)
    wait_until_closed(page)
    page.locator('[data-act="live"]').click()
    page.wait_for_function("() => document.getElementById('live')?.videoWidth > 0")
    gallery.take("live-camera")
    assert gallery.wrong == []


@in_each_language
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in UNLIKE else pytest.mark.slow) for game in GAMES]
)
def test_every_sheet_is_sound(served: Served, new_phone: NewPhone, game: str, language: str) -> None:
    """Each game in the middle of a turn and at its end, on a phone, on a tablet, on the board and on paper."""
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    gallery.place = GAMES.index(game)
    tables: dict[str, str] = {}
    for moment, part in {"first": 0.0, "middle": 0.55, "end": 1.0}.items():
        tables[moment] = import_record(page, served.base, record(game, NAMES, part))
        visit(page, tables[moment])
        gallery.take(f"{game}-{moment}")
    gallery.take_in_another(f"{game}-end")
    for name, address in {"print": f"{tables['end']}/print", "rules": f"{served.base}/rules/{game}"}.items():
        gallery.take(f"{game}-{name}", address)
    page.set_viewport_size(TABLET)
    for name, address in {"tablet": tables["middle"], "board": f"{tables['middle']}/board"}.items():
        visit(page, address)
        gallery.take(f"{game}-{name}")
    assert gallery.wrong == []


def _somebody_undoes(page: Any, table: str) -> None:
    version = int(page.locator("body").get_attribute("data-version"))
    body = {"version": version, "request": "request-of-another"}
    answer = page.context.request.post(f"{api_of(table)}/undo", data=body, headers={"Accept": "application/json"})
    assert answer.ok


def test_forced_colours_leave_dice_and_choices_to_be_seen(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(forced_colors="active", color_scheme="dark")
    visit(page, import_record(page, served.base, record("kosci", NAMES, 0.55)))
    page.locator('[data-act="keep-toggle"]').first.click()
    page.wait_for_selector('.keepable[aria-pressed="true"]')
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    colours = """(all) => [all[0], all[all.length - 1]].map((one) => getComputedStyle(one))
      .map((style) => [style.fill, style.stroke])"""
    (die, kept), (_, not_kept) = page.locator(".keepable .die rect").evaluate_all(colours)
    ((pip, _), *_) = page.locator(".keepable .die circle").evaluate_all(colours)
    assert die != pip, "a pip is seen on its die"
    assert kept != not_kept, "a kept die is told from one that is not"


def test_nothing_moves_where_motion_is_not_wanted(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(reduced_motion="reduce")
    start_table(page, served.base, "ones-and-fives", "Ada")
    page.locator('[data-act="pad"]').click()
    # What turns while a photo is read, on this page too, so that nothing hangs on how soon it is read.
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<span class=\"spinner\"></span>')")
    assert page.evaluate("getComputedStyle(document.querySelector('.spinner')).animationName") == "turn"
    assert (
        page.evaluate(
            """document.getAnimations().map((one) => one.effect.getComputedTiming())
          .filter((timing) => timing.duration > 1 || timing.iterations !== 1).length"""
        )
        == 0
    )
