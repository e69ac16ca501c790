// A game that a person changes: what was changed, and the tables of its file. Pure values and functions.

import { fromJson } from "../shared/json.js";

/** @param {any} value @returns {any} */
export const copyOf = (value) => fromJson(JSON.stringify(value));
/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The draft in which nothing is changed yet but the name. @returns {Draft} @param {EditorSetup} setup */
export function newDraft(setup) {
  const { [setup.list]: items = [], ...rules } = copyOf(setup.tables.rules);
  return {
    texts: { title: namesOf(setup), summary: copyOf(setup.tables.summary), text: copyOf(setup.tables.text ?? []) },
    file: Object.fromEntries(ABOUT.flatMap((name) => (name in setup.tables ? [[name, setup.tables[name]]] : []))),
    rules,
    items: items.map((/** @type {Values} */ tables, /** @type {number} */ of) => ({
      id: of,
      of,
      tables,
      look: withoutTables(setup.looks[of]),
      gone: false,
    })),
    options: optionsOf(setup).map((tables, of) => ({ id: of, of, tables: copyOf(tables), look: NO_LOOK, gone: false })),
  };
}

const ABOUT = ["players", "source"]; // of the file, each one value

const NO_LOOK = { dice: [], words: "", title: "", titles: {} };
/** @param {Look} look */
const withoutTables = ({ dice, words, title, titles }) => ({ dice, words, title, titles });

/** The name that the form begins with. @param {EditorSetup} setup */
function namesOf(setup) {
  let text = /** @type {LocalText} */ ("");
  for (const [language, name] of Object.entries(setup.names)) text = withText(text, language, name);
  return text;
}

// --- texts in several languages ---

/** @param {LocalText | undefined} text @returns {Record<string, string>} */
const byLanguage = (text) => (typeof text === "string" ? (text ? { en: text } : {}) : { ...text });

/** A text as phones of one language show it. @param {LocalText | undefined} text @param {string} language */
export const textIn = (text, language) => byLanguage(text)[language] ?? byLanguage(text).en ?? "";

/** What was written of a text in another language than that of this phone; "" if this phone's text stands in for it.
 * @param {LocalText | undefined} text @param {string} language @param {string} own */
export function otherText(text, language, own) {
  const texts = byLanguage(text);
  return language === "en" && own !== "en" && texts.en === texts[own] ? "" : (texts[language] ?? "");
}

/**
 * A text with another wording in one language. The others stay; English, which stands in where a language has none of
 * their own, follows one that was all there was.
 * @param {LocalText | undefined} text @returns {LocalText} @param {string} language @param {string} value
 */
export function withText(text, language, value) {
  const texts = byLanguage(text);
  const before = texts[language];
  texts[language] = value.trim();
  if (!texts[language]) delete texts[language];
  const others = Object.keys(texts).filter((each) => each !== "en");
  if (texts.en === undefined || (language !== "en" && texts.en === before))
    texts.en = texts[language] ?? texts[others[0]];
  if (texts.en === undefined) return "";
  return Object.keys(texts).length > 1 ? texts : texts.en;
}

/** The house rules of the original. @param {EditorSetup} setup @returns {Values[]} */
export const optionsOf = (setup) => setup.tables.option ?? [];

/** The tables of an item in the original; undefined for a new one.
 * @param {EditorSetup} setup @param {Draft} draft @param {DraftItem} item */
export const originalOf = (setup, draft, item) =>
  item.of === null
    ? undefined
    : (draft.options.includes(item) ? optionsOf(setup) : setup.tables.rules[setup.list])[item.of];

/** The tables of the game's file. @param {EditorSetup} setup @param {Draft} draft */
export function definitionOf(setup, draft) {
  const { title, summary, text } = draft.texts;
  /** @type {Values} */
  const tables = { ...setup.tables, title, summary, rules: { ...draft.rules } };
  for (const name of ABOUT) delete tables[name];
  Object.assign(tables, draft.file);
  if (setup.tables.text || text.length) tables.text = text.filter(Boolean);
  if (setup.list) tables.rules[setup.list] = keptItems(draft).map((item) => item.tables);
  if (tables.rules.difference && !differenceIn(setup, draft)) delete tables.rules.difference;
  if (setup.tables.option || draft.options.length) tables.option = keptOptions(draft).map((item) => item.tables);
  return tables;
}

/** The cells of a sheet that stand once: of these some may count by their difference.
 * @param {EditorSetup} setup @param {Draft} draft */
export function singleCells(setup, draft) {
  const faces = draft.rules.upper ?? [1, 2, 3, 4, 5, 6];
  const single = keptItems(draft).filter(({ tables }) => tables.key && (tables.stands ?? 1) === 1);
  return [
    ...faces.map((/** @type {number} */ face) => setup.upper[face - 1]),
    ...single.map(({ tables, look }) => ({
      value: tables.key,
      title: (tables.title && textIn(tables.title, setup.language)) || look.title,
    })),
  ];
}

/** The cells that count by their difference; null if the sheet no longer has them all.
 * @param {EditorSetup} setup @param {Draft} draft */
export function differenceIn(setup, draft) {
  const keys = singleCells(setup, draft).map(({ value }) => value);
  return draft.rules.difference?.every((/** @type {string} */ key) => keys.includes(key))
    ? draft.rules.difference
    : null;
}

/**
 * Cells with this one at a place, all different; null for none at the first. One that stood there before takes the
 * place that the new one leaves, and places without any have the first that are left.
 * @param {string[]} cells @param {number} place @param {string} key @param {string[]} known
 */
export function withCell(cells, place, key, known) {
  if (!key) return null;
  const found = cells.map((each) => (each === key ? cells[place] : each));
  found[place] = key;
  for (const at of [0, 1, 2]) found[at] ??= known.find((each) => !found.includes(each)) ?? "";
  return found;
}

/** @param {Draft} draft */
export const keptItems = (draft) => draft.items.filter((item) => !item.gone);

/** @param {Draft} draft */
export const keptOptions = (draft) => draft.options.filter((item) => !item.gone);

/** A field's value in some tables: what is written there, else what holds without.
 * @param {Values} tables @param {RuleField} field */
export const valueIn = (tables, field) => tables[field.name] ?? field.default;

/** Writes a field's value into tables; what holds anyway is written only where the original has it.
 * @param {Values} tables @param {Values} original @param {RuleField} field @param {any} value */
export function setValue(tables, original, field, value) {
  if (same(value, field.default) && !(field.name in original)) delete tables[field.name];
  else if (value === null && field.default === null) delete tables[field.name];
  else tables[field.name] = value;
}

/** Whether a field has another value than in the original.
 * @param {Values} tables @param {Values} original @param {RuleField} field */
export const isChanged = (tables, original, field) => !same(valueIn(tables, field), valueIn(original, field));

/** What became of a combination, a cell or a house rule: "new", "removed", "changed" or "".
 * @param {Draft} draft @param {DraftItem} item @param {EditorSetup} setup */
export function stateOf(setup, draft, item) {
  if (item.gone) return "removed";
  if (item.of === null) return "new";
  return same(item.tables, originalOf(setup, draft, item)) ? "" : "changed";
}

/** How many things differ from the original, its name apart. @param {Draft} draft @param {EditorSetup} setup */
export function countChanges(setup, draft) {
  const rules = setup.fields.rules.filter((field) => isChanged(draft.rules, setup.tables.rules, field));
  const about = aboutFields(setup).filter((field) => isChanged(draft.file, setup.tables, field));
  const kept = keptItems(draft).flatMap(({ of }) => (of === null ? [] : [of]));
  const moved = kept.some((of, place) => of < kept[place - 1]);
  const items = [...draft.items, ...draft.options].filter((item) => stateOf(setup, draft, item));
  const { summary, text } = draft.texts;
  const texts = [same(summary, setup.tables.summary), same(text.filter(Boolean), setup.tables.text ?? [])];
  const columns = Number(!same(columnsIn(draft.rules), columnsIn(setup.tables.rules)));
  return (
    rules.length +
    columns +
    about.length +
    items.length +
    Number(moved) +
    texts.filter((unchanged) => !unchanged).length
  );
}

/** The fields of the file itself that are no texts in several languages. @param {EditorSetup} setup */
export const aboutFields = (setup) => setup.fields.file.filter(({ name }) => ABOUT.includes(name));

/** Moves a combination or cell before the one above it, those that were removed left out. @param {Draft} draft
 * @param {number} id */
export function moveUp(draft, id) {
  const from = draft.items.findIndex((item) => item.id === id);
  const above = draft.items.slice(0, from).filter((item) => !item.gone);
  const last = above.at(-1);
  if (last) draft.items.splice(draft.items.indexOf(last), 0, ...draft.items.splice(from, 1));
}

/**
 * Adds one of the common combinations, cells or lines, and returns it. `first`: before all others, of which the first
 * that fits holds.
 * @param {Draft} draft @returns {DraftItem} @param {CommonItem} common
 */
export function addItem(draft, common, first = false) {
  const item = {
    id: nextId(draft.items),
    of: null,
    tables: copyOf(common.tables),
    look: withoutTables(common),
    gone: false,
  };
  draft.items.splice(first ? 0 : draft.items.length, 0, item);
  return item;
}

/** @param {DraftItem[]} items */
const nextId = (items) => Math.max(-1, ...items.map((item) => item.id)) + 1;

/** Removes a combination or cell, or a house rule: one of the original stays in sight, so that it can come back.
 * @param {Draft} draft @param {"items" | "options"} list @param {number} id */
export function removeItem(draft, id, list = "items") {
  draft[list] = draft[list].filter((item) => item.id !== id || item.of !== null);
  for (const item of draft[list]) if (item.id === id) item.gone = true;
}

/** Makes an item what it was. @param {Draft} draft @param {"items" | "options"} list
 * @param {EditorSetup} setup @param {number} id */
export function restoreItem(setup, draft, id, list = "items") {
  const item = draft[list].find((each) => each.id === id);
  if (!item) return;
  item.gone = false;
  item.tables = copyOf(originalOf(setup, draft, item));
}

/** Shows the items as the server says that they look now.
 * @param {Draft} draft @param {Look[]} looks of those that are kept */
export function takeLooks(draft, looks) {
  keptItems(draft).forEach((item, place) => (item.look = looks[place] ?? item.look));
}

// --- the columns of a sheet ---

export const MOST_COLUMNS = 6;

/** The columns of a sheet in some rules: one at least. @param {any} rules @returns {any[]} */
export const columnsIn = (rules) => (rules.column?.length ? rules.column : [{}]);

/** Makes these the columns; one that is as usual is written only where the original has it.
 * @param {EditorSetup} setup @param {Draft} draft @param {any[]} columns */
export function setColumns(setup, draft, columns) {
  if (!setup.tables.rules.column && columns.length === 1 && !Object.keys(columns[0]).length) delete draft.rules.column;
  else draft.rules.column = columns;
}

// --- what a combination or cell wants ---

const KINDS = ["alike", "groups", "run", "dice"];
/** @type {Record<string, string[]>} */
const OF_KINDS = {
  alike: ["alike", "exactly"],
  groups: ["groups", "may_repeat"],
  run: ["run"],
  dice: ["dice"],
};
/** @type {Record<string, number | number[]>} */
const FIRST_VALUES = {
  alike: 3,
  groups: [3, 2],
  run: 5,
  dice: [1],
};

/** The kind of a pattern: "alike", "groups", "run", "dice", or "" for any dice. @param {Values} pattern */
export const patternKind = (pattern) => KINDS.find((kind) => pattern[kind] !== undefined) ?? "";

/** The names of the fields that a pattern of this kind has. @param {EditorSetup} setup @param {string} kind */
export function patternFields(setup, kind) {
  const own = OF_KINDS[kind] ?? [];
  return setup.list === "combination" ? own.filter((name) => name !== "exactly") : [...own, "sum"];
}

/** Makes a pattern one of another kind; what only the former kind had is gone.
 * @param {DraftItem} item @param {string} kind */
export function setPatternKind(item, kind) {
  const pattern = { ...item.tables };
  for (const name of [...KINDS, "may_repeat", "exactly"]) delete pattern[name];
  if (kind) pattern[kind] = copyOf(FIRST_VALUES[kind]);
  if (Array.isArray(pattern.points) && kind !== "alike") pattern.points = Math.max(...pattern.points.map(Number)) || 0;
  item.tables = pattern;
}

/**
 * Typed numbers as the field of a pattern has them: a run has its length, or its lowest and its highest value; one list
 * of dice stands alone, as do points for the first throw.
 * @param {string} name @param {any} value
 */
export function patternValue(name, value) {
  if (!["run", "dice", "served"].includes(name) || !Array.isArray(value)) return value;
  return value.length === 1 ? value[0] : name === "served" && !value.length ? 0 : value;
}

// --- house rules ---

const NO_HOUSE_RULES = ["dice"]; // tables of one game differ in their rules, not in what is on the table

/** What a house rule is: a "choice" of values, a "flag" with rules of its own, or a "rule" of the game by its name.
 * @param {Values} tables */
export const optionKind = (tables) => (tables.value ? "choice" : tables.rules ? "flag" : "rule");

/** The rules that a table may be given the choice of, and is not yet. @param {Draft} draft @returns {FormField[]}
 * @param {EditorSetup} setup */
export function optionsToAdd(setup, draft) {
  const names = keptOptions(draft).map(({ tables }) => tables.name);
  const changed = keptOptions(draft).flatMap(({ tables }) =>
    [tables.rules, ...(tables.value ?? []).map((/** @type {Values} */ { rules }) => rules)].flatMap((rules) =>
      Object.keys(rules ?? {}),
    ),
  );
  return setup.fields.rules.filter(
    ({ name, kind, default: usual }) =>
      ["number", "flag", "choice"].includes(kind) &&
      !NO_HOUSE_RULES.includes(name) &&
      (kind !== "number" || usual !== null || Number.isInteger(draft.rules[name])) &&
      ![...names, ...changed].includes(name),
  );
}

/** Lets tables choose a rule: a number, a yes-or-no, or one of its choices, the present one first.
 * @param {Draft} draft @param {FormField & {texts?: any}} field @returns {DraftItem} */
export function addOption(draft, field) {
  const tables = /** @type {any} */ ({ name: field.name });
  if (field.kind === "choice") {
    tables.title = copyOf(field.texts);
    tables.value = valuesFrom(field, valueIn(draft.rules, field), new Map());
  }
  const item = { id: nextId(draft.options), of: null, tables, look: NO_LOOK, gone: false };
  draft.options.push(item);
  return item;
}

/** The fields of a house rule that are no rules. */
/** @type {Record<string, { name: string, kind: string, default: null }>} */
export const OPTION_FIELDS = {
  low: { name: "low", kind: "number", default: null },
  high: { name: "high", kind: "number", default: null },
  title: { name: "title", kind: "text", default: null },
};

/**
 * Where a path in a house rule leads, such as `option.2.value.0.rules.end`: the tables, those of the original, the
 * field. A rule in there has no default: left out, the game's own rule would hold.
 * @param {Draft} draft @param {EditorSetup} setup @param {string} path
 */
export function placeInOption(setup, draft, path) {
  const [, id, ...steps] = path.split(".");
  const name = String(steps.pop());
  const item = /** @type {any} */ (draft.options.find((each) => each.id === Number(id)));
  const inside = (/** @type {any} */ tables) => steps.reduce((found, step) => found?.[step], tables);
  const rule = setup.fields.rules.find((each) => each.name === name);
  const field = /** @type {FormField} */ (
    steps.at(-1) === "rules" ? { ...rule, default: undefined } : OPTION_FIELDS[name]
  );
  return { tables: inside(item.tables), original: inside(originalOf(setup, draft, item)) ?? {}, field };
}

/** The common items that the game lacks and that its dice can show. @param {EditorSetup} setup @param {Draft} draft */
export function itemsToAdd(setup, draft) {
  const dice = valueIn(draft.rules, { name: "dice", default: setup.fields.rules.find(isDice)?.default });
  const known = keptItems(draft).map((item) => wantedBy(item.tables));
  const keys = keptItems(draft).map((item) => item.tables.key);
  return setup.common.filter(
    ({ tables, dice: shown }) =>
      !(Number.isInteger(dice) && shown.length > dice) &&
      !(tables.key && keys.includes(tables.key)) &&
      !known.includes(wantedBy(tables)),
  );
}

/** @param {RuleField} field */
const isDice = ({ name }) => name === "dice";
const WANTED = ["alike", "exactly", "groups", "run", "dice", "sum"];

/** What an item wants, as a text to compare. @param {Values} tables */
const wantedBy = (tables) => JSON.stringify(WANTED.map((name) => tables[name] ?? null));

/** The values of a choice, the present one first: it needs no rules of its own. `titles`: those that a person wrote.
 * @param {FormField} field @param {unknown} now @param {Map<string, LocalText>} titles */
const valuesFrom = (field, now, titles) =>
  [...field.choices]
    .sort((one, other) => Number(other.value === now) - Number(one.value === now))
    .map(({ value, texts }) => ({
      name: value,
      title: titles.get(value) ?? copyOf(texts),
      ...(value === now ? {} : { rules: { [field.name]: value } }),
    }));

/** After a rule was changed: a choice of it that was added here begins with what holds now. @param {Draft} draft
 * @param {FormField} field */
export function followRule(draft, field) {
  for (const { of, tables } of draft.options) {
    if (of !== null || tables.name !== field.name || !tables.value) continue;
    const titles = new Map(tables.value.map((/** @type {Values} */ { name, title }) => [name, title]));
    tables.value = valuesFrom(field, valueIn(draft.rules, field), titles);
  }
}

/** A typed number; the text itself if it is none, null if it is empty. Signs between thousands are left out.
 * @param {string} text */
export function typedNumber(text) {
  const plain = text.replace(/[\s\u00a0\u202f.,]/g, "");
  if (plain === "") return null;
  return /^\d{1,9}$/.test(plain) ? Number(plain) : text.trim();
}

/** Typed numbers with anything between them. @param {string} text */
export const typedNumbers = (text) =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((part) => (/^-?\d{1,6}$/.test(part) ? Number(part) : part));

/** Typed lists of numbers, each in a line or after a comma. @param {string} text */
export const typedSets = (text) =>
  text
    .split(/[\n,;/]+/)
    .map(typedNumbers)
    .filter((numbers) => numbers.length);

/** The name of the field that a refusal is about, as `data-path` has it; "" if it names none.
 * @param {EditorSetup} setup @param {Draft} draft @param {any} at */
export function pathOf(setup, draft, at) {
  if (!Array.isArray(at) || !at.length) return "";
  if (at[0] === "option" && at.length > 1) {
    const [, place, ...inside] = at;
    const option = keptOptions(draft)[place];
    return option ? ["option", option.id, ...inside].join(".") : "";
  }
  if (at[0] === "text" && at.length > 1) {
    const [, number] = at;
    return `text.${draft.texts.text.flatMap((text, place) => (text ? [place] : []))[number]}`;
  }
  if (ABOUT.includes(at[0])) return `file.${at[0]}`;
  if (at[0] !== "rules") return String(at[0] === "title" ? "name" : at[0]);
  if (at[1] === "column" && at.length > 3) return at.slice(1).join(".");
  if (at[1] !== setup.list) return `rules.${at[1]}`;
  const item = keptItems(draft)[at[2]];
  if (!item) return `rules.${at[1]}`;
  const wanted = at[3] ?? patternKind(item.tables);
  if (setup.fields.pattern.some((field) => field.name === wanted)) return `pattern.${item.id}.${wanted}`;
  const name = setup.fields.item.some((field) => field.name === at[3]) ? at[3] : "points";
  return `item.${item.id}.${name}`;
}

/** The draft that was kept in this phone, if it was made from the same file.
 * @param {EditorSetup} setup @param {any} kept */
export const keptDraft = (setup, kept) =>
  kept &&
  kept.of === JSON.stringify(setup.tables) &&
  [kept.draft?.items, kept.draft?.options, kept.draft?.texts?.text].every(Array.isArray)
    ? { ...newDraft(setup), ...kept.draft }
    : null;
