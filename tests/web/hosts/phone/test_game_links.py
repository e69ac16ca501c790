"""A game comes to a phone alone by a link of a laptop's Rollcall, and goes from it in the same way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scorer.definitions.game_link import file_in_link, link_of
from scorer.games import text_of
from tests.web.hosts.phone.conftest import PhoneBrowser, StaticServer, page_of

pytestmark = [pytest.mark.whole, pytest.mark.browser]

# What a camera reads in the code on the page.
SCANNED = """async (decoder) => {
  const { decodeQR } = await import(decoder);
  const canvas = document.querySelector("canvas.game-code");
  const { width, height } = canvas;
  return decodeQR({ width, height, data: canvas.getContext("2d").getImageData(0, 0, width, height).data });
}"""
OURS = text_of("farkle").replace('title = "Farkle"', 'title = "Our Farkle"')


@pytest.mark.parametrize("folder", ["", "rollcall/"])
def test_a_game_comes_by_a_link_and_goes_by_one(
    site: Path,
    serve: Callable[..., StaticServer],
    new_browser: Callable[[], PhoneBrowser],
    tmp_path: Path,
    folder: str,
) -> None:
    if folder:
        (tmp_path / "web").mkdir()
        (tmp_path / "web/rollcall").symlink_to(site)
    server = serve(tmp_path / "web" if folder else site)
    url = server.url + folder
    browser = new_browser()
    link = link_of(OURS, "our-farkle")
    tab = browser.show(f"{url}#{link}")
    page = page_of(tab)
    page.locator("p.checked").wait_for()
    assert page.locator("h1").inner_text() == "Our Farkle"
    assert tab.url == f"{url}#/game#{link}", "the tab, loaded again, shows the game again"
    tab.reload()
    page = page_of(tab)
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/?game=our-farkle.*")

    server.stop()  # and without a network, too
    chosen = page.locator('input[name="game"]:checked').get_attribute("value")
    digest = chosen.rpartition(".")[2]
    page.goto(f"{url}g/{digest}")
    page = page_of(tab)
    assert page.locator("[data-same-network]").count() == 0
    sent = page.locator("#game-link-text").input_value()
    assert sent == f"{url}#{link}"
    assert file_in_link(sent) == ("our-farkle", OURS)
    page.locator("canvas.game-code").wait_for()
    assert page.evaluate(SCANNED, f"{url}qr/decode.js") == sent

    page.goto(url)
    page = page_of(tab)
    page.locator("details.import summary").first.click()
    page.locator('input[name="link"]').fill(f"http://192.168.1.5:8000/#{link_of(text_of('fifty'), 'ours')}")
    page.locator('form[action$="/game/open"] button').click()
    page.wait_for_url("**/game#g=ours.*")
    page.locator("p.checked").wait_for()
