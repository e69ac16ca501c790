// The pencil beside everything that a person settled by hand: on sheets, on the board and on paper.

import { button } from "../shared/buttons.js";
import { html, saidAs } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { plus, t } from "../shared/text.js";

/** A small pencil, with words for screen readers. */
export const pencil = () =>
  html`<span class="settled">${icon("pencil")}<span class="hidden">${t("settled by hand")}</span></span>`;

/** The adjustments of a player, oldest first. @param {Player} player @returns {Values[]} */
const adjustmentsOf = (player) => player.adjusted || [];

/** Whether the last adjustment of this cell gave it its points; without points, it opened the cell again.
 * @param {Player} player @param {string} key @param {number} column */
function isAdjustedCell(player, key, column) {
  const about = adjustmentsOf(player).filter((each) => each.category === key && (each.column || 1) === column);
  return about.length > 0 && about[about.length - 1].points !== null;
}

/** The pencil of a cell of a sheet, "" without one. @param {Player} player @param {string} key */
export const cellPencil = (player, key, column = 1) => (isAdjustedCell(player, key, column) ? pencil() : "");

/** The pencil of a finished turn, by its place among the player's turns. @param {Player} player @param {number} turn */
export const turnPencil = (player, turn) => (adjustmentsOf(player).some((each) => each.turn === turn) ? pencil() : "");

/** Whether another player threw this finished turn, and has its points. @param {Player} player @param {number} turn */
export const isMoved = (player, turn) =>
  adjustmentsOf(player).some((each) => each.turn === turn && each.what === "turn-moved");

/** Whether a player's total was set, or has the points of another one's turn. @param {Player} player */
export const hasTotal = (player) =>
  adjustmentsOf(player).some((each) => each.what === "total" || (each.what === "turn-moved" && !("turn" in each)));

/** @param {Player} player */
export const totalPencil = (player) => (hasTotal(player) ? pencil() : "");

/** Whether a cell of a grid has a number that was adjusted.
 * @param {Player} player @param {number} row @param {number} column */
export function isAdjustedGridCell(player, row, column) {
  const about = adjustmentsOf(player)
    .flatMap((each) => each.cells || [])
    .filter(({ cell }) => cell[0] === row && cell[1] === column);
  return about.length > 0 && about[about.length - 1].number !== null;
}

/** Whether a tap on a player's cells may settle them by hand: not on the board, and not on a phone of another player.
 * @param {Context} ctx @param {number} who */
export const mayTap = (ctx, who) => ctx.mayAct(who) && !ctx.standing.players[who].out;

/**
 * The content of a written cell as a button, where it may be tapped. `cell`: as the actions name it; `words`: how the
 * cell is read.
 * @param {Context} ctx @param {number} who @param {Cell} cell @param {string} words @param {Content} content
 */
export function cellButton(ctx, who, cell, words, content) {
  if (!mayTap(ctx, who)) return saidAs(words, content);
  return button("written", "settle-cell", content, { arg: [who, cell], label: words });
}

/** The heading of the row with the points that totals set by hand added: the rows above do not add up to them. */
export const byHandTitle = () => t("By hand");

/** The points that the totals set by hand added for a player. @param {Player} player */
export const addedByHand = (player) => html`${plus(player.adjusted_by ?? 0)}${pencil()}`;
