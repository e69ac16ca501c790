"""The lines of a TOML file: `tomllib` tells what a file holds, but not where."""

from __future__ import annotations

import re

from scorer.definitions.shapes import Path

HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
# What opens or closes a value of several lines; texts and comments are skipped whole.
MARK = re.compile(r'"""|\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*$|[\[{]|[\]}]')


def line_of(text: str, path: Path) -> int:
    """The line, from 1, where the value at this path stands; or the nearest table around it."""
    lines = _lines_of(text)
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _lines_of(text: str) -> dict[Path, int]:
    found: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    depth, quotes = 0, ""  # open brackets, and the quotes of a text of several lines
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not (depth or quotes):
            header, key = HEADER.match(line), KEY.match(line)
            if header is not None:
                table = _table_of(_parts(header[2]), header[1] == "[[", counts)
                found.setdefault(table, number)
                if isinstance(table[-1], int):
                    found.setdefault(table[:-1], number)
                continue
            if key is None:
                continue
            path = table
            for part in _parts(key[1]):
                path = (*path, part)
                found.setdefault(path, number)
            line = line[key.end() :]
        depth, quotes = _after_line(line, depth, quotes)
    return found


def _table_of(parts: list[str], is_list: bool, counts: dict[Path, int]) -> Path:
    """The path of a header's table; parts that are lists mean their last table."""
    path: Path = ()
    for place, part in enumerate(parts, start=1):
        path = (*path, part)
        if is_list and place == len(parts):
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in PART.findall(dotted)]


def _after_line(line: str, depth: int, quotes: str) -> tuple[int, str]:
    """The open brackets and quotes after a line."""
    at = 0
    while True:
        if quotes:
            end = line.find(quotes, at)
            if end < 0:
                return depth, quotes
            at, quotes = end + 3, ""
        mark = MARK.search(line, at)
        if mark is None:
            return max(depth, 0), ""
        at = mark.end()
        if mark[0] in ('"""', "'''"):
            quotes = mark[0]
        elif mark[0] in "[{":
            depth += 1
        elif mark[0] in "]}":
            depth -= 1
