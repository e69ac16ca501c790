// What a sheet shows beside each player's total: his team, what was added by hand.

import { html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/text.js";
import { addedByHand, byHandTitle, hasTotal } from "./adjustments.js";

/** The team of a player, where there are teams. @param {Player} player */
export const teamLine = ({ team }) =>
  team === undefined ? "" : html`<span class="soft small-line">${t("Team {number}", { number: team + 1 })}</span>`;

/** The row with what was added to players' totals by hand, if it was. @param {Player[]} players */
export const byHandRow = (players, added = addedByHand) =>
  players.some(hasTotal) &&
  html`<tr data-key="by-hand">
    <th scope="row">${icon("pencil")}<span class="hidden">${byHandTitle()}</span></th>
    ${players.map((player) => html`<td>${hasTotal(player) && added(player)}</td>`)}
  </tr>`;
