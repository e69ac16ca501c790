"""The `rollcall` command: one short function per subcommand, each imports what it needs when it runs.

What users script against (arguments, JSON documents, exit codes) is stable. Exit 0 on success; a wrong argument or
an unreadable file: one line on standard error that says what is wrong and what would be right, exit 2.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

EXIT_DAMAGED = 1
EXIT_REFUSED = 2
BAR_WIDTH = 40
LONGEST_LINE = 2000  # characters of what is said of a wrong argument or file
BEHIND_HELP = "address of a reverse proxy whose X-Forwarded-For is believed (may be given more than once)"
LOG_HELP = "json: one line of JSON on standard error for each request and event, without keys (default: plain)"
DRAIN_HELP = "when asked to end, serve on for so long while /ready says 503, so that a proxy sends phones elsewhere"
LONGEST_DRAIN_S = 3600


class CommandError(Exception):
    """What a person can mend: its text is the one line that is printed before exit 2."""


class OneLineParser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_REFUSED, f"{self.prog}: {one_line(message)} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line (default: this process's own) and returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if isinstance(sys.stdout, TextIOWrapper):
        # A name that the console cannot show must not end in a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        args = build_parser(chosen=arguments[0] if arguments else None).parse_args(arguments)
    except ImportError as error:
        return refuse(explain_missing(error))
    command: Callable[[argparse.Namespace], int | None] = args.command
    try:
        return command(args) or 0
    except CommandError as error:
        return refuse(str(error))
    except ImportError as error:
        return refuse(explain_missing(error))
    except BrokenPipeError:
        # The reader of our output went away (`rollcall games | head -1`): nobody is left to tell.
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


def refuse(sentence: str) -> int:
    print(one_line(sentence), file=sys.stderr)
    return EXIT_REFUSED


def one_line(sentence: str) -> str:
    """A sentence as a terminal may get it: one line, not endless, and nothing in it that the terminal would obey."""
    line = " ".join(sentence.split())
    if len(line) > LONGEST_LINE:
        line = line[:LONGEST_LINE] + "..."
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


def explain_missing(error: ImportError) -> str:
    """One sentence for a package or system library that is not there."""
    if error.name == "cv2":
        return str(error)  # vision's own sentence
    if error.name in {"torch", "torchvision", "ultralytics", "numba", "onnx"}:
        return f"this command needs {error.name}, of the extra `train`; in Rollcall's folder: pip install '.[train]'"
    if error.name in {"psycopg", "alembic"}:
        return f"--database needs {error.name}, of the extra `cluster`; in Rollcall's folder: pip install '.[cluster]'"
    if error.name == "prometheus_client":
        return (
            "--metrics needs prometheus-client, of the extra `cluster`; in Rollcall's folder: pip install '.[cluster]'"
        )
    return f"a part of Rollcall is missing: {error}; in Rollcall's folder: pip install --force-reinstall ."


def build_parser(chosen: str | None) -> argparse.ArgumentParser:
    parser = OneLineParser(prog="rollcall", description="A scoring assistant for physical dice.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=OneLineParser)
    plain = (
        add_serve,
        add_reader,
        add_backup,
        add_check,
        add_move,
        add_read,
        add_watch,
        add_games,
        add_score,
        add_replay,
    )
    for add in (*plain, add_odds, add_advise, add_analyse, add_solve):
        add(commands)
    add_workshop(commands, "render", "datasets.render", "make training pictures of dice", chosen)
    add_workshop(commands, "dataset", "datasets.corrections", "make labelled photos from what tables corrected", chosen)
    add_workshop(
        commands, "train", "datasets.training.train_command", "train the detector and the crop classifier", chosen
    )
    add_workshop(
        commands, "evaluate", "datasets.measuring.evaluate_command", "measure the reader on labelled photos", chosen
    )
    return parser


Commands = Any  # argparse's own type for a group of subparsers is private.


def add_serve(commands: Commands) -> None:
    parser = commands.add_parser("serve", help="start the web application for the phones at the table")
    parser.add_argument("--host", help="address to listen on (default: all of this machine's)")
    parser.add_argument("--port", type=port_number, default=8000, help="port to listen on (default: 8000)")
    parser.add_argument("--data", type=Path, help="folder for games and settings (default: this user's data folder)")
    parser.add_argument(
        "--database",
        metavar="URL",
        default=os.environ.get("ROLLCALL_DATABASE"),
        help="PostgreSQL for the games, which many servers may share (docs/hosting.md); default: $ROLLCALL_DATABASE",
    )
    parser.add_argument("--camera", help="webcam number, video file or address that OpenCV opens")
    parser.add_argument("--https", action="store_true", help="serve over https with a certificate of our own making")
    parser.add_argument("--cert", type=Path, help="certificate to serve https with (PEM), with --key")
    parser.add_argument("--key", type=Path, help="private key of --cert (PEM)")
    parser.add_argument("--behind", action="append", default=[], metavar="ADDRESS", help=BEHIND_HELP)
    parser.add_argument("--name", action="append", default=[], help="further host name that phones come by")
    parser.add_argument(
        "--metrics",
        action="store_true",
        help="tell Prometheus at /metrics what is done, by the token in $ROLLCALL_METRICS_TOKEN (docs/hosting.md)",
    )
    parser.add_argument("--log", choices=("plain", "json"), default="plain", help=LOG_HELP)
    parser.add_argument("--drain", type=seconds, default=0.0, metavar="SECONDS", help=DRAIN_HELP)
    parser.set_defaults(command=serve)


def serve(args: argparse.Namespace) -> int:
    token = os.environ.get("ROLLCALL_METRICS_TOKEN", "") if args.metrics else None
    from web.serving import ServeError
    from web.serving import serve as serve_web

    with told_in_one_line(ServeError):
        return serve_web(
            host=args.host,
            port=args.port,
            data=args.data,
            camera=args.camera,
            https=args.https,
            cert=args.cert,
            key=args.key,
            behind=args.behind,
            names=args.name,
            database=args.database,
            drain_s=args.drain,
            metrics=token,
            lines=args.log == "json",
        )


def add_reader(commands: Commands) -> None:
    parser = commands.add_parser(
        "reader",
        help="read the photos of servers that share a database",
        description="Reads the photos of all servers that keep their games in one PostgreSQL (docs/hosting.md). Any "
        "number of readers may run, on any machines.",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        default=os.environ.get("ROLLCALL_DATABASE"),
        help="the servers' PostgreSQL; default: $ROLLCALL_DATABASE",
    )
    parser.set_defaults(command=reader)


def reader(args: argparse.Namespace) -> int:
    if args.database is None:
        raise CommandError("name the servers' database with --database or ROLLCALL_DATABASE")
    from web.cluster.photo_worker import ReadingError, run

    with told_in_one_line(ReadingError):
        return run(args.database, sys.stdout)


def add_backup(commands: Commands) -> None:
    parser = commands.add_parser("backup", help="copy all games to another folder, also while they are served")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="new or empty folder for the copy")
    add_data(parser)
    add_json(parser)
    parser.set_defaults(command=backup)


def backup(args: argparse.Namespace) -> None:
    from web.store.maintenance.backup import BackupError, back_up

    with told_in_one_line(BackupError):
        made = back_up(data_folder(args.data), args.folder)
    counts = {"tables": made.tables, "actions": made.lines, "corrections": made.corrections}
    in_words = f"{made.folder}: tables {made.tables}, actions {made.lines}, corrected photos {made.corrections}"
    print_document(args, {"folder": str(made.folder), **counts}, [in_words])


def add_check(commands: Commands) -> None:
    parser = commands.add_parser(
        "check",
        help="say what of the games is whole: exit 0 when all is, 1 when something is damaged",
        description="Says what of the games is whole. Exit 0: all; 1: something is damaged; 2: it cannot be checked.",
    )
    parser.add_argument("--repair", action="store_true", help="make whole what can be; damaged files are kept aside")
    add_data(parser)
    add_json(parser)
    parser.set_defaults(command=check)


def check(args: argparse.Namespace) -> int:
    from web.store.maintenance.health import CheckError
    from web.store.maintenance.health import check as look

    with told_in_one_line(CheckError):
        found = look(data_folder(args.data), args.repair, tell_progress())
    print_document(args, found.to_json(), found.lines())
    return 0 if found.whole else EXIT_DAMAGED


def tell_progress(every_s: float = 1.0) -> Callable[[int, int], None]:
    """Prints on standard error how many of all tables were checked: a line a second, none for what takes less."""
    told_at = monotonic()

    def told(done: int, tables: int) -> None:
        nonlocal told_at
        if monotonic() - told_at >= every_s:
            told_at = monotonic()
            print(f"checked {done} of {tables} tables", file=sys.stderr, flush=True)

    return told


def add_move(commands: Commands) -> None:
    parser = commands.add_parser(
        "move",
        help="copy all games to another store: from a data folder to PostgreSQL, or back",
        description="Copies all games of one store to another, which must be empty, and checks the copy. A store is a "
        "data folder, or postgresql+psycopg://USER:PASSWORD@HOST:PORT/NAME (docs/hosting.md).",
    )
    parser.add_argument("source", metavar="FROM", help="the store that has the games; it stays as it is")
    parser.add_argument("target", metavar="TO", help="the store that gets them")
    add_json(parser)
    parser.set_defaults(command=move)


def move(args: argparse.Namespace) -> None:
    from web.cluster.moving import MoveError
    from web.cluster.moving import move as move_store

    with told_in_one_line(MoveError):
        moved = move_store(args.source, args.target)
    in_words = f"tables {moved.tables}, actions {moved.lines}: all there and whole"
    print_document(args, {"tables": moved.tables, "actions": moved.lines}, [in_words])


def add_read(commands: Commands) -> None:
    parser = commands.add_parser("read", help="read the dice in photos")
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO", help="JPEG, PNG, WebP or HEIC file")
    parser.add_argument("--dice", type=whole_number, metavar="N", help="how many dice were thrown")
    parser.add_argument(
        "--aside",
        type=values,
        default=(),
        metavar="1,1",
        help="values of dice that may lie beside the throw (needs --dice)",
    )
    parser.add_argument(
        "--known", type=Path, metavar="DIR", help="folder of confirmed throws of the same dice: images and values.csv"
    )
    add_json(parser)
    parser.add_argument(
        "--annotate", type=Path, metavar="OUT", help="write the photo with the dice drawn in (a file, or a folder)"
    )
    parser.set_defaults(command=read)


def read(args: argparse.Namespace) -> None:
    import vision
    from vision.reading import check_throw

    try:
        check_throw(args.dice, args.aside)
    except ValueError as error:
        raise CommandError(f"rollcall read: {error}") from error
    if args.aside and args.dice is None:
        raise CommandError("rollcall read: --aside needs --dice: how many were thrown, besides those that lie aside")
    reader = vision.Reader()
    reader.load_in_background()
    known = None if args.known is None else learnt(reader, args.known)
    documents: list[Mapping[str, Any]] = []
    for path in args.photos:
        data = read_bytes(path)
        try:
            photo = vision.Photo.decode(data)
            reading = reader.read(photo, args.dice, args.aside, known)
        except vision.VisionError as refusal:
            raise CommandError(f"{path}: {refusal}") from refusal
        if args.annotate is not None:
            write_bytes(annotated_path(args.annotate, path, len(args.photos)), vision.annotate(photo, reading))
        documents.append(reading.to_json(path.name))
        if not args.json:
            print(describe_reading(path, reading))
    if args.json:
        print_json(documents[0] if len(documents) == 1 else documents)


def annotated_path(out: Path, photo: Path, photos: int) -> Path:
    """Where the annotated copy of `photo` goes: into the folder `out`, or to the file `out` when there is one photo."""
    if photos > 1 or out.is_dir():
        return out / f"{photo.stem}.jpg"
    return out


def learnt(reader: Any, folder: Path) -> Any:
    """What the confirmed throws in `folder` teach of their dice."""
    from vision.confirmed import confirmed_throws

    try:
        return confirmed_throws(reader, folder)
    except OSError as error:
        raise CommandError(f"rollcall read: --known: cannot read {error.filename}: {error.strerror}") from error
    except ValueError as error:
        raise CommandError(f"rollcall read: --known: {error}") from error


def describe_reading(path: Path, reading: Any) -> str:
    def shown(dice: Any) -> str:
        return " ".join(str(die.value) if die.sure else f"{die.value}?" for die in dice)

    aside = f"  (aside: {shown(reading.aside)})" if reading.aside else ""
    why = "; ".join(map(str, reading.asks)) or "please look"
    return f"{path}: {shown(reading.dice) or 'no dice'}{aside}" + ("" if reading.sure else f"  (not sure: {why})")


def add_watch(commands: Commands) -> None:
    parser = commands.add_parser("watch", help="watch a camera or a video and tell each throw that comes to rest")
    parser.add_argument("source", metavar="SOURCE", help="number of a camera, video file or address of a stream")
    parser.add_argument("--dice", type=whole_number, metavar="N", help="how many dice there are at most")
    parser.add_argument(
        "--region",
        type=numbers,
        metavar="X,Y,X,Y,X,Y,X,Y",
        help="four corners; what lies outside is not there (pixels of the picture, or fractions of it up to 1)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document a line for each event")
    parser.set_defaults(command=watch)


def watch(args: argparse.Namespace) -> None:
    import vision
    from vision.frames import frames, silence_opencv
    from vision.watch import EVERY

    silence_opencv()
    reader = vision.Reader()
    try:
        region = None if args.region is None else vision.Region.from_numbers(args.region)
        watch = vision.Watch(reader, args.dice, region)
        taken = frames(args.source, EVERY)
        reader.load_in_background()
        for at, photo in taken:
            tell(watch.see(photo, at), args.json)
        tell(watch.end(), args.json)
    except (ValueError, vision.VisionError) as error:
        raise CommandError(f"rollcall watch: {error}") from error


def tell(events: Sequence[Any], as_json: bool) -> None:
    """One line for each event, at once: who reads them may be a program."""
    for event in events:
        print(json.dumps(event.to_json()) if as_json else describe_event(event), flush=True)


def describe_event(event: Any) -> str:
    when: str = f"{event.at:8.2f} s  "
    if event.event == "blind":
        return f"{when}blind: {event.to_json()['text']}"
    if event.reading is None:
        return f"{when}{event.event}"
    dice = zip(event.reading.dice, event.stayed, strict=True)
    shown = " ".join(f"{die.value}{'' if die.sure else '?'}{' (stayed)' if stayed else ''}" for die, stayed in dice)
    return f"{when}settled: {shown}" + ("" if event.reading.sure else "  (not sure)")


def add_games(commands: Commands) -> None:
    parser = commands.add_parser("games", help="list the games, or print the rules of one")
    parser.add_argument("game", nargs="?", metavar="GAME", help="print the short rules of this game")
    add_json(parser)
    parser.set_defaults(command=games)


def games(args: argparse.Namespace) -> None:
    import scorer

    if args.game is None:
        print_document(args, [info.to_json() for info in scorer.games()], map(describe_game, scorer.games()))
        return
    with told_in_one_line(scorer.Refusal):
        game = scorer.game(args.game)
    print_document(args, {**game.info.to_json(), "rules": game.rules().to_json()}, [game.rules().text()])


def describe_game(info: Any) -> str:
    options = " ".join(f"{option.name}={option.default_text}" for option in info.options)
    low, high = info.players
    return f"{info.key:18} {info.title}: {info.dice} dice, {low}-{high} players" + (f"; {options}" if options else "")


def add_score(commands: Commands) -> None:
    parser = commands.add_parser(
        "score", help="what a first throw of a turn is worth: every legal choice with its points"
    )
    add_game(parser)
    add_thrown(parser)
    parser.set_defaults(command=score)


def score(args: argparse.Namespace) -> None:
    import scorer
    from scorer.sentences import with_fields

    with told_in_one_line(scorer.Refusal):
        document = scorer.score_throw(game_with_options(args), args.dice)
    happened = [with_fields(event, "event") for event in document["events"]]
    print_document(args, document, [*happened, *(with_fields(choice, "do") for choice in document["legal"])])


def add_replay(commands: Commands) -> None:
    parser = commands.add_parser("replay", help="replay a game record and print where the game stands")
    parser.add_argument("record", metavar="RECORD", help="a JSON file, or - for standard input")
    add_json(parser)
    parser.set_defaults(command=replay)


def replay(args: argparse.Namespace) -> None:
    standing = replayed(args.record).standing()
    print_document(args, standing, standing_in_words(standing))


def standing_in_words(standing: Mapping[str, Any]) -> Iterator[str]:
    from scorer.sentences import with_fields

    players = standing["players"]
    # Who has left has no place.
    for player in sorted(players, key=lambda player: player["place"] or len(players) + 1):
        yield f"{player['place'] or '-'}. {player['name']}: {player['score']}"
    if standing["over"]:
        yield "over; won by " + ", ".join(players[winner]["name"] for winner in standing["winners"])
        return
    yield "to act: " + ", ".join(players[player]["name"] for player in standing["to_act"])
    for choice in standing["legal"]:
        yield "  " + with_fields(choice, "do")


def add_odds(commands: Commands) -> None:
    parser = commands.add_parser("odds", help="the chances of each legal choice after a first throw of a turn")
    add_game(parser)
    add_thrown(parser)
    parser.set_defaults(command=odds)


def odds(args: argparse.Namespace) -> None:
    import scorer
    from scorer.advice import reports

    with told_in_one_line(scorer.Refusal):
        document = reports.odds_of_throw(game_with_options(args), args.dice)
    print_document(args, document, reports.odds_in_words(document))


def add_advise(commands: Commands) -> None:
    parser = commands.add_parser("advise", help="best play from where a game record stands")
    add_record(parser)
    parser.set_defaults(command=advise)


def advise(args: argparse.Namespace) -> None:
    from scorer.advice import reports

    table = replayed(args.record)
    if table.over:
        raise CommandError(f"{record_name(args.record)}: the game is over, there is nothing to advise")
    document = reports.advice(table, solution_of(table, args.data))
    print_document(args, document, reports.advice_in_words(document, table.players))


def add_analyse(commands: Commands) -> None:
    parser = commands.add_parser("analyse", help="luck and losses of all that was played in a game record")
    add_record(parser)
    parser.set_defaults(command=analyse)


def analyse(args: argparse.Namespace) -> None:
    from scorer.advice import analysis, reports

    table = replayed(args.record)
    solution = solution_of(table, args.data)
    document = analysis.to_json(table, solution, analysis.analyse(table, solution))
    print_document(args, document, reports.analysis_in_words(document))


def add_solve(commands: Commands) -> None:
    parser = commands.add_parser("solve", help="compute and keep what advice needs, print the value of the game")
    add_game(parser)
    parser.add_argument("--race", action="store_true", help="of a ten-thousand game: the chance to win between two")
    add_data(parser)
    parser.set_defaults(command=solve)


def solve(args: argparse.Namespace) -> None:
    import scorer
    from scorer.advice import is_race, reports, solution_cache

    with told_in_one_line(scorer.Refusal):
        game = game_with_options(args)
    players = 2 if args.race else 1
    if args.race and not is_race(game, players):
        raise CommandError(f"{game.key} with these options is no race that is solved; leave out --race")
    folder = solution_cache.folder_in(data_folder(args.data))
    begin = monotonic()
    try:
        with progress_bar(f"solving {game.key}") as progress:
            solution = solution_cache.solve_and_keep(game, folder, progress, players)
    except OSError as error:
        raise CommandError(f"cannot keep the solved game in {folder}: {error.strerror or error}") from error
    document = reports.solution_document(game, solution, monotonic() - begin)
    print_document(args, document, reports.solution_in_words(document))


def add_workshop(commands: Commands, name: str, module: str, text: str, chosen: str | None) -> None:
    """A command of the workshop (rendering, training, measuring): its module says which arguments it takes.

    The module is imported only when its command is `chosen`, since such modules bring heavy packages.
    """
    parser = commands.add_parser(name, help=text)
    if chosen == name:
        workshop = import_module(module)
        workshop.add_arguments(parser)
        parser.set_defaults(command=workshop.run)


# --- small things that several commands share ------------------------------------------------------------------------


@contextmanager
def told_in_one_line(refusal: type[Exception]) -> Iterator[None]:
    """Turns what a part of Rollcall refuses into the one line that the command prints."""
    try:
        yield
    except refusal as error:
        raise CommandError(str(error)) from error


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="folder that the server uses (default: this user's data folder)")


def add_game(parser: argparse.ArgumentParser) -> None:
    """A game with its house rules, as `game_with_options` takes it."""
    parser.add_argument("game", metavar="GAME", help="key of the game (rollcall games)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule; may be repeated"
    )
    add_json(parser)


def add_thrown(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dice", nargs="+", type=int, metavar="DICE", help="values 1..6")


def add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a JSON file, or - for standard input")
    add_data(parser)
    add_json(parser)


def game_with_options(args: argparse.Namespace) -> Any:
    """The game that a command names, with its `--option`s; raises scorer.Refusal."""
    import scorer

    texts = dict(name_and_value(option) for option in args.option)
    return scorer.game(args.game, **scorer.parse_options(args.game, texts))


def record_name(record: str) -> str:
    return "standard input" if record == "-" else record


def replayed(name: str) -> Any:
    """The table that a record leads to."""
    import scorer
    from scorer.strict_json import parse

    raw = sys.stdin.buffer.read() if name == "-" else read_bytes(Path(name))
    name = record_name(name)
    try:
        record = parse(raw.decode(json.detect_encoding(raw)))
    except scorer.RecordError as error:
        raise CommandError(f"{name}: {error}") from error
    except ValueError as error:
        raise CommandError(f"{name}: not a JSON document: {error}") from error
    try:
        return scorer.Table.from_record(record)
    except scorer.IllegalAction as error:
        raise CommandError(f"action {error.index}: {error}") from error
    except scorer.Refusal as error:
        raise CommandError(f"{name}: {error}") from error


def data_folder(named: Path | None) -> Path:
    if named is not None:
        return named
    from web.serving import default_data

    return default_data()


def solution_of(table: Any, data: Path | None) -> Any:
    """The solved game from where it is kept; says what solves it where it is not."""
    from scorer.advice import covers, solution_cache

    if not covers(table.actions):
        raise CommandError("players joined, left or changed places in this game: best play is not known for that")
    game, players = table.game, len(table.players)
    folders = [solution_cache.SHIPPED, solution_cache.folder_in(data_folder(data))]
    found = solution_cache.load_kept(game, folders[:1], players) or solution_cache.find(game, folders, players)
    if found is None:
        house_rules = "".join(f" --option {each}" for each in options_as_text(game))
        where = f" --data {shlex.quote(str(data))}" if data else ""
        raise CommandError(
            f"{game.key} is not solved yet; solve it with: rollcall solve {game.key}{house_rules}{where}"
        )
    return found


def options_as_text(game: Any) -> list[str]:
    """The options that are not the defaults, as the command line takes them: `target=5000`."""
    from scorer.options import value_text

    chosen = [option for option in game.options if game.settings[option.name] != option.default]
    return [f"{option.name}={value_text(game.settings[option.name])}" for option in chosen]


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[float], None] | None]:
    """Shows the share done on a terminal's standard error, and nowhere else."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(share: float) -> None:
        filled = round(share * BAR_WIDTH)
        print(f"\r{title} [{'#' * filled:{BAR_WIDTH}}] {share:4.0%}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print(file=sys.stderr)


def print_document(args: argparse.Namespace, document: object, lines: Iterable[str]) -> None:
    """With --json the document, else the same in words."""
    if args.json:
        print_json(document)
    else:
        for line in lines:
            print(line)


def port_number(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number 0..65535, got {text!r}")
    return port


def seconds(text: str) -> float:
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= LONGEST_DRAIN_S):
        raise argparse.ArgumentTypeError(f"whole seconds 0..{LONGEST_DRAIN_S} are wanted, got {text[:20]!r}")
    return float(text)


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise argparse.ArgumentTypeError(f"a whole number is wanted, got {text[:20]!r}")
    return int(text)


def values(text: str) -> tuple[int, ...]:
    """Values 1..6 with commas between them; none for an empty text."""
    try:
        return tuple(whole_number(part.strip()) for part in text.split(",")) if text.strip() else ()
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(
            f"values 1..6 with commas between them are wanted, got {text[:20]!r}"
        ) from error


def numbers(text: str) -> tuple[float, ...]:
    """Numbers with commas between them."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"numbers with commas between them are wanted, got {text[:60]!r}") from error


def name_and_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise CommandError(f"an option is NAME=VALUE, got {text!r}")
    return name, value


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror or error}") from error


def write_bytes(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}") from error


def print_json(document: object) -> None:
    """One line of ASCII: the same bytes whatever encoding the console or the pipe has."""
    print(json.dumps(document))


if __name__ == "__main__":
    sys.exit(main())
