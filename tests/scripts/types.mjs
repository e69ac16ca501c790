// Checks the types of all scripts strictly: `npm run check`. The files of loosely-typed.json were written before all
// parameters had types: none may get more faults than it has there, and `node tests/scripts/types.mjs set` lowers them.
// A name that does not exist is never allowed.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ts = createRequire(import.meta.url)("typescript");
const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const LIST = path.join(ROOT, "tests/scripts/loosely-typed.json");
const NO_SUCH_NAME = [2304, 2552];
const PROJECTS = ["tsconfig.json", "web/hosts/phone/tsconfig.json"]; // scripts of workers know no page

/** @type {string[]} */
const unknown = [];

/** The faults by file: such as "web/static/pages/days.js". */
function faultsByFile() {
  const found = new Map();
  for (const project of PROJECTS) {
    const config = ts.getParsedCommandLineOfConfigFile(path.join(ROOT, project), {}, ts.sys);
    for (const each of ts.getPreEmitDiagnostics(ts.createProgram(config.fileNames, config.options))) {
      const file = each.file ? path.relative(ROOT, each.file.fileName) : project;
      const line = each.file ? each.file.getLineAndCharacterOfPosition(each.start).line + 1 : 1;
      const text = `${file}:${line}: ${ts.flattenDiagnosticMessageText(each.messageText, " ")}`;
      found.set(file, [...(found.get(file) ?? []), text]);
      if (NO_SUCH_NAME.includes(each.code)) unknown.push(text);
    }
  }
  return found;
}

const allowed = JSON.parse(readFileSync(LIST, "utf8"));
const faults = faultsByFile();
if (process.argv[2] === "set") {
  const counts = Object.entries(allowed).map(([file, most]) => [file, Math.min(most, faults.get(file)?.length ?? 0)]);
  const left = Object.fromEntries(counts.filter(([, count]) => count > 0));
  writeFileSync(LIST, `${JSON.stringify(left, null, 2)}\n`);
  process.exit(0);
}
const wrong = [...faults].filter(([file, texts]) => texts.length > (allowed[file] ?? 0));
const right = Object.keys(allowed).filter((file) => !faults.has(file));
for (const [file, texts] of wrong)
  console.log(`${file}: ${texts.length} faults, at most ${allowed[file] ?? 0} may stand\n${texts.join("\n")}`);
for (const text of unknown) console.log(text);
for (const file of right)
  console.log(`${file}: no fault is left; take it off the list (node tests/scripts/types.mjs set)`);
process.exit(wrong.length + right.length + unknown.length > 0 ? 1 : 0);
