// Prints how many lines the functions and classes of the scripts named as arguments have: {"functions": {"FILE NAME": 70}}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript");
const found = { functions: {}, classes: {} };

for (const file of process.argv.slice(2)) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const lineOf = (place) => source.getLineAndCharacterOfPosition(place).line;
  const visit = (node) => {
    const kind = ts.isClassLike(node) ? "classes" : ts.isFunctionLike(node) && node.body ? "functions" : null;
    const name = node.name?.getText() ?? node.parent?.name?.getText() ?? "";
    if (kind) found[kind][`${file} ${name}`] = lineOf(node.end) - lineOf(node.getStart()) + 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
}
console.log(JSON.stringify(found));
