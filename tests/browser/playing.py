"""What a person does with a phone, in words."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin

PICTURES = Path(__file__).resolve().parents[1] / "pictures"


def set_text_size(page: Any, size: str) -> None:
    """Gives the pages that this one opens from now on text of this size, such as "200%".

    It is there before the first style is computed, as with a person's own setting. If it changes later, Chromium
    may leave `max(1rem, env(...))` as it was.
    """
    page.add_init_script(
        f"""new MutationObserver((_, observer) => {{
          if (!document.documentElement) return;
          document.documentElement.style.fontSize = "{size}";
          observer.disconnect();
        }}).observe(document, {{ childList: true }});"""
    )


def ready(page: Any) -> None:
    page.wait_for_selector("body[data-ready]")


@contextmanager
def all_loaded(page: Any) -> Iterator[None]:
    """Waits until a table's page, which is opened within, has all that comes after its first view."""
    with ExitStack() as stack:
        for part in ("/on-demand.js", "/texts/later/"):
            stack.enter_context(page.expect_event("requestfinished", lambda request, part=part: part in request.url))
        yield


def visit(page: Any, address: str) -> None:
    page.goto(address)
    ready(page)


def show_card(page: Any, game: str) -> None:
    """Opens the family of a game on the start page, if it is closed."""
    family = page.locator(f'details.family[data-keys~="{game}"]:not([open]) > summary')
    if family.count():
        family.click()


def start_table(page: Any, base: str, game: str, *players: str, **options: Any) -> str:
    """Starts a table by the start page's form, which is not opened, and returns its address."""
    form = [("game", game), *(("player", name) for name in players)]
    form += [(f"{game}.{name}", str(value)) for name, value in options.items()]
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = page.context.request.post(f"{base}/tables", data=urlencode(form), headers=kind, max_redirects=0)
    assert answer.status == 303, answer.text()
    visit(page, urljoin(base, answer.headers["location"]))
    return str(page.url)


def edit_by_hand(page: Any, base: str, game: str) -> None:
    """Leads from the start page to the form that changes a game."""
    visit(page, f"{base}/")
    show_card(page, game)
    page.locator(f'label.game:has([value="{game}"])').click()
    page.locator("#game-edit").click()
    page.wait_for_url(f"**/games/{game}/edit")
    ready(page)


def play_own_game(page: Any, *players: str) -> None:
    """Leads from the page of a game that people made to a table of it."""
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/?game=*")
    ready(page)
    for number, name in enumerate(players):
        page.locator("#seats input").nth(number).fill(name)
    page.locator("#new-table button.primary").click()
    page.wait_for_url("**/tables/*")
    ready(page)


def start_by_hand(page: Any, base: str, game: str, *players: str, **options: Any) -> str:
    """The same as a person does, on the start page."""
    visit(page, f"{base}/")
    card = page.locator(f'label.game:has([value="{game}"])')
    show_card(page, game)
    card.click()
    for number, name in enumerate(players):
        seat = page.locator("#seats input").nth(number)
        if not seat.is_visible():
            page.locator("#more-seats").click()
        seat.fill(name)
    if options:
        page.locator("details.house summary").click()
        for name, value in options.items():
            page.locator(f'[name="{game}.{name}"]').fill(str(value))
    page.locator("#new-table button.primary").click()
    page.wait_for_url("**/tables/*")
    ready(page)
    return str(page.url)


def state(page: Any) -> Any:
    """The table's state, as this phone may ask for it."""
    return page.evaluate(
        "async () => (await fetch('/api/v1' + location.pathname, {headers: {Accept: 'application/json'}})).json()"
    )


def wait_for_version(page: Any, version: int) -> None:
    page.wait_for_selector(f'body[data-version="{version}"]')


def wait_for_toast(page: Any, words: str, exactly: bool = False) -> None:
    """Waits until a toast has said these words, alone or among others, or nothing else than them. It may be gone."""
    told = (
        "(window.said || []).includes(words)" if exactly else "(window.said || []).some((said) => said.includes(words))"
    )
    page.wait_for_function(f"(words) => {told}", arg=words)


def open_entry(page: Any, act: str) -> None:
    """Opens an entry of the table's menu, also one a level down."""
    page.locator('header [data-act="menu"]').click()
    entry = page.locator(f'#panel [data-act="{act}"]')
    entry.wait_for(state="attached")
    if not entry.is_visible():
        page.locator("#panel .more > summary").click()
    entry.click()


def wait_until_closed(page: Any) -> None:
    """Waits until no dialog is open."""
    page.wait_for_selector("#panel:not([open])", state="attached")


def undo(page: Any) -> None:
    page.locator('[data-act="undo"]').click()
    page.locator('[data-act="undo-do"]:not([aria-disabled])').click()


def play_for(page: Any, player: int) -> None:
    """Has the phone play for one player alone."""
    open_entry(page, "phone")
    page.locator(f'[name="plays-for"][value="{player}"]').check()
    page.locator('[data-act="phone-save"]').click()
    wait_until_closed(page)


def tap_dice(page: Any, *dice: int) -> None:
    """Opens the six keys and taps these dice."""
    page.locator('[data-act="pad"]').click()
    for value in dice:
        page.locator(f'#panel [data-act="pad-key"][data-arg="{value}"]').click()


def tap_throw(page: Any, *dice: int) -> None:
    """Tells a throw with the six keys."""
    tap_dice(page, *dice)
    page.locator('[data-act="pad-confirm"]').click()
    wait_until_closed(page)


def type_points(page: Any, points: int) -> None:
    """Taps the keys of a score pad; whoever is chosen gets the points."""
    if points < 0:
        page.locator('[data-act="points-minus"]').click()
    for digit in str(abs(points)):
        page.locator(f'[data-act="points-key"][data-arg="{digit}"]').click()


def send(page: Any, action: dict[str, Any]) -> None:
    """Does an action as the page's script does."""
    answer = page.evaluate(
        """async (action) => {
          const base = `/api/v1${location.pathname}`;
          const headers = {Accept: "application/json", "Content-Type": "application/json"};
          const {version} = await (await fetch(base, {headers})).json();
          const body = JSON.stringify({version, request: "request-" + version + "-" + Date.now(), action});
          return (await fetch(base + "/actions", {method: "POST", headers, body})).status;
        }""",
        action,
    )
    assert answer == 200, action


def tap(page: Any, action: dict[str, Any]) -> None:
    """Does an action of a game as a person does; a keep is marked, and told with the throw that follows."""
    kind = action["do"]
    main = page.locator("nav.actions .primary")
    if kind == "throw":
        tap_throw(page, *action["dice"])
    elif kind == "keep":
        left = list(action["dice"])
        for place, value in enumerate(state(page)["standing"]["turn"]["dice"]):
            if value in left:
                left.remove(value)
                page.locator(f'[data-act="keep-toggle"][data-arg="{place}"]').click()
    elif kind == "set-aside":
        more = page.locator('[data-act="all-choices"]')
        if more.count():
            more.click()
        page.locator(f'li[data-key="{"".join(map(str, action["dice"]))}"] .choice').click()
    elif kind == "bank":
        page.locator("nav .bank").click()
    elif kind == "score":
        cells = page.locator('[data-act="cell"]')
        offers = [json.loads(one) for one in cells.evaluate_all("all => all.map(one => one.dataset.arg)")]
        wanted = (action["category"], action.get("column"))
        cells.nth([(one["category"], one.get("column")) for one in offers].index(wanted)).click()
        main.click()
    elif kind == "shut":
        marked = "button.tile[aria-pressed='true']"
        for tile in page.locator(marked).all_inner_texts():
            if int(tile) not in action["tiles"]:
                page.locator(f'button.tile[data-arg="{tile}"]').click()
        for tile in action["tiles"]:
            if page.locator(f'{marked}[data-arg="{tile}"]').count() == 0:
                page.locator(f'button.tile[data-arg="{tile}"]').click()
        main.click()
    elif kind == "choose":
        page.locator(f"""[data-arg='{{"do":"choose","count":{action["count"]}}}']""").click()
    elif kind == "pass":
        page.locator("""nav [data-arg='{"do":"pass"}']""").click()
    elif kind in ("close-round", "finish"):
        page.locator(f"""[data-arg='{{"do":"{kind}"}}']""").click()
    elif kind == "sit":
        page.locator(f"""[data-arg='{{"do":"sit","player":{action["player"]}}}']""").click()
    elif kind == "write" and "points" in action:
        page.locator(f'[data-key="tab-{action["player"]}"]').click()
        type_points(page, action["points"])
        main.click()
    else:
        page.locator(f'[data-key="tab-{action["player"]}"]').click()
        if kind == "circle-line":
            line = page.locator(f"[data-act='knaster-line'][data-arg='\"{action['line']}\"']")
            if line.count():
                line.click()
            for row, column in action["cells"]:
                page.locator(f"[data-arg='[{action['player']},{row},{column},\"circle\"]']").click()
            main.click()
        elif kind == "skip":
            page.locator("""nav [data-arg*='"skip"']""").click()
        else:
            row, column = action["cell"]
            page.locator(f"[data-arg='[{action['player']},{row},{column},\"{kind}\"]']").click()
            main.click()


def close_dialogs(page: Any) -> None:
    """Goes back step by step until no dialog is open."""
    while page.locator("#panel[open]").count():
        page.keyboard.press("Escape")


def photograph(page: Any, picture: str) -> None:
    """Uploads a photo of the throw and waits for its review."""
    page.locator("#photo").set_input_files(PICTURES / picture)
    page.wait_for_selector("#review-photo")


def discard(page: Any, act: str = "review-discard") -> None:
    """Taps what discards a photo, and waits for the answer: until then a second photo would be asked about."""
    with page.expect_response(lambda response: response.request.method == "DELETE"):
        page.locator(f'[data-act="{act}"]').click()


def file_chooser(page: Any, open_it: Callable[[], None]) -> Any:
    """Opens the dialog for files, and gives it as the page's listener gets it."""
    # Asked to, the browser gives its dialogs away, but it may take a key before it has heard so: have it answer first.
    page.on("filechooser", lambda _: None)
    page.evaluate("() => null")
    with page.expect_file_chooser() as opened:
        open_it()
    return opened.value


def values(page: Any) -> list[int]:
    """The dice of the review as they stand now, from left to right."""
    labels = page.locator(".reading-row button").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    return [int(label.split(": ")[1][0]) for label in labels]


def put_right(page: Any, labelled: list[dict[str, Any]]) -> int:
    """Corrects the review until it shows the labelled dice; returns the taps that it took.

    What the reader saw rightly costs nothing, a wrong value two taps, a missed or a false die two taps.
    """
    taps = 0
    for found in reversed(_boxes(page)):
        if not any(_overlap(found["box"], die["box"]) > 0.3 for die in labelled):
            page.locator(f'.reading-row [data-arg="{found["number"]}"]').click()
            page.locator('[data-act="review-remove"]').click()
            taps += 2
    for die in labelled:
        match = next((found for found in _boxes(page) if _overlap(found["box"], die["box"]) > 0.3), None)
        if match is None:
            _tap_photo(page, die["box"])
        elif match["value"] != die["value"]:
            page.locator(f'.reading-row [data-arg="{match["number"]}"]').click()
        else:
            continue
        page.locator(f'[data-act="review-value"][data-arg="{die["value"]}"]').click()
        taps += 2
    return taps


def confirm_review(page: Any) -> None:
    page.locator('[data-act="review-confirm"]').click()
    wait_until_closed(page)


def _boxes(page: Any) -> list[dict[str, Any]]:
    found = page.locator("#review-photo g.box:not(.spot)").evaluate_all(
        """all => all.map((one, number) => {
          const line = one.querySelector(".line");
          const [x, y, w, h] = ["x", "y", "width", "height"].map(name => Number(line.getAttribute(name)));
          return {number, box: [x, y, x + w, y + h], label: one.getAttribute("aria-label")};
        })"""
    )
    return [{**one, "value": int(one["label"].split(": ")[1][0])} for one in found]


def _tap_photo(page: Any, box: list[float]) -> None:
    at = page.evaluate(
        """([x, y]) => {
          const svg = document.getElementById("review-photo");
          const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
          return [point.x, point.y];
        }""",
        [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2],
    )
    page.mouse.click(*at)


def _overlap(one: list[float], other: list[float]) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = (one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1])
    return width * height / (areas - width * height)
