import assert from "node:assert/strict";
import { test } from "node:test";
import { fromJson } from "../../web/static/shared/json.js";

const INHERITED = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];

test("no name is found in a value of JSON but its own", () => {
  const value = fromJson('{"cells": {"ones": 3}, "players": [{"boxes": {}}]}');
  for (const object of [value, value.cells, value.players[0], value.players[0].boxes])
    for (const name of INHERITED) {
      assert.equal(object[name], undefined, name);
      assert.equal(name in object, false, name);
    }
  assert.equal(value.cells.ones, 3);
  assert.deepEqual([fromJson("null"), fromJson("7"), fromJson("[1, [2]]")], [null, 7, [1, [2]]]);
});

test("a name that all objects have can be a key", () => {
  const text = `{${INHERITED.map((name, i) => `"${name}": {"is": ${i}}`).join(", ")}}`;
  const value = fromJson(text);
  for (const [i, name] of INHERITED.entries()) assert.deepEqual({ ...value[name] }, { is: i }, name);
  assert.equal(JSON.stringify(value), text.replaceAll(/([:,]) /g, "$1"));
});
