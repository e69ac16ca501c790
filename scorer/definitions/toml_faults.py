"""What is wrong with a text that is no TOML, in words: `tomllib` says the place, and why in words for programmers."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from scorer.definitions.toml_lines import KEY
from scorer.texts import printable_name

AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")
OTHER_QUOTES = "“”„‟«»‘’‚‛`´"
CURLY = re.compile(f"[{OTHER_QUOTES}]")
IN_QUOTES = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'""")
YES_OR_NO = {"true", "false", "yes", "no", "on", "off"}
# A number with signs between its thousands, a zero in front, or a word behind it.
NUMBER = re.compile(r"([+-]?)0*(\d{1,9}|\d{1,3}(?:[.,'’_\s\u00a0\u202f]\d{3}){1,2})(?:\s*[^\W\d_]+\.?)?")
HEADER = re.compile(r"\s*\[*\s*([\w.-]+)\s*\]*")
NOTE = re.compile(r"\s*(?://|/\*|;|--)")
LONGEST = 100  # characters of what `tomllib` says
LISTS = {"combination", "cell", "column", "option", "value", "example"}


class TomlFault(NamedTuple):
    """Where a text cannot be read, from line 1, and why: a key of REASONS with its parameters."""

    line: int
    reason: str
    params: dict[str, Any]


def fault_in(text: str, error: str) -> TomlFault:
    """Why this text is no TOML. `error`: what `tomllib` says of it."""
    why, found = AT.sub("", error)[:LONGEST], AT.search(error)
    if found is None or found[1] is None:  # at the end of the text, which something leaves open
        opened = max(text.rfind('"""'), text.rfind("'''"))
        if "string" in why.lower() and opened >= 0:
            return TomlFault(text.count("\n", 0, opened) + 1, "definition-open-quote", {})
        return TomlFault(text.rstrip().count("\n") + 1, "definition-no-toml", {"why": _plain(why)})
    line, column = int(found[1]), int(found[2]) - 1
    row = text.split("\n")[line - 1].rstrip("\r")
    reason, params = _of_line(row, column, why)
    if reason == "definition-open-bracket":
        params["begun"] = _begun_before(text, line)
    return TomlFault(line, reason, params)


def _of_line(row: str, column: int, why: str) -> tuple[str, dict[str, Any]]:
    key = KEY.match(row)
    value = row[key.end() :].strip() if key else ""
    if CURLY.search(IN_QUOTES.sub("", row).partition("#")[0]):
        said = next((each for each in CURLY.split(row)[1:] if each.strip("\"' ,]}")), value or row)
        return "definition-quotes", {"wanted": _in_quotes(said)}
    if NOTE.match(row):
        return "definition-note", {}
    if "twice" in why or "mutate" in why or "Cannot overwrite" in why or why.startswith("Duplicate"):
        return _twice(row, key, why)
    if why.startswith("Expected ']'") or (key is None and "]" in row and "=" not in row):
        return "definition-header", {"name": _header(row)}
    if why.startswith("Unclosed"):
        return "definition-open-bracket", {}
    if key is None or why.startswith("Expected '='"):
        return "definition-no-equals", {}
    return _of_value(row, column, value, why)


def _of_value(row: str, column: int, value: str, why: str) -> tuple[str, dict[str, Any]]:
    at_column = re.split(r"[,\]}#]", row[column:])[0].strip()
    if why == "Invalid value":
        if not at_column:
            return "definition-no-value", {}
        if at_column.casefold() in YES_OR_NO:
            return "definition-yes-or-no", {"got": printable_name(at_column)}
        if any(each.isalpha() for each in at_column):
            return "definition-quotes", {"wanted": _in_quotes(at_column)}
    if why.startswith("Invalid initial character") and "{" in value:
        return "definition-one-line", {}
    if why.startswith(("Illegal character", "Unterminated")):
        return "definition-open-quote", {}
    if why.startswith("Unescaped"):
        return "definition-backslash", {}
    if why.startswith("Expected newline"):
        if value[:1] in ('"', "'"):
            return "definition-inner-quote", {"wanted": _in_quotes(value.rpartition(value[0])[0])}
        written = value.partition("#")[0].strip()
        if number := NUMBER.fullmatch(written):
            wanted = number[1] + re.sub(r"\D", "", number[2])
            return "definition-digits", {"wanted": wanted, "got": printable_name(written)}
    return "definition-no-toml", {"why": _plain(why)}


def _twice(row: str, key: re.Match[str] | None, why: str) -> tuple[str, dict[str, Any]]:
    if key is not None:
        inline = re.search(r"key '(.*)'", why)
        return "definition-key-twice", {"name": printable_name(inline[1] if inline else key[1])}
    name = _header(row)
    is_list = name.rpartition(".")[2] in LISTS
    return "definition-list-header" if is_list else "definition-part-twice", {"name": name}


def _plain(why: str) -> str:
    return why if why.isprintable() else printable_name(why)


def _header(row: str) -> str:
    found = HEADER.match(row)
    return printable_name(found[1] if found else row.strip())


def _in_quotes(value: str) -> str:
    """A text as a file has it, cut short."""
    return '"' + printable_name(value.strip().strip(f"\"'{OTHER_QUOTES}").strip()).replace('"', '\\"') + '"'


def _begun_before(text: str, line: int) -> int:
    """The line in which the value begins that is still open in this line."""
    rows = text.split("\n")
    before = (number for number in range(line, 0, -1) if re.search(r"=\s*[\[{]", rows[number - 1]))
    return next(before, line)
