// The dice on the table of a game in which some are kept: tap to keep, tap again to throw.

import { html } from "../dom.js";
import { die, slot } from "../dice.js";
import { capital, t, tn } from "../text.js";

/** Positions (in `turn.dice`) of the dice that are to be kept. */
const chosen = (ctx) => ctx.local.sheet.positions || [];

const mayKeep = (ctx) => !ctx.watches && ctx.standing.legal.some((entry) => entry.do === "keep");

/** Six dice must fit one row of a phone too. */
const size = (ctx) => (ctx.standing.figures_list ? "six" : "");

export function view(ctx, count) {
  const { turn } = ctx.standing;
  const throws = html`<p class="soft throws">${throwsLeft(turn)}</p>`;
  if (!turn.dice.length) {
    const kept = turn.kept || [];
    return html`${throws}<div class="table-dice ${size(ctx)}">
      ${kept.map((value) => html`<span class="kept-die">${die(value)}<span class="kept-word">${t("kept")}</span></span>`)}
      ${Array.from({ length: count - kept.length }, () => slot())}</div>`;
  }
  if (!mayKeep(ctx)) return html`${throws}<div class="table-dice ${size(ctx)}">${turn.dice.map((value) => die(value))}<span class="hidden">${turn.dice.join(" ")}</span></div>`;
  return html`${throws}<div class="table-dice ${size(ctx)}" role="group" aria-label="${t("Tap the dice to keep")}">
    ${turn.dice.map((value, i) => html`<button type="button" class="bare keepable" data-key="k${i}" ${ctx.idle} data-act="keep-toggle" data-arg="${i}" aria-pressed="${chosen(ctx).includes(i) ? "true" : "false"}" aria-label="${t("Keep the {value}", { value })}">${die(value)}<span class="kept-word" aria-hidden="true">${chosen(ctx).includes(i) ? t("keep") : ""}</span></button>`)}
  </div><p class="hint">${chosen(ctx).length === turn.dice.length ? t("All dice kept: choose where to write them.") : t("Tap the dice to keep, or write them below.")}</p>`;
}

function throwsLeft(turn) {
  return turn.throws_left ? capital(tn("{count} throw left", "{count} throws left", turn.throws_left)) : t("No throws left: choose where to write the dice.");
}

/** The keep to tell before the next throw, or null when none is wanted. */
export function keepBeforeThrow(ctx) {
  if (!mayKeep(ctx)) return null;
  return { do: "keep", dice: chosen(ctx).map((i) => ctx.standing.turn.dice[i]) };
}

export const handlers = (ctx) => ({
  "keep-toggle": (i) => {
    const positions = chosen(ctx);
    ctx.local.sheet.positions = positions.includes(i) ? positions.filter((other) => other !== i) : [...positions, i];
    ctx.local.sheet.kept = ctx.local.sheet.positions;
    ctx.draw();
  },
});

