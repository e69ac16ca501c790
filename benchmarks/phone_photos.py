"""Compares the readings of a phone alone with the server's, and their time, memory and pixels.

    python -m benchmarks.phone_photos [--site FOLDER] [--limit N] [--uncounted] [--large] [FOLDER OF PHOTOS]

Each photo is read by the browser's eye in headless Chromium, as the built site has it, and by `vision.Reader`: with the
number of dice, as a game knows it, or `--uncounted`. Values and sureness are compared. `--large`: instead, one photo
of 12 megapixels, several times: processor time of both, and memory of the tab. Figures: docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import os
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import vision
from benchmarks.bench_vision import large_photo
from datasets.photos import LabelledPhoto, labelled_photos, spread_evenly
from tests.conftest import CHROMIUM
from tests.web.hosts.phone.conftest import ARGUMENTS, PhoneBrowser, StaticServer
from tests.web.hosts.phone.test_site import HAVE_ALL, later_files, start_game
from vision.reading import Reading
from web.photos.browser_eye import BrowserEye, BrowserReader

ROOT = Path(__file__).resolve().parent.parent
VAL = ROOT.parent / "shared" / "photos" / "val"
ROUNDS, PAUSE_S, CAMERA_S = 10, 60, 8  # the camera is open for so long: meanwhile the eye gets ready
OPEN = """async () => {
  const { askEye } = await import("/eye.js");
  window.ask = async (name, given, file) => {
    const bytes = file && Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    const [refused, told] = await askEye(name, given, bytes);
    return [refused ?? null, name === "pictures" ? null : told];
  };
}"""


async def compare(reader: BrowserReader, eye: BrowserEye, photos: Sequence[LabelledPhoto], has_count: bool) -> None:
    """Prints what differs, and how often."""
    server, counted, spent = vision.Reader(), Counter[str](), Counter[str]()
    for labelled in photos:
        data, dice = labelled.path.read_bytes(), len(labelled.values) if has_count else None
        started = time.process_time()
        theirs = server.read(vision.Photo.decode(data), dice)
        spent["server"] += time.process_time() - started
        started = time.perf_counter()
        ours = await reader.read(await eye.decode(data), dice)
        spent["browser"] += time.perf_counter() - started
        await eye.clear()
        counted["readings"] += 1
        same = told(ours) == told(theirs)
        counted["equal"] += same
        for name, reading in (("server", theirs), ("browser", ours)):
            counted[f"{name}: sure"] += reading.sure
            counted[f"{name}: silent errors"] += reading.sure and reading.values != labelled.values
            counted[f"{name}: right"] += reading.values == labelled.values
        if counted["readings"] % 50 == 0:
            print(dict(counted), flush=True)
        if not same:
            where = f"{labelled.path.parent.parent.name}/{labelled.path.name}"
            print(f"{where}: server {shown(theirs)}; browser {shown(ours)}; true {labelled.values}", flush=True)
    for name, count in counted.items():
        print(f"{name:24}{count:6} {count / counted['readings']:.4f}")
    print(
        f"seconds a reading: server {spent['server'] / counted['readings']:.3f} of processor, "
        f"browser {spent['browser'] / counted['readings']:.3f} by the clock"
    )


def told(reading: Reading) -> Any:
    return reading.values, reading.sure


def shown(reading: Reading) -> str:
    doubts = [round(die.confidence, 3) for die in reading.dice]
    asks = "sure" if reading.sure else ", ".join(ask.reason for ask in reading.asks)
    return f"{reading.values} {asks} {doubts}"


def measure_large(site: Path) -> None:
    """Prints processor times of the server's reading and of the tab, from the photo chosen to its dice on the page: of
    the first photo, of ten, and of one after a pause as at a table; and the tab's memory."""
    from playwright.sync_api import sync_playwright

    data, reader = large_photo(noise=6, quality=92), vision.Reader()  # 3 MB
    theirs, ours = [], []
    for _ in range(ROUNDS + 1):
        started = time.process_time()
        reader.read(vision.Photo.decode(data), 6)
        theirs.append(time.process_time() - started)
    server = StaticServer(site)
    with tempfile.TemporaryDirectory() as profile, sync_playwright() as playwright:
        photo = Path(profile, "photo.jpg")
        photo.write_bytes(data)
        browser = PhoneBrowser(playwright, Path(profile))
        tab = browser.show(server.url)
        tab.evaluate(HAVE_ALL, later_files(site))
        page = start_game(tab, "Ada", "Bob")
        with highest_memory_of(profile) as highest:
            for number in range(ROUNDS + 1):
                if number == ROUNDS:
                    tab.wait_for_timeout(PAUSE_S * 1000)
                    print(f"memory of the tab after a pause: {memory_of(profile) / 1e6:.0f} MB")
                with tab.expect_file_chooser() as chooser:
                    page.locator(".photograph").click()
                tab.wait_for_timeout(CAMERA_S * 1000)
                started, at = spent_of(profile), time.perf_counter()
                chooser.value.set_files(photo)
                page.locator(".reading-row button").first.wait_for()
                ours.append((spent_of(profile) - started, time.perf_counter() - at))
                page.locator('[data-act="review-discard"]').click()
                page.locator(".reading-row").wait_for(state="detached")
        browser.close()
    server.stop()
    once = statistics.median(theirs[1:])
    print(f"processor of the server: {once:.3f} s")
    for name, (spent, clock) in {"first": ours[0], "tenth": ours[-2], f"after {PAUSE_S} s": ours[-1]}.items():
        print(f"{name}: {spent:.2f} s of the tab's processor, {spent / once:.1f} times; {clock:.2f} s by the clock")
    print(f"memory of the tab: {max(highest) / 1e6:.0f} MB at most")


@contextlib.contextmanager
def highest_memory_of(profile: str) -> Iterator[list[int]]:
    """Notes the tab's memory on and on."""
    noted, ended = [memory_of(profile)], threading.Event()

    def note() -> None:
        while not ended.wait(0.02):
            with contextlib.suppress(OSError):
                noted.append(memory_of(profile))

    thread = threading.Thread(target=note)
    thread.start()
    yield noted
    ended.set()
    thread.join()


def renderers(profile: str) -> list[Path]:
    """The processes of the tabs of the browser that has this profile."""
    own = f"--user-data-dir={profile}".encode()
    everyone = {int(each.name): each for each in Path("/proc").glob("[0-9]*")}
    family = {number for number, each in everyone.items() if own in command(each)}
    while more := {number for number, each in everyone.items() if parent(each) in family} - family:
        family |= more
    return [everyone[number] for number in family if b"--type=renderer" in command(everyone[number])]


def parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def spent_of(profile: str) -> float:
    """Processor seconds of the tab."""
    ticks = [(each / "stat").read_text().rpartition(")")[2].split()[11:13] for each in renderers(profile)]
    return sum(int(user) + int(system) for user, system in ticks) / os.sysconf("SC_CLK_TCK")


def memory_of(profile: str) -> int:
    """Bytes of the tab that are its own: the largest of its processes."""

    def own(process: Path) -> int:
        lines = (process / "smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty"))) * 1024

    return max(map(own, renderers(profile)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", nargs="?", type=Path, default=VAL)
    parser.add_argument("--site", type=Path, default=ROOT / "out" / "site")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--uncounted", action="store_true")
    parser.add_argument("--large", action="store_true")
    asked = parser.parse_args()
    if asked.large:
        measure_large(asked.site)
    else:
        photos = spread_evenly(list(labelled_photos(asked.photos)), asked.limit)
        asyncio.run(compare_all(asked.site, photos, not asked.uncounted))


async def compare_all(site: Path, photos: Sequence[LabelledPhoto], has_count: bool) -> None:
    from playwright.async_api import async_playwright

    server = StaticServer(site)
    with tempfile.TemporaryDirectory() as profile:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch_persistent_context(
                profile, executable_path=CHROMIUM, args=ARGUMENTS
            )
            page = await browser.new_page()
            page.on("console", lambda message: print(message.text))
            await page.goto(f"{server.url}#/")
            await page.wait_for_selector("body[data-ready]")
            await page.evaluate(HAVE_ALL, later_files(site))
            await page.evaluate(OPEN)

            async def ask(name: str, given: str, file: bytes | None) -> Any:
                sent = None if file is None else base64.b64encode(file).decode()
                refused, told = await page.evaluate(
                    "([name, given, file]) => ask(name, given, file)", [name, given, sent]
                )
                return refused, [b"", None] if name == "pictures" and not refused else told

            eye = BrowserEye(ask)
            reader = BrowserReader(eye)
            await compare(reader, eye, photos, has_count)
            await browser.close()
    server.stop()


if __name__ == "__main__":
    main()
