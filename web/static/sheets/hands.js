// The sheet of games in which a hand is thrown: dice are set aside between throws, and the hands of a round compared.

import { advice } from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { diceRow } from "../shared/dice.js";
import { capitalize, number, t, tn } from "../shared/text.js";
import { throwDue } from "./offers.js";
import { bankButton, diceAside, setAsideButton, tappedChoice, throwToTap, tied } from "./ten-thousand.js";

export { belowScore, handlers, playerDetails, sheet } from "./ten-thousand.js";
export const notes = tied;

/** @param {Context} ctx */
export function turn(ctx) {
  const { turn: now, legal, round, rounds = 1 } = ctx.standing;
  const aside = diceAside(now);
  return html`${tied(ctx)}
    ${rounds > 1 && html`<p class="soft">${t("Round {round} of {rounds}", { round, rounds })}</p>`}
    <div class="stake">
      ${now.throw.length
        ? html`<p>
            <span class="big">${now.title ? t(now.title) : number(now.points)}</span>
            <span class="soft"
              >${now.throws_left
                ? capitalize(tn("{count} throw left", "{count} throws left", now.throws_left))
                : ""}</span
            >
          </p>`
        : ""}
    </div>
    ${legal.some((entry) => entry.do === "set-aside")
      ? html`<div class="thrown">${throwToTap(ctx, now)}${aside}</div>
          <p class="hint">
            ${now.expects
              ? t("Tap the dice that you set aside, or throw all of these again.")
              : t("Tap the dice that you set aside.")}
          </p>`
      : throwDue(ctx, now.expects, html`${now.throw.length && !aside ? diceRow(now.throw) : ""}${aside}`)}
    ${advice.bestChoices(ctx)}`;
}

/** @param {Context} ctx */
export function actions(ctx) {
  const choice = tappedChoice(ctx);
  if (choice) return setAsideButton(choice, t("Set aside"));
  const bank = ctx.standing.legal.find((entry) => entry.do === "bank");
  return bank ? bankButton(ctx, bank, t("End the turn"), "bank") : null;
}
