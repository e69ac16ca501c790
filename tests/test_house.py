"""The house stands as its plan says: which room may import which, and that the rules need nothing but Python."""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.conftest import WHOLE

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("scorer", "vision", "web", "datasets")

# What each room may import of the others. Only rollcall.py may import everything.
MAY_IMPORT = {"scorer": set(), "vision": set(), "web": {"scorer", "vision"}, "datasets": {"vision"}}

# Needed to train, validate, export or render; never to run.
TRAINING_ONLY = {"torch", "torchvision", "ultralytics", "numba", "onnx"}


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@cache
def parse(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def walk(path: Path) -> list[ast.AST]:
    return list(ast.walk(parse(path)))


@cache
def imported_packages(path: Path) -> set[str]:
    """The top-level packages that a file imports absolutely, anywhere in it: inside functions too."""
    names: set[str] = set()
    for node in walk(path):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_it_may(room: str) -> None:
    assert modules(room), f"the room {room} is empty"
    forbidden = set(ROOMS) - MAY_IMPORT[room] - {room} | {"rollcall", "tests"}
    wrong = {str(path.relative_to(ROOT)): sorted(imported_packages(path) & forbidden) for path in modules(room)}
    assert {path: names for path, names in wrong.items() if names} == {}


def is_advice(path: Path) -> bool:
    return (ROOT / "scorer" / "advice") in path.parents


def test_the_rules_need_nothing_but_python_and_advice_numpy() -> None:
    python = set(sys.stdlib_module_names) | {"scorer", "tomllib", "tomli"}  # Python's own from 3.11 on
    wrong = {
        str(path.relative_to(ROOT)): sorted(
            imported_packages(path) - python - ({"numpy"} if is_advice(path) else set())
        )
        for path in modules("scorer")
    }
    assert {path: names for path, names in wrong.items() if names} == {}


def test_judging_needs_nothing_but_python_and_an_eye() -> None:
    """No pixels, NumPy or OpenCV: another eye may see for it."""
    inside = [path for path in modules("vision") if (ROOT / "vision" / "judging") in path.parents]
    pure = [*inside, *(ROOT / "vision" / name for name in ("eye.py", "reading.py", "reasons.py"))]
    known = {name_of(path) for path in pure}
    wrong = {
        name_of(path): sorted(
            name for name in loaded_modules(path) - known if name.split(".")[0] not in sys.stdlib_module_names
        )
        for path in pure
    }
    assert inside
    assert {name: names for name, names in wrong.items() if names} == {}


def test_the_rules_have_no_files_no_clock_and_no_randomness() -> None:
    impure = {"random", "secrets", "time", "datetime", "os", "pathlib", "io", "shutil", "tempfile", "uuid", "socket"}
    # Advice keeps solved tables in files that it is told.
    wrong = {
        str(path.relative_to(ROOT)): sorted(
            imported_packages(path) & impure - ({"pathlib"} if is_advice(path) else set())
        )
        for path in modules("scorer")
    }
    assert {path: names for path, names in wrong.items() if names} == {}


def test_the_rules_know_nothing_of_advice() -> None:
    wrong = []
    for path in modules("scorer"):
        for node in walk(path):
            names = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
            names += [f"{node.module}.{name}" for name in names] if isinstance(node, ast.ImportFrom) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            if any("advice" in name.split(".") for name in names) and not is_advice(path):
                wrong.append(str(path.relative_to(ROOT)))
    assert wrong == []


def test_numpy_is_loaded_when_advice_is_first_needed() -> None:
    program = "import sys, scorer, scorer.advice; print('numpy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


def test_what_the_watch_concludes_needs_no_pixels() -> None:
    program = "import sys, vision.watch.states; print({'numpy', 'cv2'} & sys.modules.keys())"
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"


@pytest.mark.parametrize("module", ["web.store.sqlite", "web.runner.runner", "web.problems.problem"])
def test_a_table_and_its_store_load_no_flask(module: str) -> None:
    program = f"import sys, {module}; print('flask' in sys.modules or 'werkzeug' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


def test_quotas_know_no_page_and_no_store() -> None:
    path = ROOT / "web/limits/quotas.py"
    assert imported_packages(path) <= set(sys.stdlib_module_names) | {"web"}
    assert {name for name in loaded_modules(path) if name.startswith("web.")} == {"web.limits.recent"}


@pytest.mark.parametrize("room", ["vision", "web"])
def test_running_needs_no_training_package(room: str) -> None:
    wrong = {str(path.relative_to(ROOT)): sorted(imported_packages(path) & TRAINING_ONLY) for path in modules(room)}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_no_module_needs_one_that_needs_it() -> None:
    """Imports inside functions count, and those for type checkers alone."""
    named = {name_of(path): path for room in ROOMS for path in modules(room)}
    graph = {name: (needed_modules(path) & named.keys()) - {name} for name, path in named.items()}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the modules


def test_no_kernel_of_the_tracer_is_longer_than_a_page() -> None:
    """Cutting one costs no time as long as the parts count no references (`_nrt`)."""
    functions = [node for node in walk(ROOT / "datasets/render/tracer.py") if isinstance(node, ast.FunctionDef)]
    lines = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions}
    assert {name: count for name, count in lines.items() if count > 60} == {}


# What the rooms of a room may load of each other: arrows go down only.
TABLE = {"web.table", "web.problems", "web.tasks"}
STORE = {*TABLE, "web.journal", "web.store", "web.limits"}
RUNNER = {*STORE, "web.texts", "web.runner"}
INNER = {
    "web.problems": set(),
    "web.tasks": set(),
    "web.limits": {"web.problems"},
    "web.table": {"web.problems"},
    "web.texts": {"web.problems", "web.table"},
    "web.journal": {"web.problems", "web.table"},
    "web.store": STORE,
    "web.own_games": {*STORE, "web.texts"},
    "web.runner": STORE,
    "web.advising": RUNNER,
    "web.statistics": {*RUNNER, "web.advising"},
    "web.photos": STORE | {"web.runner"},
    "web.proof": {"web.table"},
    "web.clubs": STORE | {"web.runner"},
    "web.pages": {*RUNNER, "web.advising", "web.clubs", "web.own_games", "web.photos", "web.statistics"},
    "web.programs": {*RUNNER, "web.pages"},
    "web.hosts": {*RUNNER, "web.own_games", "web.pages", "web.photos", "web.programs"},
    "datasets.render": {"datasets.video"},
    "datasets.video": {"datasets.measuring", "datasets.render"},
    "datasets.augmentation": set(),
    "datasets.measuring": {"datasets.training"},
    "datasets.training": {"datasets.augmentation", "datasets.measuring", "datasets.render"},
}


@pytest.mark.parametrize("room", INNER)
def test_an_inner_room_loads_only_the_rooms_it_may(room: str) -> None:
    inside = [path for path in modules(room.partition(".")[0]) if f"{name_of(path)}.".startswith(f"{room}.")]
    assert inside, f"the room {room} is empty"
    wrong = {
        name_of(path): sorted(other for other in INNER.keys() - INNER[room] - {room} if other in loaded_packages(path))
        for path in inside
    }
    assert {name: rooms for name, rooms in wrong.items() if rooms} == {}


# What the folders of hosts may load of each other.
HOSTS = {"cluster": set(), "game_files": set(), "phone": set(), "laptop": {"cluster", "phone"}}


def test_hosts_load_each_other_only_downwards() -> None:
    folders = {path.name for path in (ROOT / "web/hosts").iterdir() if (path / "__init__.py").exists()}
    loads = {
        (host, name.split(".")[2])
        for host in folders
        for path in (ROOT / "web/hosts" / host).rglob("*.py")
        for name in loaded_modules(path)
        if name.startswith("web.hosts.") and name.split(".")[2] in folders - {host}
    }
    assert folders == HOSTS.keys()
    assert {(host, other) for host, other in loads if other not in HOSTS[host]} == set()


def test_a_table_is_pure() -> None:
    """It knows no thread, no clock, no disk, no SQL and no Flask: whoever runs it tells it when, and who asks."""
    impure = {
        "threading",
        "time",
        "asyncio",
        "os",
        "pathlib",
        "io",
        "random",
        "secrets",
        "socket",
        "sqlalchemy",
        "flask",
    }
    inside = [path for path in modules("web") if name_of(path).startswith("web.table.")]
    wrong = {name_of(path): sorted(imported_packages(path) & impure) for path in inside}
    assert {name: names for name, names in wrong.items() if names} == {}


def test_hosts_alone_start_threads() -> None:
    started = {"Thread", "Timer", "ThreadPoolExecutor", "start_new_thread", "to_thread"}
    wrong = {
        f"{name_of(path)}: {node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id}"
        for path in modules("web")
        for node in walk(path)
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Attribute, ast.Name))
        if (node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id) in started
        if not name_of(path).startswith("web.hosts.")
    }
    assert wrong == set()


# Where two threads may want to change the same thing in several steps. All else is changed in one atomic step, or by
# one task alone; what was kept lately is a `Recent`.
LOCKS = {
    "web.own_games.checker": 1,  # the turns for what answers
    "web.hosts.checking_process": 1,  # the process
    "web.tasks.exclusive": 1,  # who works out advice, or analyses a game; nobody waits for it
    "web.hosts.threads": 1,  # a task has one thread
    "web.limits.visitor_limits": 1,  # looked at and counted
    "web.photos.frame_sources": 1,  # a frame is handed over, and waited for
    "web.photos.photo_reader": 1,  # the networks are loaded once
    "web.photos.reading_queue": 1,
    "web.photos.review": 1,  # a picture is made once for all who ask
    "web.photos.watched_tables": 1,
    "web.programs.webhooks.webhook_sender": 1,  # what waits for addresses, and who has a place
    "web.runner.runner": 1,  # of each table
    "web.store.commits": 1,  # the connection that writes
    "web.store.maintenance.ends": 1,  # a file
}


def test_locks_are_few_and_known() -> None:
    kinds = {"Lock", "RLock", "Condition", "Semaphore", "BoundedSemaphore"}
    found = Counter(
        name_of(path)
        for path in modules("web")
        for node in walk(path)
        if (isinstance(node, ast.Call) and ast.unparse(node.func).removeprefix("threading.") in kinds)
        or (isinstance(node, ast.keyword) and ast.unparse(node.value).removeprefix("threading.") in kinds)
    )
    assert found == LOCKS


MOST_LINES = {"class": 300, "function": 60}
# What is longer today, and how long: none is added, and what was split goes. Rows of declarations may be long.
LONGER = {
    "scorer/sheet.py SheetGame": 491,
    "scorer/ten_thousand.py TenThousand": 453,
    "scorer/ten_thousand.py _turn_rules": 65,
    "scorer/games/knaster.py Knaster": 370,
    "scorer/game.py Game": 338,
    "vision/watch/watched_scene.py Scene": 316,
    "web/programs/mqtt/home_entities.py discovery_message": 64,
    "datasets/video/acting.py _Director": 349,
    "datasets/augmentation/mixing.py _view": 64,
    "datasets/render/compose.py compose": 86,
    "datasets/render/compose.py lay_dice": 63,
}
# How many methods others may call: each game answers all that `Game` asks, a director plays all parts.
MOST_METHODS = {"web": 20, "vision": 20, "datasets": 28, "scorer": 49}


def lengths(kinds: tuple[type[ast.AST], ...]) -> Iterator[tuple[str, int]]:
    for path in [ROOT / "rollcall.py", *(path for room in (*ROOMS, "deploy") for path in modules(room))]:
        for node in walk(path):
            if isinstance(node, kinds):
                yield f"{path.relative_to(ROOT).as_posix()} {node.name}", node.end_lineno - node.lineno + 1


def test_classes_and_functions_are_short() -> None:
    found = {name: lines for name, lines in lengths((ast.ClassDef,)) if lines > MOST_LINES["class"]}
    functions = lengths((ast.FunctionDef, ast.AsyncFunctionDef))
    found |= {name: lines for name, lines in functions if lines > MOST_LINES["function"]}
    assert {name: lines for name, lines in found.items() if lines > LONGER.get(name, 0)} == {}
    assert LONGER.keys() - found.keys() == set(), "these are short now: take them off the list"


@pytest.mark.parametrize("room", ROOMS)
def test_no_class_knows_everything(room: str) -> None:
    classes = [node for path in modules(room) for node in walk(path) if isinstance(node, ast.ClassDef)]
    methods = {node.name: sum(is_public_method(each) for each in node.body) for node in classes}
    assert {name: count for name, count in methods.items() if count > MOST_METHODS[room]} == {}


def is_public_method(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_")


# Modules that share their name on purpose, with the reason.
OF_A_GAME = "the game's rules and the advice on it, both found by the game's key"
SHARED_MODULES = {
    **dict.fromkeys(("drapky", "forbidden_numbers", "knaster", "shut_the_box", "skunk"), OF_A_GAME),
    "reasons": "each package's refusals: their keys with their English sentences",
}
PROMISED = {"proposed"}  # by docs/interfaces.md

# A function is called by what it does or returns, and not by a participle or a preposition alone. Of irregular verbs
# only the participles that are not their verb too.
VAGUE = re.compile(
    r"(?!.*(?:feed|need|seed|speed|embed|exceed|proceed)$)[a-z]+ed|told|found|seen|taken|made|kept|given|held|left|known|shown"
    r"|brought|thought|done|gone|lost|won|written|drawn|thrown|chosen|begun|sent|heard|said|meant|grown|fallen|forgotten"
    r"|spoken|taught"
    r"|of|in|at|on|by|to|from|with|without|beside|behind|before|after|over|under|near|between|within|since|until|for"
    r"|about|around|above|below|across|against|along|through"
)


def places_of_shared(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names that are met in more than one place, with the places."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for name, place in names:
        places[name].append(place)
    return {name: where for name, where in places.items() if len(where) > 1}


def test_no_class_and_no_module_is_called_like_another_one() -> None:
    paths = [path for room in ROOMS for path in modules(room)]
    classes = ((node.name, name_of(path)) for path in paths for node in walk(path) if isinstance(node, ast.ClassDef))
    assert places_of_shared(classes) == {}
    shared = places_of_shared((path.stem, name_of(path)) for path in paths if path.stem != "__init__")
    assert shared.keys() == SHARED_MODULES.keys(), shared


@pytest.mark.parametrize("room", ROOMS)
def test_no_function_is_called_by_a_participle_or_a_preposition_alone(room: str) -> None:
    vague = [
        f"{name_of(path)}:{node.lineno} {node.name}"
        for path in modules(room)
        for node in walk(path)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name not in PROMISED
        if VAGUE.fullmatch(node.name.strip("_")) and not any("property" in ast.unparse(n) for n in node.decorator_list)
    ]
    assert vague == []


# What puts the parts together lies above all rooms of `web`; only pages find the parts by the application.
ABOVE = {
    "web.app": {"web.hosts"},
    "web.hosts": set(),
    "web.services": {"web.app", "web.hosts", "web.pages", "web.programs"},
}


@pytest.mark.parametrize("above", ABOVE)
def test_what_puts_the_parts_together_is_loaded_by_no_part(above: str) -> None:
    loads = {name_of(path) for path in modules("web") if above in loaded_modules(path)}
    wrong = {name for name in loads if name not in ABOVE[above] and ".".join(name.split(".")[:2]) not in ABOVE[above]}
    assert wrong == set()


def test_the_server_is_handed_the_application_and_loads_none_of_it() -> None:
    program = "import sys, web.hosts.laptop.server, web.hosts.laptop.application; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {".".join(name.split(".")[:2]) for name in told.stdout.split()}
    below = {"web.hosts", "web.problems", "web.tasks", "web.texts", "web.limits", "web.pages"}
    assert loaded & {"flask", "vision", "scorer", *ABOVE, *INNER} <= below


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def loaded_packages(path: Path) -> set[str]:
    return {".".join(name.split(".")[:2]) for name in loaded_modules(path)}


@cache
def loaded_modules(path: Path) -> set[str]:
    """The modules that a file imports when it runs, with the names it takes of packages; inside functions too."""
    return set().union(*(names_of(node) for node in nodes_of(path, for_types=False)))


@cache
def needed_modules(path: Path) -> set[str]:
    """Those that `loaded` tells, and those that the file imports for type checkers alone."""
    return set().union(*(names_of(node) for node in nodes_of(path, for_types=True)))


def nodes_of(path: Path, for_types: bool) -> Iterator[ast.AST]:
    nodes: list[ast.AST] = [parse(path)]
    while nodes:
        node = nodes.pop()
        if not for_types and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes.extend(node.orelse)
            continue
        yield node
        nodes.extend(ast.iter_child_nodes(node))


def names_of(node: ast.AST) -> set[str]:
    """The modules that one statement imports."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        whole = {f"{node.module}.{alias.name}" for alias in node.names}
        return {each for each in whole if is_module(each)} or {node.module}
    return set()


@cache
def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


@pytest.mark.parametrize("name", WHOLE)
def test_a_folder_kept_out_of_the_quick_check_is_there(name: str) -> None:
    assert (ROOT / name).is_dir()
