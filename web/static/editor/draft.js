// A game that a person changes: what was changed, and the tables of its file. Pure values and functions.

/**
 * One combination or cell. `of`: its place in the original, null for a new one; `id`: its own number; `gone`: whether
 * it was removed.
 * @typedef {{id: number, of: number | null, tables: any, look: Look, gone: boolean}} Item
 * @typedef {{dice: number[], words: string, title: string}} Look
 * @typedef {{name: string, summary: string | null, rules: Record<string, any>, items: Item[]}} Draft
 * @typedef {{name: string, title: string, kind: string, low: number, high: number, default: any,
 *   choices: {value: string, title: string}[]}} FormField
 */

const copy = (value) => JSON.parse(JSON.stringify(value));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The draft in which nothing is changed yet but the name.
 * @returns {Draft}
 */
export function newDraft(setup) {
  const { [setup.list]: items = [], ...rules } = copy(setup.tables.rules);
  return {
    name: setup.name,
    summary: null,
    rules,
    items: items.map((tables, of) => ({ id: of, of, tables, look: withoutTables(setup.looks[of]), gone: false })),
  };
}

const withoutTables = ({ dice, words, title }) => ({ dice, words, title });

/** The tables of the game's file. */
export function definitionOf(setup, draft) {
  const tables = { ...setup.tables, title: draft.name.trim(), rules: { ...draft.rules } };
  if (draft.summary !== null) tables.summary = draft.summary.trim();
  if (setup.list) tables.rules[setup.list] = keptItems(draft).map((item) => item.tables);
  return tables;
}

/** @param {Draft} draft */
export const keptItems = (draft) => draft.items.filter((item) => !item.gone);

/** A field's value in some tables: what is written there, else what holds without. */
export const valueIn = (tables, field) => tables[field.name] ?? field.default;

/** Writes a field's value into tables; what holds anyway is written only where the original has it. */
export function setValue(tables, original, field, value) {
  if (same(value, field.default) && !(field.name in original)) delete tables[field.name];
  else if (value === null && field.default === null) delete tables[field.name];
  else tables[field.name] = value;
}

/** Whether a field has another value than in the original. */
export const isChanged = (tables, original, field) => !same(valueIn(tables, field), valueIn(original, field));

/**
 * What became of a combination or cell: "new", "removed", "changed" or "".
 * @param {Item} item
 */
export function stateOf(setup, item) {
  if (item.gone) return "removed";
  if (item.of === null) return "new";
  return same(item.tables, setup.tables.rules[setup.list][item.of]) ? "" : "changed";
}

/**
 * How many things differ from the original, its name apart.
 * @param {Draft} draft
 */
export function countChanges(setup, draft) {
  const rules = setup.fields.rules.filter((field) => isChanged(draft.rules, setup.tables.rules, field));
  const items = draft.items.filter((item) => stateOf(setup, item));
  return rules.length + items.length + (draft.summary === null ? 0 : 1);
}

/**
 * Adds one of the common combinations or cells, and returns it.
 * @param {Draft} draft
 * @returns {Item}
 */
export function addItem(draft, common) {
  const id = Math.max(-1, ...draft.items.map((item) => item.id)) + 1;
  const item = { id, of: null, tables: copy(common.tables), look: withoutTables(common), gone: false };
  draft.items.push(item);
  return item;
}

/**
 * Removes an item: one of the original stays in sight, so that it can come back.
 * @param {Draft} draft
 */
export function removeItem(draft, id) {
  draft.items = draft.items.filter((item) => item.id !== id || item.of !== null);
  for (const item of draft.items) if (item.id === id) item.gone = true;
}

/**
 * Makes an item what it was.
 * @param {Draft} draft
 */
export function restoreItem(setup, draft, id) {
  const item = draft.items.find((each) => each.id === id);
  item.gone = false;
  item.tables = copy(setup.tables.rules[setup.list][item.of]);
}

/** The common items that the game lacks and that its dice can show. */
export function itemsToAdd(setup, draft) {
  const dice = valueIn(draft.rules, { name: "dice", default: setup.fields.rules.find(isDice).default });
  const known = keptItems(draft).map((item) => patternOf(item.tables));
  const keys = keptItems(draft).map((item) => item.tables.key);
  return setup.common.filter(
    ({ tables, dice: shown }) =>
      !(Number.isInteger(dice) && shown.length > dice) &&
      !(tables.key && keys.includes(tables.key)) &&
      !known.includes(patternOf(tables)),
  );
}

const isDice = ({ name }) => name === "dice";
const WANTED = ["alike", "exactly", "groups", "run", "dice", "one_of", "sum", "sum_at_least"];

/** What an item wants, as a text to compare. */
function patternOf(tables) {
  const pattern = tables.pattern ?? tables;
  return JSON.stringify(WANTED.map((name) => pattern[name] ?? null));
}

/** A typed number; the text itself if it is none, null if it is empty. Signs between thousands are left out. */
export function typedNumber(text) {
  const plain = text.replace(/[\s\u00a0\u202f.,]/g, "");
  if (plain === "") return null;
  return /^\d{1,9}$/.test(plain) ? Number(plain) : text.trim();
}

/** Typed numbers with anything between them. */
export const typedNumbers = (text) =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : part));

/** The name of the field that a refusal is about, as `data-path` has it; "" if it names none. */
export function pathOf(setup, draft, at) {
  if (!Array.isArray(at) || !at.length) return "";
  if (at[0] !== "rules") return String(at[0] === "title" ? "name" : at[0]);
  if (at[1] !== setup.list) return `rules.${at[1]}`;
  const item = keptItems(draft)[at[2]];
  if (!item) return `rules.${at[1]}`;
  const name = setup.fields.item.some((field) => field.name === at[3]) ? at[3] : "points";
  return `item.${item.id}.${name}`;
}

/** The draft that was kept in this phone, if it was made from the same file. */
export const keptDraft = (setup, kept) =>
  kept && kept.of === JSON.stringify(setup.tables) && Array.isArray(kept.draft?.items) ? kept.draft : null;
