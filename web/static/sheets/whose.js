// Whom a phone plays for, where all act at once.

import { button } from "../shared/buttons.js";
import * as device from "../shared/device.js";
import { html } from "../shared/dom.js";
import { playerMark } from "../shared/icons.js";
import { capitalize, t } from "../shared/text.js";

/**
 * The question whom a phone plays for that came to the table, or saw another one act for a player; "" once it is
 * answered.
 * @param {Context} ctx
 */
export function askWhose(ctx) {
  const { setup, state, standing } = ctx;
  if (standing.order.length < 2 || !device.isUnbound(setup.key)) return "";
  const isShared = state.recent.some(
    ({ kind, body, device: name }) => kind === "do" && "player" in body.do && name !== setup.device,
  );
  if (setup.owner && !isShared) return "";
  const answer = (/** @type {number | null} */ who, /** @type {Content} */ name) =>
    button("button", "play-for", name, { arg: who, key: `for-${who}` });
  return html`<div class="notice ask-whose" role="group" aria-labelledby="whom" data-key="whose">
    <p id="whom">${t("Whom does this phone play for?")}</p>
    ${standing.order.map((who) => answer(who, html`${playerMark(who)}${ctx.name(who)}`))}
    ${answer(null, capitalize(t("everybody")))}
  </div>`;
}

/** @param {Page} ctx @returns {Handlers} */
export const handlers = (ctx) => ({
  "play-for": (who) => {
    ctx.table().playsFor = device.bindPlayer(ctx.setup.key, who);
    ctx.local.viewing = undefined;
    ctx.draw();
  },
});
