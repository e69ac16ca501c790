"""Takes the small picture of a throw along with the command that confirms it, at a table that keeps them."""

import logging
from collections.abc import Callable
from typing import TypeVar

from web.common.problems import Problem
from web.table.commands import Act, ChooseWay, Command
from web.table.proposed import evidence_of_proposal
from web.table.state import State

logger = logging.getLogger(__name__)

NO_ROOM = ("store-full", "store-failed")

Answer = TypeVar("Answer")


def shown_throw(look: Callable[[], State], command: Command) -> str | None:
    """The id of the photo under review whose throw this command confirms, if the table keeps its picture. `look`: gives
    the table's state, and is called only for a command that may confirm one."""
    evidence = command.evidence if isinstance(command, Act) and command.action.get("do") == "throw" else None
    if evidence is None and not isinstance(command, ChooseWay):
        return None
    state = look()
    if isinstance(command, ChooseWay):
        evidence = evidence_of_proposal(state.photo, command.way)
    if evidence is None or state.photo is None or not state.chosen.keeps_pictures:
        return None
    return evidence.reading if evidence.reading == state.photo.details.id else None


def with_picture(picture: bytes | None, do: Callable[[bytes | None], Answer]) -> Answer:
    """Does something with a picture; without it if the disk has no room for it, since the throw counts all the same."""
    try:
        return do(picture)
    except Problem as problem:
        if picture is None or problem.reason not in NO_ROOM:
            raise
        logger.warning("the picture of a throw could not be kept: %s", problem)
    return do(None)
