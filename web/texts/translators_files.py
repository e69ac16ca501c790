"""The files that translators send back: read, and refused where the program could not show what they say."""

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po

from web.texts.language_table import FILE
from web.texts.languages import DEFAULT, LANGUAGES, forms_of, read_catalogue

LINE = re.compile(r'(?:#.*|(?:msg(?:id|id_plural|str|ctxt)(?:\[\d+\])?\s+)?"(?:[^"\\]|\\.)*")?')


class WrongFileError(Exception):
    """A file that cannot be taken; one sentence, with the line."""


def translated_file(path: Path) -> tuple[str, Catalog]:
    """The language of a file, and what it translates. Raises WrongFileError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except UnicodeDecodeError:
        raise WrongFileError(f"{path} is not written in UTF-8") from None
    except OSError as wrong:
        raise WrongFileError(f"{path} cannot be read: {wrong.strerror}") from None
    for number, line in enumerate(lines, 1):
        if LINE.fullmatch(line.strip()) is None:
            raise WrongFileError(f"{path}, line {number}: a text stands between two quotes, after msgid or msgstr")
    try:
        read = read_po(lines, abort_invalid=True)
    except PoFileError as wrong:
        raise WrongFileError(f"{path}, line {wrong.lineno + 1}: {wrong.args[0].rpartition(' on ')[0]}") from None
    language = read.locale_identifier or ""
    if language not in LANGUAGES or language == DEFAULT:
        raise WrongFileError(f"{path}: Language is “{language}”, which is no language of {FILE.name} to translate into")
    forms = read_catalogue(language).num_plurals
    if read.num_plurals != forms:
        number = next((number for number, line in enumerate(lines, 1) if "Plural-Forms" in line), 1)
        raise WrongFileError(f"{path}, line {number}: Plural-Forms must say nplurals={forms}")
    for message in read:
        if wrong_form := next(_wrong_forms(message, forms), ""):
            raise WrongFileError(f"{path}, line {message.lineno}: {wrong_form}")
    return language, read


def _wrong_forms(message: Message, forms: int) -> Iterator[str]:
    if not message.id or not any(said := forms_of(message)):
        return
    wanted = _names(message.id[1] if message.pluralizable else str(message.id))
    if message.pluralizable and (len(said) != forms or not all(said)):
        yield f"this language has {forms} plural forms, {sum(map(bool, said))} are given"
    for text in said:
        try:
            found = _names(text)
        except ValueError:
            yield f"a brace is missing in “{text}”"
        else:
            if found != wanted:
                names = ", ".join(f"{{{name}}}" for name in sorted(wanted)) or "no name in braces"
                yield f"“{text}” must have {names}, as the English text has"


def _names(text: str) -> set[str]:
    """The names between braces. Raises ValueError for a brace alone."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
