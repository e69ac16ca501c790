"""`rollcall serve --open`, as a desktop's icon starts it: with a browser that notes what it is to open."""

import contextlib
import html
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.web.served import ROOT, UNPREPARED, Served
from tests.web.waiting import wait_until
from web.hosts.laptop import serving, this_machine
from web.hosts.laptop.serve_options import ServeOptions
from web.hosts.laptop.this_machine import ADDRESS, running_address

pytestmark = pytest.mark.whole

NOBODY = 65534

pty = pytest.importorskip("pty", reason="the noting browser is a script of a Unix shell")


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


def cookie_for(served: Served, opened: str) -> str:
    """What a browser gets that opens this address."""
    with closing(served.connect()) as connection:
        connection.request("GET", opened.removeprefix(served.base))
        answer = connection.getresponse()
        answer.read()
        assert (answer.status, answer.headers["Location"]) == (303, "/welcome")
    return answer.headers["Set-Cookie"].partition(";")[0]


def start_again(running: Served, *options: str) -> "subprocess.CompletedProcess[str]":
    """From a terminal, where a person reads what is wrong."""
    command = [sys.executable, *UNPREPARED, "serve", "--open", "--data", str(running.data), *options]
    terminal, stderr = pty.openpty()
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr, text=True)
        os.close(stderr)
        with contextlib.suppress(OSError):  # nothing was printed, and nobody holds the terminal any more
            done.stderr = os.read(terminal, 1 << 14).decode().replace("\r\n", "\n")
    finally:
        os.close(terminal)
    return done


def test_the_browser_opens_once_the_server_answers(browser: Callable[[], list[str]], tmp_path: Path) -> None:
    with Served(tmp_path / "data", arguments=["--open"], program=UNPREPARED) as served:
        wait_until(browser)
        (opened,) = browser()
        assert opened.startswith(f"{served.base}/welcome/open?token=")
        with closing(served.connect()) as connection:
            for headers, status in (({}, 403), ({"Cookie": cookie_for(served, opened)}, 200)):
                connection.request("POST", "/welcome/end", headers=headers)
                answer = connection.getresponse()
                answer.read()
                assert answer.status == status
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
        first, second = browser()
        assert first != second
        assert all(cookie_for(served, opened) for opened in (first, second))
        if os.name == "posix":
            assert (served.data / ADDRESS).stat().st_mode & 0o777 == 0o600


@pytest.fixture
def asking_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """A browser that opens the page; returns what it was sent."""
    script, page = tmp_path / "browser", tmp_path / "page"
    ask = f"import sys, urllib.request as net; open({str(page)!r}, 'wb').write(net.urlopen(sys.argv[1]).read())"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -I -c {shlex.quote(ask)} "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{script} %s &")
    return lambda: page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Rollcall could not start"),
        ("cs", "Rollcall se nepodařilo spustit"),
        ("pl", "Nie udało się uruchomić Rollcall"),
    ],
)
def test_who_clicked_the_icon_sees_why_it_does_not_start(
    asking_browser: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, title: str
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    data = tmp_path / "<games>"
    data.write_text("a file where a folder should be")
    command = [sys.executable, *UNPREPARED, "serve", "--open", "--data", str(data)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert (
        done.stderr
        == f"the data folder {data} cannot be used: it is a file, not a folder; name another folder with --data\n"
    )
    wait_until(lambda: "</html>" in asking_browser())
    assert f"<h1>{title}</h1>" in asking_browser()
    assert html.escape(done.stderr.strip()) in asking_browser()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--key", "key.pem"], "--key needs --cert"),
        (["--behind", "next door"], "--behind names the address"),
        (["--data", "/dev/null/games"], "the data folder /dev/null/games"),
        (["--host", "192.0.2.1"], "cannot listen on 192.0.2.1"),
        pytest.param(["--games", "nowhere"], "--games nowhere: No such file", marks=pytest.mark.slow),
        pytest.param(["--webhooks-to", "next door"], "--webhooks-to names a network", marks=pytest.mark.slow),
    ],
)
def test_a_wrong_option_is_named_also_while_another_one_runs(
    browser: Callable[[], list[str]], running: Served, wrong: list[str], said: str
) -> None:
    done = start_again(running, *wrong)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert browser() == []


@pytest.mark.parametrize("option", ["--https", "--camera=99"])
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


def test_the_icon_opens_the_service_that_has_its_port(
    browser: Callable[[], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(this_machine, "SERVICE", tmp_path)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    url = "http://localhost:8000/"
    (tmp_path / "data").mkdir()
    with this_machine.keep_address(tmp_path / "data", url, "secret"):
        public = tmp_path / ADDRESS
        assert (public.read_text(), public.stat().st_mode & 0o777) == (url, 0o644), "no secret"
    assert serving.open_or_serve(ServeOptions(port=8000)) == 0
    assert capsys.readouterr().out == f"Rollcall runs already: {url}\n"
    assert browser() == [url]
    assert this_machine.service_address(8001) is None


def test_the_next_port_is_taken_if_another_program_has_the_wanted_one(
    browser: Callable[[], list[str]], tmp_path: Path
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        served = Served(tmp_path / "data", port=port, arguments=["--open"], program=UNPREPARED)
        with served:
            wait_until(browser)
            said = re.search(rf"Another program has port {port}. Rollcall takes port (\d+).", served.output())
            assert int(said[1]) in range(port + 1, port + 21)
            assert f"http://127.0.0.1:{said[1]}/" in served.output()
            assert browser()[0].startswith(f"http://127.0.0.1:{said[1]}/welcome/open?token=")
        command = [sys.executable, *UNPREPARED, "serve", "--data", str(tmp_path / "data"), "--host", "127.0.0.1"]
        refused = subprocess.run([*command, "--port", str(port)], cwd=ROOT, capture_output=True, text=True)
        assert refused.returncode == 2, "without --open, it says so and ends"
        assert re.fullmatch(rf"cannot listen on 127.0.0.1 port {port}: .+\n", refused.stderr)


def test_a_computer_without_a_browser_is_told_the_address(tmp_path: Path) -> None:
    environment = {"BROWSER": str(tmp_path / "none"), "PATH": "/nonexistent", "DISPLAY": ""}
    with Served(tmp_path / "data", arguments=["--open"], program=UNPREPARED, environment=environment) as served:
        wait_until(lambda: "No browser was found" in served.output())
        opened = re.search(rf"{served.base}/welcome/open\?token=\S+", served.output())
        assert cookie_for(served, opened[0])


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="this system does not say whose a connection is")
@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator opens a connection as another user")
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
def test_another_user_of_the_computer_is_kept_out(
    browser: Callable[[], list[str]], tmp_path: Path, https: bool
) -> None:
    """Also with the token, which the list of processes shows while the browser starts."""
    with (
        Served(tmp_path / "data", https=https, arguments=["--open"], program=UNPREPARED) as served,
        closing(served.connect()) as others,
    ):
        wait_until(browser)
        os.seteuid(NOBODY)
        try:
            others.connect()
        finally:
            os.seteuid(0)
        others.request("GET", browser()[0].removeprefix(served.base))
        answer = others.getresponse()
        answer.read()
        assert (answer.status, answer.headers["Location"]) == (302, "/")
        assert cookie_for(served, browser()[0]), "its own user's browser still gets in"


def test_what_a_killed_server_left_is_no_running_one(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Served(data, program=UNPREPARED) as served:
        assert running_address(data) == (f"{served.base}/",) * 2
    assert not (data / ADDRESS).exists()
    killed = Served(data, program=UNPREPARED)
    killed.start()
    killed.kill()
    assert (data / ADDRESS).exists()
    assert running_address(data) is None
