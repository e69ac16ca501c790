"""The source of this Rollcall: who uses it over a network may have it (AGPL-3.0, section 13)."""

import functools
import gzip
import io
import tarfile
from pathlib import Path

from flask import Blueprint, Response

from web.pages.responses import download
from web.texts import release

ROOT = Path(__file__).resolve().parents[2]
PACKED = ROOT / "source.tar.gz"  # of the packed program, which has compiled modules alone
PACKAGES = ("rollcall.py", "scorer", "vision", "web")
# What a checkout has beside them to build and install Rollcall.
BUILT_BY = ("LICENSE", "MANIFEST.in", "Makefile", "README.md", "constraints.txt", "deploy", "models", "pyproject.toml")
# The weights of networks lie in `models` of every package. Keys are nobody's source.
LEFT_OUT = {".pyc", ".onnx", ".npz", ".pem", ".key"}
NAME = "/source.tar.gz"  # the site of a phone alone has a file there

blueprint = Blueprint("source", __name__)


@blueprint.get(NAME)
def source() -> Response:
    return download(archive(), "application/gzip", f"rollcall-{release.VERSION}.tar.gz")


@functools.cache  # bounded: no argument
def archive() -> bytes:
    """The same bytes of the same files, as .tar.gz."""
    return PACKED.read_bytes() if PACKED.is_file() else archive_of(ROOT)


def archive_of(root: Path) -> bytes:
    """The source below a folder: of a checkout, or of installed packages."""
    names = [*PACKAGES, *(BUILT_BY if (root / "pyproject.toml").is_file() else ())]
    files = (path for name in names for path in [root / name, *(root / name).rglob("*")] if path.is_file())
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as packed:
        for path in sorted(path for path in files if path.suffix not in LEFT_OUT and path.name[0] != "."):
            entry = tarfile.TarInfo(f"rollcall-{release.VERSION}/{path.relative_to(root).as_posix()}")
            entry.size = path.stat().st_size
            with path.open("rb") as content:
                packed.addfile(entry, content)
    return gzip.compress(out.getvalue(), mtime=0)
