"""The texts that the pages' scripts need, in one language."""

import functools
import hashlib
import json
from collections.abc import Iterable
from typing import Any

import scorer
import scorer.reasons
import vision.reasons
from scorer.texts import CountedReason
from web.problems.reasons import REASONS
from web.table.umpire import concluding as umpire
from web.texts.language_table import TABLE
from web.texts.languages import catalogue
from web.texts.numbers import plural_forms, separators

# What a table may show before anybody has done anything: why a turn cannot be banked, and why no photo can be read.
REASONS_AT_ONCE = {
    *("set-aside-first", "nothing-to-bank", "confirm-first", "confirm-first-with-all", "bank-needs-minimum"),
    *("bank-needs-opening", "too-many-dice-left", "passes-target", "game-over", "stale"),
    *("reader-missing", "reader-broken", "reader-unloadable", "reader-elsewhere", "reader-fails", "no-readers"),
}
TextParts = tuple[tuple[str, frozenset[str]], ...]
SERVER_ALONE = (
    "scorer/reasons.py",
    "scorer/definitions/",
    "scorer/end_sentences.py",
    "scorer/options.py",
    "scorer/pad_rules.py",
    "scorer/records.py",
    "scorer/sheet_rules.py",
    "scorer/texts.py",
)  # whose texts scripts never show


def _for_scripts(text: str, files: Iterable[str]) -> set[str]:
    """The files of a text for which scripts may show it: scripts, and the rules, which name what is in a standing."""
    return {
        name
        for name in files
        if name.startswith("web/static/")
        or (name.startswith("scorer/") and not name.startswith(SERVER_ALONE) and _in_standings(text, name))
    }


def _in_standings(text: str, file: str) -> bool:
    return not file.endswith(".toml") or text in scorer.cell_titles()


@functools.cache  # bounded: no argument
def _paragraphs() -> set[str]:
    rules = [scorer.game(info.key).short_rules() for info in scorer.all_games()]
    return {paragraph.template for sections in rules for section in sections for paragraph in section.paragraphs}


def text_key(text: str) -> str:
    """A text's key in what scripts are sent, as `keyOf` in shared/text.js makes it: 28 bits of its FNV-1a hash. The
    texts themselves would be a third of what a page waits for."""
    found = 0x811C9DC5
    for sign in text:
        found = ((found ^ ord(sign)) * 0x01000193) & 0xFFFFFFFF
    return f"{found >> 4:x}"


@functools.cache  # bounded: languages of this program, and parts of its scripts
def script_texts(language: str, part: str = "first", others: TextParts = ()) -> tuple[str, str]:
    """Texts as JSON, and a short hash of them for the address.

    `texts`: the key of a plain msgid maps to a text, that of a counted one to the list of its gettext plural forms.
    `reasons`: every refusal's reason maps to its template, a counted one to its forms and the parameter that chooses
    among them. Each of the parts `others` has the texts of its files alone, and "later" the reasons that are not shown
    at once; the part "first" has all else, `numbers` (how the language counts) and `voice` (its name for voices).
    Raises ValueError for two texts with one key.
    """
    texts: dict[str, Any] = {}
    said: dict[str, Any] = {}
    for message in catalogue(language):
        if not message.id or not message.string:
            continue
        text: str = message.id if isinstance(message.id, str) else message.id[0]
        forms = message.string if isinstance(message.id, str) else list(message.string)
        said[text] = forms
        files = _for_scripts(text, (name for name, _ in message.locations))
        if text in _paragraphs():  # the server shows them; a script may have the same text
            files = {name for name in files if not name.startswith("scorer/")}
        if (
            forms != text
            and files
            and part == next((name for name, its_files in others if files <= its_files), "first")
        ):
            if (key := text_key(text)) in texts:
                raise ValueError(f"two texts have the key {key}: change a word of {text!r}")
            texts[key] = forms
    reasons: dict[str, Any] = {}
    for reason, template in all_reasons().items():
        if reason.startswith("definition-"):
            continue  # the server says what is wrong with a file of a game
        if part != ("first" if reason in REASONS_AT_ONCE else "later"):
            continue
        if isinstance(template, str):
            reasons[reason] = said.get(template, template)
        else:
            reasons[reason] = {"by": template.by, "forms": said.get(template.one, [template.one, template.many])}
    told: dict[str, Any] = {"texts": texts, "reasons": reasons}
    if part == "first":
        told["numbers"] = {"forms": plural_forms(language), "thousands": separators(language)[0]}
        told["voice"] = TABLE[language].tag
    body = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return body, hashlib.sha256(body.encode()).hexdigest()[:12]


@functools.cache  # bounded: no argument
def all_reasons() -> dict[str, str | CountedReason]:
    """Every reason that web, scorer or vision can give, why the reader asks, and what the umpire says: each with its
    English template, the msgid of its translation."""
    return {**umpire.REASONS, **vision.reasons.ASKS, **vision.reasons.REASONS, **scorer.reasons.REASONS, **REASONS}
