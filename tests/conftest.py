"""What every test starts from, and which tests are not of single parts."""

import ast
import gc
import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import PIL.Image
import pytest
from hypothesis import settings

import vision

_OPEN = PIL.Image.open
ROOT = Path(__file__).resolve().parent.parent
# Without a window it is the same engine, and takes a third less of the processor.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next((path for path in map(shutil.which, CHROMIUMS) if path), None)

LACKS = "OpenCV needs a system library"
EXPLAIN = vision.explain_import
TOLD: list[str] = []  # by the program in this test, as an answer or in a log

# In these folders all tests are `whole`, as those that start a server (`Served`), and others that say so: they start,
# kill or train whole programs, look at pages of the whole application, wait as long as a server waits, watch whole
# films, read many photos, or play and solve whole games.
WHOLE = (
    "tests/browser",
    "tests/reliability",
    "tests/datasets/render",
    "tests/datasets/training",
    "tests/datasets/video",
    "tests/release",
    "tests/scorer/advice",
    "tests/web/hosts",
    "tests/web/own_games",
    "tests/web/pages",
)
FURTHER_GAMES = {path.stem for path in (ROOT / "scorer" / "games" / "pack").glob("*.toml")}

# The same examples in each run, however slow the machine is.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--skipped-to", type=Path, help="append the ids of all tests that skipped to this file")
    parser.addoption("--pictures", action="store_true", help="take pictures of all pages (out/screenshots)")


def explain_import(error: ImportError) -> ImportError:
    explained = EXPLAIN(error)
    TOLD.append(str(explained))
    return explained


def pytest_configure(config: pytest.Config) -> None:
    vision.explain_import = explain_import
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
    if ("not browser" in wanted and name == "tests/browser") or ("not whole" in wanted and name in WHOLE):
        return True
    if not collection_path.match("test_*.py"):
        return None
    marks = _marks_of_all(collection_path)
    unwanted = any(f"not {mark}" in wanted and mark in marks for mark in ("whole", "alone", "browser"))
    text = collection_path.read_text(encoding="utf-8")
    return True if unwanted or (wanted.startswith("alone") and "mark.alone" not in text) else None


def _marks_of_all(module: Path) -> set[str]:
    """The marks of all tests of a module, which is not loaded: its `pytestmark`."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            return set(re.findall(r"pytest\.mark\.(\w+)", ast.unparse(node.value)))
    return set()


def lacks_opencv(error: BaseException | None, text: str = "") -> str | None:
    """The program's own sentence on OpenCV's system libraries, if they are missing here and the error, or a text that
    was told, comes from that."""
    while error is not None:
        if isinstance(error, ImportError) and error.name == "cv2":
            said = str(EXPLAIN(error))
            return said if LACKS in said else None
        error = error.__cause__ or error.__context__
    return LACKS + text.partition(LACKS)[2].partition("\n")[0] if LACKS in text else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    raised = report.call.excinfo  # type: ignore[attr-defined] - pytest's own collecting leaves it there
    if report.failed and (reason := lacks_opencv(raised and raised.value)):
        report.outcome, report.longrepr = "skipped", (str(collector.path), 1, f"Skipped: {reason}")
    # Where a module that it imports skips, too: xdist tells each place once, and `--skipped-to` would lack one of them.
    elif report.skipped and isinstance(report.longrepr, tuple):
        report.longrepr = (str(collector.path), *report.longrepr[1:])
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and call.excinfo:
        # What another process told stands in the test's complaint, or in the log of its server.
        told = "\n".join((*TOLD, report.longreprtext, *_server_logs(item)))
        if reason := lacks_opencv(call.excinfo.value, told):
            report.outcome, report.longrepr = "skipped", (str(item.path), 1, f"Skipped: {reason}")
    if call.when == "teardown":
        TOLD.clear()
    return report


def _server_logs(item: pytest.Item) -> Iterator[str]:
    from tests.web.served import Served

    for each in getattr(item, "funcargs", {}).values():
        if isinstance(each, Served):
            with suppress(ValueError):  # it was killed, and its log is closed
                yield each.output()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Where all tests are of a browser that is not there, starting workers takes longer than skipping them."""
    return 0 if CHROMIUM is None and config.option.markexpr.startswith("browser") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith(WHOLE):
            item.add_marker("whole")
        # The same again on the other engine of the store, which is a program of its own, or with one more game of a
        # family.
        params = item.callspec.params if hasattr(item, "callspec") else {}
        other_store = "postgresql" in (params.get("database"), params.get("served"))
        if other_store or params.get("key") in FURTHER_GAMES or starts_a_program(item):
            item.add_marker("whole")


def starts_a_program(item: pytest.Item) -> bool:
    """Whether a test, or a fixture of it, starts a server in a process of its own."""
    fixtures = item._fixtureinfo.name2fixturedefs.values()  # type: ignore[attr-defined] - nothing public tells them
    functions = [item.function, *(each.func for several in fixtures for each in several)]  # type: ignore[attr-defined]
    return any("Served" in getattr(each, "__code__", starts_a_program.__code__).co_names for each in functions)


def pytest_collection_finish() -> None:
    """What is there for all tests is looked through no more for garbage, which would take a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(autouse=True)
def pillow_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """ultralytics puts its own function in the place of Pillow's; the server never loads it."""
    monkeypatch.setattr(PIL.Image, "open", _OPEN)


@pytest.fixture(scope="session", autouse=True)
def networks_are_loaded_once() -> Iterator[None]:
    """Each reader would load the same files again, which takes longer than to read a photo."""
    try:
        import vision.detector
        import vision.network_eye
        from vision.backend import Network
    except ImportError as error:
        if lacks_opencv(error) is None:
            raise
        yield
        return

    @cache
    def load(path: Path, changed: int) -> Network:
        return Network(path)

    def network(path: Path) -> Network:
        return load(path, path.stat().st_mtime_ns if path.is_file() else 0)

    with pytest.MonkeyPatch.context() as patch:
        for module in (vision.detector, vision.network_eye):
            patch.setattr(module, "Network", network)
        yield
