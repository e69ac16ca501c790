// Makes the archives of the application with the Python that will run them: node pack.mjs PYODIDE TREE.tar FOLDER
//
// FOLDER gets `app.tar`, what a typed throw needs, `later.tar`, the rest, and the files that all phones are sent alike.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, tree, folder] = process.argv.slice(2).map((each) => path.resolve(each));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.writeFile("/tree.tar", fs.readFileSync(tree));
python.runPython(`
import compileall, json, os, py_compile, shutil, sys, tarfile
from pathlib import Path

APP = Path("/app")
SOURCES = ("/app/web/store/migrations/",)  # which Alembic loads by their sources
tarfile.open("/tree.tar").extractall(APP, filter="tar")
sys.path[:0] = [str(APP), str(APP / "site")]
sys.dont_write_bytecode = True
from web.hosts.phone.site.rehearsal import rehearse
first = {each.removeprefix("/app/") for each in json.loads(rehearse())}
shutil.rmtree(APP / "web/hosts/phone/site")

names = {}
for path in sorted(APP.rglob("*.py")):
    name = path.relative_to(APP).as_posix()
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compiled = py_compile.compile(str(path), cfile=f"{path}c", dfile=name, doraise=True, invalidation_mode=mode)
    if not str(path).startswith(SOURCES):
        path.unlink()

def is_first(name):
    if name.endswith(".pyc"):
        return name[:-1] in first or name.startswith(("web/", "scorer/"))
    return name in first or not name.endswith(".py") and "/alembic/" not in name

def pack(target, names):
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name in names:
            entry = archive.gettarinfo(APP / name, name)
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname, entry.mode = 0, 0, 0, "", "", 0o644
            with open(APP / name, "rb") as file:
                archive.addfile(entry, file)

files = sorted(path.relative_to(APP).as_posix() for path in APP.rglob("*") if path.is_file())
os.makedirs("/site", exist_ok=True)
pack("/site/app.tar", [name for name in files if is_first(name)])
pack("/site/later.tar", [name for name in files if not is_first(name)])
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
