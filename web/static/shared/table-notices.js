// Notices that nothing more can be done at a table: its game file was damaged, or its owner closed it.

import { at } from "./address.js";
import { button } from "./buttons.js";
import { html } from "./dom.js";
import { t, tn } from "./text.js";

/** Whether a table lost its newest steps when the game file was damaged. @param {View} state */
export const isDamaged = (state) => (state.lost ?? null) !== null;

/** What was lost, and the way to a new table that goes on from the last good state; "" if the table is whole.
 * @param {Context} ctx */
export function damageNotice({ state, setup, watches }) {
  if (!isDamaged(state)) return "";
  const lost = state.lost
    ? tn(
        "The game file was damaged: {count} step or more of this table is lost. This is the last good state.",
        "The game file was damaged: {count} steps or more of this table are lost. This is the last good state.",
        state.lost,
      )
    : t("The game file was damaged, and this table with it. This is the last good state.");
  return html`<div class="notice" role="alert" data-key="damage">
    <p>${lost}</p>
    ${!watches && continueLinks(state, setup)}
  </div>`;
}

/** @param {View} state @param {PageSetup} setup */
const continueLinks = (state, setup) =>
  html`${state.next
      ? html`<a class="button primary" data-goes-along href="${at(`/tables/${state.next}`)}">${t("Go there")}</a>`
      : html`<form method="post" action="${setup.base}/continue">
          <button class="button primary" data-goes-along>${t("Go on from here in a new table")}</button>
        </form>`} <a class="button" href="${setup.base}/record.json">${t("Save the game record")}</a>`;

/** That the table is closed, and the owner's button to open it again; "" while it is open. @param {Context} ctx */
export function closedNotice({ state, setup, watches }) {
  if (!state.closed) return "";
  return html`<div class="notice" role="status" data-key="closed">
    <p>${t("Whoever started this table has closed it. The game stays as it is.")}</p>
    ${!watches &&
    (setup.owner
      ? button("button", "table-open", t("Open this table again"))
      : html`<a class="button" href="${at("/")}">${t("New table")}</a>`)}
  </div>`;
}
