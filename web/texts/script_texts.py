"""The texts that the pages' scripts need, in one language."""

import functools
import hashlib
import json
from collections.abc import Iterable
from typing import Any

from web.reasons import all_reasons
from web.texts.languages import catalogue


def _for_scripts(files: Iterable[str]) -> bool:
    """Whether scripts may show a text of these files: their own texts, and names that the rules give in a standing."""
    return any(
        name.startswith("web/static/") or (name.startswith("scorer/") and not name.endswith("/reasons.py"))
        for name in files
    )


@functools.cache
def script_texts(language: str) -> tuple[str, str]:
    """All texts as JSON, and a short hash of them for the address.

    `texts`: a plain msgid maps to a text, a counted one to the list of its gettext plural forms. `reasons`: every
    refusal's reason maps to its template, a counted one to its forms and the parameter that chooses among them.
    """
    texts: dict[str, Any] = {}
    said: dict[str, Any] = {}
    for message in catalogue(language):
        if not message.id or not message.string:
            continue
        text: str = message.id if isinstance(message.id, str) else message.id[0]
        forms = message.string if isinstance(message.id, str) else list(message.string)
        said[text] = forms
        if _for_scripts(name for name, _ in message.locations):
            texts[text] = forms
    reasons: dict[str, Any] = {}
    for reason, template in all_reasons().items():
        if isinstance(template, str):
            reasons[reason] = said.get(template, template)
        else:
            reasons[reason] = {"by": template.by, "forms": said.get(template.one, [template.one, template.many])}
    body = json.dumps({"texts": texts, "reasons": reasons}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return body, hashlib.sha256(body.encode()).hexdigest()[:12]
