"""Games played by hands before the server's camera, through the real server and its pages: taps only for what the hands
cannot say. The film is shown at the pace at which the server looks."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import NewPhone
from tests.browser.hands_free import Table, game_by_hands
from tests.browser.playing import start_table, state
from tests.vision import scenes
from tests.web.served import Served

PACED = ("-m", "tests.browser.paced")
PLAYERS = ("Ada", "Bob")
OUT, IN = (720.0, 240.0), (260.0, 240.0)  # of the picture, and among the dice


@contextmanager
def watched_table(
    tmp_path: Path,
    film: Path,
    new_phone: NewPhone,
    game: str,
    actions: list[dict[str, Any]],
    players: tuple[str, ...] = PLAYERS,
    **options: Any,
) -> Iterator[Table]:
    """A table of this game that the camera watches."""
    with Served(tmp_path / "data", arguments=["--camera", str(film)], program=PACED) as server:
        page = new_phone()
        start_table(page, server.base, game, *players, **options)
        table = Table(page, film, actions)
        table.watch()
        yield table


def test_a_short_game_takes_one_tap(tmp_path: Path, new_phone: NewPhone) -> None:
    film = scenes.Film("throw-112455.jpg").last(1)
    values = [value for value, _ in scenes.picture_of_dice(film.name)[2]]
    again = [place for place, value in enumerate(values) if value != 1]
    events: list[dict[str, Any]] = []

    def happens(event: str, stayed: list[int]) -> None:
        events.append({"at": len(film.shots) / scenes.RATE, "event": event, "values": film.values(), "stayed": stayed})
        film.last(1.6)
        events.append({"at": len(film.shots) / scenes.RATE, "event": "moving"})

    film.reach(OUT, IN, OUT).throw(*range(6))
    happens("settled", [])
    film.reach(OUT, IN).lift(*again).reach(IN, OUT)
    happens("settled", [1, 1])
    film.reach(OUT, IN)
    film.dice |= dict(zip(again, [(143.0, 275.0), (282.0, -105.0), (-130.0, -30.0), (20.0, 150.0)], strict=True))
    film.reach(IN, OUT)
    happens("settled", [1, 1])
    film.reach(OUT, IN).lift(*range(6)).reach(IN, OUT)
    happens("cleared", [])
    path = tmp_path / "film.avi"
    film.save(path)
    actions: list[dict[str, Any]] = [
        {"do": "throw", "dice": [1, 1, 2, 4, 5, 5]},
        {"do": "set-aside", "dice": [1, 1]},
        {"do": "throw", "dice": [2, 4, 5, 5]},
        {"do": "set-aside", "dice": [5, 5]},
        {"do": "bank"},
    ]
    rules = {"target": 300, "minimum": 300}
    with watched_table(tmp_path, path, new_phone, "ones-and-fives", actions, **rules) as table:
        table.play(events)
        assert table.taps == ["banked"]
        standing = state(table.page)["standing"]
        assert standing["over"]
        assert standing["players"][0]["score"] == 300


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "seed", "rules", "taps"),
    [
        ("ones-and-fives", PLAYERS, 3, {"target": 1000}, {"banked"}),
        ("kosci", PLAYERS[:1], 0, {}, {"cell", "written"}),
    ],
)
def test_a_whole_game_takes_only_the_taps_that_hands_cannot_make(
    tmp_path: Path,
    new_phone: NewPhone,
    game: str,
    players: tuple[str, ...],
    seed: int,
    rules: dict[str, Any],
    taps: set[str],
) -> None:
    """By one rendered video of all of it."""
    pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")
    from datasets.video import command
    from datasets.video.acting import Manners

    actions, script = game_by_hands(game, players, seed, **rules)
    path = tmp_path / "film.mp4"
    manners = Manners(push=0.0, outside=0.0, wait=1.0, lost=0.0, clear=1.0)
    film = command.film_game(path, script, 3, manners=manners)
    with watched_table(tmp_path, path, new_phone, game, actions, players, **rules) as table:
        table.play(film["events"])
        print(f"{game}: {len(script)} throws, {len(actions)} actions, taps: {Counter(table.taps)}")
        assert set(table.taps) <= taps, table.taps
        assert table.taps.count("banked") == sum(action["do"] == "bank" for action in actions)
        assert table.taps.count("written") == sum(action["do"] == "score" for action in actions)
        assert state(table.page)["standing"]["over"]
