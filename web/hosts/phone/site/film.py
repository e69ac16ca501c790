"""The moving picture of the site's first visit: from a photo to the end of a game, of the documents' screenshots."""

from pathlib import Path

from PIL import Image

SCREENS = Path(__file__).resolve().parents[4] / "docs" / "screenshots"
SHOWN = ("2-photo", "3-stayed", "4-sheet", "6-ending")
SIZE = (440, 952)  # twice what the page shows
STAYS_MS = 1800
QUALITY = 50


def make(path: Path) -> None:
    """Writes the film as an animated WebP that begins again. Raises OSError."""
    screens = [_screen(SCREENS / f"{name}.png") for name in SHOWN]
    screens[0].save(
        path, save_all=True, append_images=screens[1:], duration=STAYS_MS, loop=0, quality=QUALITY, method=6
    )


def _screen(path: Path) -> Image.Image:
    with Image.open(path) as found:
        screen = found.convert("RGB")
    height = round(screen.height * SIZE[0] / screen.width)
    return screen.resize((SIZE[0], height)).crop((0, 0, *SIZE))
