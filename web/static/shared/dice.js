// Dice drawn as dice: pips, never only digits.

import { button } from "./buttons.js";
import { html, raw } from "./dom.js";

// The places of the pips of each value, across and down: near, middle, far.
/** @type {Record<string, number>} */
const PLACES = { n: 27, m: 50, f: 73 };
/** @type {Record<number, string>} */
const PIPS = { 1: "mm", 2: "nf fn", 3: "nf mm fn", 4: "nn nf fn ff", 5: "nn nf mm fn ff", 6: "nn nm nf fn fm ff" };

/** One die as a picture. Its value must also be said beside it, or in a label around it. @param {number} value */
export function die(value, kind = "") {
  const places = (PIPS[value] ?? "").matchAll(/(\w)(\w)/g);
  const pips = [...places].map(([, x, y]) => `<circle cx="${PLACES[x]}" cy="${PLACES[y]}" r="9.5"/>`).join("");
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

/** Several dice in a row, with their values as text for screen readers. @param {number[]} values */
export function diceRow(values, kind = "", /** @type {number[]} */ crossed = []) {
  return html`<span class="dice ${kind}" role="img" aria-label="${values.join(" ")}"
    >${values.map((value) =>
      crossed.includes(value) ? html`<span class="no">${die(value)}</span>` : die(value),
    )}</span
  >`;
}

/** The six values as keys that do the act of this name; `may`: whether they are enabled. @param {string} act */
export const valueKeys = (act, may = true) =>
  [1, 2, 3, 4, 5, 6].map((value) =>
    button("", act, html`${die(value)}<span aria-hidden="true">${value}</span>`, {
      arg: value,
      key: `v${value}`,
      label: value,
      off: !may,
    }),
  );
