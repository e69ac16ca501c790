"""`rollcall serve --open`, as a desktop's icon starts it: with a browser that notes what it is to open."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.served import ROOT, UNPREPARED, Served
from tests.web.waiting import wait_until
from web.desktop import ADDRESS, running_address
from web.serving import ServeError, open_or_serve

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the noting browser is a script of a Unix shell")


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """What the browser of this computer was asked to open so far."""
    script, noted = tmp_path / "browser", tmp_path / "opened"
    script.write_text(f'#!/bin/sh\necho "$1" >> {noted}\n')
    script.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{script} %s")
    return lambda: noted.read_text().splitlines() if noted.exists() else []


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that was started without `--open`."""
    with Served(tmp_path_factory.mktemp("running") / "data", program=UNPREPARED) as served:
        yield served


def start_again(running: Served, *options: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *UNPREPARED, "serve", "--open", "--data", str(running.data), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_browser_opens_once_the_server_answers(browser: Callable[[], list[str]], tmp_path: Path) -> None:
    with Served(tmp_path / "data", arguments=["--open"], program=UNPREPARED) as served:
        wait_until(browser)
        assert browser() == [f"{served.base}/welcome"]
        with closing(served.connect()) as connection:
            connection.request("POST", "/welcome/end")
            assert connection.getresponse().status == 200
        assert served.process.wait(60) == 0, "the page ends it cleanly"
        assert not (served.data / ADDRESS).exists()


def test_no_argument_means_that_the_icon_was_opened(
    browser: Callable[[], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Served(tmp_path / "rollcall", arguments=["--open"], program=UNPREPARED) as served:
        wait_until(browser)
        done = subprocess.run([sys.executable, "-m", "rollcall"], cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, f"Rollcall runs already: {served.base}/welcome\n")
        assert browser() == [f"{served.base}/welcome"] * 2


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--key", "key.pem"], "--key needs --cert"),
        (["--behind", "next door"], "--behind names the address"),
        (["--data", "/dev/null/games"], "the data folder /dev/null/games"),
        *(
            pytest.param(wrong, said, marks=pytest.mark.slow)
            for wrong, said in (
                (["--cert", "none.pem"], "there is no file none.pem"),
                (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1"),
                (["--port", "everywhere"], "--port"),
                (["--metrics"], "make ROLLCALL_METRICS_TOKEN longer"),
                (["--games", "nowhere"], "--games nowhere: No such file"),
                (["--mqtt", "broker"], "--mqtt: a broker is"),
                (["--mqtt-password", "none"], "--mqtt-password needs --mqtt"),
                (["--webhooks-to", "next door"], "--webhooks-to names a network"),
                (["--database", "games.db"], "a database is postgresql"),
            )
        ),
    ],
)
def test_a_wrong_option_is_named_also_while_another_one_runs(
    browser: Callable[[], list[str]], running: Served, wrong: list[str], said: str
) -> None:
    done = start_again(running, *wrong)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert browser() == []


@pytest.mark.parametrize(
    "option",
    [
        "--https",
        "--camera=99",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("--no-announce", "--name=dice.home", "--log=json")),
    ],
)
def test_an_option_that_comes_too_late_is_not_passed_over_in_silence(
    browser: Callable[[], list[str]], running: Served, option: str
) -> None:
    done = start_again(running, option)
    found, late = done.stdout.splitlines()
    assert (done.returncode, found) == (0, f"Rollcall runs already: {running.base}/")
    assert late == "It keeps the options of its own start. To use these, end it first."


def test_it_opens_nothing_unless_asked(browser: Callable[[], list[str]], tmp_path: Path) -> None:
    with Served(tmp_path / "data", program=UNPREPARED):
        pass
    assert browser() == []


@pytest.mark.parametrize("same_port", [True, False], ids=["same port", "another port"])
def test_a_second_start_opens_the_page_of_the_first(
    browser: Callable[[], list[str]], tmp_path: Path, same_port: bool
) -> None:
    """Also if the first one was started without `--open`."""
    with Served(tmp_path / "data", https=True, program=UNPREPARED) as served:
        second = [sys.executable, *UNPREPARED, "serve", "--open", "--data", str(served.data), "--host", "127.0.0.1"]
        port = str(served.port) if same_port else "0"
        done = subprocess.run([*second, "--port", port], cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"Rollcall runs already: {served.base}/\n", "")
        assert browser() == [f"{served.base}/"]
        assert served.process.poll() is None


def test_a_port_that_another_program_has_is_refused(browser: Callable[[], list[str]], tmp_path: Path) -> None:
    with (
        Served(tmp_path / "data", program=UNPREPARED) as served,
        pytest.raises(ServeError, match=f"port {served.port}"),
    ):
        open_or_serve(tmp_path / "other", io.StringIO(), host="127.0.0.1", port=served.port)
    assert browser() == []


def test_what_a_killed_server_left_is_no_running_one(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Served(data, program=UNPREPARED) as served:
        assert running_address(data) == f"{served.base}/"
    assert not (data / ADDRESS).exists()
    killed = Served(data, program=UNPREPARED)
    killed.start()
    killed.kill()
    assert (data / ADDRESS).exists()
    assert running_address(data) is None
