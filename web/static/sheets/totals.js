// What a sheet shows beside each player's total: his tab, his team, what was added by hand.

import { html } from "../shared/dom.js";
import { icon, playerMark } from "../shared/icons.js";
import { number, t } from "../shared/text.js";
import { addedByHand, byHandTitle, hasTotal, totalPencil } from "./adjustments.js";

/** The team of a player, where there are teams. @param {Player} player */
export const teamLine = ({ team }) =>
  team === undefined ? "" : html`<span class="soft small-line">${t("Team {number}", { number: team + 1 })}</span>`;

/** What a player's tab shows. @param {Context} ctx @param {number} who @param {boolean} done  has written */
export function tabContent({ standing: { players, to_act: acting } }, who, done) {
  const [player, sign] = [players[who], acting.includes(who) ? "▸" : done ? "✓" : ""];
  return html`<span class="name"
      >${sign && html`<span class="sign" aria-hidden="true">${sign}</span>`}${playerMark(who)}${player.name}</span
    ><span class="score">${number(player.score)}${totalPencil(player)}</span>
    <span class="hidden">${acting.includes(who) && t("plays now")}</span>`;
}

/** The row with what was added to players' totals by hand, if it was. @param {Player[]} players */
export const byHandRow = (players, added = addedByHand) =>
  players.some(hasTotal) &&
  html`<tr data-key="by-hand">
    <th scope="row">${icon("pencil")}<span class="hidden">${byHandTitle()}</span></th>
    ${players.map((player) => html`<td>${hasTotal(player) && added(player)}</td>`)}
  </tr>`;
