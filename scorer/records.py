"""Reading game records: a document from outside, checked for its form. What the rules say shows when it is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.game import Game
from scorer.refusals import RecordError
from scorer.registry import game
from scorer.texts import shown

FORMAT = 1

# What a record must have, its type and what JSON calls that.
_FORM = {"game": (str, "text"), "options": (Mapping, "object"), "players": (list, "list"), "actions": (list, "list")}


def read_record(record: Any) -> tuple[Game[Any], list[str], list[Any]]:
    """The game with its options, the players' names and the actions; raises RecordError or OptionError."""
    if not isinstance(record, Mapping):
        raise RecordError("record-not-an-object", got=type(record).__name__)
    if "format" not in record:
        raise RecordError("record-lacks", key="format")
    if type(record["format"]) is not int or record["format"] != FORMAT:
        raise RecordError("record-format", format=shown(record["format"]), known=FORMAT)
    # A record without options has the defaults.
    record = {"options": {}, **record}
    for key, (kind, word) in _FORM.items():
        if key not in record:
            raise RecordError("record-lacks", key=key)
        if not isinstance(record[key], kind):
            raise RecordError("record-wrong-kind", key=key, kind=word, got=type(record[key]).__name__)
    options = {str(name): value for name, value in record["options"].items()}
    return game(record["game"], **options), record["players"], record["actions"]
