// Prints the tokens of the scripts named on standard input, a JSON list of texts: comments are none.
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)("typescript");

/** @param {string} text */
function tokens(text) {
  const found = [];
  const visit = (node) => {
    const children = node
      .getChildren(source)
      .filter((child) => child.kind < ts.SyntaxKind.FirstJSDocNode || child.kind > ts.SyntaxKind.LastJSDocNode);
    if (children.length === 0) found.push(node.getText(source));
    else children.forEach(visit);
  };
  const source = ts.createSourceFile("script.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  visit(source);
  return found;
}

let input = "";
for await (const piece of process.stdin) input += piece;
console.log(JSON.stringify(JSON.parse(input).map(tokens)));
