// The sheet of two parts with one or several columns; each open cell shows what it would give.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { html, saidAs } from "../shared/dom.js";
import { number, plus, t } from "../shared/text.js";
import * as keptDice from "./kept-dice.js";
import { boxesOf, categoryName, categoryTitle, columnSign, columnWords, isFresh } from "../shared/sentences.js";
import { cellWords, cornerHeading, nameHeadings, offer, partOf, scroller } from "./grid.js";
import { announceAction, choose, chosenMove, sum, writeButton } from "./offers.js";
import * as adjustments from "./adjustments.js";

/** What the page, the board and the printed sheet show of a player besides the score.
 * @param {Context} ctx @param {Player} player */
export const playerDetails = (ctx, player) => {
  const saved = keptDice.throwsSaved(player);
  return saved && html`<span class="soft small-line">${saved}</span>`;
};

export const belowScore = playerDetails;

export const turn = keptDice.view;

export { markedDice, update } from "./kept-dice.js";
export { preview } from "./offers.js";

/** @typedef {ReturnType<typeof viewOf>} Shown */

/** What all parts of the sheet ask. @param {Context} ctx */
function viewOf(ctx) {
  const { sheet: form, players, to_act } = ctx.standing;
  const toAct = ctx.printing ? [] : to_act; // paper shows written cells only
  const offers = ctx.standing.legal.filter((entry) => entry.do === "score");
  const given = new Map(offers.map((entry) => [`${entry.column || 1}/${entry.category}`, entry]));
  const worths = offers.map(sum);
  const best = form.low_wins ? Math.min(...worths) : Math.max(0, ...worths);
  const marksBest = advice.marksBest(ctx);
  const isBest = (/** @type {Action} */ entry) => best > 0 && sum(entry) === best && !marksBest;
  /** @type {SheetPlace[]} */
  const places = players.flatMap((player, who) =>
    form.columns.map((column, i) => ({
      player,
      who,
      column,
      cells: player.columns[i],
      own: toAct.includes(who),
    })),
  );
  const kept = keptDice.markedDice(ctx);
  return { ctx, form, players, toAct, given, isBest, kept, several: form.columns.length > 1, places };
}

/** @param {Shown} view @param {number} column */
const firstOf = ({ form }, column) => (column === form.columns[0] ? "first" : "");

/** What a cell brings by its tiers, beside its points. @param {Column} cells @param {string} key */
const tierOf = (cells, key) => (cells.tiers?.[key] ? html` <small>${plus(cells.tiers[key])}</small>` : "");

/** What the player to act may write into a cell. @param {Shown} view @param {Action} entry @param {Player} player */
const offerIn = ({ ctx, isBest, kept }, entry, player) =>
  offer(ctx, entry, player, isBest(entry), advice.spokenCost(ctx, entry, kept), advice.cellCost(ctx, entry, kept));

/** A cell that stands several times: what is written, and below it what the dice would bring.
 * @param {Shown} view @param {string} key @param {SheetPlace} place @param {(number | null)[]} boxes */
function repeatedCell(view, key, { who, player, column, cells, own }, boxes) {
  const { ctx, several, given, kept } = view;
  const entry = own ? given.get(`${column}/${key}`) : null;
  const written = boxes.filter((points) => points !== null).length;
  const shown = html`<span class="boxes"
      >${boxes.map(
        (points) => html`<span class="${!points && "none"}">${points === null ? "·" : number(points)}</span>`,
      )}</span
    >${tierOf(cells, key)}`;
  const named = several ? { category: key, column } : { category: key };
  const words = cellWords(categoryName(ctx, named, true), cells.cells[key] ?? 0, player.name);
  const fresh = isFresh(ctx, who, { category: key, column }) && "fresh";
  const states = `${own ? "own" : ""} ${player.out ? "out" : ""} ${entry ? "offer" : ""}`;
  return html`<td class="repeated ${firstOf(view, column)} ${states} ${fresh}">
    ${written ? adjustments.cellButton(ctx, who, { ...named, number: written }, words, shown) : shown}
    ${adjustments.cellPencil(player, key, column)}
    ${entry ? offerIn(view, entry, player) : own && written < boxes.length ? advice.openCellChance(ctx, key, kept) : ""}
  </td>`;
}

/** @param {Shown} view @param {string} key @param {SheetPlace} place */
function writtenCell(view, key, { who, player, column, cells, own }) {
  const { ctx, form, several } = view;
  const points = cells.cells[key];
  const hundreds = key === form.extra_cell ? cells.extra : 0; // "50 + 200": for the generals after the first
  const more = hundreds ? html` <small>+&nbsp;${number(hundreds)}</small>` : "";
  const cell = several ? { category: key, column } : { category: key };
  const words = cellWords(categoryName(ctx, cell, true), points + hundreds, player.name);
  const shown = html`${points ? number(points) : "–"}${more}${tierOf(cells, key)}`;
  const fresh = isFresh(ctx, who, { category: key, column }) && "fresh";
  const states = `${own ? "own" : ""} ${player.out ? "out" : ""} ${points ? "" : "none"}`;
  return html`<td class="${firstOf(view, column)} ${states} ${fresh}">
    ${adjustments.cellButton(ctx, who, cell, words, shown)}${adjustments.cellPencil(player, key, column)}
  </td>`;
}

/** Whether a cell is the one that is announced in this turn.
 * @param {Shown} view @param {string} key @param {SheetPlace} place */
const isAnnounced = ({ ctx: { standing }, form }, key, { column, own }) =>
  own && standing.turn.announced === key && form.orders[column - 1] === "announced";

/** @param {Shown} view @param {string} key @param {SheetPlace} place */
function cellAt(view, key, place) {
  const { player, column, cells, own } = place;
  const mark = isAnnounced(view, key, place)
    ? html`<small class="announced">${saidAs(t("announced"), "!")}</small>`
    : "";
  const boxes = boxesOf(player, { category: key, column });
  if (boxes) return repeatedCell(view, key, place, boxes);
  if (key in cells.cells) return writtenCell(view, key, place);
  const entry = own ? view.given.get(`${column}/${key}`) : null;
  if (entry) return html`<td class="offer own ${firstOf(view, column)}">${offerIn(view, entry, player)}${mark}</td>`;
  return html`<td class="${player.out ? "out" : "open"} ${firstOf(view, column)} ${own && "own"}">
    ${mark || (own && advice.openCellChance(view.ctx, key, view.kept))}
  </td>`;
}

/** @param {Shown} view @param {string} key */
const cellRow = (view, key) =>
  html`<tr data-key="${key}">
    <th scope="row">${categoryTitle(view.ctx, key)}</th>
    ${view.places.map((place) => cellAt(view, key, place))}
  </tr>`;

/** @param {Shown} view @param {Column} cells @param {boolean} own */
const bonus = ({ ctx, kept }, cells, own) =>
  cells.upper_bonus
    ? number(cells.upper_bonus)
    : (own && advice.bonusChance(ctx, kept)) || html`<span class="soft" aria-hidden="true">·</span>`;

/** @param {Shown} view @param {string} title @param {(cells: Column, own: boolean) => unknown} content */
const sumRow = (view, title, content, kind = "") =>
  html`<tr class="sum ${kind}">
    <th scope="row">${title}</th>
    ${view.places.map(
      ({ column, cells, own }) =>
        html`<td class="${firstOf(view, column)} ${own && "own"}">${content(cells, own)}</td>`,
    )}
  </tr>`;

/** A row with one cell for each player, over all columns.
 * @param {Shown} view @param {string} key @param {Content} title @param {(player: Player) => unknown} content */
const playerRow = ({ form, players, toAct }, key, title, content, kind = "") =>
  html`<tr class="sum ${kind}" data-key="${key}">
    <th scope="row">${title}</th>
    ${players.map(
      (player, who) =>
        html`<td colspan="${form.columns.length}" class="first ${toAct.includes(who) && "own"}">
          ${content(player)}
        </td>`,
    )}
  </tr>`;

/** The rows below the upper part. @param {Shown} view */
const upperSums = (view) =>
  html`${sumRow(view, t("Upper sum"), ({ upper_sum: sum, upper_bonus: reached, upper_threshold: of }) =>
    reached && sum >= of ? number(sum) : partOf(sum, of),
  )}
  ${sumRow(view, t("Bonus"), (cells, own) => bonus(view, cells, own))}`;

/** The last rows. The columns do not add up to a total that was set by hand. @param {Shown} view */
function totals(view) {
  const { form, players } = view;
  const byHand =
    players.some(adjustments.hasTotal) &&
    playerRow(view, "by-hand", adjustments.byHandTitle(), (player) =>
      adjustments.hasTotal(player) ? adjustments.addedByHand(player) : "",
    );
  if (!form.total_tiers) return html`${sumRow(view, t("Total"), (cells) => number(cells.total), "total")} ${byHand}`;
  return html`${sumRow(view, t("Sum"), (cells) => number(cells.total))}
  ${playerRow(view, "by-total", t("Points for the sum"), ({ by_total: points }) => plus(points))} ${byHand}
  ${playerRow(view, "points", t("Points"), ({ score }) => number(score), "total")}`;
}

/** The row of what two cells count by their difference: "(Max − Min) × Ones". @param {Shown} view */
function differenceRow(view) {
  const { ctx, form } = view;
  const [first, second, times] = form.difference.map((key) => categoryTitle(ctx, key));
  const isWritten = (/** @type {Column} */ cells) => form.difference.every((key) => key in cells.cells);
  return sumRow(view, `(${first} − ${second}) × ${times}`, (cells) =>
    isWritten(cells) ? number(cells.difference) : html`<span class="soft" aria-hidden="true">·</span>`,
  );
}

/** Above each column, in which order it is written, or how often it counts. @param {Shown} view */
const factors = (view) =>
  html`<tr class="factors">
    ${view.places.map(
      ({ column, own }) =>
        html`<th scope="col" class="${firstOf(view, column)} ${own && "own"}">
          ${saidAs(columnWords(view.form, column), columnSign(view.form, column))}
        </th>`,
    )}
  </tr>`;

/** @param {Context} ctx */
export function sheet(ctx) {
  const view = viewOf(ctx);
  const { form, players, toAct, several, places } = view;
  return scroller(
    html`<table class="grid ${several ? "several" : places.length < 5 ? "few" : ""}">
      <thead>
        <tr>
          ${cornerHeading(several ? 2 : 1)}
          ${nameHeadings(players, toAct, html`scope="colgroup" colspan="${form.columns.length}"`)}
        </tr>
        ${several && factors(view)}
      </thead>
      <tbody>
        ${form.upper.map((key) => cellRow(view, key))} ${form.upper_bonus !== 0 && upperSums(view)}
        ${form.lower.map((key) => cellRow(view, key))} ${form.difference && differenceRow(view)} ${totals(view)}
      </tbody>
    </table>`,
  );
}

/** @param {Context} ctx */
export function actions(ctx) {
  const write = chosenMove(ctx);
  if (!write) return null;
  const { cell } = ctx.local.sheet;
  const writing = writeButton(ctx, write);
  const { legal, sheet: form } = ctx.standing;
  const named = legal.find((entry) => entry.do === "announce" && entry.category === cell.category);
  if (!named || form.orders[(cell.column ?? 1) - 1] !== "announced") return writing;
  const words = t("Announce {category}", { category: categoryTitle(ctx, cell.category) });
  return html`${writing} ${button("button", "act", words, { arg: announceAction(named) })}`;
}

/** @param {Page} ctx @returns {Handlers} */
export const handlers = (ctx) => ({
  ...keptDice.handlers(ctx),
  cell: (entry, element) => choose(ctx, entry, element),
});
