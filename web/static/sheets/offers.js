// Under the dice: what they would bring, the best first, so that nobody has to look for it in a long sheet.

import { html, json } from "../shared/dom.js";
import * as advice from "../shared/advice.js";
import { number, t } from "../shared/text.js";
import { categoryName, mayActNow } from "../shared/sentences.js";

const SHOWN = 6; // on a phone the sheet has the others; see .offers in the style

export const sum = (entry) => entry.points + (entry.bonus || 0);

export const isChosen = (ctx, entry) => {
  const { cell } = ctx.local.sheet;
  return Boolean(cell) && cell.category === entry.category && cell.column === entry.column;
};

/** The cells that would bring something, or `all` of them, best first, to be chosen with one tap. */
export function offers(ctx, all = false) {
  const { standing } = ctx;
  const best = standing.legal
    .filter((entry) => entry.do === "score" && (all || sum(entry) > 0))
    .sort((a, b) => sum(b) - sum(a));
  if (ctx.watches || !best.length) return "";
  return html`<ul class="offers" aria-label="${t("What the dice would bring")}">
    ${best.map(
      (entry, i) =>
        html`<li data-key="o${entry.category}${entry.column || ""}" class="${i < SHOWN ? "" : "more"}">
          <button
            type="button"
            class="${isChosen(ctx, entry) ? "chosen" : ""}"
            aria-pressed="${isChosen(ctx, entry) ? "true" : "false"}"
            ${ctx.idle}
            data-act="cell"
            data-arg="${json(entry)}"
          >
            <span>${categoryName(standing, entry)}</span> <strong>${number(sum(entry))}</strong>${advice.cost(
              ctx,
              entry,
            )}
          </button>
        </li>`,
    )}
  </ul>`;
}

/** Whether there is nothing left but to write. */
const mustWrite = ({ standing: { legal } }) =>
  legal.some((entry) => entry.do === "score") && !legal.some((entry) => entry.do === "keep" || entry.do === "throw");

/** The same for a throw that waits to be confirmed; where one cell must be written, also those that bring nothing. */
export const preview = (ctx) => offers(ctx, mustWrite(ctx));

/** The cell that is chosen: what writes it, and what its button says; null where none is. */
export function chosenMove(ctx) {
  const { cell: entry } = ctx.local.sheet;
  if (!entry) return null;
  const { category, column } = entry;
  return {
    action: { do: "score", category, ...(column ? { column } : {}) },
    words: t("Write {points}: {category}", { points: number(sum(entry)), category: categoryName(ctx.standing, entry) }),
  };
}

/**
 * After the last throw the cell that brings most is chosen to begin with: it is written with one tap, another one with
 * two.
 */
export function update(ctx) {
  const { local, standing, state } = ctx;
  if (local.offered === state.version) return;
  local.offered = state.version;
  if (!mustWrite(ctx) || !mayActNow(ctx)) return;
  const [best] = standing.legal
    .filter((entry) => entry.do === "score" && sum(entry) > 0)
    .sort((a, b) => sum(b) - sum(a));
  local.sheet.cell = best ?? null;
}

/**
 * Chooses a cell, or no longer, unless something must be written; chosen among the offers, it is shown on the sheet.
 */
export function choose(ctx, entry, element) {
  ctx.local.sheet.cell = isChosen(ctx, entry) && !mustWrite(ctx) ? null : entry;
  ctx.draw();
  if (element.closest(".offers") && ctx.local.sheet.cell) {
    document.querySelector(".offer .chosen")?.scrollIntoView({ block: "center", inline: "center" });
  }
}
