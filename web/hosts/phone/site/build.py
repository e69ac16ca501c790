"""Makes the static folder of Rollcall for a phone alone: `make site`, into `out/site`.

What it takes from elsewhere are packages with their hashes: Pyodide from npm (`package-lock.json`), and wheels from
PyPI (`requirements.txt`). It needs node, npm and the network, or what a build before has kept in `out/site-build`.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import lzma
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from fnmatch import fnmatch
from importlib import metadata
from pathlib import Path

from filelock import FileLock

from vision.likeness_map import LikenessMap, SetMap
from vision.network_eye import LIKENESS
from vision.reader import MODELS
from web.hosts.phone.policy import CONTENT_SECURITY_POLICY
from web.hosts.phone.site import film
from web.pages import source
from web.texts.language_table import locale_names
from web.texts.languages import LANGUAGES, catalogue
from web.texts.release import ARCHIVED, commit

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
SHELL = HERE.parent / "shell"
SCRIPTS = SHELL.relative_to(ROOT).as_posix()
KEPT = ROOT / "out" / "site-build"  # what is fetched, for the next build
# Of these no phone loads anything.
LEFT_OUT = {
    "web": (
        *("hosts/laptop/*", "hosts/cluster/*", "hosts/table_administration.py", "hosts/threads.py", "programs/mqtt/*"),
        *("hosts/phone/shell/*", "hosts/phone/tsconfig.json", "hosts/phone/types.d.ts"),
        *("hosts/phone/site/*.json", "hosts/phone/site/*.txt", "static/*.ts", "static/*.png"),
    ),
    "scorer": ("advice/*.npz",),
}
VISION = ("__init__.py", "containers.py", "eye.py", "reading.py", "reasons.py", "judging/*.py")
NETWORKS = ("detector.onnx", "crop-classifier.onnx", "border.onnx")
ORT = {"ort.wasm.bundle.min.mjs": "ort.mjs", "ort-wasm-simd-threaded.wasm": "ort-wasm-simd-threaded.wasm"}
# Of wheels: what belongs to other systems and languages, and what only developers use.
UNUSED = (
    *("*.dist-info/*", "*.data/*", "*.so", "*.py[ixd]", "*.pxd", "*.c", "*/testing/*", "*/tests/*", "pytz/zoneinfo/*"),
    "sqlalchemy/orm/*",
)
LICENCE = re.compile(r"([^/]+)-[^/]+\.dist-info/(?:licenses/)?[^/]*(?:LICEN|COPYING|NOTICE)[^/]*", re.IGNORECASE)
ANDROID = re.compile(r"(\w+(?:\.\w+)+)=((?:[0-9A-F]{2}:){31}[0-9A-F]{2})")
PINNED = re.compile(r"([\w-]+)==(\S+) --hash=sha256:([0-9a-f]{64})")
WASM = ".cpython-314-wasm32-emscripten.so"
PLATFORMS = ("pyemscripten_2026_0_wasm32", "manylinux2014_x86_64")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ICONS = ("icon.svg", "icon-180.png", "icon-192.png", "icon-512.png")
# How files travel: xz takes a quarter less than gzip, and its decoder's time once.
PACKED = {
    **dict.fromkeys((".js", ".mjs", ".html", ".css", ".json", ".svg"), "gz"),
    **dict.fromkeys((".wasm", ".zip", ".tar", ".onnx"), "xz"),
}
XZ = {"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 8 << 20}  # the phone needs as much memory to unpack it
UNPACK = {".gz": gzip.decompress, ".xz": lzma.decompress}
WORKER = "service-worker.js"
BILL = "sbom.cdx.json"
UNPACKS = "xz.js"
LICENCES = "licences.txt"
SOURCE = source.NAME.lstrip("/")
FILM = "film.webp"
ALONE = {WORKER, UNPACKS, BILL, LICENCES, SOURCE, FILM}  # what the service worker does not keep
# What a browser asks for before the service worker answers; of all other packed files the site has no plain twin.
PLAIN = {"index.html", "shell.js", "introduction.js", "shell.css", "texts.js", "icon.svg"}
QR = ("index.js", "decode.js")  # of the package `qr`: draws and reads QR codes
TEXTS = "const TEXTS = {};"  # in a script: by language and English text
OWN = ("app.tar", "pyodide/*", "start/*")  # of the first files, what a guest of another phone does without
# What a typed throw does not wait for.
LATER = (
    *("later.tar", "*.png", "texts/later/*", "qr/*", "eye/*"),
    *("elements.js", "game-code.js", "qr-code.js", "phones.js", "phones-panel.js", "phone-link.js"),
    *("connecting.js", "guests.js", "joining.js", "invitation.js", "keeping.js", "returning.js"),
    *(f"static/*/pages/{each}.js" for each in ("board", "camera-setup", "game-editor", "overlay")),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "out" / "site")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where packages are kept")
    told = "an Android package, which may show the site as its own, and the SHA-256 of its certificate"
    parser.add_argument("--android", action="append", default=[], type=android_app, metavar="NAME=SHA256", help=told)
    asked = parser.parse_args()
    build(asked.folder, asked.kept)
    link_apps(asked.folder, asked.android)


def android_app(statement: str) -> dict[str, object]:
    """A statement of `assetlinks.json` (developers.google.com/digital-asset-links), of NAME=SHA256."""
    if not (found := ANDROID.fullmatch(statement)):
        raise argparse.ArgumentTypeError(f"must be like org.example.rollcall=AB:CD:…, with 32 bytes, got {statement!r}")
    target = {"namespace": "android_app", "package_name": found[1], "sha256_cert_fingerprints": [found[2]]}
    return {"relation": ["delegate_permission/common.handle_all_urls"], "target": target}


def link_apps(site: Path, apps: list[dict[str, object]]) -> None:
    if apps:
        (site / ".well-known").mkdir()
        (site / ".well-known" / "assetlinks.json").write_text(json.dumps(apps, indent=1), encoding="utf-8")


def build(site: Path, kept: Path) -> None:
    with FileLock(kept / "lock"):  # another build may fetch the same, or make a tree of its own
        packages, wheels = npm_packages(kept), wheels_of(kept)
        pyodide = packages / "pyodide"
        tree = kept / "tree.tar"
        with tarfile.open(tree, "w", format=tarfile.USTAR_FORMAT) as archive:
            for name, content in [*own_files(), *wheel_files(wheels)]:
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
        shutil.rmtree(site, ignore_errors=True)
        site.mkdir(parents=True)
        subprocess.run(["node", HERE / "pack.mjs", pyodide, tree, site], check=True)
    (site / "pyodide").mkdir()
    for name in PYODIDE:
        shutil.copyfile(pyodide / name, site / "pyodide" / name)
    (site / "stdlib.zip").rename(site / "pyodide" / "python_stdlib.zip")
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock["packages"] = {}  # those of Pyodide's own distribution, which no part of this site asks for
    (site / "pyodide" / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    for name in ICONS:
        shutil.copyfile(ROOT / "web" / "static" / name, site / name)
    (site / "qr").mkdir()
    for name in QR:
        shutil.copyfile(packages / "qr" / name, site / "qr" / name)
    make_eye(site / "eye", packages / "onnxruntime-web" / "dist")
    texts = TEXTS.replace("{}", json.dumps(shell_texts(), ensure_ascii=False, sort_keys=True))
    for path in (path for path in SHELL.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8").replace('"POLICY"', f'"{CONTENT_SECURITY_POLICY}"')
        (site / path.relative_to(SHELL)).write_text(text.replace(TEXTS, texts), encoding="utf-8")
    shutil.copyfile(packages / "xz-decompress" / "dist" / "package" / "xz-decompress.min.js", site / UNPACKS)
    (site / LICENCES).write_text(licences(wheels, packages), encoding="utf-8")
    (site / SOURCE).write_bytes(source.archive_of(ROOT))
    film.make(site / FILM)
    (site / BILL).write_text(json.dumps(bill_of_materials(), indent=1), encoding="utf-8")
    index(site)


def make_eye(folder: Path, runtime: Path) -> None:
    """The networks, and what runs them."""
    folder.mkdir()
    for name in NETWORKS:
        shutil.copyfile(MODELS / name, folder / name)
    for name, named in ORT.items():
        shutil.copyfile(runtime / name, folder / named)
    likeness, sets = LikenessMap.load(MODELS / LIKENESS), SetMap.load(MODELS / LIKENESS)
    arrays = {name: getattr(likeness, name) for name in ("middle", "across", "inner", "inner_bias", "outer")}
    arrays |= {f"set_{name}": getattr(sets, name) for name in ("middle", "across")}
    packed = {
        name: {"shape": each.shape, "data": base64.b64encode(each.astype("<f4").tobytes()).decode()}
        for name, each in arrays.items()
    }
    document = {"numbers": asdict(likeness.numbers(sets)), "arrays": packed}
    (folder / "likeness.json").write_text(json.dumps(document), encoding="utf-8")


def npm_packages(kept: Path) -> Path:
    """The folder of the npm packages, fetched once."""
    lock = (HERE / "package-lock.json").read_bytes()
    noted = kept / "node_modules" / ".rollcall-lock"
    if not noted.is_file() or noted.read_bytes() != lock:
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(HERE / name, kept / name)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=kept, check=True)
        noted.write_bytes(lock)
    return kept / "node_modules"


def wheels_of(kept: Path) -> list[Path]:
    """The wheels of `requirements.txt`, fetched once."""
    wanted = (HERE / "requirements.txt").read_bytes()
    folder = kept / "wheels"
    noted = folder / ".requirements"
    if not noted.is_file() or noted.read_bytes() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        place = [option for each in PLATFORMS for option in ("--platform", each)]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        python = ["--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--abi", "none", *place]
        wanted_alone = ["--only-binary", ":all:", "--require-hashes", "--requirement", str(HERE / "requirements.txt")]
        subprocess.run([*pip, *python, *wanted_alone, "--dest", str(folder)], check=True)
        noted.write_bytes(wanted)
    return sorted(folder.glob("*.whl"))


def own_files() -> Iterator[tuple[str, bytes]]:
    for package, left_out in LEFT_OUT.items():
        for path in sorted(each for each in (ROOT / package).rglob("*") if each.is_file()):
            name = path.relative_to(ROOT / package).as_posix()
            if "__pycache__" not in name and not any(fnmatch(name, each) for each in left_out):
                yield f"{package}/{name}", with_commit(path.read_bytes())
    for name in (*(f"vision/{each}" for each in VISION), "models/calibration.json"):
        for path in sorted(ROOT.glob(name)):
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def with_commit(source: bytes) -> bytes:
    """As `git archive` would write it."""
    made_from = commit()
    return source if made_from is None else source.replace(ARCHIVED.encode(), " ".join(made_from).encode())


def wheel_files(wheels: list[Path]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in sorted(archive.namelist()):
                if name.startswith("babel/locale-data/"):
                    used = Path(name).stem in locale_names()
                else:
                    used = name.endswith(WASM) or not any(fnmatch(name, each) for each in UNUSED)
                if used and not name.endswith("/"):
                    yield f"site/{name}", archive.read(name)


def shell_texts() -> dict[str, dict[str, str]]:
    """The translations of the shell's texts, by language and English text."""
    texts: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        for message in catalogue(language):
            if isinstance(message.string, str) and any(name.startswith(SCRIPTS) for name, _ in message.locations):
                texts.setdefault(language, {})[str(message.id)] = message.string
    return texts


def licences(wheels: list[Path], packages: Path) -> str:
    """The licence texts of all that the site holds, each below its name. Raises SystemExit if a part has none.

    Of an npm package: its own, or what stands in `licences` beside this file.
    """
    parts = {"Rollcall": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            names = sorted(name for name in archive.namelist() if LICENCE.fullmatch(name))
            parts[wheel.name.partition("-")[0]] = "\n\n".join(archive.read(name).decode("utf-8") for name in names)
    for name in json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]:
        found = [*sorted((packages / name).glob("LICENSE*")), HERE / "licences" / f"{name}.txt"]
        parts[name] = "\n\n".join(each.read_text(encoding="utf-8") for each in found if each.is_file())
    parts["Python"] = _python_licence()
    parts["ONNX Runtime's parts"] = _installed_text("onnxruntime", "ThirdPartyNotices.txt")
    if lacking := [name for name, text in parts.items() if not text.strip()]:
        sys.exit(f"no licence text of {', '.join(lacking)}: put it into {HERE / 'licences'}")
    return f"\n{'=' * 80}\n\n".join(f"{name}\n\n{text}" for name, text in parts.items())


def _python_licence() -> str:
    places = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix))
    return next((each.read_text("utf-8") for folder in places if (each := folder / "LICENSE.txt").is_file()), "")


def _installed_text(package: str, name: str) -> str:
    """A file of an installed package; empty if it is not there."""
    try:
        files = [each for each in metadata.files(package) or () if each.name == name]
    except metadata.PackageNotFoundError:
        return ""
    return "\n\n".join(each.read_text(encoding="utf-8") for each in files)


def bill_of_materials() -> dict[str, object]:
    """What is packed beside Rollcall, by CycloneDX."""
    parts: list[dict[str, object]] = []
    for line in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if found := PINNED.fullmatch(line):
            name, version, digest = found.groups()
            purl = f"pkg:pypi/{name}@{version}"
            hashes = [{"alg": "SHA-256", "content": digest}]
            parts.append({"type": "library", "name": name, "version": version, "purl": purl, "hashes": hashes})
    lock = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))
    for name in lock["packages"][""]["dependencies"]:
        version = lock["packages"][f"node_modules/{name}"]["version"]
        purl = f"pkg:npm/{name}@{version}"
        parts.append({"type": "library", "name": name, "version": version, "purl": purl})
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": parts}


def index(site: Path) -> None:
    """Compresses the files, and tells the service worker which there are."""
    files: list[tuple[str, str, int, str]] = []
    for name, content in sorted(contents(site)):
        path = site / name
        packed, travels = PACKED.get(path.suffix, ""), path
        if packed:
            travels = path.with_name(f"{path.name}.{packed}")
            if not travels.is_file() or (path.is_file() and travels.stat().st_mtime < path.stat().st_mtime):
                travels.write_bytes(compress(content, packed))
            if name not in PLAIN:
                path.unlink(missing_ok=True)
        size = travels.stat().st_size
        files.append((name, hashlib.sha256(content).hexdigest(), size, packed))
    later = [each for each in files if any(fnmatch(each[0], pattern) for pattern in LATER)]
    later.sort(key=lambda each: each[0].startswith("eye/"))  # the largest part comes last
    first = [each for each in files if each not in later]
    first.sort(key=lambda each: each[2])  # of a visit that is cut, as many as can be are kept
    light = [each for each in first if not any(fnmatch(each[0], pattern) for pattern in OWN)]
    script = (SHELL / WORKER).read_text(encoding="utf-8")
    version = hashlib.sha256(json.dumps([files, script]).encode()).hexdigest()[:16]
    constants = json.dumps(
        {
            "version": version,
            "policy": CONTENT_SECURITY_POLICY,
            "light": light,
            "first": [each for each in first if each not in light],
            "later": later,
            "apart": [LICENCES, SOURCE, BILL, FILM, "docs/", "download/"],
        },
        separators=(",", ":"),
    )
    (site / WORKER).write_text(f"const SITE = {constants};\n\n{script}", encoding="utf-8")
    sizes = [sum(each[2] for each in part) / 1e6 for part in (light, first, later)]
    print(
        f"{site}: {sizes[0]:.2f} MB compressed for a guest, {sizes[1]:.2f} MB until a throw can be typed, "
        f"{sizes[2]:.2f} MB later; version {version}"
    )


def contents(site: Path) -> Iterator[tuple[str, bytes]]:
    """The files that a phone keeps, with their content, also of those that only lie packed."""
    for path in [each for each in site.rglob("*") if each.is_file()]:
        plain = path.with_suffix("") if path.suffix in UNPACK else path
        if path.relative_to(site).as_posix() in ALONE or (plain != path and plain.is_file()):
            continue
        content = path.read_bytes()
        yield plain.relative_to(site).as_posix(), content if plain == path else UNPACK[path.suffix](content)


def compress(content: bytes, packed: str) -> bytes:
    if packed == "gz":
        return gzip.compress(content, mtime=0)
    return lzma.compress(content, check=lzma.CHECK_CRC32, filters=[XZ])


if __name__ == "__main__":
    main()
