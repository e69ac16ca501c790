"""What a phone keeps: a store that was damaged, its copy, and all games as one file."""

import json
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.web.hosts.phone.test_application import HOST, PLAYED, Tab, no_eye
from web.hosts.phone.phone_application import start
from web.hosts.phone.phone_store import COPY, FIRST_AFTER_S, GamesDamagedError, PhoneStore
from web.services import services
from web.store.maintenance import checking
from web.store.sqlite import FILE_NAME, SqliteStore
from web.tasks.background import Step

GAMES = 3
PLACES, MANY_PLACES = 8, 100


def opened(folder: Path) -> Tab:
    return Tab(start(str(folder), HOST, no_eye))


def closed(tab: Tab) -> None:
    tab.application.close()


def played(tab: Tab) -> str:
    base = tab.start("Ada", "Bob")
    for version, action in enumerate(PLAYED):
        tab.act(base, version, action)
    return base


def end(tab: Tab, base: str) -> None:
    tab.act(base, tab.state(base)["version"], {"do": "adjust", "what": "game", "over": True})


def shown(tab: Tab, base: str) -> Any:
    """What phones are shown of a table, without what differs from start to start; None if it is not there."""
    status, _, content, _ = tab.ask("GET", f"/api/v1{base}")
    if status != 200:
        assert json.loads(content)["reason"] == "table-lost"
        return None
    state = json.loads(content)
    return {name: state[name] for name in ("version", "standing", "lost")}


def copied(folder: Path) -> None:
    """Has the phone make its copy."""
    tasks: list[Step] = []

    class Task:
        def __init__(self, name: str, step: Step) -> None:
            tasks.append(step)

        def wake(self) -> None:
            pass

        def end(self, within_s: float = 0) -> None:
            pass

    with closing(PhoneStore(folder, Task)):
        (step,) = tasks
        assert step() == FIRST_AFTER_S
        while step() == 0:
            pass


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A phone's data folder with a copy, and what its tables showed."""
    folder = tmp_path_factory.mktemp("kept")
    tab = opened(folder)
    states = {base: shown(tab, base) for base in [played(tab) for _ in range(GAMES)]}
    closed(tab)
    copied(folder)
    return folder, states


def differs(folder: Path, states: dict[str, Any]) -> tuple[int, bool]:
    """Opens the games. Returns how many tables are shown otherwise, and whether damage is told."""
    tab = opened(folder)
    try:
        other = 0
        for base, before in states.items():
            after = shown(tab, base)
            is_told = after is None or after["lost"] is not None
            assert after == before or is_told
            other += after != before
        page = tab.ask("GET", "/")[2].decode()
        return other, "The games on this phone were damaged" in page
    finally:
        closed(tab)


def damage_in_places(kept: tuple[Path, dict[str, Any]], tmp_path: Path, times: int) -> None:
    """Damages one byte that is in use, so many times: all tables are as before, by the copy."""
    folder, states = kept
    content, chance = (folder / FILE_NAME).read_bytes(), random.Random(66)
    used = [place for place, byte in enumerate(content) if byte]
    told = 0
    for number in range(times):
        damaged = tmp_path / str(number)
        shutil.copytree(folder, damaged)
        place = chance.choice(used)
        with (damaged / FILE_NAME).open("r+b") as file:
            file.seek(place)
            file.write(bytes([content[place] ^ (1 << chance.randrange(8))]))
        other, is_told = differs(damaged, states)
        assert other == 0, place
        told += is_told
        shutil.rmtree(damaged)
    assert told > times // 2


def test_one_byte_damaged_anywhere_is_mended_or_told(kept: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    damage_in_places(kept, tmp_path, PLACES)


@pytest.mark.slow
def test_one_byte_damaged_in_many_places_is_mended_or_told(kept: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    damage_in_places(kept, tmp_path, MANY_PLACES)


def test_games_without_a_copy_keep_what_is_whole(kept: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder, states = kept
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    (damaged / COPY).unlink()
    content = bytearray((damaged / FILE_NAME).read_bytes())
    at = content.index(b'"player')
    content[at : at + 8] = b"\0" * 8
    (damaged / FILE_NAME).write_bytes(content)
    assert differs(damaged, states)[1]


def test_games_of_which_nothing_is_left_are_told_apart(kept: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    shutil.copytree(kept[0], tmp_path, dirs_exist_ok=True)  # how far its tables went is known
    for name in (FILE_NAME, COPY):
        (tmp_path / name).write_bytes(b"\1" * 8192)
    with pytest.raises(GamesDamagedError):
        opened(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == b"\1" * 8192


def test_a_lost_file_comes_back_from_the_copy(kept: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder, states = kept
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    (damaged / FILE_NAME).write_bytes(b"")
    assert differs(damaged, states) == (0, True)


def test_a_copy_is_made_when_something_has_changed(tmp_path: Path) -> None:
    tab = opened(tmp_path)
    played(tab)
    closed(tab)
    copied(tmp_path)
    first = (tmp_path / COPY).read_bytes()
    assert checking.check(tmp_path / COPY).tables == 1
    copied(tmp_path)
    assert (tmp_path / COPY).read_bytes() == first
    tab = opened(tmp_path)
    played(tab)
    closed(tab)
    copied(tmp_path)
    assert checking.check(tmp_path / COPY).tables == 2


def test_a_damaged_store_leaves_its_copy_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large one is checked after the start; the next start mends it."""
    monkeypatch.setattr(PhoneStore, "checked_at_once", 0)
    tab = opened(tmp_path)
    base = played(tab)
    state = shown(tab, base)
    closed(tab)
    copied(tmp_path)
    copy = (tmp_path / COPY).read_bytes()
    content = bytearray((tmp_path / FILE_NAME).read_bytes())
    at = content.index(b'"player')
    content[at : at + 8] = b"\0" * 8
    (tmp_path / FILE_NAME).write_bytes(content)
    copied(tmp_path)
    assert (tmp_path / COPY).read_bytes() == copy
    assert differs(tmp_path, {base: state}) == (0, True)


# --- all games as one file ---


def saved(tab: Tab) -> bytes:
    status, _, content, _ = tab.ask("GET", "/all-games")
    assert status == 200
    return bytes(content)


def brought(tab: Tab, content: bytes) -> Any:
    headers = [("content-type", "application/octet-stream"), ("accept", "application/json")]
    status, _, body, _ = tab.ask("POST", "/all-games", content, headers)
    return status, json.loads(body)


def listed(tab: Tab, base: str) -> bool:
    return base in tab.ask("GET", "/history")[2].decode()


@pytest.fixture
def phone(tmp_path: Path) -> Any:
    tabs: list[Tab] = []

    def make(name: str) -> Tab:
        tabs.append(opened(tmp_path / name))
        tabs[-1].ask("GET", "/")
        return tabs[-1]

    yield make
    for tab in tabs:
        closed(tab)


def test_all_games_go_to_a_new_phone_which_goes_on_as_the_old_one(phone: Callable[[str], Tab]) -> None:
    old, new = phone("old"), phone("new")
    base = played(old)
    content = saved(old)
    assert brought(new, content) == (200, {"came": 1, "here": 0, "deleted": 0, "games": 0})
    assert brought(new, content) == (200, {"came": 0, "here": 1, "deleted": 0, "games": 0})
    assert shown(new, base) == shown(old, base)
    assert listed(new, base)
    assert (
        new.ask("POST", f"/api/v1{base}/deleted", b'{"deleted": true}', [("content-type", "application/json")])[0]
        == 200
    )


def test_games_are_merged_with_those_that_are_here(phone: Callable[[str], Tab]) -> None:
    one, other = phone("one"), phone("other")
    first, second = played(one), played(other)
    assert brought(other, saved(one))[1]["came"] == 1
    assert listed(other, first)
    assert listed(other, second)
    assert brought(one, saved(other))[1] == {"came": 1, "here": 1, "deleted": 0, "games": 0}
    assert listed(one, second)


def test_games_move_to_a_computer_and_back(phone: Callable[[str], Tab], tmp_path: Path) -> None:
    from web.hosts.merging import bring_games
    from web.store.maintenance.copies import copy_games

    old, new = phone("old"), phone("new")
    base = played(old)
    (tmp_path / "copy.db").write_bytes(saved(old))
    with closing(SqliteStore(tmp_path / "laptop")) as laptop:
        assert bring_games(laptop, tmp_path / "copy.db").came == 1
        copy_games(laptop.path, tmp_path / "back.db")
    assert brought(new, (tmp_path / "back.db").read_bytes())[1]["came"] == 1
    assert shown(new, base) == shown(old, base)
    assert listed(new, base)


def test_what_is_no_copy_changes_nothing(phone: Callable[[str], Tab]) -> None:
    tab = phone("one")
    status, told = brought(tab, b"no copy at all")
    assert (status, told["reason"]) == (422, "copy-not-ours")
    assert services(tab.application.app).store.notices == []


def test_guests_get_no_copy(phone: Callable[[str], Tab]) -> None:
    tab = phone("one")
    played(tab)
    guest = Tab(tab.application, "g" * 20)
    for method, path in (("GET", "/all-games"), ("POST", "/all-games"), ("GET", "/all-games/news")):
        assert guest.ask(method, path, b"")[0] == 403


def test_games_that_ended_since_the_last_copy_are_counted(phone: Callable[[str], Tab]) -> None:
    tab = phone("one")
    base = played(tab)

    def news(since: int) -> Any:
        return json.loads(tab.ask("GET", f"/all-games/news?since={since}")[2])

    assert news(0)["over"] == 0
    end(tab, base)
    assert news(0)["over"] == 1
    assert news(news(0)["newest"])["over"] == 0
