// Six keys for tapping the dice in by hand.

import { html } from "../shared/dom.js";
import * as device from "../shared/device.js";
import { die, keysOf, slot } from "../shared/dice.js";
import { due, stillDue } from "./due-throw.js";
import { icon } from "../shared/icons.js";
import * as panel from "./panel.js";
import { list, t, tn } from "../shared/text.js";

let open_ = null; // while open: the throw that is told, and the dice that have been tapped so far
let left = null; // the same of the keys that were closed before their throw was told

/**
 * Opens the keys with the dice of this throw that were tapped before they were closed; `first`: one more of them.
 * @param {Page} ctx
 */
export function open(ctx, first = null) {
  const now = due(ctx);
  const before = left && stillDue(left.due, ctx.state) ? left.dice : [];
  const mine = { due: now, dice: [...before, ...(first === null ? [] : [first])].slice(0, now.count) };
  open_ = left = mine;
  panel.open(content(ctx), {
    kind: "pad",
    closed: () => {
      if (open_ === mine) open_ = null;
    },
  });
}

/**
 * When the table has moved on, this throw is no longer to be told: returns whether the pad was closed for that.
 * @param {Page} ctx
 */
export function heard(ctx) {
  if (open_ === null) return false;
  const now = stillDue(open_.due, ctx.state);
  if (now === null) panel.close();
  else open_.due = now;
  return now === null;
}

/** @param {Page} ctx */
function content(ctx) {
  const {
    due: { count },
    dice,
  } = open_;
  const missing = count - dice.length;
  return html`${panel.head(
      `${list(ctx.standing.to_act.map(ctx.name))}: ${tn("{count} die thrown", "{count} dice thrown", count)}`,
    )}
    <div class="slots" role="group" aria-label="${t("Dice so far")}">
      ${dice.map(
        (value, i) =>
          html`<button
            type="button"
            class="bare"
            data-key="d${i}"
            data-act="pad-remove"
            data-arg="${i}"
            aria-label="${t("Remove the {value}", { value })}"
          >
            ${die(value)}
          </button>`,
      )}
      ${Array.from({ length: missing }, (_, i) => html`<span data-key="s${i}">${slot()}</span>`)}
    </div>
    <div class="keys">${keysOf("pad-key", missing > 0)}</div>
    <div class="row end">
      <button type="button" class="tool" data-act="pad-back" aria-label="${t("Take back the last die")}">
        ${icon("erase")}
      </button>
      <button
        type="button"
        class="button primary grow"
        data-act="pad-confirm"
        ${missing ? html`aria-disabled="true"` : ""}
      >
        ${missing
          ? tn("{count} die more", "{count} dice more", missing)
          : html`${icon("check")}<span>${t("Confirm the throw")}</span>`}
      </button>
    </div>`;
}

/**
 * @param {Page} ctx
 * @returns {Handlers}
 */
export const handlers = (ctx) => ({
  "pad-key": (value) => {
    if (open_.dice.length < open_.due.count) open_.dice.push(value);
    panel.draw(content(ctx));
  },
  "pad-remove": (i) => {
    open_.dice.splice(i, 1);
    panel.draw(content(ctx));
  },
  "pad-back": () => {
    open_.dice.pop();
    panel.draw(content(ctx));
  },
  // Done, it is closed as the table moves on: by then this person may have opened something else.
  "pad-confirm": () => {
    tells(ctx, true); // and the next throw is likely to be told so too
    return ctx.act({ do: "throw", dice: [...open_.dice] }, { at: open_.due.version, keep: open_.due.keep });
  },
});

/**
 * Notes how this phone tells throws, for its next visit to any table too.
 * @param {Page} ctx
 */
export function tells(ctx, byHand) {
  ctx.local.byHand = byHand;
  device.set("byHand", byHand);
}

/**
 * The six keys on the page itself: the first die opens the others. `spare`: only where there is room for them, on a
 * phone on which throws are not tapped in otherwise.
 */
export const keys = (count, spare) =>
  html`<div
    class="quick-keys ${spare ? "spare" : ""}"
    role="group"
    data-key="quick-keys"
    aria-label="${tn("Tap in {count} die by hand", "Tap in {count} dice by hand", count)}"
  >
    ${[1, 2, 3, 4, 5, 6].map(
      (value) =>
        html`<button
          type="button"
          class="bare"
          data-key="q${value}"
          data-act="pad-first"
          data-arg="${value}"
          aria-label="${value}"
        >
          ${die(value)}
        </button>`,
    )}
  </div>`;
