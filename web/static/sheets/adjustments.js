// What a person settled by hand carries a pencil on every sheet, on the board and on paper.

import { html, json } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { plus, t } from "../shared/text.js";

/** A small pencil, said to those who hear the page. */
export const pencil = () =>
  html`<span class="settled">${icon("pencil")}<span class="hidden">${t("settled by hand")}</span></span>`;

/** The adjustments of a player, oldest first. */
const adjustmentsOf = (player) => player.adjusted || [];

/** Whether what was settled last about this cell gave it its points: one that was opened again is written by dice. */
function isAdjustedCell(player, key, column) {
  const about = adjustmentsOf(player).filter((each) => each.category === key && (each.column || 1) === column);
  return about.length > 0 && about[about.length - 1].points !== null;
}

/** The pencil of a cell of a sheet, "" without one. */
export const cellPencil = (player, key, column = 1) => (isAdjustedCell(player, key, column) ? pencil() : "");

/** The pencil of a finished turn, by its place among the player's turns. */
export const turnPencil = (player, turn) => (adjustmentsOf(player).some((each) => each.turn === turn) ? pencil() : "");

/** Whether a player's total was set. */
export const hasTotal = (player) => adjustmentsOf(player).some((each) => each.what === "total");

/** The pencil of a player's total. */
export const totalPencil = (player) => (hasTotal(player) ? pencil() : "");

/** Whether a cell of a grid has a number that was adjustments. */
export function isAdjustedGridCell(player, row, column) {
  const about = adjustmentsOf(player)
    .flatMap((each) => each.cells || [])
    .filter(({ cell }) => cell[0] === row && cell[1] === column);
  return about.length > 0 && about[about.length - 1].number !== null;
}

/**
 * Whether a tap on what is written there may settle it by hand: not on the board, nor on a phone of another player.
 * @param {Context} ctx
 */
export const mayTap = (ctx, who) => ctx.mayAct(who) && !ctx.standing.players[who].out;

/**
 * What is written in a cell of a sheet, `points` and `more`, to be tapped. `cell`: as the actions name it; `name`: of
 * its row.
 * @param {Context} ctx
 * @param {number} who
 * @param {Cell} cell
 * @param {string} name
 * @param {string} points
 * @param {Content} more
 */
export function cellButton(ctx, who, cell, name, points, more = "") {
  if (!mayTap(ctx, who)) return html`${points}${more}`;
  return html`<button
    type="button"
    class="written"
    data-act="settle-cell"
    data-arg="${json([who, cell])}"
    aria-label="${ctx.name(who)}, ${name}: ${points}"
  >
    ${points}${more}
  </button>`;
}

/** The heading of the row that tells what totals set by hand added, where the rows above do not add up to them. */
export const byHandTitle = () => t("By hand");

/** What the totals of a player that were set by hand added. */
export const addedByHand = (player) => html`${plus(player.adjusted_by)}${pencil()}`;
