// Changes a game from a file: every change is kept in this phone and shows what throws are then worth.

import {
  copyOf,
  addItem,
  addOption,
  columnsIn,
  countChanges,
  definitionOf,
  followRule,
  keptDraft,
  keptItems,
  moveUp,
  newDraft,
  originalOf,
  pathOf,
  patternKind,
  patternValue,
  placeInOption,
  removeItem,
  restoreItem,
  setColumns,
  setPatternKind,
  setValue,
  singleCells,
  takeLooks,
  textIn,
  typedNumber,
  typedNumbers,
  typedSets,
  valueIn,
  withCell,
  withText,
} from "../editor/draft.js";
import { at } from "../shared/address.js";
import { begunQuestion, editorForm } from "../editor/form.js";
import { element, onActs, render, targetOf } from "../shared/dom.js";
import { RefusedError, fetchJson, postOptions } from "../shared/net.js";
import { phone } from "../shared/storage.js";
import { loadTexts, noServer, t } from "../shared/text.js";
import { embedded } from "../shared/json.js";

const PAUSE_MS = 250; // after a key, until the server is asked
const SAVE_TIMEOUT_MS = 15000;

/** @type {EditorSetup} */
const setup = embedded("setup");
const root = element("editor", HTMLElement);
const place = `edit ${setup.base}`;
await loadTexts(setup.language, ...setup.texts);

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

const ANY_RIGHT = { path: "", text: "" };
let draft = newDraft(setup);
/** @type {EditorNow} */
const now = {
  asks: false,
  saving: false,
  worth: setup.tried.worth,
  turns: setup.tried.turns,
  toml: "",
  leftOut: setup.tried.left_out,
  wrong: ANY_RIGHT,
  trouble: "",
  thrown: [],
  own: null,
  most: 0,
  shown: -1,
};
let timer = 0;
let asked = 0;
/** @type {Promise<unknown>} */
let answered = Promise.resolve(); // the question that the server has: it gets one at a time

function draw() {
  const dice = valueIn(draft.rules, byName(setup.fields.rules, "dice"));
  now.most = Number.isInteger(dice) ? dice : 0;
  render(root, now.asks ? begunQuestion(countChanges(setup, draft)) : editorForm(setup, draft, now));
}

/** Writes what holds into the fields: the browser keeps what was typed. */
function refill() {
  /** @type {NodeListOf<Control>} */
  const controls = root.querySelectorAll("input[data-path], select[data-path], textarea[data-path]");
  for (const control of controls) {
    if (control instanceof HTMLTextAreaElement) control.value = control.defaultValue;
    else if (control instanceof HTMLSelectElement)
      control.value = [...control.options].find((each) => each.hasAttribute("selected"))?.value ?? control.value;
    else if (control.type === "text") control.value = control.getAttribute("value") ?? "";
  }
}

/** Keeps what was changed, and asks what it is worth. */
function changed() {
  if (countChanges(setup, draft) || JSON.stringify(draft.texts.title) !== JSON.stringify(newDraft(setup).texts.title))
    phone.keep(place, { of: JSON.stringify(setup.tables), draft });
  else phone.keep(place, null);
  now.toml = "";
  clearTimeout(timer);
  timer = window.setTimeout(tryIt, PAUSE_MS);
  draw();
}

/** @param {string} address @param {object} body @param {number} [timeout] */
const post = (address, body, timeout) => fetchJson(address, postOptions(body), timeout);

/** Asks what the game is worth now. Returns whether it is one. */
async function tryIt() {
  clearTimeout(timer);
  const question = ++asked;
  await answered;
  if (question !== asked) return false;
  const body = { definition: definitionOf(setup, draft), before: setup.base, shown: now.shown, throw: now.thrown };
  try {
    const answer = post(at("/games/try"), body);
    answered = answer.catch(() => {});
    const tried = await answer;
    if (question !== asked) return false;
    Object.assign(now, { worth: tried.worth, turns: tried.turns, toml: tried.toml, own: tried.own });
    now.leftOut = tried.left_out;
    takeLooks(draft, tried.looks);
    Object.assign(now, { wrong: ANY_RIGHT, trouble: "" });
  } catch (error) {
    if (question !== asked) return false;
    tell(error);
  }
  draw();
  return Boolean(now.toml);
}

/** @param {unknown} error */
function tell(error) {
  const refused = error instanceof RefusedError;
  now.wrong = refused ? { path: pathOf(setup, draft, error.params?.at), text: error.message } : ANY_RIGHT;
  now.trouble = refused ? "" : `${noServer()} ${t("Nothing is lost: your changes stay on this phone.")}`;
}

async function save() {
  if (now.saving) return;
  now.saving = true;
  draw();
  try {
    if (!(await tryIt())) {
      release();
      showWrong();
      return;
    }
    const made = await post(
      at("/own-games"),
      { name: textIn(draft.texts.title, setup.language), toml: now.toml },
      SAVE_TIMEOUT_MS,
    );
    phone.keep(place, null);
    location.assign(made.page); // the button stays as it is: a second tap makes no second game
  } catch (error) {
    tell(error);
    release();
  }
}

/** Lets the button be tapped again. */
function release() {
  now.saving = false;
  draw();
}

/** Leads to the field that is wrong. */
function showWrong() {
  const { path } = now.wrong;
  const found = [`at-${path}`, `at-${path}.0`, path].map((id) => document.getElementById(id)).find(Boolean);
  const around = found?.closest("details");
  if (around) around.open = true;
  found?.focus();
}

/** @param {FormField[]} fields @param {string} name @returns {FormField} */
const byName = (fields, name) => /** @type {FormField} */ (fields.find((each) => each.name === name));

/** Where a path leads: the tables, those of the original, the field and the place in its list of numbers.
 * @param {string} path @returns {EditorPlace} */
function placeOf(path) {
  const [kind, first, name, number] = path.split(".");
  const { fields, tables } = setup;
  const alone = { item: null };
  if (kind === "rules") {
    const field = byName(fields.rules, first);
    return { ...alone, number: numberOf(name), tables: draft.rules, original: tables.rules, field };
  }
  if (kind === "column") {
    if (!draft.rules.column) draft.rules.column = [{}];
    const original = tables.rules.column?.[first] ?? {};
    return { ...alone, tables: draft.rules.column[first], original, field: byName(fields.column, name) };
  }
  if (kind === "file") return { ...alone, tables: draft.file, original: tables, field: byName(fields.file, first) };
  if (kind === "option") return { ...alone, ...placeInOption(setup, draft, path) };
  const item = itemOf(first);
  return {
    tables: item.tables,
    original: originalOf(setup, draft, item) ?? {},
    field: byName(kind === "pattern" ? fields.pattern : fields.item, name),
    number: numberOf(number),
    item,
  };
}

/** @param {string | undefined} text */
const numberOf = (text) => (text === undefined ? undefined : Number(text));

/** The combination or cell of this number. @param {string | number} id */
const itemOf = (id) => /** @type {DraftItem} */ (draft.items.find((item) => item.id === Number(id)));

/** Writes a field of a pattern, or makes the pattern one of another kind.
 * @param {string} path @param {Control} control */
function takePattern(path, control) {
  const name = path.split(".")[2];
  const { tables, original, field, item } = placeOf(path);
  if (name === "kind") setPatternKind(item, control.value);
  else {
    const pattern = { ...tables };
    const value = patternValue(name, valueOf(control, field));
    if (name === patternKind(tables))
      pattern[name] = value ?? ""; // while it is empty the kind stays
    else setValue(pattern, original, field, value);
    item.tables = pattern;
  }
  show(item);
}

/** Where the text of a path stands, and what it was; `usual` holds where nothing is written. @param {string} path */
function placeOfText(path) {
  const [kind, first] = path.split(".");
  if (kind === "name") return { tables: draft.texts, name: "title", original: undefined, usual: undefined };
  if (kind === "summary") return { tables: draft.texts, name: kind, original: setup.tables.summary, usual: undefined };
  if (kind === "text") {
    const original = setup.tables.text?.[first];
    return { tables: draft.texts.text, name: Number(first), original, usual: undefined };
  }
  const { tables, original, item } = placeOf(path);
  const name = String(path.split(".").at(-1));
  return { tables, name, original: original[name], usual: name === "title" ? item?.look.titles : undefined };
}

/** @param {string} path */
const isText = (path) => /^(name|summary|text\.\d+|.*\.(title|says))$/.test(path);

/** @param {string} path @param {string} language @param {string} value */
function takeText(path, language, value) {
  const { tables, name, original, usual } = placeOfText(path);
  const text = withText(tables[name] ?? usual, language, value);
  tables[name] = text;
  if (original === undefined && usual && JSON.stringify(text) === JSON.stringify(usual)) delete tables[name];
  if (path.startsWith("item.")) show(placeOf(path).item);
}

/** @param {Control} control */
function take(control) {
  const [path, language = setup.language] = String(control.dataset.path).split("@");
  if (isText(path)) takeText(path, language, control.value);
  else if (path.startsWith("pattern.")) takePattern(path, control);
  else {
    const { tables, original, field, number, item } = placeOf(path);
    if (field.kind === "cells") {
      const known = singleCells(setup, draft).map(({ value }) => value);
      setValue(tables, original, field, withCell(valueIn(tables, field) ?? [], Number(number), control.value, known));
    } else if (number !== undefined) tables[field.name][number] = typedNumber(control.value);
    else setValue(tables, original, field, patternValue(field.name, valueOf(control, field)));
    if (path.startsWith("column.")) setColumns(setup, draft, draft.rules.column);
    if (item) show(item);
    if (path.startsWith("rules.")) followRule(draft, field);
  }
  changed();
}

/** @param {Control} control @param {FormField} field */
function valueOf(control, field) {
  if (field.kind === "flag") return control instanceof HTMLInputElement && control.checked;
  if (field.kind === "number") return typedNumber(control.value);
  if (field.kind === "sets") return typedSets(control.value);
  return field.kind === "numbers" ? typedNumbers(control.value) : control.value;
}

/** The first of the three throws shows this combination or cell. @param {DraftItem} item */
function show(item) {
  now.shown = keptItems(draft).indexOf(item);
}

/** @param {string} path */
function restore(path) {
  if (isText(path)) restoreText(path);
  else if (path.startsWith("pattern.")) restorePattern(path);
  else {
    const { tables, original, field, item } = placeOf(path);
    putBack(tables, original, field.name);
    if (item) show(item);
  }
  changed();
  refill();
  document.getElementById(`at-${path}`)?.focus();
}

/** Makes one value what it was. @param {any} tables @param {any} original @param {string} name */
function putBack(tables, original, name) {
  if (name in original) tables[name] = copyOf(original[name]);
  else delete tables[name];
}

/** @param {string} path */
function restoreText(path) {
  const { tables, name, original } = placeOfText(path);
  if (original === undefined) delete tables[name];
  else tables[name] = copyOf(original);
  if (path.startsWith("item.")) show(placeOf(path).item);
}

/** Makes a field of a pattern, or the whole pattern, what it was. @param {string} path */
function restorePattern(path) {
  const name = path.split(".")[2];
  const { tables, original, item } = placeOf(path);
  if (name === "kind")
    item.tables = copyOf(originalOf(setup, draft, item) ?? tables); // with its points
  else putBack((item.tables = { ...tables }), original, name);
  show(item);
}

/** @param {string} selector */
function focusOn(selector) {
  const found = root.querySelector(selector);
  if (found instanceof HTMLElement) found.focus();
}

/** Throws that are tapped in are asked for at once. */
function tapped() {
  now.own = null;
  draw();
  void tryIt();
}

/** @type {Handlers} */
const ACTS = {
  save: () => void save(),
  restore: (path) => restore(path),
  "restore-item": (id) => {
    restoreItem(setup, draft, id);
    show(itemOf(id));
    changed();
    refill();
    focusOn(`#item-${id} summary`);
  },
  "remove-item": (id) => {
    removeItem(draft, id);
    now.shown = -1;
    changed();
    focusOn("#items-title");
  },
  "move-item": (id) => {
    moveUp(draft, id);
    show(itemOf(id));
    changed();
    focusOn(`#item-${id} [data-act="move-item"]`);
  },
  "add-column": () => {
    setColumns(setup, draft, [...columnsIn(draft.rules), {}]);
    changed();
    focusOn(`[data-path="column.${columnsIn(draft.rules).length - 1}.order"]`);
  },
  "remove-column": () => {
    setColumns(setup, draft, columnsIn(draft.rules).slice(0, -1));
    changed();
    focusOn("#columns-title");
  },
  "add-text": () => {
    draft.texts.text.push("");
    draw();
    focusOn(`[data-path="text.${draft.texts.text.length - 1}"]`);
  },
  "add-option": (name) => {
    const field = byName(setup.fields.rules, name);
    const item = addOption(draft, field);
    changed();
    element(`option.${item.id}`, HTMLDetailsElement).open = true;
    element("add-option", HTMLDetailsElement).open = false;
    focusOn(`[id="option.${item.id}"] summary`);
  },
  "remove-option": (id) => {
    removeItem(draft, id, "options");
    changed();
    focusOn("#options-title");
  },
  "restore-option": (id) => {
    restoreItem(setup, draft, id, "options");
    changed();
    refill();
    focusOn(`[id="option.${id}"] summary`);
  },
  "add-item": (which) => {
    const item = addItem(draft, setup.common[which], setup.list === "worth");
    if (item.tables.key) item.tables.title ||= { ...item.look.titles };
    show(item);
    changed();
    element(`item-${item.id}`, HTMLDetailsElement).open = true;
    element("add", HTMLDetailsElement).open = false;
    focusOn(`#item-${item.id} summary`);
  },
  face: ([path, face]) => {
    const { tables, original, field, item } = placeOf(path);
    const faces = valueIn(tables, field);
    const wanted = faces.includes(face)
      ? faces.filter((/** @type {number} */ each) => each !== face)
      : [...faces, face].sort();
    setValue(tables, original, field, wanted);
    if (item) show(item);
    changed();
  },
  tap: (value) => {
    if (now.thrown.length < now.most) now.thrown.push(value);
    tapped();
  },
  untap: (which) => {
    now.thrown.splice(which, 1);
    tapped();
  },
  "go-on": () => {
    now.asks = false;
    draw();
    void tryIt();
  },
  anew: () => {
    draft = newDraft(setup);
    phone.keep(place, null);
    now.asks = false;
    draw();
  },
};

const kept = keptDraft(setup, phone.value(place));
if (kept) {
  draft = kept;
  now.asks = true;
}
draw();
onActs(root, (act) => ACTS[act]);
root.addEventListener("input", (event) => {
  const control = /** @type {Control} */ (targetOf(event));
  if (control.dataset.path) take(control);
});
root.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("pageshow", (event) => event.persisted && release()); // back from the saved game
window.addEventListener("online", () => now.trouble && void tryIt());
document.body.dataset.ready = "yes";
