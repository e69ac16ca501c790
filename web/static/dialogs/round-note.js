// A short note on a round of a score pad.

import { button } from "../shared/buttons.js";
import { field, html } from "../shared/dom.js";
import { textField } from "../shared/fields.js";
import { panelHead } from "./panel.js";
import { t } from "../shared/text.js";

const LONGEST = 60; // characters, as scorer/pad.py has it

/** The note on one round, to write, to change, or to take away by leaving it empty. */
class RoundNote {
  /** @param {Page} ctx @param {number} round from 1 */
  constructor(ctx, round) {
    this.ctx = ctx;
    this.round = round;
    this.version = ctx.state.version;
    this.was = ctx.standing.pad.notes[round - 1] ?? "";
    this.done = false;
  }

  content() {
    return html`${panelHead(t("Note on round {round}", { round: this.round }))}
      <div class="fields">
        ${textField(t("What is to be remembered"), { id: "round-note", maxlength: LONGEST, value: this.was })}
        ${button("button primary wide", "note-save", t("Keep the note"), { sign: "check" })}
      </div>`;
  }

  unsaved() {
    return !this.done && field("round-note").value.trim() !== this.was;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== "Enter") return false;
    this.save();
    return true;
  }

  handlers = { "note-save": () => this.save() };

  async save() {
    const { ctx, round } = this;
    const text = field("round-note").value.trim();
    this.done = true;
    this.done = text === this.was || (await ctx.act({ do: "adjust", what: "note", round, text }, { at: this.version }));
    if (!ctx.panel.shows(this)) return;
    if (this.done) ctx.panel.close();
    else this.version = ctx.state.version; // what was written stays
  }
}

/** @type {(ctx: Page) => Handlers} */
export const handlers = (ctx) => ({ "round-note": (round) => ctx.panel.open(new RoundNote(ctx, round)) });
