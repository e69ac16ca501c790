"""The texts that the pages' scripts need, in one language."""

import functools
import hashlib
import json
from typing import Any

from web.errors import all_reasons
from web.languages import catalogue


@functools.cache
def script_texts(language: str) -> tuple[str, str]:
    """All texts as JSON, and a short hash for its address.

    `texts`: plain ones map to a text, counted ones to the list of their forms in the order of the language's gettext
    plurals. `reasons`: every reason of a refusal with its template.
    """
    texts: dict[str, Any] = {}
    for message in catalogue(language):
        if not message.id or not message.string:
            continue
        if isinstance(message.id, str):
            texts[message.id] = message.string
        else:
            texts[message.id[0]] = list(message.string)
    reasons = {reason: texts.get(template, template) for reason, template in all_reasons().items()}
    body = json.dumps({"texts": texts, "reasons": reasons}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return body, hashlib.sha256(body.encode()).hexdigest()[:12]
