// The form in which a game is changed: drawn from the fields that the server declares.

import { button } from "../shared/buttons.js";
import { die, diceRow, valueKeys } from "../shared/dice.js";
import { html, raw } from "../shared/dom.js";
import { labelled, selection } from "../shared/fields.js";
import { capitalize, number, t, tn } from "../shared/text.js";
import {
  MOST_COLUMNS,
  OPTION_FIELDS,
  aboutFields,
  columnsIn,
  differenceIn,
  countChanges,
  isChanged,
  itemsToAdd,
  keptItems,
  optionKind,
  optionsToAdd,
  originalOf,
  otherText,
  patternFields,
  patternKind,
  singleCells,
  stateOf,
  textIn,
  valueIn,
} from "./draft.js";

/** What a person reads of a value.
 * @param {Pick<ShownField, "kind" | "choices">} field @param {any} value @returns {string} */
function shownValue(field, value) {
  if (value === null || value === undefined || value === "") return t("nothing");
  if (field.kind === "flag") return value ? t("yes") : t("no");
  if (field.kind === "choice") return field.choices?.find((each) => each.value === value)?.title ?? value;
  if (field.kind === "cells")
    return value.map((/** @type {string} */ key) => shownValue({ ...field, kind: "choice" }, key)).join(", ");
  if (field.kind === "sets") return value.map((/** @type {any[]} */ each) => each.join(" ")).join(", ");
  if (Array.isArray(value)) return value.join(" ") || t("nothing");
  return typeof value === "number" ? number(value) : value;
}

/** That a field is changed, what it was, and how it becomes so again. @param {string} path @param {string} was */
const changedLine = (path, was) =>
  html`<p class="was" id="was-${path}">
    <span><strong>${t("changed")}</strong> · ${t("before: {value}", { value: was })}</span>
    ${button("quiet", "restore", t("as before"), { arg: path })}
  </p>`;

/** @param {string} path @param {Wrong} wrong */
const wrongLine = (path, wrong) =>
  wrong.path === path ? html`<p class="wrong" id="wrong-${path}">${wrong.text}</p>` : "";

/** The attributes of a control: where its value goes, and what is said about it.
 * @param {string} path @param {boolean} changed @param {Wrong} wrong */
const attributesOf = (path, changed, wrong) => {
  const isWrong = wrong.path === path;
  const about = [changed ? `was-${path}` : "", isWrong ? `wrong-${path}` : ""].join(" ").trim();
  const more = `${about && ` aria-describedby="${about}"`}${isWrong ? ' aria-invalid="true"' : ""}`;
  return raw(`id="at-${path}" data-path="${path}"${more}`);
};

/** One field with its title, and below it what it was and what is wrong.
 * @param {string} path @param {ShownField} field @param {any} value @param {unknown} was @param {Wrong} wrong */
function fieldRow(path, field, value, was, wrong) {
  const changed = was !== undefined && JSON.stringify(value) !== JSON.stringify(was);
  const title = capitalize(field.title);
  return html`<div class="rule rule-${field.kind}" data-key="${path}">
    ${control(path, field, title, value, attributesOf(path, changed, wrong))}
    ${changed && changedLine(path, shownValue(field, was))} ${wrongLine(path, wrong)}
  </div>`;
}

/** @param {string} path @param {ShownField} field @param {Content} title @param {any} value @param {Html} attributes */
function control(path, field, title, value, attributes) {
  switch (field.kind) {
    case "flag":
      return html`<label class="check"
        ><input type="checkbox" ${attributes} ${value ? html`checked` : ""} /><span>${title}</span></label
      >`;
    case "choice":
      return selection(
        title,
        attributes,
        (field.choices ?? []).map((each) => [each.value, capitalize(each.title)]),
        value,
      );
    case "cells":
      return cellChoices(path, field, title, value, attributes);
    case "faces":
      return html`<div role="group" aria-labelledby="title-${path}" ${attributes} tabindex="-1">
        <span id="title-${path}">${title}</span>
        <div class="faces">
          ${[1, 2, 3, 4, 5, 6].map((face) =>
            button(
              "bare face",
              "face",
              html`${die(face)}<span aria-hidden="true">${value.includes(face) && "✓"}</span>`,
              { arg: [path, face], label: face, pressed: value.includes(face) },
            ),
          )}
        </div>
      </div>`;
    case "sets":
      return labelled(title, html`<textarea ${attributes} rows="3">${linesOf(value)}</textarea>`);
    case "prose":
      return labelled(
        title,
        html`<textarea ${attributes} rows="3" maxlength="${field.high}">${value ?? ""}</textarea>`,
      );
    case "text":
      return labelled(
        title,
        html`<input type="text" ${attributes} maxlength="${field.high}" autocomplete="off" value="${value ?? ""}" />`,
      );
    default:
      return Array.isArray(value) && field.kind === "number"
        ? html`<div class="by-face" role="group" aria-label="${title}">
            ${value.map((each, place) => {
              const own = `${path}.${place}`;
              return html`<label
                >${die(place + 1, "small")}<span class="hidden">${title}, ${place + 1}</span
                ><input
                  type="text"
                  inputmode="numeric"
                  autocomplete="off"
                  ${own === path ? attributes : raw(`id="at-${own}" data-path="${own}"`)}
                  value="${each ?? ""}"
              /></label>`;
            })}
          </div>`
        : html`<label class="number-field"
            ><span>${title}</span
            ><input
              type="text"
              inputmode="${field.kind === "numbers" ? "text" : "numeric"}"
              autocomplete="off"
              ${attributes}
              placeholder="${field.default === null && "–"}"
              value="${Array.isArray(value) ? value.join(" ") : (value ?? "")}"
          /></label>`;
  }
}

/** Three cells, or none yet.
 * @param {string} path @param {any} field @param {any} title @param {string[] | null} value @param {any} attributes */
const cellChoices = (path, { choices }, title, value, attributes) =>
  html`<div role="group" aria-labelledby="title-${path}" ${attributes} tabindex="-1">
    <span id="title-${path}">${title}</span>
    ${[t("the first"), t("the second"), t("the third")]
      .slice(0, value ? 3 : 1)
      .map((name, place) =>
        selection(
          capitalize(name),
          raw(`id="at-${path}.${place}" data-path="${path}.${place}"`),
          [
            ...(place ? [] : [["", t("nothing")]]),
            ...choices.map((/** @type {any} */ each) => [each.value, each.title]),
          ],
          value?.[place] ?? "",
        ),
      )}
  </div>`;

/** Lists of numbers, of which one may stand alone, each in a line. */
const linesOf = (/** @type {any[]} */ value) =>
  (value.length && !Array.isArray(value[0]) ? [value] : value).map((each) => each.join(" ")).join("\n");

/**
 * A text: in the language of this phone, and folded away in the others.
 * @param {EditorSetup} setup @param {string} path @param {any} field @param {LocalText | undefined} text
 * @param {LocalText | undefined} was @param {Wrong} wrong
 */
function textRow(setup, path, field, text, was, wrong) {
  const own = setup.language;
  const others = Object.entries(setup.languages).filter(([language]) => language !== own);
  const changed = was !== undefined && JSON.stringify(text) !== JSON.stringify(was);
  return html`<div class="rule rule-${field.kind}" data-key="${path}">
    ${control(path, field, capitalize(field.title), textIn(text, own), attributesOf(path, changed, wrong))}
    ${changed && changedLine(path, textIn(was, own) || t("nothing"))} ${wrongLine(path, wrong)}
    <details class="languages" id="languages-${path}">
      <summary>${t("In other languages")}<span class="hidden">: ${capitalize(field.title)}</span></summary>
      <p class="hint">${t("A phone in a language without its own text shows: {text}", { text: textIn(text, "en") })}</p>
      ${others.map(([language, name]) =>
        control(
          `${path}@${language}`,
          field,
          html`<span lang="${language}">${name}</span>`,
          otherText(text, language, own),
          attributesOf(`${path}@${language}`, false, wrong),
        ),
      )}
    </details>
  </div>`;
}

/** The states of combinations and cells, said and shown as words. @param {string} state */
const stateWord = (state) => ({ new: t("new"), removed: t("left out"), changed: t("changed"), "": "" })[state] ?? "";

const pointsWord = (/** @type {any} */ points) =>
  Array.isArray(points) ? points.map((each) => shownNumber(each)).join(" · ") : shownNumber(points);

const shownNumber = (/** @type {any} */ value) => (typeof value === "number" ? number(value) : (value ?? ""));

/** What a combination or cell wants: its kind, and the numbers of that kind.
 * @param {EditorSetup} setup @param {DraftItem} item @param {Values | null} original @param {Wrong} wrong */
function patternPart(setup, item, original, wrong) {
  const [kind, was] = [patternKind(item.tables), original && patternKind(original)];
  const kinds = setup.kinds.filter(({ value }) => value || setup.list !== "combination");
  const fields = patternFields(setup, kind).flatMap(
    (name) => setup.fields.pattern.find((each) => each.name === name) ?? [],
  );
  const path = `pattern.${item.id}`;
  return html`${fieldRow(
    `${path}.kind`,
    { kind: "choice", title: t("which dice score"), choices: kinds },
    kind,
    was ?? undefined,
    wrong,
  )}
  ${fields.map((field) =>
    fieldRow(
      `${path}.${field.name}`,
      { ...field, kind: field.name === "run" ? "numbers" : field.kind },
      valueIn(item.tables, field),
      original && was === kind ? valueIn(original, field) : undefined,
      wrong,
    ),
  )}`;
}

/** The columns of a sheet: how the cells of each are written, and how often they count.
 * @param {EditorSetup} setup @param {Draft} draft @param {Wrong} wrong */
function columnsPart(setup, draft, wrong) {
  const [columns, before] = [columnsIn(draft.rules), columnsIn(setup.tables.rules)];
  return html`<section data-key="columns" aria-labelledby="columns-title" id="at-rules.column">
    <h2 id="columns-title" tabindex="-1">${t("Columns")}</h2>
    ${columns.map(
      (column, place) =>
        html`<fieldset class="choice" data-key="column-${place}">
          <legend>${t("Column {number}", { number: place + 1 })}</legend>
          ${setup.fields.column.map((field) => {
            const was = before[place] && valueIn(before[place], field);
            return fieldRow(`column.${place}.${field.name}`, field, valueIn(column, field), was, wrong);
          })}
        </fieldset>`,
    )}
    ${wrongLine("rules.column", wrong)}
    ${columns.length < MOST_COLUMNS && button("button", "add-column", t("Add a column"))}
    ${columns.length > 1 && button("button", "remove-column", t("Remove the last column"))}
  </section>`;
}

/** What was removed, and the button that brings it back.
 * @param {string} key @param {Html} head @param {string} act @param {number} id @param {string} name */
const goneCard = (key, head, act, id, name) =>
  html`<li class="item gone" data-key="${key}">
    <div class="item-head">${head}</div>
    ${button("quiet", act, html`${t("as before")}<span class="hidden">: ${name}</span>`, { arg: id })}
  </li>`;

/** What one of them brings, in short. @param {EditorSetup} setup @param {{says?: any, points?: any}} tables */
const bringsWord = (setup, { says, points }) =>
  says ? textIn(says, setup.language) : points === undefined ? t("sum") : pointsWord(points);

/** One combination, cell or line: what it looks like and brings; opened, its fields.
 * @param {EditorSetup} setup @param {Draft} draft @param {DraftItem} item @param {Wrong} wrong */
function itemCard(setup, draft, item, wrong) {
  const state = stateOf(setup, draft, item);
  const original = originalOf(setup, draft, item) ?? null;
  const cell = setup.list !== "combination";
  const title = cell ? (item.tables.title && textIn(item.tables.title, setup.language)) || item.look.title : "";
  const fields = setup.fields.item.filter(({ name }) => item.tables.alike || name !== "exactly");
  const isFirst = keptItems(draft)[0] === item;
  const head = html`${item.look.dice.length > 0 && diceRow(item.look.dice, "small")}
    <span class="item-name">${cell ? title : item.look.words}</span>
    <strong>${bringsWord(setup, item.tables)}</strong>
    ${state ? html`<span class="state">${stateWord(state)}</span>` : ""}`;
  if (item.gone) {
    const name = title || item.look.words || item.look.dice.join(" ");
    return goneCard(`item-${item.id}`, head, "restore-item", item.id, name);
  }
  return html`<li class="item" data-key="item-${item.id}">
    <details id="item-${item.id}">
      <summary><span class="item-head">${head}</span></summary>
      ${cell && item.look.words ? html`<p class="hint">${capitalize(item.look.words)}</p>` : ""}
      ${fields.map((field) => {
        const path = `item.${item.id}.${field.name}`;
        if (["title", "says"].includes(field.name)) {
          const usual = field.name === "title" ? item.look.titles : "";
          const was = original ? (original[field.name] ?? usual) : undefined;
          return textRow(setup, path, field, item.tables[field.name] ?? usual, was, wrong);
        }
        const was = original ? valueIn(original, field) : undefined;
        return fieldRow(path, field, valueIn(item.tables, field), was, wrong);
      })}
      ${patternPart(setup, item, original, wrong)}
      ${!isFirst && button("button", "move-item", t("Move up"), { arg: item.id })}
      ${button("button", "remove-item", t("Remove"), { arg: item.id })}
    </details>
  </li>`;
}

/** @param {CommonItem} common @param {number} place */
const addButton = (common, place) =>
  button(
    "chip",
    "add-item",
    html`${common.dice.length > 0 && diceRow(common.dice, "small")} <span>${common.title || common.words}</span>`,
    { arg: place, key: `add-${place}` },
  );

/** @param {EditorSetup} setup @param {Draft} draft @param {Wrong} wrong */
function itemsPart(setup, draft, wrong) {
  /** @type {Record<string, string[]>} */
  const words = {
    combination: [t("What scores"), t("Add a combination")],
    cell: [t("Cells"), t("Add a cell")],
    worth: [t("What dice are worth"), t("Add a line")],
  };
  const [title, add] = words[setup.list];
  return html`<section data-key="items" aria-labelledby="items-title">
    <h2 id="items-title" tabindex="-1">${title}</h2>
    <ul class="items" id="at-rules.${setup.list}">
      ${draft.items.map((item) => itemCard(setup, draft, item, wrong))}
    </ul>
    ${wrongLine(`rules.${setup.list}`, wrong)}
    <details id="add">
      <summary>${add}</summary>
      <p class="chips">${itemsToAdd(setup, draft).map((common) => addButton(common, setup.common.indexOf(common)))}</p>
    </details>
  </section>`;
}

/**
 * The rules of the game that a table's choice changes, each with its field; a table of points is named alone.
 * @param {EditorSetup} setup @param {string} path @param {Values | undefined} rules @param {Values | undefined} before
 * @param {Wrong} wrong
 */
function changedRules(setup, path, rules = {}, before, wrong) {
  return Object.keys(rules).map((name) => {
    const field = setup.fields.rules.find((each) => each.name === name);
    return field && field.kind !== "cells"
      ? fieldRow(`${path}.${name}`, field, rules[name], before?.[name], wrong)
      : html`<p class="hint">${t("Its own scoring table or cells, as before.")}</p>`;
  });
}

const MOST_PARAGRAPHS = 12;

/** One house rule that a table may choose; opened, its fields.
 * @param {EditorSetup} setup @param {Draft} draft @param {DraftItem} item @param {Wrong} wrong */
function optionCard(setup, draft, item, wrong) {
  const { tables } = item;
  const [state, original, kind] = [stateOf(setup, draft, item), originalOf(setup, draft, item), optionKind(tables)];
  const rule = setup.fields.rules.find((field) => field.name === tables.name);
  const name = capitalize(tables.title ? textIn(tables.title, setup.language) : (rule?.title ?? tables.name));
  const head = html`<span class="item-name">${name}</span> ${state
      ? html`<span class="state">${stateWord(state)}</span>`
      : ""}`;
  const path = `option.${item.id}`;
  if (item.gone) return goneCard(path, head, "restore-option", item.id, name);
  /** @param {string} at @param {Values} of @param {Values | undefined} was @param {string} title */
  const titleRow = (at, of, was, title) =>
    textRow(
      setup,
      `${at}.title`,
      { ...OPTION_FIELDS.title, title, high: at === path ? 120 : 80 },
      of.title,
      was?.title,
      wrong,
    );
  return html`<li class="item" data-key="${path}">
    <details id="${path}">
      <summary><span class="item-head">${head}</span></summary>
      ${kind === "rule" &&
      rule?.kind === "number" &&
      [OPTION_FIELDS.low, OPTION_FIELDS.high].map((field) =>
        fieldRow(
          `${path}.${field.name}`,
          { ...field, title: field.name === "low" ? t("least") : t("most") },
          valueIn(tables, field),
          original && valueIn(original, field),
          wrong,
        ),
      )}
      ${kind === "rule" && rule?.kind === "flag" && html`<p class="hint">${t("A table says yes or no.")}</p>`}
      ${kind !== "rule" && titleRow(path, tables, original, t("what a table chooses"))}
      ${changedRules(setup, `${path}.rules`, tables.rules, original?.rules, wrong)}
      ${(tables.value ?? []).map((/** @type {Values} */ value, /** @type {number} */ place) => {
        const [at, was] = [`${path}.value.${place}`, original?.value?.[place]];
        return html`<fieldset class="choice">
          <legend>${place ? t("Choice {number}", { number: place + 1 }) : t("Choice 1, the usual one")}</legend>
          ${titleRow(at, value, was, t("name"))} ${changedRules(setup, `${at}.rules`, value.rules, was?.rules, wrong)}
        </fieldset>`;
      })}
      ${wrongLine(path, wrong)} ${button("button", "remove-option", t("Remove"), { arg: item.id })}
    </details>
  </li>`;
}

/** The house rules: what a table may choose when it begins.
 * @param {EditorSetup} setup @param {Draft} draft @param {Wrong} wrong */
function optionsPart(setup, draft, wrong) {
  const more = optionsToAdd(setup, draft);
  return html`<section data-key="options" aria-labelledby="options-title">
    <h2 id="options-title" tabindex="-1">${t("House rules")}</h2>
    <p class="hint">${t("What a table may choose when it begins.")}</p>
    <ul class="items" id="at-option">
      ${draft.options.map((item) => optionCard(setup, draft, item, wrong))}
    </ul>
    ${wrongLine("option", wrong)}
    ${more.length > 0 &&
    html`<details id="add-option">
      <summary>${t("Let tables choose more")}</summary>
      <p class="chips">
        ${more.map((field) =>
          button("chip", "add-option", capitalize(field.title), { arg: field.name, key: `choose-${field.name}` }),
        )}
      </p>
    </details>`}
  </section>`;
}

/** @param {Tried} tried */
const hasOtherWorth = ({ worth, before }) => before !== null && before !== worth;

/** What a throw is worth and why, and what it was worth before. @param {Tried} throwWorth @param {string} key */
function worthLine(throwWorth, key) {
  const { dice, worth, before, how } = throwWorth;
  const title = how.length === 1 && !how[0].dice.length ? how[0].title : ""; // dice of a combination tell enough
  const other = hasOtherWorth(throwWorth);
  return html`<li data-key="${key}">
    ${diceRow(dice, "small")} <span class="how">${title}</span> <strong>${number(worth)}</strong>
    ${other ? html`<span class="soft">${t("before: {value}", { value: number(before) })}</span>` : ""}
  </li>`;
}

/** @param {number | string} worth */
const turnResult = (worth) => (typeof worth === "number" ? number(worth) : capitalize(worth));

/** A short turn: its throws if few, what it comes to or why it may not be banked, and what it came to before.
 * @param {Tried} turn @param {string} key */
function turnLine(turn, key) {
  const { title, throws, worth, before } = turn;
  const other = hasOtherWorth(turn);
  return html`<li data-key="${key}">
    <span class="how">${capitalize(title)}:</span>
    ${throws.length < 3 &&
    throws.map(
      (/** @type {number[]} */ dice, /** @type {number} */ place) =>
        html`${place ? html`<span>→</span>` : ""} ${diceRow(dice, "small")} `,
    )}
    <strong>${turnResult(worth)}</strong>
    ${other ? html`<span class="soft">${t("before: {value}", { value: turnResult(before) })}</span>` : ""}
  </li>`;
}

/** @param {EditorNow} now */
function alonePart(now) {
  const { thrown, own } = now;
  if (!now.most) return "";
  const parts = own?.how ?? [];
  return html`<section data-key="alone" aria-labelledby="alone-title">
    <h2 id="alone-title">${t("Try it alone")}</h2>
    <p class="hint">${t("Tap a throw: it shows what it is worth in your game.")}</p>
    <div class="keys">${valueKeys("tap", thrown.length < now.most)}</div>
    <p class="tapped" role="group" aria-label="${t("Your throw")}">
      ${thrown.map((value, place) =>
        button("bare", "untap", die(value), {
          arg: place,
          key: `tapped-${place}`,
          label: t("Remove {value}", { value }),
        }),
      )}
    </p>
    <div role="status">
      ${thrown.length > 0 &&
      !own &&
      html`<p class="hint">
        ${tn("{count} die is missing.", "{count} dice are missing.", Math.max(1, now.most - thrown.length))}
      </p>`}
      ${own && html`<p class="big">${number(own.worth)}</p>`}
      ${parts.length > 1 || parts[0]?.title
        ? html`<ul class="parts">
            ${parts.map(
              (/** @type {Values} */ part) =>
                html`<li>
                  ${part.dice.length > 0 && diceRow(part.dice, "small")} ${part.title}
                  <strong>${number(part.points)}</strong>
                </li>`,
            )}
          </ul>`
        : ""}
    </div>
    <ul class="worths whole-turns">
      ${now.turns.map((each, place) => turnLine(each, `whole-${place}`))}
    </ul>
  </section>`;
}

/** What stays in sight: what three throws are worth, turns that come to something else, the button that saves.
 * @param {EditorNow} now @param {number} changes */
function preview(now, changes) {
  return html`<div class="preview" data-key="preview">
    <div role="status" id="told">
      ${now.wrong.text
        ? html`<p class="wrong"><strong>${capitalize(now.wrong.text)}</strong></p>`
        : html`<ul class="worths" tabindex="0">
            ${now.worth.map((each, place) => worthLine(each, `worth-${place}`))}
            ${now.turns.filter(hasOtherWorth).map((each, place) => turnLine(each, `turn-${place}`))}
          </ul>`}
      ${now.trouble && html`<p class="wrong">${now.trouble}</p>`}
    </div>
    ${button("button primary wide", "save", t("Save this game"), { off: now.saving })}
    <p class="soft small-line changes">${tn("{count} change", "{count} changes", changes)}</p>
  </div>`;
}

/** The question whether to go on with what was begun. @param {number} changes */
export const begunQuestion = (changes) =>
  html`<div class="notice" data-key="begun" role="group" aria-labelledby="begun-title">
    <p id="begun-title">
      ${t("You began to change this game on this phone.")} ${tn("{count} change", "{count} changes", changes)}.
    </p>
    ${button("button primary", "go-on", t("Go on with it"))} ${button("button", "anew", t("Begin anew"))}
  </div>`;

/** What becomes of the worked examples, which the form does not change. @param {EditorSetup} setup */
const examplesLine = ({ tables }) =>
  tn(
    "It keeps {count} worked example, if it still holds.",
    "It keeps {count} worked examples, those that still hold.",
    tables.example.length,
  );

/** Whether a rule can do anything beside the others; one that is written down is shown all the same.
 * @param {string} name @param {Values} rules */
function isOfUse(name, rules) {
  if (rules[name] !== undefined) return true;
  if (name === "overshoot_to") return rules.end === "exact";
  if (name === "leave") return (rules.turn ?? "one-throw") === "one-throw";
  if (name === "round_target") return rules.counts === "rounds";
  return true;
}

/** @param {EditorSetup} setup @param {Draft} draft @param {EditorNow} now */
export function editorForm(setup, draft, now) {
  const fieldOf = (/** @type {string} */ name) => setup.fields.file.find((field) => field.name === name);
  const { texts } = draft;
  const before = setup.tables.text ?? [];
  const shown = setup.fields.rules.filter(({ name }) => isOfUse(name, draft.rules));
  const rules = shown.map((each) => {
    const ofCells = each.kind === "cells";
    const field = ofCells ? { ...each, choices: singleCells(setup, draft) } : each;
    const value = ofCells ? differenceIn(setup, draft) : valueIn(draft.rules, field);
    const was = valueIn(setup.tables.rules, field);
    return fieldRow(
      `rules.${field.name}`,
      field,
      value,
      isChanged(draft.rules, setup.tables.rules, field) ? was : value,
      now.wrong,
    );
  });
  return html`<form id="game-form" novalidate>
    ${textRow(setup, "name", fieldOf("title"), texts.title, undefined, now.wrong)}
    ${["combination", "worth"].includes(setup.list) && itemsPart(setup, draft, now.wrong)}
    <section data-key="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">${t("Rules")}</h2>
      ${rules}
    </section>
    ${setup.fields.column.length > 0 && columnsPart(setup, draft, now.wrong)}
    ${setup.list === "cell" && itemsPart(setup, draft, now.wrong)} ${optionsPart(setup, draft, now.wrong)}
    <section data-key="texts" aria-labelledby="texts-title">
      <h2 id="texts-title">${t("More about this game")}</h2>
      ${textRow(setup, "summary", fieldOf("summary"), texts.summary, setup.tables.summary, now.wrong)}
      ${texts.text.map((text, place) =>
        textRow(
          setup,
          `text.${place}`,
          { name: "text", kind: "prose", high: 1000, title: t("Paragraph {number}", { number: place + 1 }) },
          text,
          before[place],
          now.wrong,
        ),
      )}
      ${texts.text.length < MOST_PARAGRAPHS && button("button", "add-text", t("Add a paragraph about the rules"))}
      ${aboutFields(setup).map((field) =>
        fieldRow(
          `file.${field.name}`,
          field.name === "source" ? { ...field, kind: "prose" } : field,
          valueIn(draft.file, field),
          valueIn(setup.tables, field),
          now.wrong,
        ),
      )}
      ${setup.tables.example?.length > 0 && html`<p class="hint">${examplesLine(setup)}</p>`}
    </section>
    ${now.leftOut.length > 0 &&
    html`<p class="notice" data-key="left-out">
      ${t("These house rules no longer fit and are left out: {rules}.", { rules: now.leftOut.join(", ") })}
    </p>`}
    ${alonePart(now)} ${preview(now, countChanges(setup, draft))}
  </form>`;
}
