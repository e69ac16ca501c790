// A table that whoever started it has closed.

import { html } from "./dom.js";
import { t } from "./text.js";

/**
 * At a closed table: what happened, and the owner's way to open it again; nothing where it is open.
 * @param {Context} ctx
 */
export function notice({ state, setup, watches }) {
  if (!state.closed) return "";
  return html`<div class="notice" role="status" data-key="closed">
    <p>${t("Whoever started this table has closed it. The game stays as it is.")}</p>
    ${watches ? "" : setup.owner ? reopen() : html`<a class="button" href="/">${t("New table")}</a>`}
  </div>`;
}

const reopen = () =>
  html`<button type="button" class="button" data-act="table-open">${t("Open this table again")}</button>`;
