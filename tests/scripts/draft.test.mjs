import assert from "node:assert/strict";
import { test } from "node:test";
import * as draft from "../../web/static/editor/draft.js";

const TARGET = { name: "target", kind: "number", default: 10000 };
const DICE = { name: "dice", kind: "number", default: 6 };
const MOST_LEFT = { name: "bank_with_at_most", kind: "number", default: null };
const END = {
  name: "end",
  kind: "choice",
  default: "at-once",
  texts: { en: "the end", cs: "konec" },
  choices: ["at-once", "exact"].map((value) => ({ value, title: value, texts: { en: value, cs: `${value} česky` } })),
};
const look = (...dice) => ({ dice, words: "", title: "" });
const setup = () => ({
  names: { cs: "Farkle, our way" },
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
  fields: {
    file: [],
    rules: [TARGET, DICE, MOST_LEFT, { name: "opening", kind: "number", default: 0 }, END],
    item: [{ name: "points" }],
    pattern: ["alike", "exactly", "groups", "may_repeat", "run", "dice"].map((name) => ({ name })),
  },
  looks: [look(1), look(4, 4, 4)],
  common: [
    { tables: { dice: [1], points: 100 }, ...look(1) },
    { tables: { groups: [3, 2], points: 1500 }, ...look(1, 1, 4, 4, 4) },
  ],
});

/** A value of JSON, with the prototypes of literals. */
const literal = (value) => JSON.parse(JSON.stringify(value));

test("what nobody touched stays as it was", () => {
  const made = draft.newDraft(setup());
  assert.deepEqual(literal(draft.definitionOf(setup(), made)), {
    ...setup().tables,
    title: { en: "Farkle, our way", cs: "Farkle, our way" },
  });
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

test("a choice keeps each of its rules, also one that would hold in a file without it", () => {
  const fields = [
    [END, ["at-once", "exact"]],
    [{ name: "forced", kind: "flag", default: false }, [false, true]],
    [TARGET, [10000, 5000]],
    [MOST_LEFT, [null, 3]],
    [{ name: "leave", kind: "faces", default: [] }, [[], [2, 5]]],
    [{ name: "wiped_by", kind: "numbers", default: [] }, [[], [1, 2]]],
  ];
  for (const [field, values] of fields)
    for (const own of [undefined, ...values])
      for (const written of values) {
        const plain = setup();
        plain.fields.rules.push(field);
        if (own !== undefined) plain.tables.rules[field.name] = own;
        plain.tables.option = [{ name: "ours", title: "ours", rules: { [field.name]: values[1] } }];
        const made = draft.newDraft(plain);
        const value = { name: "one", title: "one", rules: { [field.name]: values[1] } };
        made.options.push({ id: 7, of: null, tables: { name: "new", title: "new", value: [value] }, gone: false });
        for (const path of [`option.7.value.0.rules.${field.name}`, `option.0.rules.${field.name}`]) {
          const { tables, original, field: shown } = draft.placeInOption(plain, made, path);
          draft.setValue(tables, original, shown, written);
          assert.deepEqual(literal(tables), { [field.name]: written }, path);
          assert.deepEqual(draft.valueIn(tables, shown) ?? null, written);
        }
        const [old, added] = draft.definitionOf(plain, made).option;
        assert.deepEqual(literal(old.rules), { [field.name]: written });
        assert.deepEqual(literal(added.value[0].rules), { [field.name]: written });
      }
});

test("combinations are added, changed, removed and come back; each is counted once", () => {
  const made = draft.newDraft(setup());
  const added = draft.addItem(made, setup().common[1]);
  assert.equal(draft.stateOf(setup(), made, added), "new");
  made.items[0].tables.points = 150;
  assert.equal(draft.stateOf(setup(), made, made.items[0]), "changed");
  draft.removeItem(made, 1);
  assert.equal(draft.stateOf(setup(), made, made.items[1]), "removed");
  assert.equal(draft.countChanges(setup(), made), 3);
  assert.deepEqual(literal(draft.definitionOf(setup(), made).rules.combination), [
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
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination", 1, "alike"]), "pattern.1.alike");
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination", 1]), "pattern.1.alike");
  draft.removeItem(made, 0);
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination", 0, "points"]), "item.1.points");
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination"]), "rules.combination");
  assert.equal(draft.pathOf(setup(), made, undefined), "");
});

test("what was begun is there again, unless the game has become another one", () => {
  const made = draft.newDraft(setup());
  const kept = { of: JSON.stringify(setup().tables), draft: made };
  assert.deepEqual(draft.keptDraft(setup(), kept), made);
  assert.equal(draft.keptDraft(setup(), { ...kept, of: "{}" }), null);
  for (const other of [null, {}, 7, { of: kept.of }, { of: kept.of, draft: {} }])
    assert.equal(draft.keptDraft(setup(), other), null);
});

test("a pattern is changed, and becomes one of another kind without what only the former had", () => {
  const made = draft.newDraft(setup());
  const [, alike] = made.items;
  alike.tables.exactly = true;
  draft.setPatternKind(alike, "groups");
  assert.deepEqual(alike.tables, { groups: [3, 2], points: 6 });
  assert.deepEqual(draft.patternFields(setup(), "groups"), ["groups", "may_repeat"]);
  assert.deepEqual(draft.patternFields(setup(), "alike"), ["alike"]);
  alike.tables = { ...alike.tables, groups: [4, 2] };
  assert.equal(draft.stateOf(setup(), made, alike), "changed");
  draft.restoreItem(setup(), made, 1);
  assert.equal(draft.countChanges(setup(), made), 0);
  assert.equal(draft.patternValue("run", [4]), 4);
  assert.deepEqual(draft.patternValue("run", [2, 6]), [2, 6]);
});

test("house rules are added, changed, removed and come back", () => {
  const with_options = setup();
  with_options.tables.option = [{ name: "target" }, { name: "quick", title: "quick", rules: { opening: 0 } }];
  const made = draft.newDraft(with_options);
  assert.deepEqual(
    draft.optionsToAdd(with_options, made).map(({ name }) => name),
    ["end"],
  );
  made.options[0].tables.low = 1000;
  made.options[1].tables.rules.opening = 300;
  const end = draft.addOption(made, END);
  assert.equal(draft.countChanges(with_options, made), 3);
  assert.deepEqual(literal(draft.definitionOf(with_options, made).option), [
    { name: "target", low: 1000 },
    { name: "quick", title: "quick", rules: { opening: 300 } },
    {
      name: "end",
      title: END.texts,
      value: [
        { name: "at-once", title: END.choices[0].texts },
        { name: "exact", title: END.choices[1].texts, rules: { end: "exact" } },
      ],
    },
  ]);
  made.rules.end = "exact";
  end.tables.value[0].title = "now";
  draft.followRule(made, END);
  assert.deepEqual(
    end.tables.value.map(({ name, title, rules }) => [name, literal(title), rules]),
    [
      ["exact", END.choices[1].texts, undefined],
      ["at-once", "now", { end: "at-once" }],
    ],
  );
  assert.equal(draft.pathOf(with_options, made, ["option", 1, "rules", "opening"]), "option.1.rules.opening");
  draft.removeItem(made, 0, "options");
  assert.equal(draft.pathOf(with_options, made, ["option", 0, "title"]), "option.1.title");
  draft.restoreItem(with_options, made, 0, "options");
  assert.deepEqual(literal(made.options[0].tables), { name: "target" });
});

test("a text is changed in one language, and the others stay", () => {
  assert.equal(draft.withText("", "en", " Ours "), "Ours");
  assert.deepEqual(draft.withText("", "cs", "Naše"), { en: "Naše", cs: "Naše" }, "English stands in for all");
  assert.deepEqual(draft.withText({ en: "Naše", cs: "Naše" }, "cs", "Jiné"), { en: "Jiné", cs: "Jiné" });
  assert.deepEqual(draft.withText({ en: "Naše", cs: "Naše" }, "en", "Ours"), { en: "Ours", cs: "Naše" });
  assert.deepEqual(draft.withText({ en: "Us", cs: "My" }, "pl", "Nasze"), { en: "Us", cs: "My", pl: "Nasze" });
  assert.deepEqual(draft.withText("Ours", "pl", "Nasze"), { en: "Ours", pl: "Nasze" });
  assert.equal(draft.withText({ en: "Ours", pl: "Nasze" }, "pl", ""), "Ours");
  assert.deepEqual(draft.withText({ en: "Ours", pl: "Nasze" }, "en", ""), { en: "Nasze", pl: "Nasze" });
  assert.equal(draft.withText({ en: "Naše", cs: "Naše" }, "cs", ""), "");
  assert.equal(draft.textIn({ en: "Ours", cs: "Naše" }, "pl"), "Ours");
  assert.equal(draft.textIn(undefined, "pl"), "");
  assert.equal(draft.otherText({ en: "Naše", cs: "Naše" }, "en", "cs"), "", "nothing was written for it");
  assert.equal(draft.otherText({ en: "Ours", cs: "Naše" }, "en", "cs"), "Ours");
});

test("paragraphs about the rules are added and left out", () => {
  const made = draft.newDraft(setup());
  made.texts.text.push("", "More.");
  assert.deepEqual(draft.definitionOf(setup(), made).text, ["More."]);
  assert.equal(draft.countChanges(setup(), made), 1);
  assert.equal(draft.pathOf(setup(), made, ["text", 0]), "text.1");
});

test("one of several sets of dice is typed in lines, and a refusal leads to it", () => {
  assert.deepEqual(draft.typedSets("1 2 3\n4 5 6, 1 1;\n"), [
    [1, 2, 3],
    [4, 5, 6],
    [1, 1],
  ]);
  const made = draft.newDraft(setup());
  draft.setPatternKind(made.items[1], "dice");
  assert.equal(draft.patternKind(made.items[1].tables), "dice");
  assert.deepEqual(draft.patternFields(setup(), "dice"), ["dice"]);
  assert.equal(draft.pathOf(setup(), made, ["rules", "combination", 1, "dice", 0, 2]), "pattern.1.dice");
  assert.deepEqual(draft.patternValue("dice", [[1, 1]]), [1, 1]);
  assert.deepEqual(draft.patternValue("dice", [[1], [2]]), [[1], [2]]);
});

test("combinations and cells move before the one above, which is one change", () => {
  const made = draft.newDraft(setup());
  const added = draft.addItem(made, setup().common[1]);
  draft.removeItem(made, 1);
  draft.moveUp(made, added.id);
  draft.moveUp(made, added.id);
  assert.deepEqual(literal(draft.definitionOf(setup(), made).rules.combination), [
    { groups: [3, 2], points: 1500 },
    { dice: [1], points: 100 },
  ]);
  const other = draft.newDraft(setup());
  draft.moveUp(other, 1);
  assert.equal(draft.countChanges(setup(), other), 1);
  draft.moveUp(other, 0);
  assert.equal(draft.countChanges(setup(), other), 0);
});

test("who may play and where rules are from change alone, and stay as they were otherwise", () => {
  const about = [
    { name: "players", kind: "number", default: 12 },
    { name: "source", kind: "text", default: "" },
  ];
  const { tables, fields, ...rest } = setup();
  const wider = { ...rest, tables: { ...tables, source: "a box", order: 3 }, fields: { ...fields, file: about } };
  const made = draft.newDraft(wider);
  assert.equal(draft.countChanges(wider, made), 0);
  draft.setValue(made.file, wider.tables, about[0], 4);
  assert.equal(draft.countChanges(wider, made), 1);
  const { players, source, order } = draft.definitionOf(wider, made);
  assert.deepEqual([players, source, order], [4, "a box", 3]);
  assert.equal(draft.pathOf(wider, made, ["players"]), "file.players");
});

test("a sheet's columns are one free column until others are made", () => {
  const plain = { ...setup(), list: "cell" };
  const made = draft.newDraft(plain);
  assert.deepEqual(literal(draft.columnsIn(made.rules)), [{}]);
  draft.setColumns(plain, made, [{}, { order: "up", factor: 2 }]);
  assert.equal(draft.countChanges(plain, made), 1);
  assert.deepEqual(literal(draft.definitionOf(plain, made).rules.column), [{}, { order: "up", factor: 2 }]);
  assert.equal(draft.pathOf(plain, made, ["rules", "column", 1, "order"]), "column.1.order");
  assert.equal(draft.pathOf(plain, made, ["rules", "column"]), "rules.column");
  draft.setColumns(plain, made, [{}]);
  assert.equal(draft.countChanges(plain, made), 0);
  assert.equal("column" in draft.definitionOf(plain, made).rules, false);
  assert.equal(draft.patternValue("served", [5]), 5);
  assert.deepEqual(literal(draft.patternValue("served", [20, 10])), [20, 10]);
  assert.equal(draft.patternValue("served", []), 0);
});

test("a difference of cells goes with one of them", () => {
  const rules = { difference: ["max", "min", "ones"], cell: [{ key: "max" }, { key: "min" }, { key: "chance" }] };
  const upper = ["ones", "twos", "threes", "fours", "fives", "sixes"].map((value) => ({ value, title: value }));
  const yamb = {
    ...setup(),
    upper,
    list: "cell",
    looks: [look(), look(), look()],
    tables: { ...setup().tables, rules },
  };
  const made = draft.newDraft(yamb);
  assert.deepEqual(literal(draft.definitionOf(yamb, made).rules.difference), rules.difference);
  draft.removeItem(made, 2);
  assert.deepEqual(literal(draft.definitionOf(yamb, made).rules.difference), rules.difference);
  draft.removeItem(made, 1);
  assert.equal("difference" in draft.definitionOf(yamb, made).rules, false);
  const low = draft.newDraft(yamb);
  low.rules.upper = [6];
  assert.equal("difference" in draft.definitionOf(yamb, low).rules, false);
  assert.deepEqual(literal(draft.singleCells(yamb, low).map(({ value }) => value)), ["sixes", "max", "min", "chance"]);
});

test("cells of a difference are three, all different", () => {
  const known = ["ones", "max", "min", "chance"];
  assert.deepEqual(literal(draft.withCell([], 0, "max", known)), ["max", "ones", "min"]);
  assert.deepEqual(literal(draft.withCell(["max", "ones", "min"], 1, "min", known)), ["max", "min", "ones"]);
  assert.deepEqual(literal(draft.withCell(["max", "min", "ones"], 2, "chance", known)), ["max", "min", "chance"]);
  assert.equal(draft.withCell(["max", "min", "ones"], 0, "", known), null);
  assert.deepEqual(literal(draft.withCell([], 0, "max", ["max"])), ["max", "", ""]);
});
