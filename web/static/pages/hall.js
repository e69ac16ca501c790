// One throw for all: a person's own sheet in a round of the hall. The server's stream brings each throw with what every
// free cell is worth; a tap writes it, and another tap changes that until the throw is over.

import { diceRow } from "../shared/dice.js";
import { html, render } from "../shared/dom.js";
import { fromJson } from "../shared/json.js";

/** @type {HTMLElement} */
let place;
/** @type {Record<string, string>} */
let words = {};
/** @type {Record<string, string>} */
let titles = {};
/** @type {HallSheet | null} */
let sheet = null;
let shownAt = 0;
let isFailed = false;

/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (place.querySelector(`[data-part="${name}"]`));

/** @param {string} text @param {Record<string, any>} values */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** @param {number[]} cell */
const cellName = ([row, column]) => `${row}/${column}`;

/** @param {any} action */
function actionName(action) {
  if (action.do === "sit") return words.sit;
  if (action.category) return `${titles[action.category]}${action.column ? ` #${action.column}` : ""}`;
  if (action.cells) return fill(words.circle, { cells: action.cells.map(cellName).join(" ") });
  return action.cell ? cellName(action.cell) : words.skip;
}

/** @param {HallSheet} shown */
const isOpen = (shown) =>
  shown.hall.open && (shown.hall.left_s === null || shown.hall.left_s > (Date.now() - shownAt) / 1000);

/** @param {HallSheet} shown */
function said(shown) {
  const { hall, chosen, choices, further, corrected } = shown;
  const more = corrected.length ? ` ${fill(words.corrected, { numbers: corrected.join(", ") })}` : "";
  if (isFailed) return words.failed;
  if (!hall.number) return more;
  if (chosen[0]?.do === "sit" || Number.isInteger(shown.sheet.kept)) return words.sits + more;
  if (isOpen(shown) && further.length) return words.further + more;
  if (chosen.length) return fill(words.written, { cell: actionName(chosen[0]) }) + more;
  return (isOpen(shown) && choices.length ? words.choose : words.over) + more;
}

/** A choice; a tap on who has sat down has him stand again.
 * @param {HallChoice} choice @param {any[]} before what was chosen before it @param {any} inside */
function choiceButton(choice, before, inside) {
  const isChosen = JSON.stringify(sheet?.chosen[before.length]) === JSON.stringify(choice.action);
  const actions = JSON.stringify(isChosen && choice.action.do === "sit" ? [] : [...before, choice.action]);
  return html`<button
    type="button"
    class="button"
    aria-pressed="${isChosen ? "true" : "false"}"
    data-actions="${actions}"
  >
    ${inside}
  </button>`;
}

/** @param {HallSheet} shown */
function choices(shown) {
  if (!isOpen(shown)) return html``;
  const listed = shown.sheet.grid ? shown.choices.filter((each) => !each.action.cell) : shown.choices;
  const further = shown.further.map((each) => choiceButton(each, shown.chosen, actionName(each.action)));
  const own = listed.map((each) =>
    choiceButton(each, [], html`<span>${actionName(each.action)}</span> <strong>${each.points ?? ""}</strong>`),
  );
  return html`${further}${own}`;
}

/** @param {HallSheet} shown */
function gridRows(shown) {
  const free = new Map(
    shown.choices.filter((each) => each.action.cell).map((each) => [cellName(each.action.cell), each]),
  );
  /** @param {any} held  what stands in the cell @param {number} row @param {number} column */
  const cell = (held, row, column) => {
    const choice = isOpen(shown) ? free.get(cellName([row + 1, column + 1])) : undefined;
    const number = held ? html`<span class="${held.circled ? "circled" : ""}">${held.number}</span>` : "";
    return html`<td>${choice ? choiceButton(choice, [], number) : number}</td>`;
  };
  return html`<table class="hall-grid">
    ${shown.sheet.grid.map(
      (/** @type {any[]} */ cells, /** @type {number} */ row) =>
        html`<tr>
          ${cells.map((held, column) => cell(held, row, column))}
        </tr>`,
    )}
  </table>`;
}

/** @param {HallSheet} shown */
const roundRows = (shown) =>
  html`<table class="hall-own">
    ${shown.sheet.turns.map(
      (/** @type {number} */ points, /** @type {number} */ i) =>
        html`<tr>
          <th scope="row">${i + 1}</th>
          <td>${points}</td>
        </tr>`,
    )}
    <tr class="sum">
      <th scope="row">${words.total}</th>
      <td>${shown.total}</td>
    </tr>
  </table>`;

/** @param {HallSheet} shown */
function ownSheet(shown) {
  const columns = shown.sheet.columns ?? [];
  if (shown.sheet.turns) return roundRows(shown);
  if (!columns.length)
    return html`${gridRows(shown)}
      <p>${words.total} <strong>${shown.total}</strong></p>`;
  const line = (/** @type {string} */ title, /** @type {(column: any) => any} */ value) =>
    html`<tr>
      <th scope="row">${title}</th>
      ${columns.map((/** @type {any} */ each) => html`<td>${value(each)}</td>`)}
    </tr>`;
  const written = Object.entries(titles).map(([key, title]) =>
    line(
      title,
      (column) =>
        column.boxes?.[key].filter((/** @type {any} */ each) => each !== null).join(" ") ?? column.cells[key] ?? "",
    ),
  );
  const bonus = columns.some((/** @type {any} */ each) => each.upper_threshold)
    ? line(words.bonus, (column) => column.upper_bonus)
    : "";
  return html`<table class="hall-own">
    ${written}${bonus}
    <tr class="sum">
      <th scope="row">${words.total}</th>
      <td colspan="${columns.length}">${shown.total}</td>
    </tr>
  </table>`;
}

function draw() {
  if (!sheet) return;
  const { hall } = sheet;
  const number = hall.throws ? words.of : words.number;
  part("number").textContent = hall.number ? fill(number, { number: hall.number, count: hall.throws }) : words.first;
  render(part("dice"), hall.number ? diceRow(hall.dice) : html``);
  part("said").textContent = said(sheet);
  render(part("choices"), choices(sheet));
  render(part("sheet"), ownSheet(sheet));
  showLeft();
}

function showLeft() {
  const left =
    sheet?.hall.open && sheet.hall.left_s !== null ? sheet.hall.left_s - (Date.now() - shownAt) / 1000 : null;
  part("left").textContent = left === null || left <= 0 ? "" : `${Math.ceil(left)} s`;
}

/** @param {HallSheet} shown */
function show(shown) {
  const isNew = shown.hall.open && shown.hall.id !== sheet?.hall.id;
  if (isNew && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(100);
  [sheet, shownAt, isFailed] = [shown, Date.now(), false];
  draw();
}

/** @param {string} actions */
async function write(actions) {
  const id = sheet?.hall.id ?? 0;
  const body = new URLSearchParams({ throw: String(id), actions });
  const answer = await fetch(place.dataset.write ?? "", {
    method: "POST",
    body,
    headers: { Accept: "application/json" },
  });
  if (!answer.ok) throw new Error(String(answer.status));
  const written = fromJson(await answer.text());
  if (sheet?.hall.id === id) show(written); // else the next throw has come meanwhile
}

/** Shows a person's sheet at `root` from its stream, which it returns. `ended` is called when the round is over.
 * @param {HTMLElement} root @param {() => void} ended */
export function startHall(root, ended) {
  [place, sheet, isFailed] = [root, null, false];
  words = fromJson(root.dataset.words ?? "{}");
  titles = Object.fromEntries(fromJson(root.dataset.titles ?? "[]"));
  const source = new EventSource(root.dataset.stream ?? "");
  source.addEventListener("hall", (event) => {
    const shown = fromJson(event.data);
    if (shown && !shown.hall.told) return show(shown);
    source.close();
    ended();
  });
  root.addEventListener("click", (event) => {
    const actions = /** @type {HTMLElement} */ (event.target).closest("button")?.dataset.actions;
    if (actions)
      write(actions).catch(() => {
        isFailed = true;
        draw();
      });
  });
  const timer = setInterval(() => {
    if (!root.isConnected) return clearInterval(timer);
    if (sheet?.hall.left_s !== null) draw();
  }, 500);
  return source;
}

/** Draws the dice that the server names in a page. @param {HTMLElement} root */
export function drawDice(root) {
  for (const each of root.querySelectorAll("[data-dice]"))
    render(each, diceRow((each.dataset.dice ?? "").split(" ").map(Number)));
}
