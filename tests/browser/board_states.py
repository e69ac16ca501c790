"""How much of a large screen the board uses: `python -m tests.browser.board_states [--pictures FOLDER] [WORD...]`.

Walks the states of a board, each on four screens, and prints the used share below the header, and the smallest letters
as a share of the screen's height. Fails below `LEAST_USED` and `LEAST_LETTERS`, or where something is cut off. `WORD`:
only states whose name has one of these.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, FONTS
from tests.browser.games import open_table, record, whole_game
from tests.browser.playing import PICTURES, ready
from tests.conftest import CHROMIUM
from tests.scorer.playing import BANK, aside, keep, throw
from tests.web.served import UNPREPARED, Served

LEAST_USED = 0.6
LEAST_LETTERS = 1 / 25
SCREENS = [(1920, 1080), (1280, 720), (1024, 768), (1080, 1920)]
NAMES = [
    "Věra",
    "Bohouš",
    "Kačka",
    "Maximilián",
    "Anežka",
    "Tomáš",
    "Jindřiška",
    "Ota",
    "Bára",
    "Vojta",
    "Eliška",
    "Zdeněk",
]
# The share of 20-pixel squares below the header with text, pictures, dice, or a filled card of less than half a screen.
MEASURE = """() => {
  const top = document.querySelector("header").getBoundingClientRect().bottom;
  const S = 20, W = Math.floor(innerWidth / S), H = Math.floor((innerHeight - top) / S), grid = new Uint8Array(W * H);
  const mark = ({ left, right, top: upper, bottom }) => {
    for (let y = Math.max(0, Math.floor((upper - top) / S)); y < Math.min(H, (bottom - top) / S); y++)
      for (let x = Math.max(0, Math.floor(left / S)); x < Math.min(W, right / S); x++) grid[y * W + x] = 1;
  };
  let letters = Infinity, smallest = "";
  const cut = [];
  const walk = document.createTreeWalker(document.getElementById("board"), NodeFilter.SHOW_TEXT);
  for (let text; (text = walk.nextNode()); ) {
    if (!text.data.trim() || text.parentElement.closest(".hidden, [hidden]")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()];
    if (!boxes.length) continue;
    boxes.forEach(mark);
    let size = parseFloat(getComputedStyle(text.parentElement).fontSize);
    const drawn = text.parentElement.ownerSVGElement;
    if (drawn) size = boxes[0].height / 1.2;
    if (!drawn?.matches(".chart") && size < letters) [letters, smallest] = [size, text.data.trim()];
    const holder = text.parentElement.closest("li, .now, .notice, td") ?? document.body;
    const { right, bottom } = holder.getBoundingClientRect();
    // Letters end above the foot of their line's box.
    const [most, lowest] = [Math.min(innerWidth, right) + 2, Math.min(innerHeight, bottom) + Math.max(4, 0.12 * size)];
    if (boxes.some((box) => box.right > most || box.bottom > lowest)) cut.push(text.data.trim());
  }
  const ground = getComputedStyle(document.body).backgroundColor;
  for (const each of document.querySelectorAll("#board :is(svg, img, canvas, td, th, li, [class*=die])")) {
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    const filled = !["rgba(0, 0, 0, 0)", ground].includes(style.backgroundColor) || parseFloat(style.borderTopWidth);
    const drawn = /svg|img|canvas/i.test(each.tagName);
    if (box.width * box.height < 0.5 * innerWidth * innerHeight && (drawn || filled)) mark(box);
  }
  return { used: grid.reduce((a, b) => a + b, 0) / grid.length, letters: letters / innerHeight, smallest, cut };
}"""
THREE_ONES = [throw(1, 1, 1, 5, 3, 4)]
BUST = [throw(2, 3, 4, 6, 3, 2)]
STRAIGHT = [throw(1, 2, 3, 4, 5, 6), aside(1, 2, 3, 4, 5, 6), BANK]
YAHTZEE = [throw(3, 3, 2, 2, 2)]


class State(NamedTuple):
    name: str
    game: str
    players: int
    actions: list[dict[str, Any]] | float
    options: Mapping[str, Any] = MappingProxyType({})
    after: Callable[[Any, str], None] | None = None


def send_photo(page: Any, base: str) -> None:
    """Sends a photo of six dice to the table that the page shows, and waits until its dice are read."""
    key = re.search(r"/tables/([^/]+)", page.url).group(1)  # type: ignore[union-attr]
    address = f"{base}/api/v1/tables/{key}"
    version = page.context.request.get(address).json()["version"]
    picture = (PICTURES / "throw-112455.jpg").read_bytes()
    kind = {"Content-Type": "image/jpeg"}
    answer = page.context.request.post(f"{address}/photos?version={version}", data=picture, headers=kind)
    assert answer.status == 202, answer.text()
    page.wait_for_selector(".photo-shown .seen", timeout=120_000)


def states() -> Iterator[State]:
    """All states that the board is looked at in."""
    for players in (1, 2, 6, 12):
        yield State(f"farkle-begins-{players}", "farkle", players, [])
        yield State(f"farkle-throw-{players}", "farkle", players, THREE_ONES)
        yield State(f"yahtzee-throw-{players}", "yahtzee", players, YAHTZEE)
    yield State("farkle-aside-2", "farkle", 2, [*THREE_ONES, aside(1, 1, 1)])
    yield State("farkle-second-throw-6", "farkle", 6, [*THREE_ONES, aside(1, 1, 1), throw(5, 2, 3)])
    yield State("farkle-bust-2", "farkle", 2, [*STRAIGHT, *BUST])
    yield State("farkle-bust-12", "farkle", 12, [*STRAIGHT, *BUST])
    yield State("farkle-last-turns-6", "farkle", 6, [*STRAIGHT, *THREE_ONES], {"target": 1500})
    yield State("farkle-photo-2", "farkle", 2, [], after=send_photo)
    yield State("farkle-photo-6", "farkle", 6, STRAIGHT, after=send_photo)
    yield State("zilch-busts-6", "zilch", 6, 0.5)
    yield State("yahtzee-begins-2", "yahtzee", 2, [])
    yield State("yahtzee-rests-6", "yahtzee", 6, [*YAHTZEE, {"do": "score", "category": "full"}])
    yield State("yahtzee-rests-12", "yahtzee", 12, [*YAHTZEE, {"do": "score", "category": "full"}])
    yield State("yahtzee-keep-2", "yahtzee", 2, [*YAHTZEE, keep(2, 2, 2)])
    yield State(
        "yahtzee-last-throw-6", "yahtzee", 6, [*YAHTZEE, keep(2, 2, 2), throw(4, 6), keep(2, 2, 2), throw(1, 2)]
    )
    yield State("kosci-triple-4", "kosci-triple", 4, 0.5)
    yield State("drapky-12", "drapky", 12, 0.6)
    yield State("knaster-1", "knaster", 1, 0.6)
    yield State("knaster-2", "knaster", 2, 0.6)
    yield State("knaster-12", "knaster", 12, 0.6)
    yield State("skunk-6", "skunk", 6, 0.5)
    yield State("bunco-6", "bunco", 6, [throw(1, 1, 3)])
    yield State("forbidden-numbers-4", "forbidden-numbers", 4, 0.6)
    yield State("pig-2", "pig", 2, [throw(4)])
    yield State("ship-captain-crew-6", "ship-captain-crew", 6, 0.5)
    yield State("score-pad-3", "score-pad", 3, 0.5)
    yield State("ended-2", "farkle", 2, 1.0)
    yield State("ended-12", "ones-and-fives", 12, 1.0)


def open_state(page: Any, base: str, state: State) -> None:
    names = NAMES[: state.players]
    actions, options = state.actions, state.options
    if isinstance(actions, float):
        played = record(state.game, names, actions) if actions < 1 else None
        options = played["options"] if played else {"target": 2000}
        actions = played["actions"] if played else whole_game(state.game, names)
    open_table(page, base, state.game, *actions, players=names, view="/board", **options)
    if state.after:
        state.after(page, base)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--locale", default="cs-CZ")
    parser.add_argument("--font", choices=FONTS, default=FONTS[0])
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args(arguments)
    chosen = [one for one in states() if not asked.words or any(word in one.name for word in asked.words)]
    fonts = {"FONTCONFIG_FILE": str(Path(__file__).parent / "fonts" / f"{asked.font}.conf")}
    short = 0
    with (
        tempfile.TemporaryDirectory() as data,
        Served(Path(data) / "data", program=UNPREPARED) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, env={**os.environ, **fonts})
        scheme = "dark" if asked.dark else "light"
        page = browser.new_context(locale=asked.locale, color_scheme=scheme, reduced_motion="reduce").new_page()
        page.on("pageerror", lambda error: print("error:", error))
        for state in chosen:
            page.set_viewport_size({"width": SCREENS[0][0], "height": SCREENS[0][1]})
            open_state(page, served.base, state)
            ready(page)
            for width, height in SCREENS:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(250 if state.actions != 1.0 else 700)
                found = page.evaluate(MEASURE)
                wrong = [f"used {found['used']:.0%}"] if found["used"] < LEAST_USED else []
                if found["letters"] < LEAST_LETTERS:
                    wrong.append(f"1/{1 / found['letters']:.0f} high: {found['smallest']}")
                wrong += [f"cut: {each}" for each in found["cut"]]
                short += bool(wrong)
                print(f"{state.name:24} {width}x{height} {found['used']:4.0%} {' · '.join(wrong)}", flush=True)
                if asked.pictures:
                    asked.pictures.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=asked.pictures / f"{state.name}-{width}x{height}.png")
        browser.close()
    print(f"{len(chosen)} states on {len(SCREENS)} screens: {short} fall short")
    return int(short > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
