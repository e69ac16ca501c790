"""The `rollcall` command: one short function per subcommand, each imports what it needs when it runs.

What users script against (arguments, JSON documents, exit codes) is stable. Exit 0: success. Exit 2: a wrong argument
or an unreadable file, with one line on standard error that says what is wrong and what would be right.
"""

from __future__ import annotations

# Ctrl+C during the other imports ends the process as the system does it, without a traceback.
try:
    import signal

    HANDLER = signal.getsignal(signal.SIGINT)
    if HANDLER is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
except ValueError:  # imported in a thread, where no signal comes
    HANDLER = None
except KeyboardInterrupt:
    raise SystemExit(130) from None

import argparse
import errno
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from itertools import zip_longest
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

from web.texts.release import full_version

HERE = Path(__file__).resolve().parent
WORKSHOP_FILE = HERE / "datasets" / "corrections.py"  # another package is called `datasets` too; ours has this file
EXIT_DAMAGED = 1
EXIT_NO_OUTPUT = 1
EXIT_REFUSED = 2
NO_OUTPUT = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)  # of a file that was open already
EXIT_INTERRUPTED = 130  # as shells have it
CPP_RUNTIME = "https://aka.ms/vs/17/release/vc_redist.x64.exe"
BAR_WIDTH = 40
LONGEST_LINE = 2000  # characters of a line that says what is wrong
LONGEST_DRAIN_S = 3600
# The module, the option or command that needs it, and the extra of pyproject.toml that brings it.
EXTRAS = {
    **dict.fromkeys(("torch", "torchvision", "ultralytics", "numba", "onnx"), ("this command", "train")),
    "psycopg": ("--database", "cluster"),
    "prometheus_client": ("--metrics", "cluster"),
    "paho": ("--mqtt", "home"),
}
PACKAGES = {"paho": "paho-mqtt"}  # of modules that are not called like theirs
# Parts of `rollcall workshop`: their module, with `add_arguments` and `run`, and their help.
WORKSHOP = {
    "render": ("datasets.render.cli", "make training pictures of dice"),
    "dataset": ("datasets.corrections", "make labelled photos from what tables corrected"),
    "train": ("datasets.training.train_command", "train the detector and the crop classifier"),
    "clips": ("datasets.video.clips_command", "make films of what disturbs at a table, to measure watching"),
    "evaluate": ("datasets.measuring.evaluate_command", "measure the reader on labelled photos"),
}


class CommandError(Exception):
    """An error that a person can mend: its text is the one line that is printed before exit 2."""


class OneLineParser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_REFUSED, f"{self.prog}: {one_line(message)} (see {self.prog} --help)\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        print(message, end="", file=file)  # argparse itself says nothing of an output that cannot be written

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(each) for each in action.choices]
            meant = did_you_mean(str(value), known) or f"there are: {', '.join(known)}"
            raise argparse.ArgumentError(action, f"there is no {str(value)[:40]!r}; {meant}")


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Asks whether the known word that is most like this one was meant; empty if none is."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), known, n=1)
    return f"did you mean {close[0]}?" if close else ""


class TellVersion(argparse.Action):
    """Tells the version when it is asked for, since git may be asked for the commit."""

    def __init__(self, option_strings: Sequence[str], help: str, **_: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(f"rollcall {full_version()}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line (default: this process's own) and returns its exit status."""
    if arguments is None:
        sys.unraisablehook = _end_if_interrupted
    try:
        status = run_command((sys.argv[1:] if arguments is None else arguments) or ["serve", "--open"])
        if sys.stdout is not None:
            sys.stdout.flush()  # what is wrong with it is told here, not by the interpreter as it ends
        return status
    except (CommandError, ImportError) as error:
        print(sentence_of(error), file=sys.stderr)
        return EXIT_REFUSED
    except BrokenPipeError:
        # The reader of our output went away (`rollcall games | head -1`): nobody is left to tell.
        drop_output()
        return 0
    except OSError as error:
        if error.filename is not None or error.errno not in NO_OUTPUT:
            print(sentence_of(error), file=sys.stderr)
            return EXIT_REFUSED
        drop_output()
        print(f"rollcall: the output cannot be written: {error.strerror}", file=sys.stderr)
        return EXIT_NO_OUTPUT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def run_command(arguments: Sequence[str]) -> int:
    if isinstance(sys.stdout, TextIOWrapper):
        # A name that the console cannot show must not end in a traceback.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        args = build_parser(arguments).parse_args(arguments)
    except SystemExit as stop:  # after --help, --version or a wrong argument
        return int(stop.code or 0)
    return args.command(args) or 0


def drop_output() -> None:
    """Throws away what standard output still holds: the interpreter would try to write it as it ends."""
    with suppress(OSError, AttributeError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _end_if_interrupted(unraisable: sys.UnraisableHookArgs) -> None:
    """Ends the process after a Ctrl+C where Python can raise nothing, such as in the middle of an import."""
    if unraisable.exc_type is KeyboardInterrupt:
        os._exit(EXIT_INTERRUPTED)
    sys.__unraisablehook__(unraisable)


def sentence_of(error: Exception) -> str:
    """The one line that says what a person can mend."""
    if isinstance(error, CommandError):
        return one_line(str(error))
    if isinstance(error, ImportError):
        return one_line(explain_missing(error))
    if isinstance(error, OSError):
        return one_line(f"rollcall: {error.filename or type(error).__name__}: {error.strerror or error}")
    return one_line(f"Rollcall ended by an error of its own: {type(error).__name__}: {error}")


def one_line(sentence: str) -> str:
    """A sentence that a terminal may get: one line of limited length, without control characters."""
    line = " ".join(sentence.split())
    if len(line) > LONGEST_LINE:
        line = line[:LONGEST_LINE] + "..."
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


def explain_missing(error: ImportError) -> str:
    """One sentence for a package or system library that is not there."""
    if error.name == "cv2":
        from vision import explain_import

        return str(explain_import(error))
    if error.name in EXTRAS:
        user, extra = EXTRAS[error.name]
        package = PACKAGES.get(error.name, error.name.replace("_", "-"))
        return f"{user} needs {package}, of the extra `{extra}`; {advice_to_install(extra, package)}"
    if os.name == "nt" and "DLL load failed" in str(error):
        return f"Microsoft's C++ runtime is missing; install it from {CPP_RUNTIME}, then start again ({error})"
    return f"a part of Rollcall is missing: {error}; install Rollcall again, as docs/on-a-computer.md says"


def advice_to_install(extra: str, package: str) -> str:
    """The command that brings an extra's packages to the environment that this runs in, whatever made that."""
    if getattr(sys, "frozen", False):
        return "the packed program has no place for it: install Rollcall from a checkout (docs/on-a-computer.md)"
    from importlib.metadata import distributions
    from subprocess import list2cmdline

    installer = (
        [sys.executable, "-m", "pip", "install"]
        if any(distributions(name="pip"))
        else ["uv", "pip", "install", "--python", sys.executable]  # uv's own environments have no pip
    )
    pinned = ["--constraint", str(HERE / "constraints.txt")] if (HERE / "constraints.txt").is_file() else []
    command = [*installer, *pinned, *(requirements_of(extra) or [package])]
    return f"install it with: {list2cmdline(command) if os.name == 'nt' else shlex.join(command)}"


def requirements_of(extra: str) -> list[str]:
    """The packages of an extra, as the installed Rollcall declares them."""
    from importlib import metadata

    try:
        declared = metadata.requires("rollcall-dice") or []
    except metadata.PackageNotFoundError:
        return []
    wanted = re.compile(rf"""^(.+?)\s*;\s*extra\s*==\s*["']{extra}["']$""")
    return [found[1] for each in declared if (found := wanted.match(each)) is not None]


# --- how commands are declared ---------------------------------------------------------------------------------------

Argument = tuple[tuple[str, ...], dict[str, Any]]
Command = Callable[[argparse.Namespace], int | None]
COMMANDS: list[tuple[Command, str, str | None, tuple[Argument, ...]]] = []


def argument(*names: str, **settings: Any) -> Argument:
    """One argument, as `ArgumentParser.add_argument` takes it."""
    return names, settings


def command(text: str, *arguments: Argument, description: str | None = None) -> Callable[[Command], Command]:
    """Declares a function as the subcommand of its name. text: its help in the list of commands."""

    def declare(run: Command) -> Command:
        COMMANDS.append((run, text, description, arguments))
        return run

    return declare


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of all commands. Of the workshop, only the part in `arguments` gets its own: they import much."""
    parser = OneLineParser(prog="rollcall", description="A scoring assistant for physical dice.")
    parser.add_argument("--version", action=TellVersion, help="say the version and the commit")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=OneLineParser)
    for run, text, description, declared in COMMANDS:
        subparser = commands.add_parser(run.__name__, help=text, description=description)
        for names, settings in declared:
            subparser.add_argument(*names, **settings)
        subparser.set_defaults(command=run)
    text = "make training pictures, train the detector, measure the reader (CONTRIBUTING.md)"
    listed: dict[str, Any] = {"help": text} if has_workshop() else {}
    workshop = commands.add_parser("workshop", description=text, **listed)
    parts = workshop.add_subparsers(required=True, metavar="PART", parser_class=OneLineParser)
    for name, (module, text) in WORKSHOP.items():
        part = parts.add_parser(name, help=text)
        if list(arguments[:2]) == ["workshop", name]:
            imported = import_workshop(name, module)
            imported.add_arguments(part)
            part.set_defaults(command=imported.run)
    return parser


def has_workshop() -> bool:
    """Whether this is a checkout with the extra `train`: elsewhere the list of commands leaves the workshop out."""
    from importlib.util import find_spec

    return WORKSHOP_FILE.is_file() and find_spec("ultralytics") is not None


def import_workshop(name: str, module: str) -> Any:
    """A module of the workshop, which lies beside this file in a checkout and is never installed."""
    if not WORKSHOP_FILE.is_file():
        raise CommandError(
            f"rollcall workshop {name} runs from a checkout of Rollcall, not from an installed package: "
            "CONTRIBUTING.md in the checkout says how"
        )
    sys.path.insert(0, str(HERE))
    return import_module(module)


def whole_number(text: str, most: int = 9999, sentence: str = "a whole number is wanted") -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) <= most):
        raise argparse.ArgumentTypeError(f"{sentence}, got {text[:20]!r}")
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


port_number = partial(whole_number, most=65535, sentence="a port is a number 0..65535")
seconds = partial(whole_number, most=LONGEST_DRAIN_S, sentence=f"whole seconds 0..{LONGEST_DRAIN_S} are wanted")

REPEATED: dict[str, Any] = {"action": "append", "default": []}
JSON = argument("--json", action="store_true", help="print one JSON document")
DATA = argument("--data", type=Path, help="folder that the server uses (default: this user's data folder)")
COPIES = argument("--copies", type=Path, metavar="DIR", help="folder on another disk for further copies of the games")
DATABASE = argument("--database", metavar="URL", help="the servers' PostgreSQL; default: $ROLLCALL_DATABASE")
RECORD = argument("record", metavar="RECORD", help="a JSON file, or - for standard input")
DICE = argument("dice", nargs="+", type=int, metavar="DICE", help="values 1..6")
# A game with its house rules, as `game_with_options` takes it.
GAME = (
    argument("game", metavar="GAME", help="key of the game (rollcall games)"),
    argument("--option", **REPEATED, metavar="NAME=VALUE", help="a house rule; may be repeated"),
    JSON,
)


# --- the commands ----------------------------------------------------------------------------------------------------


@command(
    "start the web application for the phones at the table",
    argument("--host", help="address to listen on (default: all of this machine's)"),
    argument("--port", type=port_number, default=8000, help="port to listen on (default: 8000)"),
    argument("--data", type=Path, help="folder for games and settings (default: this user's data folder)"),
    argument(
        "--database",
        metavar="URL",
        help="PostgreSQL for the games, which many servers may share (docs/hosting.md); default: $ROLLCALL_DATABASE",
    ),
    argument("--camera", help="webcam number, video file or address that OpenCV opens"),
    argument("--https", action="store_true", help="serve over https with a certificate of our own making"),
    argument("--cert", type=Path, help="certificate to serve https with (PEM), with --key"),
    argument("--key", type=Path, help="private key of --cert (PEM)"),
    argument(
        "--behind",
        **REPEATED,
        metavar="ADDRESS",
        help="address of a reverse proxy whose X-Forwarded-For is believed (may be given more than once)",
    ),
    argument(
        "--ingress",
        metavar="ADDRESS",
        help="address of Home Assistant's ingress, which shows the pages below a path of its own: 172.30.32.2",
    ),
    argument(
        "--webhooks-to",
        **REPEATED,
        metavar="NETWORK",
        help="further network or address where programs may be told what happens (docs/api.md); by default the"
        " private networks that this computer is in by cable or wireless, without itself",
    ),
    argument("--open", action="store_true", help="open the first page in this computer's browser"),
    argument("--name", **REPEATED, dest="names", metavar="NAME", help="further host name that phones come by"),
    argument("--games", type=Path, metavar="DIR", help="folder of games as files, offered to everybody"),
    COPIES,
    argument(
        "--mqtt",
        metavar="URL",
        help="MQTT broker that is told of the tables, for Home Assistant and others, as mqtt[s]://[USER:PASSWORD@]HOST"
        "[:PORT]; they may confirm sure throws (docs/api.md). Of servers that share a database, give it to one. "
        "Default: $ROLLCALL_MQTT, which other users cannot see",
    ),
    argument("--mqtt-password", type=Path, metavar="FILE", help="file with the broker's password in its first line"),
    argument(
        "--no-announce",
        action="store_false",
        dest="announces",
        help="do not tell the network by zeroconf where the server is",
    ),
    argument(
        "--nights-need-token",
        action="store_true",
        help="only who has a token (rollcall token) may start a club's night, as on a public server",
    ),
    argument(
        "--metrics",
        action="store_true",
        help="tell Prometheus at /metrics what is done, by the token in $ROLLCALL_METRICS_TOKEN (docs/hosting.md)",
    ),
    argument(
        "--log",
        choices=("plain", "json"),
        default="plain",
        help="json: one line of JSON on standard error for each request and event, without keys (default: plain)",
    ),
    argument(
        "--drain",
        type=seconds,
        default=0,
        dest="drain_s",
        metavar="SECONDS",
        help="when asked to end, serve on for so long while /ready says 503, so that a proxy sends phones elsewhere",
    ),
)
def serve(args: argparse.Namespace) -> int:
    if not args.open or (sys.stderr is not None and sys.stderr.isatty()):
        return run_server(args)
    try:
        return run_server(args)
    except Exception as error:  # who clicked an icon sees no terminal
        from web.hosts.laptop import start_problem

        start_problem.show(sentence_of(error))
        raise


def run_server(args: argparse.Namespace) -> int:
    from web.hosts.laptop import serving
    from web.hosts.laptop.serve_options import ServeError, ServeOptions

    settings = {name: value for name, value in vars(args).items() if name not in {"command", "log", "open"}}
    settings["database"] = database_of(args)
    settings["mqtt"] = (os.environ.get("ROLLCALL_MQTT") or None) if args.mqtt is None else args.mqtt
    settings["metrics"] = os.environ.get("ROLLCALL_METRICS_TOKEN", "") if args.metrics else None
    with as_command_error(ServeError):
        serve_as_wanted = serving.open_or_serve if args.open else serving.serve
        return serve_as_wanted(ServeOptions(**settings, lines=args.log == "json"))


@command(
    "read the photos of servers that share a database",
    DATABASE,
    description="Reads the photos of all servers that keep their games in one PostgreSQL (docs/hosting.md). Any "
    "number of readers may run, on any machines.",
)
def reader(args: argparse.Namespace) -> int:
    database = database_of(args)
    if database is None:
        raise CommandError("name the servers' database with --database or ROLLCALL_DATABASE")
    from web.hosts.cluster.photo_worker import ReadingError, run

    with as_command_error(ReadingError):
        return run(database, sys.stdout)


@command(
    "copy all games to another folder, also while they are served",
    argument("folder", type=Path, metavar="FOLDER", help="new or empty folder for the copy"),
    DATA,
    JSON,
)
def backup(args: argparse.Namespace) -> None:
    from web.store.maintenance.backup import back_up
    from web.store.maintenance.not_done import NotDoneError

    with as_command_error(NotDoneError):
        made = back_up(data_folder(args.data), args.folder)
    counts = {"tables": made.tables, "actions": made.lines, "corrections": made.corrections}
    in_words = f"{made.folder}: tables {made.tables}, actions {made.lines}, corrected photos {made.corrections}"
    print_document(args, {"folder": str(made.folder), **counts}, [in_words])


@command(
    "say what of the games is whole: exit 0 when all is, 1 when something is damaged",
    argument("--repair", action="store_true", help="make whole what can be; damaged files are kept aside"),
    argument("--rebuild", action="store_true", help="repair, and write anew what lists and statistics are read from"),
    DATA,
    DATABASE,
    COPIES,
    JSON,
    description="Says what of the games is whole. Exit 0: all; 1: something is damaged; 2: it cannot be checked.",
)
def check(args: argparse.Namespace) -> int:
    from web.hosts import table_administration
    from web.store.maintenance import health
    from web.store.maintenance.not_done import NotDoneError

    with as_command_error(NotDoneError):
        repair = health.REBUILD if args.rebuild else health.REPAIR if args.repair else health.LOOK
        data, database = data_or_database(args, writes=repair != health.LOOK)
        if database is None:
            found = health.check(data, args.copies, repair, report_progress())
        else:
            found = table_administration.check_database(database, repair, report_progress())
    print_document(args, found.to_json(), found.lines())
    return 0 if found.whole else EXIT_DAMAGED


@command(
    "copy all games to another store: from a data folder to PostgreSQL, or back",
    argument("source", metavar="FROM", help="the store that has the games; it stays as it is"),
    argument("target", metavar="TO", help="the store that gets them"),
    JSON,
    description="Copies all games of one store to another, which must be empty, and checks the copy. A store is a "
    "data folder, or postgresql+psycopg://USER:PASSWORD@HOST:PORT/NAME (docs/hosting.md).",
)
def move(args: argparse.Namespace) -> None:
    from web.hosts.cluster import moving
    from web.store.maintenance.not_done import NotDoneError

    for place, writes in ((args.source, False), (args.target, True)):
        if "://" not in place:
            data_folder(Path(place), writes, named_by="")
    with as_command_error(NotDoneError):
        moved = moving.move(args.source, args.target)
    in_words = f"tables {moved.tables}, actions {moved.lines}: all there and whole"
    print_document(args, {"tables": moved.tables, "actions": moved.lines}, [in_words])


@command(
    "list the tables, or delete some of them for good",
    argument("what", nargs="?", choices=["delete"], help="delete the tables of these keys; it asks before"),
    argument("keys", nargs="*", metavar="KEY", help="key or address of a table (the address if the key begins with -)"),
    argument("--yes", action="store_true", help="delete without asking"),
    DATA,
    DATABASE,
    JSON,
    description="Lists all tables: key, game, last day, state and players. `rollcall tables delete KEY...` deletes "
    "tables for good; no server may run with a data folder meanwhile.",
)
def tables(args: argparse.Namespace) -> None:
    from web.hosts.table_administration import delete_tables, list_tables
    from web.store.maintenance.not_done import NotDoneError

    place = data_or_database(args, writes=args.what is not None)
    with as_command_error(NotDoneError):
        found = list_tables(*place)
        if args.what is None:
            print_document(args, [table.to_json() for table in found], map(str, found))
            return
        keys = list(dict.fromkeys(key.rpartition("/")[2] for key in args.keys))
        chosen = [table for table in found if table.key in keys]
        confirm_deletion(args, [str(table) for table in chosen], asks=len(chosen) == len(keys))
        delete_tables(*place, keys)
    print_document(args, {"deleted": [table.key for table in chosen]}, [f"deleted: {len(chosen)}"])


@command(
    "make a token for programs of this machine's owner, list all, or take one back",
    argument("what", choices=["create", "list", "revoke"], help="what to do"),
    argument(
        "name", nargs="?", default="", help="create: what the program is called; revoke: the token's id in the list"
    ),
    DATA,
    DATABASE,
    JSON,
    description="With such a token a program may start tables, read photos and see all results (docs/api.md). It is "
    "shown once; only a hash of it is kept, in the data folder, or in the database that servers share.",
)
def token(args: argparse.Namespace) -> None:
    from web.store import server_tokens

    document: Any
    with _tokens_of(args) as (create, revoke, read):
        if args.what == "create":
            made = create(" ".join(args.name.split())[:40] or "program")
            document, lines = {"token": made}, [made]
        elif args.what == "revoke":
            gone = revoke(args.name)
            document, lines = {"revoked": gone.name}, [f"taken back: {gone.name}"]
        else:
            known = [(each.hash[: server_tokens.SHOWN], each.name, each.at) for each in read()]
            document = [dict(zip(("id", "name", "at"), each, strict=True)) for each in known]
            lines = list(map("  ".join, known))
    print_document(args, document, lines)


@contextmanager
def _tokens_of(args: argparse.Namespace) -> Iterator[tuple[Any, Any, Any]]:
    """What creates, revokes and reads tokens where they are kept. Raises CommandError."""
    from web.store import server_tokens

    database = database_of(args)
    if database is None:
        functions = server_tokens.create_token, server_tokens.revoke_token, server_tokens.read_tokens
        data = data_folder(args.data, writes=args.what != "list")
        with folder_errors(data), as_command_error(ValueError, "rollcall token: "):
            create, revoke, read = (partial(each, data) for each in functions)
            yield create, revoke, read
        return
    from web.hosts.cluster.shared_store import SharedStore, SharedTokens
    from web.problems.problem import Problem
    from web.store.schema import DatabaseError, SchemaError

    with (
        as_command_error((DatabaseError, SchemaError, Problem, ValueError), "rollcall token: "),
        closing(SharedStore(database)) as store,
    ):
        tokens = SharedTokens(store)
        yield tokens.create, tokens.revoke, tokens.read


def confirm_deletion(args: argparse.Namespace, lines: Sequence[str], asks: bool) -> None:
    """Asks before tables are deleted, unless the command says --yes or, with `asks` False, is refused anyway.

    Raises CommandError if nobody says yes.
    """
    if not args.keys:
        raise CommandError("rollcall tables delete: name the keys of the tables (rollcall tables lists them)")
    if args.yes or not asks:
        return
    print(*lines, sep="\n", file=sys.stderr)
    print("Delete this for good? Type yes: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise CommandError("nothing was deleted: type yes, or give --yes")


@command(
    "read the dice in photos",
    argument("photos", nargs="+", type=Path, metavar="PHOTO", help="JPEG, PNG, WebP, HEIC, AVIF, TIFF or BMP file"),
    argument("--dice", type=whole_number, metavar="N", help="how many dice were thrown"),
    argument(
        "--aside",
        type=values,
        default=(),
        metavar="1,1",
        help="values of dice that may lie beside the throw (needs --dice)",
    ),
    argument(
        "--known", type=Path, metavar="DIR", help="folder of confirmed throws of the same dice: images and values.csv"
    ),
    JSON,
    argument(
        "--annotate", type=Path, metavar="OUT", help="write the photo with the dice drawn in (a file, or a folder)"
    ),
)
def read(args: argparse.Namespace) -> None:
    import vision
    from vision.reading import check_throw
    from web.tasks.heap import use_one_arena

    use_one_arena()
    with as_command_error(ValueError, "rollcall read: "):
        check_throw(args.dice, args.aside)
    if args.aside and args.dice is None:
        raise CommandError("rollcall read: --aside needs --dice: how many were thrown, besides those that lie aside")
    reader = vision.Reader()
    reader.load_in_background()
    known = None if args.known is None else throws_in(args.known, reader)
    documents: list[Mapping[str, Any]] = []
    for path in args.photos:
        with as_command_error(OSError, f"cannot read {path}: "):
            data = path.read_bytes()
        with as_command_error(vision.VisionError, f"{path}: "):
            photo = vision.Photo.decode(data)
            reading = reader.read(photo, args.dice, args.aside, known)
        if args.annotate is not None:
            folder = len(args.photos) > 1 or args.annotate.is_dir()
            out = args.annotate / f"{path.stem}.jpg" if folder else args.annotate
            with as_command_error(OSError, f"cannot write {out}: "):
                out.write_bytes(vision.annotate(photo, reading))
        documents.append(reading.to_json(path.name))
        if not args.json:
            print(describe_reading(path, reading))
    if args.json:
        print_json(documents[0] if len(documents) == 1 else documents)


def throws_in(folder: Path, reader: Any) -> Any:
    """The confirmed throws of a folder, for `--known`."""
    from vision.confirmed import confirmed_throws

    try:
        return confirmed_throws(reader, folder)
    except (OSError, ValueError) as error:
        reason = f"cannot read {error.filename}: {error.strerror}" if isinstance(error, OSError) else error
        raise CommandError(f"rollcall read: --known: {reason}") from error


def describe_reading(path: Path, reading: Any) -> str:
    aside = f"  (aside: {describe_dice(reading.aside)})" if reading.aside else ""
    why = "; ".join(map(str, reading.asks)) or "please look"
    sure = "" if reading.sure else f"  (not sure: {why})"
    return f"{path}: {describe_dice(reading.dice) or 'no dice'}{aside}{sure}"


def describe_dice(dice: Sequence[Any], stayed: Sequence[bool] = ()) -> str:
    pairs = zip_longest(dice, stayed)
    return " ".join(f"{die.value}{'' if die.sure else '?'}{' (stayed)' if stays else ''}" for die, stays in pairs)


@command(
    "watch a camera or a video and tell each throw that comes to rest",
    argument("source", metavar="SOURCE", help="number of a camera, video file or address of a stream"),
    argument("--dice", type=whole_number, metavar="N", help="how many dice there are at most"),
    argument(
        "--region",
        type=numbers,
        metavar="X,Y,X,Y,X,Y,X,Y",
        help="four corners; what lies outside is not there (pixels of the picture, or fractions of it up to 1)",
    ),
    argument("--json", action="store_true", help="print one JSON document a line for each event"),
)
def watch(args: argparse.Namespace) -> None:
    import vision
    from vision.frames import frames, silence_opencv
    from vision.watch import EVERY

    silence_opencv()
    reader = vision.Reader()
    with as_command_error((ValueError, vision.VisionError), "rollcall watch: "):
        region = None if args.region is None else vision.Region.from_numbers(args.region)
        watch = vision.Watch(reader, args.dice, region)
        taken = frames(args.source, EVERY)
        reader.load_in_background()
        for at, photo in taken:
            print_events(args, watch.see(photo, at))
        print_events(args, watch.end())


def print_events(args: argparse.Namespace, events: Sequence[Any]) -> None:
    """Prints one line for each event at once: a program may be reading them."""
    for event in events:
        print_document(args, event.to_json(), [describe_event(event)])
        print(end="", flush=True)


def describe_event(event: Any) -> str:
    when: str = f"{event.at:8.2f} s  "
    if event.event == "blind":
        return f"{when}blind: {event.to_json()['text']}"
    if event.reading is None:
        return f"{when}{event.event}"
    sure = "" if event.reading.sure else "  (not sure)"
    return f"{when}settled: {describe_dice(event.reading.dice, event.stayed)}{sure}"


@command(
    "list the games, print the rules of one; check and collect files of games",
    argument(
        "game",
        nargs="?",
        metavar="GAME",
        help="print the short rules of this game, or of this file; `list`: also those that come along; of files:"
        " `check` says what is wrong with a file or a folder, `add` takes games from a link, a file or a folder,"
        " `index` writes the index of a folder, `schema` what editors of files need",
    ),
    argument("source", nargs="?", metavar="FILE", help="the file, folder or link"),
    argument("--games", type=Path, metavar="DIR", help="add: the folder that gets them (default: the server's)"),
    argument("--only", **REPEATED, metavar="NAME", help="add: this game of several; may be repeated"),
    argument("--sha256", default="", metavar="DIGEST", help="add: of the file, or of the index of several"),
    argument("--replace", action="store_true", help="add: also over other games of the same name"),
    DATA,
    JSON,
)
def games(args: argparse.Namespace) -> int | None:
    import scorer
    from scorer.games import ENDING, installed_games

    if args.data is not None:  # also where nothing in it is needed: a wrong name is told
        data_folder(args.data)
    if (args.game, args.source) == ("check", "-"):  # for a server: games that come one after another
        from web.own_games import process

        process.serve()
        return None
    if args.game in ("check", "add", "index", "schema"):
        return game_files(args)
    if args.game in (None, "list"):
        infos = scorer.all_games()
        for fault in installed_games().faults:
            print(f"rollcall: {fault}", file=sys.stderr)
        print_document(args, [info.to_json() for info in infos], (info.in_words() for info in infos))
        return None
    if args.game.endswith(ENDING):
        return game_files(args)
    with as_command_error(scorer.Refusal):
        game = scorer.game(args.game)
    print_document(args, {**game.info.to_json(), "rules": game.short_rules().to_json()}, [game.short_rules().text()])
    return None


def game_files(args: argparse.Namespace) -> int:
    """What is done with files of games. Returns 1 where a folder has a file that is no game."""
    from web.hosts.game_files import file_commands as commands
    from web.hosts.game_files.collection import NotTakenError
    from web.store.data_folder import OFFERED

    with as_command_error(NotTakenError):
        if args.game == "add":
            folder = args.games or data_folder(args.data, writes=True) / OFFERED
            result = commands.add(args.source, folder, args.sha256.lower(), args.only, args.replace)
        elif args.game in commands.COMMANDS:
            result = commands.COMMANDS[args.game](args.source)
        else:
            result = commands.rules(args.game)
    print_document(args, result.document, result.lines)
    return 0 if result.fits else EXIT_DAMAGED


@command("what a first throw of a turn is worth: every legal choice with its points", *GAME, DICE)
def score(args: argparse.Namespace) -> None:
    import scorer
    from scorer.sentences import event_in_words

    with as_command_error(scorer.Refusal):
        game = game_with_options(args)
        document = scorer.score_throw(game, args.dice)
    happened = [event_in_words(event) for event in document["events"]]
    print_document(args, document, [*happened, *(choice_with_worth(game, choice) for choice in document["legal"])])


@command("replay a game record and print where the game stands", RECORD, JSON)
def replay(args: argparse.Namespace) -> None:
    table = table_from_record(args.record)
    standing = table.standing()
    print_document(args, standing, standing_in_words(table.game, standing))


def standing_in_words(game: Any, standing: Mapping[str, Any]) -> Iterator[str]:
    players = standing["players"]
    # A player who has left has no place.
    for player in sorted(players, key=lambda player: player["place"] or len(players) + 1):
        yield f"{player['place'] or '-'}. {player['name']}: {player['score']}"
    if standing["over"]:
        yield "over; won by " + ", ".join(players[winner]["name"] for winner in standing["winners"])
        return
    yield "to act: " + ", ".join(players[player]["name"] for player in standing["to_act"])
    for choice in standing["legal"]:
        who = f"{players[choice['player']]['name']}: " if "player" in choice else ""
        yield f"  {who}{choice_with_worth(game, choice)}"


def choice_with_worth(game: Any, choice: Mapping[str, Any]) -> str:
    """A choice of a standing's `legal`, and what it brings."""
    from scorer.sentences import in_terminal, with_worth

    if "from" in choice:
        return f"keep some or none of {' '.join(map(str, choice['from']))}"
    return with_worth(in_terminal(game.choice(choice)), choice)


@command(
    "say whether a game record and the pictures of its throws fit together: exit 0 if so, 1 if not",
    argument("record", type=Path, metavar="RECORD", help="a game record (JSON), or the file with record and pictures"),
    argument("--pictures", type=Path, metavar="DIR", help="folder, or file, with the pictures of the throws"),
    argument("--code", **REPEATED, dest="codes", metavar="CODE", help="noted while the game ran; may be repeated"),
    JSON,
    description="Says whether the log of a record is that of a legal game and as it was written, and whether the "
    "pictures are those of its throws (docs/interfaces.md). Exit 0: all fits; 1: something does not; 2: it cannot be "
    "read.",
)
def verify(args: argparse.Namespace) -> int:
    from web.proof import verification

    with as_command_error(verification.VerificationError):
        found = verification.verify(args.record, args.pictures, args.codes)
    print_document(args, found.to_json(), found.lines())
    return 0 if found.holds else EXIT_DAMAGED


@command(
    "print a script that completes commands, options and games in a shell",
    argument("shell", choices=["bash", "fish", "zsh"]),
    description='Completes in bash or zsh: eval "$(rollcall completion bash)" in its start file; in fish: rollcall '
    "completion fish | source.",
)
def completion(args: argparse.Namespace) -> None:
    import scorer
    from web.hosts.laptop import shell_completion

    words = {"": [run.__name__ for run, *_ in COMMANDS], "workshop": list(WORKSHOP)}
    if has_workshop():
        words[""].append("workshop")
    games = [info.key for info in scorer.all_games()]
    for run, _, _, arguments in COMMANDS:
        words[run.__name__] = [
            *(name for names, _ in arguments for name in names if name.startswith("--")),
            *(choice for _, settings in arguments for choice in settings.get("choices", ())),
            *(games if any(settings.get("metavar") == "GAME" for _, settings in arguments) else ()),
        ]
    print(shell_completion.SCRIPTS[args.shell](words), end="")


@command("the chances of each legal choice after a first throw of a turn", *GAME, DICE)
def odds(args: argparse.Namespace) -> None:
    import scorer
    from scorer.advice import reports

    with as_command_error(scorer.Refusal):
        game = game_with_options(args)
        document = reports.odds_of_throw(game, args.dice)
    print_document(args, document, reports.odds_in_words(game, document))


@command("best play from where a game record stands", RECORD, DATA, JSON)
def advise(args: argparse.Namespace) -> None:
    from scorer.advice import reports

    table = table_from_record(args.record)
    if table.over:
        raise CommandError(f"{record_name(args.record)}: the game is over, there is nothing to advise")
    document = reports.advice(table, solution_of(table, args.data))
    print_document(args, document, reports.advice_in_words(table, document))


@command("luck and losses of all that was played in a game record", RECORD, DATA, JSON)
def analyse(args: argparse.Namespace) -> None:
    from scorer.advice import analysis, reports

    table = table_from_record(args.record)
    solution = solution_of(table, args.data)
    document = analysis.to_json(table, solution, analysis.analyse(table, solution))
    print_document(args, document, reports.analysis_in_words(table.game, document))


@command(
    "compute and keep what advice needs, print the value of the game",
    *GAME,
    argument("--race", action="store_true", help="of a ten-thousand game: the chance to win between two"),
    DATA,
)
def solve(args: argparse.Namespace) -> None:
    import scorer
    from scorer.advice import is_race, reports, solution_cache

    with as_command_error(scorer.Refusal):
        game = game_with_options(args)
    refuse_unless_solvable(game)
    players = 2 if args.race else 1
    if args.race and not is_race(game, players):
        raise CommandError(f"{game.key} with these options is no race that is solved; leave out --race")
    folder = solution_cache.folder_in(data_folder(args.data, writes=True))
    begin = monotonic()
    with folder_errors(folder), progress_bar(f"solving {game.key}") as progress:
        solution = solution_cache.solve_and_keep(game, folder, progress, players)
    document = reports.solution_document(game, solution, monotonic() - begin)
    print_document(args, document, reports.solution_in_words(document))


# --- small things that several commands share ------------------------------------------------------------------------


@contextmanager
def as_command_error(kinds: type[Exception] | tuple[type[Exception], ...], prefix: str = "") -> Iterator[None]:
    """Turns an expected error into the one line that the command prints; of an OSError, the system's reason alone.

    Of an unknown game, the one that may have been meant.
    """
    try:
        yield
    except kinds as error:
        said = getattr(error, "strerror", None) or str(error)
        if getattr(error, "reason", "") == "unknown-game":
            params = error.params  # type: ignore[attr-defined]
            if meant := did_you_mean(params["game"], params["known"]):
                said = f"there is no game {params['game']}; {meant}"
        raise CommandError(f"{prefix}{said}") from error


def game_with_options(args: argparse.Namespace) -> Any:
    """The game that a command names, by its key or its file, with its `--option`s; raises scorer.Refusal."""
    import scorer

    key, file = args.game, {}
    if key.endswith(".toml"):
        with as_command_error((OSError, UnicodeDecodeError), f"{key}: "):
            key, file = Path(key).stem, {"file": Path(key).read_text(encoding="utf-8")}
    scorer.game(key, **file)
    texts = {}
    for option in args.option:
        name, equals, texts[name] = option.partition("=")
        if not (name and equals):
            raise CommandError(f"an option is NAME=VALUE, got {option!r}")
        with as_command_error(scorer.OptionError, f"--option {name}: "):  # its sentence has the rule's title alone
            scorer.game(key, **scorer.parse_options(key, {name: texts[name]}, **file), **file)
    return scorer.game(key, **scorer.parse_options(key, texts, **file), **file)


def record_name(record: str) -> str:
    return "standard input" if record == "-" else record


def table_from_record(record: str) -> Any:
    """The table after all actions of a record, which is a file or "-"."""
    import scorer
    from scorer.strict_json import parse

    name = record_name(record)
    with as_command_error(OSError, f"cannot read {name}: "):
        raw = sys.stdin.buffer.read() if record == "-" else Path(record).read_bytes()
    try:
        document = parse(raw.decode(json.detect_encoding(raw)))
        return scorer.Table.from_record(document)
    except scorer.IllegalAction as error:
        raise CommandError(f"action {error.index}: {error}") from error
    except scorer.Refusal as error:
        raise CommandError(f"{name}: {error}") from error
    except ValueError as error:
        raise CommandError(f"{name}: not a JSON document: {error}") from error


def database_of(args: argparse.Namespace) -> str | None:
    return os.environ.get("ROLLCALL_DATABASE") if args.database is None else args.database


def data_or_database(args: argparse.Namespace, writes: bool) -> tuple[Path, str | None]:
    """The data folder, or the database that is used in its place, unless --data names a folder."""
    database = database_of(args) if args.data is None else None
    return data_folder(args.data, writes) if database is None else Path(), database


def data_folder(named: Path | None, writes: bool = False, named_by: str = " with --data") -> Path:
    """The data folder, which this user may read, and with `writes` change. Raises CommandError."""
    from web.store.data_folder import UnusableFolderError, check_folder, default_data

    folder = named or default_data()
    with as_command_error(UnusableFolderError):
        check_folder(folder, writes, named_by)
    return folder


@contextmanager
def folder_errors(folder: Path) -> Iterator[None]:
    """Raises errors of the system as what is wrong with this folder."""
    from web.store.data_folder import why

    try:
        yield
    except OSError as error:
        raise CommandError(f"{folder} cannot be used: {why(error)}") from error


def solution_of(table: Any, data: Path | None) -> Any:
    """The solved game from where it is kept, or solved now with its usual rules; raises CommandError with the command
    that solves it with house rules.
    """
    from scorer.advice import covers, solution_cache
    from scorer.options import value_text
    from scorer.turns.hand import HandGame

    if not covers(table.actions):
        raise CommandError("players joined, left or changed places in this game: best play is not known for that")
    game, players = table.game, len(table.players)
    refuse_unless_solvable(game)
    if players == 1 and isinstance(game, HandGame) and game.rules.counts != "totals":
        raise CommandError(f"whoever plays {game.key} alone has nobody to beat, so there is no best play")
    found = solution_cache.load_kept(game, [solution_cache.SHIPPED], players)
    if found is not None:
        return found
    folders = [solution_cache.SHIPPED, solution_cache.folder_in(data_folder(data))]
    found = solution_cache.find(game, folders, players)
    usual = all(game.settings[option.name] == option.default for option in game.options)
    if found is None and usual and game.own_file is None:  # nobody need know another command for a usual game
        with folder_errors(folders[-1]), progress_bar(f"solving {game.key}") as progress:
            found = solution_cache.solve_and_keep(game, folders[-1], progress)
    if found is None:
        house_rules = "".join(
            f" --option {option.name}={value_text(game.settings[option.name])}"
            for option in game.options
            if game.settings[option.name] != option.default
        )
        where = f" --data {shlex.quote(str(data))}" if data else ""
        raise CommandError(
            f"{game.key} is not solved yet; solve it with: rollcall solve {game.key}{house_rules}{where}"
        )
    return found


def refuse_unless_solvable(game: Any) -> None:
    from scorer.advice import is_solvable

    if not is_solvable(game):
        raise CommandError(f"best play of {game.key} is not worked out: docs/advice.md says of which games it is")


def report_progress(every_s: float = 1.0) -> Callable[[int, int], None]:
    """Prints on standard error how many of all tables were checked: one line a second, none within the first."""
    printed_at = monotonic()

    def report(done: int, tables: int) -> None:
        nonlocal printed_at
        if monotonic() - printed_at >= every_s:
            printed_at = monotonic()
            print(f"checked {done} of {tables} tables", file=sys.stderr, flush=True)

    return report


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
    """Prints the document with --json, else the same in words."""
    if args.json:
        print_json(document)
    else:
        for line in lines:
            print(line)


def print_json(document: object) -> None:
    """One line of ASCII: the same bytes whatever encoding the console or the pipe has."""
    print(json.dumps(document))


if HANDLER is signal.default_int_handler:
    signal.signal(signal.SIGINT, HANDLER)

if __name__ == "__main__":
    sys.exit(main())
