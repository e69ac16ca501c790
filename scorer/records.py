"""Checks the form of game records from outside. `Table.from_record` then checks the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.game import Game
from scorer.games import game_of_file
from scorer.refusals import RecordError
from scorer.registry import kind_of
from scorer.texts import T, json_type, printable

FORMAT = 1

# At five seconds each, a day and a night. The longest real games have 6,000 (twelve players to 10,000 points). A table
# keeps every state for undo, so there must be a limit.
MOST_ACTIONS = 20_000

# The keys of a record: type, and JSON's word for it.
_FORM = {
    "game": (str, T("text")),
    "options": (Mapping, T("object")),
    "players": (list, T("list")),
    "actions": (list, T("list")),
}


def read_record(record: Any) -> tuple[Game[Any], list[str], list[Any]]:
    """The game with its options, the players' names and the actions. Raises RecordError, OptionError, and
    DefinitionError for the file of a game that is not ours.
    """
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
    if "file" not in record:
        return kind_of(record["game"])(**options), record["players"], record["actions"]
    if not isinstance(record["file"], str):
        raise RecordError("record-wrong-kind", key="file", kind=T("text"), got=json_type(record["file"]))
    own = game_of_file(record["file"], record["game"])
    return own(**options), record["players"], record["actions"]
