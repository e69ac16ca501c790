"""Games are played by ear until their end: of the page, names and roles of the accessibility tree alone are read."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import OUT, PATIENCE_MS, NewPhone
from tests.browser.games import open_table
from tests.browser.playing import PICTURES, file_chooser
from tests.browser.test_answers_from_afar import BROWSER, DOUBLE_MS, spoken
from tests.scorer.playing import throw
from tests.web.served import Served

PHOTOS = {
    "ones-and-fives": {6: "throw-122333.jpg", 2: "throw-15.jpg"},
    "yahtzee": {5: "throw-23335.jpg", 2: "throw-15.jpg"},
}
OTHER_DICE = {"ones-and-fives": [2, 3, 4, 6], "yahtzee": [6, 4, 2, 1]}  # tapped in where no photo shows so many
# Cells that stand on Ada's sheet already: three turns have all that may be asked.
WRITTEN = ("ones", "twos", "fours", "fives", "sixes", "full", "four", "small-straight", "large-straight", "general")
NUMBERED = re.compile(r"(\d): (.+)")
MOST_STEPS = 400


class Listener:
    """Somebody who does not see: hears names and roles, presses keys."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.tree = page.context.new_cdp_session(page)

    def names(self) -> Iterator[tuple[str, str, int]]:
        """Role, name and element of all that a screen reader may say, in order."""
        for node in self.tree.send("Accessibility.getFullAXTree")["nodes"]:
            name = node.get("name", {}).get("value", "")
            if not node["ignored"] and name and "backendDOMNodeId" in node:
                yield node["role"]["value"], name, node["backendDOMNodeId"]

    def hear(self, role: str, wanted: str) -> tuple[str, int]:
        """The first such name of this role, once it is there, and its element."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < until:
            for found, name, element in self.names():
                if found == role and re.search(wanted, name):
                    return name, element
            self.page.wait_for_timeout(50)
        raise TimeoutError(f"no {role} {wanted}: {list(self.names())}")

    def press(self, role: str, wanted: str) -> None:
        self.tree.send("DOM.focus", {"backendNodeId": self.hear(role, wanted)[1]})
        self.page.wait_for_timeout(DOUBLE_MS)
        self.page.keyboard.press("Enter")

    def choices(self) -> dict[int, str]:
        """What may be chosen, by its digit."""
        found = [NUMBERED.fullmatch(name) for role, name, _ in self.names() if role == "button"]
        return {int(match[1]): match[2] for match in found if match}

    def is_over(self) -> bool:
        return any(role == "heading" and re.search("wins|The game is over", name) for role, name, _ in self.names())


def open_by_ear(page: Any) -> Listener:
    ear = Listener(page)
    ear.press("button", "^Menu$")
    ear.press("DisclosureTriangle", "More$")
    ear.press("button", "^Play by ear$")
    ear.hear("button", r"^0: ")
    return ear


def take_photo(ear: Listener, game: str, count: int) -> None:
    """Throws so many dice, and tells them: by a photo, or by the digits of the dice."""
    picture = PHOTOS[game].get(count)
    if picture:
        file_chooser(ear.page, lambda: ear.page.keyboard.press("0")).set_files(PICTURES / picture)
        return
    by_hand = next(number for number, words in ear.choices().items() if words == "By hand")
    ear.page.keyboard.press(str(by_hand))
    ear.hear("button", "more di")
    for value in OTHER_DICE[game][:count]:
        ear.page.keyboard.press(str(value))
    ear.press("button", "^Confirm the throw$")


def next_digit(choices: dict[int, str], game: str, keeps: bool) -> int | None:
    """The choice of a simple player; None to throw. `keeps`: he sets aside or keeps dice of a photo."""

    def of(*starts: str) -> int | None:
        return next((number for number, words in choices.items() if words.startswith(starts)), None)

    for start in (*(["Set aside", "Only the throw"] if keeps else []), "Yes", "Bank"):
        if (number := of(start)) is not None:
            return number
    if game == "ones-and-fives":
        return next((number for number, words in choices.items() if "+" in words), None)
    cell = next((number for number, words in choices.items() if re.search(r": \d+ points?$", words)), None)
    if cell is not None:
        return cell
    unkept = [number for number, words in choices.items() if words == "Keep the 3"]
    if unkept:
        return unkept[0]
    if any(words == "Keep the 3 (kept)" for words in choices.values()) and of("Photograph 2") is not None:
        return None
    return of("Write on the sheet")


def play(ear: Listener, game: str) -> list[dict[int, str]]:
    """Plays until the end; returns what was offered on the way."""
    offered: list[dict[int, str]] = []
    pressed: dict[int, str] = {}
    for _ in range(MOST_STEPS):
        ear.page.wait_for_function("() => !document.body.hasAttribute('aria-busy')")
        until = time.monotonic() + PATIENCE_MS / 1000
        while not ear.is_over() and ((choices := ear.choices()) == pressed or not choices):
            assert time.monotonic() < until, list(ear.names())
            ear.page.wait_for_timeout(50)
        if ear.is_over():
            return offered
        offered.append(choices)
        pressed = choices
        kept = any(words.startswith(("Keep the 3", "Bank")) for each in offered[:-1] for words in each.values())
        digit = next_digit(choices, game, not kept)
        if digit is not None:
            ear.page.wait_for_timeout(DOUBLE_MS)
            ear.page.keyboard.press(str(digit))
        elif match := re.match(r"Photograph (\d)", choices.get(0, "")):
            take_photo(ear, game, int(match[1]))
        else:
            pressed = {}  # the photo is being read
            ear.page.wait_for_timeout(50)
    raise AssertionError(f"no end: {offered[-3:]}")


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [("ones-and-fives", ("Ada", "Bob"), {"target": 1000}), ("yahtzee", ("Ada",), {})],
)
def test_a_game_is_played_by_ear(
    served: Served, new_phone: NewPhone, game: str, players: tuple[str, ...], options: dict[str, Any]
) -> None:
    page = new_phone()
    page.add_init_script(BROWSER)
    written = [act for cell in WRITTEN for act in (throw(1, 1, 2, 3, 6), {"do": "score", "category": cell})]
    open_table(page, served.base, game, *(written if game == "yahtzee" else ()), players=players, **options)
    ear = open_by_ear(page)
    offered = play(ear, game)
    words = [text for choices in offered for text in choices.values()]
    assert any("Only the throw" in choices.values() and "Discard" in choices.values() for choices in offered)
    assert any(text.startswith("Photograph") for text in words)
    said = spoken(page)
    dice = "1, 2, 2, 3, 3, 3" if game == "ones-and-fives" else "2, 3, 3, 3, 5"
    first = "Bank 400" if game == "ones-and-fives" else "Three alike: 16 points"
    assert any(text.startswith(f"{dice}. Right? 1: {first}") for text in said), said
    assert any(text.startswith(f"Ada: threw {dice}.") for text in said), said
    assert any("1: " in text and "0: Photograph" in text for text in said), said
    if game == "ones-and-fives":
        assert any("Ada wins" in text for text in said), said
        assert any("this turn" in text for text in said), said
    else:
        assert any("2 throws left" in text and "Keep the 3" in text for text in said), said
    OUT.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(OUT / f"by-ear-{game}.png"))
