// Drápky: fourteen figures for each player, and the throws that were saved.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { number, t, tn } from "../shared/text.js";
import { isFresh } from "../shared/sentences.js";
import * as keptDice from "./kept-dice.js";
import { cellWords, cornerHeading, nameHeadings, offer, partOf, scroller } from "./grid.js";
import { choose, chosenMove, writeButton } from "./offers.js";
import * as adjustments from "./adjustments.js";

/** @param {Context} ctx @param {Player} player */
export const score = (ctx, player) => partOf(Object.keys(player.figures).length, ctx.standing.figures_list.length);

/** @param {Context} ctx @param {Player} player */
export const belowScore = (ctx, player) =>
  html`<span class="soft small-line"
    >${tn("{count} point", "{count} points", player.score)} <br />${keptDice.throwsSaved(player)}</span
  >`;

/** What the board and the printed sheet show of a player besides the score.
 * @param {Context} ctx @param {Player} player */
export const playerDetails = (ctx, player) =>
  html`<span class="soft small-line">${keptDice.throwsSaved(player)}</span>`;

export const turn = keptDice.view;

export { markedDice, update } from "./kept-dice.js";
export { preview } from "./offers.js";

/** @param {Context} ctx */
export function sheet(ctx) {
  const { standing } = ctx;
  const { players, figures_list: figures, titles } = standing;
  const toAct = ctx.printing ? [] : standing.to_act; // paper shows written cells only
  const given = new Map(standing.legal.filter((entry) => entry.do === "score").map((entry) => [entry.category, entry]));
  const best = advice.marksBest(ctx) ? Infinity : Math.max(0, ...[...given.values()].map((entry) => entry.points));
  const kept = keptDice.markedDice(ctx);
  return scroller(
    html`<table class="grid ${players.length < 5 && "few"}">
      <thead>
        <tr>
          ${cornerHeading()} ${nameHeadings(players, toAct, html`scope="col"`)}
        </tr>
      </thead>
      <tbody>
        ${figures.map(
          (key) =>
            html`<tr data-key="${key}">
              <th scope="row">${t(titles[key])}</th>
              ${players.map((player, who) => {
                const own = toAct.includes(who);
                if (key in player.figures)
                  return html`<td
                    class="first held ${own && "own"} ${player.out && "out"} ${isFresh(ctx, who, { category: key }) &&
                    "fresh"}"
                  >
                    ${adjustments.cellButton(
                      ctx,
                      who,
                      { category: key },
                      cellWords(t(titles[key]), player.figures[key], player.name),
                      number(player.figures[key]),
                    )}${adjustments.cellPencil(player, key)}
                  </td>`;
                const entry = own ? given.get(key) : null;
                if (!entry)
                  return html`<td class="first ${player.out ? "out" : "open"} ${own && "own"}">
                    ${own && advice.openCellChance(ctx, key, kept)}
                  </td>`;
                const spoken = advice.spokenCost(ctx, entry, null);
                return html`<td class="first offer own">
                  ${offer(ctx, entry, player, entry.points === best, spoken, advice.cost(ctx, entry))}
                </td>`;
              })}
            </tr>`,
        )}
        <tr class="sum total">
          <th scope="row">${t("Total")}</th>
          ${players.map(
            (player, who) =>
              html`<td class="first ${toAct.includes(who) && "own"}">
                ${number(player.score)}${adjustments.totalPencil(player)}
              </td>`,
          )}
        </tr>
      </tbody>
    </table>`,
  );
}

/** @param {Context} ctx */
export function actions(ctx) {
  const { standing } = ctx;
  const write = chosenMove(ctx);
  const pass = standing.legal.some((other) => other.do === "pass")
    ? button("tool", "act", t("Pass"), { arg: { do: "pass" }, sign: "pass", beside: advice.cost(ctx, { do: "pass" }) })
    : "";
  if (!write) return pass || null;
  return html`${pass}${writeButton(ctx, write)}`;
}

/** @param {Page} ctx @returns {Handlers} */
export const handlers = (ctx) => ({
  ...keptDice.handlers(ctx),
  cell: (entry, element) => choose(ctx, entry, element),
});
