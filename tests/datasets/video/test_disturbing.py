"""`rollcall workshop clips disturb`: films with their labels from any clip."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.measuring.clips import CLIPS, labels
from datasets.video.clips_command import film_kind
from datasets.video.disturbances import KINDS
from datasets.video.disturbing import Scenery, first_rest
from rollcall import main
from tests.vision.cached_reader import CachedReader
from tests.vision.scenes import Film
from vision import Reader


@pytest.fixture(scope="module")
def reader() -> Reader:
    return CachedReader()


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five dice of which one rolls."""
    film = Film("throw-12345.jpg").last(0.3).throw(0, 1, 2, 3)
    film.roll(4, [(300 - 300 * np.sin(s), 0) for s in np.linspace(0, np.pi / 2, 10)])
    rests = film.shots[-1][0]
    path = tmp_path_factory.mktemp("clips") / "one.mp4"
    film.last(0.4).save(path)
    event = {"at": rests, "event": "settled", "values": list(film.values()), "stayed": []}
    path.with_suffix(".json").write_text(json.dumps({"events": [event]}))
    return path


@pytest.fixture(scope="module")
def scenery(clip: Path, reader: Reader) -> Scenery:
    return first_rest(clip, reader, 320)


def test_the_scenery_is_a_clips_first_rest(scenery: Scenery) -> None:
    assert sorted(scenery.values) == [1, 2, 3, 4, 5]
    assert scenery.picture.shape == scenery.bare.shape == (240, 320, 3)
    assert scenery.lead
    small = scenery.shrink(1 / 20)
    assert small.side == pytest.approx(16, abs=0.5)
    assert small.picture.shape == (240, 320, 3)


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_makes_a_film_whose_labels_follow_one_another(scenery: Scenery, name: str) -> None:
    take = film_kind(scenery, name, (1, 0))
    assert 2 < take.at < 20
    lying: list[int] = []
    for event in take.events:
        assert 0 <= event.get("rest", event["at"]) <= event["at"] <= take.at
        if event["event"] == "settled":
            assert all(lying.count(value) >= event["stayed"].count(value) for value in event["stayed"])
        lying = event.get("values", [])
    assert bool(take.events) == (name != "empty-table")
    again = film_kind(scenery, name, (1, 0))
    assert take.moments == again.moments
    assert take.events == again.events


@pytest.mark.parametrize("seed", range(12))
def test_no_die_is_thrown_under_a_cup(scenery: Scenery, seed: int) -> None:
    take = film_kind(scenery, "cup-put-down", (seed, 0))
    ((x, y),) = take.now.things
    width, height = take.size
    thrown = take.now.dice[-1]
    assert np.hypot(thrown.x - x * width, thrown.y - y * height) > 2.5 * scenery.side


def test_films_are_drawn_and_labelled_beside_their_kind(clip: Path, tmp_path: Path) -> None:
    assert (
        main(
            [
                "workshop",
                "clips",
                "disturb",
                str(clip.parent),
                str(tmp_path),
                "--kinds",
                "shadow-walks-by",
                "--longest",
                "320",
            ]
        )
        == 0
    )
    (film,) = tmp_path.glob("*/" + CLIPS)
    assert film.parent.name == "shadow-walks-by"
    told = labels(film.with_suffix(".json"))
    assert [len(event.stayed) for event in told] == [0, 4, 4]
    capture = cv2.VideoCapture(str(film))
    frames = []
    while (taken := capture.read())[0]:
        frames.append(taken[1].mean())
    assert len(frames) == pytest.approx(15 * (told[-1].at + 1.3), abs=3)
    middle = round(15 * (told[0].at + 1.3))
    assert frames[middle] < 0.9 * frames[-1], "the shadow"


def test_a_kind_that_is_none_is_told_in_one_line(
    clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["workshop", "clips", "disturb", str(clip.parent), str(tmp_path), "--kinds", "snow"]) == 2
    assert "no kind is called 'snow'" in capsys.readouterr().err
