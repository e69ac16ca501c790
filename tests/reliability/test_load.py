"""The load of `benchmarks.load`, in small: not how fast, but that every phone comes to show what was done."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.load import arguments, measure
from tests.reliability.driving import Served, database_variable
from tests.web.postgres import both_engines


@both_engines
def test_every_phone_shows_what_the_others_did(
    tmp_path: Path, database: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [] if database else ["--photos", "1"]  # which readers of their own read there (`test_cluster.py`)
    with Served(tmp_path / "data", environment=database_variable(database)) as served:
        args = arguments(["--tables", "13", "--phones", "3", "--every", "1", "--seconds", "3", *photos])
        club = measure(("127.0.0.1", served.port), args, served.process.pid)
        measured = club.measured
        assert not measured.errors
        assert set(measured.answers) <= {"200", "409", "photo 202", "photo 409"}
        assert len(measured.actions) > 13
        # Of two actions at once a phone may hear the newer one alone: it holds the whole state.
        assert [phone.version for phone in club.phones] == [phone.table.done for phone in club.phones]
        assert len(measured.heard) > 2 * len(measured.actions)
        assert len(measured.by_kind) >= 11, "games of all kinds"
    assert "errors: none" in capsys.readouterr().out


def test_a_camera_watches_meanwhile(tmp_path: Path) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (480, 360))
    for shade in range(100, 150):
        writer.write(np.full((360, 480, 3), shade, np.uint8))
    writer.release()
    with Served(tmp_path / "data", arguments=["--camera", str(film)]) as served:
        args = arguments(["--tables", "2", "--phones", "1", "--every", "1", "--seconds", "6", "--watch", str(film)])
        measured = measure(("127.0.0.1", served.port), args, served.process.pid).measured
    assert not measured.errors
    assert measured.answers["small picture 200"], measured.answers
    assert measured.actions
