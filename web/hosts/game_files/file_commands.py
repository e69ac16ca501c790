"""What `rollcall games` does with files: each function returns what is printed, in words and as a document."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scorer.definitions import new_game
from scorer.definitions.building import unchecked_game
from scorer.definitions.examples import worth_of
from scorer.definitions.file_schema import game_schema
from scorer.definitions.game_file import Example
from scorer.game import Game, GameKind
from scorer.games import ENDING
from web.hosts.game_files import collection, watched_file
from web.hosts.game_files.collection import GameOfFile, NotTakenError, OwnFiles


class CommandResult(NamedTuple):
    """What a command prints. `fits`: whether all is as it should be."""

    document: Any
    lines: Sequence[str]
    fits: bool = True


def check(source: str | None) -> CommandResult:
    """Whether a file is a game, or all files of a folder are. Raises NotTakenError for a file that is none."""
    path = _path_of(source, "check", "a file or a folder")
    return _check_folder(path) if path.is_dir() else _check_file(collection.read_file(path))


def _check_file(game: GameOfFile) -> CommandResult:
    if wrong := collection.what_is_wrong(game, OwnFiles()):
        raise NotTakenError(wrong)
    kind = unchecked_game(game.text, game.key)
    info = kind().info
    examples = [_example_in_words(kind, each) for each in kind.definition.file.example]
    document = {**info.to_json(), "sha256": game.sha256, "examples": [document for document, _ in examples]}
    return CommandResult(document, [f"fine: {info.in_words()}", *(f"  {words}" for _, words in examples)])


def _example_in_words(kind: GameKind, example: Example) -> tuple[Mapping[str, Any], str]:
    if example.rounds:
        rounds, totals = [list(row) for row in example.rounds], list(example.totals)
        rows = " / ".join(" ".join(map(str, row)) for row in rounds)
        return {"rounds": rounds, "totals": totals}, f"{rows}: {' '.join(map(str, totals))}"
    steps = [list(dice) for dice in example.turn or [example.dice]]
    worth = worth_of(kind(**dict(example.options or {})), example)
    where = f" in {example.cell}" if example.cell else ""
    words = " / ".join(" ".join(map(str, dice)) or "none" for dice in steps)
    return {"dice": steps, "cell": example.cell, "worth": worth}, f"{words}{where}: {worth}"


def _check_folder(folder: Path) -> CommandResult:
    games = collection.games_of(folder)
    with collection.checks() as by:
        wrong = {game.name: collection.what_is_wrong(game, by) for game in games}
    faults = collection.index_faults(folder, games)
    document = {
        "games": [
            {"file": game.name, "sha256": game.sha256, **({"wrong": wrong[game.name]} if wrong[game.name] else {})}
            for game in games
        ],
        "index": faults,
    }
    said = [wrong[game.name] or f"fine: {game.name}  {game.sha256}" for game in games]
    if not games:
        said = [f"{folder}: no file in it ends in {ENDING}"]
    elif faults:
        said += [*faults, f"write the index again with: rollcall games index {folder}"]
    return CommandResult(document, said, bool(games) and not faults and not any(wrong.values()))


def index(source: str | None) -> CommandResult:
    """Writes the index of a folder whose games are all fine."""
    folder = _path_of(source, "index", "the folder of the games")
    games = collection.games_of(folder)
    with collection.checks() as by:
        for game in games:
            if wrong := collection.what_is_wrong(game, by):
                raise NotTakenError(wrong)
    if not games:
        raise NotTakenError(f"{folder}: no file in it ends in {ENDING}")
    _write(folder / collection.INDEX, collection.index_text(games))
    document = {"index": str(folder / collection.INDEX), "games": len(games)}
    return CommandResult(document, [f"{folder / collection.INDEX}: {len(games)} games"])


def add(source: str | None, folder: Path, sha256: str, only: Sequence[str], replace: bool) -> CommandResult:
    """Takes games from elsewhere into a folder, all or none: each is checked before."""
    if sha256 and not collection.DIGEST.fullmatch(sha256):
        raise NotTakenError("--sha256: a digest is 64 characters 0-9 and a-f")
    if source is None:
        raise NotTakenError("rollcall games add: name a link, a file, a folder or an address")
    games = collection.games_at(source, sha256, only)
    with collection.checks() as by:
        for game in games:
            if wrong := collection.what_is_wrong(game, by):
                raise NotTakenError(f"nothing was added: {wrong}")
    new = collection.put(games, folder, replace)
    lines = [f"{'added' if game in new else 'there already'}: {game.name}  {game.sha256}" for game in games]
    document = {
        "folder": str(folder),
        "games": [{"file": game.name, "sha256": game.sha256, "added": game in new} for game in games],
    }
    return CommandResult(document, [*lines, f"in {folder}; a server offers them from its next start"])


def new(source: str | None) -> CommandResult:
    """Asks eight questions and writes the file of a game, and the schema beside it if there is none."""
    if source is not None:
        _refuse_written(Path(source))
    try:
        key, text = new_game.try_answers(_ask, lambda line: print(line, file=sys.stderr))
    except EOFError:
        raise NotTakenError("nothing was written: the answers have ended") from None
    path = Path(source or f"{key}{ENDING}")
    _refuse_written(path)
    found = _check_file(GameOfFile(path.name, text.encode()))
    _write(path, text)
    if not (beside := path.parent / new_game.SCHEMA).exists():
        _write(beside, game_schema())
    said = [f"written: {path}", f"now look at it, with: rollcall games check --watch {path}"]
    return CommandResult({"file": str(path), **found.document}, [*found.lines, *said])


def _ask(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _refuse_written(path: Path) -> None:
    if path.suffix != ENDING:
        raise NotTakenError(f"{path}: a game file ends in {ENDING}")
    if path.exists():
        raise NotTakenError(f"{path}: the file is there already; name another, or change that one")


def schema(source: str | None) -> CommandResult:
    """Prints the schema of games' files, or writes it to a file."""
    if source is None:
        return CommandResult(game_schema(), [game_schema().rstrip()])
    _write(Path(source), game_schema())
    head = f"#:schema ./{Path(source).name}"
    return CommandResult({"file": source}, [f"{source}: begin the files beside it with the line: {head}"])


def watch_file(source: str | None) -> None:
    """Checks a file, and again whenever it is saved, and says what typed throws bring. Raises NotTakenError if there is
    no such file.
    """
    path = _path_of(source, "check --watch", "a file")
    collection.read_file(path)

    def check_now() -> Game[Any] | None:
        try:
            game = collection.read_file(path)
            found = _check_file(game)
        except NotTakenError as error:
            print(error, flush=True)
            return None
        print(*found.lines, sep="\n", flush=True)
        return unchecked_game(game.text, game.key)()

    watched_file.watch(path, check_now)


def _path_of(source: str | None, command: str, what: str) -> Path:
    if source is None:
        raise NotTakenError(f"rollcall games {command}: name {what}")
    return Path(source)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NotTakenError(f"{path}: {error.strerror}") from None


COMMANDS: Mapping[str, Callable[[str | None], CommandResult]] = {
    "check": check,
    "index": index,
    "new": new,
    "schema": schema,
}
