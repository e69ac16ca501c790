// Six keys for tapping the dice in by hand.

import { button } from "../shared/buttons.js";
import { dieOfKey, html } from "../shared/dom.js";
import * as device from "../shared/device.js";
import { die, slot, valueKeys } from "../shared/dice.js";
import { dueThrow, renewThrow } from "./due-throw.js";
import { icon } from "../shared/icons.js";
import { panelHead } from "./panel.js";
import { joinNames, t, tn } from "../shared/text.js";

/** The keys for one throw, while they are open. The page keeps the last pad: its dice come back when it opens again. */
class Pad {
  kind = "pad";

  /** @param {Page} ctx @param {DueThrow} due @param {number[]} dice that have been tapped so far */
  constructor(ctx, due, dice) {
    this.ctx = ctx;
    this.due = due;
    this.dice = dice;
  }

  content() {
    const { ctx, dice } = this;
    const { count } = this.due;
    const missing = count - dice.length;
    return html`${panelHead(
        `${joinNames(ctx.standing.to_act.map(ctx.name))}: ${tn("{count} die thrown", "{count} dice thrown", count)}`,
      )}
      <div class="slots" role="group" aria-label="${t("Dice so far")}">
        ${dice.map((value, i) =>
          button("bare", "pad-remove", die(value), { arg: i, key: `d${i}`, label: t("Remove the {value}", { value }) }),
        )}
        ${Array.from({ length: missing }, (_, i) => html`<span data-key="s${i}">${slot()}</span>`)}
      </div>
      <div class="keys">${valueKeys("pad-key", missing > 0)}</div>
      <div class="row end">
        ${button("tool", "pad-back", icon("erase"), { label: t("Take back the last die") })}
        ${button(
          "button primary grow",
          "pad-confirm",
          missing ? tn("{count} more die", "{count} more dice", missing) : t("Confirm the throw"),
          { sign: missing ? "" : "check", off: missing > 0 },
        )}
      </div>`;
  }

  /** Closes the keys when their throw is no longer due; returns whether it did. */
  update() {
    const due = renewThrow(this.due, this.ctx.state);
    if (due === null) this.ctx.panel.close();
    else this.due = due;
    return due === null;
  }

  closed() {
    this.ctx.panel.box.style.translate = "";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const value = dieOfKey(event);
    if (value) this.handlers["pad-key"](value);
    else if (event.key === "Backspace") this.handlers["pad-back"]();
    else if (event.key === "Enter" && this.dice.length === this.due.count) this.handlers["pad-confirm"]();
    else return false;
    return true;
  }

  handlers = {
    "pad-key": (/** @type {number} */ value) => {
      if (this.dice.length < this.due.count) this.dice.push(value);
      this.ctx.panel.draw();
    },
    "pad-remove": (/** @type {number} */ i) => {
      this.dice.splice(i, 1);
      this.ctx.panel.draw();
    },
    "pad-back": () => {
      this.dice.pop();
      this.ctx.panel.draw();
    },
    // The pad is closed as the table moves on: by then this person may have opened something else.
    "pad-confirm": () => {
      noteByHand(this.ctx, true); // the next throw is likely to be tapped in too
      const { version, keep } = this.due;
      return this.ctx.act({ do: "throw", dice: [...this.dice] }, { at: version, keep });
    },
  };
}

/**
 * Opens the keys, with the dice of this throw that were tapped before. `first`: one more die. `row`: the keys on the
 * page on which it was tapped; these take their place, under a finger that goes on tapping.
 * @param {Page} ctx @param {number | null} first @param {Element | null} row
 */
export function open(ctx, first = null, row = null) {
  const due = dueThrow(ctx);
  /** @type {Pad | undefined} */
  const before = ctx.local.pad;
  const tapped = before && renewThrow(before.due, ctx.state) ? before.dice : [];
  ctx.local.pad = new Pad(ctx, due, [...tapped, ...(first === null ? [] : [first])].slice(0, due.count));
  const at = row?.getBoundingClientRect();
  ctx.panel.open(ctx.local.pad);
  if (at) moveTo(ctx.panel, at);
}

/** Moves the open keys to a place on the screen; each key lies where that of the page lay.
 * @param {import("./panel.js").Panel} panel @param {DOMRect} row */
function moveTo({ box, place }, { left, bottom, width }) {
  box.classList.add("in-place");
  box.style.setProperty("--row", `${width}px`);
  const below = box.getBoundingClientRect().bottom - place.querySelector(".keys").getBoundingClientRect().bottom;
  box.classList.toggle("keys-last", bottom + below > innerHeight + 1); // no room for the buttons below them
  const keys = place.querySelector(".keys").getBoundingClientRect();
  box.style.translate = `${left - keys.left}px ${bottom - keys.bottom}px`;
  addEventListener("resize", () => (box.style.translate = ""), { once: true });
}

/** Notes whether this phone taps its throws in, for its next visit to any table too. @param {Page} ctx
 * @param {boolean} byHand */
export function noteByHand(ctx, byHand) {
  ctx.local.byHand = byHand;
  device.saveSetting("byHand", byHand);
}

/**
 * The six keys on the page itself: the first die opens the others. `spare`: they show only where there is room, on a
 * phone that does not usually tap its throws in.
 * @param {number} count @param {boolean} spare
 */
export const keys = (count, spare) =>
  html`<div
    class="quick-keys ${spare && "spare"}"
    role="group"
    data-key="quick-keys"
    aria-label="${tn("Enter {count} die", "Enter {count} dice", count)}"
  >
    ${[1, 2, 3, 4, 5, 6].map((value) =>
      button("bare", "pad-key", die(value), { arg: value, key: `q${value}`, label: value }),
    )}
  </div>`;
