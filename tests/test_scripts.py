"""The scripts of the pages: tested, short lines, formatted, their types right, each page with those it uses."""

import json
import re
import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from web.pages import static

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted((ROOT / "web").rglob("*.js"))
LONGEST = 120
MOST_LINES_OF_FUNCTION, MOST_LINES_OF_CLASS = 60, 300
# What is longer today, and how long: none is added, and what was split goes.
LONGER = {
    "web/static/dialogs/review.js Review": 435,
    "web/static/sheets/knaster.js sheet": 92,
    "web/static/sheets/score-pad.js sheet": 71,
    "web/static/editor/form.js control": 70,
}
OLDEST_NODE = [20, 11]  # it has a clock that tests may set
# The folders of `web/static` from which the scripts of each may import, besides their own.
BELOW = {
    "pages": {"camera", "dialogs", "editor", "sheets", "shared"},
    "table": {"camera", "dialogs", "sheets", "shared", "voice"},
    "voice": {"camera", "dialogs", "sheets", "shared"},
    "camera": {"dialogs", "shared"},
    "dialogs": {"shared"},
    "editor": {"shared"},
    "sheets": {"shared"},
    "shared": set(),
}
IMPORT = re.compile(r'^(?! */?\*).*(?:from|import|import\() ?"(\.[^"]+\.js)"', re.MULTILINE)


def test_no_line_of_a_script_is_too_long() -> None:
    assert SCRIPTS, "there are no scripts"
    lines = [(path, number, line) for path in SCRIPTS for number, line in enumerate(path.read_text().splitlines(), 1)]
    assert [f"{path.relative_to(ROOT)}:{number}" for path, number, line in lines if len(line) > LONGEST] == []


@pytest.mark.whole
def test_the_scripts_pass_their_own_tests() -> None:
    """Those of `tests/scripts`, in node as the browser loads the scripts: no build, no package."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: it runs the tests of the scripts")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if [int(number) for number in re.findall(r"\d+", version)] < OLDEST_NODE:
        pytest.skip(
            f"the tests of the scripts need node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer, not {version.strip()}"
        )
    tests = sorted((ROOT / "tests" / "scripts").glob("*.test.mjs"))
    assert tests, "there are no tests of scripts"
    run = subprocess.run([node, "--test", *tests], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr


def test_functions_and_classes_are_short() -> None:
    need_typescript()
    files = [path.relative_to(ROOT).as_posix() for path in SCRIPTS]
    run = subprocess.run(["node", "tests/scripts/sizes.mjs", *files], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    sizes = json.loads(run.stdout)
    assert len(sizes["functions"]) > 500
    found = {name: lines for name, lines in sizes["functions"].items() if lines > MOST_LINES_OF_FUNCTION}
    found |= {name: lines for name, lines in sizes["classes"].items() if lines > MOST_LINES_OF_CLASS}
    assert {name: lines for name, lines in found.items() if lines > LONGER.get(name, 0)} == {}
    assert LONGER.keys() - found.keys() == set(), "these are short now: take them off the list"


def need_typescript() -> None:
    if not (ROOT / "node_modules" / "typescript").exists():
        pytest.skip(f"TypeScript is not installed: `npm ci` in {ROOT} installs it")


def test_the_scripts_are_formatted() -> None:
    # A cache of its own, since `npm run format` deletes the usual one. It knows a file by what is in it.
    cache = ("--cache", "--cache-strategy", "content", "--cache-location", "node_modules/.cache/prettier-of-tests")
    check(
        "prettier",
        "--check",
        *cache,
        "web/static/**/*.{js,ts}",
        "web/hosts/phone/**/*.{js,mjs,ts}",
        "tests/scripts/*.mjs",
    )


@pytest.mark.parametrize("project", [".", "web/hosts/phone"])
def test_the_types_of_the_scripts_are_right(project: str) -> None:
    check("tsc", "-p", project)


def check(tool: str, *arguments: str) -> None:
    """Runs a tool of package.json, which must find nothing."""
    program = ROOT / "node_modules" / ".bin" / tool
    if not program.exists():
        pytest.skip(f"{tool} is not installed: `npm ci` in {ROOT} installs it")
    found = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.whole
def test_scripts_travel_without_their_comments_and_are_the_same() -> None:
    texts = [path.read_text(encoding="utf-8") for path in SCRIPTS]
    sent = [static.as_sent(text) for text in texts]
    assert sum(map(len, sent)) < 0.85 * sum(map(len, texts))
    # The space before the lines of a template, which is HTML, goes too.
    without_space = [[re.sub(r"\n\s+", "\n", token) for token in found] for found in tokens(texts)]
    assert tokens(sent) == without_space


def tokens(texts: list[str]) -> list[list[str]]:
    need_typescript()
    program = ["node", "tests/scripts/tokens.mjs"]
    run = subprocess.run(program, cwd=ROOT, input=json.dumps(texts), capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    found: list[list[str]] = json.loads(run.stdout)
    assert all(found), "a script without tokens"
    return found


@pytest.mark.parametrize("main", static.JOINED)
def test_a_joined_script_has_all_that_it_imports(main: str) -> None:
    script = static.joined_script(main, static.JOINED[main])
    assert set(static.modules(main)) == imported_modules(main)
    there = set(re.findall(r"^const \$(\w+) = \(\(\) => \{$", script, re.MULTILINE))
    own = imported_modules(main) - imported_modules(static.JOINED[main] or "pages/theme.js") - {main}
    assert there == {re.sub(r"\W", "_", name.removesuffix(".js")) for name in own}
    lines = [line for line in script.splitlines() if line.startswith("import")]
    assert len(lines) == (static.JOINED[main] is not None), "all else has become part of it"


def test_joined_modules_export_what_they_export_alone(tmp_path: Path) -> None:
    """Each module that runs without a page, joined with what it imports: the same exports."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    names = [
        name
        for name in sorted(imported_modules("table/on-demand.js") | imported_modules("sheets/all.js"))
        if "/" in name
    ]
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for number, name in enumerate(names):
        (tmp_path / f"{number}.js").write_text(static.joined_script(name), encoding="utf-8")
    addresses = [(static.FOLDER / name).as_uri() for name in names]
    program = f"""
    const text = (all) => JSON.stringify(Object.entries(all).filter(([name]) => !name.startsWith("$"))
      .map(([name, value]) => [name, typeof value]));
    for (const [number, address] of {json.dumps(addresses)}.entries()) {{
      const [joined, alone] = [text(await import(`./${{number}}.js`)), text(await import(address))];
      if (joined !== alone) throw new Error(`${{address}}: ${{joined}} ${{alone}}`);
    }}"""
    (tmp_path / "compare.js").write_text(program)
    run = subprocess.run([node, "compare.js"], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr


def test_values_from_json_have_no_prototypes() -> None:
    """A cell or a rule may be called "constructor", which every object with a prototype has."""
    reads = {
        path.name for path in static.FOLDER.rglob("*.js") if re.search(r"JSON\.parse\(|\.json\(", path.read_text())
    }
    assert reads == {"json.js"}


def test_a_folder_imports_only_what_lies_below_it() -> None:
    """And no module comes back to itself."""
    graph = {path.relative_to(static.FOLDER).as_posix(): imports(path) for path in static.FOLDER.rglob("*.js")}
    for module, names in graph.items():
        folder = module.partition("/")[0]
        above = {name for name in names if name.partition("/")[0] not in {folder, *BELOW[folder]}}
        assert not above, f"{module} imports {', '.join(sorted(above))}"
    list(TopologicalSorter(graph).static_order())


def imported_modules(name: str) -> set[str]:
    """A module of `web/static` and all that it imports, and they."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imports(static.FOLDER / module)
    return found


def imports(path: Path) -> set[str]:
    """The modules that a script imports itself."""
    names = IMPORT.findall(path.read_text())
    return {(path.parent / name).resolve().relative_to(static.FOLDER.resolve()).as_posix() for name in names}
