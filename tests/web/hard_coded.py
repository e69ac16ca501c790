"""Finds text for people that stands in a template or a script as it is, in one language for all."""

import re
from html.parser import HTMLParser

from web.texts.catalogues import IN_SCRIPT

CLASS_OF_PAGE = re.compile(r"\{% block kind %\}.*?\{% endblock %\}")
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
JINJA_SHOWN = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
STRING = re.compile(r""""((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'""")
REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/[a-z]*")
BEFORE_REGEX = re.compile(r"(?:^|[(,=:\[!&|?{};+>]|\breturn)\s*$")
WORD = re.compile(r"[^\W\d_]{2,}")
# What a sentence or a button's text looks like, and a list of classes, a selector or a header does not.
SENTENCE = re.compile(r"[^\W\d_a-z][^\W\d_]*,? (?:[^\W\d_]|\{)|[^\W\d_] [^\W\d_]+[.!?…]$|^[A-Z][a-z]+[.!?…]$")
# Attributes alone, to be put into a tag.
ATTRIBUTES = re.compile(r"^\s*(?:(?:[a-z-]+=\"[^\"<]*\"|checked|selected|disabled|hidden|open)\s*)+$")
SHOWN_ATTRIBUTES = ("aria-label", "aria-description", "alt", "title", "placeholder", "label")
NAMES = {"Rollcall", "OK", "rollcall", "crt"}  # the same in every language; rollcall.crt is a file


class _Shown(HTMLParser):
    """Collects what a page shows or reads out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._unseen = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in ("script", "style")
        self.texts += [value for name, value in attrs if name in SHOWN_ATTRIBUTES and value]

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.texts.append(data)


class _Script:
    """The strings of a script and the pieces of HTML that it makes, without the expressions in them."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.strings: list[str] = []
        self.pages: list[str] = []
        self._code(0)

    def _code(self, at: int) -> int:
        """Reads on from `at` to the end, or to the bracket that ends an expression of a template; returns where."""
        source, depth = self.source, 0
        while at < len(source):
            sign = source[at]
            if source.startswith("//", at):
                at = source.find("\n", at) % (len(source) + 1)
            elif source.startswith("/*", at):
                at = source.index("*/", at) + 2
            elif sign == "/" and BEFORE_REGEX.search(source, max(0, at - 30), at):
                found = REGEX.match(source, at)
                assert found is not None, source[at : at + 40]
                at = found.end()
            elif sign in "\"'":
                found = STRING.match(source, at)
                assert found is not None, source[at : at + 40]
                self.strings.append(found[0][1:-1])
                at = found.end()
            elif sign == "`":
                at = self._template(at)
            elif sign == "}" and depth == 0:
                return at
            else:
                depth += (sign == "{") - (sign == "}")
                at += 1
        return at

    def _template(self, at: int) -> int:
        source, begun = self.source, at
        written = ""
        at += 1
        while source[at] != "`":
            if source[at] == "\\":
                at += 2
            elif source.startswith("${", at):
                written += "{}"
                at = self._code(at + 2) + 1
            else:
                written += source[at]
                at += 1
        makes_html = re.search(r"\bhtml$", source[max(0, begun - 5) : begun])
        if makes_html:
            self.pages.append(ATTRIBUTES.sub("", written))
        else:
            self.strings.append(written)
        return at + 1


def in_template(source: str) -> list[str]:
    """The texts of a Jinja template that no `t(...)` or `tn(...)` has."""
    found = _words(_Shown(JINJA.sub("", CLASS_OF_PAGE.sub("", source))).texts)
    for shown in JINJA_SHOWN.findall(_without_said(source)):
        found += [text for text in _strings(shown) if SENTENCE.search(text)]
    return found


def in_script(source: str) -> list[str]:
    """The texts of a script that no `t(...)` or `tn(...)` has: in the HTML it makes, and strings like sentences."""
    script = _Script(_without_said(source))
    found = [text for page in script.pages for text in _words(_Shown(page).texts)]
    return found + [text for text in script.strings if SENTENCE.search(text)]


def _words(texts: list[str]) -> list[str]:
    return [text.strip() for text in texts if set(WORD.findall(text)) - NAMES]


def _strings(source: str) -> list[str]:
    return [double or single for double, single in STRING.findall(source)]


def _without_said(source: str) -> str:
    """`source` without the literals that are translated."""
    return IN_SCRIPT.sub(r"\1(0", source)
