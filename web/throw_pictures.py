"""Takes the small picture of a throw along with the command that confirms it, at a table that keeps them."""

import logging
from collections.abc import Callable
from typing import TypeVar

from web.problems import Problem
from web.session.commands import Act, Command
from web.session.state import State

logger = logging.getLogger(__name__)

NO_ROOM = ("store-full", "store-failed")

Answer = TypeVar("Answer")


def shown_throw(command: Command) -> str | None:
    """The id of the photo whose throw this command confirms; None if it confirms none."""
    if not isinstance(command, Act) or command.evidence is None or command.action.get("do") != "throw":
        return None
    return command.evidence.reading


def keeps_picture(state: State, reading: str) -> bool:
    """Whether a table keeps the picture of its photo under review, if that is this one."""
    return state.chosen.keeps_pictures and state.photo is not None and state.photo.details.id == reading


def with_picture(picture: bytes | None, do: Callable[[bytes | None], Answer]) -> Answer:
    """Does something with a picture; without it if the disk has no room for it, since the throw counts all the same."""
    try:
        return do(picture)
    except Problem as problem:
        if picture is None or problem.reason not in NO_ROOM:
            raise
        logger.warning("the picture of a throw could not be kept: %s", problem)
    return do(None)
