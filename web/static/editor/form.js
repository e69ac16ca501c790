// The form in which a game is changed: drawn from the fields that the server declares.

import { die, diceRow, valueKeys } from "../shared/dice.js";
import { html, raw } from "../shared/dom.js";
import { capitalize, number, t, tn } from "../shared/text.js";
import { countChanges, isChanged, itemsToAdd, stateOf, valueIn } from "./draft.js";

/** What a person reads of a value. */
function shownValue(field, value) {
  if (value === null || value === undefined || value === "") return t("nothing");
  if (field.kind === "flag") return value ? t("yes") : t("no");
  if (field.kind === "choice") return field.choices.find((each) => each.value === value)?.title ?? value;
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "number" ? number(value) : value;
}

/** That a field is changed, what it was, and how it becomes so again. */
const changedLine = (path, was) =>
  html`<p class="was" id="was-${path}">
    <span><strong>${t("changed")}</strong> · ${t("before: {value}", { value: was })}</span>
    <button type="button" class="quiet" data-act="restore" data-arg="${JSON.stringify(path)}">${t("as before")}</button>
  </p>`;

const wrongLine = (path, wrong) =>
  wrong.path === path ? html`<p class="wrong" id="wrong-${path}">${wrong.text}</p>` : "";

/** The attributes of a control: where its value goes, and what is said about it. */
const told = (path, changed, wrong) => {
  const isWrong = wrong.path === path;
  const about = [changed ? `was-${path}` : "", isWrong ? `wrong-${path}` : ""].join(" ").trim();
  const more = `${about && ` aria-describedby="${about}"`}${isWrong ? ' aria-invalid="true"' : ""}`;
  return raw(`id="at-${path}" data-path="${path}"${more}`);
};

/** One field with its title, and below it what it was and what is wrong. */
function fieldRow(path, field, value, was, wrong) {
  const changed = was !== undefined && JSON.stringify(value) !== JSON.stringify(was);
  const title = capitalize(field.title);
  return html`<div class="rule rule-${field.kind}" data-key="${path}">
    ${control(path, field, title, value, told(path, changed, wrong))}
    ${changed ? changedLine(path, shownValue(field, was)) : ""} ${wrongLine(path, wrong)}
  </div>`;
}

function control(path, field, title, value, attributes) {
  switch (field.kind) {
    case "flag":
      return html`<label class="check"
        ><input type="checkbox" ${attributes} ${value ? html`checked` : ""} /><span>${title}</span></label
      >`;
    case "choice":
      return html`<label class="field"
        ><span>${title}</span
        ><select ${attributes}>
          ${field.choices.map(
            (each) =>
              html`<option value="${each.value}" ${each.value === value ? html`selected` : ""}>
                ${capitalize(each.title)}
              </option>`,
          )}
        </select></label
      >`;
    case "faces":
      return html`<div role="group" aria-labelledby="title-${path}" ${attributes} tabindex="-1">
        <span id="title-${path}">${title}</span>
        <div class="faces">
          ${[1, 2, 3, 4, 5, 6].map(
            (face) =>
              html`<button
                type="button"
                class="bare face"
                data-act="face"
                data-arg="${JSON.stringify([path, face])}"
                aria-pressed="${String(value.includes(face))}"
                aria-label="${face}"
              >
                ${die(face)}<span aria-hidden="true">${value.includes(face) ? "✓" : ""}</span>
              </button>`,
          )}
        </div>
      </div>`;
    case "text":
      return html`<label class="field"
        ><span>${title}</span
        ><input type="text" ${attributes} maxlength="${field.high}" autocomplete="off" value="${value ?? ""}"
      /></label>`;
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
              placeholder="${field.default === null ? "–" : ""}"
              value="${Array.isArray(value) ? value.join(" ") : (value ?? "")}"
          /></label>`;
  }
}

/** The states of combinations and cells, said and shown as words. */
const stateWord = (state) => ({ new: t("new"), removed: t("left out"), changed: t("changed"), "": "" })[state] ?? "";

const pointsWord = (points) =>
  Array.isArray(points) ? points.map((each) => shownNumber(each)).join(" · ") : shownNumber(points);

const shownNumber = (value) => (typeof value === "number" ? number(value) : (value ?? ""));

/** One combination or cell: what it looks like and brings; opened, its fields. */
function itemCard(setup, item, wrong) {
  const state = stateOf(setup, item);
  const original = item.of === null ? null : setup.tables.rules[setup.list][item.of];
  const cell = setup.list === "cell";
  const title = cell ? (item.tables.title && localText(setup, item.tables.title)) || item.look.title : "";
  const fields = setup.fields.item.filter((field) => field.name !== "each_further" || item.tables.alike);
  const head = html`${item.look.dice.length ? diceRow(item.look.dice, "small") : ""}
    <span class="item-name">${cell ? title : item.look.words}</span>
    <strong>${item.tables.points === undefined ? t("sum") : pointsWord(item.tables.points)}</strong>
    ${state ? html`<span class="state">${stateWord(state)}</span>` : ""}`;
  const undo = html`<button type="button" class="quiet" data-act="restore-item" data-arg="${item.id}">
    ${t("as before")}<span class="hidden">: ${title || item.look.words || item.look.dice.join(" ")}</span>
  </button>`;
  if (item.gone)
    return html`<li class="item gone" data-key="item-${item.id}">
      <div class="item-head">${head}</div>
      ${undo}
    </li>`;
  return html`<li class="item" data-key="item-${item.id}">
    <details id="item-${item.id}">
      <summary><span class="item-head">${head}</span></summary>
      ${cell && item.look.words ? html`<p class="hint">${capitalize(item.look.words)}</p>` : ""}
      ${fields.map((field) => {
        const text = field.name === "title";
        const value = text ? title : valueIn(item.tables, field);
        const was = original ? (text ? titleOf(setup, original, item.look) : valueIn(original, field)) : undefined;
        return fieldRow(`item.${item.id}.${field.name}`, field, value, was, wrong);
      })}
      <button type="button" class="button" data-act="remove-item" data-arg="${item.id}">${t("Remove")}</button>
    </details>
  </li>`;
}

/** A text of a file in this phone's language. */
export const localText = (setup, text) => (typeof text === "string" ? text : (text[setup.language] ?? text.en));

const titleOf = (setup, tables, look) => (tables.title ? localText(setup, tables.title) : look.title);

const addButton = (common, place) =>
  html`<button type="button" class="chip" data-key="add-${place}" data-act="add-item" data-arg="${place}">
    ${common.dice.length ? diceRow(common.dice, "small") : ""} <span>${common.title || common.words}</span>
  </button>`;

function itemsPart(setup, draft, wrong) {
  const combinations = setup.list === "combination";
  return html`<section data-key="items" aria-labelledby="items-title">
    <h2 id="items-title" tabindex="-1">${combinations ? t("What scores") : t("Cells")}</h2>
    <ul class="items" id="at-rules.${setup.list}">
      ${draft.items.map((item) => itemCard(setup, item, wrong))}
    </ul>
    ${wrongLine(`rules.${setup.list}`, wrong)}
    <details id="add">
      <summary>${combinations ? t("Add a combination") : t("Add a cell")}</summary>
      <p class="chips">${itemsToAdd(setup, draft).map((common) => addButton(common, setup.common.indexOf(common)))}</p>
    </details>
  </section>`;
}

/** What a throw is worth and why, and what it was worth before. */
function worthLine(throwWorth, key) {
  const { dice, worth, before, how } = throwWorth;
  const title = how.length === 1 && !how[0].dice.length ? how[0].title : ""; // dice of a combination tell enough
  const other = before !== null && before !== worth;
  return html`<li data-key="${key}">
    ${diceRow(dice, "small")} <span class="how">${title}</span> <strong>${number(worth)}</strong>
    ${other ? html`<span class="soft">${t("before: {value}", { value: number(before) })}</span>` : ""}
  </li>`;
}

function alonePart(now) {
  const { thrown, own } = now;
  const parts = own?.how ?? [];
  return html`<section data-key="alone" aria-labelledby="alone-title">
    <h2 id="alone-title">${t("Try it alone")}</h2>
    <p class="hint">${t("Tap a throw: it shows what it is worth in your game.")}</p>
    <div class="keys">${valueKeys("tap", thrown.length < now.most)}</div>
    <p class="tapped" role="group" aria-label="${t("Your throw")}">
      ${thrown.map(
        (value, place) =>
          html`<button
            type="button"
            class="bare"
            data-key="tapped-${place}"
            data-act="untap"
            data-arg="${place}"
            aria-label="${t("Remove {value}", { value })}"
          >
            ${die(value)}
          </button>`,
      )}
    </p>
    <div role="status">
      ${thrown.length && !own
        ? html`<p class="hint">
            ${tn("{count} die is missing.", "{count} dice are missing.", Math.max(1, now.most - thrown.length))}
          </p>`
        : ""}
      ${own ? html`<p class="big">${number(own.worth)}</p>` : ""}
      ${parts.length > 1 || parts[0]?.title
        ? html`<ul class="parts">
            ${parts.map(
              (part) =>
                html`<li>
                  ${part.dice.length ? diceRow(part.dice, "small") : ""} ${part.title}
                  <strong>${number(part.points)}</strong>
                </li>`,
            )}
          </ul>`
        : ""}
    </div>
  </section>`;
}

/** What stays in sight: what three throws are worth now, and the button that saves. */
function preview(now, changes) {
  return html`<div class="preview" data-key="preview">
    <div role="status" id="told">
      ${now.wrong.text
        ? html`<p class="wrong"><strong>${capitalize(now.wrong.text)}</strong></p>`
        : html`<ul class="worths">
            ${now.worth.map((each, place) => worthLine(each, `worth-${place}`))}
          </ul>`}
      ${now.trouble ? html`<p class="wrong">${now.trouble}</p>` : ""}
    </div>
    <button type="button" class="button primary wide" data-act="save" ${now.saving ? html`aria-disabled="true"` : ""}>
      ${t("Save this game")}
    </button>
    <p class="soft small-line changes">${tn("{count} change", "{count} changes", changes)}</p>
  </div>`;
}

/** The question whether to go on with what was begun. */
export const begunQuestion = (changes) =>
  html`<div class="notice" data-key="begun" role="group" aria-labelledby="begun-title">
    <p id="begun-title">
      ${t("You began to change this game on this phone.")} ${tn("{count} change", "{count} changes", changes)}.
    </p>
    <button type="button" class="button primary" data-act="go-on">${t("Go on with it")}</button>
    <button type="button" class="button" data-act="anew">${t("Begin anew")}</button>
  </div>`;

/** The whole form. */
export function editorForm(setup, draft, now) {
  const [title, summary] = setup.fields.file;
  const rules = setup.fields.rules.map((field) => {
    const [value, was] = [valueIn(draft.rules, field), valueIn(setup.tables.rules, field)];
    return fieldRow(
      `rules.${field.name}`,
      field,
      value,
      isChanged(draft.rules, setup.tables.rules, field) ? was : value,
      now.wrong,
    );
  });
  return html`<form id="game-form" novalidate>
    ${fieldRow("name", title, draft.name, undefined, now.wrong)}
    ${setup.list === "combination" ? itemsPart(setup, draft, now.wrong) : ""}
    <section data-key="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">${t("Rules")}</h2>
      ${rules}
    </section>
    ${setup.list === "cell" ? itemsPart(setup, draft, now.wrong) : ""}
    <section data-key="texts">
      ${fieldRow("summary", summary, draft.summary ?? setup.summary, setup.summary, now.wrong)}
    </section>
    ${now.leftOut.length
      ? html`<p class="notice" data-key="left-out">
          ${t("These house rules no longer fit and are left out: {rules}.", { rules: now.leftOut.join(", ") })}
        </p>`
      : ""}
    ${alonePart(now)} ${preview(now, countChanges(setup, draft))}
  </form>`;
}
