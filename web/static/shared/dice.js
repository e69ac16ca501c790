// Dice drawn as dice: pips, never only digits.

import { button } from "./buttons.js";
import { html, raw } from "./dom.js";

const A = 27,
  B = 50,
  C = 73;
const PIPS = {
  1: [[B, B]],
  2: [
    [A, C],
    [C, A],
  ],
  3: [
    [A, C],
    [B, B],
    [C, A],
  ],
  4: [
    [A, A],
    [A, C],
    [C, A],
    [C, C],
  ],
  5: [
    [A, A],
    [A, C],
    [B, B],
    [C, A],
    [C, C],
  ],
  6: [
    [A, A],
    [A, B],
    [A, C],
    [C, A],
    [C, B],
    [C, C],
  ],
};

/** One die as a picture. Its value must also be said beside it, or in a label around it. */
export function die(value, kind = "") {
  const pips = (PIPS[value] || []).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="9.5"/>`).join("");
  return raw(
    `<svg class="die ${kind}" viewBox="0 0 100 100" aria-hidden="true" focusable="false">` +
      `<rect x="3" y="3" width="94" height="94" rx="22"/>${pips}</svg>`,
  );
}

/** An empty place for a die. */
export const slot = () =>
  raw(
    '<svg class="die slot" viewBox="0 0 100 100" aria-hidden="true">' +
      '<rect x="4" y="4" width="92" height="92" rx="22"/></svg>',
  );

/** Empty places for so many dice, where thrown ones will lie. */
export const slots = (count) => html`<span class="dice">${Array.from({ length: count }, slot)}</span>`;

/** Several dice in a row, with their values as text for screen readers. */
export function diceRow(values, kind = "", /** @type {number[]} */ crossed = []) {
  return html`<span class="dice ${kind}" role="img" aria-label="${values.join(" ")}"
    >${values.map((value) =>
      crossed.includes(value) ? html`<span class="no">${die(value)}</span>` : die(value),
    )}</span
  >`;
}

/** The six values as keys that do the act of this name; `may`: whether they are enabled. */
export const valueKeys = (act, may = true) =>
  [1, 2, 3, 4, 5, 6].map((value) =>
    button("", act, html`${die(value)}<span aria-hidden="true">${value}</span>`, {
      arg: value,
      key: `v${value}`,
      label: value,
      off: !may,
    }),
  );
