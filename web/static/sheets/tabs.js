// The players as tabs above a sheet in which each writes for himself.

import { html } from "../shared/dom.js";
import { playerMark } from "../shared/icons.js";
import { number, t } from "../shared/text.js";
import { totalPencil } from "./adjustments.js";

/** What a player's tab shows. @param {Context} ctx @param {number} who @param {boolean} done  has written */
export function tabContent({ standing: { players, to_act: acting } }, who, done) {
  const [player, sign] = [players[who], acting.includes(who) ? "▸" : done ? "✓" : ""];
  return html`<span class="name"
      >${sign && html`<span class="sign" aria-hidden="true">${sign}</span>`}${playerMark(who)}${player.name}</span
    ><span class="score">${number(player.score)}${totalPencil(player)}</span>
    <span class="hidden">${acting.includes(who) && t("plays now")}</span>`;
}
