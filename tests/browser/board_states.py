"""States of a board, and how much of a large screen it uses there."""

import re
from typing import Any, NamedTuple

from tests.browser.games import open_table, record, whole_game
from tests.browser.playing import PICTURES
from tests.scorer.playing import BANK, aside, throw

LEAST_USED = 0.6
LEAST_LETTERS = 1 / 25
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


STATES = (
    State("farkle-throw-12", "farkle", 12, THREE_ONES),
    State("farkle-bust-2", "farkle", 2, [*STRAIGHT, *BUST]),
    State("yahtzee-rests-6", "yahtzee", 6, [*YAHTZEE, {"do": "score", "category": "full"}]),
    State("knaster-12", "knaster", 12, 0.6),
    State("score-pad-3", "score-pad", 3, 0.5),
    State("ended-12", "ones-and-fives", 12, 1.0),
)


def open_state(page: Any, base: str, state: State) -> None:
    names = NAMES[: state.players]
    actions: list[dict[str, Any]]
    options: dict[str, Any] = {}
    if isinstance(state.actions, list):
        actions = state.actions
    elif state.actions < 1:
        played = record(state.game, names, state.actions)
        actions, options = played["actions"], played["options"]
    else:
        actions, options = whole_game(state.game, names), {"target": 2000}
    open_table(page, base, state.game, *actions, players=names, view="/board", **options)
