// The sheet of a box of numbers: those that make the throw are tapped, and shut together.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { diceRow } from "../shared/dice.js";
import { number, t } from "../shared/text.js";
import { actButton, shutWords, throwDue } from "./offers.js";
import { handlers as advised } from "./ten-thousand.js";

export { sheet } from "./ten-thousand.js";

const has = (/** @type {number[]} */ tiles, /** @type {number[]} */ those) =>
  those.every((each) => tiles.includes(each));

/** The sets of open numbers that make the throw. @param {Context} ctx @returns {number[][]} */
const setsOf = ({ standing: { legal } }) => legal.filter((entry) => entry.do === "shut").map((entry) => entry.tiles);

/** The numbers that are marked to be shut: of a single set, all. @param {Context} ctx @returns {number[]} */
function marked(ctx) {
  const sets = setsOf(ctx);
  return ctx.local.sheet.tiles ?? (sets.length === 1 ? sets[0] : []);
}

/** The set that is marked as a whole. @param {Context} ctx */
const markedSet = (ctx) => setsOf(ctx).find((set) => set.length === marked(ctx).length && has(set, marked(ctx)));

/** Where the last one left wins: the total that takes a player out, or when he went. */
export const playerDetails = (/** @type {Context} */ { standing }, /** @type {Player} */ player) =>
  standing.out_at
    ? html`<span class="soft small-line"
        >${player.knocked_out
          ? t("out in round {round}", { round: player.knocked_out })
          : t("out at {target}", { target: number(standing.out_at) })}</span
      >`
    : "";
export const belowScore = playerDetails;

/** What is to be known of this turn, also on the board. @param {Context} ctx */
export function notes(ctx) {
  const { round, rounds = 1 } = ctx.standing;
  return html`${rounds > 1 && html`<p class="soft">${t("Round {round} of {rounds}", { round, rounds })}</p>`}
  ${ctx.watches ? box(ctx) : ""}`;
}

/** @param {Context} ctx */
export function turn(ctx) {
  const { turn: now } = ctx.standing;
  return html`${notes(ctx)}
    <div class="stake">
      <p><span class="big">${number(now.points)}</span> <span class="soft">${t("still open")}</span></p>
    </div>
    ${now.expects ? throwDue(ctx, now.expects) : html`<div class="thrown">${diceRow(now.throw)}</div>`} ${box(ctx)}
    ${now.expects ? "" : html`<p class="hint">${whatToTap(ctx)}</p>`} ${advice.bestChoices(ctx)}`;
}

const whatToTap = (/** @type {Context} */ { standing: { turn: now } }) =>
  t("Tap open numbers that make {sum}.", { sum: now.throw[0] + (now.throw[1] ?? 0) });

/** All numbers of the box in their order. @param {Context} ctx */
function box(ctx) {
  const { tiles: count, turn: now } = ctx.standing;
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return html`<div class="box of-${count}" role="group" aria-label="${t("Numbers of the box")}">
    ${numbers.map((each) => tile(ctx, each, now.open.includes(each)))}
  </div>`;
}

/** @param {Context} ctx @param {number} each @param {boolean} isOpen */
function tile(ctx, each, isOpen) {
  const sets = setsOf(ctx).filter((set) => set.includes(each));
  if (!isOpen || ctx.watches || !setsOf(ctx).length)
    return html`<span
      class="tile ${isOpen ? "" : "down"}"
      role="img"
      aria-label="${isOpen ? each : t("{number}, shut", { number: each })}"
      >${each}</span
    >`;
  const tiles = marked(ctx);
  return button(`tile ${sets.some((set) => has(set, tiles)) ? "" : "unfit"}`, "tile", each, {
    arg: each,
    key: `n${each}`,
    label: t("Shut the {value}", { value: each }),
    pressed: tiles.includes(each),
    off: !sets.length,
    more: sets.length ? ctx.idle : "",
  });
}

/** @param {Context} ctx */
export function actions(ctx) {
  if (!setsOf(ctx).length) return null;
  const tiles = markedSet(ctx);
  if (!tiles) return html`<p class="waiting">${whatToTap(ctx)}</p>`;
  const action = { do: "shut", tiles };
  return actButton(ctx, shutWords(tiles), action);
}

/** What shuts the marked numbers with the throw that waits to be confirmed, if they make it. @param {Context} ctx */
export function previewAction(ctx) {
  const tiles = markedSet(ctx);
  return tiles ? { words: shutWords(tiles), then: [{ do: "shut", tiles }] } : null;
}

/** For a throw that waits to be confirmed: the box. @param {Context} ctx */
export function preview(ctx) {
  if (!setsOf(ctx).length) return "";
  return html`<p class="hint strong">${whatToTap(ctx)}</p>
    ${box(ctx)}`;
}

export const handlers = (/** @type {Page} */ ctx) => ({
  advised: advised(ctx).advised,
  // A number that fits the marked ones is marked too, with all others where only one set is left; else it is the first
  // of another set.
  tile: (/** @type {number} */ each) => {
    const before = marked(ctx);
    const more = [...before, each].sort((a, b) => a - b);
    const fits = setsOf(ctx).filter((set) => has(set, more));
    const others = setsOf(ctx).filter((set) => set.includes(each));
    if (before.includes(each)) ctx.local.sheet = { tiles: before.filter((other) => other !== each) };
    else if (fits.length) ctx.local.sheet = { tiles: fits.length === 1 ? fits[0] : more };
    else ctx.local.sheet = { tiles: others.length === 1 ? others[0] : [each] };
    ctx.draw();
  },
});
