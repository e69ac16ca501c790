"""Scripts, styles and pictures, under an address that changes with their content, so that phones may keep them."""

import functools
import hashlib
from pathlib import Path

from flask import Blueprint, Response, send_from_directory, url_for
from flask.blueprints import BlueprintSetupState

from web.pages.packing import packed

FOLDER = Path(__file__).parent.parent / "static"
KEEP_S = 365 * 24 * 3600
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}

PACKED = (".js", ".css", ".svg")
# The folders of scripts that a page needs besides its own script. The board and the printed sheet show `board`.
FOLDERS = {"table": ("camera", "dialogs", "shared", "sheets", "table"), "board": ("shared", "sheets")}

blueprint = Blueprint("static", __name__)


@functools.cache
def _names() -> tuple[str, ...]:
    return tuple(path.relative_to(FOLDER).as_posix() for path in sorted(FOLDER.rglob("*")) if path.is_file())


@functools.cache
def version() -> str:
    """A short hash of all static files."""
    digest = hashlib.sha256()
    for name in _names():
        digest.update(name.encode() + b"\0" + (FOLDER / name).read_bytes())
    return digest.hexdigest()[:12]


def asset(name: str) -> str:
    """The address of a static file."""
    return url_for("static.file", tag=version(), name=name)


@functools.cache
def scripts(page: str) -> tuple[str, ...]:
    """The modules of a page: named in it, they load at once and not one after the other."""
    return tuple(name for name in _names() if name.endswith(".js") and name.partition("/")[0] in FOLDERS[page])


def shell() -> list[str]:
    """The addresses of all scripts, the style and the icon: what the installed app keeps."""
    return [asset(name) for name in _names() if name.endswith((".js", ".css", "icon.svg"))]


@blueprint.record_once
def _register(state: BlueprintSetupState) -> None:
    state.app.jinja_env.globals.update(asset=asset, static_version=version, scripts=scripts, shell=shell)


@blueprint.get("/static/<tag>/<path:name>")
def file(tag: str, name: str) -> Response:
    # The tag is for caches only: modules import each other by relative addresses and so stay within one tag.
    fresh = tag == version()
    suffix = Path(name).suffix
    if fresh and suffix in PACKED and name in _names():
        response = packed((FOLDER / name).read_bytes(), TYPES[suffix])
        response.headers["Cache-Control"] = f"public, max-age={KEEP_S}, immutable"
        return response
    response = send_from_directory(FOLDER, name, mimetype=TYPES.get(Path(name).suffix), max_age=KEEP_S if fresh else 0)
    if fresh:
        response.headers["Cache-Control"] = f"public, max-age={KEEP_S}, immutable"
    return response
