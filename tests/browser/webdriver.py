"""Other browsers by WebDriver: WebKit, the iPhone's engine, and Firefox, as Debian packs them.

WebKit's driver speaks W3C WebDriver by HTTP. Debian has no driver for Firefox, whose Marionette knows the same commands
by another name and takes them from a socket; so a hundred lines of the standard library do for both.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's id (W3C WebDriver, section 12.1)
START_WITHIN_S = 90
ANSWER_WITHIN_S = 90
PATIENCE_S = 120
PAUSE_S = 0.1
# What may change from one look to the next: it is tried again until PATIENCE_S.
PASSING = ("no such element", "stale element reference", "element not interactable", "element click intercepted")
PASSING += ("javascript error",)  # a page that loads has no body yet, or is gone before it answers


class BrowserError(Exception):
    """What the browser answered instead of doing a command; the message begins with WebDriver's error code."""


class Driver(Protocol):
    """A running browser with one page. Elements are ids."""

    def open(self, address: str) -> None: ...
    def find(self, selector: str) -> str: ...
    def click(self, element: str) -> None: ...
    def send_keys(self, element: str, text: str) -> None: ...
    def script(self, code: str) -> Any: ...
    def enter(self, frame: str | None) -> None: ...


class WebKit:
    """MiniBrowser, by WebKitWebDriver."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}"
        browser = {"binary": mini_browser(), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": browser}}}
        self._base += "/session/" + self._do("POST", "/session", wanted)["sessionId"]

    def _do(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            told = json.load(error)["value"]
            raise BrowserError(f"{told['error']}: {told['message']}") from None

    def open(self, address: str) -> None:
        self._do("POST", "/url", {"url": address})

    def find(self, selector: str) -> str:
        return str(self._do("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT])

    def click(self, element: str) -> None:
        self._do("POST", f"/element/{element}/click", {})

    def send_keys(self, element: str, text: str) -> None:
        self._do("POST", f"/element/{element}/value", {"text": text})

    def script(self, code: str) -> Any:
        return self._do("POST", "/execute/sync", {"script": f"return {code}", "args": []})

    def enter(self, frame: str | None) -> None:
        self._do("POST", "/frame", {"id": frame and {ELEMENT: frame}})

    def close(self) -> None:
        self._do("DELETE", "")


class Firefox:
    """Firefox, by Marionette: it takes `length:[0, number, command, parameters]` and answers with
    `length:[1, number, error, result]`."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_WITHIN_S)
        self._told = self._socket.makefile("rb")
        self._number = 0
        self._receive()  # its greeting
        self._do("WebDriver:NewSession")

    def _receive(self) -> Any:
        length = b""
        while (sign := self._told.read(1)) != b":":
            if not sign:
                raise ConnectionError("the browser has ended")
            length += sign
        return json.loads(self._told.read(int(length)))

    def _do(self, command: str, **parameters: Any) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise BrowserError(f"{error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def open(self, address: str) -> None:
        self._do("WebDriver:Navigate", url=address)

    def find(self, selector: str) -> str:
        return str(self._do("WebDriver:FindElement", using="css selector", value=selector)[ELEMENT])

    def click(self, element: str) -> None:
        self._do("WebDriver:ElementClick", id=element)

    def send_keys(self, element: str, text: str) -> None:
        self._do("WebDriver:ElementSendKeys", id=element, text=text)

    def script(self, code: str) -> Any:
        return self._do("WebDriver:ExecuteScript", script=f"return {code}", args=[])

    def enter(self, frame: str | None) -> None:
        self._do("WebDriver:SwitchToFrame", **({} if frame is None else {"element": frame}))

    def close(self) -> None:
        with self._socket, self._told:
            self._do("Marionette:Quit", flags=["eForceQuit"])


class Page:
    """What a person does with a page of another browser."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        self.driver.open(address)

    def enter(self, frame: str) -> None:
        """Goes on in a frame of the page."""
        self.driver.enter(None)
        self._until_done(lambda: self.driver.enter(self.driver.find(frame)), f"{frame} is not there")

    def tap(self, selector: str) -> None:
        """Scrolls there as a person does, out from under what stays at the screen's edges, waits while it is grey, and
        taps."""

        def scroll_and_click() -> None:
            found = self.driver.find(selector)
            self.driver.script(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
            self._check(f"document.querySelector({json.dumps(selector)}).getAttribute('aria-disabled') !== 'true'")
            self.driver.click(found)

        self._until_done(scroll_and_click, f"{selector} cannot be tapped")

    def type(self, selector: str, text: str) -> None:
        self._until_done(lambda: self.driver.send_keys(self.driver.find(selector), text), f"{selector} takes no text")

    def wait(self, what: str) -> None:
        """Waits until this piece of script is true."""
        self._until_done(lambda: self._check(what), f"{what} is not so")

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.driver.script(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText.trim())"
        )
        return found

    def _check(self, what: str) -> None:
        if not self.driver.script(what):
            raise BrowserError(PASSING[0])

    def _until_done(self, do: Callable[[], None], otherwise: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                return do()
            except BrowserError as failed:
                if not str(failed).startswith(PASSING):
                    raise
                if time.monotonic() > until:
                    raise TimeoutError(f"{otherwise}: {failed}") from None
            time.sleep(PAUSE_S)


def mini_browser() -> str | None:
    """The browser that comes with WebKit's driver."""
    return next((str(path) for path in Path("/").glob(MINI_BROWSERS.lstrip("/"))), None)


def missing(engine: str) -> str | None:
    """What must be installed for an engine; None where it is."""
    if engine == "firefox":
        return None if shutil.which("firefox-esr") else "Firefox is not installed (Debian: apt install firefox-esr)"
    there = shutil.which("WebKitWebDriver") and mini_browser() and (shutil.which("Xvfb") or "DISPLAY" in os.environ)
    return None if there else "WebKit's driver is not installed (Debian: apt install webkit2gtk-driver xvfb)"


@contextlib.contextmanager
def browser(engine: str, home: Path) -> Iterator[Page]:
    """A browser whose files are all in `home`: a new folder, or that of one which has ended.

    Raises OSError, also where it takes too long, or BrowserError where it does not start.
    """
    with contextlib.ExitStack() as ending:
        home.mkdir(mode=0o700, exist_ok=True)
        env = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
        driver = _firefox(home, env, ending) if engine == "firefox" else _webkit(env, ending)
        ending.callback(_close, driver)
        yield Page(driver)


def _firefox(home: Path, env: dict[str, str], ending: contextlib.ExitStack) -> Firefox:
    (home / "user.js").write_text('user_pref("marionette.port", 0);\nuser_pref("intl.accept_languages", "en-GB");\n')
    told = home / "MarionetteActivePort"
    told.unlink(missing_ok=True)
    _run(["firefox-esr", "--marionette", "--headless", "--no-remote", "--profile", str(home)], env, ending)
    return Firefox(int(_soon(lambda: told.read_text() if told.is_file() else "")))


def _webkit(env: dict[str, str], ending: contextlib.ExitStack) -> WebKit:
    if "DISPLAY" not in env:
        env["DISPLAY"] = ":" + _screen(env, ending)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    _run(["WebKitWebDriver", f"--port={port}"], {**env, "LANGUAGE": "en_GB", "LIBGL_ALWAYS_SOFTWARE": "1"}, ending)
    _soon(lambda: _listens(port))
    return WebKit(port)


def _screen(env: dict[str, str], ending: contextlib.ExitStack) -> str:
    """Starts a screen that nobody sees, and returns its number: MiniBrowser has no other way."""
    read, write = os.pipe()
    try:
        _run(["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x1000x24", "-nolisten", "tcp"], env, ending, write)
    finally:
        os.close(write)
    with os.fdopen(read) as told:
        return told.readline().strip()


def _run(command: list[str], env: dict[str, str], ending: contextlib.ExitStack, *fds: int) -> None:
    process = subprocess.Popen(
        command, env=env, pass_fds=fds, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    ending.callback(_end, process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _close(driver: Firefox | WebKit) -> None:
    with contextlib.suppress(BrowserError, OSError):  # its process is ended all the same
        driver.close()


def _listens(port: int) -> str:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return "yes"
    return ""


def _soon(look: Callable[[], str]) -> str:
    until = time.monotonic() + START_WITHIN_S
    while not (found := look()):
        if time.monotonic() > until:
            raise TimeoutError("the browser does not start")
        time.sleep(PAUSE_S)
    return found
