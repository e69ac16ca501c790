"""The site of a phone alone, below `/phone/`: a phone that opened it plays without this computer from then on.

Its eye serves phones at this computer's tables too: they may look into their photos themselves
(`web.photos.phone_readings`).
"""

import lzma
import mimetypes
from collections.abc import Iterator
from pathlib import Path

from flask import Blueprint, Flask, Response, current_app, request, send_from_directory
from werkzeug.security import safe_join

from web.hosts.phone.policy import CONTENT_SECURITY_POLICY
from web.pages.views import EYE_OF_PHONES

BUILT = Path(__file__).resolve().parents[3] / "out" / "site"  # by `make site`, in a checkout
FOLDER = "phone"  # in the data folder: the unpacked `rollcall-phone-VERSION.zip`
CONFIG = "PHONE_SITE"
EYE = "eye.js"
PIECE = 1 << 16
TYPES = {
    ".gz": "application/gzip",
    ".xz": "application/x-xz",
    ".mjs": "text/javascript",
    ".onnx": "application/octet-stream",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}

blueprint = Blueprint("phone_site", __name__, url_prefix="/phone")


def install(app: Flask, data: Path) -> None:
    """Adds the site to an application that has not answered yet, if it is in the data folder or was built here."""
    found = next((each for each in (data / FOLDER, BUILT) if (each / "index.html").is_file()), None)
    if found is not None:
        app.config[CONFIG] = found
        app.register_blueprint(blueprint)
        if (found / f"{EYE}.gz").is_file():
            app.config[EYE_OF_PHONES] = "phone_site.file", EYE


@blueprint.get("/", defaults={"name": "index.html"})
@blueprint.get("/<path:name>")
def file(name: str) -> Response:
    folder = current_app.config[CONFIG]
    path = Path(safe_join(folder, name) or folder)
    if not path.is_file() and (packed := path.with_name(f"{path.name}.xz")).is_file():
        response = _unpack(packed)
    else:
        # The service worker keeps the files, and asks for them when their version is another one.
        zipped = not path.is_file() and path.with_name(f"{path.name}.gz").is_file()
        response = send_from_directory(folder, f"{name}.gz" if zipped else name, mimetype=_type(name), max_age=0)
        if zipped:
            response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    return response


def _type(name: str) -> str | None:
    return TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0]


def _unpack(path: Path) -> Response:
    def pieces() -> Iterator[bytes]:
        with lzma.open(path) as file:
            while piece := file.read(PIECE):
                yield piece

    response, about = Response(pieces(), mimetype=_type(path.stem)), path.stat()
    response.set_etag(f"{about.st_mtime_ns:x}-{about.st_size:x}")
    response.cache_control.no_cache = True
    return response.make_conditional(request)  # type: ignore[return-value]
