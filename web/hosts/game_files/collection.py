"""Folders of games: each file checked within bounds, an index with a digest of each, and what is taken into another.

`index.json` of a collection is `{"format": 1, "games": [{"file", "sha256", ...}]}`: the SHA-256 of each file's bytes is
what says that a game is the same. It lies beside the files, and names no other folder.
"""

import contextlib
import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scorer.definitions.building import unchecked_game
from scorer.definitions.definition import MOST_BYTES, text_of_file
from scorer.definitions.game_link import file_in_link
from scorer.definitions.shapes import LONGEST_WORD, WORD
from scorer.games import ENDING
from scorer.refusals import Refusal
from scorer.strict_json import parse
from web.hosts.checking_process import CheckingProcess
from web.hosts.threads import ThreadTask
from web.own_games import process
from web.own_games.checker import Checker, Payer
from web.own_games.kept_games import OwnGame
from web.problems.problem import Problem
from web.store.data_folder import why

INDEX = "index.json"
FORMAT = 1
MOST_INDEX_BYTES = 512 * 1024
MOST_GAMES = 500  # of a collection
DIGEST = re.compile(r"[0-9a-f]{64}")
NAME = re.compile(rf"{WORD.pattern}{re.escape(ENDING)}")
US = Payer("", lambda seconds: None)


class NotTakenError(Exception):
    """A file, a folder or a link that is not taken: its text is one sentence that says why."""


@dataclass(frozen=True)
class GameOfFile:
    """The file of a game: its name with its ending, and its bytes."""

    name: str
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def key(self) -> str:
        return self.name.removesuffix(ENDING)

    @property
    def text(self) -> str:
        """Raises DefinitionError."""
        return text_of_file(self.data, self.name)

    def to_json(self) -> Mapping[str, Any]:
        """What an index says of the game, whose file was checked before."""
        kind = unchecked_game(self.text, self.key)
        info, file = kind().info, kind.definition.file
        said = {"title": str(info.title), "summary": str(info.summary), "source": file.source or ""}
        return {"file": self.name, "sha256": self.sha256, "family": file.family, **said}


# Checks the text and the key of a game within bounds. Raises Refusal and `Problem` for one that cannot be played.
Check = Callable[[str, str], None]


def check_own(text: str, key: str) -> None:
    """Checks a file that a person at this machine writes: here and at once, as long as it takes."""
    began = time.process_time()
    OwnGame(key, text).check()
    if time.process_time() - began > process.PROCESSOR_S:  # then no page would take it
        raise Problem(process.TOO_COSTLY)


@contextlib.contextmanager
def checks() -> Iterator[Check]:
    """What checks games: the process by which a server checks those of strangers, with its bounds."""
    with contextlib.closing(Checker(CheckingProcess(ThreadTask))) as checker:
        yield lambda text, key: checker.ask(US, process.check, text, key)


# --- a folder ---------------------------------------------------------------------------------------------------------


def read_file(path: Path) -> GameOfFile:
    """Raises NotTakenError."""
    return GameOfFile(path.name, _bytes_of(path, MOST_BYTES + 1))


def games_of(folder: Path) -> Sequence[GameOfFile]:
    """All files of games in a folder, by their names. Raises NotTakenError."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ENDING and path.is_file())
    except OSError as error:
        raise NotTakenError(f"{folder}: {error.strerror}") from None
    if len(paths) > MOST_GAMES:
        raise NotTakenError(f"{folder}: a collection has at most {MOST_GAMES} games, this has {len(paths)}")
    return [read_file(path) for path in paths]


def what_is_wrong(game: GameOfFile, check: Check) -> str:
    """Why a game cannot be played, in one line; "" for one that can."""
    try:
        check(game.text, game.key)
    except (Refusal, Problem) as refusal:
        said = str(refusal)
        return said if said.startswith(game.name) else f"{game.name}: {said}"
    return ""


def check_all(games: Sequence[GameOfFile], before: str = "") -> None:
    """Raises NotTakenError, which begins so, if one of them cannot be played."""
    with checks() as check:
        for game in games:
            if wrong := what_is_wrong(game, check):
                raise NotTakenError(before + wrong)


def index_text(games: Sequence[GameOfFile]) -> str:
    document = {"format": FORMAT, "games": [game.to_json() for game in games]}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def index_faults(folder: Path, games: Sequence[GameOfFile]) -> Sequence[str]:
    """What an index does not say as it is, one line each; nothing is wrong with a folder without one."""
    path = folder / INDEX
    if not path.is_file():
        return []
    try:
        listed = _read_index(_bytes_of(path), INDEX)
    except NotTakenError as error:
        return [str(error)]
    there = {game.name: game.sha256 for game in games}
    missing = [f"{INDEX}: {name} is not in the folder" for name in listed if name not in there]
    unknown = [f"{INDEX}: {name} is not in the index" for name in there if name not in listed]
    changed = [f"{INDEX}: {name} has changed" for name in there if listed.get(name, there[name]) != there[name]]
    return [*missing, *unknown, *changed]


def _bytes_of(path: Path, most: int = MOST_INDEX_BYTES + 1) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise NotTakenError(f"{path}: {error.strerror}") from None


def _read_index(data: bytes, name: str) -> Mapping[str, str]:
    """The digest of each file in an index, by the file's name. Raises NotTakenError."""
    if len(data) > MOST_INDEX_BYTES:
        raise NotTakenError(f"{name}: an index has at most {MOST_INDEX_BYTES:,} bytes")
    try:
        document = parse(data.decode())
        if document["format"] != FORMAT:
            raise NotTakenError(f"{name}: this Rollcall reads indexes of format {FORMAT}")
        listed = {each["file"]: each["sha256"] for each in document["games"]}
        count = len(document["games"])
        fits = all(NAME.fullmatch(file) and DIGEST.fullmatch(digest) for file, digest in listed.items())
    except (Refusal, ValueError, LookupError, TypeError):
        raise NotTakenError(f"{name}: this is no index of games; rollcall games index writes one") from None
    if not fits or len(listed) != count or not 0 < count <= MOST_GAMES:
        raise NotTakenError(
            f"{name}: an index names 1 to {MOST_GAMES} files, each once, such as our-farkle.toml, with its SHA-256"
        )
    return listed


# --- taking games from elsewhere --------------------------------------------------------------------------------------


def games_at(source: str, sha256: str = "", only: Sequence[str] = ()) -> Sequence[GameOfFile]:
    """The games in a link, a file or a folder. Nothing of them was checked yet.

    `sha256`: what the file, or the index of a folder, must have. `only`: the keys of those that are wanted; all if
    there are none. Raises NotTakenError.
    """
    if "g=" in source and (source.startswith("g=") or "#g=" in source):
        games = [_game_in_link(source)]
    elif source.lower().startswith(("http://", "https://")):
        raise NotTakenError(f"{source[:100]}: download the file, and name it here; of addresses, only links are read")
    elif Path(source).is_dir():
        games = list(_games_in_folder(Path(source), sha256))
        sha256 = ""
    else:
        games = [read_file(Path(source))]
    for game in games:
        _check_name(game.name)
        if sha256 and game.sha256 != sha256:
            raise NotTakenError(f"{game.name}: another file than the wanted one; its SHA-256 is {game.sha256}")
    unknown = sorted(set(only) - {game.key for game in games})
    if unknown:
        raise NotTakenError(f"{source}: there is no {unknown[0]}; there are: {', '.join(game.key for game in games)}")
    return [game for game in games if not only or game.key in only]


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or len(name) > LONGEST_WORD + len(ENDING):
        raise NotTakenError(f"{name}: a game file is named in small letters, digits and -, and ends in {ENDING}")


def _game_in_link(link: str) -> GameOfFile:
    try:
        name, text = file_in_link(link)
    except Refusal as refusal:
        raise NotTakenError(str(refusal)) from None
    return GameOfFile(f"{name}{ENDING}", text.encode())


def _games_in_folder(folder: Path, sha256: str) -> Sequence[GameOfFile]:
    games = games_of(folder)
    path = folder / INDEX
    if sha256:
        _check_digest(_bytes_of(path), sha256, str(path))
    if faults := index_faults(folder, games):
        raise NotTakenError(f"{folder}: {faults[0]}")
    if not games:
        raise NotTakenError(f"{folder}: no file in it ends in {ENDING}")
    return games


def _check_digest(data: bytes, sha256: str, name: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise NotTakenError(f"{name}: another index than the wanted one; its SHA-256 is {found}")


# --- putting games into a folder --------------------------------------------------------------------------------------


def put(games: Sequence[GameOfFile], folder: Path, replace: bool = False) -> Sequence[GameOfFile]:
    """Writes games, checked before, into a folder, which is made if it is missing; returns those that were not there.

    `replace`: also over other files of the same name. Raises NotTakenError, before anything is written, if one would
    be replaced.
    """
    new = []
    for game in games:
        path = folder / game.name
        there = read_file(path) if path.is_file() else None
        if there is not None and there.data != game.data and not replace:
            raise NotTakenError(
                f"{path}: another game has this name, with the SHA-256 {there.sha256}; --replace takes its place"
            )
        if there is None or there.data != game.data:
            new.append(game)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for game in new:
            begun = folder / f".{game.name}.part"  # a server may read the folder at any time
            begun.write_bytes(game.data)
            os.replace(begun, folder / game.name)
    except OSError as error:
        raise NotTakenError(f"{folder} cannot be used: {why(error)}") from None
    return new
