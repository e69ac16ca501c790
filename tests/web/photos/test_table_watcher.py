"""The server's camera watches a table: what all its phones are told, what a tap does, and what happens by itself."""

import hashlib
import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from PIL import Image

import vision
import vision.watch
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, start
from tests.web.photos.test_photo_reader import needs_models
from tests.web.stands import until
from tests.web.waiting import wait_until
from web.photos import pictures, table_watcher
from web.services import services
from web.table import watching
from web.table.commands import SERVER

PICTURES = Path(__file__).resolve().parents[2] / "pictures"
THROW = next(entry for entry in json.loads((PICTURES / "pictures.json").read_text()) if len(entry["dice"]) == 6)

pytestmark = [
    pytest.mark.whole,
    needs_models,
]


class Film:
    """A camera whose picture the test chooses: an empty table, something that moves over it, dice that lie still.

    Its clock, like the pace at which it is watched (`fast`), is FASTER times as fast as that on the wall.
    """

    def __init__(self) -> None:
        self.shows: Callable[[], vision.Photo] = self.empty
        self.noise = np.random.default_rng(1)
        self.slowed = 1.0  # how many times as slow as it is else its clock is
        self.at = self.asked_at = 0.0
        self.frames = 0  # that were asked for

    def next_photo(self) -> vision.Photo:
        return self.next_frame()[1]

    def next_frame(self) -> tuple[float, vision.Photo]:
        now = time.monotonic()
        self.at += FASTER * (now - self.asked_at) / self.slowed
        self.asked_at = now
        self.frames += 1
        return self.at, self.shows()

    def wait(self, frames: int) -> None:
        """Until what is shown now was watched for so many frames."""
        wanted, end = self.frames + frames + 1, time.monotonic() + 60
        while self.frames < wanted:
            assert time.monotonic() < end, "nobody watches"
            time.sleep(0.01)

    def empty(self) -> vision.Photo:
        return vision.Photo(np.full((*SIZE, 3), 110, np.uint8))

    def hand(self) -> vision.Photo:
        picture = np.full((*SIZE, 3), 110, np.uint8)
        left = int(self.noise.integers(0, SIZE[1] - 200))
        picture[100:380, left : left + 200] = (90, 60, 50)
        return vision.Photo(picture)

    def arm(self) -> vision.Photo:
        """A hand that reaches in from the right."""
        picture = np.full((*SIZE, 3), 110, np.uint8)
        left = int(self.noise.integers(SIZE[1] // 3, SIZE[1] // 2))
        picture[100:380, left:] = (90, 60, 50)
        return vision.Photo(picture)

    def rolling(self) -> vision.Photo:
        """A die in the middle, each time elsewhere."""
        picture = np.full((*SIZE, 3), 110, np.uint8)
        x, y = (int(self.noise.integers(side // 3, side // 2)) for side in (SIZE[1], SIZE[0]))
        picture[y : y + 60, x : x + 60] = (230, 230, 230)
        return vision.Photo(picture)

    def dark(self) -> vision.Photo:
        return vision.Photo(np.full((*SIZE, 3), 4, np.uint8))

    def dice(self) -> vision.Photo:
        return DICE

    def broken(self) -> vision.Photo:
        raise vision.CameraError("camera-silent", source=0, seconds=5)


DICE = vision.Photo.decode((PICTURES / THROW["picture"]).read_bytes())
SIZE = (DICE.height, DICE.width)
FASTER = 4.0


class Clock:
    """The watching's own clock on the wall, which a test may set forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(table_watcher, "time", made)
    return made


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.watch, "EVERY", vision.watch.EVERY / FASTER)
    monkeypatch.setattr(table_watcher, "TROUBLE_PAUSE_S", 0.1)


@pytest.fixture
def film() -> Film:
    return Film()


@pytest.fixture
def watched_app(tmp_path: Path, film: Film) -> Iterator[Flask]:
    application = create_app(tmp_path / "data", camera=film)
    yield application
    services(application).close()


@pytest.fixture
def phone(watched_app: Flask) -> Phone:
    client = watched_app.test_client()
    return Phone(client, start(client, "sequence"))


def throw_lies(state: dict[str, Any]) -> bool:
    watched = state["watched"]
    return bool(watched and watched["state"] == "throw" and watched["sure"])


def begin(phone: Phone, film: Film, **chosen: bool) -> dict[str, Any]:
    """Watches a throw until it lies there."""
    assert phone.post("watch", on=True, **chosen).status_code == 200
    return throw(phone, film)


def throw(phone: Phone, film: Film) -> dict[str, Any]:
    """A hand moves over the table until it is seen; then the dice lie there."""
    film.shows = film.hand
    until(phone, lambda state: state["watched"]["state"] == "moving", "the hand is not seen")
    film.shows = film.dice
    return until(phone, throw_lies, "the throw did not come to rest")


def test_a_throw_that_comes_to_rest_stands_on_all_phones_and_a_tap_confirms_it(
    phone: Phone, film: Film, tmp_path: Path
) -> None:
    watched = begin(phone, film)["watched"]
    assert [sorted(action["dice"]) for action in watched["ways"][0]] == [sorted(THROW["values"])]
    assert watched["runs_s"] is None, "nothing is confirmed by itself unless the table chose that"
    pending = phone.state["pending"]
    assert sorted(die["value"] for die in pending["dice"]) == sorted(THROW["values"])
    assert phone.client.get(f"/api/v1{phone.base}/photos/{pending['id']}").mimetype == "image/jpeg"
    assert phone.post("watch/choose", id=watched["id"], way=0).status_code == 200
    assert phone.state["pending"] is None
    assert phone.standing["players"][0]["turns"], "the throw was not scored"
    assert list((tmp_path / "data" / "photos").iterdir()) == []
    state = until(phone, lambda state: state["watched"]["state"] == "resting", "the same dice were no throw")
    assert state["watched"]["ways"] == []
    assert phone.post("watch/choose", id=watched["id"], way=0).status_code == 409


def test_what_the_camera_is_at_is_told_as_it_changes(phone: Phone, film: Film) -> None:
    """No dice, a hand, dice that roll, so many dice: each while it is so."""
    assert phone.post("watch", on=True).status_code == 200
    told = lambda state: tuple(state["watched"].get(key) for key in ("state", "hand", "dice"))  # noqa: E731
    for shows, wanted in (
        (film.empty, ("resting", False, 0)),
        (film.arm, ("moving", True, 0)),
        (film.rolling, ("moving", False, 0)),
        (film.dice, ("throw", False, 6)),
        (film.arm, ("moving", True, 6)),
        (film.dice, ("throw", False, 6)),
    ):
        film.shows = shows
        until(phone, lambda state, wanted=wanted: told(state) == wanted, f"not {wanted}")  # type: ignore[misc]


def test_in_the_dark_one_sentence_says_so_and_the_key_pad_goes_on(phone: Phone, film: Film) -> None:
    assert phone.post("watch", on=True).status_code == 200
    film.shows = film.dark
    state = until(phone, lambda state: state["watched"]["state"] == "blind", "nothing is told of the dark")
    assert state["watched"]["reason"] == "dark"
    assert phone.throw(1, 2, 3, 4, 5, 6).status_code == 200
    throw(phone, film)


def test_how_long_dice_lay_is_told_by_the_cameras_clock(phone: Phone, film: Film) -> None:
    begin(phone, film)
    film.slowed = 1000.0
    film.shows = film.hand
    film.wait(15)
    assert throw_lies(phone.look()), "a frame was looked at though hardly any time had passed since the one before"
    film.slowed = 1.0
    until(phone, lambda state: state["watched"]["state"] == "moving", "the hand is not seen")


def test_what_is_sure_is_confirmed_by_itself_and_once_undone_it_waits(phone: Phone, film: Film, clock: Clock) -> None:
    assert begin(phone, film, by_itself=True) is not None
    clock.ahead = 2 * watching.BY_ITSELF_S
    done = lambda state: state["version"] == 1 and state["watched"]["state"] == "resting"  # noqa: E731
    until(phone, done, "it was not confirmed by itself")
    assert phone.post("undo").status_code == 200
    state = until(phone, lambda state: state["watched"]["question"], "the undone throw is not asked about")
    assert not state["watched"]["sure"]
    clock.ahead *= 3
    film.wait(5)
    assert phone.look()["version"] == 2


@pytest.mark.parametrize("by_itself", [True, False])
def test_a_watched_throw_has_its_picture_as_proof(phone: Phone, film: Film, clock: Clock, by_itself: bool) -> None:
    assert phone.post("settings", keeps_pictures=True).status_code == 200
    watched = begin(phone, film, by_itself=by_itself)["watched"]
    if by_itself:
        clock.ahead = 2 * watching.BY_ITSELF_S
        until(phone, lambda state: state["version"] == 1, "it was not confirmed by itself")
    else:
        assert phone.post("watch/choose", id=watched["id"], way=0).status_code == 200
    (line,) = phone.get("history")["log"]
    kept = phone.client.get(f"/api/v1{phone.base}/pictures/1")
    assert hashlib.sha256(kept.data).hexdigest() == line["body"]["picture"]
    assert max(Image.open(io.BytesIO(kept.data)).size) == 640


def test_what_passes_over_a_throw_leaves_it_as_it_was(
    phone: Phone, film: Film, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand reaches over dice that nobody touches: its going is no event, and the throw still counts by itself."""
    monkeypatch.setattr(watching, "BY_ITSELF_S", 60.0)
    watched = begin(phone, film, by_itself=True)["watched"]
    film.shows = film.hand
    state = until(phone, lambda state: state["watched"]["state"] == "moving", "the hand is not seen")
    assert state["watched"]["runs_s"] is None
    assert state["watched"]["ways"] == watched["ways"]
    film.shows = film.dice
    until(phone, lambda state: state["watched"]["runs_s"], "its time does not run anew")
    assert phone.state["version"] == 0
    clock.ahead = 61.0
    until(phone, lambda state: state["version"] == 1, "the throw was not confirmed by itself")


def test_a_second_table_is_refused_politely(phone: Phone, watched_app: Flask, film: Film) -> None:
    client = watched_app.test_client()
    other = Phone(client, start(client, "yatzy"))
    assert phone.post("watch", on=True).status_code == 200
    refused = other.post("watch", on=True)
    assert (refused.status_code, refused.get_json()["reason"]) == (409, "camera-watches")
    assert other.state["watched"] is None
    assert phone.post("watch", on=False).status_code == 200
    assert phone.look()["watched"] is None
    assert other.post("watch", on=True).status_code == 200


def test_a_camera_without_a_picture_is_told_and_the_key_pad_goes_on(phone: Phone, film: Film) -> None:
    assert phone.post("watch", on=True).status_code == 200
    film.shows = film.broken
    state = until(phone, lambda state: state["watched"]["state"] == "trouble", "nothing was told")
    assert state["watched"]["problem"]["reason"] == "camera-failed"
    assert phone.throw(1, 2, 3, 4, 5, 6).status_code == 200
    throw(phone, film)


def watcher_of(app: Flask, phone: Phone) -> table_watcher.WatchedTable:
    return services(app).photos.watched._tables[phone.key]


def test_a_table_that_was_loaded_anew_is_watched_as_before(phone: Phone, film: Film, watched_app: Flask) -> None:
    """Its session was dropped, as after an error of the disk: nothing that passes is stored."""
    before = begin(phone, film)["watched"]
    assert phone.post("watch", on=True, by_itself=True).status_code == 200
    film.wait(1)
    cache = services(watched_app).runner._cache
    for session in cache.all():
        cache.drop(session)
    state = until(phone, lambda state: state["watched"], "nobody watches")
    assert state["watched"] == {**before, "by_itself": True}
    assert phone.post("watch/choose", id=before["id"], way=0).status_code == 200
    until(phone, lambda state: state["watched"]["state"] == "resting", "it does not go on")


@pytest.mark.parametrize("erased", [False, True])
def test_a_table_that_ends_while_it_is_watched_frees_the_camera(
    phone: Phone, film: Film, watched_app: Flask, erased: bool
) -> None:
    begin(phone, film)
    watched = watcher_of(watched_app, phone)
    ended = {"path": "deleted", "deleted": True} if erased else {"path": "closed", "closed": True}
    film.shows = film.hand
    assert phone.post(**ended).status_code == 200
    if erased:
        key, runner = watched.key, services(watched_app).runner
        deletion = runner.look(key, SERVER).access.deletion
        assert deletion is not None
        assert runner.erase(key, deletion)
    wait_until(lambda: services(watched_app).photos.watched._tables == {})
    client = watched_app.test_client()
    assert Phone(client, start(client)).post("watch", on=True).status_code == 200


def test_what_lies_outside_the_region_is_not_there(phone: Phone, film: Film) -> None:
    left = sorted(die["box"][0] for die in THROW["dice"])
    middle = left[3] / DICE.width  # three dice begin left of it
    assert phone.post("watch", on=True, region=[middle, 0, 1, 0, 1, 1, middle, 1]).status_code == 200
    film.shows = film.hand
    until(phone, lambda state: state["watched"]["state"] == "moving", "the hand is not seen")
    film.shows = film.dice
    state = until(phone, lambda state: state["watched"].get("refused"), "all dice are seen")
    assert state["watched"]["refused"]["reason"] == "too-few-dice"
    refused = phone.post("watch", on=True, region=[0, 0, 0.9, 0.9, 1, 1, 0.1, 0.1])
    assert refused.status_code == 422
    assert phone.post("watch", on=True, region=[0, 0, 1]).status_code == 400


def test_small_pictures_are_few_and_small(phone: Phone, film: Film) -> None:
    assert phone.client.get(f"/api/v1{phone.base}/watch/picture", headers=JSON).status_code == 409
    begin(phone, film)
    seen, after, end = [], -1, time.monotonic() + 1
    while time.monotonic() < end:
        answer = phone.client.get(f"/api/v1{phone.base}/watch/picture?after={after}")
        if answer.status_code == 200:
            after = int(answer.headers["X-Picture"])
            seen.append(len(answer.data))
        time.sleep(0.01)
    assert 1 <= len(seen) <= 6
    assert sum(seen) < 40_000


@pytest.mark.parametrize("size", [(240, 320), (320, 320)])
def test_small_pictures_of_a_patterned_cloth_are_small_too(size: tuple[int, int]) -> None:
    """At most 40 kB a second, five of them: also of what JPEG is worst at."""
    noise = np.random.default_rng(1).integers(0, 256, (*size, 3), dtype=np.uint8)
    cloth = np.kron(np.indices((size[0] // 8, size[1] // 8)).sum(0) % 2, np.ones((8, 8))).astype(np.uint8) * 255
    for picture, least in ((noise, size[1] // 2), (np.dstack([cloth] * 3), size[1])):
        data = pictures.small_jpeg(Image.fromarray(picture))
        assert len(data) <= 40_000 / 5
        assert Image.open(io.BytesIO(data)).width >= least


def test_without_a_camera_one_sentence_says_so(client: Any) -> None:
    phone = Phone(client, start(client))
    refused = phone.post("watch", on=True)
    assert (refused.status_code, refused.get_json()["reason"]) == (404, "no-camera")
