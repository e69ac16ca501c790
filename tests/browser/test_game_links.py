"""A game goes by its link from one Rollcall to another, and by a pasted message, at the width of a phone."""

from pathlib import Path

from tests.browser.conftest import OUT, NewPhone
from tests.browser.playing import ready, visit
from tests.web.served import UNPREPARED, Served

OURS = Path(__file__).resolve().parents[2] / "scorer/games/pack/kingdom-dice.toml"


def bring(phone: object, base: str, path: Path) -> None:
    """Brings the file of a game by the start page."""
    visit(phone, f"{base}/")
    phone.locator("details.import summary").first.click()
    phone.locator('input[name="file"]').set_input_files(path)
    phone.wait_for_url("**/g/*")
    ready(phone)


def test_a_game_goes_to_another_server_by_its_link(served: Served, new_phone: NewPhone, tmp_path: Path) -> None:
    ada, bob = new_phone(), new_phone()
    file = tmp_path / "our-dice.toml"
    text = OURS.read_text(encoding="utf-8")
    file.write_text(text.replace('title = "', 'title = "Our ', 1), encoding="utf-8")
    bring(ada, served.base, file)
    OUT.mkdir(parents=True, exist_ok=True)
    ada.screenshot(path=OUT / "game-link-send.png", full_page=True)
    ada.locator("#game-link-send").click()
    link = ada.locator("#game-link-text").input_value()
    assert link.startswith(f"{served.base}/#g=our-dice.")
    with Served(tmp_path / "elsewhere", program=UNPREPARED) as elsewhere:
        asked: list[str] = []
        bob.on("request", lambda request: asked.append(request.url))
        bob.goto(link.replace(served.base, elsewhere.base))
        bob.wait_for_url("**/game#g=our-dice.*")
        bob.locator("p.checked").wait_for()
        bob.screenshot(path=OUT / "game-link-look.png")
        assert bob.evaluate("document.documentElement.scrollWidth") <= 390
        bob.get_by_role("button", name="Play it").click()
        bob.wait_for_url("**/?game=our-dice.*")
        assert bob.locator('input[name="game"]:checked').get_attribute("value").startswith("our-dice.")
        assert not [each for each in asked if "g=" in each.partition("#")[0].replace("lang=", "")], "no server sees it"

        visit(bob, f"{elsewhere.base}/")
        bob.locator("details.import summary").first.click()
        bob.locator('input[name="link"]').fill(f"Try our game: {link} (Ada)")
        bob.screenshot(path=OUT / "game-link-paste.png", full_page=True)
        bob.locator('form[action="/game/open"] button').click()
        bob.wait_for_url("**/game#g=our-dice.*")
        bob.locator("p.checked").wait_for()

        bob.goto(f"{elsewhere.base}/game{link[link.index('#') : -9]}")
        bob.locator("[role=status]", has_text="not whole").wait_for()
