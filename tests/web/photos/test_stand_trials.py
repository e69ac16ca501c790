"""A phone that is being set up on its stand is told what it sees; the table hears nothing of it."""

from pathlib import Path

import pytest
from flask import Flask

from tests.reliability.test_security import everything
from tests.vision.scenes import Film
from tests.web.apps import create_app
from tests.web.pages.test_owners import close, reason
from tests.web.phones import Phone, start
from tests.web.photos.test_photo_reader import needs_models
from tests.web.photos.test_stand import NOTHING, THROW, shots
from tests.web.stands import StandPhone, coded
from tests.web.waiting import wait_until
from web.photos import stand_trials, watched_tables
from web.services import services

pytestmark = [
    pytest.mark.whole,
    needs_models,
    # Phones on stands are for a server that has its games to itself.
    pytest.mark.parametrize("database", ["sqlite"], indirect=True),
]


@pytest.fixture
def trial(app: Flask) -> StandPhone:
    client = app.test_client()
    client.get("/")
    return StandPhone(Phone(client, start(client, "sequence")), to="trial")


def test_it_is_told_the_dice_that_lie_there_and_a_throw_that_came_to_rest(
    app: Flask, trial: StandPhone, tmp_path: Path
) -> None:
    stored = everything(app, tmp_path / "data")
    shown = trial.phone.look()
    trial.play(shots(THROW))
    assert (trial.answer["state"], trial.answer["more"], trial.answer["throws"]) == ("resting", False, 1)
    assert sorted(die["value"] for die in trial.answer["dice"]) == sorted(THROW.values())
    assert trial.answer["thrown"] == trial.answer["dice"]
    trial.play(shots(Film("throw-112455.jpg").throw(*range(6)).last(4)))
    assert trial.answer["throws"] == 1, "dice that lie there still are no throw"
    assert everything(app, tmp_path / "data") == stored, "nothing is kept"
    assert trial.phone.look() == shown, "and no phone is shown anything"


def test_dice_that_lay_there_before_are_no_throw(trial: StandPhone) -> None:
    trial.play(shots(Film("throw-112455.jpg").throw(*range(6)).last(3)))
    assert (trial.answer["state"], len(trial.answer["dice"])) == ("resting", 6)
    assert (trial.answer["throws"], trial.answer["thrown"]) == (0, [])


def test_while_dice_move_none_is_told(trial: StandPhone) -> None:
    trial.play(shots(THROW))
    film = Film("throw-113466.jpg").last(1)
    trial.play(shots(film)[:1])
    trial.show(shots(THROW)[0][1])
    assert trial.answer["state"] != "resting"
    assert trial.answer["dice"] == []


def test_a_server_that_was_started_again_asks_for_frames(app: Flask, trial: StandPhone, tmp_path: Path) -> None:
    trial.play(shots(THROW))
    services(app).close()
    later = create_app(tmp_path / "data")
    trial.phone = Phone(later.test_client(), trial.phone.base)
    assert trial.post(b"").status_code == 200
    assert (trial.answer["more"], trial.answer["throws"]) == (True, 0)
    services(later).close()


def test_of_a_phone_that_went_away_nothing_is_left(
    app: Flask, trial: StandPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stand_trials, "FORGOTTEN_S", 0.1)
    trial.show(shots(THROW)[0][1])
    wait_until(lambda: not services(app).photos.trials.count)


def test_one_frame_of_a_phone_is_looked_at_a_time(app: Flask, trial: StandPhone) -> None:
    frame = coded(NOTHING.pixels[:480, :640], 75)
    assert trial.post(frame).status_code == 200
    (known,) = services(app).photos.trials._trials.values()
    with known.work.enter():
        assert reason(trial.post(frame)) == (503, "busy")
    assert trial.post(frame).status_code == 200


def test_at_the_bound_and_for_a_bad_frame_one_sentence_says_so(
    app: Flask, trial: StandPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_tables, "most_stands", lambda: 1)
    trial.show(shots(THROW)[0][1])
    assert reason(trial.post(b"no picture")) == (422, "photo-format")
    assert reason(trial.post(b"x" * 65_537)) == (422, "bad-frame")
    client = app.test_client()
    other = StandPhone(Phone(client, start(client, "yatzy")), "another-stand", to="trial")
    assert other.post(b"").status_code == 200, "a sign of life takes no place"
    assert reason(other.post(coded(NOTHING.pixels[:480, :640], 75))) == (503, "stands-full")
    close(trial.phone)
    assert reason(trial.post(b"")) == (409, "table-closed")
