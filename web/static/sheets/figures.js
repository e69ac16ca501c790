// Drápky: fourteen figures for each player, and the throws that were saved.

import * as advice from "../shared/advice.js";
import { html, json } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { number, t, tn } from "../shared/text.js";
import { isFresh } from "../shared/sentences.js";
import * as keeping from "./keeping.js";
import { names, offer, scroller } from "./grid.js";
import { choose, chosen } from "./offers.js";
import * as adjusted from "./adjusted.js";

const DICE = 6;

export const score = (ctx, player) =>
  html`${Object.keys(player.figures).length}<small>/${ctx.standing.figures_list.length}</small>`;

const saved = (player) => tn("{count} throw saved", "{count} throws saved", player.saved);

export const under = (ctx, player) =>
  html`<span class="soft small-line"
    >${tn("{count} point", "{count} points", player.score)} <br />${saved(player)}</span
  >`;

/** What the board and the printed sheet tell of a player besides the score. */
export const told = (ctx, player) => html`<span class="soft small-line">${saved(player)}</span>`;

export const turn = (ctx) => keeping.view(ctx, DICE);

export { heard, keep } from "./keeping.js";
export { ahead, chosen } from "./offers.js";

export function sheet(ctx) {
  const { standing } = ctx;
  const { players, figures_list: figures, titles } = standing;
  const toAct = ctx.printing ? [] : standing.to_act; // what is not written is not on paper
  const given = new Map(standing.legal.filter((entry) => entry.do === "score").map((entry) => [entry.category, entry]));
  const best = advice.marksBest(ctx) ? Infinity : Math.max(0, ...[...given.values()].map((entry) => entry.points));
  const kept = keeping.keep(ctx);
  return scroller(
    html`<table class="grid ${players.length < 5 ? "few" : ""}">
      <thead>
        <tr>
          <th></th>
          ${names(players, toAct, html`scope="col"`)}
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
                    class="first held ${own ? "own" : ""} ${player.out ? "out" : ""} ${isFresh(ctx, who, {
                      category: key,
                    })
                      ? "fresh"
                      : ""}"
                  >
                    ${adjusted.tappable(
                      ctx,
                      who,
                      { category: key },
                      t(titles[key]),
                      number(player.figures[key]),
                    )}${adjusted.ofCell(player, key)}
                  </td>`;
                const entry = own ? given.get(key) : null;
                if (!entry)
                  return html`<td class="first ${player.out ? "out" : "open"} ${own ? "own" : ""}">
                    ${own ? advice.ofOpenCell(ctx, key, kept) : ""}
                  </td>`;
                const told = advice.told(ctx, entry, null);
                return html`<td class="first offer own">
                  ${offer(ctx, entry, player, entry.points === best, told, advice.cost(ctx, entry))}
                </td>`;
              })}
            </tr>`,
        )}
        <tr class="sum total">
          <th scope="row">${t("Total")}</th>
          ${players.map(
            (player, who) =>
              html`<td class="first ${toAct.includes(who) ? "own" : ""}">
                ${number(player.score)}${adjusted.ofTotal(player)}
              </td>`,
          )}
        </tr>
      </tbody>
    </table>`,
  );
}

export function actions(ctx) {
  const { standing } = ctx;
  const write = chosen(ctx);
  const pass = standing.legal.some((other) => other.do === "pass")
    ? html`<button type="button" class="tool" data-act="act" data-arg="${json({ do: "pass" })}">
        ${icon("pass")}<span>${t("Pass")}</span>${advice.cost(ctx, { do: "pass" })}
      </button>`
    : "";
  if (!write) return pass || null;
  return html`${pass}<button type="button" class="button primary" data-act="act" data-arg="${json(write.action)}">
      ${icon("check")}<span>${write.words}</span>${advice.cost(ctx, ctx.local.sheet.cell)}
    </button>`;
}

export const handlers = (ctx) => ({
  ...keeping.handlers(ctx),
  cell: (entry, element) => choose(ctx, entry, element),
});
