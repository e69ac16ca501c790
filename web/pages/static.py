"""Scripts, styles and pictures. Their addresses change with their content, so that phones may keep them."""

import functools
import hashlib
import re
from pathlib import Path

from flask import Blueprint, Response, send_from_directory, url_for
from flask.blueprints import BlueprintSetupState

from web.pages.compression import KEEP_S, compressed_response

FOLDER = Path(__file__).parent.parent / "static"
COMPRESSED = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# The main scripts of a table's page and of its board, and the folders of the modules that they import.
FOLDERS = {"table/table.js": ("camera", "dialogs", "shared", "sheets", "table"), "pages/board.js": ("shared", "sheets")}
DOC_COMMENT = re.compile(r"^ */\*\*.*?\*/$", re.MULTILINE | re.DOTALL)  # on lines of its own

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


def without_doc_comments(script: str) -> str:
    """The script as it travels. Each line keeps its number, which a browser's error tells."""
    return DOC_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), script)


@functools.cache
def _content(name: str) -> bytes:
    content = (FOLDER / name).read_bytes()
    return without_doc_comments(content.decode()).encode() if name.endswith(".js") else content


@functools.cache
def scripts(main: str) -> tuple[str, ...]:
    """The modules of a page with this main script. The page names them all, so that they load at once."""
    return tuple(name for name in _names() if name.endswith(".js") and name.partition("/")[0] in FOLDERS[main])


def shell() -> list[str]:
    """The addresses that the installed app keeps: all scripts, the style and the icon."""
    return [asset(name) for name in _names() if name.endswith((".js", ".css", "icon.svg"))]


@blueprint.record_once
def _register(state: BlueprintSetupState) -> None:
    state.app.jinja_env.globals.update(asset=asset, static_version=version, scripts=scripts, shell=shell)


@blueprint.get("/static/<tag>/<path:name>")
def file(tag: str, name: str) -> Response:
    # The tag is for caches alone. Modules import each other by relative addresses and so keep the same tag.
    fresh = tag == version()
    mimetype = COMPRESSED.get(Path(name).suffix)
    if fresh and mimetype and name in _names():
        return compressed_response(_content(name), mimetype, keep=True)
    response = send_from_directory(FOLDER, name, mimetype=mimetype, max_age=KEEP_S if fresh else 0)
    response.cache_control.immutable = fresh
    return response
