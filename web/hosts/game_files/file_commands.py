"""What `rollcall games` does with files: each function returns what is printed, in words and as a document."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

from scorer.actions import FACES
from scorer.definitions import trial
from scorer.definitions.building import GameFromFile, unchecked_game
from scorer.definitions.examples import worth_of
from scorer.definitions.file_schema import game_schema
from scorer.definitions.game_file import CounterRules, Example, SheetRules
from scorer.definitions.hand_rules import HandRules
from scorer.definitions.patterns import Dice
from scorer.definitions.value_table import idle_lines, lines_below_zero, values_of
from scorer.game import GameType
from scorer.games import ENDING
from web.hosts.game_files import collection
from web.hosts.game_files.collection import GameOfFile, NotTakenError, check_own

LONG = f"{trial.MOST_RANDOM:,} steps at random do not end a game; is its end too far away?"
IDLE = "line {number} of worth holds for no dice: an earlier line fits them all, or none fit"
BELOW_ZERO = "the points of {name} {number} are below 0 for some dice, and count 0 then"


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
    kind = _game_of(game)
    info = kind().info
    ends = trial.ends_by_chance(kind())
    warnings = [*([] if ends else [LONG]), *_line_warnings(kind().rules)]
    examples = [_example_in_words(kind, each) for each in kind.definition.file.example]
    shown = [document for document, _ in examples]
    document = {**info.to_json(), "sha256": game.sha256, "examples": shown, "ends_by_chance": ends}
    lines = [f"fine: {info.in_words()}", *(f"  {words}" for _, words in examples)]
    return CommandResult({**document, "warnings": warnings}, [*lines, *(f"  warning: {each}" for each in warnings)])


def rules(source: str) -> CommandResult:
    """The rules for players of the game in a file. Raises NotTakenError for a file that is none."""
    game = _game_of(collection.read_file(Path(source)))()
    text = game.short_rules()
    return CommandResult({**game.info.to_json(), "rules": text.to_json()}, [text.text()])


def _game_of(game: GameOfFile) -> GameFromFile:
    if wrong := collection.what_is_wrong(game, check_own):
        raise NotTakenError(wrong)
    return unchecked_game(game.text, game.key)


def _line_warnings(rules: Any) -> Iterator[str]:
    """What the lines of a table say that their author may not have meant."""
    if isinstance(rules, SheetRules):
        lines = list(zip(rules.cell, values_of(rules.cell, rules.dice, "cell"), strict=True))
        below = lines_below_zero(lines, _throws(rules.dice))
        yield from (BELOW_ZERO.format(name="cell", number=place + 1) for place in below)
    if isinstance(rules, HandRules):
        yield from (IDLE.format(number=place + 1) for place in idle_lines(rules.worth, _throws(rules.dice)))
    if isinstance(rules, CounterRules) and not rules.progress:
        throws = _throws(rules.dice, 1 if rules.may_throw_fewer else rules.dice)
        yield from (IDLE.format(number=place + 1) for place in idle_lines(rules.worth, throws))
        below = lines_below_zero(rules.table, throws)
        yield from (BELOW_ZERO.format(name="worth", number=place + 1) for place in below)


def _throws(most: int, least: int | None = None) -> list[Dice]:
    """All throws of so many dice, or of `least` to `most`."""
    counts = range(least or most, most + 1)
    return [dice for count in counts for dice in combinations_with_replacement(FACES, count)]


def _example_in_words(kind: GameType, example: Example) -> tuple[Mapping[str, Any], str]:
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
    with collection.checks() as check_game:
        wrong = {game.name: collection.what_is_wrong(game, check_game) for game in games}
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
    collection.check_all(games)
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
        raise NotTakenError("rollcall games add: name a link, a file or a folder")
    games = collection.games_at(source, sha256, only)
    collection.check_all(games, "nothing was added: ")
    new = collection.put(games, folder, replace)
    lines = [f"{'added' if game in new else 'there already'}: {game.name}  {game.sha256}" for game in games]
    document = {
        "folder": str(folder),
        "games": [{"file": game.name, "sha256": game.sha256, "added": game in new} for game in games],
    }
    return CommandResult(document, [*lines, f"in {folder}; a server offers them from its next start"])


def schema(source: str | None) -> CommandResult:
    if source is None:
        return CommandResult(game_schema(), [game_schema().rstrip()])
    _write(Path(source), game_schema())
    head = f"#:schema ./{Path(source).name}"
    return CommandResult({"file": source}, [f"{source}: begin the files beside it with the line: {head}"])


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
    "schema": schema,
}
