"""Reading game records: a document from outside, checked for its form. What the rules say shows when it is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.game import Game
from scorer.refusals import RecordError
from scorer.registry import game
from scorer.texts import T, json_type, printable

FORMAT = 1

# In one record: at five seconds an action, a game that lasts longer than a day and a night. The longest games that
# people play have 6,000 (twelve players to 10,000 points). Every state is kept, since undoing is exact.
MOST_ACTIONS = 20_000

# What a record must have, its type and what JSON calls that.
_FORM = {
    "game": (str, T("text")),
    "options": (Mapping, T("object")),
    "players": (list, T("list")),
    "actions": (list, T("list")),
}


def read_record(record: Any) -> tuple[Game[Any], list[str], list[Any]]:
    """The game with its options, the players' names and the actions; raises RecordError or OptionError."""
    if not isinstance(record, Mapping):
        raise RecordError("record-not-an-object", got=json_type(record))
    if "format" not in record:
        raise RecordError("record-lacks", key="format")
    if type(record["format"]) is not int or record["format"] != FORMAT:
        raise RecordError("record-format", format=printable(record["format"]), known=FORMAT)
    # A record without options has the defaults.
    record = {"options": {}, **record}
    for key, (kind, word) in _FORM.items():
        if key not in record:
            raise RecordError("record-lacks", key=key)
        if not isinstance(record[key], kind):
            raise RecordError("record-wrong-kind", key=key, kind=word, got=json_type(record[key]))
    if len(record["actions"]) > MOST_ACTIONS:
        raise RecordError("record-too-long", got=len(record["actions"]), most=MOST_ACTIONS)
    options = {str(name): value for name, value in record["options"].items()}
    return game(record["game"], **options), record["players"], record["actions"]
