"""What every test starts from, and which tests are not of single parts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import PIL.Image
import pytest
from hypothesis import settings

_OPEN = PIL.Image.open
ROOT = Path(__file__).resolve().parent.parent
# Without a window it is the same engine, and takes a third less of the processor.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next((path for path in map(shutil.which, CHROMIUMS) if path), None)

# Of these all tests are `whole`: they start, kill or train whole programs, wait as long as a server waits, watch whole
# films or read many photos, play and solve whole games, or load all that are solved, or ask for every page in every
# way. A folder, a module, or the beginning of some tests' names.
WHOLE = (
    "tests/browser",
    "tests/reliability",
    "tests/datasets/render",
    "tests/datasets/training",
    "tests/datasets/video",
    "tests/datasets/measuring/test_clips.py",
    "tests/datasets/measuring/test_evaluation.py",
    "tests/datasets/measuring/test_evening_figures.py::test_the_command_",
    "tests/datasets/measuring/test_stress.py::test_the_command_",
    "tests/datasets/test_corrections.py",
    "tests/scorer/test_against_reference.py::test_random_games_",
    "tests/scorer/test_reasons.py::test_no_refusal_tells_a_family_",
    "tests/scorer/test_seats.py::test_players_come_and_go_in_random_play",
    "tests/scorer/advice/sheet/test_columns.py",
    "tests/scorer/advice/test_commands.py",
    "tests/scorer/advice/test_knaster.py",
    "tests/scorer/advice/ten_thousand/test_race.py",
    "tests/scorer/advice/sheet/test_one_column.py",
    "tests/scorer/advice/ten_thousand/test_points.py",
    "tests/scorer/advice/sheet/test_upper_bonus.py",
    "tests/test_documents.py::test_whatever_a_table_tells_",
    "tests/test_rollcall.py::test_confirmed_throws",
    "tests/test_rollcall.py::test_read_",
    "tests/test_rollcall.py::test_watch_",
    "tests/test_wheel.py",
    "tests/vision/test_backend.py::test_it_asks_nobody_",
    "tests/vision/test_backend.py::test_the_first_pictures_",
    "tests/vision/test_containers.py::test_what_stands_",
    "tests/vision/test_logo_dice.py",
    "tests/vision/test_obstacles.py",
    "tests/vision/test_reader.py",
    "tests/vision/watch/test_watch.py",
    "tests/release",
    "tests/web/api/test_api_examples.py",
    "tests/web/api/test_conformance.py",
    "tests/web/api/test_taken_back.py",
    "tests/web/api/test_webhook_shares.py",
    "tests/web/api/test_webhooks.py",
    "tests/web/cluster",
    "tests/web/home/test_database_away.py",
    "tests/web/home/test_mqtt_publisher.py",
    "tests/web/home/test_network_announcement.py",
    "tests/web/pages/test_access.py::test_who_may_come_",
    "tests/web/pages/test_access.py::test_who_may_not_come_",
    "tests/web/pages/test_access.py::test_what_is_asked_for_beside_flask_",
    "tests/web/pages/test_advice.py::test_every_game_",
    "tests/web/pages/test_advice.py::test_what_is_settled_by_hand_",
    "tests/web/pages/test_longest_record.py::test_the_longest_game_",
    "tests/web/pages/test_luck_page.py::test_every_game_",
    "tests/web/pages/test_luck_page.py::test_what_is_settled_",
    "tests/web/pages/test_my_tables.py::test_odd_arguments_",
    "tests/web/photos/test_samples.py::test_logo_dice_",
    "tests/web/photos/test_stand.py",
    "tests/web/photos/test_stand_trials.py",
    "tests/web/photos/test_table_watcher.py",
    "tests/web/session/test_playing.py::test_whole_random_games_",
    "tests/web/server/test_behind_a_proxy.py",
    "tests/web/server/test_keys.py::test_forged_keys_",
    "tests/web/server/test_keys.py::test_a_right_key_",
    "tests/web/server/test_protocol.py::test_a_kept_connection_outlives_",
    "tests/web/server/test_protocol.py::test_who_is_slow_",
    "tests/web/server/test_desktop.py",
    "tests/web/server/test_observing.py",
    "tests/web/server/test_server.py",
    "tests/web/session/umpire/test_playing_by_hand.py",
    "tests/web/statistics/test_player_games.py::test_windows_",
    "tests/web/store/test_locking.py::test_a_backup_is_made_of_a_folder_",
    "tests/web/store/test_locking.py::test_a_folder_that_may_not_be_written_",
    "tests/web/store/test_store.py::test_a_store_locked_",
)
FURTHER_GAMES = {path.stem for path in (ROOT / "scorer" / "games" / "pack").glob("*.toml")}
# Of these all tests are `alone`: they hold times against bounds, show films at their own speed, or fill all cores.
# What only waits, or kills a server of its own, runs beside others.
ALONE = (
    "tests/browser/test_hands_free.py",
    "tests/browser/test_other_engines.py",
    "tests/browser/test_stand.py",
    "tests/browser/test_watching.py",
    "tests/reliability/test_cluster.py",
    "tests/reliability/test_floods.py",
    "tests/reliability/test_load.py",
    "tests/reliability/test_webhook_floods.py",
    "tests/test_deploy.py",
    "tests/web/cluster/test_ending.py",
)

# The same examples in each run, however slow the machine is.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--skipped-to", type=Path, help="append the ids of all tests that skipped to this file")


def pytest_configure(config: pytest.Config) -> None:
    if (path := config.getoption("--skipped-to")) and not hasattr(config, "workerinput"):  # xdist's workers report here
        config.pluginmanager.register(SkippedTests(path))


class SkippedTests:
    """Appends the ids of tests and modules that skipped to a file: another environment may be able to run them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self._append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._append(report.nodeid)

    def _append(self, nodeid: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{nodeid}\n")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What no test is wanted of is not even loaded: the training packages alone take seconds, in each worker."""
    wanted: str = config.option.markexpr
    if ROOT not in collection_path.parents:
        return None
    name = collection_path.relative_to(ROOT).as_posix()
    browsers = "not browser" in wanted and name == "tests/browser"
    unwanted = browsers or ("not whole" in wanted and name in WHOLE) or ("not alone" in wanted and name in ALONE)
    beside = wanted.startswith("alone") and name.endswith(".py") and not name.startswith(ALONE)
    return True if unwanted or beside else None


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Where all tests are of a browser that is not there, starting workers takes longer than skipping them."""
    return 0 if CHROMIUM is None and config.option.markexpr.startswith("browser") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark, names in (("whole", WHOLE), ("alone", ALONE)):
            if item.nodeid.startswith(names):
                item.add_marker(mark)
        # The same again on the other engine of the store, which is a program of its own, or with one more game of a
        # family.
        params = item.callspec.params if hasattr(item, "callspec") else {}
        other_store = "postgresql" in (params.get("database"), params.get("served"))
        if other_store or params.get("key") in FURTHER_GAMES:
            item.add_marker("whole")


@pytest.fixture(autouse=True)
def pillow_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """ultralytics puts its own function in the place of Pillow's; the server never loads it."""
    monkeypatch.setattr(PIL.Image, "open", _OPEN)


@pytest.fixture(scope="session", autouse=True)
def networks_are_loaded_once() -> Iterator[None]:
    """Each reader would load the same files again, which takes longer than to read a photo."""
    import vision.detector
    import vision.network_eye
    from vision.backend import Network

    @cache
    def load(path: Path, changed: int, shape: tuple[int, ...] | None) -> Network:
        return Network(path, shape)

    def network(path: Path, shape: Sequence[int] | None = None) -> Network:
        changed = path.stat().st_mtime_ns if path.is_file() else 0
        return load(path, changed, None if shape is None else tuple(shape))

    with pytest.MonkeyPatch.context() as patch:
        for module in (vision.detector, vision.network_eye):
            patch.setattr(module, "Network", network)
        yield
