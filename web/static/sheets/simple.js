// The sheet of games with one number a turn.

import { advice } from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { die, diceRow } from "../shared/dice.js";
import { number, t, tn } from "../shared/text.js";
import { throwDue } from "./offers.js";
import { lastRound, progress, roundPoints, tied } from "./ten-thousand.js";

export { sheet } from "./ten-thousand.js";
export const belowScore = progress;
export const playerDetails = roundPoints;

/** @param {Context} ctx */
export function turn(ctx) {
  const { turn: now, forbidden, players } = ctx.standing;
  return html` ${notes(ctx)}
    <div class="stake">
      ${now.points && players.length
        ? html`<p><span class="big">${number(now.points)}</span> <span class="soft">${t("this turn")}</span></p>`
        : ""}
    </div>
    ${throwDue(ctx, now.expects, now.throw.length ? diceRow(now.throw, "", forbidden ?? []) : "")}
    ${advice.bestChoices(ctx)}`;
}

/** What is to be known of this turn, also on the board. @param {Context} ctx */
export function notes(ctx) {
  const { round, rounds = 1, wanted } = ctx.standing;
  return html`${lastRound(ctx)} ${tied(ctx)} ${forbiddenNumbers(ctx)}
  ${rounds > 1 && html`<p class="soft">${t("Round {round} of {rounds}", { round, rounds })}</p>`}
  ${wanted ? html`<p>${t("Wanted: {number}.", { number: wanted })}</p>` : ""}`;
}

export const printedExtras = forbiddenNumbers;

/** The numbers that nobody wants to throw, struck out; nothing in games without them. @param {Context} ctx */
function forbiddenNumbers({ standing }) {
  const { forbidden, turn: now } = standing;
  if (!forbidden) return "";
  return html`<p class="struck-out">
    <span class="soft"
      >${forbidden.length
        ? t("Forbidden")
        : tn(
            "First, {count} die says which number is forbidden.",
            "First, {count} dice say which numbers are forbidden.",
            now.expects,
          )}</span
    >
    ${forbidden.map((value) => html`<span class="no" role="img" aria-label="${value}">${die(value)}</span>`)}
  </p>`;
}

export const actions = () => null;
