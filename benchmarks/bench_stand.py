"""What a phone on a stand costs and sees: `pytest benchmarks/bench_stand.py -s`. What it came to is in
docs/benchmarks.md.

Films of five small dice thrown, and one of them thrown again, as the phone's page sends them: five frames a second of
640 pixels, and the full pictures of 1920. Seconds are those of processors, so that other programs matter little.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import cv2
import pytest

from tests.vision.small_dice import SmallDice, keep_four_throw_one
from tests.web.phones import Phone, start
from tests.web.stands import StandPhone, coded, until
from vision import Photo, Reader, Watch
from vision.watch.closer_look import look_closer
from web.app import create_app
from web.hosts.threads import ThreadTask
from web.services import services

FILMS = 20
SMALL = (640, 480)


@pytest.fixture(scope="module")
def reader() -> Reader:
    reader = Reader()
    reader.read(SmallDice(0).throw(1, 2).last(0.2).shots[0][1])
    return reader


@pytest.mark.parametrize("share", [1 / 20, 1 / 14])
def test_keep_four_throw_one(tmp_path: Path, share: float, capsys: pytest.CaptureFixture[str]) -> None:
    """Through the whole server; the first throw is confirmed by going on."""
    seen, asked, sent = 0, 0, Counter[str]()
    app = create_app(tmp_path / "data", ThreadTask)
    for seed in range(FILMS):
        film, thrown, lifted, again = keep_four_throw_one(seed, share)
        client = app.test_client()
        client.get("/")
        stand = StandPhone(Phone(client, start(client, "yahtzee")), f"a-stand-for-{seed:03}")
        assert stand.start().status_code == 200
        stand.play(film)
        state = until(stand.phone, lambda state: state["version"] and state["watched"]["state"] == "throw", f"{seed}")
        kept = list(thrown)
        kept.remove(lifted)
        way = state["watched"]["ways"][0]
        seen += [sorted(action["dice"]) for action in way] == [kept, [again]]
        asked += state["watched"]["question"] is not None
        sent.update(frames=stand.frames, bytes=stand.bytes, pictures=stand.pictures, seconds=round(stand.at))
        stand.phone.post("watch", on=False)
    services(app).close()
    with capsys.disabled():
        print(f"\n1/{1 / share:.0f}: {seen} of {FILMS} seen, {asked} of them asked")
        print({name: round(count / FILMS / 2, 1) for name, count in sent.items()}, "a throw")
    assert seen == FILMS


def test_frames_alone_and_with_the_full_picture(reader: Reader, capsys: pytest.CaptureFixture[str]) -> None:
    """How many rests of new dice are exact and sure by the small frames, and by the full picture; and what each part
    takes."""
    found, spent = Counter[str](), Counter[str]()
    for seed in range(FILMS):
        film, thrown, lifted, again = keep_four_throw_one(seed)
        second = sorted([*thrown, again])
        second.remove(lifted)
        watch, number = Watch(reader, 5), 0
        for at, photo in film:
            data = coded(cv2.resize(photo.pixels, SMALL, interpolation=cv2.INTER_AREA), 75)
            began = time.process_time()
            events = watch.see(Photo.decode(data), at)
            name = "rest" if events and events[0].event == "settled" else "frame"
            spent[name] += time.process_time() - began  # type: ignore[assignment]
            found[name] += 1
            for event in events:
                if event.event != "settled" or event.reading is None or len(event.reading.dice) < 5:
                    continue
                began = time.process_time()
                closer = look_closer(reader, event, Photo.decode(coded(photo.pixels, 90)))
                spent["picture"] += time.process_time() - began  # type: ignore[assignment]
                found["picture"] += 1
                for way, reading in (("small", event.reading), ("full", closer.reading)):
                    assert reading is not None
                    exact = list(reading.values) == (second if number else thrown)
                    found[f"{way} exact"] += exact
                    found[f"{way} sure"] += reading.sure
                    found[f"{way} sure and wrong"] += reading.sure and not exact
                number += 1
    with capsys.disabled():
        print(f"\n{dict(found)}")
        print({name: f"{1000 * seconds / found[name]:.0f} ms" for name, seconds in spent.items()})
