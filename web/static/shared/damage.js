// A table that lost its newest steps when the game file was damaged: what is known, and the way to go on.

import { html } from "./dom.js";
import { t, tn } from "./text.js";

export const is = (state) => (state.lost ?? null) !== null;

/**
 * What happened, and the new table that goes on from the last good state; nothing where the table is whole.
 * @param {Context} ctx
 */
export function notice({ state, setup, watches }) {
  if (!is(state)) return "";
  const lost = state.lost
    ? tn(
        "The game file was damaged: {count} step or more of this table is lost. This is the last good state.",
        "The game file was damaged: {count} steps or more of this table are lost. This is the last good state.",
        state.lost,
      )
    : t("The game file was damaged, and this table with it. This is the last good state.");
  return html`<div class="notice" role="alert" data-key="damage">
    <p>${lost}</p>
    ${watches ? "" : way(state, setup)}
  </div>`;
}

const way = (state, setup) =>
  html`${state.next
      ? html`<a class="button primary" data-goes-along href="/tables/${state.next}">${t("Go there")}</a>`
      : html`<form method="post" action="${setup.base}/continue">
          <button class="button primary" data-goes-along>${t("Go on from here in a new table")}</button>
        </form>`} <a class="button" href="${setup.base}/record.json">${t("Save the game record")}</a>`;
