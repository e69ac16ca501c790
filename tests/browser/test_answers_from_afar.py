"""Answers from afar: by voice, by one large button, by a remote's keys. The browser's own voice and ears are put in."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import import_record
from tests.browser.playing import (
    open_entry,
    set_text_size,
    start_table,
    state,
    tap,
    tap_throw,
    visit,
    wait_for_toast,
    wait_for_version,
)
from tests.browser.test_spoken import REMEMBER
from tests.web.served import Served

DOUBLE_MS = 500  # sooner, a key is the second press of a double one
# What a browser has to speak and to hear. `spoken`: what was said; `listening`: the session that hears now;
# `hear(text)`: somebody says this; `mute`: the voice does not come to its end by itself.
BROWSER = """{
  window.spoken = [];
  window.listening = null;
  window.starts = 0;
  speechSynthesis.cancel = () => {};
  speechSynthesis.speak = (said) => {
    spoken.push([said.lang, said.text]);
    window.endSpeech = () => said.onend?.();
    if (!window.mute) setTimeout(endSpeech);
  };
  class Recognition {
    static async available() { return window.onDevice ? "available" : "downloadable"; }
    start() {
      if (window.listening) throw new DOMException("it listens already", "InvalidStateError");
      window.listening = this;
      window.starts += 1;
      setTimeout(() => this.onstart?.());
      if (window.failing) setTimeout(() => this.fail(window.failing));
    }
    abort() { setTimeout(() => this.fail("aborted")); }
    fail(error) {
      if (window.listening !== this) return;
      this.onerror?.({ error });
      this.end();
    }
    end() {
      window.listening = null;
      this.onend?.();
    }
  }
  window.hear = (text) => {
    const heard = window.listening;
    heard.onspeechstart?.();
    heard.onresult?.({ results: [Object.assign([{ transcript: text }], { isFinal: true })] });
    heard.end();
  };
  window.SpeechRecognition = window.webkitSpeechRecognition = Recognition;
}"""
SETTINGS = 'localStorage.setItem("rollcall.settings", JSON.stringify({ voice: true, listen: true }));'
KOSCI = {"format": 1, "game": "kosci-single", "players": ["Ada", "Bob"]}
LAST_THROW = [
    {"do": "throw", "dice": [3, 3, 3, 5, 6]},
    {"do": "keep", "dice": [3, 3, 3]},
    {"do": "throw", "dice": [5, 6]},
    {"do": "keep", "dice": [3, 3, 3, 5]},
    {"do": "throw", "dice": [5]},
]


def phone_with_ears(new_phone: NewPhone, settings: str = "", **options: Any) -> Any:
    page = new_phone(**options)
    page.add_init_script(BROWSER + settings)
    return page


def spoken(page: Any) -> list[str]:
    return [text for _, text in page.evaluate("() => window.spoken")]


def may_bank(page: Any, base: str) -> None:
    """A table at which Ada may bank 700 points."""
    start_table(page, base, "farkle", "Ada", "Bob")
    tap_throw(page, 1, 2, 3, 6, 6, 6)
    wait_for_version(page, 1)
    tap(page, {"do": "set-aside", "dice": [1, 6, 6, 6]})
    wait_for_version(page, 2)


def test_points_are_banked_by_voice_and_the_next_turn_is_said(served: Served, new_phone: NewPhone) -> None:
    page = phone_with_ears(
        new_phone, 'localStorage.setItem("rollcall.settings", JSON.stringify({ voice: true }));', locale="cs"
    )
    may_bank(page, served.base)
    assert page.evaluate("() => window.starts") == 0  # off at first
    open_entry(page, "answer-by-voice")
    expect(page.locator("#panel")).to_contain_text("Prohlížeč může zvuk poslat svému výrobci")
    page.locator('[data-act="listen"]').check()
    page.wait_for_function("() => window.listening?.lang")
    assert page.evaluate("() => window.listening.lang") == "cs-CZ"
    page.keyboard.press("Escape")
    page.evaluate("() => window.hear('six')")
    page.wait_for_function("() => window.listening")
    page.evaluate("() => window.hear('Zapsat.')")
    wait_for_version(page, 3)
    assert state(page)["standing"]["players"][0]["score"] == 700
    page.wait_for_function("said => window.spoken.at(-1)[1] === said", arg="Ada: +700. Hraje Bob. 6 kostek k\u00a0hodu")
    page.wait_for_function("() => !window.listening")  # nothing may be answered now
    assert state(page)["version"] == 3


def test_the_page_may_ask_for_the_microphone(served: Served, page: Any) -> None:
    start_table(page, served.base, "sequence", "Ada")
    assert page.evaluate("() => document.featurePolicy.allowsFeature('microphone')")


def test_it_does_not_listen_while_it_speaks(served: Served, new_phone: NewPhone) -> None:
    page = phone_with_ears(new_phone, SETTINGS)
    may_bank(page, served.base)
    page.wait_for_function("() => window.listening")
    page.evaluate("() => { window.mute = true; window.before = window.listening; }")
    tap_throw(page, 1, 5)
    page.wait_for_function("() => window.spoken.length > 2 && !window.listening")
    wait_for_version(page, 3)
    tap(page, {"do": "set-aside", "dice": [1]})
    wait_for_version(page, 4)
    page.evaluate("() => { window.listening = window.before; window.hear('bank'); }")  # its own words, too late
    assert page.evaluate("() => window.starts") == 1
    page.evaluate("() => window.endSpeech()")
    page.wait_for_function("() => window.starts === 2 && window.listening")
    assert state(page)["version"] == 4


@pytest.mark.parametrize(
    ("error", "sentence", "stays"),
    [
        ("not-allowed", "The microphone may not be used here. Answers by voice are switched off.", False),
        ("network", "No speech was recognised: this browser needs the internet for it.", True),
        ("no-speech", "No answer was heard. Tap it, or answer the next question aloud.", True),
    ],
)
def test_what_fails_is_told_once(served: Served, new_phone: NewPhone, error: str, sentence: str, stays: bool) -> None:
    page = phone_with_ears(new_phone, SETTINGS + f"window.failing = '{error}';" + REMEMBER)
    may_bank(page, served.base)
    wait_for_toast(page, sentence)
    tap(page, {"do": "bank"})
    wait_for_version(page, 3)
    tap_throw(page, 1, 2, 3, 6, 6, 6)
    wait_for_version(page, 4)
    tap(page, {"do": "set-aside", "dice": [1, 6, 6, 6]})
    wait_for_version(page, 5)
    page.wait_for_timeout(1000)  # it would have tried again by now
    assert page.evaluate("() => window.starts") == (2 if stays else 1)
    assert page.evaluate("() => window.heard").count(sentence) == 1
    assert page.evaluate("() => JSON.parse(localStorage.getItem('rollcall.settings')).listen") == stays


def test_one_large_button_answers_at_any_size_of_text(served: Served, new_phone: NewPhone) -> None:
    page = phone_with_ears(new_phone)
    set_text_size(page, "200%")
    may_bank(page, served.base)
    open_entry(page, "large-buttons")
    button = page.locator("#panel .answers button")
    expect(button).to_have_text("Bank 700")
    box = button.bounding_box()
    assert box["width"] > 300
    assert box["height"] > 0.4 * 844
    button.dblclick()  # the second tap was meant for the first
    wait_for_version(page, 3)
    expect(page.locator("#panel")).to_contain_text("Nothing is asked now.")
    assert state(page)["version"] == 3


def test_the_voice_tells_the_best_three_cells_and_one_key_takes_one(served: Served, new_phone: NewPhone) -> None:
    page = phone_with_ears(new_phone, SETTINGS)
    visit(page, import_record(page, served.base, {**KOSCI, "actions": LAST_THROW[:-1]}))
    tap_throw(page, 5)
    wait_for_version(page, 5)
    page.wait_for_function("() => window.spoken.length")
    best = "1: Full house: 25 points. 2: Three alike: 19 points. 3: Chance: 19 points"
    assert spoken(page) == [f"5. {best}"]
    page.keyboard.press("2")  # the buttons are not open: it is no answer
    open_entry(page, "large-buttons")
    page.keyboard.press("PageUp")  # none of them
    page.wait_for_function("() => window.spoken.length === 2")
    assert spoken(page)[1].startswith("1: Fives: 10 points. ")
    for number in range(4):  # thirteen cells are told in five parts, then anew
        page.wait_for_timeout(DOUBLE_MS)
        page.keyboard.press("PageUp")
        page.wait_for_function("count => window.spoken.length === count", arg=3 + number)
    assert spoken(page)[-1] == best
    page.wait_for_timeout(DOUBLE_MS)
    page.keyboard.press("2")
    page.keyboard.press("2")
    wait_for_version(page, 6)
    page.wait_for_function("() => window.spoken.at(-1)[1] === 'Ada: Three alike +19. Bob plays'")
    assert state(page)["version"] == 6
