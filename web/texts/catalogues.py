"""Finds the program's texts and updates their catalogues: `python -m web.texts.catalogues`.

A text is a literal: in Python inside `say(...)`, `say_count(...)`, scorer's `T(...)`, `N_(...)`, `phrase(...)`,
`counted_phrase(...)`, `counted_text(...)` and `counted_reason(...)`, or a value of a REASONS or ASKS table; in
templates and scripts inside `t(...)` and `tn(...)`.
"""

import ast
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.pofile import write_po

from web.texts.languages import DEFAULT, LANGUAGES, path_of, read_catalogue

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("scorer", "vision", "web")
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    **dict.fromkeys(("t", "say", "T", "N_", "phrase")),
    **dict.fromkeys(("tn", "say_count", "counted_phrase", "counted_text", "counted_reason"), (1, 2)),
}
TABLES = ("REASONS", "ASKS")
LITERAL = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
IN_SCRIPT = re.compile(rf"(?<![\w.])(tn?)\(\s*({LITERAL})(?:\s*,\s*({LITERAL}))?")

# Dates and addresses that would change with every run and say nothing.
UNWANTED_HEADERS = re.compile(
    rb'^"(?:Report-Msgid|POT-Creation|PO-Revision|Last-Translator|Language-Team|Generated-By)[^\n]*\n', re.MULTILINE
)

# A text and, for counted ones, its English plural.
Message = tuple[str, str | None]


def messages() -> dict[Message, set[str]]:
    """Every text of the product, with the files that it stands in."""
    methods: Any = [
        ("**.py", _read_python),
        ("static/**.js", _read_script),
        ("hosts/phone/shell/**.js", _read_script),
        ("**/templates/*", "jinja2"),
    ]
    found: dict[Message, set[str]] = {}
    for package in PACKAGES:
        for name, _, text, *_ in extract_from_dir(ROOT / package, methods, keywords=KEYWORDS):
            one, many = (text, None) if isinstance(text, str) else text
            found.setdefault((one, many), set()).add(f"{package}/{name}")
    return found


def update(language: str) -> tuple[int, int]:
    """Writes the language's catalogue: new texts empty, unused ones gone. Returns how many there are and lack."""
    old = read_catalogue(language)
    new = Catalog(locale=language, project="Rollcall", version="1", header_comment="# Texts of Rollcall.", fuzzy=False)
    for (text, plural), files in sorted(messages().items(), key=lambda item: (min(item[1]), item[0][0])):
        known = old.get(text)
        said = known.string if known else None
        new.add((text, plural) if plural else text, said, locations=[(name, 0) for name in sorted(files)])
    written = io.BytesIO()
    write_po(written, new, width=120, include_lineno=False)
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    path_of(language).write_bytes(UNWANTED_HEADERS.sub(b"", written.getvalue()))
    return len(new), len(untranslated_texts(new))


def untranslated_texts(catalogue: Catalog) -> list[str]:
    """Texts without all their forms."""
    lacking: list[Any] = []
    for message in catalogue:
        said: Any = message.string if message.pluralizable else (message.string,)
        if message.id and (not all(said) or (message.pluralizable and len(said) < catalogue.num_plurals)):
            lacking.append(message.id[0] if message.pluralizable else message.id)
    return lacking


def _read_python(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """Babel's extraction, and the values of the tables."""
    yield from extract_python(file, keywords, tags, options)
    file.seek(0)
    for node in ast.parse(file.read()).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict) and ast.unparse(node.target) in TABLES:
            yield from ((0, None, each.value, []) for each in node.value.values if isinstance(each, ast.Constant))


def _read_script(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """Babel's own extraction finds no call inside a template literal that stands in another one."""
    for name, *texts in IN_SCRIPT.findall(file.read().decode()):
        yield 0, name, [ast.literal_eval(text) for text in texts if text], []


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
