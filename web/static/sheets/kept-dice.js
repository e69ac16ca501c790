// The dice on the table of a game in which dice are kept: tap to keep, tap again to throw.

import { button } from "../shared/buttons.js";
import { advice } from "../shared/advice.js";
import { html } from "../shared/dom.js";
import { die, slot } from "../shared/dice.js";
import { tab } from "../shared/storage.js";
import { capitalize, t, tn } from "../shared/text.js";
import { announcing, choose, update as updateOffers, offers } from "./offers.js";

const STORED = "rollcall.kept.";

/** Identifies the throw on the table, to which the marks belong: a new throw drops them. @param {Context} ctx */
const throwKey = ({ state: { steps }, standing: { turn } }) =>
  JSON.stringify([turn.announced ? steps - 1 : steps, turn.player, turn.rolls]); // announcing keeps them

/** The positions in `turn.dice` of the dice that are to be kept. This tab remembers them until the throw is told.
 * @param {Context} ctx @returns {number[]} */
function markedPositions(ctx) {
  const { local, setup } = ctx;
  local.marks ??= tab.value(STORED + setup.key);
  return local.marks && local.marks.of === throwKey(ctx) ? local.marks.positions : [];
}

/** @param {Context} ctx @param {number[]} positions */
function mark(ctx, positions) {
  ctx.local.marks = { of: throwKey(ctx), positions };
  tab.keep(STORED + ctx.setup.key, ctx.local.marks);
}

/** After a new state: chooses the likely cell, and marks the dice that were kept for a photo. @param {Context} ctx */
export function update(ctx) {
  updateOffers(ctx);
  markPending(ctx);
}

/** Marks the dice that were kept for a new photo of the next throw, whichever phone took it. @param {Context} ctx */
function markPending(ctx) {
  const { pending } = ctx.state;
  if (!pending || !pending.keep || ctx.local.keptFor === pending.id) return;
  ctx.local.keptFor = pending.id;
  const marked = markedDice(ctx);
  if (marked === null || String([...marked].sort()) === String([...pending.keep].sort())) return;
  markValues(ctx, pending.keep);
}

/** Marks dice of these values. @param {Context} ctx @param {number[]} values */
function markValues(ctx, values) {
  const left = [...values];
  mark(
    ctx,
    ctx.standing.turn.dice.flatMap((value, i) => {
      const at = left.indexOf(value);
      if (at < 0) return [];
      left.splice(at, 1);
      return [i];
    }),
  );
}

/** @param {Context} ctx */
const mayKeep = (ctx) => ctx.standing.legal.some((entry) => entry.do === "keep");

/** Six dice must fit one row of a phone too. @param {Context} ctx */
const size = ({ standing: { turn } }) =>
  turn.dice.length + turn.expects + (turn.kept ? turn.kept.length : 0) > 5 ? "six" : "";

/** @param {Context} ctx */
export function view(ctx) {
  const { turn } = ctx.standing;
  const throws = html`<p class="soft throws">${throwsLeft(turn)}</p>`;
  if (!turn.dice.length) {
    const kept = turn.kept || [];
    return html`${throws}
      <div class="table-dice ${size(ctx)}">
        ${kept.map(
          (value) => html`<span class="kept-die">${die(value)}<span class="kept-word">${t("kept")}</span></span>`,
        )}
        ${Array.from({ length: turn.expects }, () => slot())}
      </div>
      ${announcing(ctx)}${advice.bestChoices(ctx)}`;
  }
  if (!mayKeep(ctx))
    return html`${throws}
      <div class="table-dice ${size(ctx)}">
        ${turn.dice.map((value) => die(value))}<span class="hidden">${turn.dice.join(" ")}</span>
      </div>
      ${offersAndAdvice(ctx)}`;
  return html`${throws}
    <div class="table-dice ${size(ctx)}" role="group" aria-label="${t("Tap the dice to keep")}">
      ${turn.dice.map((value, i) =>
        button(
          "bare keepable",
          "keep-toggle",
          html`${die(value)}<span class="kept-word" aria-hidden="true"
              >${markedPositions(ctx).includes(i) && t("keep")}</span
            >`,
          {
            arg: i,
            key: `k${i}`,
            label: t("Keep the {value}", { value }),
            pressed: markedPositions(ctx).includes(i),
            more: ctx.idle,
          },
        ),
      )}
    </div>
    ${offersAndAdvice(ctx, advice.keepAdvice(ctx, markedDice(ctx)))}
    <p class="hint">${whatToDo(ctx)}</p>`;
}

/** @param {Context} ctx */
function whatToDo(ctx) {
  const { legal, turn } = ctx.standing;
  const all = markedPositions(ctx).length === turn.dice.length;
  if (!legal.some((entry) => entry.do === "score"))
    return all
      ? t("Nothing can be written: throw at least one die again.")
      : t("Tap the dice to keep, and throw the others again.");
  return all ? t("All dice kept: choose where to write them.") : t("Tap the dice to keep, or write them below.");
}

/** The offers and, before them if it is to be marked, best play. @param {Context} ctx */
function offersAndAdvice(ctx, kept = /** @type {Content} */ ("")) {
  const best = advice.bestChoices(ctx);
  const offered = [offers(ctx), announcing(ctx)];
  return advice.marksBest(ctx) ? [best, ...offered, kept] : [...offered, kept, best];
}

/** How many throws the turn still has, in words. @param {TurnView} turn */
export function throwsLeft(turn) {
  return turn.throws_left
    ? capitalize(tn("{count} throw left", "{count} throws left", turn.throws_left))
    : t("No throws left: choose where to write the dice.");
}

/** The throws that a player's earlier turns saved, where a game saves any. @param {Player} player */
export const throwsSaved = (player) =>
  player.saved === undefined ? "" : tn("{count} throw saved", "{count} throws saved", player.saved);

/** The dice to be kept for the next throw, with which they are told; null if none may be kept. @param {Context} ctx */
export function markedDice(ctx) {
  if (!mayKeep(ctx)) return null;
  return markedPositions(ctx).map((i) => ctx.standing.turn.dice[i]);
}

/** @param {Page} ctx @returns {Handlers} */
export const handlers = (ctx) => ({
  "keep-toggle": (i) => {
    const positions = markedPositions(ctx);
    mark(ctx, positions.includes(i) ? positions.filter((other) => other !== i) : [...positions, i]);
    ctx.draw();
  },
  advised: (action, element, { detail }) => {
    if (action.do === "score") {
      choose(
        ctx,
        /** @type {Action} */ (
          ctx.standing.legal.find(
            (entry) => entry.do === "score" && entry.category === action.category && entry.column === action.column,
          )
        ),
        element,
      );
    } else if (action.do === "keep") {
      markValues(ctx, action.dice);
      ctx.draw();
    } else if (detail < 2) ctx.act(action);
  },
});
