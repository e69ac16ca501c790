"""Games that people made: their files, and which phone keeps which."""

import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, select
from sqlalchemy.exc import IntegrityError

import scorer
from scorer.definitions.building import GameFromFile
from scorer.definitions.definition import MOST_BYTES, text_of_file
from scorer.definitions.trial import playable_game
from scorer.games import ENDING
from web.problems.problem import Problem
from web.store import schema
from web.store.stamps import now
from web.store.store import Store

logger = logging.getLogger(__name__)

MOST_KEPT = 100  # games of one phone

kept = schema.phone_games


@dataclass(frozen=True)
class OwnGame:
    """The file of a game that people made, and its name there."""

    name: str
    file: str

    @property
    def key(self) -> str:
        """The key under which tables are stored."""
        return scorer.own_key(self.file, self.name)

    @property
    def digest(self) -> str:
        """What the address of its page has."""
        return self.key.partition(".")[2]

    @property
    def kind(self) -> GameFromFile:
        """The game as it is made for a table. Raises DefinitionError."""
        return scorer.game_of_file(self.file, self.name)

    def check(self) -> None:
        """Raises DefinitionError unless short games of all its variants can be played."""
        playable_game(self.file, self.name)


def read_folder(folder: Path) -> tuple[list[OwnGame], list[str]]:
    """The games in the files of a folder by name, and one line for each file that is none. Raises OSError."""
    found, wrong = [], []
    for path in sorted(folder.iterdir()):
        if path.suffix != ENDING or not path.is_file():
            continue
        try:
            with path.open("rb") as file:
                game = OwnGame(path.stem, text_of_file(file.read(MOST_BYTES + 1), path.name))
            game.check()
            found.append(game)
        except OSError as error:
            wrong.append(f"{path.name}: {error.strerror}")
        except scorer.Refusal as refusal:
            wrong.append(str(refusal))
    return found, wrong


def keep(store: Store, device: str, game: OwnGame, at: str = "") -> None:
    """Stores a game for this phone; one that it has stays. Raises `Problem` if the phone has too many.

    `at`: since when; now if not given.
    """
    mine = kept_by(store, device)
    if game.digest in {each.digest for each in mine}:
        return
    if len(mine) >= MOST_KEPT:
        raise Problem("too-many-own-games", 429, most=MOST_KEPT)
    row = {"device": device, "digest": game.digest, "name": game.name, "file": game.file, "at": at or now()}
    with suppress(IntegrityError), store.write() as connection:  # another page may store the same at the same moment
        connection.execute(insert(kept).values(**row))


def bring(store: Store, source: Connection) -> int:
    """Keeps the games of another store for the phones that kept them there, and returns how many were new here.

    What a phone has stays; games whose files are none, and more than a phone may keep, are left out.
    """
    new: set[str] = set()
    for row in source.execute(select(kept).order_by(kept.c.at)).all():
        game = OwnGame(row.name, row.file)
        if game.digest != row.digest or not _is_game(game):
            continue
        is_new = find(store, game.digest) is None
        try:
            keep(store, row.device, game, row.at)
            new |= {game.digest} if is_new else set()
        except Problem as full:
            logger.warning("a game that people made was not brought: %s", full)
    return len(new)


def _is_game(game: OwnGame) -> bool:
    try:
        game.kind()
    except scorer.Refusal as refusal:
        logger.warning("a game that people made was not brought: %s", refusal)
        return False
    return True


def forget(store: Store, device: str, digest: str) -> None:
    """Takes a game from this phone. Other phones, and tables, have their own copies."""
    with store.write() as connection:
        connection.execute(delete(kept).where(kept.c.device == device, kept.c.digest == digest))


def find(store: Store, digest: str) -> OwnGame | None:
    """The game of this digest; None if no phone keeps it, or a damage took it."""
    return next(iter(_whole(store, select(kept).where(kept.c.digest == digest).limit(MOST_KEPT))), None)


def kept_by(store: Store, device: str) -> list[OwnGame]:
    """The games that this phone keeps, the latest first."""
    return _whole(store, select(kept).where(kept.c.device == device).order_by(kept.c.at.desc(), kept.c.digest))


def _whole(store: Store, query: Select[Any]) -> list[OwnGame]:
    with store.read() as connection:
        rows = connection.execute(query).all()
    found = ((row.digest, OwnGame(row.name, row.file)) for row in rows)
    return [game for digest, game in found if game.digest == digest]
