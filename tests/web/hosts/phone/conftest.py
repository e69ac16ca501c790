"""The site of a phone alone, built once, on a plain static server, and Chromium to open it.

Skipped, saying why, where node or Chromium is missing, or the pinned packages are not kept and cannot be fetched.
"""

import contextlib
import functools
import http.server
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from filelock import FileLock

from tests.browser.conftest import TRIED_AGAIN
from tests.conftest import CHROMIUM

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
ARGUMENTS += ["--disable-features=WebRtcHideLocalIpsWithMdns"]  # as on a phone whose camera is allowed
PATIENCE_MS = 90_000
HAVE_ALL = """async (names) => {
  for (const name of names)
    for (let tried = 0; !(await caches.match(new URL(name, location.href))); tried += 1) {
      if (tried === 900) throw new Error(`${name} did not come`);
      await new Promise((done) => setTimeout(done, 100));
    }
}"""
MEMORY = "memory"  # among the kept files: that of Python, for later starts
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "locale": "en-GB"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Beside other browsers these are tried again as those are."""
    for item in items:
        if Path(__file__).parent in item.path.parents and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=TRIED_AGAIN))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


class StaticServer:
    """A plain static server of one folder. `url`: of that folder."""

    def __init__(self, folder: Path, port: int = 0, handler: type[Quiet] = Quiet) -> None:
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", port), functools.partial(handler, directory=str(folder))
        )
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.port = self._server.server_port
        self.url = f"http://localhost:{self.port}/"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def kill_processes(named: str) -> None:
    """Ends all processes with this text in their command line as a flat battery does."""
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if named.encode() in (process / "cmdline").read_bytes():
                os.killpg(os.getpgid(int(process.name)), signal.SIGKILL)


class PhoneBrowser:
    """A browser with a profile that outlives it."""

    def __init__(self, playwright: Any, profile: Path) -> None:
        self._playwright, self._profile = playwright, profile
        self.errors: list[str] = []
        self.open()

    def open(self) -> None:
        self.context = self._playwright.chromium.launch_persistent_context(
            self._profile, executable_path=CHROMIUM, args=ARGUMENTS, reduced_motion="reduce", **PHONE
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def close(self) -> None:
        self.context.close()

    def kill(self) -> None:
        kill_processes(f"--user-data-dir={self._profile}")
        with contextlib.suppress(Exception):  # Playwright notices that it is gone
            self.context.close()

    def show(self, url: str) -> Any:
        """A tab with this address, without the first visit's picture. Returns it when its application is ready."""
        tab = self.context.new_page()
        tab.goto(url if "#" in url else f"{url}#/")
        tab.wait_for_selector("body[data-ready]")
        tab.wait_for_selector("#frame:not([hidden])")
        tab.frame_locator("#frame").locator("html:not([data-kept])").wait_for(state="attached")
        return tab


NewBrowser = Callable[..., PhoneBrowser]
Installed = Callable[..., tuple[StaticServer, PhoneBrowser]]


def later_files(site: Path) -> list[str]:
    """What a phone keeps once a throw can be typed."""
    told = (site / "service-worker.js").read_text(encoding="utf-8").removeprefix("const SITE = ")
    return [name for name, *_ in json.JSONDecoder().raw_decode(told)[0]["later"]]


def page_of(tab: Any) -> Any:
    """The page of the application within a tab, when its script runs."""
    found = tab.frame_locator("#frame").locator("body[data-ready]")
    found.wait_for()
    return found.element_handle().owner_frame()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"  # of all workers
    built = folder.with_name("site-built")
    try:
        from web.hosts.phone.site import build  # needs OpenCV; this module is loaded without

        with FileLock(folder.with_name("site-lock")), pytest.MonkeyPatch.context() as patch:
            if not built.exists():
                patch.setitem(build.XZ, "preset", 0)  # the same format, six times as fast
                build.build(folder, build.KEPT)
                built.touch()
    except subprocess.CalledProcessError as error:
        if error.cmd[0] == "npm" or "pip" in error.cmd:
            pytest.skip(f"the pinned packages cannot be fetched: {error.cmd[0]} failed")
        raise
    return folder


@pytest.fixture
def serve() -> Iterator[Callable[..., StaticServer]]:
    servers: list[StaticServer] = []

    def start(folder: Path, port: int = 0, handler: type[Quiet] = Quiet) -> StaticServer:
        servers.append(StaticServer(folder, port, handler))
        return servers[-1]

    yield start
    for each in servers:
        each.stop()


class Visited(NamedTuple):
    """The profile of a browser that has the whole site, and the port of its address."""

    profile: Path
    port: int


@pytest.fixture(scope="session")
def visited(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Visited:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    profile, server = tmp_path_factory.mktemp("visited") / "profile", StaticServer(site)
    with sync_playwright() as playwright:
        browser = PhoneBrowser(playwright, profile)
        browser.show(server.url).evaluate(HAVE_ALL, [*later_files(site), MEMORY])
        browser.close()
    server.stop()
    assert browser.errors == []
    return Visited(profile, server.port)


@pytest.fixture
def installed(
    site: Path, visited: Visited, tmp_path: Path, serve: Callable[..., StaticServer], new_browser: NewBrowser
) -> Installed:
    """A server of the site, or of a copy of its folder, and a browser that has visited it."""

    def start(folder: Path = site) -> tuple[StaticServer, PhoneBrowser]:
        profile = tmp_path / "visited"
        shutil.copytree(visited.profile, profile, symlinks=True, ignore=shutil.ignore_patterns("Singleton*"))
        return serve(folder, visited.port), new_browser(profile)

    return start


@pytest.fixture
def new_browser(tmp_path: Path) -> Iterator[NewBrowser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    browsers: list[PhoneBrowser] = []
    with sync_playwright() as playwright:

        def start(profile: Path | None = None) -> PhoneBrowser:
            browsers.append(PhoneBrowser(playwright, profile or tmp_path / f"profile-{len(browsers)}"))
            return browsers[-1]

        yield start
        for each in browsers:
            each.close()
    assert [error for each in browsers for error in each.errors] == []
