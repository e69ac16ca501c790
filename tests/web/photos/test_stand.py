"""A phone on a stand watches a table: its frames are watched as a camera's, and the full picture is what is read."""

import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask

import vision
from tests.vision.scenes import Film
from tests.vision.small_dice import keep_four_throw_one
from tests.web.apps import create_app
from tests.web.pages.test_owners import close, guest, reason, turn_out
from tests.web.phones import Phone, start
from tests.web.photos.test_photo_reader import needs_models
from tests.web.stands import StandPhone, coded, until
from web.photos import frame_sources, table_watcher, watched_tables
from web.services import services
from web.table import watching

OUT, IN = (720.0, 240.0), (260.0, 240.0)  # of the picture, and among the dice

pytestmark = [
    pytest.mark.whole,
    needs_models,
    # Phones on stands are for a server that has its games to itself.
    pytest.mark.parametrize("database", ["sqlite"], indirect=True),
]


@pytest.fixture
def phone(app: Flask) -> Phone:
    client = app.test_client()
    client.get("/")
    return Phone(client, start(client, "sequence"))


@pytest.fixture
def stand(phone: Phone) -> StandPhone:
    made = StandPhone(phone)
    assert made.start().status_code == 200
    return made


THROW = Film("throw-112455.jpg").last(1).reach(OUT, IN, OUT).throw(*range(6)).last(3)
NOTHING = vision.Photo(np.full((960, 1280, 3), 110, np.uint8))


def told(state: dict[str, Any]) -> str | None:
    return (state["watched"] or {}).get("state")


def throw_lies(state: dict[str, Any]) -> bool:
    return told(state) == "throw"


def second(app: Flask, first: Phone) -> Phone:
    """Another phone at the table."""
    client = app.test_client()
    client.get(first.base)
    return Phone(client, first.base)


def shots(film: Film, size: tuple[int, int] = (1280, 960)) -> list[tuple[float, vision.Photo]]:
    return [(at, vision.Photo(np.asarray(cv2.resize(photo.pixels, size), np.uint8))) for at, photo in film]


def test_a_throw_before_a_stand_stands_on_all_phones_and_a_tap_confirms_it(stand: StandPhone, phone: Phone) -> None:
    stand.play(shots(THROW))
    state = until(phone, throw_lies, "the throw is not told")
    assert state["watched"]["stand"]
    assert sorted(die["value"] for die in state["pending"]["dice"]) == sorted(THROW.values())
    assert state["pending"]["width"] == 1280, "the full picture is what is reviewed"
    assert phone.post("watch/choose", id=state["watched"]["id"], way=0).status_code == 200
    assert phone.standing["version"] == 1
    sent = stand.frames
    stand.play(shots(Film("throw-112455.jpg").throw(*range(6)).last(4)))
    assert stand.frames - sent < 10, "nothing travels from a still table"


def test_four_small_dice_are_kept_and_one_is_thrown_again(app: Flask) -> None:
    """Each die is a twentieth of the picture wide. Nobody taps: going on confirms."""
    film, thrown, lifted, again = keep_four_throw_one(1)
    client = app.test_client()
    client.get("/")
    stand = StandPhone(Phone(client, start(client, "yahtzee")))
    assert stand.start().status_code == 200
    stand.play(film)
    state = until(stand.phone, throw_lies, "the second throw is not told")
    kept = list(thrown)
    kept.remove(lifted)
    (keep, throw) = state["watched"]["ways"][0]
    assert (state["version"], sorted(keep["dice"]), throw["dice"]) == (1, kept, [again])


def test_what_is_sure_counts_by_itself_though_no_frame_comes(
    stand: StandPhone, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "BY_ITSELF_S", 0.3)
    assert phone.post("watch", on=True, by_itself=True).status_code == 200
    stand.play(shots(THROW))
    until(phone, lambda state: state["version"] == 1, "the throw does not count")


def test_without_its_full_picture_a_throw_is_what_the_frames_showed(
    stand: StandPhone, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_watcher, "PICTURE_WITHIN_S", 0.3)
    stand.sends_pictures = False
    stand.play(shots(THROW))
    state = until(phone, throw_lies, "the throw is not told")
    assert sorted(die["value"] for die in state["pending"]["dice"]) == sorted(THROW.values())
    assert state["pending"]["width"] == 640


def test_a_full_picture_of_another_shape_or_too_late_changes_nothing(stand: StandPhone, phone: Phone) -> None:
    stand.sends_pictures = False
    stand.play(shots(THROW))
    wanted = stand.answer["picture"]
    assert wanted is not None
    assert stand.post_picture("another", coded(NOTHING.pixels, 90)).status_code == 204
    assert stand.post_picture(wanted, b"no picture").status_code == 422
    assert stand.post_picture(wanted, coded(np.zeros((400, 900, 3), np.uint8), 90)).status_code == 204
    state = until(phone, throw_lies, "the throw is not told")
    assert sorted(die["value"] for die in state["pending"]["dice"]) == sorted(THROW.values())
    assert stand.post_picture(wanted, coded(NOTHING.pixels, 90)).status_code == 204
    assert phone.look()["pending"]["width"] == 640


def test_looking_again_asks_the_stand_for_frames(stand: StandPhone, phone: Phone) -> None:
    stand.play(shots(THROW))
    until(phone, throw_lies, "the throw is not told")
    assert phone.post("watch/again").status_code == 200
    assert stand.post(b"").status_code == 200
    assert stand.answer["more"]
    stand.play(shots(Film("throw-112455.jpg").throw(*range(6)).last(2)))
    state = until(phone, throw_lies, "it did not look again")
    assert state["watched"]["question"]["reason"] == "first-look"


def test_other_phones_see_what_the_stand_sees_also_while_nothing_changes(stand: StandPhone, phone: Phone) -> None:
    stand.play(shots(THROW))
    until(phone, throw_lies, "the throw is not told")
    seen = set()
    for _ in range(40):
        answer = phone.client.get(f"/api/v1{phone.base}/watch/picture")
        seen |= {answer.headers["X-Picture"]} if answer.status_code == 200 else set()
        time.sleep(0.02)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("data", "at", "why"),
    [
        (b"no picture", "1", "photo-format"),
        (b"\xff\xd8\xff", "1", "photo-damaged"),
        (b"x" * 65_537, "1", "bad-frame"),
        (coded(np.full((16, 1100, 3), 110, np.uint8), 75), "1", "bad-frame"),
        (coded(np.full((48, 64, 3), 110, np.uint8), 75), "nan", "bad-frame"),
    ],
)
def test_a_bad_frame_is_refused_in_one_sentence(stand: StandPhone, data: bytes, at: str, why: str) -> None:
    where = f"/api/v1{stand.phone.base}/frames?stand={stand.stand}&at={at}"
    refused = stand.phone.client.post(where, data=data, headers={"Accept": "application/json"})
    assert reason(refused) == (422, why)
    assert refused.get_json()["detail"].count(".") <= 2
    assert stand.post(b"").status_code == 200, "it goes on"


def test_of_two_stands_the_first_watches_until_it_is_silent(
    app: Flask, stand: StandPhone, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand.play(shots(THROW))
    other = StandPhone(second(app, phone), "another-stand")
    assert reason(other.start()) == (409, "stand-watches")
    assert reason(other.post(b"")) == (409, "not-watched")
    monkeypatch.setattr(watched_tables, "SILENT_S", 0.0)
    assert other.start().status_code == 200
    assert told(other.phone.look()) == "throw", "what was seen is not forgotten"
    assert reason(stand.post(b"")) == (409, "stand-replaced")
    assert reason(stand.start()) == (409, "stand-replaced"), "two stands would take the table from each other for ever"


def test_a_page_that_was_loaded_again_goes_on_at_once(stand: StandPhone, phone: Phone) -> None:
    again = StandPhone(phone, "its-new-page")
    assert again.start().status_code == 200
    assert reason(stand.post(b"")) == (409, "stand-replaced")


def test_a_stand_that_says_nothing_is_told_and_nothing_is_lost(
    stand: StandPhone, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand.play(shots(THROW))
    before = until(phone, throw_lies, "the throw is not told")["watched"]
    monkeypatch.setattr(table_watcher, "TROUBLE_PAUSE_S", 0.05)
    monkeypatch.setattr(frame_sources, "SILENT_S", 0.0)
    state = until(phone, lambda state: told(state) == "trouble", "nobody is told")
    assert state["watched"]["problem"]["reason"] == "stand-silent"
    monkeypatch.setattr(frame_sources, "SILENT_S", 15.0)
    assert stand.post(b"").status_code == 200
    after = until(phone, throw_lies, "the trouble stays")["watched"]
    assert (after["id"], after["ways"]) == (before["id"], before["ways"])
    monkeypatch.setattr(table_watcher, "LOST_S", 0.0)
    until(phone, lambda state: state["watched"] is None, "its place is not given up")
    assert reason(stand.post(b"")) == (409, "not-watched")
    monkeypatch.setattr(table_watcher, "LOST_S", 60.0)
    assert stand.start().status_code == 200, "it goes on by itself when it is back"


def test_after_a_restart_the_stand_begins_anew(stand: StandPhone, phone: Phone, app: Flask, tmp_path: Path) -> None:
    stand.play(shots(THROW))
    until(phone, throw_lies, "the throw is not told")
    services(app).close()
    later = create_app(tmp_path / "data")
    client = later.test_client()
    stand.phone = Phone(client, phone.base)
    assert reason(stand.post(b"")) == (409, "not-watched")
    assert stand.start().status_code == 200
    stand.play(shots(Film("throw-112455.jpg").throw(*range(6)).last(2)))
    until(stand.phone, throw_lies, "what lies there is not told")
    services(later).close()


def test_whoever_stops_the_watching_stops_the_stand(app: Flask, stand: StandPhone, phone: Phone) -> None:
    assert second(app, phone).post("watch", on=False).status_code == 200
    assert phone.look()["watched"] is None
    assert reason(stand.post(b"")) == (409, "stand-stopped")
    assert reason(stand.start()) == (409, "stand-stopped"), "it does not begin anew by itself"
    assert StandPhone(phone, "a-new-tap-on-it").start().status_code == 200


def test_a_removed_phone_and_a_closed_table_are_watched_no_more(app: Flask) -> None:
    client = app.test_client()
    client.get(base := start(client))
    owner, bob = Phone(client, base), guest(app, base)
    stand = StandPhone(bob)
    assert stand.start().status_code == 200
    turn_out(owner, "Bob")
    assert reason(stand.post(b"")) == (403, "phone-removed")
    until(owner, lambda state: state["watched"] is None, "a removed phone still watches")
    own = StandPhone(owner, "the-owners-stand")
    assert own.start().status_code == 200
    close(owner)
    assert owner.look()["watched"] is None
    assert reason(own.post(b"")) == (409, "table-closed")
    assert reason(own.post_picture("any", b"")) == (409, "table-closed")


def test_at_the_bound_one_sentence_says_so(app: Flask, stand: StandPhone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_tables, "most_stands", lambda: 1)
    client = app.test_client()
    other = StandPhone(Phone(client, start(client, "yatzy")), "another-stand")
    assert reason(other.start()) == (503, "stands-full")
    assert stand.phone.post("watch", on=False).status_code == 200
    assert other.start().status_code == 200
