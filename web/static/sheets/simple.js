// The sheet of games with one number a turn.

import * as advice from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { die, diceRow } from "../shared/dice.js";
import { number, t } from "../shared/text.js";
import { throwDue } from "./offers.js";
import { lastRound, progress, sheet as turnsSheet, tied } from "./ten-thousand.js";

export const belowScore = progress;

/** @param {Context} ctx */
export function turn(ctx) {
  const { turn: now, forbidden, options, round, players, wanted } = ctx.standing;
  const rounds = forbidden ? options.rounds : (ctx.standing.rounds ?? 1);
  return html` ${lastRound(ctx)} ${tied(ctx)} ${forbidden && forbiddenNumbers(forbidden)}
    ${rounds > 1 && html`<p class="soft">${t("Round {round} of {rounds}", { round, rounds })}</p>`}
    ${wanted ? html`<p>${t("Wanted: {number}.", { number: wanted })}</p>` : ""}
    <div class="stake">
      ${now.points && players.length
        ? html`<p><span class="big">${number(now.points)}</span> <span class="soft">${t("this turn")}</span></p>`
        : ""}
    </div>
    ${throwDue(ctx, now.expects, now.throw.length ? diceRow(now.throw, "", forbidden ?? []) : "")}
    ${advice.bestChoices(ctx)}`;
}

/**
 * The parts of the printed page besides the turns.
 * @param {Context} ctx
 */
export const printedExtras = ({ standing }) => (standing.forbidden ? forbiddenNumbers(standing.forbidden) : "");

/** The numbers that nobody wants to throw, struck out. */
function forbiddenNumbers(forbidden) {
  return html`<p class="struck-out">
    <span class="soft"
      >${forbidden.length ? t("Forbidden") : t("First, two dice say which numbers are forbidden.")}</span
    >
    ${forbidden.map((value) => html`<span class="no" role="img" aria-label="${value}">${die(value)}</span>`)}
  </p>`;
}

export const actions = () => null;

export const sheet = turnsSheet;
