import assert from "node:assert/strict";
import { test } from "node:test";
import * as draft from "../../web/static/editor/draft.js";

const TARGET = { name: "target", kind: "number", default: 10000 };
const DICE = { name: "dice", kind: "number", default: 6 };
const MOST_LEFT = { name: "bank_with_at_most", kind: "number", default: null };
const look = (...dice) => ({ dice, words: "", title: "" });
const setup = () => ({
  name: "Farkle, our way",
  title: "Farkle",
  list: "combination",
  language: "cs",
  tables: {
    family: "ten-thousand",
    title: { en: "Farkle" },
    summary: { en: "A race.", cs: "Závod." },
    rules: {
      opening: 500,
      combination: [
        { dice: [1], points: 100 },
        { alike: 3, points: [1, 2, 3, 4, 5, 6] },
      ],
    },
  },
  fields: { rules: [TARGET, DICE, MOST_LEFT, { name: "opening", default: 0 }], item: [{ name: "points" }] },
  looks: [look(1), look(4, 4, 4)],
  common: [
    { tables: { dice: [1], points: 100 }, ...look(1) },
    { tables: { groups: [3, 2], points: 1500 }, ...look(1, 1, 4, 4, 4) },
  ],
});

test("what nobody touched stays as it was", () => {
  const made = draft.newDraft(setup());
  assert.deepEqual(draft.definitionOf(setup(), made), { ...setup().tables, title: "Farkle, our way" });
  assert.equal(draft.countChanges(setup(), made), 0);
});

test("a value that holds anyway is not written, and one of the original comes back", () => {
  const { rules } = setup().tables;
  const tables = { ...rules };
  draft.setValue(tables, rules, TARGET, 5000);
  assert.equal(tables.target, 5000);
  assert.ok(draft.isChanged(tables, rules, TARGET));
  draft.setValue(tables, rules, TARGET, 10000);
  assert.ok(!("target" in tables));
  draft.setValue(tables, rules, MOST_LEFT, 3);
  draft.setValue(tables, rules, MOST_LEFT, null);
  assert.deepEqual(tables, rules);
});

test("combinations are added, changed, removed and come back; each is counted once", () => {
  const made = draft.newDraft(setup());
  const added = draft.addItem(made, setup().common[1]);
  assert.equal(draft.stateOf(setup(), added), "new");
  made.items[0].tables.points = 150;
  assert.equal(draft.stateOf(setup(), made.items[0]), "changed");
  draft.removeItem(made, 1);
  assert.equal(draft.stateOf(setup(), made.items[1]), "removed");
  assert.equal(draft.countChanges(setup(), made), 3);
  assert.deepEqual(draft.definitionOf(setup(), made).rules.combination, [
    { dice: [1], points: 150 },
    { groups: [3, 2], points: 1500 },
  ]);
  draft.restoreItem(setup(), made, 1);
  draft.restoreItem(setup(), made, 0);
  draft.removeItem(made, added.id);
  assert.equal(draft.countChanges(setup(), made), 0);
});

test("only what the game lacks and its dice can show may be added", () => {
  const made = draft.newDraft(setup());
  assert.deepEqual(
    draft.itemsToAdd(setup(), made).map(({ tables }) => tables.groups),
    [[3, 2]],
  );
  made.rules.dice = 4;
  assert.deepEqual(draft.itemsToAdd(setup(), made), []);
  draft.removeItem(made, 0);
  assert.equal(draft.itemsToAdd(setup(), made).length, 1);
});

test("numbers are read as people write them, and nothing else becomes one", () => {
  for (const text of ["5000", "5,000", "5 000", "5\u202f000", "5.000", " 5000 "])
    assert.equal(draft.typedNumber(text), 5000, text);
  assert.equal(draft.typedNumber(" "), null);
  for (const text of ["abc", "-5", "1e3", "5x", "12345678901"]) assert.equal(draft.typedNumber(text), text);
  assert.deepEqual(draft.typedNumbers("2, 3;4  x"), [2, 3, 4, "x"]);
});

test("a refusal leads to its field, also after something was removed above it", () => {
  const made = draft.newDraft(setup());
  assert.equal(draft.pathOf(setup(), made, ["rules", "target"]), "rules.target");
  assert.equal(draft.pathOf(setup(), made, ["title"]), "name");
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination", 1, "points"]), "item.1.points");
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination", 1, "alike"]), "item.1.points");
  draft.removeItem(made, 0);
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination", 0, "points"]), "item.1.points");
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination"]), "rules.combination");
  assert.equal(draft.pathOf(setup(), made, undefined), "");
});

test("what was begun is there again, unless the game has become another one", () => {
  const made = draft.newDraft(setup());
  const kept = { of: JSON.stringify(setup().tables), draft: made };
  assert.equal(draft.keptDraft(setup(), kept), made);
  assert.equal(draft.keptDraft(setup(), { ...kept, of: "{}" }), null);
  for (const other of [null, {}, 7, { of: kept.of }, { of: kept.of, draft: {} }])
    assert.equal(draft.keptDraft(setup(), other), null);
});
