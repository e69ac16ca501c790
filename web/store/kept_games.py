"""Games that people made: their files, and which phone keeps which."""

import logging
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Table, delete, insert, select
from sqlalchemy.exc import IntegrityError

import scorer
from scorer.definitions.definition import MOST_BYTES, text_of_file
from scorer.definitions.trial import playable_game
from scorer.games import ENDING
from web.problems import Problem
from web.store import checksums, schema
from web.store.stamps import now
from web.store.store import Store

logger = logging.getLogger(__name__)

MOST_KEPT = 100  # games of one phone

games, kept = schema.own_games, schema.kept_games


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
    def kind(self) -> scorer.GameKind:
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
    row = {"digest": game.digest, "name": game.name, "file": game.file}
    if find(store, game.digest) is None:
        _insert(store, games, {**row, "sum": checksums.row_sum(games.name, row)})
    _insert(store, kept, {"device": device, "digest": game.digest, "at": at or now()})


def _insert(store: Store, table: Table, row: dict[str, str]) -> None:
    try:
        with store.write() as connection:
            connection.execute(insert(table).values(**row))
    except IntegrityError:
        pass  # another page stored the same at the same moment


def bring(store: Store, source: Connection) -> int:
    """Keeps the games of another store for the phones that kept them there, and returns how many were new here.

    What a phone has stays; games whose files are none, and more than a phone may keep, are left out.
    """
    rows = [row for row in source.execute(select(games)).mappings() if checksums.holds(games.name, row)]
    found = {game.digest: game for game in (OwnGame(row["name"], row["file"]) for row in rows) if _is_game(game)}
    new = {digest for digest in found if find(store, digest) is None}
    brought: set[str] = set()
    for device, digest, at in source.execute(select(kept.c.device, kept.c.digest, kept.c.at).order_by(kept.c.at)):
        if digest not in found:
            continue
        try:
            keep(store, device, found[digest], at)
            brought.add(digest)
        except Problem as full:
            logger.warning("a game that people made was not brought: %s", full)
    return len(new & brought)


def _is_game(game: OwnGame) -> bool:
    try:
        game.kind()
    except scorer.Refusal as refusal:
        logger.warning("a game that people made was not brought: %s", refusal)
        return False
    return True


def forget(store: Store, device: str, digest: str) -> None:
    """Takes a game from this phone. Its file goes too if no phone has it; tables have their own copies."""
    with store.write() as connection:
        connection.execute(delete(kept).where(kept.c.device == device, kept.c.digest == digest))
        connection.execute(delete(games).where(games.c.digest == digest, games.c.digest.not_in(select(kept.c.digest))))


def find(store: Store, digest: str) -> OwnGame | None:
    """The game of this digest; None if no phone keeps it, or a damage took it."""
    query = select(games).where(games.c.digest == digest)
    row = store.read_checked(lambda connection: connection.execute(query).mappings().one_or_none())
    return None if row is None or not checksums.holds(games.name, row) else OwnGame(row["name"], row["file"])


def kept_by(store: Store, device: str) -> list[OwnGame]:
    """The games that this phone keeps, the latest first."""
    query = select(games).join(kept, kept.c.digest == games.c.digest).where(kept.c.device == device)
    newest = query.order_by(kept.c.at.desc(), games.c.digest)
    rows = store.read_checked(lambda connection: connection.execute(newest).mappings().all())
    return [OwnGame(row["name"], row["file"]) for row in rows if checksums.holds(games.name, row)]
