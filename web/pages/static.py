"""Scripts, styles and pictures. Their addresses change with their content, so that phones may keep them."""

import functools
import hashlib
import posixpath
import re
from pathlib import Path

from flask import Blueprint, Response, send_from_directory, url_for
from flask.blueprints import BlueprintSetupState

from web.pages.responses import KEEP_S, compressed_response
from web.problems.problem import Problem
from web.texts.languages import LANGUAGES, current
from web.texts.script_texts import TextParts, script_texts

FOLDER = Path(__file__).parent.parent / "static"
COMPRESSED = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# Sheets whose games alone have the words of these rules.
RULES = {"sheets/box.js": "scorer/games/shut_the_box.py", "sheets/score-pad.js": "scorer/pad.py"}
# Each in the first view of its games alone.
SHEETS = ("sheets/cells.js", "sheets/knaster.js", "sheets/points.js", "sheets/skunk.js", *RULES)
# Scripts that travel as one file with the modules that they import. One that a page loads later has those of the page's
# main script, named here, from it.
JOINED: dict[str, str | None] = {
    "pages/app.js": None,
    "table/table.js": None,
    **dict.fromkeys(SHEETS, "table/table.js"),
    "table/on-demand.js": "table/table.js",
    "table/when-wanted.js": "table/table.js",
    "table/advising.js": "table/table.js",
    "table/ending.js": "table/table.js",
    "pages/board.js": None,
    "pages/overlay.js": None,
    "pages/start.js": None,
    "pages/camera-setup.js": None,
    "pages/game-editor.js": None,
}
# The main scripts of pages that wait for the texts of what others load later, too.
WITH_LATER_TEXTS = {"pages/board.js", "pages/camera-setup.js", "pages/game-editor.js"}
IMPORT = re.compile(r'^(import|export) (\{[^}]*\}|\* as \w+) from "(\.[^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
EXPORTS = re.compile(r"^export \{([^}]*)\};\n", re.MULTILINE)
# The space before what stands in a line, and comments that have lines of their own.
UNSENT = re.compile(r"^\s*(?:(?:/\*\*.*?\*/[ \t]*|//[^\n]*)\n\s*)*", re.MULTILINE | re.DOTALL)
# A comment after code in which nothing can be a text.
UNSENT_AFTER = re.compile(r"^([^\"'`/\n]*[^\"'`/\s]) +// .*$", re.MULTILINE)
# The type of a parameter or of a value, within a line.
UNSENT_TYPE = re.compile(r"/\*\* @type \{[^\n]*?\} \*/ ")

STYLE_COMMENT, STYLE_SPACE = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"\s*([{};,])\s*|(?<=:) ")

blueprint = Blueprint("static", __name__)
texts_blueprint = Blueprint("texts", __name__)


@functools.cache  # bounded: no argument
def _names() -> tuple[str, ...]:
    return tuple(path.relative_to(FOLDER).as_posix() for path in sorted(FOLDER.rglob("*")) if path.is_file())


@functools.cache  # bounded: no argument
def version() -> str:
    digest = hashlib.sha256()
    for name in _names():
        digest.update(name.encode() + b"\0" + (FOLDER / name).read_bytes())
    return digest.hexdigest()[:12]


def asset(name: str) -> str:
    return url_for("static.file", tag=version(), name=name)


def as_sent(script: str) -> str:
    """The script without the space before its lines, and without its comments, but for those after a text."""
    return UNSENT_AFTER.sub(r"\1", UNSENT.sub("", UNSENT_TYPE.sub("", script)))


def modules(main: str) -> list[str]:
    """A script and all modules that it imports, and they: each after those that it imports itself."""
    found: list[str] = []

    def find(name: str) -> None:
        if name not in found:
            for _, _, path in IMPORT.findall((FOLDER / name).read_text(encoding="utf-8")):
                find(_resolved_name(name, path))
            found.append(name)

    find(main)
    return found


@functools.cache  # bounded: no argument
def later_scripts() -> frozenset[str]:
    """The scripts that no page needs for its first view, by their paths in the repository."""
    pages = [main for main, page in JOINED.items() if page is None and main not in WITH_LATER_TEXTS]
    first = {name for main in (*pages, *SHEETS) for name in modules(main)}
    return frozenset(f"web/static/{name}" for main in JOINED for name in modules(main) if name not in first)


def _files_of_sheet(sheet: str) -> frozenset[str]:
    """The files with words that tables with this sheet alone wait for."""
    others = {name for main in JOINED if main != sheet for name in modules(main) if main != "pages/board.js"}
    scripts = (f"web/static/{name}" for name in modules(sheet) if name not in others)
    return frozenset({*scripts, *((RULES[sheet],) if sheet in RULES else ())})


@functools.cache  # bounded: no argument
def text_parts() -> TextParts:
    """The files whose words are sent apart from those that all pages wait for: of each sheet, and of what is later."""
    return (*((Path(sheet).stem, _files_of_sheet(sheet)) for sheet in SHEETS), ("later", later_scripts()))


def _resolved_name(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _variable(name: str) -> str:
    """What a module is called in a joined file."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def joined_script(main: str, page: str | None = None) -> str:
    """A script and the modules that it imports as one module: each is a function that returns what it exports.

    `page`: the main script of the page, in which some of the modules have run already.
    """
    there = modules(page) if page else []
    shared = [name for name in modules(main) if name in there]
    own = [name for name in modules(main) if name not in there]
    parts = []
    if shared:
        address = posixpath.relpath(page or "", posixpath.dirname(main) or ".")
        parts.append(f'import {{ {", ".join(map(_variable, shared))} }} from "./{address}";\n')
    for name in own[:-1]:
        body, exports = _as_function(name)
        parts.append(f"const {_variable(name)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
    script, passed = _bound(main)
    parts.append(script)
    # Its own variables may have these names.
    parts += [f"const ${each} = {variable}.{each};\nexport {{ ${each} as {each} }};\n" for variable, each in passed]
    parts.append(f"export {{ {', '.join(map(_variable, own[:-1]))} }};\n")
    return "".join(parts)


def _bound(name: str) -> tuple[str, list[tuple[str, str]]]:
    """A module that takes what it imports from the variables of a joined file, and what it passes on from which."""
    passed: list[tuple[str, str]] = []

    def bind(found: re.Match[str]) -> str:
        verb, names, path = found.groups()
        variable = _variable(_resolved_name(name, path))
        if verb == "import":
            return f"const {names.removeprefix('* as ').replace(' as ', ': ')} = {variable};\n"
        passed.extend((variable, each) for each in re.findall(r"\w+", names))
        return ""

    return IMPORT.sub(bind, as_sent((FOLDER / name).read_text(encoding="utf-8"))), passed


def _as_function(name: str) -> tuple[str, str]:
    """A module as the body of a function, and what it returns: the properties of an object."""
    script, passed = _bound(name)
    exports = [f"{each}: {variable}.{each}" for variable, each in passed]
    exports += EXPORT.findall(script) + [
        each for names in EXPORTS.findall(script) for each in re.findall(r"\w+", names)
    ]
    return EXPORTS.sub("", EXPORT.sub("", script)), ", ".join(exports)


@functools.cache  # bounded: files of this program
def _content(name: str) -> bytes:
    if name in JOINED:
        return joined_script(name, JOINED[name]).encode()
    content = (FOLDER / name).read_bytes()
    if name.endswith(".css"):
        return STYLE_SPACE.sub(r"\1", STYLE_COMMENT.sub("", content.decode())).encode()
    return as_sent(content.decode()).encode() if name.endswith(".js") else content


def shell() -> list[str]:
    """The addresses that the installed app keeps: all scripts, the style and the icon."""
    within = {name for main in JOINED for name in modules(main) if name not in JOINED}
    scripts = [name for name in _names() if name.endswith(".js")]
    alone = {part for name in scripts if name not in within and name not in JOINED for part in modules(name)}
    kept = [name for name in _names() if name.endswith((".js", ".css", "icon.svg"))]
    return [asset(name) for name in kept if name not in within or name in alone]


@blueprint.record_once
def _register(state: BlueprintSetupState) -> None:
    state.app.jinja_env.globals.update(asset=asset, static_version=version, shell=shell)
    # A page's documents travel as they are: without spaces, and with letters instead of their numbers.
    state.app.jinja_env.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}


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


def text_addresses(*sheet: str) -> list[str]:
    """The addresses of the scripts' texts in the language of the request: of those that a page loads first, later, and
    with a sheet.
    """
    return [text_address(current(), part) for part in ("first", "later", *sheet)]


def text_address(code: str, part: str) -> str:
    return url_for("texts.texts", code=code, part=part, tag=script_texts(code, part, text_parts())[1])


@texts_blueprint.get("/texts/<code>-<tag>.json", defaults={"part": "first"})
@texts_blueprint.get("/texts/<part>/<code>-<tag>.json")
def texts(code: str, tag: str, part: str) -> Response:
    """The texts of the scripts in one language: of those that a page loads first, later, or with a sheet."""
    if code not in LANGUAGES or part not in ("first", *dict(text_parts())):
        raise Problem("not-found", 404)
    body, present = script_texts(code, part, text_parts())
    return compressed_response(body.encode(), "application/json", keep=tag == present)
