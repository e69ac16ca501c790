"""Which texts there are, and bringing the catalogues up to date: `python -m web.texts.catalogues`.

A text is a literal: in Python inside `say(...)`, `say_count(...)`, scorer's `T(...)`, `N_(...)`, `phrase(...)` and
`counted_phrase(...)`, or a value of a REASONS or ASKS table; in templates and scripts inside `t(...)` and `tn(...)`.
"""

import ast
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from web.texts.languages import DEFAULT, FOLDER, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("scorer", "vision", "web")
SINGLE = {"say", "T", "N_", "phrase"}
COUNTED = {"say_count", "counted_phrase"}
TABLES = {"REASONS", "ASKS"}
LITERAL = r""""((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'"""
IN_SCRIPT = re.compile(rf"(?<![\w.])t\(\s*(?:{LITERAL})")
COUNTED_IN_SCRIPT = re.compile(rf"(?<![\w.])tn\(\s*(?:{LITERAL})\s*,\s*(?:{LITERAL})")

# Dates and addresses that would change with every run and say nothing.
UNWANTED_HEADERS = re.compile(
    rb'^"(?:Report-Msgid|POT-Creation|PO-Revision|Last-Translator|Language-Team|Generated-By)[^\n]*\n', re.MULTILINE
)

# A text and, for counted ones, its English plural.
Message = tuple[str, str | None]


def messages() -> dict[Message, set[str]]:
    """Every text of the rooms, with the files that it stands in."""
    found: dict[Message, set[str]] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            for message in _in_file(path):
                found.setdefault(message, set()).add(path.relative_to(ROOT).as_posix())
    return found


def path_of(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


def update(language: str) -> tuple[int, int]:
    """Writes the language's catalogue anew: new texts empty, unused ones gone. Returns how many there are and lack."""
    path = path_of(language)
    old = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=language)
    new = Catalog(locale=language, project="Rollcall", version="1", header_comment="# Texts of Rollcall.", fuzzy=False)
    for (text, plural), files in sorted(messages().items(), key=lambda item: (min(item[1]), item[0][0])):
        known = old.get(text)
        said = known.string if known is not None and known.string else ("", "") if plural else ""
        new.add((text, plural) if plural else text, said, locations=[(name, 0) for name in sorted(files)])
    written = io.BytesIO()
    write_po(written, new, width=120, include_lineno=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(UNWANTED_HEADERS.sub(b"", written.getvalue()))
    return len(new), len(untranslated(new))


def untranslated(catalogue: Catalog) -> list[str]:
    """Texts without all their forms."""
    lacking = []
    for message in catalogue:
        if not message.id:
            continue
        forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
        wanted = catalogue.num_plurals if isinstance(message.id, tuple) else 1
        if len(forms) < wanted or not all(forms):
            lacking.append(message.id if isinstance(message.id, str) else message.id[0])
    return lacking


def _in_file(path: Path) -> Iterator[Message]:
    if path.suffix == ".py":
        yield from _in_python(path)
    elif path.suffix in (".js", ".html", ".json") and "translations" not in path.parts:
        source = path.read_text(encoding="utf-8")
        for match in IN_SCRIPT.finditer(source):
            yield _unescaped(match[1], match[2]), None
        for match in COUNTED_IN_SCRIPT.finditer(source):
            yield _unescaped(match[1], match[2]), _unescaped(match[3], match[4])


def _in_python(path: Path) -> Iterator[Message]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts = [_text(argument) for argument in node.args[:2]]
            if node.func.id in SINGLE and texts and texts[0] is not None:
                yield texts[0], None
            elif node.func.id in COUNTED and len(texts) == 2 and texts[0] is not None:
                yield texts[0], texts[1]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict) and _name(node.target) in TABLES:
            yield from ((text, None) for value in node.value.values if (text := _text(value)) is not None)


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def _unescaped(double: str | None, single: str | None) -> str:
    text = double if double is not None else single or ""
    return re.sub(r"\\(.)", r"\1", text)


def main() -> int:
    lacking = 0
    for language in LANGUAGES:
        if language != DEFAULT:
            texts, missing = update(language)
            lacking += missing
            print(f"{language}: {texts} texts, {missing} not translated")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
