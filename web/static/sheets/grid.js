// Parts of the sheets that are tables: a box that scrolls, the players' names, cells to be chosen.

import { button } from "../shared/buttons.js";
import { html, saidAs } from "../shared/dom.js";
import { categoryName } from "../shared/sentences.js";
import { number, t, tn } from "../shared/text.js";
import { isChosen, spokenWin, sum, winMark } from "./offers.js";

/** A sheet, which may be wider than the screen. @param {Html} table */
export const scroller = (table) =>
  html`<div class="pad-sheet">
    <div class="scroller" tabindex="0" role="region" aria-label="${t("Sheet")}">${table}</div>
  </div>`;

/** The names above the columns; `scope`: attributes that say which columns a name is for.
 * @param {Player[]} players @param {number[]} toAct @param {Html} scope */
export const nameHeadings = (players, toAct, scope) =>
  players.map(
    (player, who) =>
      html`<th
        ${scope}
        class="first ${toAct.includes(who) && "own"} ${player.out && "out"}"
        ${who === toAct[0] && html`data-scroll="${who}"`}
      >
        ${player.name}
      </th>`,
  );

/** How many of how many: "5/14". @param {number} count @param {number} of */
export const partOf = (count, of) =>
  saidAs(t("{count} of {all}", { count: number(count), all: number(of) }), html`${number(count)}<small>/${of}</small>`);

/** How a cell is read: "Full house: 25 points for Ada".
 * @param {string} category @param {number} points @param {string} name */
export const cellWords = (category, points, name) =>
  tn("{category}: {count} point for {name}", "{category}: {count} points for {name}", points, { category, name });

/** The heading above the headings of the rows, beside `rows` of headings. */
export const cornerHeading = (rows = 1) =>
  html`<th scope="col" rowspan="${rows}"><span class="hidden">${t("Cell")}</span></th>`;

/**
 * The button of an open cell, with what it would give. `spoken`: more words for screen readers; `beside`: more content
 * beside its points.
 * @param {Context} ctx @param {Action} entry of `legal` @param {Player} player @param {boolean} isBest
 * @param {string} spoken @param {Content} beside
 */
export function offer(ctx, entry, player, isBest, spoken, beside) {
  const picked = isChosen(ctx, entry);
  return button(
    `${picked ? "chosen" : ""} ${isBest ? "best" : ""} ${sum(entry) ? "" : "zero"}`,
    "cell",
    html`${winMark(entry)}${number(entry.points)}${entry.bonus ? html`<small>+${entry.bonus}</small>` : ""}${beside}`,
    {
      arg: entry,
      label: `${cellWords(categoryName(ctx, entry, true), sum(entry), player.name)}${
        isBest ? `, ${t("Most points").toLowerCase()}` : ""
      }${spokenWin(entry)}${spoken}`,
      pressed: picked,
      more: ctx.idle,
    },
  );
}
