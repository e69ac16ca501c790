// What the dice would bring, under the dice and the best first, so that nobody must search a long sheet.

import { button } from "../shared/buttons.js";
import { html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { advice } from "../shared/advice.js";
import { number, t, tn } from "../shared/text.js";
import { slot } from "../shared/dice.js";
import { categoryName, mayActNow } from "../shared/sentences.js";

const SHOWN = 6; // on a phone the sheet has the others; see .offers in the style

/** The places of `count` dice to throw, and what is to be done. `beside`: what lies aside.
 * @param {Context} ctx @param {number} count */
export const throwDue = (ctx, count, /** @type {Content} */ beside = "") =>
  html`${diceCounts(ctx, count)}
    <div class="thrown"><span class="dice">${Array.from({ length: count }, slot)}</span>${beside}</div>
    ${count
      ? html`<p class="hint">
          ${ctx.state.reader
            ? tn("Throw {count} die, then photograph it.", "Throw {count} dice, then photograph them.", count)
            : tn("Throw {count} die, then enter it.", "Throw {count} dice, then enter them.", count)}
        </p>`
      : ""}`;

/** How many dice are thrown, to choose, in games that leave it to the player.
 * @param {Context} ctx @param {number} now */
function diceCounts({ standing: { legal }, idle }, now) {
  const counts = legal.flatMap((entry) => (entry.do === "throw" ? entry.count : [])).sort((a, b) => a - b);
  return counts.length > 1
    ? html`<div class="chips" role="group" aria-label="${t("How many dice")}">
        ${counts.map((count) =>
          button("chip", "act", number(count), {
            arg: { do: "choose", count },
            label: tn("{count} die", "{count} dice", count),
            pressed: count === now,
            more: count === now ? "" : idle,
          }),
        )}
      </div>`
    : "";
}

/** @param {Action} entry */
export const sum = (entry) => entry.points + (entry.bonus || 0);

/** Orders entries: what wins the game first, then the most points, or the fewest where the lowest total wins.
 * @param {Standing} standing @returns {(one: Action, other: Action) => number} */
const byWorth =
  ({ sheet }) =>
  (a, b) =>
    Number(Boolean(b.wins)) - Number(Boolean(a.wins)) || (sheet?.low_wins ? sum(a) - sum(b) : sum(b) - sum(a));

/** That an entry would win the game, for screen readers. @param {Action} entry */
export const spokenWin = (entry) => (entry.wins ? `, ${t("wins the game")}` : "");

/** The mark of an entry that would win the game. @param {Action} entry */
export const winMark = (entry) => (entry.wins ? icon("star") : "");

/** @param {Context} ctx @param {Action} entry */
const markedName = (ctx, entry) => html`${winMark(entry)}${categoryName(ctx, entry)}`;

/** @param {Context} ctx @param {Action} entry */
export const isChosen = (ctx, entry) => {
  const { cell } = ctx.local.sheet;
  return Boolean(cell) && cell.category === entry.category && cell.column === entry.column;
};

/** The cells that would bring points, or `all` that may be written, best first.
 * @param {Context} ctx @param {boolean} all */
export const rankedCells = (ctx, all) =>
  advice.bestFirst(
    ctx,
    ctx.standing.legal.filter((entry) => entry.do === "score" && (all || sum(entry) > 0)).sort(byWorth(ctx.standing)),
  );

/** A cell with what it would bring, and what that costs, in words. @param {Context} ctx @param {Action} entry */
export const cellInWords = (ctx, entry) =>
  tn("{category}: {count} point", "{category}: {count} points", sum(entry), {
    category: categoryName(ctx, entry, true),
  }) +
  spokenWin(entry) +
  advice.spokenLoss(ctx, entry);

/** Buttons of the cells that would bring points, or of `all` that may be written, best first. @param {Context} ctx */
export function offers(ctx, all = false) {
  const best = rankedCells(ctx, all);
  if (!best.length) return "";
  return html`<ul class="offers" aria-label="${t("What the dice would bring")}">
    ${best.map(
      (entry, i) =>
        html`<li
          data-key="o${entry.category}${entry.column || ""}"
          class="${entry.wins ? "wins" : i < SHOWN ? "" : "more"}"
        >
          ${button(
            isChosen(ctx, entry) ? "chosen" : "",
            "cell",
            html`<span>${markedName(ctx, entry)}</span> <strong>${number(sum(entry))}</strong>`,
            {
              arg: entry,
              label: cellInWords(ctx, entry),
              pressed: isChosen(ctx, entry),
              beside: advice.cost(ctx, entry),
              more: ctx.idle,
            },
          )}
        </li>`,
    )}
  </ul>`;
}

/** @type {(ctx: Context) => { entry: Action, name: Content }[]} the cells that would bring points, the best first */
export const categoryOffers = (ctx) =>
  rankedCells(ctx, mustWrite(ctx)).map((entry) => ({ entry, name: markedName(ctx, entry) }));

/** What comes after a set-aside that leaves so many dice. @param {number} left */
export const afterwards = (left) =>
  left ? tn("then {count} die to throw", "then {count} dice to throw", left) : t("the turn ends");

/** Whether there is nothing left but to write. @param {Context} ctx */
export const mustWrite = ({ standing: { legal } }) =>
  legal.some((entry) => entry.do === "score") &&
  !legal.some((entry) => ["keep", "throw", "announce"].includes(entry.do));

/** What announces a cell of a sheet. @param {Action} entry */
export const announceAction = ({ category }) => ({ do: "announce", category });

/** What was announced in this turn, or the cells that may be, folded away. @param {Context} ctx */
export function announcing(ctx) {
  const { legal, turn } = ctx.standing;
  if (turn.announced)
    return html`<p class="announced">
      ${t("Announced: {category}", { category: categoryName(ctx, { category: turn.announced }) })}
    </p>`;
  const entries = legal.filter((entry) => entry.do === "announce");
  if (!entries.length) return "";
  return html`<details class="announcing" id="announcing">
    <summary>${t("Announce a cell")}</summary>
    <p class="chips">
      ${entries.map((entry) =>
        button("chip", "act", categoryName(ctx, entry), {
          arg: announceAction(entry),
          key: `announce-${entry.category}`,
          label: t("Announce {category}", { category: categoryName(ctx, entry) }),
        }),
      )}
    </p>
  </details>`;
}

/** The offers of a throw that waits to be confirmed; if a cell must be written, also those that bring nothing.
 * @param {Context} ctx */
export const preview = (ctx) => offers(ctx, mustWrite(ctx));

/** @param {number[]} tiles  numbers of a box */
export const shutWords = (tiles) => t("Shut {numbers}", { numbers: tiles.join(", ") });

/** The main button, which does an action of the game. `entry`: as `legal` has it, where the action is only a part.
 * @type {(ctx: Context, words: Content, action: Action, entry?: Action, kind?: string) => Html} */
export const actButton = (ctx, words, action, entry = action, kind = "primary") =>
  button(`button ${kind}`, "act", words, { arg: action, sign: "check", beside: advice.cost(ctx, entry) });

/** The button that writes the chosen cell. @type {(ctx: Context, write: {words: string, action: Action}) => Html} */
export const writeButton = (ctx, { words, action }) => actButton(ctx, words, action, ctx.local.sheet.cell);

/** What writes a cell, without what `legal` adds to it. @param {Action} action */
export const writeAction = ({ category, column }) => ({ do: "score", category, ...(column ? { column } : {}) });

/** What writes the chosen cell, and the words of its button; null if none is chosen. @param {Context} ctx */
export function chosenMove(ctx) {
  const { cell: entry } = ctx.local.sheet;
  if (!entry) return null;
  const values = { points: number(sum(entry)), category: categoryName(ctx, entry) };
  const words = entry.wins ? t("Win with {category}", values) : t("Write {points}: {category}", values);
  return { action: writeAction(entry), words };
}

/** After the last throw, chooses the cell that brings most: one tap writes it, two write another one.
 * @param {Context} ctx */
export function update(ctx) {
  const { local, standing, state } = ctx;
  if (local.offered === state.version) return;
  local.offered = state.version;
  if (!mustWrite(ctx) || !mayActNow(ctx)) return;
  const [best] = standing.legal.filter((entry) => entry.do === "score" && sum(entry) > 0).sort(byWorth(standing));
  local.sheet.cell = best ?? null;
}

/**
 * Chooses a cell. The chosen cell itself is left again, unless one must be written. A cell that was chosen among the
 * offers is scrolled into view.
 * @param {Context} ctx @param {Action} entry @param {HTMLElement} element
 */
export function choose(ctx, entry, element) {
  ctx.local.sheet.cell = isChosen(ctx, entry) && !mustWrite(ctx) ? null : entry;
  ctx.draw();
  if (element.closest(".offers") && ctx.local.sheet.cell) {
    document.querySelector(".offer .chosen")?.scrollIntoView({ block: "center", inline: "center" });
  }
}
