"""Finds the program's texts and updates their catalogues: `python -m web.texts.catalogues`.

`give LANGUAGE` writes a language's file for its translator; `take FILE` takes it back, or says what is wrong in it.

A text is a literal: in Python inside `say(...)`, `say_count(...)`, scorer's `T(...)`, `N_(...)`, `phrase(...)`,
`counted_phrase(...)`, `counted_text(...)` and `counted_reason(...)`, or a value of a REASONS or ASKS table; in
templates and scripts inside `t(...)` and `tn(...)`. The games' files have texts too.
"""

import ast
import functools
import io
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.pofile import write_po

from scorer.definitions.definition import read_definition
from web.texts.languages import DEFAULT, LANGUAGES, is_whole, path_of, read_catalogue
from web.texts.translators_files import WrongFileError, translated_file

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


@functools.cache  # bounded: no argument
def messages() -> dict[Message, set[str]]:
    """Every text of the product, with the files that it stands in."""
    methods: Any = [
        ("**.py", _read_python),
        ("games/**.toml", _read_game),
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
    return write(language, read_catalogue(language))


def write(language: str, translated: Catalog) -> tuple[int, int]:
    """Writes the catalogue of all texts with these translations. Returns how many there are and lack."""
    new = Catalog(locale=language, project="Rollcall", version="1", header_comment="# Texts of Rollcall.", fuzzy=False)
    for (text, plural), files in sorted(messages().items(), key=lambda item: (min(item[1]), item[0][0])):
        known = translated.get(text)
        said = known.string if known and not known.fuzzy else None
        added = new.add((text, plural) if plural else text, said, locations=[(name, 0) for name in sorted(files)])
        added.flags.discard("python-format")  # a per cent sign is no more than that
    written = io.BytesIO()
    write_po(written, new, width=120, include_lineno=False)
    path_of(language).parent.mkdir(parents=True, exist_ok=True)
    path_of(language).write_bytes(UNWANTED_HEADERS.sub(b"", written.getvalue()))
    return len(new), len(untranslated_texts(new))


def untranslated_texts(catalogue: Catalog) -> list[str]:
    lacking = [message.id for message in catalogue if message.id and not is_whole(message, catalogue)]
    return [text if isinstance(text, str) else text[0] for text in lacking]


def _read_python(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """Babel's extraction, and the values of the tables."""
    yield from extract_python(file, keywords, tags, options)
    file.seek(0)
    for node in ast.parse(file.read()).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict) and ast.unparse(node.target) in TABLES:
            yield from ((0, None, each.value, []) for each in node.value.values if isinstance(each, ast.Constant))


def _read_game(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    for text, *_ in read_definition(file.read().decode(), "a-game").translations():
        yield 0, None, text, []


def _read_script(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Iterator[Any]:
    """Babel's own extraction finds no call inside a template literal that stands in another one."""
    for name, *texts in IN_SCRIPT.findall(file.read().decode()):
        yield 0, name, [ast.literal_eval(text) for text in texts if text], []


def main(asked: list[str]) -> int:
    match asked:
        case []:
            told = {language: update(language) for language in LANGUAGES if language != DEFAULT}
        case ["give", language] if language in LANGUAGES and language != DEFAULT:
            told = {language: update(language)}
            shutil.copyfile(path_of(language), f"rollcall-{language}.po")
        case ["take", file]:
            try:
                language, translated = translated_file(Path(file))
            except WrongFileError as wrong:
                print(wrong, file=sys.stderr)
                return 2
            told = {language: write(language, translated)}
        case _:
            codes = " ".join(code for code in LANGUAGES if code != DEFAULT)
            print(f"python -m web.texts.catalogues [give LANGUAGE | take FILE]; languages: {codes}", file=sys.stderr)
            return 2
    for language, (texts, missing) in told.items():
        print(f"{language}: {texts} texts, {missing} not translated")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
