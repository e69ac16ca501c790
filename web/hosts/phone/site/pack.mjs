// Makes the archives of the application with the Python that will run them: node pack.mjs PYODIDE TREE.tar FOLDER
//
// FOLDER gets `app.tar`, what a typed throw needs, `later.tar`, the rest, and the files that all phones are sent alike.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, tree, folder] = process.argv.slice(2).map((each) => path.resolve(each));
process.on("uncaughtException", (error) => {
  console.error(error.message); // node would show all of Pyodide's one line beside it
  process.exit(1);
});
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.writeFile("/tree.tar", fs.readFileSync(tree));
python.runPython(`
import ast, importlib.util, io, json, os, shutil, sys, tarfile, zipfile
from pathlib import Path

APP = Path("/app")
STDLIB = next(each for each in sys.path if each.endswith(".zip"))
WITH_DOCSTRING = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
ALWAYS = ("pyodide/", "_pyodide/")  # a browser may need what node does not
LATER = ("models/", "site/numpy/")  # for best play
tarfile.open("/tree.tar").extractall(APP, filter="tar")
sys.path[:0] = [str(APP), str(APP / "site")]
sys.dont_write_bytecode = True
from web.hosts.phone.site.rehearsal import rehearse
loaded = json.loads(rehearse())
shutil.rmtree(APP / "web/hosts/phone/site")
for path in (APP / "web/templates").glob("*.html"):
    path.unlink()  # they are modules now

def compiled(source, name):
    """The bytecode of a module without its docstrings, as a file that is never compared with its source."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node, False) is not None:
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
            if isinstance(node, ast.Module):  # what comes from __future__ must stay first
                del node.body[0]
    code = compile(tree, name, "exec", dont_inherit=True)
    return importlib._bootstrap_external._code_to_hash_pyc(code, b"\\0" * 8, False)

parts = {"app": {}, "later": {}, "stdlib": {}}
first = {each.removeprefix("/app/") for each in loaded if each.startswith("/app/")}
for path in sorted(path for path in APP.rglob("*") if path.is_file()):
    name, content = path.relative_to(APP).as_posix(), path.read_bytes()
    if name.endswith(".py"):
        where = "app" if name in first or name.startswith(("web/", "scorer/")) else "later"
        name, content = name + "c", compiled(content, name)
    else:
        where = "later" if name.startswith(LATER) else "app"
    parts[where][name] = content
first = {each.removeprefix(STDLIB + "/") for each in loaded if each.startswith(STDLIB + "/")}
with zipfile.ZipFile(STDLIB) as archive:
    for name in sorted(archive.namelist()):
        if name.endswith(".py"):
            where = ("stdlib", name) if name in first or name.startswith(ALWAYS) else ("later", "later/" + name)
            parts[where[0]][where[1] + "c"] = compiled(archive.read(name), name)

os.makedirs("/site", exist_ok=True)
for part in ("app", "later"):
    with tarfile.open(f"/site/{part}.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in parts[part].items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
with zipfile.ZipFile("/site/stdlib.zip", "w") as archive:  # stored: what travels is compressed as a whole
    for name, content in parts["stdlib"].items():
        archive.writestr(zipfile.ZipInfo(name), content)
`);

function copy(from, to) {
  fs.mkdirSync(to, { recursive: true });
  for (const name of python.FS.readdir(from)) {
    if (name === "." || name === "..") continue;
    const [inside, outside] = [`${from}/${name}`, path.join(to, name)];
    if (python.FS.isDir(python.FS.stat(inside).mode)) copy(inside, outside);
    else fs.writeFileSync(outside, python.FS.readFile(inside));
  }
}
copy("/site", folder);
