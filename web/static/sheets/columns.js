// The sheet of two parts with one or three columns; each open cell shows what it would give.

import { button } from "../shared/buttons.js";
import * as advice from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { number, plus, t } from "../shared/text.js";
import * as keptDice from "./kept-dice.js";
import { boxesOf, categoryName, categoryTitle, isFresh } from "../shared/sentences.js";
import { cellWords, cornerHeading, nameHeadings, offer, partOf, scroller } from "./grid.js";
import { choose, chosenMove, sum } from "./offers.js";
import * as adjustments from "./adjustments.js";

/** What the page, the board and the printed sheet show of a player besides the score. */
export const playerDetails = (ctx, player) => {
  const saved = keptDice.throwsSaved(player);
  return saved && html`<span class="soft small-line">${saved}</span>`;
};

export const belowScore = playerDetails;

export const turn = keptDice.view;

export { markedDice, update } from "./kept-dice.js";
export { chosenMove, preview } from "./offers.js";

/** What each open cell would give the player whose turn it is: "column/category" → entry of legal. */
function offersByCell(ctx) {
  const found = new Map();
  for (const entry of ctx.standing.legal) {
    if (entry.do === "score") found.set(`${entry.column || 1}/${entry.category}`, entry);
  }
  return found;
}

export function sheet(ctx) {
  const { standing } = ctx;
  const { sheet: form, players } = standing;
  const toAct = ctx.printing ? [] : standing.to_act; // paper shows written cells only
  const given = offersByCell(ctx);
  const worths = [...given.values()].map(sum);
  const best = form.low_wins ? Math.min(...worths) : Math.max(0, ...worths);
  const marksBest = advice.marksBest(ctx);
  const isBestOf = (entry) => best > 0 && sum(entry) === best && !marksBest;
  const kept = keptDice.markedDice(ctx);
  const several = form.columns.length > 1;
  const places = players.flatMap((player, who) =>
    form.columns.map((column, i) => ({ player, who, column, cells: player.columns[i] })),
  );

  /** What a cell brings by its tiers, beside its points. */
  const tierOf = (cells, key) => (cells.tiers?.[key] ? html` <small>${plus(cells.tiers[key])}</small>` : "");

  /** A cell that stands several times: what is written, and below it what the dice would bring. */
  const repeatedCell = ({ who, player, cell, cells, boxes, own, first }) => {
    const entry = own ? given.get(`${cell.column}/${cell.category}`) : null;
    const written = boxes.filter((points) => points !== null).length;
    const shown = html`<span class="boxes"
        >${boxes.map(
          (points) => html`<span class="${!points && "none"}">${points === null ? "·" : number(points)}</span>`,
        )}</span
      >${tierOf(cells, cell.category)}`;
    const named = several ? cell : { category: cell.category };
    const words = cellWords(categoryName(ctx, named), cells.cells[cell.category] ?? 0, player.name);
    return html`<td
      class="repeated ${first} ${own && "own"} ${player.out && "out"} ${entry && "offer"} ${isFresh(ctx, who, cell) &&
      "fresh"}"
    >
      ${written ? adjustments.cellButton(ctx, who, { ...named, number: written }, words, shown) : shown}
      ${adjustments.cellPencil(player, cell.category, cell.column)}
      ${entry
        ? offer(
            ctx,
            entry,
            player,
            isBestOf(entry),
            advice.spokenCost(ctx, entry, kept),
            advice.cellCost(ctx, entry, kept),
          )
        : own && written < boxes.length
          ? advice.openCellChance(ctx, cell.category, kept)
          : ""}
    </td>`;
  };

  const cellRow = (key) =>
    html`<tr data-key="${key}">
      <th scope="row">${categoryTitle(ctx, key)}</th>
      ${places.map(({ player, who, column, cells }) => {
        const own = toAct.includes(who);
        const first = column === form.columns[0] ? "first" : "";
        const hundreds = key === form.extra_cell ? cells.extra : 0; // "50 + 200": for the generals after the first
        const cell = several ? { category: key, column } : { category: key };
        const more = hundreds ? html` <small>+&nbsp;${number(hundreds)}</small>` : "";
        const points = cells.cells[key];
        const boxes = boxesOf(player, { category: key, column });
        if (boxes) return repeatedCell({ who, player, cell: { category: key, column }, cells, boxes, own, first });
        if (key in cells.cells)
          return html`<td
            class="${first} ${own && "own"} ${player.out && "out"} ${!cells.cells[key] && "none"} ${isFresh(ctx, who, {
              category: key,
              column,
            }) && "fresh"}"
          >
            ${adjustments.cellButton(
              ctx,
              who,
              cell,
              cellWords(categoryName(ctx, cell), points + hundreds, player.name),
              html`${points ? number(points) : "–"}${more}${tierOf(cells, key)}`,
            )}${adjustments.cellPencil(player, key, column)}
          </td>`;
        const entry = own ? given.get(`${column}/${key}`) : null;
        if (!entry)
          return html`<td class="${player.out ? "out" : "open"} ${first} ${own && "own"}">
            ${own && advice.openCellChance(ctx, key, kept)}
          </td>`;
        const isBest = isBestOf(entry);
        const spoken = advice.spokenCost(ctx, entry, kept);
        return html`<td class="offer own ${first}">
          ${offer(ctx, entry, player, isBest, spoken, advice.cellCost(ctx, entry, kept))}
        </td>`;
      })}
    </tr>`;

  const bonus = (cells, own) =>
    cells.upper_bonus
      ? number(cells.upper_bonus)
      : (own && advice.bonusChance(ctx, kept)) || html`<span class="soft" aria-hidden="true">·</span>`;

  const sumRow = (title, content, kind = "") =>
    html`<tr class="sum ${kind}">
      <th scope="row">${title}</th>
      ${places.map(
        ({ who, column, cells }) =>
          html`<td class="${column === form.columns[0] && "first"} ${toAct.includes(who) && "own"}">
            ${content(cells, who)}
          </td>`,
      )}
    </tr>`;

  /** A row with one cell for each player, over all columns. */
  const playerRow = (key, title, content, kind = "") =>
    html`<tr class="sum ${kind}" data-key="${key}">
      <th scope="row">${title}</th>
      ${players.map(
        (player, who) =>
          html`<td colspan="${form.columns.length}" class="first ${toAct.includes(who) && "own"}">
            ${content(player)}
          </td>`,
      )}
    </tr>`;

  // The columns do not add up to a total that was set by hand.
  const byHand = players.some(adjustments.hasTotal)
    ? playerRow("by-hand", adjustments.byHandTitle(), (player) =>
        adjustments.hasTotal(player) ? adjustments.addedByHand(player) : "",
      )
    : "";

  return scroller(
    html`<table class="grid ${several ? "several" : places.length < 5 ? "few" : ""}">
      <thead>
        <tr>
          ${cornerHeading(several ? 2 : 1)}
          ${nameHeadings(players, toAct, html`scope="colgroup" colspan="${form.columns.length}"`)}
        </tr>
        ${several &&
        html`<tr class="factors">
          ${places.map(
            ({ column, who }) =>
              html`<th scope="col" class="${column === form.columns[0] && "first"} ${toAct.includes(who) && "own"}">
                ×${column}
              </th>`,
          )}
        </tr>`}
      </thead>
      <tbody>
        ${form.upper.map(cellRow)}
        ${form.upper_bonus !== 0 &&
        html`${sumRow(t("Upper sum"), ({ upper_sum: sum, upper_bonus: reached, upper_threshold: of }) =>
          reached && sum >= of ? number(sum) : partOf(sum, of),
        )}
        ${sumRow(t("Bonus"), (cells, who) => bonus(cells, toAct.includes(who)))}`}
        ${form.lower.map(cellRow)}
        ${form.total_tiers
          ? html`${sumRow(t("Sum"), (cells) => number(cells.total))}
            ${playerRow("by-total", t("Points for the sum"), ({ by_total: points }) => plus(points))}`
          : sumRow(t("Total"), (cells) => number(cells.total), "total")}
        ${byHand} ${form.total_tiers && playerRow("points", t("Points"), ({ score }) => number(score), "total")}
      </tbody>
    </table>`,
  );
}

export function actions(ctx) {
  const write = chosenMove(ctx);
  if (!write) return null;
  const beside = advice.cost(ctx, ctx.local.sheet.cell);
  return button("button primary", "act", write.words, { arg: write.action, sign: "check", beside });
}

export const handlers = (ctx) => ({
  ...keptDice.handlers(ctx),
  cell: (entry, element) => choose(ctx, entry, element),
});
