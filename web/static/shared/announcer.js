// What screen readers say of the game as it goes on: one sentence for each change, in one live region of the page.

import { element } from "./dom.js";
import { changeSentence, whoseTurn } from "./sentences.js";

const MOST = 3; // lines that stay in the region
const PAUSE_MS = 100; // a dialog that opened or closed has just moved the region, which must be known before it speaks

/** Has screen readers say this after what they are saying. */
export function say(text) {
  const region = element("spoken", HTMLElement);
  const line = document.createElement("p");
  line.textContent = text;
  setTimeout(() => {
    region.append(line); // a new line is said, also one that says the same as the last
    if (region.children.length > MOST) region.firstChild.remove();
  }, PAUSE_MS);
}

export class Announcer {
  /**
   * @param {Context} ctx  at its first state, of which nothing is said
   * @param {Sheet} sheet
   */
  constructor(ctx, sheet) {
    this.ctx = ctx;
    this.sheet = sheet;
    this.version = ctx.state.version;
    this.turn = whoseTurn(ctx, sheet);
  }

  /** Says what happened since the last state, whoever did it, and whose turn it is if that changed. */
  tell() {
    const { ctx, sheet, version, turn } = this;
    if (ctx.state.version === version) return;
    this.version = ctx.state.version;
    this.turn = whoseTurn(ctx, sheet);
    const said = changeSentence(ctx, version, this.turn === turn ? "" : this.turn);
    if (said) say(said);
  }
}
